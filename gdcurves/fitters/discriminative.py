"""What the discriminative classifiers share: the limit of a conditional likelihood, as rules.

A `Likelihood` says what is maximised; what follows from its limit is the same for all of them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.config.strict import AS_WHOLE
from gdcurves.fitters.base import Fitter
from gdcurves.fitters.batch import Batch, Fit
from gdcurves.fitters.features import Space
from gdcurves.fitters.generative import ABSENT
from gdcurves.fitters.likelihood import Likelihood
from gdcurves.logistic.certificates import Outcome
from gdcurves.logistic.kinds import Limit
from gdcurves.logistic.limit import decide, newton_direction

# A component of a direction below this share of the largest is zero.
ROUNDING = 1e-12


class Discriminative(Fitter):
    """Options of the limit, and the limit.

    Overlapping training sets: the maximum of the likelihood without penalty, of least norm where
    columns are redundant. Separable ones: a vector drawn uniformly from those that separate (the
    uniform measure on the unit sphere). Quasi-separable ones, our choice: a uniform draw from the
    directions that strictly separate the largest separable part and hold the other rows; where a
    row lies on the drawn hyperplane, the fit of those other rows decides. `quasi_separable: newton`
    takes instead the direction in which Newton's method goes to infinity.

    A draw is the end of `trajectories` trajectories from the centre of the cone of separating
    vectors, see `gdcurves.logistic.cone`; further draws follow at half that distance.

    A class without training rows is never predicted: the other classes are fitted without it.
    """

    draws: Annotated[int, Field(ge=1, le=10_000), AS_WHOLE] = 1
    trajectories: Annotated[int, Field(ge=2, le=1_000_000), AS_WHOLE] = 10
    quasi_separable: Literal["uniform", "newton"] = "uniform"

    @abstractmethod
    def likelihood(self, batch: Batch) -> Likelihood:
        """Likelihoods of training sets in which every class is present."""

    def fit(self, batch: Batch, rng: np.random.Generator) -> Fit:
        """Fit every training set of the batch."""
        parts = [
            (problems, present, self._fit_present(each, rng))
            for problems, present, each in _by_presence(batch)
        ]
        if len(parts) == 1 and len(parts[0][1]) == batch.n_classes:
            return parts[0][2].as_fit()
        return _together(parts, batch).as_fit()

    def _fit_present(self, batch: Batch, rng: np.random.Generator) -> _Solved:
        goal = self.likelihood(batch)
        limit = decide(goal.rows, goal.multiplicity, goal.n_others)
        directions, sampled = self._directions(goal, limit, rng)
        weights, leading = levels(limit, directions)
        theta = None
        if goal.to_theta is not None:
            separable = (limit.outcome == Outcome.SEPARABLE)[:, None]
            endless = goal.to_theta(np.where(separable, weights[-1], leading[-1]))
            theta = _at_infinity(endless, goal.to_theta(weights[-1]))
        return _Solved(
            goal.to_rules(weights),
            goal.to_rules(leading) if leading.any() else None,
            limit.outcome,
            sampled,
            goal.space,
            theta,
            goal.degenerate,
            goal.left_out,
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
            else:
                directions[:, these] = cone.sample(stops, rng)
                sampled[these] = True
        return directions, sampled


def levels(limit: Limit, directions: FloatArray) -> tuple[FloatArray, FloatArray]:
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


@dataclass(frozen=True)
class _Solved:
    """Rules of all training sets of a batch, the first of each half-way along the chain.

    Attributes are those of `Fit`; rules have shape (1 + R, B, K - 1, q).
    """

    weights: FloatArray
    direction: FloatArray | None
    outcome: IntArray
    sampled: BoolArray
    space: Space
    theta: FloatArray | None
    degenerate: BoolArray | None
    left_out: IntArray | None

    def as_fit(self) -> Fit:
        halfway = None
        if self.sampled.any():
            direction = None if self.direction is None else self.direction[:1, self.sampled]
            halfway = Fit(self.weights[:1, self.sampled], direction, space=self.space)
        return Fit(
            self.weights[1:],
            None if self.direction is None else self.direction[1:],
            self.outcome,
            self.sampled,
            halfway,
            self.space,
            self.degenerate,
            self.theta,
            self.left_out,
        )


def _by_presence(batch: Batch) -> Iterator[tuple[IntArray, IntArray, Batch]]:
    """Training sets with the same classes present: their numbers, these classes, and a batch.

    Its classes are numbered among those that are present.
    """
    present: BoolArray = np.any(batch.membership, axis=2)
    patterns: BoolArray = np.unique(present, axis=0)
    for pattern in patterns:
        problems = np.flatnonzero(np.all(present == pattern, axis=1))
        classes = np.flatnonzero(pattern)
        if len(classes) == batch.n_classes and len(problems) == len(present):
            yield problems, classes, batch
        else:
            number = np.cumsum(pattern) - 1
            yield (
                problems,
                classes,
                replace(
                    batch, x=batch.x[problems], y=number[batch.y[problems]], n_classes=len(classes)
                ),
            )


def _together(parts: list[tuple[IntArray, IntArray, _Solved]], batch: Batch) -> _Solved:
    """Join the rules of training sets with different classes; absent ones are never chosen."""
    n_problems, n_classes = len(batch.y), batch.n_classes
    first = parts[0][2]
    n_rules, _, _, n_weights = first.weights.shape
    weights = np.zeros((n_rules, n_problems, n_classes, n_weights))
    direction = np.zeros_like(weights)
    outcome = np.zeros(n_problems, dtype=first.outcome.dtype)
    sampled, degenerate = np.zeros(n_problems, dtype=bool), np.zeros(n_problems, dtype=bool)
    left_out = np.zeros(n_problems, dtype=np.int64)
    theta = None
    if first.theta is not None:
        n_blocks = first.theta.shape[1] - len(parts[0][1]) + 1
        theta = np.zeros((n_problems, n_classes - 1 + n_blocks))
    for problems, present, solved in parts:
        at = np.ix_(np.arange(n_rules), problems, present[1:])
        weights[at] = solved.weights
        if solved.direction is not None:
            direction[at] = solved.direction
        absent = np.setdiff1d(np.arange(n_classes), present)
        direction[:, problems[:, None], absent, 0] = -ABSENT
        outcome[problems], sampled[problems] = solved.outcome, solved.sampled
        if theta is not None and solved.theta is not None:
            n_offsets = len(present) - 1
            offsets = np.full((len(problems), n_classes), -np.inf)
            offsets[:, present[:-1]] = solved.theta[:, :n_offsets]
            offsets[:, present[-1]] = 0.0
            with np.errstate(invalid="ignore"):  # two absent classes cannot be compared: NaN
                theta[problems, : n_classes - 1] = offsets[:, :-1] - offsets[:, -1:]
            theta[problems, n_classes - 1 :] = solved.theta[:, n_offsets:]
        if solved.degenerate is not None:
            degenerate[problems] = solved.degenerate
        if solved.left_out is not None:
            left_out[problems] = solved.left_out
    return replace(
        first,
        weights=weights[:, :, 1:] - weights[:, :, :1],
        direction=direction[:, :, 1:] - direction[:, :, :1],
        outcome=outcome,
        sampled=sampled,
        theta=theta,
        degenerate=None if first.degenerate is None else degenerate,
        left_out=None if first.left_out is None else left_out,
    )
