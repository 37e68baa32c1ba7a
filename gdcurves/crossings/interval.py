"""How sure a mean difference over the splits of one data set is: for these data, and for others.

`Spread.half_width` is the Monte Carlo part alone, `Spread.nadeau_bengio` guesses from the splits
what other data would give, and `of_units` and `of_blocks` read it off them, unit by unit. A unit is
a row, or a group of rows that stay together: other data then have other groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.crossings.crossing import LEVEL
from gdcurves.scoring.sums import UnitSums, together
from gdcurves.units import LEAST_TESTED

# A verdict needs units on which the classifiers differ, as many as make a sign test say so at 95 %,
# and more units than these.
LEAST_DIFFERING = 6
# Where the jackknife's interval is this many times Nadeau & Bengio's, both err: see `half_width`.
FAR_APART = 1.5
AGREED = 1e-12  # standard deviation of splits that all say the same, but for rounding
# Standard errors of the jackknife's variance: up to so many below it, it is sure, and up to so many
# above it, it is open. Fewer of the latter leave coin flips more verdicts, more of them make the
# intervals of 1000 rows of bits too wide.
SURE, OPEN = 1.0, 1.5


@dataclass(frozen=True)
class Spread:
    """A mean difference over splits.

    Attributes
    ----------
    n_splits
        Number J of splits.
    deviation
        Standard deviation s of the difference, over the splits; NaN for one split.
    n_train, n_test
        Units of training and of test sets.
    """

    n_splits: int
    deviation: float
    n_train: int
    n_test: int

    def half_width(self, test_per_train: float = 0.0) -> float:
        """Half the interval by t with J - 1 degrees of freedom; NaN for one split.

        Nadeau & Bengio (2003), "Inference for the generalization error", Machine Learning 52: the
        variance of the mean is (1 / J + n_test / n_train) s^2. The second term, `test_per_train`,
        stands for the correlation of splits of one data set. It is cautious where there are more
        test than training units. Without it, the interval is the splits' own.
        """
        if self.n_splits < 2:
            return np.nan
        t = stdtrit(self.n_splits - 1, (1 + LEVEL) / 2)
        return float(t * self.deviation * np.sqrt(1 / self.n_splits + test_per_train))

    def unseen(self) -> float:
        """Half an interval where all splits agree; 0 where they do not.

        Splits that agree do not show how other data would differ. A share p of units that are
        otherwise stays unseen in all n with probability (1 - p)^n: they leave open what makes that
        2.5 %, which for many units is 3.7 / n.
        """
        if not self.deviation <= AGREED:
            return 0.0
        n: int = self.n_train + self.n_test
        return float(1 - ((1 - LEVEL) / 2) ** (1 / n))

    def nadeau_bengio(self) -> float:
        """Half of Nadeau & Bengio's interval; NaN for one split, infinite for one test unit.

        The class of a single row left out is the rarer one among all others, and so all classifiers
        err more often, and some far more than others, than on new data: no interval holds.
        """
        if self.n_test < LEAST_TESTED:
            return np.inf
        return self.half_width(self.n_test / self.n_train)

    @property
    def of_training(self) -> float:
        """Most that training units can have in the variance over data sets of the same kind.

        Hoeffding (1948), "A class of statistics with asymptotically normal distribution", Annals of
        Mathematical Statistics 19, (5.22): of the variance among training sets of m of n units, a
        mean over all of them has at most m / n; and s^2 is that variance less its m / n.
        """
        return self.deviation**2 * self.n_train / self.n_test


@dataclass(frozen=True, eq=False)
class Jackknife:
    """The variance of a mean difference over data sets of the same kind.

    Averaged over all splits a difference is a U-statistic, whose delete-one jackknife needs no new
    fit: what it would be without unit i is read off the splits that do not train on i. Cf. Wager,
    Hastie & Efron (2014), JMLR 15, on the infinitesimal jackknife, and Bayle, Bayle, Janson &
    Mackey (2020), NeurIPS 33, on the test part.

    Attributes
    ----------
    influence
        Of each unit, U - U_(-i), shape (n,); NaN where it cannot be had.
    noise
        What finite J adds to its square, shape (n,).
    test, test_noise
        The same for the mean difference on unit i less U, shape (n,): D + (n_test - 1) gap - U, so
        that groups count by their numbers of rows.
    units
        How many units each entry stands for, shape (n,): blocks have several.
    differing
        Number of units, or of blocks, on which the classifiers differ in some split.
    """

    influence: FloatArray
    noise: FloatArray
    test: FloatArray
    test_noise: FloatArray
    units: IntArray
    differing: int

    @property
    def variance(self) -> float:
        """Jackknife's, less what finite J adds; it may be negative."""
        n = len(self.influence)
        return float((n - 1) * np.nanmean(self.influence**2 - self.noise))

    @property
    def variance_error(self) -> float:
        """About how far off that is for finite J: influences taken as normal, with their noise."""
        n, known = len(self.influence), int(np.isfinite(self.noise).sum())
        own = np.maximum(self.influence**2 - self.noise, 0.0)
        squares = np.nanmean(2 * self.noise**2 + 4 * own * self.noise)
        return float((n - 1) * np.sqrt(squares / known))

    @property
    def test_variance(self) -> float:
        """The part that test units have in it, which stays where few splits leave one out."""
        n, units = len(self.test), int(self.units.sum())
        squares = n * np.nanmean(self.test**2) * n / (n - 1)
        return float((squares - n * np.nanmean(self.test_noise)) / units**2)

    @property
    def known(self) -> bool:
        """Whether most units have an influence."""
        return bool(np.isfinite(self.influence + self.noise).mean() > 0.5)

    @property
    def telling(self) -> bool:
        """Whether there are units enough, and the classifiers differ on enough, for a verdict."""
        return self.differing >= LEAST_DIFFERING and int(self.units.sum()) > LEAST_DIFFERING

    def half_width(self, spread: Spread, of_difference: bool = True) -> float:
        """Half the 95 % interval for other data of this kind.

        The jackknife's, at most Nadeau & Bengio's. Its variance is at least that of the test part.
        Of a difference, as far as the splits leave that open, and at least half of it: there the
        parts of test and training units may cancel in part, and the variance that is sure be less
        (bits in `tests/interval_coverage.py`).

        Where few units are left to test, inputs that tell nothing and classes of about one size
        make splits more alike than Nadeau & Bengio suppose, and the jackknife too wide by about as
        much: beyond `FAR_APART` times theirs, the bound grows with the root of its width (coin
        flips in `tests/interval_coverage.py`), as far as that width is no noise of few splits.

        Where the splits are so few that the jackknife's variance is less sure than half the most it
        can be, the part of training units is taken to be half the most that it can be.
        """
        widest = spread.nadeau_bengio()
        if not self.known or not np.isfinite(widest):
            return widest
        of_splits = spread.deviation**2 / spread.n_splits
        of_test = max(self.test_variance, 0.0)
        if self.variance_error > 0.5 * (of_test + spread.of_training + of_splits):
            t = float(stdtrit(spread.n_splits - 1, (1 + LEVEL) / 2))
            return float(min(widest, t * np.sqrt(of_test + spread.of_training / 2 + of_splits)))
        t = float(stdtrit(len(self.influence) - 1, (1 + LEVEL) / 2))
        least = of_test
        if of_difference:
            open_up_to = self.variance + OPEN * self.variance_error
            least = max(of_test / 2, min(of_test, open_up_to))
        own = t * np.sqrt(max(self.variance, least) + of_splits)
        sure = max(self.variance - SURE * self.variance_error, least)
        far = t * np.sqrt(sure + of_splits)
        return float(min(own, max(widest, np.sqrt(far * widest / FAR_APART))))


def of_units(sums: UnitSums, spread: Spread) -> Jackknife:
    """Jackknife from sums for every unit.

    With pi the share of the splits that train on unit i, n_train and n_test their number and that
    of the others, the noise is pi^2 var(D | trains) / n_train + var(gap - pi D | tests) / n_test,
    variances with divisor n - 1. A unit that one split trains on has the variance of all splits;
    one that fewer than two splits test has no influence.
    """
    with np.errstate(invalid="ignore", over="ignore"):  # sums that no number can hold
        tests, off, gap, differing, off_off, gap_gap, gap_off = sums.values
        s2 = spread.deviation**2
        trains = sums.n_splits - tests
        # Deviations of all splits add up to zero, their squares to (J - 1) s^2.
        of_trains = _variance(trains, -off, (sums.n_splits - 1) * s2 - off_off)
        of_trains = np.where(trains < 2, s2, of_trains)
        tests = np.where(tests < 2, np.nan, tests)
        pi = trains / sums.n_splits
        # Up to a constant, which has no variance, D is its deviation.
        gaps = _variance(tests, gap - pi * off, gap_gap - 2 * pi * gap_off + pi**2 * off_off)
        noise = pi**2 * of_trains / np.maximum(trains, 1) + gaps / tests
        others = spread.n_test - 1
        on_unit = off + others * gap
        squares = off_off + 2 * others * gap_off + others**2 * gap_gap
        return Jackknife(
            (gap - off) / tests,
            noise,
            on_unit / tests,
            _variance(tests, on_unit, squares) / tests,
            np.ones(len(tests), dtype=np.int64),
            int(np.sum(differing > 0)),
        )


def of_blocks(parts: Sequence[UnitSums], units: IntArray, spread: Spread) -> Jackknife:
    """Jackknife from sums for blocks of units, for each of several parts of the splits.

    A block's influence is the sum of its units', with the tests of a unit taken to be as many as
    its block has on average; its noise is told from how the parts differ.

    Parameters
    ----------
    parts
        Sums over the splits of each part, for G blocks.
    units
        Units of each block, shape (G,).
    spread
        Of all splits.
    """
    parts = [each for each in parts if each.n_splits]
    mean = together(parts).mean
    tests, off, gap, differing = np.array([each.about(mean).values for each in parts]).transpose(
        1, 0, 2
    )
    # What each part has to say of the mean over all splits.
    of_mean = np.array([each.n_splits * (each.mean - mean) for each in parts]) / spread.n_splits
    influence, residual = _ratio(gap - off, tests)
    on_units, on_units_residual = _ratio(off + (spread.n_test - 1) * gap, tests)
    return Jackknife(
        units * influence,
        units**2 * _noise(residual + of_mean[:, None]),
        units * on_units,
        units**2 * _noise(on_units_residual),
        units,
        int(np.sum(differing.sum(axis=0) > 0)),
    )


def _ratio(sums: FloatArray, tests: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Sums over tests, both (P, G) for P parts: ratios (G,), and what each part does, (P, G)."""
    total = np.where(tests.sum(axis=0) > 0, tests.sum(axis=0), np.nan)
    ratio = sums.sum(axis=0) / total
    return ratio, (sums - ratio * tests) / total


def _noise(residuals: FloatArray) -> FloatArray:
    """Variance (G,) of the sum of what P parts do (P, G); NaN for one part."""
    n = len(residuals)
    squares: FloatArray = (residuals**2).sum(axis=0)
    return squares * n / (n - 1) if n > 1 else np.full_like(squares, np.nan)


def _variance(n: FloatArray, total: FloatArray, squares: FloatArray) -> FloatArray:
    """Variance of n numbers from their sum and the sum of their squares, shape (n,) each."""
    with np.errstate(invalid="ignore", divide="ignore"):
        variance: FloatArray = (squares - total**2 / n) / (n - 1)
    return np.maximum(variance, 0.0)
