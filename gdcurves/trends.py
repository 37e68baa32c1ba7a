"""How a learning curve goes on beyond its largest size.

A curve of a loss is taken to be a power law with an asymptote, a + b m^-c, written from its end: at
q times the largest size M it is level - slope (1 - q^-c) / c, where slope is its fall for each unit
of log m at M. With c at zero and below there is no asymptote, and the fall is steady in log m or
still speeds up: so begin curves of many inputs. Such a curve would fall below zero in the end, so
that ahead it goes on as the steepest power law that does not. What fits the means at the upper
sizes is not one curve but many, and what they foresee is averaged, weighted by how well each fits
and by what is usual of c. scripts/backtest_outlook.py has measured how well that is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from scipy.special import chdtrc, ndtr
from threadpoolctl import threadpool_limits

from gdcurves.arrays import FloatArray, IntArray

LEVEL = 0.95
SPAN = 8.0  # the upper sizes are those from the largest one over this on
LARGEST = 1e100  # losses whose squares are numbers still
LEAST_SIZES = 3  # without which nothing is said; four are taken where there are
TINY = 4  # sizes below it are left out where there are enough others: hardly any curve begins so
MISFIT = 0.01  # the level of the test that refuses a curve as not of this form
# How far off the form curves are at each size: a part of the loss, and a loss.
OFF = 0.015
OFF_AT_ZERO = 0.0005
# The same ahead: a part of what the loss is to fall, and of the loss for each doubling.
AHEAD_OFF = 0.4
DRIFT = 0.02
# The variance by which a curve of one data set strays from that of its kind for each doubling of m,
# as a part of that of its end.
STRAYING = 1 / 6
USUAL, USUAL_SPREAD = 0.7, 0.6  # mean and standard deviation of c
FARTHEST = 100.0  # times the largest size, and more rows than anyone will label
RATIOS = np.geomspace(1.0, FARTHEST, 100)
_NONE = 1e-9  # a shape in place of zero, where the formula has a gap; and a level
_SHAPES = np.linspace(-1.0, 2.5, 36) + _NONE
_STEPS = np.linspace(0.0, 1.0, 80) ** 2  # slopes, in levels: close to each other near zero
_LIGHT = 1e-6  # curves of less weight than this part of the heaviest one are left out


@dataclass(frozen=True, eq=False)
class Trend:
    """Curves that fit, n of them; all losses are above zero, and lower is better.

    Attributes
    ----------
    m
        The largest size M.
    shape, slope, level
        Of each curve: c, its fall for each unit of log m at M, and its loss there, (n,).
    weight
        How much each counts, shape (n,); they add up to one.
    deviation
        Standard deviation of the loss at M of each; not finite where nobody knows.
    fits
        Whether the means are of this form.
    """

    m: float
    shape: FloatArray
    slope: FloatArray
    level: FloatArray
    weight: FloatArray
    deviation: float
    fits: bool

    @classmethod
    def of(cls, m: IntArray, mean: FloatArray, covariance: FloatArray) -> Self | None:
        """Fit the upper sizes of a curve; None for fewer than `LEAST_SIZES`, or losses too large.

        Parameters
        ----------
        m, mean
            Sizes, ascending, and mean losses, shape (k,).
        covariance
            Of the means, which share splits, shape (k, k).
        """
        if len(m) < LEAST_SIZES:
            return None
        upper = slice(_first(m), None)
        sizes, loss = m[upper].astype(np.float64), mean[upper]
        if np.abs(loss).max() > LARGEST:
            return None
        spread = np.diag((OFF * loss) ** 2 + OFF_AT_ZERO**2)
        # The order in which BLAS adds may depend on its number of threads.
        with threadpool_limits(1, user_api="blas"):
            precision = np.linalg.inv(covariance[upper, upper] + spread)
        each, total = precision.sum(axis=1), precision.sum()
        slope = _STEPS * max(loss[-1], 0.0)  # (s,)
        rise = ((sizes / sizes[-1]) ** -_SHAPES[:, None] - 1) / _SHAPES[:, None]  # (c, k)
        left = loss - slope[:, None] * rise[:, None]  # (c, s, k)
        level = (left * each).sum(axis=-1) / total
        left -= level[..., None]
        squares = np.maximum(np.einsum("csk,kl,csl->cs", left, precision, left), 0.0)
        # Each curve stands for as many as its step is wide, and has no asymptote below zero.
        density = np.gradient(_STEPS) * np.exp(
            -(squares - squares.min()) / 2 - ((_SHAPES[:, None] - USUAL) / USUAL_SPREAD) ** 2 / 2
        )
        bounded = (_SHAPES[:, None] < 0) | (slope <= _SHAPES[:, None] * loss[-1])
        density = np.where(bounded, density, 0.0)
        heavy = density > _LIGHT * density.max()
        shape, slope = np.broadcast_arrays(_SHAPES[:, None], slope)
        misfit = chdtrc(max(len(loss) - 3, 1), squares[bounded].min())
        return cls(
            float(sizes[-1]),
            shape[heavy],
            slope[heavy],
            level[heavy],
            density[heavy] / density[heavy].sum(),
            float(np.sqrt(1 / total)),
            bool(misfit > MISFIT),
        )

    @property
    def last(self) -> float:
        """Mean loss of the curves at M."""
        return float((self.level * self.weight).sum())

    def fall(self, ratio: FloatArray) -> tuple[FloatArray, FloatArray]:
        """By how much each curve falls from M to `ratio` (r,) times M, and how far off that may be.

        Shapes (r, n); the second is a standard deviation, without the `DRIFT`.
        """
        # From this c on a curve does not fall below zero; there it is level q^-c.
        least = np.maximum(self.slope / np.maximum(self.level, _NONE), _NONE)
        shape = np.maximum(self.shape, least)
        fall = self.slope * (1 - ratio[:, None] ** -shape) / shape
        return fall, AHEAD_OFF * fall

    def mean_fall(self, ratio: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Mean and standard deviation (r,) over the curves, of the fall to `ratio` (r,) times M."""
        fall, _ = self.fall(ratio)
        mean = (fall * self.weight).sum(axis=1)
        variance = ((fall - mean[:, None]) ** 2 * self.weight).sum(axis=1)
        return mean, np.sqrt(variance)

    def fall_ends(self, ratio: float) -> tuple[float, float]:
        """Between which the fall to `ratio` times M is at 95 %, where a curve is of this form."""
        fall, off = self.fall(np.array([ratio]))
        low, _, high = _quantiles(fall, np.maximum(off, 1e-12), self.weight)
        return float(max(low[0], 0.0)), float(high[0])

    def loss(self, ratio: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Median loss at `ratio` (r,) times M and the ends of its 95 % interval, (r,) each.

        These are zero and infinity where nothing is known of how sure the loss at M is.
        """
        fall, off = self.fall(ratio)
        known = np.isfinite(self.deviation)
        own = self.deviation if known else _NONE
        off = np.sqrt(own**2 + off**2 + self._drift(ratio) ** 2)
        low, middle, high = _quantiles(self.level - fall, off, self.weight)
        if not known:
            low, high = np.zeros_like(low), np.full_like(high, np.inf)
        return np.maximum(middle, 0.0), np.maximum(low, 0.0), np.maximum(high, 0.0)

    def elsewhere(self, deviation: float) -> Self:
        """The same for other data of the kind, where the loss at M is otherwise by so much more."""
        return replace(self, deviation=float(np.hypot(self.deviation, deviation)))

    def _drift(self, ratio: FloatArray) -> FloatArray:
        """How far off the form each curve may have come at `ratio` (r,) times M, shape (r, n)."""
        drift: FloatArray = DRIFT * np.log2(ratio)[:, None] * self.level
        return drift


def straying(m: IntArray, deviation: float) -> FloatArray:
    """How curves of data sets of one kind vary about their common course, as seen from their ends.

    The rows that a data set happens to hold move its curve, at sizes near each other alike: the
    further from the end, the less so, as in a random walk in log m. On samples of 50, 100 and 200
    rows from laws with 20 to 200 inputs the variance of the fall over the last doubling was a tenth
    of that of the end for penalised logistic regression, and a fifth for naive Bayes, whatever the
    number of rows; over two and three doublings it was more in proportion.

    Parameters
    ----------
    m
        Sizes, ascending, shape (k,).
    deviation
        Standard deviation over other data sets of the mean at the last size.

    Returns
    -------
    Covariance, shape (k, k); zero at the last size.
    """
    doublings = np.log2(m[-1] / m)
    variance: FloatArray = STRAYING * deviation**2 * np.minimum.outer(doublings, doublings)
    return variance


def reached(values: FloatArray, target: float) -> float:
    """Where values (r,) at `RATIOS` first come down to a target, on straight lines in log m.

    That is a ratio; infinite where they do not.
    """
    there = np.flatnonzero(values <= target)
    if not there.size:
        return np.inf
    i = int(there[0])
    if i == 0:
        return 1.0
    share = (values[i - 1] - target) / (values[i - 1] - values[i])
    return float(RATIOS[i - 1] * (RATIOS[i] / RATIOS[i - 1]) ** share)


def _first(m: IntArray) -> int:
    """Position of the first of the upper sizes."""
    first = int(np.searchsorted(m, m[-1] / SPAN))
    first = min(first, max(len(m) - LEAST_SIZES - 1, 0))
    tiny = int(np.searchsorted(m, TINY))
    return max(first, tiny) if len(m) - tiny >= LEAST_SIZES else first


def _quantiles(
    mean: FloatArray, deviation: FloatArray, weight: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Quantiles (r,) of r mixtures of n normal laws each: the low end, the median, the high end.

    `mean` and `deviation` have shape (r, n), `weight` (n,).
    """
    wanted = np.array([(1 - LEVEL) / 2, 0.5, (1 + LEVEL) / 2])[:, None]
    reach = 8 * deviation
    below = np.broadcast_to((mean - reach).min(axis=1), (3, len(mean))).copy()
    above = np.broadcast_to((mean + reach).max(axis=1), (3, len(mean))).copy()
    for _ in range(40):  # halvings, to 1e-12 of where it began
        middle = (below + above) / 2
        share = (ndtr((middle[..., None] - mean) / deviation) * weight).sum(axis=-1)
        below = np.where(share < wanted, middle, below)
        above = np.where(share < wanted, above, middle)
    low, median, high = (below + above) / 2
    return low, median, high
