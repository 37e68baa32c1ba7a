"""What measures that are made of sums are without each of the units that are tested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.scoring.judged import Judged
from gdcurves.scoring.measures import SumMeasure, Tally
from gdcurves.scoring.pool import Pool


def of_sums(
    measure: SumMeasure,
    judged: Judged,
    pool: Pool,
    training: IntArray,
    tested: BoolArray,
    unbounded: BoolArray,
) -> FloatArray:
    """Value of each training set less what it is without each unit that is tested.

    Shape (B, G). Zero for units that are not tested, of no meaning where the value is infinite.

    Parameters
    ----------
    measure
        One that is made of sums.
    judged
        The n rows by R rules for each training set, (n, R B).
    pool
        Rows of one data set, n of them, in G units.
    training
        Rows of the B training sets, whose units are two fewer than G at most, shape (B, m).
    tested
        Which rows each of them is tested on, shape (B, n).
    unbounded
        Training sets whose likelihood has no finite maximum, shape (B,).
    """
    parts = [_Part.of(measure, judged, pool, k, tested) for k in range(pool.n_classes)]
    n_kinds = pool.n_classes if measure.by_class else 1
    sums = np.zeros((*parts[0].terms.shape[:2], len(tested), n_kinds)).transpose(0, 3, 1, 2)
    for k, each in enumerate(parts):
        sums[:, k if measure.by_class else 0] += each.terms.sum(axis=3)
    n_test = pool.n_rows - training.shape[1]
    whole = _Tested(measure, sums, n_test, pool.class_totals(training), unbounded)
    units_tested = pool.units.marked(tested)
    result = np.zeros(units_tested.shape)
    for kind in np.unique(pool.kinds):
        units = np.flatnonzero(pool.kinds == kind)
        without = whole.without(units, pool.units.sizes[units], parts)
        with np.errstate(invalid="ignore"):  # where the value is infinite
            result[:, units] = whole.value[:, None] - without
    return np.where(units_tested, result, 0.0)


@dataclass(frozen=True, eq=False)
class _Part:
    """What the rows of a class add to the sums, unit by unit.

    Attributes
    ----------
    units
        Those that have such rows, ascending, shape (G_k,).
    n_rows
        How many each has, shape (G_k,).
    terms
        What each adds, (S, R, B, G_k); those that are not tested nothing.
    """

    units: IntArray
    n_rows: IntArray
    terms: FloatArray

    @classmethod
    def of(
        cls, measure: SumMeasure, judged: Judged, pool: Pool, k: int, tested: BoolArray
    ) -> _Part:
        """Those of class k, from rows as judged (n, R B) and which are tested (B, n)."""
        rows = np.flatnonzero(pool.y == k)
        rows = rows[np.argsort(pool.units.of_row[rows], kind="stable")]
        here = judged.only(rows)
        terms = np.zeros((measure.n_sums, here.predicted.shape[1], len(rows)))
        for number, values in enumerate(measure.terms(here, k)):
            if values is not None:
                terms[number] = np.asarray(values).T
        by_set = terms.reshape(measure.n_sums, -1, len(tested), len(rows))
        by_set *= tested[:, rows]
        units, first, n_rows = np.unique(
            pool.units.of_row[rows], return_index=True, return_counts=True
        )
        return cls(units, n_rows, np.add.reduceat(by_set, first, axis=3) if len(rows) else by_set)


@dataclass(frozen=True, eq=False)
class _Tested:
    """Sums (S, K, R, B) or (S, 1, R, B) over all test rows, and how many these are; see `Tally`."""

    measure: SumMeasure
    sums: FloatArray
    n_test: int
    n_of_class: IntArray
    unbounded: BoolArray

    @property
    def value(self) -> FloatArray:
        """Of each training set, shape (B,)."""
        tally = Tally(self.sums, self.n_test, self.n_of_class, self.unbounded)
        return self.measure.value(self.measure.of_tally(tally), self.n_test)

    def without(self, units: IntArray, sizes: IntArray, parts: Sequence[_Part]) -> FloatArray:
        """Values without each of some units, (B, g); of no meaning for those that are not tested.

        `units` and `sizes` (g,) are their numbers and how many rows they have, `parts` what the
        rows of each class add.
        """
        left = np.repeat(self.sums[..., None], len(units), axis=4)
        totals = np.repeat(self.n_of_class[:, :, None], len(units), axis=2)
        for k, each in enumerate(parts):
            _, at, of = np.intersect1d(units, each.units, assume_unique=True, return_indices=True)
            if len(at):
                left[:, k if self.measure.by_class else 0][..., at] -= each.terms[..., of]
                totals[k][:, at] -= each.n_rows[of]
        n_test = np.tile(np.maximum(self.n_test - sizes, 1), len(self.unbounded))
        tally = Tally(
            left.reshape(*left.shape[:3], -1),
            n_test,
            np.maximum(totals, 0).reshape(len(totals), -1),
            np.repeat(self.unbounded, len(units)),
        )
        values = self.measure.value(self.measure.of_tally(tally), n_test)
        return values.reshape(-1, len(units))
