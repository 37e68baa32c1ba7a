"""Where a mean difference changes its sign, and how well that is known.

The difference is taken to be linear between neighbouring sizes, as it is drawn. Its sign is
established at a size if zero lies outside a confidence band that holds for all sizes at once. A
crossing is what lies between two sizes of opposite established signs with none in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gdcurves.arrays import FloatArray, IntArray

LEVEL = 0.95
LEAST_SPLITS = 20  # with fewer, resampled means say little about the mean


@dataclass(frozen=True)
class Crossing:
    """A change of sign.

    Attributes
    ----------
    m
        Where the mean difference is zero; of several such places between the two sizes by which the
        signs are established, the one that leaves the least area on the wrong side.
    low, high
        Ends of its 95 % interval.
    before, after
        The sizes by which the signs are established.
    sign
        Of the difference before it, 1 or -1.
    """

    m: float
    low: float
    high: float
    before: int
    after: int
    sign: int


def established(
    mean: FloatArray, deviation: FloatArray, n: IntArray, resampled: FloatArray
) -> IntArray:
    """Signs of the difference at each size, 0 where it cannot be told from zero, shape (k,).

    The band is the mean plus or minus c standard errors, with c the 95 % quantile over the
    resamples of the largest deviation at any size, in standard errors.

    Parameters
    ----------
    mean, deviation, n
        Mean of the differences, their standard deviation and their number at each size, (k,).
    resampled
        The mean over resampled splits, (B, k).
    """
    known = n >= LEAST_SPLITS
    if not known.any():
        return np.zeros(len(mean), dtype=np.int64)
    se = (deviation / np.sqrt(n))[known]
    # Means of resamples vary less than those of samples, by n - 1 parts in n of the variance.
    # Differences that are all equal have no error, and no resample is farther off than rounding.
    own = np.where(se > 0, se * np.sqrt(1 - 1 / n[known]), np.inf)
    far = np.abs(resampled[:, known] - mean[known]) / own
    c = np.quantile(far.max(axis=1), LEVEL)
    signs = np.zeros(len(mean), dtype=np.int64)
    signs[known] = np.sign(mean[known]) * (np.abs(mean[known]) > c * se)
    return signs


def crossings(
    m: IntArray, mean: FloatArray, resampled: FloatArray, signs: IntArray
) -> list[Crossing]:
    """Find the crossings, in order of m.

    The interval reaches from the last size up to which 97.5 % of the resampled curves have the sign
    of before, to the first one from which on 97.5 % have that of after. For curves that cross once
    these are the 2.5 % and 97.5 % quantiles of where they do.

    Parameters
    ----------
    m, mean, signs
        Sizes, mean differences and their `established` signs, (k,).
    resampled
        The mean over resampled splits, (B, k).
    """
    sure = np.flatnonzero(signs)
    changes = []
    for i, j in pairwise(sure.tolist()):
        if signs[i] != signs[j]:
            sizes, sign = m[i : j + 1].astype(np.float64), int(signs[i])
            curves = sign * resampled[:, i : j + 1]
            changes.append(
                Crossing(
                    zero(sizes, sign * mean[i : j + 1]),
                    _held_up_to(sizes, curves),
                    -_held_up_to(-sizes[::-1], -curves[:, ::-1]),
                    int(m[i]),
                    int(m[j]),
                    sign,
                )
            )
    return changes


def zero(m: FloatArray, values: FloatArray) -> float:
    """Where a piecewise linear curve goes from above zero to below.

    The curve has the `values` (k,) at `m` (k,). Of several zeros, the one up to which the area
    under the curve is largest.
    """
    left, right, width = values[:-1], values[1:], np.diff(m)
    pieces = np.flatnonzero((left > 0) & (right <= 0))
    share = left[pieces] / (left[pieces] - right[pieces])
    area = np.concatenate([[0.0], np.cumsum((left + right) / 2 * width)])
    under = area[pieces] + left[pieces] * share * width[pieces] / 2
    best = int(under.argmax())
    return float(m[pieces[best]] + share[best] * width[pieces[best]])


def zeros(m: FloatArray, values: FloatArray) -> FloatArray:
    """All m where a piecewise linear curve changes its sign, shape (n,); zeros are passed over.

    The curve has the `values` (k,) at `m` (k,).
    """
    m, values = m[values != 0], values[values != 0]
    left, right = values[:-1], values[1:]
    pieces = np.flatnonzero(left * right < 0)
    share = left[pieces] / (left[pieces] - right[pieces])
    return np.asarray(m[pieces] + share * (m[pieces + 1] - m[pieces]))


def _held_up_to(m: FloatArray, curves: FloatArray) -> float:
    """Return the last m up to which all but 2.5 % of the piecewise linear curves (B, k) are > 0."""
    above = curves > 0
    curve, piece = np.nonzero(above[:, :-1] != above[:, 1:])
    left, right = curves[curve, piece], curves[curve, piece + 1]
    at = m[piece] + left / (left - right) * (m[piece + 1] - m[piece])
    order = np.argsort(at, kind="stable")
    change = np.where(above[curve, piece], -1, 1)[order]
    held = above[:, 0].sum() + np.cumsum(change)
    few = np.flatnonzero(held < (1 + LEVEL) / 2 * len(curves))
    return float(at[order][few[0]]) if few.size else float(m[-1])
