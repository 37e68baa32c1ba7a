"""Classifiers, measures and a law that the package does not have, to try the room for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from scipy.stats import rankdata

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.config import StrictModel
from gdcurves.fitters import Batch, Fit, Fitter, FunctionRules, LinearFit, LinearRules, Needs
from gdcurves.fitters.maps import PRODUCTS
from gdcurves.scoring.judged import Judged
from gdcurves.scoring.measures import SumMeasure, Tally, WholeMeasure
from gdcurves.simulators.base import class_rows

CONTINUOUS = Needs(kinds=frozenset({"continuous"}))


class Quadratic(Fitter):
    """Normal classes with a covariance matrix each: linear in the map with all products."""

    summary: ClassVar[str] = "quadratic discriminant analysis"
    needs: ClassVar[Needs] = CONTINUOUS

    ridge: float = 0.0

    def fit(self, batch: Batch, rng: np.random.Generator) -> LinearFit:
        i, j = PRODUCTS.pairs(batch.x.shape[2])
        weights = []
        for x, y in zip(batch.x - batch.origin, batch.y, strict=True):
            rules = []
            for k in range(batch.n_classes):
                own = x[y == k]
                mean, n = own.mean(axis=0), len(own)
                covariance = np.cov(own.T, bias=True) + self.ridge * np.eye(x.shape[1])
                A = -0.5 * np.linalg.inv(covariance)
                offset = np.log(n / len(y)) - 0.5 * np.linalg.slogdet(covariance)[1]
                products = np.where(i == j, 1.0, 2.0) * A[i, j]
                rules.append([offset + mean @ A @ mean, *(-2 * A @ mean), *products])
            weights.append(np.array(rules)[1:] - rules[0])
        return Fit(LinearRules(np.array(weights)[None], feature_map=PRODUCTS))


class Neighbour(Fitter):
    """The class of the nearest training row, with a probability that falls with distance."""

    summary: ClassVar[str] = "nearest neighbour"
    needs: ClassVar[Needs] = CONTINUOUS

    gives: Any = "probabilities"

    def fit(self, batch: Batch, rng: np.random.Generator) -> Fit[FunctionRules]:
        def score(b: int, x: FloatArray) -> FloatArray:
            apart = np.linalg.norm(x[:, None] - batch.x[b], axis=2)  # (n, m)
            return np.stack(
                [
                    -np.where(batch.y[b] == k, apart, np.inf).min(axis=1)
                    for k in range(batch.n_classes)
                ],
                axis=1,
            )[None]

        return Fit(FunctionRules(score, 1, len(batch.y), self.gives))


class Brier(SumMeasure):
    """Mean over the test rows of the squared distance from the class; halved for two classes."""

    name = "brier"
    label = "Brier score"
    needs = "probabilities"
    better = "lower"
    column = "brier"

    def terms(self, judged: Judged, k: int) -> tuple[FloatArray]:
        return (
            sum((judged.probability(c) - (c == k)) ** 2 for c in range(len(judged.scores) + 1)),
        )

    def of_tally(self, tally: Tally) -> FloatArray:
        K = len(tally.n_of_class)
        mean: FloatArray = tally.sums[0, 0].mean(axis=0) / tally.n_test
        return mean / 2 if K == 2 else mean


class Balanced(SumMeasure):
    """Mean over the classes of the share of their rows that is misclassified."""

    name = "balanced_error"
    label = "balanced error"
    needs = "predictions"
    better = "lower"
    column = "balanced_error"
    by_class = True

    def terms(self, judged: Judged, k: int) -> tuple[Any]:
        return (judged.predicted != k,)

    def of_tally(self, tally: Tally) -> FloatArray:
        shares = tally.sums[0].mean(axis=1) / tally.n_of_class
        return np.asarray(np.nanmean(shares, axis=0))


class Auc(WholeMeasure):
    """Area under the curve of the scores of class 1 against class 0."""

    name = "auc"
    label = "AUC"
    needs = "scores"
    better = "higher"
    column = "auc"

    def of_rows(self, judged: Judged, y: IntArray) -> FloatArray:
        ranks = rankdata(judged.score(1).round(9), axis=0)  # equal but for rounding is tied
        n = int((y == 1).sum())
        area: FloatArray = (ranks[y == 1].sum(axis=0) - n * (n + 1) / 2) / (n * (len(y) - n))
        return area


class Waits(StrictModel):
    """Exponential times, and one of three colours: features of both kinds."""

    features: ClassVar[tuple[str, ...]] = ("time", "colour")
    levels: ClassVar[tuple[int, ...]] = (0, 3)
    n_classes: ClassVar[int] = 2
    non_negative: ClassVar[bool] = True

    means: tuple[float, float] = (1.0, 4.0)
    colours: tuple[tuple[float, ...], ...] = ((0.6, 0.3, 0.1), (0.2, 0.3, 0.5))

    def draw(self, n_per_class: Sequence[int], rng: np.random.Generator, n_sets: int) -> FloatArray:
        x = np.empty((n_sets, sum(n_per_class), 2))
        for s in range(n_sets):
            for k, rows in enumerate(class_rows(n_per_class)):
                x[s, rows, 0] = rng.exponential(self.means[k], n_per_class[k])
                x[s, rows, 1] = rng.choice(3, n_per_class[k], p=self.colours[k])
        return x
