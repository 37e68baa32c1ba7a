"""Logistic regression with a penalty on its weights, as most software fits it."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from gdcurves.arrays import FloatArray
from gdcurves.fitters.base import Fitter
from gdcurves.fitters.batch import Batch, Fit, LinearFit
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.fitters.population import Population
from gdcurves.fitters.presence import by_presence, together
from gdcurves.fitters.rules import LinearRules
from gdcurves.logistic import path
from gdcurves.logistic.penalised import Problems, coordinates, minimise
from gdcurves.logistic.simplex import corners


class PenalisedLogistic(Fitter):
    """Minimises the sum of the log losses + (strength / 2) |w|^2, intercepts free.

    For two classes w are the weights of the log odds; for more, those of the scores of all classes,
    whose softmax gives the probabilities (which is scikit-learn's C = 1 / strength). With
    `standardise` continuous inputs are less their mean over the training rows, in units of their
    standard deviation there (divisor m), and the rules are rewritten for the inputs as they are. A
    constant input has no weight. Discrete inputs are coded one-hot, and not standardised.

    `strength: cv` takes the one of `gdcurves.logistic.path.STRENGTHS` with the least log loss on
    rows held out, in as many folds as the smallest class has rows, at most five; 1 where that is
    one. Inputs are standardised once, by all training rows.

    A class without training rows is never predicted: the other classes are fitted without it.
    """

    summary: ClassVar[str] = "logistic regression with a penalty on the squared weights"

    penalty: Literal["l2"] = "l2"
    strength: Annotated[float, Field(gt=0, allow_inf_nan=False)] | Literal["cv"] = 1.0
    standardise: bool = True

    @property
    def description(self) -> str:
        """Which model it is: see `Fitter`."""
        cv = self.strength == "cv"
        strength = "by cross-validation" if cv else f"{self.strength:g}"
        return f"logistic regression with penalty {self.penalty}, strength {strength}"

    def fit(self, batch: Batch, rng: np.random.Generator) -> LinearFit:
        """Fit every training set of the batch."""
        parts = [(part, self._present(part.batch, rng)) for part in by_presence(batch)]
        return together(parts, batch)

    def population(self, law: Population) -> LinearFit:
        """Rule for m to infinity: that of maximum likelihood, as the penalty stays what it is."""
        return LogisticRegression().population(law)

    def _present(self, batch: Batch, rng: np.random.Generator) -> LinearFit:
        """Fit training sets in which every class is present."""
        x, centre, scale = self._scaled(batch)
        rows, basis = coordinates(x)
        y, n_classes = batch.y.astype(np.int64), batch.n_classes
        start = None
        if self.strength == "cv":
            strength, start = path.strengths(rows, y, n_classes, rng)
        else:
            strength = np.full(len(x), self.strength)
        v = minimise(Problems.of(rows, y, strength, n_classes), start)
        corner = corners(n_classes)
        against_first = (corner[1:] - corner[0]) @ v  # (B, K - 1, 1 + r)
        slopes = against_first[:, :, 1:]
        if basis is not None:
            slopes = slopes @ basis.transpose(0, 2, 1)
        slopes = slopes / scale[:, None, :]
        weights = np.concatenate([against_first[:, :, :1], slopes], axis=2)
        weights[:, :, 0] -= np.einsum("bkp,bp->bk", slopes, centre)
        return Fit(LinearRules(weights[None]))

    def _scaled(self, batch: Batch) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Columns (B, m, p) less their centres (B, p), in units of their scales (B, p).

        A centre changes nothing but the intercept, which is free.
        """
        x = batch.design[:, :, 1:]
        centre = x.mean(axis=1)
        constant = x.max(axis=1) == x.min(axis=1)
        x = np.where(constant[:, None, :], 0.0, x - centre[:, None, :])
        scale = np.ones_like(centre)
        if self.standardise:
            columns = batch.layout.starts[batch.layout.continuous] - 1
            scale[:, columns] = np.sqrt((x[:, :, columns] ** 2).mean(axis=1))
            scale[constant] = 1.0
            x /= scale[:, None, :]
        return x, centre, scale
