"""What measures that are made of sums are without each of the units that are tested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.scoring.judged import Judged
from gdcurves.scoring.measures import SumMeasure, Tally
from gdcurves.scoring.membership import OfClass, OfKind
from gdcurves.scoring.pool import Pool


def of_sums(
    measure: SumMeasure,
    judged: Sequence[Judged],
    pool: Pool,
    training: IntArray,
    tested: BoolArray,
    unbounded: BoolArray,
) -> tuple[FloatArray, FloatArray]:
    """What the measure's column holds, (B,), and values less those without each unit, (B, G).

    The latter are zero for units that are not tested, of no meaning where the value is infinite.

    Parameters
    ----------
    measure
        One that is made of sums.
    judged
        The n rows by R rules for each training set, (n, R B), those of each class in the order of
        the pool's members.
    pool
        Rows of one data set, n of them, in G units.
    training
        Rows of the B training sets, whose units are two fewer than G at most, shape (B, m).
    tested
        Which rows each of them is tested on, shape (B, n).
    unbounded
        Training sets whose likelihood has no finite maximum, shape (B,).
    """
    member = pool.membership
    terms = [_terms(measure, judged[k], each, k, tested) for k, each in enumerate(member.classes)]
    n_kinds = pool.n_classes if measure.by_class else 1
    sums = np.zeros((*terms[0].shape[:2], len(tested), n_kinds)).transpose(0, 3, 1, 2)
    for k, each in enumerate(terms):
        sums[:, k if measure.by_class else 0] += each.sum(axis=3)
    n_test = pool.n_rows - training.shape[1]
    whole = _Tested(measure, sums, n_test, pool.class_totals(training), unbounded)
    stored = whole.stored
    value = measure.value(stored, n_test)
    units_tested = pool.units.marked(tested)
    result = np.zeros(units_tested.shape)
    for kind in member.kinds:
        with np.errstate(invalid="ignore"):  # where the value is infinite
            result[:, kind.units] = value[:, None] - whole.without(kind, member.classes, terms)
    return stored, np.where(units_tested, result, 0.0)


def _terms(
    measure: SumMeasure, judged: Judged, member: OfClass, k: int, tested: BoolArray
) -> FloatArray:
    """What each unit's rows of class k add to the sums, (S, R, B, G_k), from which (B, n) count."""
    rows = member.rows
    terms = np.zeros((measure.n_sums, judged.predicted.shape[1], len(rows)))
    for number, values in enumerate(measure.terms(judged, k)):
        if values is not None:
            terms[number] = np.asarray(values).T
    by_set = terms.reshape(measure.n_sums, -1, len(tested), len(rows))
    by_set *= tested[:, rows]
    return by_set if member.single else np.add.reduceat(by_set, member.first, axis=3)


@dataclass(frozen=True, eq=False)
class _Tested:
    """Sums (S, K, R, B) or (S, 1, R, B) over all test rows, and how many these are; see `Tally`."""

    measure: SumMeasure
    sums: FloatArray
    n_test: int
    n_of_class: IntArray
    unbounded: BoolArray

    @property
    def stored(self) -> FloatArray:
        """What the measure's column holds of each training set, shape (B,)."""
        tally = Tally(self.sums, self.n_test, self.n_of_class, self.unbounded)
        return self.measure.of_tally(tally)

    def without(
        self, kind: OfKind, classes: Sequence[OfClass], terms: Sequence[FloatArray]
    ) -> FloatArray:
        """Values without each unit of a kind, (B, g); of no meaning for those that are not tested.

        `terms` (S, R, B, G_k) are what the rows of each class add, unit by unit.
        """
        left = np.repeat(self.sums[..., None], len(kind.units), axis=4)
        totals = np.repeat(self.n_of_class[:, :, None], len(kind.units), axis=2)
        for k, (at, of) in kind.places.items():
            left[:, k if self.measure.by_class else 0][..., at] -= terms[k][..., of]
            totals[k][:, at] -= classes[k].n_rows[of]
        n_test = np.tile(np.maximum(self.n_test - kind.n_rows, 1), len(self.unbounded))
        tally = Tally(
            left.reshape(*left.shape[:3], -1),
            n_test,
            np.maximum(totals, 0).reshape(len(totals), -1),
            np.repeat(self.unbounded, len(kind.units)),
        )
        values = self.measure.value(self.measure.of_tally(tally), n_test)
        return values.reshape(-1, len(kind.units))
