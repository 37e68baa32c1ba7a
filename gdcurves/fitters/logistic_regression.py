"""Logistic regression by maximum likelihood, with its limit where there is no maximum."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from gdcurves.config.strict import AS_WHOLE, wrong
from gdcurves.fitters.batch import Batch, LinearFit
from gdcurves.fitters.codings import Coding, overlapping
from gdcurves.fitters.discriminative import Discriminative
from gdcurves.fitters.likelihood import Likelihood, softmax
from gdcurves.fitters.population import Population
from gdcurves.logistic.kinds import Limit
from gdcurves.logistic.stopped import stopped


class LogisticRegression(Discriminative):
    """Ng & Jordan (2001), equation (3) and footnote 2; for K classes the softmax of K scores.

    The scores are <w_k, x> with weights that sum to zero over the classes, so a vector to be drawn
    is a matrix W, and the uniform measure is the one on the unit sphere of these matrices,
    intercepts included. For two classes it is that of the difference w_1 - w_0. Ties, outcomes and
    draws: see `Discriminative`.

    `newton_steps`, `separable`, `passes` and `coding` are what the paper's own program seems to
    have done, see results/README.md; none is on unless asked.

    Attributes
    ----------
    newton_steps
        Undamped Newton steps from 0; a set that is not taken as separable keeps what they give,
        whatever the likelihood tends to. Outcomes and log losses then are those of how a set is
        taken.
    separable
        `perceptron` takes a set as separable only if a perceptron separates it, and not wherever
        that is certified.
    passes
        Of the perceptron, through the rows in the order drawn.
    coding
        `overlapping` has the last level of each discrete input share a column with the first of
        the next.
    """

    summary: ClassVar[str] = "logistic regression without penalty; uniform draw where separable"

    newton_steps: Annotated[int, Field(ge=1, le=1000), AS_WHOLE] | None = None
    separable: Literal["certificate", "perceptron"] = "certificate"
    passes: Annotated[int, Field(ge=1, le=100_000), AS_WHOLE] = 200
    coding: Coding = "one_hot"

    @model_validator(mode="after")
    def _steps_for_the_rest(self) -> Self:
        if self.separable == "perceptron" and self.newton_steps is None:
            raise wrong(
                "sets that the perceptron does not separate need 'newton_steps'; add it",
                "separable",
            )
        return self

    def limit(self, goal: Likelihood) -> Limit:
        """What the likelihood of every training set tends to, or is taken to."""
        limit = super().limit(goal)
        if self.newton_steps is None:
            return limit
        passes = self.passes if self.separable == "perceptron" else None
        return stopped(limit, goal.rows, goal.n_others, self.newton_steps, passes)

    def population(self, law: Population) -> LinearFit:
        """Rule for m to infinity."""
        if self.newton_steps is not None or self.coding != "one_hot":
            return super().population(law)
        return law.logistic()

    def likelihood(self, batch: Batch) -> Likelihood:
        """Likelihoods of training sets in which every class is present."""
        if self.coding == "one_hot":
            return softmax(batch.y, batch.design, batch.n_classes)
        columns = overlapping(batch.layout)
        design = batch.design @ columns
        return softmax(batch.y, design, batch.n_classes, lambda rules: rules @ columns.T)
