"""What stands between a run and those who compute its chunks.

Two do. `local` has processes of this machine, each with a pipe of its own, so that it is known at
which chunk one has died. They are not joblib's (1.6.0): the workers of its loky send results
through one pipe that they share, and one that is killed while it sends leaves half a result there,
which the others' wait behind without end; results are larger than a pipe holds
(`test_case_10_a_worker_that_dies_while_it_sends_a_result_is_found`). `cluster` has distributed's
own client, which names a lost task in seconds; joblib over Dask hangs after a worker's death.
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
