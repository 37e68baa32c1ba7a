"""The Brier score."""

from __future__ import annotations

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.scoring.judged import Judged
from gdcurves.scoring.measures.base import SumMeasure, Tally


class Brier(SumMeasure):
    """Mean over the test rows of sum_k (p_k - [y = k])^2, halved for two classes.

    Finite always: rules that are sure without end have probabilities 0 and 1.
    """

    name = "brier"
    label = "Brier score"
    needs = "probabilities"
    better = "lower"
    column = "brier"
    largest_difference = 2.0

    def terms(self, judged: Judged, k: int) -> tuple[FloatArray]:
        """Squared distance of the probabilities from class k, shape (n, r)."""
        p = judged.probability(k)
        if len(judged.scores) == 1:  # two classes, whose probabilities are as far off
            return (2.0 * (1.0 - p) ** 2,)
        return (judged.concentration - 2.0 * p + 1.0,)

    def of_tally(self, tally: Tally) -> FloatArray:
        """Mean over the test rows and the rules, shape (B,)."""
        # The difference of two sums can fall below zero by rounding.
        mean = np.maximum(tally.sums[0, 0], 0.0).mean(axis=0) / tally.n_test
        return np.asarray(mean / 2.0 if len(tally.n_of_class) == 2 else mean)
