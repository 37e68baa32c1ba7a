"""What training sets are drawn of: single rows, or groups of rows that stay together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gdcurves.arrays import BoolArray, IntArray

LEAST_TESTED = 2  # units of a test set, for errors on it to say something of new data
MIXED = -1  # kind of a unit with rows of several classes


@dataclass(frozen=True, eq=False)
class Units:
    """The G units of n rows.

    Attributes
    ----------
    of_row
        Number of the unit that each row belongs to, shape (n,); they are numbered from 0 on in the
        order of their first rows.
    """

    of_row: IntArray

    @classmethod
    def rows(cls, n: int) -> Units:
        """Every row on its own."""
        return cls(np.arange(n))

    @classmethod
    def groups(cls, labels: IntArray) -> Units:
        """Rows with the same of the `labels` (n,) together."""
        _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
        number = np.empty(len(first), dtype=np.int64)
        number[np.argsort(first)] = np.arange(len(first))
        return cls(number[inverse])

    @cached_property
    def sizes(self) -> IntArray:
        """How many rows each unit has, shape (G,)."""
        return np.bincount(self.of_row)

    @property
    def n(self) -> int:
        """Number G of units."""
        return len(self.sizes)

    @property
    def _are_rows(self) -> bool:
        return self.n == len(self.of_row)

    @cached_property
    def _order(self) -> IntArray:
        """The rows, those of each unit together, shape (n,)."""
        return np.argsort(self.of_row, kind="stable")

    @cached_property
    def _starts(self) -> IntArray:
        """Where the rows of each unit begin in that order, shape (G,)."""
        return np.cumsum(self.sizes) - self.sizes

    def kinds(self, y: IntArray) -> IntArray:
        """The class of each unit's rows, `MIXED` if they are of several, (G,), from y (n,)."""
        ordered = np.asarray(y, dtype=np.int64)[self._order]
        low, high = (each.reduceat(ordered, self._starts) for each in (np.minimum, np.maximum))
        return np.where(low == high, low, MIXED)

    def among(self, rows: IntArray) -> IntArray:
        """How many units have rows in each set of rows (B, m), shape (B,)."""
        ordered = np.sort(self.of_row[rows], axis=1)
        return np.asarray(1 + (np.diff(ordered, axis=1) > 0).sum(axis=1))

    def marked(self, rows: BoolArray) -> BoolArray:
        """Which units have rows that are marked, (B, G), where all rows of a unit are or none is.

        `rows` has shape (B, n).
        """
        return rows[:, self._order[self._starts]]

    def labels(self, rows: IntArray) -> IntArray | None:
        """Unit of each of the rows (B, m), shape (B, m); None where every row is on its own."""
        return None if self._are_rows else self.of_row[rows]

    def by_number_of_rows(self, units: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
        """Sets of units (B, m) as sets of rows, together those with the same number of rows.

        Yields the numbers of these sets, shape (B',), and their rows in the order of the units,
        shape (B', r), for each r that occurs, the least first.
        """
        if self._are_rows:
            yield np.arange(len(units)), units
            return
        n_rows = self.sizes[units].sum(axis=1)
        for r in np.unique(n_rows):
            sets = np.flatnonzero(n_rows == r)
            some = units[sets].ravel()
            rows = stretches(self._starts[some], self.sizes[some])
            yield sets, self._order[rows].reshape(len(sets), r)


def stretches(starts: IntArray, lengths: IntArray) -> IntArray:
    """So many whole numbers from each start on, one stretch after the other, in one array (n,).

    `starts` (k,) and `lengths` (k,) are of the stretches.
    """
    ends = np.cumsum(lengths)
    return np.arange(lengths.sum()) + np.repeat(starts - ends + lengths, lengths)
