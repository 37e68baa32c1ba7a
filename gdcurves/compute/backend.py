"""What stands between a run and those who compute its chunks.

Two do: `local` goes through joblib over loky, the engine of the project's design. `cluster` stays
with distributed's own client: joblib over Dask hangs after a worker's death, where the client names
the task in seconds.
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
