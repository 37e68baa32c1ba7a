"""Rules judged under two normal classes: linear ones in closed form, others by integrals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import ndtr

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.fitters.maps import LINEAR, FeatureMap
from gdcurves.fitters.rules import LinearRules, Rules
from gdcurves.limits.judge import Judge
from gdcurves.limits.normal_scores import expected_softplus
from gdcurves.limits.quadratic import Quadratic
from gdcurves.limits.risk import of_class
from gdcurves.limits.spread import Spread
from gdcurves.scoring.judged import TIE
from gdcurves.scoring.measures import SumMeasure


@dataclass(frozen=True, eq=False)
class Expected:
    """What a rule says of rows of each class, in the mean.

    Attributes
    ----------
    wrong
        Probability that it predicts the other class, shape (2, ...).
    loss
        Expected log loss where the class is possible, shape (2, ...).
    impossible
        Probability that it excludes the class, shape (2, ...).
    """

    wrong: FloatArray
    loss: FloatArray
    impossible: FloatArray


@dataclass(frozen=True, eq=False)
class ByNormals(Judge):
    """Two normal classes.

    Attributes
    ----------
    means
        Shape (2, d).
    spread
        Their covariances.
    priors
        Probabilities of the classes, shape (2,).
    """

    measures: ClassVar[frozenset[str] | None] = frozenset({"error", "balanced_error", "logloss"})

    means: FloatArray
    spread: Spread
    priors: FloatArray

    @property
    def shares(self) -> FloatArray:
        """See `Judge`."""
        return self.priors

    @property
    def centre(self) -> FloatArray:
        """See `Judge`."""
        return self.priors @ self.means

    def sums(
        self, rules: Rules, measures: Sequence[SumMeasure], hard: BoolArray | None
    ) -> Mapping[SumMeasure, FloatArray]:
        """See `Judge`."""
        if not isinstance(rules, LinearRules):
            raise NotImplementedError(
                "rules that are functions are not judged exactly by normal classes; leave out"
                " 'test: law', and say of the classifier that it is not `linear`"
            )
        needed = any(each.needs == "probabilities" for each in measures)
        if rules.feature_map is LINEAR:
            expected = self._of_linear(rules, needed)
        else:
            expected = self._of_quadratic(rules)
        shares = self.priors[:, None, None]
        terms = {
            "error": [expected.wrong],
            "balanced_error": [expected.wrong],
            "logloss": [expected.loss, np.zeros_like(expected.loss), expected.impossible],
        }
        sums = {each: np.stack(terms[each.name]) * shares for each in measures}
        return {
            each: total if each.by_class else total.sum(axis=1, keepdims=True)
            for each, total in sums.items()
        }

    def _of_linear(self, rules: LinearRules, needed: bool) -> Expected:
        """Expected of R B linear rules, (2, R, B); log losses where they are needed."""
        mean, deviation = self._scores(rules.weights)
        expected = _expected(mean, deviation, needed)
        if rules.direction is None:
            return expected
        # Where it is not the same for all rows, the direction is never zero.
        leading, spread = self._scores(rules.direction)
        first = _expected(leading, spread, needed=False)
        decides = (spread > 0) | (np.abs(leading) > TIE)
        wrong = np.where(decides, first.wrong, expected.wrong)
        return Expected(wrong, expected.loss, np.where(decides, first.wrong, 0.0))

    def _scores(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Means and standard deviations of scores in both classes, (2, R, B), by (R, B, 1, q)."""
        slopes = weights[:, :, 0, 1:]
        mean = weights[:, :, 0, :1] + slopes @ self.means.T
        return mean.transpose(2, 0, 1), np.sqrt(np.maximum(self.spread.along(slopes), 0.0))

    def _of_quadratic(self, rules: LinearRules) -> Expected:
        """Expected of R B rules with products, (2, R, B)."""
        shape = (2, *rules.weights.shape[:2])
        expected = Expected(np.zeros(shape), np.zeros(shape), np.zeros(shape))
        covariances = self.spread.matrices
        means = self.means - self.centre
        for index, rule, leading in self._forms(rules):
            for k in range(2):
                at = (k, *index)
                expected.wrong[at], expected.loss[at] = of_class(rule, k, means[k], covariances[k])
                if leading is None:
                    continue
                wrong, _ = of_class(leading, k, means[k], covariances[k])
                if leading.b.any() or leading.A.any() or abs(leading.c) > TIE:
                    expected.wrong[at] = expected.impossible[at] = wrong
        return expected

    def _forms(
        self, rules: LinearRules
    ) -> Iterator[tuple[tuple[int, ...], Quadratic, Quadratic | None]]:
        """Yield each rule's number, score and direction as functions of x less the centre."""
        for index in np.ndindex(*rules.weights.shape[:2]):
            leading = None
            if rules.direction is not None:
                leading = self._form(rules.direction[index][0], rules.feature_map)
            yield index, self._form(rules.weights[index][0], rules.feature_map), leading

    def _form(self, weights: FloatArray, feature_map: FeatureMap) -> Quadratic:
        return Quadratic(*feature_map.form(weights, self.means.shape[1]))


def _expected(mean: FloatArray, deviation: FloatArray, needed: bool) -> Expected:
    """Expected of rules whose scores in both classes are normal, shapes (2, ...)."""
    sign = np.array([1.0, -1.0]).reshape(2, *(1,) * (mean.ndim - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(deviation > 0, mean / deviation, 0.0)
    fixed = (mean > TIE) == (sign > 0)  # a score that is the same for all rows
    wrong = np.where(deviation > 0, ndtr(sign * z), fixed)
    loss = expected_softplus(sign * mean, deviation) if needed else np.zeros_like(mean)
    return Expected(wrong, loss, np.zeros_like(mean))
