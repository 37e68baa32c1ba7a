"""Populations of counts: Poisson features, and bits of which it matters how many are ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.errors import UserError
from gdcurves.fitters.batch import LinearFit
from gdcurves.fitters.features import Layout
from gdcurves.fitters.generative import Statistics
from gdcurves.fitters.maps import FeatureMap
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.fitters.rules import LinearRules
from gdcurves.limits.normals import Moments
from gdcurves.limits.risk import Risk
from gdcurves.limits.spread import MOST_DENSE
from gdcurves.limits.weighted import Discrete, Scored, Weighted
from gdcurves.simulators import Blocks, Poisson
from gdcurves.simulators.poisson import MOST_CELLS, TAIL


@dataclass(frozen=True, eq=False)
class Counts(Moments, Weighted):
    """Independent counts, all but what is nothing beside the rest.

    Attributes
    ----------
    means, covariances
        Of the counts in each class, shapes (K, d) and (K, d, d).
    logs
        Log probabilities of the points in each class, shape (u, K).
    """

    means: FloatArray
    covariances: FloatArray
    logs: FloatArray
    method = f"sum over counts, all but {TAIL:g} at each end"

    @classmethod
    def of_poisson(cls, law: Poisson, priors: FloatArray, shares: FloatArray) -> Counts:
        """Counts of a law, with `priors` and `shares` (K,).

        Raises UserError where there are too many cells.
        """
        x, mass = law.cells()
        logs = np.stack(
            [np.asarray(scipy.stats.poisson.logpmf(x, each)).sum(axis=1) for each in law.rates],
            axis=1,
        )
        return cls(law.features, x, mass, priors, shares, law.rates, _diagonal(law.rates), logs)

    @classmethod
    def of_bits(
        cls, sizes: IntArray, p: FloatArray, priors: FloatArray, shares: FloatArray
    ) -> Counts:
        """Numbers of ones in G groups of bits, of `sizes` (G,) and with probabilities p (K, G).

        Classes have probabilities `priors` (K,) in training and `shares` (K,) in testing.

        Raises UserError where there are too many cells.
        """
        ends = [
            np.asarray(each(TAIL, sizes, p))
            for each in (scipy.stats.binom.ppf, scipy.stats.binom.isf)
        ]
        low, high = np.maximum(ends[0].min(axis=0), 0), np.minimum(ends[1].max(axis=0), sizes)
        ranges = [np.arange(a, b + 1) for a, b in zip(low, high, strict=True)]
        if np.prod([float(len(each)) for each in ranges]) > MOST_CELLS:
            raise UserError("the bits are of too many kinds for their limits; use fewer blocks")
        grid = np.meshgrid(*ranges, indexing="ij")
        x = np.stack(grid, axis=-1).reshape(-1, len(ranges)).astype(np.float64)
        logs = np.stack(
            [np.asarray(scipy.stats.binom.logpmf(x, sizes, each)).sum(axis=1) for each in p], axis=1
        )
        names = tuple(f"n{i + 1}" for i in range(len(sizes)))
        means, covariances = sizes * p, _diagonal(sizes * p * (1 - p))
        return cls(names, x, np.exp(logs), priors, shares, means, covariances, logs)

    def log_densities(self) -> FloatArray:
        """See `Weighted`."""
        return self.logs


@dataclass(frozen=True, eq=False)
class ManyBits(Discrete):
    """Population of two classes of independent bits in blocks, too many for their cells.

    Rules whose weights are alike for bits that are depend on their numbers of ones alone.

    Attributes
    ----------
    law
        Blocks of bits.
    priors, shares
        Probabilities of the classes in training and in testing, shape (2,).
    """

    law: Blocks
    priors: FloatArray
    shares: FloatArray
    method = Counts.method

    @property
    def input_names(self) -> tuple[str, ...]:
        """See `Population`."""
        return self.law.features

    @cached_property
    def statistics(self) -> Statistics:
        """See `Population`."""
        nothing = np.zeros((1, 2, 0))
        p = np.stack([1 - self.law.means, self.law.means], axis=2).reshape(2, -1)
        return Statistics(
            Layout.of(self.law.levels),
            self.priors[None],
            (self.priors[:, None] * p)[None],
            nothing[:, 0],
            nothing,
            nothing,
            nothing[:, 0],
        )

    @property
    def second_moments(self) -> FloatArray:
        """See `Population`."""
        d = len(self.law.features)
        if d > MOST_DENSE:
            raise UserError(f"moments of {d:,} bits are too many; use {MOST_DENSE:,} or fewer")
        p = np.stack([1 - self.law.means, self.law.means], axis=2).reshape(2, -1)
        one = np.concatenate([np.ones((2, 1)), p], axis=1)
        moments: FloatArray = one[:, :, None] * one[:, None, :]
        own = np.repeat(np.arange(d), 2)
        moments[:, 1:, 1:][:, own[:, None] == own] = 0.0  # a bit has one of its levels
        of_levels = np.arange(1, 2 * d + 1)
        moments[:, of_levels, of_levels] = p
        return moments

    @cached_property
    def _by_probability(self) -> Counts:
        """Numbers of ones among bits of equal probabilities."""
        p, sizes = np.unique(self.law.means, axis=1, return_counts=True)
        return Counts.of_bits(sizes, p, self.priors, self.shares)

    def logistic(self) -> LinearFit:
        """See `Population`: log odds of independent bits are linear, as naive Bayes has them."""
        return NaiveBayes(laplace=0.0, prior="empirical").population(self)

    def best(self, ratios: FloatArray, feature_map: FeatureMap, factors: FloatArray) -> LinearFit:
        """See `Population`."""
        raise UserError("the limit of such a combination is not known for so many bits")

    def scored(self, rules: LinearRules) -> Scored:
        """Tell what one rule says of numbers of ones; UserError for weights of many kinds."""
        if rules.feature_map.n_products(self.statistics.layout):
            raise UserError("the limit of such a rule is not known for so many bits")
        kinds = [self.law.means.T]
        parts = [rules.weights] + ([] if rules.direction is None else [rules.direction])
        kinds += [each[0, 0, 0, 1:].reshape(-1, 2) for each in parts]
        alike, first, sizes = np.unique(
            np.hstack(kinds), axis=0, return_index=True, return_counts=True
        )
        counts = Counts.of_bits(sizes, self.law.means[:, first], self.priors, self.shares)
        scores = []
        for number, each in enumerate(parts):
            at_zero, at_one = alike[:, 2 + 2 * number], alike[:, 3 + 2 * number]
            score = each[0, 0, 0, 0] + sizes @ at_zero + counts.x @ (at_one - at_zero)
            scores.append(score[None, :, None])
        return Scored(counts, scores[0], scores[1] if len(scores) > 1 else None)

    def risk(self, fit: LinearFit) -> Risk:
        """Error and expected log loss of a rule; UserError where its weights are of many kinds."""
        return self.scored(fit.rules).risk

    def bayes(self) -> Risk:
        """Error and expected log loss of the Bayes rule."""
        return self._by_probability.bayes()


def _diagonal(variances: FloatArray) -> FloatArray:
    """Covariances (K, d, d) of independent counts with these variances (K, d)."""
    return np.stack([np.diag(each) for each in variances])
