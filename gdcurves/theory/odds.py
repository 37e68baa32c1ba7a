"""Log odds of the second class against the first as a random variable: alpha and G(tau)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr

from gdcurves.arrays import FloatArray
from gdcurves.fitters.maps import LINEAR
from gdcurves.fitters.rules import LinearRules
from gdcurves.limits.normals import TwoNormals
from gdcurves.limits.quadratic import DiagonalForm, Quadratic, diagonal
from gdcurves.limits.risk import below_zero
from gdcurves.limits.weighted import Scored
from gdcurves.scoring.judged import TIE


class LogOdds(ABC):
    """The log odds l that a rule for two classes gives rows of each of them.

    `total` is what the weights of both classes sum to: 1, or a number of rows.
    """

    total: float = 1.0

    @abstractmethod
    def rightly(self, k: int, reach: FloatArray) -> FloatArray:
        """Weight of class k with l on its side of zero, no farther than `reach` (t,), shape (t,).

        The side of the first class is below zero, and zero is of both.
        """

    @property
    @abstractmethod
    def mean(self) -> FloatArray:
        """E[l | class], shape (2,)."""

    @property
    @abstractmethod
    def accuracy(self) -> float:
        """Numerical error of a probability."""

    def near_zero(self, reach: FloatArray) -> FloatArray:
        """P(l on the right side of zero, no farther than `reach` (t,)), shape (t,).

        Theorem 4's G(tau) is that of a reach of tau n.
        """
        return (self.rightly(0, reach) + self.rightly(1, reach)) / self.total


@dataclass(frozen=True, eq=False)
class AtPoints(LogOdds):
    """Log odds of points with weights: cells of a law, or rows of data.

    Attributes
    ----------
    values
        Log odds of the u points, infinite where a probability is zero, shape (u,).
    weight
        Of the points in each class, shape (u, 2).
    total
        1 for probabilities, else the number of rows.
    """

    values: FloatArray
    weight: FloatArray
    total: float = 1.0

    @classmethod
    def of(cls, scored: Scored) -> AtPoints:
        """Log odds that a rule gives the points of a law."""
        points = scored.points
        direction = None if scored.direction is None else scored.direction[0, :, 0]
        values = infinite_where(scored.scores[0, :, 0], direction)
        return cls(values, points.mass * points.shares, 1.0)

    def rightly(self, k: int, reach: FloatArray) -> FloatArray:
        """See `LogOdds`; what is within a tie of an end is on it."""
        beyond = self.values if k else -self.values
        right = beyond >= -TIE
        order = np.argsort(beyond[right], kind="stable")
        # From zero outwards: what is near it may be little.
        upto = np.concatenate([[0.0], np.cumsum(self.weight[right, k][order])])
        last = np.searchsorted(beyond[right][order], reach + TIE, side="right")
        return np.asarray(upto[last])

    @property
    def mean(self) -> FloatArray:
        """See `LogOdds`."""
        means = []
        for weight in self.weight.T:
            there = weight > 0
            means.append(float(self.values[there] @ weight[there]) / float(weight.sum()))
        return np.array(means)

    @property
    def accuracy(self) -> float:
        """See `LogOdds`: rounding; counts have none."""
        return 0.0 if self.total > 1 else float(np.finfo(float).eps) * len(self.values)


@dataclass(frozen=True, eq=False)
class InNormals(LogOdds):
    """Log odds that are linear or quadratic in two normal classes.

    Attributes
    ----------
    forms
        Their distribution in each class.
    shares
        Probabilities of the classes, shape (2,).
    """

    forms: tuple[DiagonalForm, DiagonalForm]
    shares: FloatArray

    @classmethod
    def of(cls, law: TwoNormals, rules: LinearRules) -> InNormals:
        """Log odds that a rule gives rows of the law."""
        weights, feature_map = rules.weights[0, 0, 0], rules.feature_map
        if feature_map is LINEAR:
            moments = zip(law.means, law.spread.along(weights[1:]), strict=True)
            first, second = (
                DiagonalForm(float(weights[0] + mean @ weights[1:]), np.sqrt([v]), np.zeros(1))
                for mean, v in moments
            )
        else:
            score = Quadratic(*feature_map.form(weights, law.means.shape[1]))
            classes = zip(law.means, law.covariances, strict=True)
            first, second = (diagonal(score.standardised(*each))[0] for each in classes)
        return cls((first, second), law.shares)

    def rightly(self, k: int, reach: FloatArray) -> FloatArray:
        """See `LogOdds`."""
        form = self.forms[1] if k else -self.forms[0]
        if form.variance <= TIE**2:
            inside = (form.mean >= -TIE) & (form.mean <= reach + TIE)
            probability = inside.astype(float)
        elif form.a.any():
            probability = self._below(form, reach) - self._below(form, np.zeros(1))
        else:
            low, high = -form.mean, reach - form.mean
            scale = np.sqrt(form.variance)
            # In the upper tail by what is above, where differences of what is below would vanish.
            sign = np.where(low + high > 0, -1.0, 1.0)
            probability = np.abs(ndtr(sign * high / scale) - ndtr(sign * low / scale))
        return np.asarray(self.shares[k] * probability)

    @staticmethod
    def _below(form: DiagonalForm, values: FloatArray) -> FloatArray:
        """P(l < value) for values (t,), shape (t,)."""
        known = {
            value: below_zero(replace(form, c=form.c - value))[0] if np.isfinite(value) else 1.0
            for value in np.unique(values).tolist()
        }
        return np.array([known[value] for value in values.tolist()])

    @property
    def mean(self) -> FloatArray:
        """See `LogOdds`."""
        return np.array([each.mean for each in self.forms])

    @property
    def accuracy(self) -> float:
        """See `LogOdds`."""
        curved = [below_zero(each)[1] for each in self.forms if each.a.any()]
        return 2 * float(sum(curved)) + 4 * float(np.finfo(float).eps)


def infinite_where(scores: FloatArray, direction: FloatArray | None) -> FloatArray:
    """Scores (u,), infinite with the sign of the direction (u,) where that is not zero: (u,)."""
    if direction is None:
        return scores
    decided = np.abs(direction) > TIE
    return np.where(decided, np.copysign(np.inf, direction), scores)
