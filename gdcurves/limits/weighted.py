"""Populations as points with weights: cells of a discrete law, draws from a continuous one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.fitters.batch import Fit, LinearFit
from gdcurves.fitters.diagnostics import Diagnostics
from gdcurves.fitters.discriminative import finite_and_leading
from gdcurves.fitters.features import Layout, design
from gdcurves.fitters.generative import Statistics
from gdcurves.fitters.likelihood import combination
from gdcurves.fitters.maps import LINEAR, FeatureMap
from gdcurves.fitters.rules import LinearRules
from gdcurves.limits.normals import Moments
from gdcurves.limits.points import points
from gdcurves.limits.risk import Risk
from gdcurves.logistic.certificates import Outcome
from gdcurves.logistic.limit import decide
from gdcurves.scoring.judged import Judged
from gdcurves.simulators import Bernoulli, Blocks, Cells, Gaussian


class Discrete:
    """Populations of discrete inputs, of whose covariances nobody asks."""

    @property
    def covariance(self) -> FloatArray:
        """See `Population`."""
        raise NotImplementedError

    @property
    def covariances(self) -> FloatArray:
        """See `Population`."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Weighted(ABC):
    """Population of u points.

    Attributes
    ----------
    input_names
        Names of the inputs.
    x
        Inputs of the points, shape (u, d).
    mass
        Probability of each point within each class, shape (u, K).
    priors, shares
        Probabilities of the classes in training and in testing, shape (K,).
    """

    input_names: tuple[str, ...]
    x: FloatArray | IntArray
    mass: FloatArray
    priors: FloatArray
    shares: FloatArray

    @property
    @abstractmethod
    def statistics(self) -> Statistics:
        """See `Population`."""

    @property
    @abstractmethod
    def covariance(self) -> FloatArray:
        """See `Population`."""

    @abstractmethod
    def log_densities(self) -> FloatArray:
        """Log density of each class at the points, shape (u, K)."""

    def _features(self, feature_map: FeatureMap) -> FloatArray:
        """Feature vectors of the points, shape (u, q)."""
        layout = self.statistics.layout
        origin = np.zeros(len(layout.continuous))
        return feature_map.vectors(design(self.x, layout.levels), layout, origin)

    def best(self, ratios: FloatArray, feature_map: FeatureMap, factors: FloatArray) -> LinearFit:
        """See `Population`; a separable population has a direction without a finite part."""
        features = self._features(feature_map)
        point, y = np.nonzero(self.mass)
        values = np.einsum("uq,krq->ukr", features, ratios)[point]
        weight = (self.mass * self.priors)[point, y]
        goal = combination(y[None], values[None], ratios[None], factors, weight[None] * len(y))
        limit = decide(goal.rows, goal.multiplicity, goal.n_others)
        weights, leading = finite_and_leading(limit, limit.direction[None])
        assert goal.to_theta is not None
        overlap = limit.outcome[0] == Outcome.OVERLAP
        if limit.outcome[0] == Outcome.SEPARABLE:
            leading, weights = weights, leading
        direction = None if overlap else goal.to_rules(leading)
        theta = goal.to_theta(weights[0]) if overlap else None
        return Fit(
            LinearRules(goal.to_rules(weights), direction, feature_map),
            Diagnostics(outcome=limit.outcome, theta=theta),
        )

    def logistic(self) -> LinearFit:
        """See `Population`: each feature of each class is a score of its own."""
        n_others = len(self.priors) - 1
        q = self.statistics.layout.n_columns
        ratios = np.zeros((n_others, n_others, q - 1, q))
        for k in range(n_others):
            ratios[k, k, :, 1:] = np.eye(q - 1)
        n_scores = n_others * (q - 1)
        fit = self.best(ratios.reshape(n_others, n_scores, q), LINEAR, np.ones(n_scores))
        return replace(fit, diagnostics=replace(fit.diagnostics, theta=None))

    def scored(self, rules: LinearRules) -> Scored:
        """Tell what one rule says of the points."""
        features = self._features(rules.feature_map)
        direction = None if rules.direction is None else _scores(features, rules.direction)
        return Scored(self, _scores(features, rules.weights), direction)

    def risk(self, fit: LinearFit) -> Risk:
        """Error and expected log loss of a rule; the accuracy is that of the sums."""
        return self.scored(fit.rules).risk

    def bayes(self) -> Risk:
        """Error and expected log loss of the Bayes rule."""
        log_p = self.log_densities() + np.log(self.shares)
        impossible = np.isneginf(log_p)
        finite = np.where(impossible, 0.0, log_p)
        direction = -impossible.astype(float)
        return self.of_judged(
            Judged.of(
                (finite[:, 1:] - finite[:, :1]).T[:, :, None],
                (direction[:, 1:] - direction[:, :1]).T[:, :, None],
            )
        )

    def of_judged(self, judged: Judged) -> Risk:
        """Error and expected log loss of a rule that judges the u points."""
        error = logloss = 0.0
        for k, share in enumerate(self.shares):
            mass = share * self.mass[:, k]
            error += float(mass @ (judged.predicted[:, 0] != k))
            loss = judged.loss(k)[:, 0]
            if judged.excluded is not None:
                impossible = judged.excluded[k, :, 0]
                loss = np.where(impossible, 0.0, loss)
                logloss += np.inf if (mass @ impossible) > 0 else 0.0
            logloss += float(mass @ loss)
        rounding = np.finfo(float).eps * len(self.mass)
        return Risk(error, logloss, rounding, rounding)


@dataclass(frozen=True, eq=False)
class Scored:
    """Points, and what one rule says of them.

    Attributes
    ----------
    points
        The u points.
    scores
        Of the classes 1 ... K - 1 against class 0, shape (K - 1, u, 1).
    direction
        The same, infinitely more, shape (K - 1, u, 1); None where the rule has no such part.
    """

    points: Weighted
    scores: FloatArray
    direction: FloatArray | None

    @property
    def risk(self) -> Risk:
        """Error and expected log loss."""
        return self.points.of_judged(Judged.of(self.scores, self.direction))


def _scores(features: FloatArray, rules: FloatArray) -> FloatArray:
    """Scores (K - 1, u, 1) of one rule (1, 1, K - 1, q)."""
    scores: FloatArray = (features @ rules[0, 0].T).T[:, :, None]
    return scores


@dataclass(frozen=True, eq=False)
class AllCells(Discrete, Weighted):
    """All cells of a law of discrete features: sums over them are exact.

    Attributes
    ----------
    levels
        Number of levels of each feature.
    """

    levels: tuple[int, ...]
    method = "sum over cells"

    @classmethod
    def of(
        cls, law: Bernoulli | Cells | Blocks, priors: FloatArray, shares: FloatArray
    ) -> AllCells:
        """Enumerate a law, with `priors` and `shares` (K,).

        Raises UserError where it has too many cells.
        """
        x, mass = law.cells()
        return cls(law.features, x, mass, priors, shares, law.levels)

    @cached_property
    def statistics(self) -> Statistics:
        """See `Population`."""
        n = self.priors[None]
        counts = (self.mass * self.priors).T @ design(self.x, self.levels)
        nothing = np.zeros((1, len(self.priors), 0))
        layout = Layout.of(self.levels)
        return Statistics(
            layout, n, counts[None, :, 1:], nothing[:, 0], nothing, nothing, nothing[:, 0]
        )

    @property
    def second_moments(self) -> FloatArray:
        """See `Population`."""
        features = design(self.x, self.statistics.layout.levels)
        return np.stack([(features.T * mass) @ features for mass in self.mass.T])

    def log_densities(self) -> FloatArray:
        """See `Weighted`."""
        with np.errstate(divide="ignore"):  # an impossible cell has a log probability of -inf
            return np.log(self.mass)


@dataclass(frozen=True, eq=False)
class Cloud(Moments, Weighted):
    """Quasi-random points of three or more normal classes.

    Attributes
    ----------
    means, covariances
        Of the classes, shapes (K, d) and (K, d, d).
    """

    means: FloatArray
    covariances: FloatArray
    method = "quasi-Monte Carlo"

    @classmethod
    def of(
        cls, law: Gaussian, priors: FloatArray, shares: FloatArray, n: int, rng: np.random.Generator
    ) -> Cloud:
        """Draw n points, a power of two, of each class; `priors` and `shares` (K,)."""
        means, covariances = law.moments()
        drawn = points(means, covariances, n, rng)
        mass = np.repeat(np.eye(len(means)) / n, n, axis=0)
        x = drawn.reshape(-1, drawn.shape[2])
        return cls(law.features, x, mass, priors, shares, means, covariances)

    def log_densities(self) -> FloatArray:
        """See `Weighted`."""
        laws = zip(self.means, self.covariances, strict=True)
        return np.column_stack(
            [scipy.stats.multivariate_normal(*law).logpdf(self.x) for law in laws]
        )
