"""The largest class, whatever the inputs: the line that every other classifier must beat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.fitters.base import Fitter
from gdcurves.fitters.batch import Batch, Fit, LinearFit
from gdcurves.fitters.generative import against_first
from gdcurves.fitters.population import Population
from gdcurves.fitters.rules import LinearRules


def base_rate(classes: Mapping[str, int]) -> float:
    """Error of always answering the largest of these classes, each with its number of rows."""
    return 1.0 - max(classes.values()) / sum(classes.values())


def guessing(config: Mapping[str, Any]) -> set[str]:
    """Names of the fitters of this type in a config, as a manifest has it."""
    return {each["name"] for each in config.get("fitters", ()) if each["type"] == "majority"}


class Majority(Fitter):
    """Predicts the largest class of the training rows, the first one of those that are as large.

    Probabilities (n_k + 1) / (m + K), those of absent classes included: the line that every other
    must beat.
    """

    summary: ClassVar[str] = "the largest class of the training rows, whatever the inputs"

    def fit(self, batch: Batch, rng: np.random.Generator) -> LinearFit:
        """Fit every training set of the batch."""
        return _constant(batch.membership.sum(axis=2) + 1.0, batch.layout.n_columns)

    def population(self, law: Population) -> LinearFit:
        """Rule for m to infinity: the probabilities of the classes themselves."""
        statistics = law.statistics
        return _constant(statistics.n, statistics.layout.n_columns)


def _constant(n: FloatArray, n_columns: int) -> LinearFit:
    """Rules with probabilities in proportion to n (B, K), for feature vectors of that length."""
    scores = against_first(np.log(n))
    weights = np.zeros((1, *scores.shape, n_columns))
    weights[0, :, :, 0] = scores
    return Fit(LinearRules(weights))
