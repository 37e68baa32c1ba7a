"""Two normal classes, whose rules have risks in closed form or as integrals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.fitters.batch import Fit, LinearFit
from gdcurves.fitters.diagnostics import Diagnostics
from gdcurves.fitters.features import Layout
from gdcurves.fitters.generative import Statistics
from gdcurves.fitters.maps import LINEAR, FeatureMap
from gdcurves.fitters.rules import LinearRules
from gdcurves.limits import least_loss, linear_loss
from gdcurves.limits.quadratic import Quadratic, log_ratio
from gdcurves.limits.risk import Risk, linear_risk, risk
from gdcurves.limits.spread import Spread


class Moments:
    """What is known of classes by their means (K, d), covariances (K, d, d) and priors (K,)."""

    means: FloatArray
    covariances: FloatArray
    priors: FloatArray

    @property
    def variances(self) -> FloatArray:
        """Of the inputs in each class, shape (K, d)."""
        return np.diagonal(self.covariances, axis1=1, axis2=2)

    @cached_property
    def statistics(self) -> Statistics:
        """See `Population`."""
        K, d = self.means.shape
        variances = self.variances
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
class TwoNormals(Moments):
    """Population of two normal classes.

    Attributes
    ----------
    input_names
        Names of the inputs.
    means
        Shape (2, d).
    spread
        The covariances.
    priors, shares
        Probabilities of the classes in training and in testing, shape (2,).
    """

    input_names: tuple[str, ...]
    means: FloatArray
    spread: Spread
    priors: FloatArray
    shares: FloatArray
    method = "integrals"

    @property
    def covariances(self) -> FloatArray:  # type: ignore[override]
        """Of the classes, shape (2, d, d)."""
        return self.spread.matrices

    @property
    def variances(self) -> FloatArray:
        """See `Moments`."""
        return self.spread.variances

    def logistic(self) -> LinearFit:
        """See `Population`.

        Where the classes have one covariance, the weights have the direction of the Bayes rule.
        """
        direction = self._direction
        if direction is None:
            scores = linear_loss.Scores(self.means, self.covariances, self.priors)
            return _linear(linear_loss.fit(scores))
        offset, slope = linear_loss.fit(self._of_scores(direction[None]))
        return _linear(np.concatenate([[offset], slope * direction]))

    @cached_property
    def _direction(self) -> FloatArray | None:
        """Slopes (d,) of the log density ratio, where the classes have one covariance."""
        return self.spread.solve(self.means[1] - self.means[0]) if self.spread.same else None

    def best(self, ratios: FloatArray, feature_map: FeatureMap, factors: FloatArray) -> LinearFit:
        """See `Population`."""
        if feature_map is LINEAR:
            scores = self._of_scores(ratios[0, :, 1:])
            offset, *coefficients = linear_loss.fit(scores)
            offset -= float(np.dot(coefficients, ratios[0, :, 0]))
        else:
            forms = [self._score(each, feature_map) for each in ratios[0]]
            limit = least_loss.fit(forms, self.means, self.covariances, self.priors)
            offset, *coefficients = limit.theta
        weights = np.tensordot(coefficients, ratios[0], axes=1)
        weights[0] += offset
        theta = np.concatenate([[-offset], coefficients * factors])
        rules = LinearRules(weights[None, None, None], feature_map=feature_map)
        return Fit(rules, Diagnostics(theta=theta[None]))

    def _of_scores(self, slopes: FloatArray) -> linear_loss.Scores:
        """Moments of scores <slope, x> with R slopes (R, d)."""
        if len(slopes) == 1:
            covariances = self.spread.along(slopes)[:, :, None]
        else:
            covariances = np.array([slopes @ each @ slopes.T for each in self.covariances])
        return linear_loss.Scores(self.means @ slopes.T, covariances, self.priors)

    def risk(self, fit: LinearFit) -> Risk:
        """Error and expected log loss of a rule."""
        weights, feature_map = fit.rules.weights[0, 0, 0], fit.rules.feature_map
        if feature_map is LINEAR:
            return self._of_linear(float(weights[0]), weights[1:])
        score = Quadratic(*feature_map.form(weights, len(self.input_names)))
        if not score.A.any():
            return self._of_linear(score.c, score.b)
        return risk(score, self.means, self.covariances, self.shares)

    def bayes(self) -> Risk:
        """Error and expected log loss of the Bayes rule."""
        odds = float(np.log(self.shares[1] / self.shares[0]))
        if self._direction is None:
            ratio = log_ratio(self.means, self.covariances)
            rule = replace(ratio, c=ratio.c + odds)
            return risk(rule, self.means, self.covariances, self.shares)
        offset = odds - float(self._direction @ self.means.mean(axis=0))
        return self._of_linear(offset, self._direction)

    def _of_linear(self, offset: float, slope: FloatArray) -> Risk:
        """Risk of the score offset + <slope, x>, with a slope (d,)."""
        variances = self.spread.along(slope)
        return linear_risk(offset + self.means @ slope, variances, self.shares)

    def _score(self, weights: FloatArray, feature_map: FeatureMap) -> Quadratic:
        """The score with these weights (q,) of a map that measures inputs from 0."""
        return Quadratic(*feature_map.form(weights, len(self.input_names)))


def _linear(weights: FloatArray) -> LinearFit:
    """A linear rule with these weights (1 + d,)."""
    return Fit(LinearRules(weights[None, None, None]), Diagnostics())
