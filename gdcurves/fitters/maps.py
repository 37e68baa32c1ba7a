"""The feature maps in which rules are linear.

A map takes the linear feature vectors, see `features`, and appends products: of pairs of continuous
inputs, which are measured from a centre first where it has any, or of levels of discrete ones. A
new map says which pairs it has and where each of them stands.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.fitters.features import Layout, run_of


class FeatureMap(ABC):
    """Linear feature vectors and products of continuous inputs."""

    @abstractmethod
    def pairs(self, c: int) -> tuple[IntArray, IntArray]:
        """Numbers i <= j among c continuous inputs of the factors of each product, shape (p,)."""

    @abstractmethod
    def position(self, i: IntArray, j: IntArray, c: int) -> IntArray:
        """Where in `pairs(c)` the products (p',) are whose factors are inputs i and j (p',)."""

    def n_products(self, layout: Layout) -> int:
        """Number p of the products of a layout's continuous inputs."""
        return len(self.pairs(len(layout.continuous))[0])

    def vectors(self, features: FloatArray, layout: Layout, centre: FloatArray) -> FloatArray:
        """Vectors (..., q + p) of this map from features (..., q) of the linear one.

        The c continuous inputs are measured from `centre` (c,), and their products follow.
        """
        i, j = self.pairs(len(layout.continuous))
        if not len(i):
            return features
        columns = run_of(layout.starts[layout.continuous])
        centred = features[..., columns] - centre
        q = features.shape[-1]
        result = np.empty((*features.shape[:-1], q + len(i)))
        result[..., :q] = features
        result[..., columns] = centred
        np.multiply(centred[..., run_of(i)], centred[..., run_of(j)], out=result[..., q:])
        return result

    def ones(self, codes: IntArray, layout: Layout) -> IntArray:
        """Columns that are one in vectors of discrete inputs, `codes` (n, d) of levels, (n, o).

        All others are zero.
        """
        first = np.zeros((len(codes), 1), dtype=np.int64)
        return np.concatenate([first, codes + layout.starts], axis=1)

    def form(self, weights: FloatArray, c: int) -> tuple[float, FloatArray, FloatArray]:
        """A rule on c continuous inputs alone as a + <b, x> + <x, A x>.

        Its weights have shape (1 + c + p,), for inputs measured from 0. Returns a, b of shape (c,),
        and A of shape (c, c), symmetric.
        """
        i, j = self.pairs(c)
        A = np.zeros((c, c))
        np.add.at(A, (i, j), 0.5 * weights[1 + c :])
        np.add.at(A, (j, i), 0.5 * weights[1 + c :])
        return float(weights[0]), weights[1 : 1 + c], A


class Linear(FeatureMap):
    """No products: intercept and inputs."""

    def pairs(self, c: int) -> tuple[IntArray, IntArray]:
        """None; see `FeatureMap`."""
        nothing: NDArray[Any] = np.zeros(0, dtype=np.int64)
        return nothing, nothing

    def position(self, i: IntArray, j: IntArray, c: int) -> IntArray:
        """Empty, as there are no products; see `FeatureMap`."""
        return np.zeros(0, dtype=np.int64)


class Squares(FeatureMap):
    """The square of every continuous input: normal densities with a variance for each class."""

    def pairs(self, c: int) -> tuple[IntArray, IntArray]:
        """Each input with itself; see `FeatureMap`."""
        return np.arange(c), np.arange(c)

    def position(self, i: IntArray, j: IntArray, c: int) -> IntArray:
        """The square of an input is where the input is; see `FeatureMap`."""
        return i


class Products(FeatureMap):
    """All products of two continuous inputs: normal densities with a covariance for each class."""

    def pairs(self, c: int) -> tuple[IntArray, IntArray]:
        """All i <= j, those of the first input first; see `FeatureMap`."""
        return np.triu_indices(c)

    def position(self, i: IntArray, j: IntArray, c: int) -> IntArray:
        """By rows of the upper triangle, whose ends i and j may be swapped; see `FeatureMap`."""
        low, high = np.minimum(i, j), np.maximum(i, j)
        position: IntArray = low * (2 * c - low - 1) // 2 + high
        return position


class LevelPairs(Linear):
    """Every level of a discrete input together with every level of another: pairs that occur.

    The pairs of the first input with each that follows it come first, those of its first level
    before those of its second.
    """

    def n_products(self, layout: Layout) -> int:
        """See `FeatureMap`."""
        return len(self.columns(layout)[0])

    def columns(self, layout: Layout) -> tuple[IntArray, IntArray]:
        """Columns of the linear map whose products follow, one of the earlier input first, (p,)."""
        start, width = layout.starts, np.array(layout.widths)
        first, second = [], []
        for i, j in combinations(np.flatnonzero(layout.discrete), 2):
            first.append(np.repeat(start[i] + np.arange(width[i]), width[j]))
            second.append(np.tile(start[j] + np.arange(width[j]), width[i]))
        nothing: list[IntArray] = [np.zeros(0, dtype=np.int64)]
        return np.concatenate(nothing + first), np.concatenate(nothing + second)

    def vectors(self, features: FloatArray, layout: Layout, centre: FloatArray) -> FloatArray:
        """See `FeatureMap`; no input is measured from `centre` (c,)."""
        first, second = self.columns(layout)
        return np.concatenate([features, features[..., first] * features[..., second]], axis=-1)

    def ones(self, codes: IntArray, layout: Layout) -> IntArray:
        """See `FeatureMap`."""
        width = np.array(layout.widths)
        i, j = np.triu_indices(len(width), 1)
        ends = np.cumsum(width[i] * width[j])
        pairs = layout.n_columns + ends - width[i] * width[j] + codes[:, i] * width[j] + codes[:, j]
        return np.concatenate([super().ones(codes, layout), pairs], axis=1)


LINEAR, SQUARES, PRODUCTS, LEVEL_PAIRS = Linear(), Squares(), Products(), LevelPairs()
