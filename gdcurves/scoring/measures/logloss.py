"""The log loss."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.scoring.judged import Judged, Logs
from gdcurves.scoring.measures.base import SumMeasure, Tally
from gdcurves.scoring.statistics import quantile

if TYPE_CHECKING:
    import pandas as pd


class LogLoss(SumMeasure):
    """Mean of -log p(y | x) over the test rows, in nats.

    Infinite where a class that occurs has probability zero, and for logistic fits without a finite
    maximum.
    """

    name = "logloss"
    label = "log loss"
    needs = "probabilities"
    better = "lower"
    column = "logloss"
    infinite = True
    endless = True
    further: ClassVar[tuple[str, ...]] = ("logloss_infinite",)
    of_sums: ClassVar[tuple[str, ...]] = ("logloss_sum_median",)
    n_sums = 3

    def terms(self, judged: Judged, k: int) -> tuple[FloatArray, Logs, BoolArray | None]:
        """The loss in nats in two parts, where it is finite, and whether it is not, (n, r) each."""
        below, further = judged.losses(k)
        if judged.excluded is None:
            return below, further, None
        impossible = judged.excluded[k]
        return np.where(impossible, 0.0, below), further, impossible

    def of_tally(self, tally: Tally) -> FloatArray:
        """Mean over the test rows and the rules, in nats, shape (B,)."""
        below, further, impossible = tally.sums[:, 0]
        # The difference of two sums can fall below zero by rounding.
        mean = np.maximum(below + further, 0.0) / tally.n_test
        value = np.where(impossible > 0.5 * tally.row, np.inf, mean).mean(axis=0)
        return np.where(tally.unbounded, np.inf, value)

    def summary(self, rows: pd.DataFrame) -> Mapping[str, float]:
        """Moments over the finite ones, the share of the others, and the median of the sum."""
        values = self.values(rows)
        sums = values * _finite(rows["n_test"].to_numpy())
        return {
            **super().summary(rows),
            "logloss_infinite": float(np.mean(np.isinf(values))),
            "logloss_sum_median": quantile(sums[~np.isnan(sums)], 0.5),
        }


def _finite(n_test: NDArray[Any]) -> FloatArray:
    """Numbers of test rows (J,), NaN where the law itself judges."""
    return np.where(np.isinf(n_test), np.nan, n_test)
