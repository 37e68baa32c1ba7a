"""Nearest centroid: normal densities with the identity as covariance, and equal priors."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from gdcurves.fitters.base import Fitter
from gdcurves.fitters.batch import Batch, Fit, LinearFit
from gdcurves.fitters.generative import Statistics, exclude_absent, nearest_mean
from gdcurves.fitters.needs import Needs
from gdcurves.fitters.population import Population
from gdcurves.fitters.rules import LinearRules


class NearestCentroid(Fitter):
    """The class whose mean is nearest; what Figure 1 of Ng & Jordan (2001) shows as naive Bayes.

    The text of the paper fits variances and a prior; its published curves for continuous inputs
    follow this rule.
    """

    summary: ClassVar[str] = "nearest class mean: normal, identity covariance, equal priors"
    needs: ClassVar[Needs] = Needs(kinds=frozenset({"continuous"}))

    def fit(self, batch: Batch, rng: np.random.Generator) -> LinearFit:
        """Fit every training set of the batch."""
        return self.rule(Statistics.of(batch))

    def population(self, law: Population) -> LinearFit:
        """Rule for m to infinity."""
        return self.rule(law.statistics)

    def rule(self, statistics: Statistics) -> LinearFit:
        """Rules from the statistics of training sets."""
        intercepts, slopes = nearest_mean(
            statistics.mean, np.ones(statistics.origin.shape), statistics.origin
        )
        weights = np.concatenate([intercepts.sum(axis=2, keepdims=True), slopes], axis=2)
        excluded = exclude_absent(statistics.n, weights, None)
        return Fit(LinearRules(weights[None], None if excluded is None else excluded[None]))
