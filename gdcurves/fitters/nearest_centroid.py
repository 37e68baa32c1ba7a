"""Nearest centroid: normal densities with the identity as covariance, and equal priors."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from gdcurves.fitters.base import Fitter
from gdcurves.fitters.batch import Batch, Fit
from gdcurves.fitters.generative import Statistics, exclude_absent, nearest_mean
from gdcurves.fitters.population import Population


class NearestCentroid(Fitter):
    """The class whose mean is nearest; what Figure 1 of Ng & Jordan (2001) shows as naive Bayes.

    The text of the paper fits variances and a prior; its published curves for continuous inputs
    follow this rule.
    """

    summary: ClassVar[str] = "nearest class mean: normal, identity covariance, equal priors"
    inputs: ClassVar[frozenset[str]] = frozenset({"continuous"})

    def fit(self, batch: Batch, rng: np.random.Generator) -> Fit:
        """Fit every training set of the batch."""
        return self.rule(Statistics.of(batch))

    def population(self, law: Population) -> Fit:
        """Rule for m to infinity."""
        return self.rule(law.statistics)

    def rule(self, found: Statistics) -> Fit:
        """Rules from the statistics of training sets."""
        intercepts, slopes = nearest_mean(found.mean, np.ones(found.origin.shape), found.origin)
        weights = np.concatenate([intercepts.sum(axis=2, keepdims=True), slopes], axis=2)
        excluded = exclude_absent(found.n, weights, None)
        return Fit(weights[None], None if excluded is None else excluded[None])
