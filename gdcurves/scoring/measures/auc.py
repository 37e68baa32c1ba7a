"""The area under the curve of true against false positives (ROC)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gdcurves.arrays import FloatArray, IntArray
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

    def summary(self, rows: pd.DataFrame) -> Mapping[str, float]:
        """Moments over the splits that have a value, and the share of the others."""
        undefined = float(np.mean(np.isnan(self.values(rows))))
        return {**super().summary(rows), "auc_undefined": undefined}


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
