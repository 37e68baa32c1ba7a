"""Lemma 3 exactly: how many rows bring all estimates of naive Bayes near what they estimate.

Features that are independent within the classes have independent estimates, given how many rows
each class has.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy
from scipy.special import ndtr

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.errors import UserError
from gdcurves.scoring.judged import TIE
from gdcurves.theory.guarantees import first_row

REACH = 10.0  # standard deviations of a class's number of rows; what is beyond is nothing
MOST_ROWS = 2_000_000  # for which the estimates are looked at one by one


class Estimates(ABC):
    """Estimates of independent features, of which some are alike."""

    @abstractmethod
    def log_near(self, k: int, rows: IntArray, epsilon: float) -> FloatArray:
        """Log probability that those of class k alone are near, by its `rows` (c,), shape (c,)."""

    @abstractmethod
    def log_near_together(self, m: int, epsilon: float) -> float:
        """The same of what is estimated from all m rows together."""

    @abstractmethod
    def most(self, m: int, rows: float, epsilon: float) -> float:
        """A bound, which falls with m, on the probability that some feature's estimate is off.

        Of m rows, at least `rows` are of each class.
        """


@dataclass(frozen=True, eq=False)
class OfBits(Estimates):
    """Probabilities (count + laplace) / (rows + 2 laplace).

    Attributes
    ----------
    p
        What is estimated, for each kind of bit in both classes, shape (2, g).
    times
        How many bits are of each kind, shape (g,).
    laplace
        What smooths; without it, a class without rows has no estimates.
    """

    p: FloatArray
    times: IntArray
    laplace: float

    @classmethod
    def of(cls, p: FloatArray, laplace: float) -> OfBits:
        """Estimates of n bits with probabilities p (2, n)."""
        kinds, times = np.unique(p, axis=1, return_counts=True)
        return cls(kinds, times, laplace)

    def log_near(self, k: int, rows: IntArray, epsilon: float) -> FloatArray:
        """See `Estimates`."""
        total = np.zeros(len(rows))
        size = rows + 2 * self.laplace
        reach = epsilon + TIE
        for p, times in zip(self.p[k], self.times, strict=True):
            low = np.ceil((p - reach) * size - self.laplace)
            high = np.floor((p + reach) * size - self.laplace)
            off = np.asarray(
                scipy.stats.binom.cdf(low - 1, rows, p) + scipy.stats.binom.sf(high, rows, p)
            )
            with np.errstate(divide="ignore"):  # what is surely off
                total += times * np.log1p(-np.minimum(off, 1.0))
        return np.where(size > 0, total, -np.inf)

    def log_near_together(self, m: int, epsilon: float) -> float:
        """See `Estimates`: nothing is."""
        return 0.0

    def most(self, m: int, rows: float, epsilon: float) -> float:
        """See `Estimates`; smoothing moves an estimate by laplace / (rows + 2 laplace) at most."""
        left = epsilon - self.laplace / (rows + 2 * self.laplace) if self.laplace else epsilon
        if left <= 0:
            return math.inf
        return 4 * int(self.times.sum()) * math.exp(-2 * left**2 * rows)


@dataclass(frozen=True, eq=False)
class OfNormals(Estimates):
    """Means of normal features in both classes, and the variances that these share.

    A variance is the sum of squared deviations over m.

    Attributes
    ----------
    variances
        Of each kind of feature, shape (g,).
    times
        How many features are of each kind, shape (g,).
    """

    variances: FloatArray
    times: IntArray

    @classmethod
    def of(cls, variances: FloatArray) -> OfNormals:
        """Estimates of n features with variances (2, n); UserError where the classes differ."""
        if not np.array_equal(*variances):
            raise UserError("the estimate of variances that the classes do not share is not known")
        kinds, times = np.unique(variances[0], return_counts=True)
        return cls(kinds, times)

    def log_near(self, k: int, rows: IntArray, epsilon: float) -> FloatArray:
        """See `Estimates`; a class without rows has no mean."""
        z = epsilon * np.sqrt(rows[:, None] / self.variances)
        with np.errstate(divide="ignore"):
            total = np.log1p(-2 * ndtr(-z)) @ self.times
        return np.where(rows > 0, total, -np.inf)

    def log_near_together(self, m: int, epsilon: float) -> float:
        """See `Estimates`."""
        off = self._variance_off(m, epsilon)
        with np.errstate(divide="ignore"):
            return float(np.log1p(-np.minimum(off, 1.0)) @ self.times)

    def _variance_off(self, m: int, epsilon: float) -> FloatArray:
        """Probability that the variance of each kind of feature is off, (g,)."""
        if m <= 2:
            return (self.variances > epsilon + TIE).astype(float)
        ends = m * (1 + np.array([[-1.0], [1.0]]) * epsilon / self.variances)
        return np.asarray(
            scipy.stats.chi2.cdf(ends[0], m - 2) + scipy.stats.chi2.sf(ends[1], m - 2)
        )

    def most(self, m: int, rows: float, epsilon: float) -> float:
        """See `Estimates`."""
        means = 4 * ndtr(-epsilon * np.sqrt(rows / self.variances))
        return float((means + self._variance_off(m, epsilon)) @ self.times)


@dataclass(frozen=True, eq=False)
class Sampling:
    """How training rows come to their classes, and what is estimated of these.

    Attributes
    ----------
    share
        Probability of the second class.
    stratified
        Whether half of the rows are of each class; else they are drawn.
    smoothing
        l of the estimated share (rows of the class + l) / (m + 2 l); None where none is estimated.
    """

    share: float
    stratified: bool
    smoothing: float | None

    @property
    def rarer(self) -> float:
        """Probability of the rarer class."""
        return min(self.share, 1 - self.share)

    @property
    def step(self) -> int:
        """Sizes are multiples of it."""
        return 2 if self.stratified else 1


def rows_needed(sampling: Sampling, estimates: Estimates, epsilon: float, delta: float) -> int:
    """The least m from which on all estimates are within epsilon with probability 1 - delta.

    So no larger m falls short of it. Raises UserError where that takes too many rows.
    """
    last = _surely(sampling, estimates, epsilon, delta)
    if not 0 < last <= MOST_ROWS:
        raise UserError(f"more than {MOST_ROWS:,} rows may be needed, too many to look at")
    step = sampling.step
    within = Within(sampling, estimates, epsilon, last + step)
    for m in range(last - last % step, 0, -step):
        if within.probability(m) < 1 - delta:
            return m + step
    return step


@dataclass(frozen=True, eq=False)
class Within:
    """Probabilities that all estimates are within epsilon, for up to `most` rows."""

    sampling: Sampling
    estimates: Estimates
    epsilon: float
    most: int

    @cached_property
    def _logs(self) -> tuple[FloatArray, FloatArray]:
        """Of each class's own estimates, by its number of rows."""
        rows = np.arange(self.most + 1)
        first, second = (self.estimates.log_near(k, rows, self.epsilon) for k in range(2))
        return first, second

    def probability(self, m: int) -> float:
        """That of m rows."""
        first, second = self._logs
        together = self.estimates.log_near_together(m, self.epsilon)
        if self.sampling.stratified:
            return math.exp(first[m // 2] + second[m // 2] + together)
        share, smoothing = self.sampling.share, self.sampling.smoothing
        reach = REACH * math.sqrt(m * share * (1 - share)) + REACH
        rows = np.arange(
            max(math.floor(m * share - reach), 0), min(math.ceil(m * share + reach), m) + 1
        )
        if smoothing is not None:
            estimate = (rows + smoothing) / (m + 2 * smoothing)
            rows = rows[np.abs(estimate - share) <= self.epsilon + TIE]
        near = np.exp(first[m - rows] + second[rows] + together)
        return float(scipy.stats.binom.pmf(rows, m, share) @ near)


def _surely(sampling: Sampling, estimates: Estimates, epsilon: float, delta: float) -> int:
    """Rows from which on all is near by bounds that fall with m; 0 for none."""
    if sampling.stratified:
        return first_row(lambda m: estimates.most(m, m // 2, epsilon) <= delta)
    of_share = min(epsilon, sampling.rarer / 2)

    def holds(m: int) -> bool:
        smoothing = sampling.smoothing or 0.0
        left = of_share - smoothing / (m + 2 * smoothing) if smoothing else of_share
        if left <= 0:
            return False
        rows = (sampling.rarer - of_share) * m
        return 2 * math.exp(-2 * left**2 * m) + estimates.most(m, rows, epsilon) <= delta

    return first_row(holds)
