"""Naive Bayes: independent features given the class, fitted by (smoothed) maximum likelihood."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import AfterValidator, Field

from gdcurves.config.strict import wrong
from gdcurves.fitters.base import Batch, Fit, Fitter
from gdcurves.fitters.generative import (
    against_first,
    class_means,
    exclude_absent,
    nearest_mean,
)
from gdcurves.types import FloatArray

# Residuals below this share of a feature's deviations are rounding: the variance is zero.
ROUNDING = 1e-14
LEAST_OPTION = 1e-100


def _no_tiny(value: float) -> float:
    """Refuse what its inverse would overflow for."""
    if 0 < value < LEAST_OPTION:
        raise wrong(f"found {value}; write 0 or {LEAST_OPTION} or more")
    return value


class NaiveBayes(Fitter):
    """Ng & Jordan (2001), section 2.

    Discrete inputs: p(x_i = v | y) = (count + l) / (n_y + l * levels_i), equation (1). Continuous
    inputs: normal densities with means of each class and one variance per feature, shared by the
    classes, plus epsilon. Prior (n_y + l) / (m + K l).

    l = 0 and epsilon = 0 stand for the limits l -> 0 and epsilon -> 0: a probability or a variance
    of zero decides before everything finite. A class without training rows has a mean of none and
    is never predicted on continuous inputs; on discrete ones smoothing gives it probabilities.
    """

    summary: ClassVar[str] = "naive Bayes: counts (discrete inputs) or normal densities"
    inputs: ClassVar[frozenset[str]] = frozenset({"continuous", "discrete"})

    laplace: Annotated[float, Field(ge=0, allow_inf_nan=False), AfterValidator(_no_tiny)] = 1.0
    variance: Literal["shared"] = "shared"
    epsilon: Annotated[float, Field(ge=0, allow_inf_nan=False), AfterValidator(_no_tiny)] = 1e-3

    def fit(self, batch: Batch, rng: np.random.Generator) -> Fit:
        """Fit every training set of the batch."""
        weights, infinite = self._discrete(batch) if batch.levels else self._continuous(batch)
        n = batch.membership.sum(axis=2)
        prior = (n + self.laplace) / (batch.y.shape[1] + batch.n_classes * self.laplace)
        log_prior = np.log(np.where(prior > 0, prior, 1.0))
        weights[:, :, 0] += against_first(log_prior)
        if not batch.levels or self.laplace == 0:
            infinite = exclude_absent(batch, infinite)
        return Fit(weights[None], None if infinite is None else infinite[None])

    def _discrete(self, batch: Batch) -> tuple[FloatArray, FloatArray | None]:
        """Log-ratios of the levels' probabilities, (B, K - 1, q), and of the zeros among them."""
        counts = batch.membership @ batch.design
        n, counts = counts[:, :, :1], counts[:, :, 1:]
        levels = np.repeat(batch.levels, batch.levels)
        numerator = counts + self.laplace
        denominator = n + self.laplace * levels
        zero = numerator == 0
        log_p = np.zeros((*counts.shape[:2], 1 + counts.shape[2]))
        log_p[:, :, 1:] = np.log(np.where(zero, 1.0, numerator))
        log_p[:, :, 1:] -= np.log(np.where(denominator == 0, 1.0, denominator))
        if not zero.any():
            return against_first(log_p), None
        infinite = np.zeros_like(log_p)
        infinite[:, :, 1:] = -zero.astype(float)
        return against_first(log_p), against_first(infinite)

    def _continuous(self, batch: Batch) -> tuple[FloatArray, FloatArray | None]:
        """Log-ratios of the densities, (B, K - 1, 1 + d), and their parts of variance zero."""
        # From an origin among the rows, a constant feature is exactly zero.
        origin = batch.x[:, 0]
        x = batch.x - origin[:, None, :]
        mean = class_means(x, batch.membership)
        residual = x - batch.membership.transpose(0, 2, 1) @ mean
        scatter = np.einsum("bmd,bmd->bd", residual, residual)
        m = x.shape[1]
        if self.epsilon > 0:
            return nearest_mean(mean, 1.0 / (scatter / m + self.epsilon), origin), None
        zero = scatter <= ROUNDING**2 * np.einsum("bmd,bmd->bd", x, x)
        precision = np.where(zero, 0.0, m / np.where(zero, 1.0, scatter))
        infinite = nearest_mean(mean, zero.astype(float), origin) if zero.any() else None
        return nearest_mean(mean, precision, origin), infinite
