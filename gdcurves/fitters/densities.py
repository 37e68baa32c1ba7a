"""Independent features: each input's density given the class, as naive Bayes and hybrids use it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from pydantic import AfterValidator, Field

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.config.strict import AS_WHOLE, wrong
from gdcurves.fitters.base import Fitter
from gdcurves.fitters.batch import Batch
from gdcurves.fitters.features import Layout
from gdcurves.fitters.generative import Statistics, against_first, continuous, nearest_mean
from gdcurves.fitters.maps import LINEAR, SQUARES, FeatureMap

# Residuals below this share of a feature's deviations are rounding: the variance is zero.
ROUNDING = 1e-14
# A row that takes all but this share of a scatter with it leaves nothing but rounding.
DOWNDATE_ROUNDING = 1e-12
LEAST_OPTION = 1e-100


def no_tiny(value: float) -> float:
    """Refuse what its inverse would overflow for."""
    if 0 < value < LEAST_OPTION:
        raise wrong(f"found {value}; write 0, or {LEAST_OPTION} or more")
    return value


Addend = Annotated[float, Field(ge=0, allow_inf_nan=False), AfterValidator(no_tiny)]


@dataclass(frozen=True)
class Terms:
    """Log density ratios of the classes 1 ... K - 1 against class 0, input by input.

    The ratio of input i is its intercept plus the slopes of its columns times their values.

    Attributes
    ----------
    layout
        Which columns belong to which input.
    feature_map
        The map that makes the columns.
    intercepts
        One for each input, shape (B, K - 1, d).
    slopes
        One for each column but the first, shape (B, K - 1, q - 1).
    degenerate
        Training sets with a variance that is zero or cannot be had, shape (B,).
    infinite
        What tends to infinity, faster than everything finite; None where nothing does.
    """

    layout: Layout
    feature_map: FeatureMap
    intercepts: FloatArray
    slopes: FloatArray
    degenerate: BoolArray
    infinite: Terms | None = None

    @property
    def owner(self) -> IntArray:
        """Input of each column but the first, shape (q - 1,)."""
        if self.feature_map is LINEAR:
            return self.layout.owner
        return np.concatenate([self.layout.owner, self.layout.continuous])

    def weights(self, inputs: list[int] | None = None) -> FloatArray:
        """Weights (B, K - 1, q) of the log ratio of some inputs together; of all unless given."""
        if inputs is None:
            intercept, slopes = self.intercepts.sum(axis=2), self.slopes
        else:
            intercept = self.intercepts[:, :, inputs].sum(axis=2)
            slopes = np.where(np.isin(self.owner, inputs), self.slopes, 0.0)
        return np.concatenate([intercept[:, :, None], slopes], axis=2)


class Densities(Fitter):
    """Options and estimates of the densities.

    Discrete inputs: (count + l) / (n_y + l * levels_i). Continuous inputs: normal, with the means
    of the classes and a variance of each feature that is shared by the classes (squared deviations
    over m - ddof * classes) or of each class's own (over n_y - ddof), plus epsilon.

    A class whose own variance, epsilon included, is zero or needs more rows takes the shared one: a
    single row has epsilon for a variance. A shared variance of zero stands for the limit from
    above.

    Attributes
    ----------
    laplace
        The l that is added to the counts of levels and classes, and to those of Poisson densities.
    variance
        Of continuous inputs: one for each, `shared` by the classes, or each class's own, which is
        known as Gaussian naive Bayes.
    ddof
        What divisors of variances lack: m - K ddof, or n_y - ddof of a class's own.
    epsilon
        Added to variances. Ng & Jordan add one without giving its value; ours is for inputs that
        are rescaled to [0, 1].
    """

    laplace: Addend = 1.0
    variance: Literal["shared", "per_class"] = "shared"
    ddof: Annotated[int, Field(ge=0, le=1000), AS_WHOLE] = 0
    epsilon: Addend = 1e-3

    def terms(self, statistics: Statistics, centre: FloatArray) -> Terms:
        """Log density ratios from the classes' statistics.

        Squares are measured from `centre` (c,).
        """
        layout = statistics.layout
        n_problems, n_classes = statistics.n.shape
        squares = self.variance == "per_class" and len(layout.continuous)
        feature_map = SQUARES if squares else LINEAR
        n_slopes = layout.n_columns - 1 + feature_map.n_products(layout)
        terms = Terms(
            layout,
            feature_map,
            np.zeros((n_problems, n_classes - 1, len(layout.widths))),
            np.zeros((n_problems, n_classes - 1, n_slopes)),
            np.zeros(n_problems, dtype=bool),
        )
        infinite = replace(
            terms,
            intercepts=np.zeros_like(terms.intercepts),
            slopes=np.zeros_like(terms.slopes),
        )
        needed = layout.discrete.any() and self._put_levels(statistics, terms, infinite)
        if len(layout.continuous):
            needed = self._put_continuous(statistics, centre, terms, infinite) or needed
        return replace(terms, infinite=infinite) if needed else terms

    def _put_levels(self, statistics: Statistics, terms: Terms, infinite: Terms) -> bool:
        """Fill in the log-ratios of the levels; tells whether some probability is zero."""
        layout = statistics.layout
        columns = np.flatnonzero(layout.discrete[layout.owner])
        levels = np.array(layout.widths)[layout.owner[columns]]
        numerator = statistics.counts[:, :, columns] + self.laplace
        denominator = statistics.n[:, :, None] + self.laplace * levels
        zero = numerator == 0
        log_p = np.log(np.where(zero, 1.0, numerator))
        log_p -= np.log(np.where(denominator == 0, 1.0, denominator))
        terms.slopes[:, :, columns] = against_first(log_p)
        if zero.any():
            infinite.slopes[:, :, columns] = against_first(-zero.astype(float))
        return bool(zero.any())

    def _put_continuous(
        self, statistics: Statistics, centre: FloatArray, terms: Terms, infinite: Terms
    ) -> bool:
        """Fill in the log-ratios of the normal densities; tells whether some variance is zero."""
        inputs = statistics.layout.continuous
        columns = statistics.layout.starts[inputs] - 1
        shared, own, degenerate = self.variances(statistics)
        terms.degenerate[:] = degenerate.any(axis=1)
        zero = shared == 0
        origin = statistics.origin
        if terms.feature_map is LINEAR:
            precision = 1.0 / np.where(zero, np.inf, shared)
            terms.intercepts[:, :, inputs], terms.slopes[:, :, columns] = nearest_mean(
                statistics.mean, precision, origin
            )
        else:
            origin = origin - centre
            variance = np.where(own == 0, np.inf, own)
            mean = statistics.mean + origin[:, None, :]
            log_scale = np.log(np.where(own == 0, 1.0, own))
            terms.intercepts[:, :, inputs] = -0.5 * against_first(log_scale + mean**2 / variance)
            terms.slopes[:, :, columns] = against_first(mean / variance)
            squares = slice(statistics.layout.n_columns - 1, None)
            terms.slopes[:, :, squares] = -0.5 * against_first(1.0 / variance)
        if zero.any():
            infinite.intercepts[:, :, inputs], infinite.slopes[:, :, columns] = nearest_mean(
                statistics.mean, zero.astype(float), origin
            )
        return bool(zero.any())

    def variances(self, statistics: Statistics) -> tuple[FloatArray, FloatArray, BoolArray]:
        """Variances of the continuous inputs, zero where they are rounding.

        Returns the shared ones, shape (B, c), those of each class, shape (B, K, c), and for which
        inputs a variance is zero or was replaced, shape (B, c).
        """
        n_rows = statistics.n.sum(axis=1)
        scatter = statistics.scatter.sum(axis=1)
        shared = self._estimate(
            scatter, statistics.size, (n_rows - self.ddof * statistics.n_classes_present)[:, None]
        )
        if self.variance == "shared":
            return shared, np.broadcast_to(shared[:, None], statistics.scatter.shape), shared == 0
        rows_left = (statistics.n - self.ddof)[:, :, None]
        own = self._estimate(statistics.scatter, statistics.size[:, None], rows_left)
        replaced = ((rows_left <= 0) | (own == 0)) & (statistics.n > 0)[:, :, None]
        own = np.where(replaced, shared[:, None], own)
        return shared, own, replaced.any(axis=1)

    def _estimate(self, scatter: FloatArray, size: FloatArray, divisor: FloatArray) -> FloatArray:
        """Variance plus epsilon; a divisor that is not positive counts as 1."""
        # Rows are whole numbers, and a law's probabilities are a divisor in their own right.
        variance = scatter / np.where(divisor > 0, divisor, 1.0)
        return np.where(scatter <= ROUNDING**2 * size, 0.0, variance) + self.epsilon

    def ratios_without_own_row(
        self, batch: Batch, statistics: Statistics
    ) -> tuple[FloatArray, BoolArray]:
        """Log density ratios of each row, input by input, from a fit without that row.

        Returns the ratios, shape (B, m, K - 1, d), and the rows of classes that keep enough rows
        for such a fit, shape (B, m). No fit is done again: a row that leaves moves its own class's
        mean by (x - mean) / (n - 1), and takes n / (n - 1) (x - mean)^2 from the scatter.
        """
        layout = statistics.layout
        mine = batch.membership  # (B, K, m)
        n_left = statistics.n[:, :, None] - mine  # rows of each class without each row
        least = self.ddof if self.variance == "per_class" and len(layout.continuous) else 0
        enough = np.einsum("bkm,bkm->bm", mine, n_left) > least
        n_problems, n_rows, n_inputs = batch.x.shape
        log_p = np.zeros((n_problems, statistics.n.shape[1], n_rows, n_inputs))
        if layout.discrete.any():
            log_p[:, :, :, layout.discrete] = self._levels_without(batch, statistics, n_left)
        if len(layout.continuous):
            log_p[:, :, :, layout.continuous] = self._normals_without(batch, statistics, n_left)
        return against_first(log_p).transpose(0, 2, 1, 3), enough

    def _levels_without(
        self, batch: Batch, statistics: Statistics, n_left: FloatArray
    ) -> FloatArray:
        """Log-probabilities of each row's levels without it, (B, K, m, discrete inputs)."""
        layout = statistics.layout
        which = np.flatnonzero(layout.discrete)
        columns = batch.x[:, :, which].astype(np.int64) + layout.starts[which] - 1
        n_problems = len(columns)
        counts = statistics.counts[
            np.arange(n_problems)[:, None, None, None],
            np.arange(statistics.n.shape[1])[None, :, None, None],
            columns[:, None],
        ]
        numerator = counts - batch.membership[:, :, :, None] + self.laplace
        levels = np.array(layout.widths)[which]
        denominator = n_left[:, :, :, None] + self.laplace * levels
        # What is not positive belongs to rows that are left out: no matter, but no NaN either.
        log_p: FloatArray = np.log(np.maximum(numerator, LEAST_OPTION))
        log_p -= np.log(np.maximum(denominator, LEAST_OPTION))
        return log_p

    def _normals_without(
        self, batch: Batch, statistics: Statistics, n_left: FloatArray
    ) -> FloatArray:
        """Log-densities of each row's numbers without it, (B, K, m, continuous inputs)."""
        mine = batch.membership[:, :, :, None]
        x = continuous(batch) - statistics.origin[:, None, :]
        deviation = (
            x[:, None] - statistics.mean[:, :, None]
        )  # (B, K, m, c), from the mean with the row
        kept = np.maximum(n_left, 1.0)[:, :, :, None]
        growth = 1.0 + mine / kept  # n / (n - 1) for the row's own class
        before = statistics.scatter[:, :, None]
        scatter = before - mine * growth * deviation**2
        scatter = np.where(scatter > DOWNDATE_ROUNDING * before, scatter, 0.0)
        without = replace(
            statistics,
            n=n_left.transpose(0, 2, 1).reshape(-1, n_left.shape[1]),
            scatter=scatter.transpose(0, 2, 1, 3).reshape(-1, *statistics.scatter.shape[1:]),
            size=np.repeat(statistics.size, x.shape[1], axis=0),
        )
        _, own, _ = self.variances(without)
        variance = own.reshape(*x.shape[:2], *own.shape[1:]).transpose(0, 2, 1, 3)
        zero = variance == 0
        quotient = (growth * deviation) ** 2 / np.where(zero, np.inf, variance)
        return -0.5 * (np.log(np.where(zero, 1.0, variance)) + quotient)
