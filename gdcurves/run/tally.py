"""Which chunks of a run are done, and how many splits of each experiment that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gdcurves.store.chunk import Chunk


@dataclass(frozen=True)
class Counts:
    """Splits of an experiment: those planned, and of them those that are done, and that failed."""

    planned: int
    done: int
    failed: int = 0

    @property
    def complete(self) -> bool:
        """Whether all are done."""
        return self.done == self.planned


class Tally:
    """The chunks of a run by what has become of them.

    Parameters
    ----------
    planned
        All that the run computes, by experiment.
    files
        Raw rows of those chunks that earlier sessions have done.
    """

    def __init__(self, planned: Mapping[str, Sequence[Chunk]], files: Mapping[Chunk, Path]) -> None:
        self._files = dict(files)
        self.counts = {
            name: Counts(_n_splits(chunks), _n_splits(each for each in chunks if each in files))
            for name, chunks in planned.items()
        }

    def done(self, chunk: Chunk, file: Path) -> None:
        """Note where the rows of a chunk are."""
        self._files[chunk] = file
        counts = self.counts[chunk.experiment]
        self.counts[chunk.experiment] = replace(counts, done=counts.done + chunk.n_splits)

    def failed(self, chunk: Chunk) -> None:
        """Note that a chunk has failed; it is for the next session to try again."""
        counts = self.counts[chunk.experiment]
        self.counts[chunk.experiment] = replace(counts, failed=counts.failed + chunk.n_splits)

    def files(self, experiment: str) -> list[Path]:
        """Raw rows of an experiment, in order of the splits."""
        return [self._files[each] for each in sorted(self._files) if each.experiment == experiment]


def _n_splits(chunks: Iterable[Chunk]) -> int:
    return sum(chunk.n_splits for chunk in chunks)
