"""Quadratic discriminant analysis: normal densities with a full covariance for each class."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.fitters.batch import Batch, Fit, LinearFit
from gdcurves.fitters.densities import ROUNDING
from gdcurves.fitters.diagnostics import Diagnostics
from gdcurves.fitters.generative import against_first, deviations, exclude_absent
from gdcurves.fitters.lda import LDA, deficient
from gdcurves.fitters.maps import PRODUCTS
from gdcurves.fitters.naive_bayes import log_prior
from gdcurves.fitters.population import Population
from gdcurves.fitters.rules import LinearRules
from gdcurves.logistic.batched import diagonal, gram


class QDA(LDA):
    """As `LDA`, with each class's own covariance: deviations over n_y - ddof, plus epsilon.

    A class whose own covariance, epsilon included, is singular or needs more rows takes the one
    that the classes share. Where that is singular too, so is every class's own, and the rule is
    that of `LDA`.
    """

    summary: ClassVar[str] = "normal discriminant analysis: a full covariance for each class"

    def fit(self, batch: Batch, rng: np.random.Generator) -> LinearFit:
        """Fit every training set of the batch."""
        residual, x, origin, mean = deviations(batch)
        membership = batch.membership
        scatter = np.stack([gram(residual, own) for own in membership.transpose(1, 0, 2)], axis=1)
        # A feature that does not vary in a class varies by rounding.
        size = np.einsum("bmd,bmd->bd", x, x)[:, None, :]
        constant = np.einsum("bkdd->bkd", scatter) <= ROUNDING**2 * size
        scatter[constant[..., :, None] | constant[..., None, :]] = 0.0
        return self.of_scatter(membership.sum(axis=2), mean, scatter, origin, batch.origin)

    def population(self, law: Population) -> LinearFit:
        """Rule for m to infinity: what smooths is gone, epsilon stays."""
        statistics, covariances = law.statistics, law.covariances
        prior = "equal" if self.prior == "equal" else "empirical"
        exact = self.model_copy(update={"ddof": 0, "prior": prior})
        n, mean, origin = statistics.n, statistics.mean, statistics.origin
        scatter = n[:, :, None, None] * covariances
        return exact.of_scatter(n, mean, scatter, origin, np.zeros(origin.shape[1]))

    def of_scatter(
        self,
        n: FloatArray,
        mean: FloatArray,
        scatter: FloatArray,
        origin: FloatArray,
        centre: FloatArray,
    ) -> LinearFit:
        """Rules from the statistics of training sets.

        Parameters
        ----------
        n
            Rows of each class, shape (B, K).
        mean
            Less the origin, shape (B, K, d).
        scatter
            Sums of products of deviations from it, shape (B, K, d, d).
        origin
            Shape (B, d).
        centre
            Where products are measured from, shape (d,).
        """
        shared = self._covariance(scatter.sum(axis=1), n.sum(axis=1) - self.ddof * (n > 0).sum(1))
        own = self._covariance(scatter.reshape(-1, *shared.shape[1:]), (n - self.ddof).reshape(-1))
        singular = deficient(own).reshape(n.shape)
        own = own.reshape(scatter.shape)
        replaced: BoolArray = ((n <= self.ddof) | singular) & (n > 0)
        alike = deficient(shared)
        own = np.where((replaced | (n == 0))[:, :, None, None], shared[:, None], own)
        own[alike] = np.eye(own.shape[2])  # their rules are those of LDA
        weights = _weights(mean + (origin - centre)[:, None, :], own)
        weights[:, :, 0] += against_first(log_prior(n, self.prior, 1.0))
        infinite = None
        if alike.any():
            infinite = np.zeros_like(weights)
            limit = self.model_copy(update={"epsilon": 0.0})
            some = (n[alike], mean[alike], scatter[alike].sum(axis=1), origin[alike])
            linear = LDA.rule(limit, *some).rules
            q = linear.weights.shape[3]
            weights[alike] = 0.0
            for whole, part in ((weights, linear.weights), (infinite, linear.direction)):
                if part is not None:
                    whole[alike, :, :q] = part[0]
                    whole[alike, :, 0] += part[0, :, :, 1:] @ centre
        infinite = exclude_absent(np.where(alike[:, None], 1.0, n), weights, infinite)
        return Fit(
            LinearRules(weights[None], None if infinite is None else infinite[None], PRODUCTS),
            Diagnostics(degenerate=np.any(replaced, axis=1)),
        )

    def _covariance(self, scatter: FloatArray, divisor: FloatArray) -> FloatArray:
        """Covariances (B, d, d), epsilon included; a divisor (B,) that is not positive is 1."""
        covariance = scatter / np.where(divisor > 0, divisor, 1.0)[:, None, None]
        diagonal(covariance)[...] += self.epsilon
        return covariance


def _weights(mean: FloatArray, covariance: FloatArray) -> FloatArray:
    """Weights (B, K - 1, 1 + d + p) of log density ratios against the first class.

    From means less the centre (B, K, d) and regular covariances (B, K, d, d).
    """
    d = mean.shape[2]
    scale = 1.0 / np.sqrt(np.einsum("bkdd->bkd", covariance))
    both = scale[..., :, None] * scale[..., None, :]
    scaled = covariance * both
    precision = np.linalg.inv(scaled) * both
    log_det = np.linalg.slogdet(scaled)[1] - 2.0 * np.log(scale).sum(axis=2)
    slopes = np.einsum("bkde,bke->bkd", precision, mean)
    constants = -0.5 * (log_det + np.einsum("bkd,bkd->bk", slopes, mean))
    i, j = PRODUCTS.pairs(d)
    products = np.where(i == j, -0.5, -1.0) * precision[:, :, i, j]
    every = np.concatenate([constants[:, :, None], slopes, products], axis=2)
    return against_first(every)
