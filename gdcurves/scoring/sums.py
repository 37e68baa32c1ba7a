"""Sums over splits for every unit: what the delete-one jackknife of a mean over splits needs.

A unit is a row, or a group of rows that stay together. Two classifiers are compared on the test
rows of each split. D is the difference of their values there, or the value of one alone, mean over
J splits U; without test unit i it is D - gap. Nothing else is kept of a unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.scoring.judgements import tested
from gdcurves.scoring.measures import Measure
from gdcurves.scoring.scores import Scores

# Of a unit, over the splits that test it; deviations are D - U, and those are counted that differ
# in which the difference on its own rows is not zero. Linear ones come first.
LINEAR = ("tests", "deviations", "gaps", "differing")
QUANTITIES = (*LINEAR, "squared_deviations", "squared_gaps", "products")
NOTHING = 1e-3  # a part of what D comes to, and more than
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Which units B splits test.

    Attributes
    ----------
    units
        One for those that are tested, else zero, shape (B, G).
    further
        How many rows the others have that are tested, for each row of the unit, shape (B, G).
    """

    units: FloatArray
    further: FloatArray

    @classmethod
    def of(cls, tested: BoolArray, sizes: IntArray | None = None) -> HeldOut:
        """From which are `tested` (B, G), and rows of each unit, `sizes` (G,), one unless given."""
        units = tested.astype(np.float64)
        rows = np.ones(tested.shape[1]) if sizes is None else sizes.astype(np.float64)
        return cls(units, (units @ rows)[:, None] / rows - 1)

    def some(self, which: BoolArray) -> HeldOut:
        """Those of some splits, `which` (B,)."""
        return self if which.all() else HeldOut(self.units[which], self.further[which])

    @cached_property
    def n(self) -> FloatArray:
        """How many splits test each unit, shape (G,)."""
        return np.asarray(self.units.sum(axis=0))


@dataclass(frozen=True, eq=False)
class UnitSums:
    """Sums for every unit, or for every block of units.

    Attributes
    ----------
    n_splits
        Number J of splits that have a value, of both classifiers if there are two.
    mean
        U; 0 without any.
    values
        Shape (7, G) by `QUANTITIES`, or (4, G') by `LINEAR` for G' blocks of units.
    """

    n_splits: int
    mean: float
    values: FloatArray

    @classmethod
    def of(
        cls, difference: FloatArray, gaps: FloatArray, tests: HeldOut, linear: bool = False
    ) -> UnitSums:
        """Add up over B splits.

        Parameters
        ----------
        difference
            D, shape (B,); not finite where a classifier has no value.
        gaps
            D less what it is without unit i, shape (B, G); zero where it is not tested.
        tests
            Which units each split tests.
        linear
            Whether the linear ones suffice, as for blocks of units.
        """
        there = np.isfinite(difference)
        if not there.any():
            n_quantities = len(LINEAR if linear else QUANTITIES)
            return cls(0, 0.0, np.zeros((n_quantities, gaps.shape[1])))
        if not there.all():
            difference, gaps = difference[there], gaps[there]
        tests = tests.some(there)
        mean = float(difference.mean())
        off = difference - mean
        # Of the unit's own rows: a mean over all test rows is D, and without these D - gap.
        own = tests.further * gaps
        own += difference[:, None]
        least = NOTHING * np.sqrt(np.mean(difference**2)) + ROUNDING
        differs = np.abs(own, out=own) > least
        values = [tests.n, off @ tests.units, gaps.sum(axis=0), (differs * tests.units).sum(axis=0)]
        if not linear:
            values += [off**2 @ tests.units, (gaps**2).sum(axis=0), off @ gaps]
        return cls(len(difference), mean, np.array(values))

    def about(self, mean: float) -> UnitSums:
        """The same sums with deviations from another mean."""
        by = self.mean - mean
        values = self.values.copy()
        tests, deviations, gaps, _ = self.values[: len(LINEAR)]
        values[1] += by * tests
        if len(values) > len(LINEAR):
            values[4] += 2.0 * by * deviations + by**2 * tests
            values[6] += by * gaps
        return UnitSums(self.n_splits, mean, values)

    def blocks(self, block: IntArray, n_blocks: int) -> UnitSums:
        """Add the linear ones up over the units of each block; `block` (G,) are its numbers."""
        values = [np.bincount(block, each, n_blocks) for each in self.values[: len(LINEAR)]]
        return UnitSums(self.n_splits, self.mean, np.array(values))


def together(parts: Sequence[UnitSums]) -> UnitSums:
    """Sums over the splits of several parts, at least one."""
    return reduce(_both, parts)


def _both(a: UnitSums, b: UnitSums) -> UnitSums:
    n = a.n_splits + b.n_splits
    mean = (a.n_splits * a.mean + b.n_splits * b.mean) / n if n else 0.0
    return UnitSums(n, mean, a.about(mean).values + b.about(mean).values)


def of_classifiers(
    scores: Mapping[str, Scores],
    training: IntArray,
    measures: Sequence[Measure],
    sizes: IntArray | None = None,
    linear: bool = False,
) -> dict[tuple[str, str, str], UnitSums]:
    """Sums for all classifiers, and all pairs of them in their order.

    By measure and the names of both, the second of which is "" for a classifier alone.

    Parameters
    ----------
    scores
        Of each classifier, one at least, on the same B training sets, with its gaps.
    training
        Units of the training sets, shape (B, m).
    measures
        Those that are compared; classifiers that lack gaps are left out.
    sizes
        Rows of each of the G units, shape (G,); one unless given.
    linear
        Whether the linear ones suffice.
    """
    gaps = [gap for each in scores.values() for gap in each.gaps.values()]
    if not gaps:
        return {}
    tests = HeldOut.of(tested(training, gaps[0].shape[1]), sizes)
    sums = {}
    for measure in measures:
        known = {
            name: (
                measure.value(each.values[measure.column], each.n_test),
                each.gaps[measure.name],
            )
            for name, each in scores.items()
            if measure.name in each.gaps
        }
        for name, (value, gap) in known.items():
            sums[measure.name, name, ""] = UnitSums.of(value, gap, tests, linear)
        for a, b in combinations(known, 2):
            (value_a, gap_a), (value_b, gap_b) = known[a], known[b]
            with np.errstate(invalid="ignore"):  # both may be infinite
                difference, gap = value_a - value_b, gap_a - gap_b
            sums[measure.name, a, b] = UnitSums.of(difference, gap, tests, linear)
    return sums
