"""What a score does that is normal: its log loss, by Gauss quadrature over one dimension."""

from __future__ import annotations

import numpy as np
from numpy.polynomial.legendre import leggauss
from scipy.special import expit, ndtr

from gdcurves.arrays import FloatArray

# log(1 + exp(t)) is analytic within pi of the real axis. Up to this standard deviation a sum over
# steps of the standardised score is exact to rounding; beyond it, the density is so flat that
# Legendre's nodes are.
WIDEST = 4.0
STEP, REACH = 0.125, 9.0
_LEFT, _WEIGHTS = leggauss(48)
FARTHEST = 40.0  # log(1 + exp(-t)) is nothing beyond
AT_ONCE = 2**18  # nodes in memory


def expected_softplus(mean: FloatArray, deviation: FloatArray) -> FloatArray:
    """E log(1 + exp(t)) for normal t, shape (...).

    Parameters
    ----------
    mean, deviation
        Means and standard deviations, shape (...).
    """
    shape = np.broadcast_shapes(mean.shape, deviation.shape)
    a, s = (np.broadcast_to(each, shape).ravel() for each in (mean, deviation))
    values = np.empty(len(a))
    narrow = s <= WIDEST
    for those, rule in ((narrow, _by_steps), (~narrow, _by_parts)):
        which = np.flatnonzero(those)
        for first in range(0, len(which), AT_ONCE // 128):
            some = which[first : first + AT_ONCE // 128]
            values[some] = rule(a[some], s[some])
    return values.reshape(shape)


def _by_steps(a: FloatArray, s: FloatArray) -> FloatArray:
    z = np.arange(-REACH, REACH + STEP / 2, STEP)
    weights = np.exp(-0.5 * z**2)
    values: FloatArray = np.logaddexp(0.0, a[:, None] + s[:, None] * z) @ (weights / weights.sum())
    return values


def _by_parts(a: FloatArray, s: FloatArray) -> FloatArray:
    """The positive part in closed form, and log(1 + exp(-|t|)) on both sides of zero."""
    t = 0.5 * FARTHEST * (_LEFT + 1)
    rest = 0.5 * FARTHEST * _WEIGHTS * np.log1p(np.exp(-t))
    density = sum(
        np.exp(-0.5 * ((sign * t - a[:, None]) / s[:, None]) ** 2) for sign in (-1.0, 1.0)
    )
    scale = 1 / (s * np.sqrt(2 * np.pi))
    positive = a * ndtr(a / s) + s**2 * scale * np.exp(-0.5 * (a / s) ** 2)
    values: FloatArray = positive + scale * (density @ rest)
    return values


def softplus_derivatives(mean: float, deviation: float) -> FloatArray:
    """E f(t) ... E f''''(t) for f(t) = log(1 + exp(t)) and normal t, shape (5,)."""
    step = min(STEP, 0.4 / max(deviation, 1e-300))
    z = np.arange(0.0, REACH + step / 2, step)
    z = np.concatenate([-z[:0:-1], z])
    weights = np.exp(-0.5 * z**2)
    weights *= step / np.sqrt(2 * np.pi)
    t = mean + deviation * z
    p, q = expit(t), expit(-t)
    second = p * q
    third = second * (q - p)
    fourth = second * (1 - 6 * second)
    return np.array([np.logaddexp(0.0, t), p, second, third, fourth]) @ weights
