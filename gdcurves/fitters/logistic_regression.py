"""Logistic regression by maximum likelihood, with its limit where there is no maximum."""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from gdcurves.fitters.base import Batch, Fit, Fitter
from gdcurves.logistic.certificates import Outcome
from gdcurves.logistic.limit import Limit, decide
from gdcurves.types import FloatArray


class LogisticRegression(Fitter):
    """Ng & Jordan (2001), equation (3) and footnote 2.

    Overlapping training sets: the maximum of the likelihood without penalty, of least norm where
    columns are redundant. Linearly separable ones: a hyperplane drawn uniformly from those that
    separate (the uniform measure on the unit sphere of all weights, intercept included).
    Quasi-separable ones, our choice: a uniform draw from the directions that strictly separate the
    largest separable part and hold the other rows; where a row lies on the drawn hyperplane, the
    fit of those other rows decides.
    """

    summary: ClassVar[str] = "logistic regression without penalty; uniform draw where separable"
    inputs: ClassVar[frozenset[str]] = frozenset({"continuous", "discrete"})
    two_classes_only: ClassVar[bool] = True

    draws: Annotated[int, Field(ge=1)] = 1
    trajectories: Annotated[int, Field(ge=1)] = 10

    def fit(self, batch: Batch, rng: np.random.Generator) -> Fit:
        """Fit every training set of the batch."""
        rows = batch.design * np.where(batch.y == 1, 1.0, -1.0)[:, :, None]
        limit = decide(rows)
        drawn = np.stack([self._draw(limit, rng) for _ in range(self.draws)])
        # A hyperplane without a finite part needs no second level.
        separable = limit.outcome == Outcome.SEPARABLE
        weights = np.where(separable[:, None], drawn, limit.weights)
        quasi = limit.outcome == Outcome.QUASI
        direction = np.where(quasi[:, None], drawn, 0.0) if quasi.any() else None
        return Fit(
            weights[:, :, None, :],
            None if direction is None else direction[:, :, None, :],
            limit.outcome,
        )

    def _draw(self, limit: Limit, rng: np.random.Generator) -> FloatArray:
        """Directions (B, q): a draw where there is no maximum, zero elsewhere."""
        drawn = np.zeros_like(limit.direction)
        for cone in limit.cones:
            drawn[cone.problems] = cone.draw(self.trajectories, rng)
        return drawn
