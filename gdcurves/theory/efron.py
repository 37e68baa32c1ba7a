"""Efron (1975): what m times the error above that of the Bayes rule tends to, for normal classes.

Two normal classes with one covariance S, means D apart at Mahalanobis distance Delta. The Bayes
rule is the log odds' sign; where the fitted log odds are l + d / sqrt(m), with d of variance V(x),
the rule's boundary is off by d / sqrt(m) |grad l|, and the error grows by

    c / m,    c = 1/2 pi_1 f(0) E[V(x) | l(x) = 0],

f the density of l within the first class, and x on the boundary as in that class: x - mu_k is
a_k D + e with e ~ N(0, S - D D' / Delta^2) and fixed a_k. Each classifier's V is the variance of
what its estimates make of l, by the delta method.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.errors import UserError
from gdcurves.fitters import Fitter
from gdcurves.fitters.lda import LDA
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.fitters.nearest_centroid import NearestCentroid
from gdcurves.fitters.qda import QDA
from gdcurves.limits.normals import TwoNormals

ALIKE = 1e-12
STEP = 0.05  # of the trapezoidal rule, whose error is exp(-2 pi^2 / (Delta STEP)), Delta < 8
REACH = 12.0  # standard deviations
ACCURACY = 1e-13  # of constants, relative


@dataclass(frozen=True, eq=False)
class Boundary:
    """Two normal classes with one covariance, and where their Bayes rule is undecided.

    Attributes
    ----------
    law
        The classes.
    stratified
        Whether the numbers of training rows of the classes are fixed, and not drawn.
    """

    law: TwoNormals
    stratified: bool

    def __post_init__(self) -> None:
        """Refuse laws for which the constants are not known; raises UserError."""
        if not self.law.spread.same:
            raise UserError("the classes have different covariances")
        if not np.allclose(self.law.priors, self.law.shares, rtol=0, atol=ALIKE):
            raise UserError("training rows have other shares of the classes than the law")
        if not self.distance > 0:
            raise UserError("the classes are the same")

    @property
    def apart(self) -> FloatArray:
        """D, the difference of the means (d,)."""
        return np.asarray(self.law.means[1] - self.law.means[0])

    @property
    def d(self) -> int:
        """Number of features."""
        return len(self.apart)

    @property
    def distance(self) -> float:
        """Delta."""
        return float(np.sqrt(self.apart @ self.law.spread.solve(self.apart)))

    @property
    def odds(self) -> float:
        """Log prior odds of the second class."""
        return float(np.log(self.law.shares[1] / self.law.shares[0]))

    @property
    def along(self) -> FloatArray:
        """a_k, how far x - mu_k reaches along D, shape (2,)."""
        return np.array([0.5, -0.5]) - self.odds / self.distance**2

    @property
    def each(self) -> FloatArray:
        """delta_i, the distance of the classes in each feature (d,), standard deviations."""
        return np.asarray(self.apart / np.sqrt(self.law.spread.variances[0]))

    @property
    def of_prior(self) -> float:
        """What estimating the shares of the classes adds to V."""
        return 0.0 if self.stratified else float(1 / self.law.shares.prod())

    @property
    def of_means(self) -> float:
        """What estimating the means adds to E V."""
        squares: FloatArray = self.along**2 * self.distance**2 + self.d - 1
        return float((squares / self.law.shares).sum())

    def constant(self, variance: float) -> float:
        """The constant of a classifier with this E V."""
        Delta, first = self.distance, self.law.shares[0]
        z = (Delta**2 / 2 - self.odds) / Delta
        density = np.exp(-0.5 * z * z) / (np.sqrt(2 * np.pi) * Delta)
        return float(0.5 * first * density * variance)


def constant(fitter: Fitter, law: TwoNormals, stratified: bool) -> float:
    """The limit of m times the error above the Bayes rule's; epsilon, laplace and ddof are none.

    Raises UserError where the classifier does not tend to the Bayes rule, or nothing is known.
    """
    boundary = Boundary(law, stratified)
    if type(fitter) not in VARIANCES:
        raise UserError("no constant is known of this classifier")
    return boundary.constant(VARIANCES[type(fitter)](fitter, boundary))


def _logistic(fitter: LogisticRegression, at: Boundary) -> float:
    """V by the inverse of Fisher's information.

    Fixed numbers of rows take 1 / (pi_1 pi_2) from the intercept's variance alone (Prentice & Pyke,
    1979, Biometrika 66).
    """
    if fitter.newton_steps is not None or fitter.coding != "one_hot":
        raise UserError("no constant is known of logistic regression that is stopped early")
    Delta, odds = at.distance, at.odds
    step = min(STEP, STEP * 8 / Delta)
    centre = -odds / Delta
    u = centre + np.arange(-(REACH + Delta), REACH + Delta, step)
    # eta (1 - eta) times the density of both classes, whose logarithms are a quarter of l apart.
    first, second = np.log(at.law.shares)
    logs = -0.5 * np.stack([(u + Delta / 2) ** 2, (u - Delta / 2) ** 2])
    weight = np.exp(
        logs.sum(axis=0) + first + second - np.logaddexp(logs[0] + first, logs[1] + second)
    )
    weight *= step / np.sqrt(2 * np.pi)
    a0, a1, a2 = (float((weight * u**power).sum()) for power in range(3))
    information = np.array([[a0, a1], [a1, a2]])
    there = np.array([1.0, centre])
    given = 1 / float(at.law.shares.prod()) if at.stratified else 0.0
    return float(there @ np.linalg.solve(information, there)) + (at.d - 1) / a0 - given


def _lda(fitter: LDA, at: Boundary) -> float:
    covariance = 2 * at.odds**2 + (at.d - 1) * at.distance**2
    return _prior(fitter, at) + at.of_means + covariance


def _qda(fitter: QDA, at: Boundary) -> float:
    # y' S y for x - mu_k = S y is a_k^2 Delta^2 and a chi-square number.
    fixed, p = at.along**2 * at.distance**2, at.d
    first = fixed + p - 1
    second = fixed**2 + 2 * fixed * (p - 1) + (p - 1) * (p + 1)
    covariance = 0.5 * (second - 2 * first + p) / at.law.shares
    return _prior(fitter, at) + at.of_means + float(covariance.sum())


def _naive_bayes(fitter: NaiveBayes, at: Boundary) -> float:
    if fitter.density != "normal":
        raise UserError("no constant is known of this classifier")
    if not at.law.spread.independent:
        raise UserError("features are dependent, and so it does not tend to the Bayes rule")
    squares, Delta = at.each**2, at.distance
    if fitter.variance == "shared":
        fourth = float((squares**2).sum()) / Delta**2
        variance = 2 * at.odds**2 * fourth / Delta**2 + 2 * Delta**2 - 2 * fourth
    else:
        # Of (x_i - mu_ki) / sigma_i, which is normal on the boundary.
        mean, spread = at.along[:, None] ** 2 * squares, 1 - squares / Delta**2
        second = mean + spread
        fourths = mean**2 + 6 * mean * spread + 3 * spread**2
        of_class = 0.5 * (fourths - 2 * second + 1).sum(axis=1)
        variance = float((of_class / at.law.shares).sum())
    return _prior(fitter, at) + at.of_means + variance


def _nearest_centroid(_fitter: NearestCentroid, at: Boundary) -> float:
    matrix = at.law.spread.matrices[0]
    turned = matrix @ at.apart
    scale = float(at.apart @ turned / (at.apart @ at.apart))
    if not np.allclose(turned, scale * at.apart, rtol=0, atol=ALIKE * np.abs(turned).max()):
        raise UserError("covariances turn the best direction, and so it is not the Bayes rule's")
    _refuse_priors(at)
    squares = at.along**2 * at.distance**2 + float((matrix**2).sum()) / scale**2 - 1
    return float((squares / at.law.shares).sum())


def _prior(fitter: Any, at: Boundary) -> float:
    """What the prior adds to V."""
    if fitter.prior != "equal":
        return at.of_prior
    _refuse_priors(at)
    return 0.0


def _refuse_priors(at: Boundary) -> None:
    if abs(at.odds) > ALIKE:
        raise UserError("it takes the classes to be equally frequent, and they are not")


# E V on the boundary, by the class of the classifier.
VARIANCES: dict[type[Fitter], Callable[[Any, Boundary], float]] = {
    LogisticRegression: _logistic,
    LDA: _lda,
    QDA: _qda,
    NaiveBayes: _naive_bayes,
    NearestCentroid: _nearest_centroid,
}
