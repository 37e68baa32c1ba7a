"""What a classifier is here: options, and a function from training sets to linear rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gdcurves.config import StrictModel
from gdcurves.fitters.batch import Batch, Fit

if TYPE_CHECKING:
    from gdcurves.fitters.population import Population


class Fitter(StrictModel, ABC):
    """A classifier with its options as fields. Register it in `gdcurves.fitters`."""

    summary: ClassVar[str]
    inputs: ClassVar[frozenset[str]]

    @abstractmethod
    def fit(self, batch: Batch, rng: np.random.Generator) -> Fit:
        """Fit every training set of the batch; the generator is for fitters that draw."""

    @abstractmethod
    def population(self, law: Population) -> Fit:
        """The rule that the fits tend to as m grows, B = 1.

        Raises UserError where there is none.
        """

    def check(self, inputs: Sequence[str]) -> None:
        """Refuse options that do not fit a problem with these inputs; raises MisfitError."""
