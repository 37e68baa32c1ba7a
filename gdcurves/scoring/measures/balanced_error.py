"""The mean over the classes of the share of their test rows that is misclassified."""

from __future__ import annotations

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.scoring.judged import Judged
from gdcurves.scoring.measures.base import SumMeasure, Tally


class BalancedError(SumMeasure):
    """Mean over the classes that occur in the test rows of the share misclassified."""

    name = "balanced_error"
    label = "balanced error"
    needs = "predictions"
    better = "lower"
    column = "balanced_error"
    largest_difference = 1.0
    by_class = True

    def terms(self, judged: Judged, k: int) -> tuple[BoolArray]:
        """Whether the prediction is another class, shape (n, r)."""
        return (judged.misses(k),)

    def of_tally(self, tally: Tally) -> FloatArray:
        """Mean over the classes and the rules, shape (B,); nan where no row is left to test."""
        wrong = tally.sums[0].mean(axis=1)
        occurs = tally.n_of_class > 0
        shares = np.divide(wrong, tally.n_of_class, out=np.zeros_like(wrong), where=occurs)
        total, n = shares.sum(axis=0), occurs.sum(axis=0)
        return np.asarray(np.divide(total, n, out=np.full_like(total, np.nan), where=n > 0))
