"""The area under the curve of true against false positives (ROC)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.scoring.judged import TIE, Judged
from gdcurves.scoring.measures.base import WholeMeasure
from gdcurves.scoring.odds import odds
from gdcurves.units import Units, stretches

if TYPE_CHECKING:
    import pandas as pd

# Rows of two classes from which on the rules are taken one by one, as their arrays are long enough.
MANY_ROWS = 500
# Pairs of rows of a unit from which on they are counted by sorting.
MANY_PAIRS = 100


class Auc(WholeMeasure):
    """How well scores order the test rows: mean over the pairs of classes that occur there.

    Of two classes it is the share of the pairs of a row of each that are in the right order, ties
    counted as half. For more than two, Hand & Till (2001), Machine Learning 45: for each pair of
    classes the mean of two such shares, by the probability of either of them. Rules without
    probabilities are taken as if their scores were log odds.

    NaN where the test rows are of one class.
    """

    name = "auc"
    label = "AUC"
    needs = "scores"
    better = "higher"
    column = "auc"
    largest_difference = 1.0
    further: ClassVar[tuple[str, ...]] = ("auc_undefined",)

    def of_sets(self, judged: Judged, y: IntArray, tested: BoolArray) -> FloatArray:
        """Value of each training set, a mean over its rules, (B,); see `WholeMeasure`."""
        total, n_areas = np.zeros((2, judged.predicted.shape[1]))
        for area in _areas(judged, y, tested):
            total += area.share
            n_areas += area.there
        with np.errstate(invalid="ignore"):  # rows of one class
            values = total / n_areas
        return np.asarray(values.reshape(-1, len(tested)).mean(axis=0))

    def leave_one_out(
        self, judged: Judged, y: IntArray, tested: BoolArray, units: Units
    ) -> tuple[FloatArray, FloatArray]:
        """Values, (B,), and what they lose without each unit, (B, G); see `WholeMeasure`."""
        n_rules = judged.predicted.shape[1]
        # Number and sum of all areas; of each unit, what they change by without it.
        n_areas, total = np.zeros((2, n_rules))
        n_change, change = np.zeros((2, n_rules, units.n))
        for area in _areas(judged, y, tested):
            n_areas += area.there
            total += area.share
            some, share, there = without_units(area, units.of_row)
            n_change[:, some] += there.astype(float) - area.there[:, None]
            change[:, some] += share - area.share[:, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            values = total / n_areas
            gaps = values[:, None] - (total[:, None] + change) / (n_areas[:, None] + n_change)
        by_set = gaps.reshape(-1, len(tested), units.n).mean(axis=0)
        return values.reshape(-1, len(tested)).mean(axis=0), by_set

    def summary(self, rows: pd.DataFrame) -> Mapping[str, float]:
        """Moments over the splits that have a value, and the share of the others."""
        undefined = float(np.mean(np.isnan(self.values(rows))))
        return {**super().summary(rows), "auc_undefined": undefined}


@dataclass(frozen=True, eq=False)
class Side:
    """The rows of one of two classes, n_k of them.

    Attributes
    ----------
    rows
        Their numbers, shape (n_k,).
    scores
        By R rules, shape (R, n_k).
    tested
        Which of them count, shape (R, n_k).
    in_order
        How many pairs with a row of the other class that are in order each of them is in, shape
        (R, n_k); none where it does not count.
    """

    rows: IntArray
    scores: FloatArray
    tested: BoolArray
    in_order: FloatArray

    @cached_property
    def n(self) -> FloatArray:
        """How many count, shape (R,)."""
        return np.asarray(self.tested.sum(axis=1), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Area:
    """How R rules order the test rows of two classes, by the score of the first of them."""

    own: Side
    other: Side

    @classmethod
    def of(
        cls,
        own: tuple[IntArray, FloatArray, BoolArray],
        other: tuple[IntArray, FloatArray, BoolArray],
    ) -> Area:
        """From rows (n,), scores (R, n) and which count (R, n) of the `own` class (n,).

        Those of the `other` class are the same, (n',) of them.
        """
        counts = pairs_in_order(own[1], other[1], own[2], other[2])
        return cls(Side(*own, counts[0]), Side(*other, counts[1]))

    @cached_property
    def there(self) -> BoolArray:
        """Whether both classes occur, shape (R,)."""
        return np.asarray((self.own.n > 0) & (self.other.n > 0))

    @cached_property
    def in_order(self) -> FloatArray:
        """Number of pairs that are in order, shape (R,)."""
        return np.asarray(self.own.in_order.sum(axis=1))

    @property
    def share(self) -> FloatArray:
        """The same as a share of all pairs, shape (R,); zero where there is none."""
        return np.asarray(self.in_order / np.maximum(self.own.n * self.other.n, 1))


def _areas(judged: Judged, y: IntArray, tested: BoolArray) -> Iterator[Area]:
    """Yield those of all classes against each other; of two classes, that of class 1 alone."""
    n_classes = len(judged.scores) + 1
    rows = [np.flatnonzero(y == k) for k in range(n_classes)]
    tests = np.tile(tested, (judged.predicted.shape[1] // len(tested), 1))
    for k, score in enumerate(odds(judged), start=1 if n_classes == 2 else 0):
        for j in set(range(n_classes)) - {k}:
            yield Area.of(*((rows[c], score[:, rows[c]], tests[:, rows[c]]) for c in (k, j)))


def without_units(area: Area, of_row: IntArray) -> tuple[IntArray, FloatArray, BoolArray]:
    """Units with rows of the two classes, (g,); without each of them the share and whether it is.

    The latter two have shape (R, g). `of_row` (n,) is the unit of each row.
    """
    own, other = area.own, area.other
    units, index = np.unique(of_row[np.append(own.rows, other.rows)], return_inverse=True)
    of_own, of_other = np.split(index, [len(own.rows)])
    shape = (len(area.there), len(units))
    n_own, n_other, *in_order = np.zeros((4, *shape))
    alone = len(units) == len(index)  # rows that are units
    for of_unit, side, n, counts in (
        (of_own, own, n_own, in_order[0]),
        (of_other, other, n_other, in_order[1]),
    ):
        if alone:
            n[:, of_unit] = side.tested
            counts[:, of_unit] = side.in_order
            continue
        _add(n, side.tested, of_unit)
        _add(counts, side.in_order, of_unit)
    n = (own.n[:, None] - n_own) * (other.n[:, None] - n_other)
    left = area.in_order[:, None] - in_order[0] - in_order[1]
    if not alone:
        left += _within(area, of_own, of_other, len(units))
    return units, np.where(n > 0, left / np.maximum(n, 1), 0.0), n > 0


def _within(area: Area, of_own: IntArray, of_other: IntArray, n_units: int) -> FloatArray:
    """Pairs in order of rows of one unit, (R, g); the sides' rows are of units (n,) and (n',)."""
    own, other = area.own, area.other
    total = np.zeros((len(area.there), n_units))
    n_others = np.bincount(of_other, minlength=n_units)
    n_pairs = np.bincount(of_own, minlength=n_units) * n_others
    few = np.flatnonzero((n_pairs[of_own] > 0) & (n_pairs[of_own] < MANY_PAIRS))
    if len(few):
        by_unit = np.argsort(of_other, kind="stable")
        starts = np.searchsorted(of_other[by_unit], of_own[few])
        j = by_unit[stretches(starts, n_others[of_own[few]])]
        i = np.repeat(few, n_others[of_own[few]])
        lead = _bounded(own.scores[:, i]) - _bounded(other.scores[:, j])
        counts = ((lead > TIE).astype(float) + (lead >= -TIE)) / 2
        _add(total, counts * own.tested[:, i], of_own[i])
    for unit in np.flatnonzero(n_pairs >= MANY_PAIRS):
        i, j = np.flatnonzero(of_own == unit), np.flatnonzero(of_other == unit)
        counts, _ = pairs_in_order(
            own.scores[:, i], other.scores[:, j], own.tested[:, i], other.tested[:, j]
        )
        total[:, unit] = counts.sum(axis=1)
    return total


def _add(total: FloatArray, values: FloatArray | BoolArray, of_unit: IntArray) -> None:
    """Add values (R, n) up over units, to a total (R, g), from the unit (n,) of each."""
    order = np.argsort(of_unit, kind="stable")
    units, first = np.unique(of_unit[order], return_index=True)
    if len(units):
        total[:, units] += np.add.reduceat(values[:, order].astype(np.float64), first, axis=1)


def _bounded(scores: FloatArray) -> FloatArray:
    """Scores (R, n) whose differences are numbers."""
    most = np.finfo(np.float64).max / 2
    return np.clip(scores, -most, most)


def pairs_in_order(
    own: FloatArray, other: FloatArray, own_there: BoolArray, other_there: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """For each score, the pairs in which the own one is above the other, half of those tied.

    Parameters
    ----------
    own, other
        Scores of R rules, shapes (R, n) and (R, n').
    own_there, other_there
        Which of them count, shapes (R, n) and (R, n').

    Returns
    -------
    Numbers of pairs of each own and of each other score, shapes (R, n) and (R, n'); zero if it does
    not count.
    """
    own, other = _bounded(own), _bounded(other)
    of_own, of_other = np.zeros(own.shape), np.zeros(other.shape)
    if own.shape[1] + other.shape[1] > MANY_ROWS:
        for rule, (i, j) in enumerate(zip(own_there, other_there, strict=True)):
            of_own[rule, i], of_other[rule, j] = _of_one_rule(own[rule, i], other[rule, j])
    else:
        # What does not count is in no pair that is in order.
        above = np.where(own_there, own, -np.inf)
        below = np.where(other_there, other, np.inf)
        for surely in (True, False):
            for_own, for_other = _of_rules(above, below, surely)
            of_own += for_own
            of_other += for_other
    return of_own / 2, of_other / 2


def _of_one_rule(own: FloatArray, other: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Twice the pairs in order that each of the scores (n,) and (n',) is in."""
    i, j = np.argsort(own), np.argsort(other)
    high, low = own[i], other[j]
    of_own, of_other = np.empty(len(own)), np.empty(len(other))
    of_own[i] = np.searchsorted(low, high - TIE) + np.searchsorted(low, high + TIE, "right")
    passed = np.searchsorted(high, low + TIE, "right") + np.searchsorted(high, low - TIE)
    of_other[j] = 2 * len(own) - passed
    return of_own, of_other


def _of_rules(own: FloatArray, other: FloatArray, surely: bool) -> tuple[FloatArray, FloatArray]:
    """Pairs (R, n), (R, n') in which the own score is above the other, surely or maybe tied."""
    n, n_others = own.shape[1], other.shape[1]
    # Of equal numbers those that stand first go first.
    both = (own - TIE, other) if surely else (other, own + TIE)
    order = np.argsort(np.hstack(both), axis=1, kind="stable")
    is_own = order < n if surely else order >= n_others
    n_own = np.cumsum(is_own, axis=1)
    n_other = np.arange(1, n + n_others + 1) - n_own
    passed = np.empty(order.shape)
    np.put_along_axis(passed, order, np.where(is_own, n_other, n - n_own), axis=1)
    parts = np.split(passed, [n if surely else n_others], axis=1)
    return (parts[0], parts[1]) if surely else (parts[1], parts[0])
