"""What more labelled rows would change, by how the curves run on.

No law says how a difference of two learning curves goes on. Where curves approach each other it is
as a rule nearly straight in log m; scripts/crossings_ahead.py compares that with curves that cross.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.crossings.crossing import LEVEL

SPAN = 2.0  # the line is drawn through the sizes from the largest one over this to the largest


@dataclass(frozen=True)
class Ahead:
    """The size beyond the largest one at which a difference would be zero.

    Infinite where it does not shrink.

    Attributes
    ----------
    m
        By the mean difference.
    low, high
        Between which it is in 95 % of the resamples.
    """

    m: float
    low: float
    high: float


def zero_ahead(m: IntArray, mean: FloatArray, resampled: FloatArray) -> Ahead:
    """Go on from the difference at the largest size, straight in log m.

    The slope is that of the least-squares line through the sizes from half the largest one on, the
    last two at least.

    Parameters
    ----------
    m, mean
        Sizes, at least two, and mean differences, (k,).
    resampled
        The mean over resampled splits, (B, k).
    """
    first = min(int(np.searchsorted(m, m[-1] / SPAN)), len(m) - 2)
    u = np.log(m[first:] / m[-1])
    weights = (u - u.mean()) / np.sum((u - u.mean()) ** 2)
    sign = np.sign(mean[-1])
    curves = sign * np.vstack([mean, resampled])[:, first:]
    # A resample in which the other fitter is ahead already has its zero behind it.
    # No matrix product: the order in which BLAS adds may depend on its number of threads.
    left, fall = np.maximum(curves[:, -1], 0.0), -(curves * weights).sum(axis=1)
    reach = np.full(len(curves), np.inf)
    np.divide(left, fall, out=reach, where=fall > 0)
    with np.errstate(over="ignore"):  # so far ahead that it is nowhere
        zeros = m[-1] * np.exp(reach)
    ends = np.quantile(zeros[1:], [(1 - LEVEL) / 2, (1 + LEVEL) / 2], method="nearest")
    return Ahead(float(zeros[0]), float(ends[0]), float(ends[1]))


def rows_for_verdict(rows: int, difference: float, low: float, high: float) -> float:
    """Labelled rows beyond those that there are for an interval without zero; zero if it has none.

    It is taken that the difference stays as it is.

    With n times the rows, in training and test sets alike, the interval is taken to be sqrt(n)
    times as narrow.

    Parameters
    ----------
    rows
        Those that there are.
    difference, low, high
        Mean difference and the ends of its interval.
    """
    if not difference:
        return np.inf
    return rows * max(((high - low) / 2 / difference) ** 2 - 1.0, 0.0)
