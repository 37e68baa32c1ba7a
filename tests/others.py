"""Classifiers and a law that the package does not have, to try the room for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.config import StrictModel
from gdcurves.fitters import Batch, Fit, Fitter, FunctionRules, LinearFit, LinearRules, Needs
from gdcurves.fitters.maps import PRODUCTS
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
