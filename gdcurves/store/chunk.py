"""A chunk: the splits of an experiment that are computed, stored and told of together."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Chunk:
    """Some splits of an experiment that follow each other.

    Attributes
    ----------
    experiment
        Its name.
    start, stop
        The first split, and the one after the last.
    """

    experiment: str
    start: int
    stop: int

    def __str__(self) -> str:
        return f"splits {self.start} to {self.stop - 1}"

    @property
    def splits(self) -> range:
        """Their numbers."""
        return range(self.start, self.stop)

    @property
    def n_splits(self) -> int:
        """How many there are."""
        return self.stop - self.start

    @property
    def file(self) -> str:
        """Name of the file of their raw rows, in the experiment's folder."""
        return f"{self.start:06d}-{self.stop - 1:06d}.csv"
