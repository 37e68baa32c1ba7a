"""The area under the curve of true against false positives (ROC)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.scoring.judged import TIE, Judged
from gdcurves.scoring.measures.base import WholeMeasure
from gdcurves.scoring.odds import odds

if TYPE_CHECKING:
    import pandas as pd


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

    def of_rows(self, judged: Judged, y: IntArray) -> FloatArray:
        """Value of each of R rules, shape (R,), from its test rows (n, R) of classes y (n,)."""
        n_classes = len(judged.scores) + 1
        pairs = list(combinations(np.unique(y).tolist(), 2))
        n_rules = judged.scores.shape[2]
        if not pairs:
            return np.full(n_rules, np.nan)
        total = np.zeros(n_rules)
        for k, score in enumerate(odds(judged), start=1 if n_classes == 2 else 0):
            mine = [pair for pair in pairs if k in pair]
            by_class = {
                each: np.sort(score[:, y == each], axis=1)
                for each in {each for pair in mine for each in pair}
            }
            for i, j in mine:
                total += area(by_class[k], by_class[i if k == j else j])
        return total if n_classes == 2 else total / (2 * len(pairs))

    def gaps(self, judged: Judged, y: IntArray, tested: BoolArray) -> FloatArray:
        """Value less that without each test row; see `WholeMeasure`."""
        n_classes = len(judged.scores) + 1
        classes = [np.flatnonzero(y == k) for k in range(n_classes)]
        n_draws = judged.predicted.shape[1] // len(tested)
        tests = np.tile(tested, (n_draws, 1))
        # Number and sum of all areas; of each row, what they change by without it.
        n_areas, total = np.zeros((2, len(tests), 1))
        n_change, change = np.zeros((2, *tests.shape))
        for k, score in enumerate(odds(judged), start=1 if n_classes == 2 else 0):
            for j in set(range(n_classes)) - {k}:
                rows = classes[k], classes[j]
                n = [tests[:, each].sum(axis=1, keepdims=True) for each in rows]
                in_order = pairs_in_order(
                    score[:, rows[0]], score[:, rows[1]], tests[:, rows[0]], tests[:, rows[1]]
                )
                there = (n[0] > 0) & (n[1] > 0)
                area = in_order[0].sum(axis=1, keepdims=True) / np.maximum(n[0] * n[1], 1)
                n_areas += there
                total += area
                for each, mine, others, of_rows in zip(rows, n, n[::-1], in_order, strict=True):
                    fewer = np.maximum((mine - 1) * others, 1)
                    without = (area * mine * others - of_rows) / fewer
                    n_change[:, each] -= there & (mine == 1)
                    change[:, each] += np.where(mine > 1, without, 0.0) - area
        with np.errstate(invalid="ignore", divide="ignore"):  # rows of one class
            gaps = total / n_areas - (total + change) / (n_areas + n_change)
        return np.asarray(gaps.reshape(n_draws, *tested.shape).mean(axis=0))

    def summary(self, rows: pd.DataFrame) -> Mapping[str, float]:
        """Moments over the splits that have a value, and the share of the others."""
        undefined = float(np.mean(np.isnan(self.values(rows))))
        return {**super().summary(rows), "auc_undefined": undefined}


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
    n = own.shape[1]
    most = np.finfo(np.float64).max / 2
    # What does not count is in no pair that is in order.
    above = np.where(own_there, np.clip(own, -most, most), -np.inf)
    below = np.where(other_there, np.clip(other, -most, most), np.inf)
    of_own, of_other = np.zeros(own.shape), np.zeros(other.shape)
    # Surely above; and above or tied. Of equal numbers those that stand first go first.
    for first in (True, False):
        both = (above - TIE, below) if first else (below, above + TIE)
        order = np.argsort(np.hstack(both), axis=1, kind="stable")
        is_own = order < n if first else order >= other.shape[1]
        n_own = np.cumsum(is_own, axis=1)
        n_other = np.arange(1, order.shape[1] + 1) - n_own
        passed = np.empty(order.shape)
        np.put_along_axis(passed, order, np.where(is_own, n_other, n - n_own), axis=1)
        parts = np.split(passed, [n if first else other.shape[1]], axis=1)
        of_own += parts[0 if first else 1]
        of_other += parts[1 if first else 0]
    return of_own / 2, of_other / 2


def area(own: FloatArray, other: FloatArray) -> FloatArray:
    """Share of pairs in which a score of `own` is above one of `other`, half of those tied.

    `own` (r, n) and `other` (r, n') are in ascending order along each row; the result is (r,).
    """
    if own.shape[1] > other.shape[1]:  # fewer searches
        return 1.0 - area(other, own)
    below = np.empty(len(own))
    for rule, (few, many) in enumerate(zip(own, other, strict=True)):
        surely = np.searchsorted(many, few - TIE, side="left")
        perhaps = np.searchsorted(many, few + TIE, side="right")
        below[rule] = surely.sum() + perhaps.sum()
    share: FloatArray = below / (2 * own.shape[1] * other.shape[1])
    return share
