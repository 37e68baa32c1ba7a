"""Logistic regression with a penalty on its weights, as most software fits it."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from gdcurves.config.strict import unlike, wrong
from gdcurves.fitters.base import Fitter
from gdcurves.fitters.batch import Batch, Fit, LinearFit
from gdcurves.fitters.largest_margin import LargestMargin
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.fitters.population import Population
from gdcurves.fitters.presence import by_presence, together
from gdcurves.fitters.rules import LinearRules
from gdcurves.fitters.standardised import Standardised
from gdcurves.logistic import lasso, path, penalised
from gdcurves.logistic.penalised import Problems
from gdcurves.logistic.simplex import corners


def _positive(value: Any) -> Any:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if value in (None, "cv") or (number and 0 < value < float("inf")):
        return value
    raise unlike("a number above 0, or cv")


Strength = Annotated[
    Annotated[float, Field(gt=0, allow_inf_nan=False)] | Literal["cv"],
    BeforeValidator(_positive),
]


def _strength(given: dict[str, Any]) -> Strength | None:
    return None if given.get("penalty") == "margin" else 1.0


class PenalisedLogistic(Fitter):
    """Minimises the sum of the log losses and a penalty on the weights; intercepts are free.

    The penalty is (strength / 2) |w|^2 (`penalty: l2`) or strength |w|_1 (l1). For two classes w
    are the weights of the log odds; for more, those of the scores of all classes, whose softmax
    gives the probabilities (which is scikit-learn's C = 1 / strength). With `standardise`
    continuous inputs are less their mean over the training rows, in units of their standard
    deviation there (divisor m), and the rules are rewritten for the inputs as they are. A constant
    input has no weight. Discrete inputs are coded one-hot, and not standardised.

    `strength: cv` takes, for each training set, the one of 1000, 100, ..., 0.001 with the least log
    loss on rows held out, in as many folds as the smallest class has rows, at most five; 1 where
    that is one. Rows that stay together (`groups`) are in one fold, and their groups count as rows
    do. Inputs are standardised once, by all training rows.

    `penalty: margin` is the limit for a strength that vanishes: the hyperplane of largest margin
    where a set is separable, whose log loss is infinite on a row that it gets wrong, else maximum
    likelihood as in `LogisticRegression`.

    A class without training rows is never predicted: the other classes are fitted without it.

    Attributes
    ----------
    penalty
        Squared weights, absolute ones, or that limit.
    strength
        A number above 0, 1 unless given, or `cv`; none with `penalty: margin`.
    standardise
        Whether continuous inputs are in units of their standard deviations.
    """

    summary: ClassVar[str] = (
        "logistic regression with a penalty on its weights, or of largest margin"
    )

    penalty: Literal["l2", "l1", "margin"] = "l2"
    strength: Strength | None = Field(default_factory=_strength)
    standardise: bool = True

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.penalty == "margin" and self.strength is not None:
            message = "the largest margin has no strength: it is the limit for strength to 0"
            raise wrong(f"{message}; leave this out, or write penalty: l2 or l1", "strength")
        if self.penalty != "margin" and self.strength is None:
            raise wrong("write a positive number, or cv", "strength")
        return self

    @property
    def description(self) -> str:
        """Which model it is: see `Fitter`."""
        if self.penalty == "margin":
            return "logistic regression by the largest margin, or maximum likelihood"
        cv = self.strength == "cv"
        strength = "by cross-validation" if cv else f"{self.strength:g}"
        return f"logistic regression with penalty {self.penalty}, strength {strength}"

    def fit(self, batch: Batch, rng: np.random.Generator) -> LinearFit:
        """Fit every training set of the batch."""
        if self.penalty == "margin":
            return LargestMargin(standardise=self.standardise).fit(batch, rng)
        parts = [(part, self._present(part.batch, rng)) for part in by_presence(batch)]
        return together(parts, batch)

    def population(self, law: Population) -> LinearFit:
        """Rule for m to infinity: that of maximum likelihood, as the penalty stays what it is."""
        return LogisticRegression().population(law)

    def _present(self, batch: Batch, rng: np.random.Generator) -> LinearFit:
        """Fit training sets in which every class is present."""
        squared = self.penalty == "l2"
        standardised = Standardised.of(batch, self.standardise, rotated=squared)
        rows, y, n_classes = standardised.rows, batch.y.astype(np.int64), batch.n_classes
        start = None
        if self.strength == "cv":
            follow = path.held_out if squared else lasso.held_out
            strength, start = path.strengths(rows, y, n_classes, rng, follow, batch.group)
        else:
            strength = np.full(len(y), self.strength)
        minimise = penalised.minimise if squared else lasso.minimise
        v = minimise(Problems.of(rows, y, strength, n_classes), start)
        corner = corners(n_classes)
        weights = (corner[1:] - corner[0]) @ standardised.outside(v)  # (B, K - 1, q)
        return Fit(LinearRules(weights[None]))
