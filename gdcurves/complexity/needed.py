"""The training size at which a mean curve first falls to a value, and how well it is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gdcurves.arrays import FloatArray

LEVEL = 0.95

Kind = Literal["reached", "below_first", "not_reached", "no_limit"]


@dataclass(frozen=True, eq=False)
class Needed:
    """Rows needed.

    Attributes
    ----------
    m
        By the mean curve; NaN unless it is reached between measured sizes.
    low, high
        Ends of its 95 % interval; where resampled curves are below at the first size that is the
        low end, and infinite the high end where they do not reach the value.
    kind
        Whether it is reached, or the curve is below it at the first size already, or above it at
        the last one.
    resampled
        The same by mean curves over resampled splits, shape (B,): at least the first size, and
        infinite where the value is not reached.
    """

    m: float
    low: float
    high: float
    kind: Kind
    resampled: FloatArray


def needed(m: FloatArray, mean: FloatArray, resampled: FloatArray, value: float) -> Needed:
    """Find where a curve, linear in log m between the sizes, first falls to a value.

    Parameters
    ----------
    m, mean
        Training sizes, ascending, and mean values, shape (k,).
    resampled
        Means over resampled splits, shape (B, k).
    value
        What is to be reached.
    """
    (own,) = first_at(m, mean[None], value)
    others = first_at(m, resampled, value)
    low, high = np.quantile(others, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], method="nearest")
    kind: Kind = "reached"
    if mean[0] <= value:
        kind, own = "below_first", np.nan
    elif np.isinf(own):
        kind, own = "not_reached", np.nan
    return Needed(float(own), float(low), float(high), kind, others)


def first_at(m: FloatArray, curves: FloatArray, value: float) -> FloatArray:
    """First size at which each of B curves (B, k) is down to a value, shape (B,).

    It is the first of the sizes `m` (k,) where the curve is below there, and infinite where it
    never is.
    """
    below = curves <= value
    reached = below.any(axis=1)
    first = below.argmax(axis=1)
    after = np.minimum(np.maximum(first, 1), len(m) - 1)
    every = np.arange(len(curves))
    high, low = curves[every, after - 1], curves[every, after]
    between = reached & (first > 0)
    share = np.divide(high - value, high - low, out=np.zeros(len(curves)), where=between)
    at = np.exp(np.log(m)[after - 1] + share * np.log(m[after] / m[after - 1]))
    at = np.where(first == 0, m[0], at)
    sizes: FloatArray = np.where(reached, at, np.inf)
    return sizes
