"""Least squares: a linear regression on the indicator of each class."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from gdcurves.fitters.base import Fitter
from gdcurves.fitters.batch import Batch, Fit, LinearFit
from gdcurves.fitters.generative import against_first
from gdcurves.fitters.population import Population
from gdcurves.fitters.rules import LinearRules
from gdcurves.fitters.standardised import Standardised
from gdcurves.logistic.batched import RANK_TOLERANCE


class LeastSquares(Fitter):
    """The class whose indicator is predicted highest.

    Intercepts are free; of many solutions it is the one whose other weights have the least norm,
    discrete inputs coded one-hot. With two classes of as many rows it is `LDA` without epsilon,
    where that has a regular covariance. The predictions of all classes sum to one, and that of a
    class without training rows is zero, so that it is never the highest. There are no
    probabilities, so there is no log loss.
    """

    summary: ClassVar[str] = "least squares: a linear regression on the indicator of each class"

    def fit(self, batch: Batch, rng: np.random.Generator) -> LinearFit:
        """Fit every training set of the batch."""
        centred = Standardised.of(batch, units=False, rotated=False)
        inverse = np.linalg.pinv(centred.rows, rcond=RANK_TOLERANCE)  # (B, p, m)
        slopes = batch.membership @ inverse.transpose(0, 2, 1)
        shares = batch.membership.mean(axis=2, keepdims=True)
        weights = centred.outside(np.concatenate([shares, slopes], axis=2))
        return Fit(LinearRules(against_first(weights)[None], gives="scores"))

    def population(self, law: Population) -> LinearFit:
        """Rule for m to infinity."""
        moments = law.statistics.n[0][:, None, None] * law.second_moments
        inverse = np.linalg.pinv(moments.sum(axis=0), rcond=RANK_TOLERANCE, hermitian=True)
        weights = moments[:, :, 0] @ inverse
        return Fit(LinearRules(against_first(weights[None])[None], gives="scores"))
