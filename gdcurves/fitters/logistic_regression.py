"""Logistic regression by maximum likelihood, with its limit where there is no maximum."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from gdcurves.config.strict import Whole
from gdcurves.fitters.base import Batch, Fit, Fitter
from gdcurves.logistic.certificates import Outcome
from gdcurves.logistic.limit import Limit, decide, newton_direction
from gdcurves.types import BoolArray, FloatArray


class LogisticRegression(Fitter):
    """Ng & Jordan (2001), equation (3) and footnote 2.

    Overlapping training sets: the maximum of the likelihood without penalty, of least norm where
    columns are redundant. Linearly separable ones: a hyperplane drawn uniformly from those that
    separate (the uniform measure on the unit sphere of all weights, intercept included).
    Quasi-separable ones, our choice: a uniform draw from the directions that strictly separate the
    largest separable part and hold the other rows; where a row lies on the drawn hyperplane, the
    fit of those other rows decides. `quasi_separable: newton` takes instead the direction in which
    Newton's method goes to infinity.

    A draw is the end of `trajectories` trajectories from the centre of the cone of separating
    vectors, see `gdcurves.logistic.cone`; further draws follow at half that distance.
    """

    summary: ClassVar[str] = "logistic regression without penalty; uniform draw where separable"
    inputs: ClassVar[frozenset[str]] = frozenset({"continuous", "discrete"})
    two_classes_only: ClassVar[bool] = True

    draws: Annotated[Whole, Field(ge=1, le=10_000)] = 1
    trajectories: Annotated[Whole, Field(ge=2, le=1_000_000)] = 10
    quasi_separable: Literal["uniform", "newton"] = "uniform"

    def fit(self, batch: Batch, rng: np.random.Generator) -> Fit:
        """Fit every training set of the batch."""
        rows = batch.design * np.where(batch.y == 1, 1.0, -1.0)[:, :, None]
        limit = decide(rows)
        half = self.trajectories // 2
        stops = [half, *(self.trajectories + half * draw for draw in range(self.draws))]
        directions = np.stack([limit.direction] * len(stops))
        sampled = np.zeros(len(limit.outcome), dtype=bool)
        for cone in limit.cones:
            these = cone.problems
            quasi = limit.outcome[these[0]] == Outcome.QUASI
            if quasi and self.quasi_separable == "newton":
                directions[:, these] = newton_direction(rows[these], limit.boundary[these])
            else:
                directions[:, these] = cone.sample(stops, rng)
                sampled[these] = True
        everything = np.ones(len(sampled), dtype=bool)
        return replace(
            rules(limit, directions[1:], everything),
            outcome=limit.outcome,
            sampled=sampled,
            halfway=rules(limit, directions[:1], sampled) if sampled.any() else None,
        )


def rules(limit: Limit, directions: FloatArray, which: BoolArray) -> Fit:
    """Rules (R, B', 1, q) of some training sets from their limits and directions (R, B, q)."""
    outcome = limit.outcome[which]
    directions = directions[:, which]
    # A hyperplane without a finite part needs no second level.
    separable = (outcome == Outcome.SEPARABLE)[:, None]
    weights = np.where(separable, directions, limit.weights[which])
    quasi = (outcome == Outcome.QUASI)[:, None]
    leading = np.where(quasi, directions, 0.0)[:, :, None, :] if quasi.any() else None
    return Fit(weights[:, :, None, :], leading)
