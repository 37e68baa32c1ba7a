"""What stands between a run and those who compute its chunks.

Two do: `local` has processes of this machine, each with a pipe of its own, so that it is known at
which chunk one has died. `cluster` has distributed's own client, which names a lost task in
seconds; joblib over Dask hangs after a worker's death.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Protocol

from gdcurves.compute.chunk import Result, Task


class Backend(Protocol):
    """Computes tasks."""

    def __call__(self, tasks: Sequence[Task], /) -> Generator[Result]:
        """Begin tasks in their order; yields results in any.

        A task that could not be done is a result too, its failure says why. Close the iterator to
        end the work at once. Raises RunError if nothing can be computed any more.
        """
        ...
