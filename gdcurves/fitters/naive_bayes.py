"""Naive Bayes: independent features given the class, fitted by (smoothed) maximum likelihood."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from gdcurves.fitters.base import Batch, Fit, Fitter
from gdcurves.types import FloatArray

# Weighs more than all zero probabilities that a class that is present can collect.
ABSENT = 1e6


class NaiveBayes(Fitter):
    """Ng & Jordan (2001), section 2.

    Discrete inputs: p(x_i = v | y) = (count + l) / (n_y + l * levels_i), equation (1). Continuous
    inputs: normal densities with means of each class and one variance per feature, shared by the
    classes, plus epsilon. Prior (n_y + l) / (m + K l).

    l = 0 and epsilon = 0 stand for the limits l -> 0 and epsilon -> 0: a probability or a variance
    of zero decides before everything finite. A class without training rows is never predicted.
    """

    summary: ClassVar[str] = "naive Bayes: counts (discrete inputs) or normal densities"
    inputs: ClassVar[frozenset[str]] = frozenset({"continuous", "discrete"})

    laplace: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 1.0
    variance: Literal["shared"] = "shared"
    epsilon: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 1e-3

    def fit(self, batch: Batch, rng: np.random.Generator) -> Fit:
        """Fit every training set of the batch."""
        weights, infinite = self._discrete(batch) if batch.levels else self._continuous(batch)
        n = batch.membership.sum(axis=2)
        prior = (n + self.laplace) / (batch.y.shape[1] + batch.n_classes * self.laplace)
        log_prior = np.log(np.where(n > 0, prior, 1.0))
        weights[:, :, 0] += against_first(log_prior)
        return Fit(weights[None], exclude_absent(batch, infinite))

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
        mean = class_means(batch)
        own = np.take_along_axis(mean, batch.y[:, :, None].astype(np.intp), axis=1)
        residual = batch.x - own
        variance = np.einsum("bmd,bmd->bd", residual, residual) / batch.y.shape[1] + self.epsilon
        zero = variance == 0
        precision = np.where(zero, 0.0, 1.0 / np.where(zero, 1.0, variance))
        infinite = nearest_mean(mean, zero.astype(float)) if zero.any() else None
        return nearest_mean(mean, precision), infinite


def class_means(batch: Batch) -> FloatArray:
    """Mean input of each class, shape (B, K, d); zero for a class without rows."""
    n = np.maximum(batch.membership.sum(axis=2), 1.0)
    totals: FloatArray = np.matmul(batch.membership, batch.x)
    return totals / n[:, :, None]


def nearest_mean(mean: FloatArray, precision: FloatArray) -> FloatArray:
    """Half the difference of the squared distances of x from the first mean and from each other.

    `mean` has shape (B, K, d); the squared distance is sum_i precision_i (x_i - mean_i)^2 with
    `precision` of shape (B, d). Returns weights for (1, x), shape (B, K - 1, 1 + d).
    """
    apart = mean[:, 1:] - mean[:, :1]
    weights = np.empty((*apart.shape[:2], apart.shape[2] + 1))
    weights[:, :, 1:] = apart * precision[:, None, :]
    weights[:, :, 0] = -0.5 * np.einsum("bkd,bkd->bk", weights[:, :, 1:], mean[:, 1:] + mean[:, :1])
    return weights


def against_first(values: FloatArray) -> FloatArray:
    """Differences (B, K - 1, ...) of values (B, K, ...) from those of the first class."""
    return values[:, 1:] - values[:, :1]


def exclude_absent(batch: Batch, infinite: FloatArray | None) -> FloatArray | None:
    """The direction of a `Fit`: infinite parts, and what keeps absent classes from being chosen."""
    absent = ~batch.membership.any(axis=2)
    if absent.any():
        if infinite is None:
            n_features = 1 + (sum(batch.levels) or batch.x.shape[2])
            infinite = np.zeros((len(batch.y), batch.n_classes - 1, n_features))
        infinite[:, :, 0] += against_first(np.where(absent, -ABSENT, 0.0))
    return None if infinite is None else infinite[None]
