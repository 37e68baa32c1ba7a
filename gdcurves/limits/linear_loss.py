"""The combination of normal scores that logistic regression tends to as m grows.

Scores that are linear in normal inputs are normal together, and so is their combination: its
expected log loss and the derivatives are integrals over one dimension, by Stein's identity
E[f(t) x] = E[f(t)] m + E[f'(t)] cov(x, t).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import pinvh

from gdcurves.arrays import FloatArray
from gdcurves.limits.least_loss import LAST_STEP, MOST_STEPS, REDUNDANT, Loss, downhill
from gdcurves.limits.normal_scores import softplus_derivatives


@dataclass(frozen=True, eq=False)
class Scores:
    """P scores under two classes with probabilities `priors` (2,).

    `means` (2, P) and `covariances` (2, P, P) are those of the scores in each class.
    """

    means: FloatArray
    covariances: FloatArray
    priors: FloatArray

    @property
    def sizes(self) -> FloatArray:
        """Root mean squares, shape (P,); 1 for a score that is zero."""
        variances = np.diagonal(self.covariances, axis1=1, axis2=2)
        squares = self.priors @ (self.means**2 + variances)
        return np.sqrt(np.where(squares > 0, squares, 1.0))

    def scaled(self, sizes: FloatArray) -> Scores:
        """The scores over `sizes` (P,)."""
        covariances = self.covariances / sizes / sizes[:, None]
        return Scores(self.means / sizes, covariances, self.priors)

    def loss(self, theta: FloatArray) -> Loss:
        """Expected log loss of intercept and weights `theta` (P + 1,), with derivatives."""
        q = len(theta)
        value, gradient, hessian = 0.0, np.zeros(q), np.zeros((q, q))
        classes = zip(self.priors, self.means, self.covariances, (1.0, -1.0), strict=True)
        for prior, mean, covariance, sign in classes:
            slope = sign * (covariance @ theta[1:])  # covariance of the scores with t
            t = sign * (theta[0] + float(mean @ theta[1:]))
            variance = max(sign * float(slope @ theta[1:]), 0.0)
            loss, first, second, third, fourth = softplus_derivatives(t, float(np.sqrt(variance)))
            one = np.concatenate([[1.0], mean])
            along = np.concatenate([[0.0], slope])
            cross = np.outer(one, along)
            curved = second * np.outer(one, one) + third * (cross + cross.T)
            curved += fourth * np.outer(along, along)
            curved[1:, 1:] += second * covariance
            value += prior * loss
            gradient += prior * sign * (first * one + second * along)
            hessian += prior * curved
        return Loss(float(value), gradient, hessian)


def fit(scores: Scores) -> FloatArray:
    """Intercept and weights (P + 1,) of the combination with the least expected log loss.

    Where scores are redundant, the steps are those of least norm. Raises ArithmeticError where
    Newton's method does not converge.
    """
    sizes = scores.sizes
    scaled = scores.scaled(sizes)
    theta = np.zeros(len(sizes) + 1)
    at = scaled.loss(theta)
    for _ in range(MOST_STEPS):
        inverse = np.asarray(pinvh(at.hessian, rtol=REDUNDANT), dtype=np.float64)
        step = -inverse @ at.gradient
        theta, at = downhill(scaled.loss, theta, at, step)
        if np.abs(step).max() <= LAST_STEP * (1 + np.abs(theta).max()):
            return np.concatenate([theta[:1], theta[1:] / sizes])
    raise ArithmeticError(f"Newton's method did not converge in {MOST_STEPS} steps")
