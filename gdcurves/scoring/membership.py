"""Which rows are of which class and of which unit, worked out once for all that are left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gdcurves.arrays import IntArray
from gdcurves.units import MIXED, Units


@dataclass(frozen=True, eq=False)
class OfClass:
    """The rows of a class, unit by unit.

    Attributes
    ----------
    rows
        Their numbers, those of a unit together, shape (n,).
    units
        Those that have such rows, ascending, shape (g,).
    first, n_rows
        Where the rows of each of these units begin, and how many there are, shape (g,).
    """

    rows: IntArray
    units: IntArray
    first: IntArray
    n_rows: IntArray

    @classmethod
    def of(cls, rows: IntArray, units: Units) -> OfClass:
        """From the numbers of the rows (n,)."""
        rows = rows[np.argsort(units.of_row[rows], kind="stable")]
        of_row = units.of_row[rows]
        return cls(rows, *np.unique(of_row, return_index=True, return_counts=True))

    @property
    def single(self) -> bool:
        """Whether no unit has two such rows."""
        return len(self.units) == len(self.rows)


@dataclass(frozen=True, eq=False)
class OfKind:
    """Units whose rows are of one class, or all that have rows of several.

    Attributes
    ----------
    units, n_rows
        Their numbers, and how many rows each has, shape (g,).
    places
        By class that such units have rows of: which of these units do, and where they stand among
        all that have rows of it, shapes (k,); slices where all are meant.
    """

    units: IntArray
    n_rows: IntArray
    places: Mapping[int, tuple[IntArray | slice, IntArray | slice]]


@dataclass(frozen=True, eq=False)
class Membership:
    """The rows of each of K classes, and the units of each kind that there is."""

    classes: list[OfClass]
    kinds: list[OfKind]

    @classmethod
    def of(cls, y: IntArray, n_classes: int, units: Units) -> Membership:
        """From the classes y (n,) of rows."""
        classes = [OfClass.of(np.flatnonzero(y == k), units) for k in range(n_classes)]
        kinds = []
        of_unit = units.kinds(y)
        for kind in np.unique(of_unit):
            own = np.flatnonzero(of_unit == kind)
            places = {}
            for k, each in enumerate(classes):
                if kind in (k, MIXED):
                    _, at, of = np.intersect1d(
                        own, each.units, assume_unique=True, return_indices=True
                    )
                    places[k] = (_some(at, len(own)), _some(of, len(each.units)))
            kinds.append(OfKind(own, units.sizes[own], places))
        return cls(classes, kinds)


def _some(ascending: IntArray, n: int) -> IntArray | slice:
    """Pick these of n, without a copy if they are all."""
    return slice(None) if len(ascending) == n else ascending
