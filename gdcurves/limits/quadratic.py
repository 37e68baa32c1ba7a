"""Scores that are quadratic in x, and their distribution where x is normal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gdcurves.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Quadratic:
    """The function c + <b, x> + <x, A x>.

    Attributes
    ----------
    c, b, A
        A number, shape (d,), and symmetric of shape (d, d).
    """

    c: float
    b: FloatArray
    A: FloatArray

    def __call__(self, x: FloatArray) -> FloatArray:
        """Return the values (...) at x (..., d)."""
        values: FloatArray = self.c + x @ self.b + ((x @ self.A) * x).sum(axis=-1)
        return values

    def standardised(self, mean: FloatArray, covariance: FloatArray) -> Quadratic:
        """Return the function of z that has the value of this one at x = mean + L z.

        L L' is the `covariance` (d, d), and `mean` has shape (d,).
        """
        L = np.linalg.cholesky(covariance)
        slope = self.b + 2 * self.A @ mean
        return Quadratic(float(self(mean)), L.T @ slope, L.T @ self.A @ L)

    def rotated(self, Q: FloatArray) -> Quadratic:
        """Return the function of z that has the value of this one at x = Q z, Q (d, d)."""
        return Quadratic(self.c, Q.T @ self.b, Q.T @ self.A @ Q)

    @property
    def standard_mean(self) -> float:
        """Mean for x ~ N(0, I)."""
        return self.c + float(np.trace(self.A))


def weighted_sum(weights: Sequence[float] | FloatArray, terms: Sequence[Quadratic]) -> Quadratic:
    """Return the sum of weights (P,) times terms."""
    return Quadratic(
        float(sum(w * each.c for w, each in zip(weights, terms, strict=True))),
        sum((w * each.b for w, each in zip(weights, terms, strict=True)), np.zeros(())),
        sum((w * each.A for w, each in zip(weights, terms, strict=True)), np.zeros(())),
    )


def log_ratio(
    means: FloatArray, covariances: FloatArray, features: Sequence[int] | None = None
) -> Quadratic:
    """Return the log density ratio of the second of two normal laws against the first.

    Parameters
    ----------
    means, covariances
        Shapes (2, d) and (2, d, d).
    features
        Only of these features; all unless given. A function of all d features either way.
    """
    d = means.shape[1]
    some = np.arange(d) if features is None else np.asarray(features)
    c, b, A = 0.0, np.zeros(d), np.zeros((d, d))
    for sign, mean, covariance in zip((-1, 1), means[:, some], covariances, strict=True):
        precision = np.linalg.inv(covariance[np.ix_(some, some)])
        log_det = np.linalg.slogdet(precision)[1]
        c += sign * 0.5 * float(log_det - mean @ precision @ mean)
        b[some] += sign * precision @ mean
        A[np.ix_(some, some)] -= sign * 0.5 * precision
    return Quadratic(c, b, 0.5 * (A + A.T))


@dataclass(frozen=True, eq=False)
class DiagonalForm:
    """A score as a random variable, c + sum_j (g_j z_j + a_j z_j^2) with z_j ~ N(0, 1) independent.

    Attributes
    ----------
    c, g, a
        A number and two shapes (d,).
    """

    c: float
    g: FloatArray
    a: FloatArray

    @property
    def mean(self) -> float:
        """Its mean."""
        return self.c + float(self.a.sum())

    @property
    def variance(self) -> float:
        """Its variance."""
        return float(self.g @ self.g + 2 * self.a @ self.a)

    def __neg__(self) -> DiagonalForm:
        return DiagonalForm(-self.c, -self.g, -self.a)


def diagonal(function: Quadratic) -> tuple[DiagonalForm, FloatArray]:
    """Return a function's distribution for x ~ N(0, I), and the rotation Q (d, d): x = Q z.

    Coefficients that are rounding beside the largest one become zero.
    """
    a, Q = np.linalg.eigh(function.A)
    g = Q.T @ function.b
    rounding = 4 * len(a) * np.finfo(float).eps * max(np.abs(a).max(), np.abs(g).max())
    a[np.abs(a) <= rounding] = 0.0
    g[np.abs(g) <= rounding] = 0.0
    return DiagonalForm(function.c, g, a), Q
