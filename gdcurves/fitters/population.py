"""What a classifier may ask of a law of which everything is known."""

from __future__ import annotations

from typing import Protocol

from gdcurves.arrays import FloatArray
from gdcurves.fitters.batch import LinearFit
from gdcurves.fitters.generative import Statistics
from gdcurves.fitters.maps import FeatureMap


class Population(Protocol):
    """Classes with their probabilities, as endless training sets would show them."""

    @property
    def input_names(self) -> tuple[str, ...]:
        """Names of the inputs."""

    @property
    def statistics(self) -> Statistics:
        """Probabilities, means and variances instead of counts, of one training set."""

    @property
    def covariance(self) -> FloatArray:
        """Mean covariance within the classes, shape (d, d)."""

    @property
    def covariances(self) -> FloatArray:
        """Covariance of each class, shape (K, d, d)."""

    @property
    def second_moments(self) -> FloatArray:
        """Expected products of two features of the linear map, class by class, (K, q, q)."""

    def logistic(self) -> LinearFit:
        """The rule that is linear in the inputs and has the least expected log loss."""

    def best(self, ratios: FloatArray, feature_map: FeatureMap, factors: FloatArray) -> LinearFit:
        """The combination of scores that has the least expected log loss.

        `ratios` (K - 1, R, q) are weights of the scores of the classes 1 ... K - 1 against class 0,
        in the features of a map; each has one coefficient for all classes, beside an offset for
        each class. `factors` (R,) multiply the coefficients where they are reported as theta.
        """
