"""What a classifier is here: options, needs, and a function from training sets to rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gdcurves.config import StrictModel
from gdcurves.errors import UserError
from gdcurves.fitters.batch import Batch, Fit, LinearFit
from gdcurves.fitters.needs import Needs
from gdcurves.fitters.rules import Rules
from gdcurves.plugins import package_of

if TYPE_CHECKING:
    from gdcurves.fitters.population import Population


class Fitter(StrictModel, ABC):
    """A classifier with its options as fields. Register it in `gdcurves.fitters`.

    `undecided` says what it means that a training set has this outcome, and `linear` whether all
    rules are `LinearRules`, which a law of normal features can judge.
    """

    summary: ClassVar[str]
    needs: ClassVar[Needs] = Needs()
    linear: ClassVar[bool] = True
    undecided: ClassVar[str] = (
        "neither a maximum nor a separating hyperplane could be proved within rounding; inputs that"
        " lie far from zero for their spread do this: use 'rescale'"
    )

    @property
    def description(self) -> str:
        """Which model it is with these options, in a few plain words."""
        return self.summary

    @property
    def packages(self) -> tuple[str, ...]:
        """Packages of others whose code computes the rules."""
        package = package_of(self)
        return () if package is None else (package,)

    def ready(self, allowed: Collection[str] = ()) -> None:
        """Refuse what cannot be had here, or not be used; raises MisfitError.

        `allowed` are packages of others whose code the user lets in.
        """

    @property
    def needed(self) -> Needs:
        """What it needs of the data with these options."""
        return self.needs

    @abstractmethod
    def fit(self, batch: Batch, rng: np.random.Generator) -> Fit[Rules]:
        """Fit every training set of the batch; the generator is for fitters that draw."""

    def population(self, law: Population) -> LinearFit:
        """The rule that the fits tend to as m grows, B = 1.

        Raises UserError where there is none, or none is known.
        """
        raise UserError("no limit is known of this classifier")

    def check(self, input_names: Sequence[str]) -> None:
        """Refuse options that do not fit a problem with these inputs; raises MisfitError."""
