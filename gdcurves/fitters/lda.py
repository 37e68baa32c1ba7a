"""Linear discriminant analysis: normal densities with one full covariance for all classes."""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.config.strict import AS_WHOLE
from gdcurves.fitters.base import Fitter
from gdcurves.fitters.batch import Batch, Fit, LinearFit
from gdcurves.fitters.densities import Addend
from gdcurves.fitters.diagnostics import Diagnostics
from gdcurves.fitters.generative import against_first, deviations, exclude_absent
from gdcurves.fitters.naive_bayes import Prior, log_prior
from gdcurves.fitters.needs import Needs
from gdcurves.fitters.population import Population
from gdcurves.fitters.rules import LinearRules
from gdcurves.logistic.batched import diagonal, gram

# Eigenvalues of a correlation matrix below this are rounding.
RANK_TOLERANCE = 1e-12
# A difference of means within the span of the deviations leaves less than this share outside it.
SPAN_TOLERANCE = 1e-9


class LDA(Fitter):
    """Normal discriminant analysis (Efron, 1975), the generative model without independence.

    The covariance is the sum of squared deviations from the class means over m - ddof * classes,
    plus epsilon on its diagonal, so that it is regular with fewer rows than features too. epsilon =
    0 stands for the limit epsilon -> 0: a difference of means in a direction without variance
    decides before everything finite.

    Attributes
    ----------
    prior
        (n_y + 1) / (m + K), n_y / m, or 1 / K.
    ddof
        What divisors of covariances lack: m - K ddof, or n_y - ddof of a class's own.
    epsilon
        Added to the diagonal of covariances.
    """

    summary: ClassVar[str] = "normal discriminant analysis: one full covariance for all classes"
    needs: ClassVar[Needs] = Needs(kinds=frozenset({"continuous"}))

    prior: Prior = "smoothed"
    ddof: Annotated[int, Field(ge=0, le=1000), AS_WHOLE] = 0
    epsilon: Addend = 1e-3

    def fit(self, batch: Batch, rng: np.random.Generator) -> LinearFit:
        """Fit every training set of the batch."""
        residual, _, origin, mean = deviations(batch)
        return self.rule(batch.membership.sum(axis=2), mean, gram(residual), origin)

    def population(self, law: Population) -> LinearFit:
        """Rule for m to infinity: what smooths is gone, epsilon stays."""
        statistics = law.statistics
        prior = "equal" if self.prior == "equal" else "empirical"
        exact = self.model_copy(update={"ddof": 0, "prior": prior})
        return exact.rule(statistics.n, statistics.mean, law.covariance[None], statistics.origin)

    def rule(
        self, n: FloatArray, mean: FloatArray, scatter: FloatArray, origin: FloatArray
    ) -> LinearFit:
        """Rules from rows n (B, K), mean (B, K, d) less origin (B, d), and scatter (B, d, d)."""
        divisor = n.sum(axis=1) - self.ddof * (n > 0).sum(axis=1)
        covariance = scatter / np.where(divisor > 0, divisor, 1.0)[:, None, None]
        diagonal(covariance)[...] += self.epsilon
        difference = against_first(mean)
        beyond = None
        degenerate = np.zeros(len(n), dtype=bool)
        if self.epsilon > 0:
            slopes = _solved(covariance, difference)
        else:
            slopes = np.zeros_like(difference)
            degenerate = deficient(covariance)
            slopes[~degenerate] = _solved(covariance[~degenerate], difference[~degenerate])
            if degenerate.any():
                beyond = np.zeros_like(difference)
                for b in np.flatnonzero(degenerate):
                    slopes[b], beyond[b] = _limit(covariance[b], difference[b])
        halfway = 0.5 * (mean[:, 1:] + mean[:, :1]) + origin[:, None, :]
        weights = _with_intercept(slopes, halfway)
        weights[:, :, 0] += against_first(log_prior(n, self.prior, 1.0))
        infinite = None if beyond is None else _with_intercept(beyond, halfway)
        infinite = exclude_absent(n, weights, infinite)
        return Fit(
            LinearRules(weights[None], None if infinite is None else infinite[None]),
            Diagnostics(degenerate=degenerate),
        )


def _with_intercept(slopes: FloatArray, halfway: FloatArray) -> FloatArray:
    intercepts = -np.einsum("bkd,bkd->bk", slopes, halfway)
    return np.concatenate([intercepts[:, :, None], slopes], axis=2)


def _solved(covariance: FloatArray, difference: FloatArray) -> FloatArray:
    """Slopes (B, K - 1, d) of the discriminants for regular covariances (B, d, d)."""
    scale = 1.0 / np.sqrt(diagonal(covariance))
    scaled = covariance * scale[:, :, None] * scale[:, None, :]
    slopes = np.linalg.solve(scaled, (difference * scale[:, None, :]).transpose(0, 2, 1))
    return slopes.transpose(0, 2, 1) * scale[:, None, :]


def deficient(covariance: FloatArray) -> BoolArray:
    """Which of `covariance` (B, d, d) is singular, whatever the features' scales, shape (B,)."""
    variance = diagonal(covariance)
    scale = 1.0 / np.sqrt(np.where(variance > 0, variance, 1.0))
    least = np.linalg.eigvalsh(covariance * scale[:, :, None] * scale[:, None, :])[:, 0]
    singular: BoolArray = least < RANK_TOLERANCE
    return singular


def _limit(covariance: FloatArray, difference: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Finite slopes (K - 1, d) of the limit epsilon -> 0, and those that grow as 1 / epsilon."""
    values, vectors = np.linalg.eigh(covariance)
    null = values <= RANK_TOLERANCE * max(values[-1], np.finfo(float).tiny)
    outside = difference @ vectors[:, null] @ vectors[:, null].T
    size = np.linalg.norm(difference, axis=1, keepdims=True)
    beyond = np.linalg.norm(outside, axis=1, keepdims=True) > SPAN_TOLERANCE * size
    inverse = np.where(null, 0.0, 1.0 / np.where(null, 1.0, values))
    return difference @ (vectors * inverse) @ vectors.T, np.where(beyond, outside, 0.0)
