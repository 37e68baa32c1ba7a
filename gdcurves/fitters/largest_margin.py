"""Logistic regression whose penalty vanishes: what a penalised fit tends to."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.fitters.batch import Batch
from gdcurves.fitters.likelihood import Likelihood
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.fitters.standardised import Standardised
from gdcurves.logistic.margin import largest_margin


class LargestMargin(LogisticRegression):
    """As `LogisticRegression`, with the hyperplane of largest margin where that draws one.

    Only where all of a set is separable: quasi-separable ones are as they are there. The margin is
    that of inputs in units of their standard deviations where `standardise` is true.
    """

    summary: ClassVar[str] = "logistic regression without penalty; largest margin where separable"

    standardise: bool = True

    def likelihood(self, batch: Batch) -> Likelihood:
        """Likelihoods of training sets in which every class is present."""
        y, n_others = batch.y.astype(np.int64), batch.n_classes - 1

        def separating(sets: IntArray, directions: FloatArray) -> FloatArray:
            some = batch.some(sets)
            standardised = Standardised.of(some, self.standardise, rotated=True)
            start = standardised.inside(directions.reshape(len(sets), n_others, -1))
            widest = largest_margin(standardised.rows, y[sets], batch.n_classes, start)
            return standardised.outside(widest).reshape(directions.shape)

        return replace(super().likelihood(batch), separating=separating)
