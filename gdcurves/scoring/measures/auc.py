"""The area under the curve of true against false positives (ROC)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.scoring.judged import TIE, Judged
from gdcurves.scoring.measures.base import WholeMeasure
from gdcurves.scoring.odds import odds

if TYPE_CHECKING:
    import pandas as pd

# Rows of two classes from which on the rules are taken one by one, as their arrays are long enough.
MANY_ROWS = 500


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
        self, judged: Judged, y: IntArray, tested: BoolArray
    ) -> tuple[FloatArray, FloatArray]:
        """Values, (B,), and what they lose without each test row, (B, n); see `WholeMeasure`."""
        n_rules = judged.predicted.shape[1]
        # Number and sum of all areas; of each row, what they change by without it.
        n_areas, total = np.zeros((2, n_rules))
        n_change, change = np.zeros((2, n_rules, len(y)))
        for area in _areas(judged, y, tested):
            n_areas += area.there
            total += area.share
            for rows, n, others, in_order in area.sides:
                fewer = np.maximum((n - 1) * others, 1)
                without = (area.share * n * others)[:, None] - in_order
                without = np.where((n > 1)[:, None], without / fewer[:, None], 0.0)
                n_change[:, rows] -= (area.there & (n == 1))[:, None]
                change[:, rows] += without - area.share[:, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            values = total / n_areas
            gaps = values[:, None] - (total[:, None] + change) / (n_areas[:, None] + n_change)
        by_set = gaps.reshape(-1, *tested.shape).mean(axis=0)
        return values.reshape(-1, len(tested)).mean(axis=0), by_set

    def summary(self, rows: pd.DataFrame) -> Mapping[str, float]:
        """Moments over the splits that have a value, and the share of the others."""
        undefined = float(np.mean(np.isnan(self.values(rows))))
        return {**super().summary(rows), "auc_undefined": undefined}


@dataclass(frozen=True, eq=False)
class _Area:
    """How R rules order the test rows of two classes, by the score of one of them.

    `sides` has for both classes their rows (n_k,), how many of them count and how many of the other
    class, (R,) each, and the pairs in order that each row is in, (R, n_k).
    """

    sides: tuple[tuple[IntArray, FloatArray, FloatArray, FloatArray], ...]

    @property
    def there(self) -> BoolArray:
        """Whether both classes occur, shape (R,)."""
        _, n, others, _ = self.sides[0]
        return np.asarray((n > 0) & (others > 0))

    @property
    def share(self) -> FloatArray:
        """Share of the pairs that are in order, shape (R,); zero where there is none."""
        _, n, others, in_order = self.sides[0]
        return np.asarray(in_order.sum(axis=1) / np.maximum(n * others, 1))


def _areas(judged: Judged, y: IntArray, tested: BoolArray) -> Iterator[_Area]:
    """Yield those of all classes against each other; of two classes, that of class 1 alone."""
    n_classes = len(judged.scores) + 1
    rows = [np.flatnonzero(y == k) for k in range(n_classes)]
    tests = np.tile(tested, (judged.predicted.shape[1] // len(tested), 1))
    n = [tests[:, each].sum(axis=1).astype(np.float64) for each in rows]
    for k, score in enumerate(odds(judged), start=1 if n_classes == 2 else 0):
        for j in set(range(n_classes)) - {k}:
            own, other = rows[k], rows[j]
            counts = pairs_in_order(score[:, own], score[:, other], tests[:, own], tests[:, other])
            yield _Area(((own, n[k], n[j], counts[0]), (other, n[j], n[k], counts[1])))


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
    most = np.finfo(np.float64).max / 2
    own, other = np.clip(own, -most, most), np.clip(other, -most, most)
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
