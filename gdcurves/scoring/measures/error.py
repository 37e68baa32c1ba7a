"""The share of misclassified test rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.scoring.judged import Judged
from gdcurves.scoring.measures.base import SumMeasure, Tally

if TYPE_CHECKING:
    import pandas as pd


class Error(SumMeasure):
    """Misclassified test rows: their number in the raw rows, their share in curves.

    Where rules are judged under the law itself, that is a share in the raw rows too.

    `sampler_gap` is the mean, over the splits whose rule was drawn by a Markov chain, of its error
    less that of the rule half-way along the chain: zero but for chance once the chain has arrived.
    """

    name = "error"
    label = "error"
    needs = "predictions"
    better = "lower"
    column = "errors"
    largest_difference = 1.0
    halfway = True
    further: ClassVar[tuple[str, ...]] = ("sampler_gap", "sampler_gap_se")

    def terms(self, judged: Judged, k: int) -> tuple[BoolArray]:
        """Whether the prediction is another class, shape (n, r)."""
        return (judged.misses(k),)

    def of_tally(self, tally: Tally) -> FloatArray:
        """Number of errors, a mean over the rules, shape (B,)."""
        return np.asarray(tally.sums[0, 0].mean(axis=0))

    def values(self, rows: pd.DataFrame) -> FloatArray:
        """Errors as a share of the test rows, shape (J,)."""
        return np.asarray((rows[self.column] / _counted(rows["n_test"].to_numpy())).to_numpy())

    def value(self, stored: FloatArray, n_test: int | IntArray | FloatArray) -> FloatArray:
        """Shares (B,) of `n_test` rows, a number or (B,), from numbers of errors, `stored` (B,)."""
        return np.asarray(stored / _counted(n_test))

    def summary(self, rows: pd.DataFrame) -> Mapping[str, float]:
        """Moments, and the gap of the sampler where there is one."""
        point = dict(super().summary(rows))
        if self.halfway_column in rows:
            difference = rows[self.column] - rows[self.halfway_column]
            gap = (difference / _counted(rows["n_test"].to_numpy())).dropna()
            if len(gap):
                point |= {"sampler_gap": gap.mean(), "sampler_gap_se": gap.sem()}
        return point


def _counted(n_test: Any) -> Any:
    """Numbers of test rows (J,) that errors are counted among; one where they are a share."""
    return np.where(np.isinf(n_test), 1, n_test)
