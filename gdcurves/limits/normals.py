"""Two normal classes, whose rules have risks in closed form or as integrals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.fitters.batch import Fit, LinearFit
from gdcurves.fitters.diagnostics import Diagnostics
from gdcurves.fitters.features import Layout
from gdcurves.fitters.generative import Statistics
from gdcurves.fitters.maps import FeatureMap
from gdcurves.fitters.rules import LinearRules
from gdcurves.limits import least_loss
from gdcurves.limits.quadratic import Quadratic, log_ratio, weighted_sum
from gdcurves.limits.risk import Risk, risk


class NormalClasses:
    """What is known of normal classes: means (K, d), covariances (K, d, d) and priors (K,)."""

    means: FloatArray
    covariances: FloatArray
    priors: FloatArray

    @cached_property
    def statistics(self) -> Statistics:
        """See `Population`."""
        K, d = self.means.shape
        variances = np.diagonal(self.covariances, axis1=1, axis2=2)
        return Statistics(
            layout=Layout.of((0,) * d),
            n=self.priors[None],
            counts=np.zeros((1, K, 0)),
            origin=np.zeros((1, d)),
            mean=self.means[None],
            scatter=(self.priors[:, None] * variances)[None],
            size=np.zeros((1, d)),
        )

    @property
    def covariance(self) -> FloatArray:
        """See `Population`."""
        return np.tensordot(self.priors, self.covariances, axes=1)

    @property
    def second_moments(self) -> FloatArray:
        """See `Population`."""
        mean = np.concatenate([np.ones((len(self.means), 1)), self.means], axis=1)
        moments: FloatArray = mean[:, :, None] * mean[:, None, :]
        moments[:, 1:, 1:] += self.covariances
        return moments


@dataclass(frozen=True, eq=False)
class TwoNormals(NormalClasses):
    """Population of two normal classes.

    Attributes
    ----------
    input_names
        Names of the inputs.
    means, covariances
        Shapes (2, d) and (2, d, d).
    priors, shares
        Probabilities of the classes in training and in testing, shape (2,).
    """

    input_names: tuple[str, ...]
    means: FloatArray
    covariances: FloatArray
    priors: FloatArray
    shares: FloatArray
    method = "integrals"

    def best(self, ratios: FloatArray, feature_map: FeatureMap, factors: FloatArray) -> LinearFit:
        """See `Population`."""
        scores = [self._score(each, feature_map) for each in ratios[0]]
        limit = least_loss.fit(scores, self.means, self.covariances, self.priors)
        offset, *coefficients = limit.theta
        weights = np.tensordot(coefficients, ratios[0], axes=1)
        weights[0] += offset
        theta = np.concatenate([[-offset], coefficients * factors])
        rules = LinearRules(weights[None, None, None], feature_map=feature_map)
        return Fit(rules, Diagnostics(theta=theta[None]))

    def risk(self, fit: LinearFit) -> Risk:
        """Error and expected log loss of a rule."""
        score = self._score(fit.rules.weights[0, 0, 0], fit.rules.feature_map)
        return risk(score, self.means, self.covariances, self.shares)

    def bayes(self) -> Risk:
        """Error and expected log loss of the Bayes rule."""
        ratio = log_ratio(self.means, self.covariances)
        odds = float(np.log(self.shares[1] / self.shares[0]))
        d = len(self.input_names)
        rule = weighted_sum([1.0, odds], [ratio, Quadratic(1.0, np.zeros(d), np.zeros((d, d)))])
        return risk(rule, self.means, self.covariances, self.shares)

    def _score(self, weights: FloatArray, feature_map: FeatureMap) -> Quadratic:
        """The score with these weights (q,) of a map that measures inputs from 0."""
        return Quadratic(*feature_map.form(weights, len(self.input_names)))
