"""What more labelled rows would change, by how the two curves run on, see `gdcurves.trends`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from gdcurves import trends
from gdcurves.crossings.crossing import LEVEL
from gdcurves.trends import Trend

# How far off the form a difference goes, as a part of what it changes by: less than either curve,
# as the rows are the same. Measured by scripts/crossings_ahead.py.
OFF = 0.2


@dataclass(frozen=True)
class Ahead:
    """The size beyond the largest one at which a difference would be zero.

    Infinite where that is not before `trends.FARTHEST` times the largest size.

    Attributes
    ----------
    m
        By the mean curves.
    low, high
        The first size at which zero is in the 95 % interval of the difference that is foreseen, and
        the first from which on it is not any more.
    """

    m: float
    low: float
    high: float


def zero_ahead(difference: float, se: float, a: Trend, b: Trend) -> Ahead:
    """Where the difference of two curves that do not cross before is foreseen to be zero.

    Parameters
    ----------
    difference, se
        Mean loss of fitter a less that of fitter b at the largest size, and its standard error.
    a, b
        How their losses go on.
    """
    sign = np.sign(difference)
    of_a, of_b = a.mean_fall(trends.RATIOS), b.mean_fall(trends.RATIOS)
    left = sign * (difference - (of_a[0] - of_b[0]))
    off = OFF * (of_a[0] - of_b[0])
    reach = ndtri((1 + LEVEL) / 2) * np.sqrt(of_a[1] ** 2 + of_b[1] ** 2 + off**2 + se**2)
    ends = (trends.reached(each, 0.0) for each in (left, left - reach, left + reach))
    return Ahead(*(a.m * each for each in ends))


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
