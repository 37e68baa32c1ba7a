"""What the discriminative classifiers share: the limit of a conditional likelihood, as rules.

A `Likelihood` says what is maximised; what follows from its limit is the same for all of them.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.config.strict import AS_WHOLE
from gdcurves.fitters.base import Fitter
from gdcurves.fitters.batch import Batch, Fit, LinearFit
from gdcurves.fitters.likelihood import Likelihood
from gdcurves.fitters.presence import by_presence, together
from gdcurves.fitters.rules import LinearRules
from gdcurves.logistic.certificates import Outcome
from gdcurves.logistic.kinds import Limit
from gdcurves.logistic.limit import decide, newton_direction

# A component of a direction below this share of the largest is zero.
ROUNDING = 1e-12


class Discriminative(Fitter):
    """Options of the limit, and the limit.

    Each training set is proved to be one of three kinds. Overlapping ones: the maximum of the
    likelihood without penalty, of least norm where columns are redundant. Separable ones, which a
    hyperplane divides without a row on it: a vector drawn uniformly from those that separate (the
    uniform measure on the unit sphere, intercept included), as in footnote 2 of Ng & Jordan (2001).
    Quasi-separable ones (some hyperplane has all rows on their own side or on it, none strictly),
    of which the paper is silent; our choice: a uniform draw from the directions that strictly
    separate the largest separable part and hold the other rows; where a row lies on the drawn
    hyperplane, the fit of those other rows decides.

    A draw is the end of `trajectories` trajectories from the centre of the cone of separating
    vectors, see `gdcurves.logistic.cone`; further draws follow at half that distance.

    A class without training rows is never predicted: the other classes are fitted without it.

    Attributes
    ----------
    draws
        Hyperplanes that are drawn where a set has no maximum; values are means over them.
    trajectories
        Of a draw, quarter periods from the centre of the cone.
    quasi_separable
        `newton` takes the direction in which Newton's method goes to infinity instead of a draw.
    """

    draws: Annotated[int, Field(ge=1, le=10_000), AS_WHOLE] = 1
    trajectories: Annotated[int, Field(ge=2, le=1_000_000), AS_WHOLE] = 10
    quasi_separable: Literal["uniform", "newton"] = "uniform"

    @abstractmethod
    def likelihood(self, batch: Batch) -> Likelihood:
        """Likelihoods of training sets in which every class is present."""

    def limit(self, goal: Likelihood) -> Limit:
        """What the likelihood of every training set tends to."""
        return decide(goal.rows, goal.multiplicity, goal.n_others)

    def fit(self, batch: Batch, rng: np.random.Generator) -> LinearFit:
        """Fit every training set of the batch."""
        parts = [(part, self._fit_present(part.batch, rng)) for part in by_presence(batch)]
        solved = together(parts, batch)
        rules, sampled = solved.rules, solved.sampled
        assert sampled is not None, "as _fit_present gives it"
        halfway = rules.some(sampled, slice(1)) if sampled.any() else None
        return replace(solved, rules=rules.some(slice(None), slice(1, None)), halfway=halfway)

    def _fit_present(self, batch: Batch, rng: np.random.Generator) -> LinearFit:
        """Fit training sets in which every class is present; the first rules are half-way ones."""
        goal = self.likelihood(batch)
        limit = self.limit(goal)
        directions, sampled = self._directions(goal, limit, rng)
        weights, leading = finite_and_leading(limit, directions)
        theta = None
        if goal.to_theta is not None:
            separable = (limit.outcome == Outcome.SEPARABLE)[:, None]
            endless = goal.to_theta(np.where(separable, weights[-1], leading[-1]))
            theta = _at_infinity(endless, goal.to_theta(weights[-1]))
        return Fit(
            LinearRules(
                goal.to_rules(weights),
                goal.to_rules(leading) if leading.any() else None,
                goal.feature_map,
            ),
            replace(goal.diagnostics, outcome=limit.outcome, theta=theta),
            sampled,
        )

    def _directions(
        self, goal: Likelihood, limit: Limit, rng: np.random.Generator
    ) -> tuple[FloatArray, BoolArray]:
        """Directions (1 + draws, B, Q), the first one half-way, and which problems are sampled."""
        half = self.trajectories // 2
        stops = [half, *(self.trajectories + half * draw for draw in range(self.draws))]
        directions = np.stack([limit.direction] * len(stops))
        sampled = np.zeros(len(limit.outcome), dtype=bool)
        for cone in limit.cones:
            these = cone.problems
            quasi = limit.outcome[these[0]] == Outcome.QUASI
            if quasi and self.quasi_separable == "newton":
                rows = goal.rows[these]
                often = np.ones(rows.shape[:2])
                if goal.multiplicity is not None:
                    often = goal.multiplicity[these]
                directions[:, these] = newton_direction(
                    rows, limit.boundary[these], often, goal.n_others
                )
            elif not quasi and goal.separating is not None:
                directions[:, these] = goal.separating(these, limit.direction[these])
            else:
                directions[:, these] = cone.sample(stops, rng)
                sampled[these] = True
        return directions, sampled


def finite_and_leading(limit: Limit, directions: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Finite parts and directions (R, B, Q) of rules from limits and directions drawn (R, B, Q).

    A hyperplane without a finite part needs no second level.
    """
    separable = (limit.outcome == Outcome.SEPARABLE)[:, None]
    quasi = (limit.outcome == Outcome.QUASI)[:, None]
    return np.where(separable, directions, limit.weights), np.where(quasi, directions, 0.0)


def _at_infinity(direction: FloatArray, finite: FloatArray) -> FloatArray:
    """Parameters (B, P) that grow in a direction, or stay where it is zero up to rounding."""
    grows = np.abs(direction) > ROUNDING * np.abs(direction).max(axis=1, keepdims=True)
    return np.where(grows, np.copysign(np.inf, direction), finite)
