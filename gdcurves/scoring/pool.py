"""The rows that rules are scored on: distinct inputs with their counts.

Rules may share one data set, or have one each. Feature vectors are made when a block of rows is
asked for, so that processes which map the inputs into memory need no copy of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.fitters.features import Layout, design
from gdcurves.fitters.maps import LINEAR, FeatureMap
from gdcurves.scoring.judged import Logs
from gdcurves.scoring.membership import Membership
from gdcurves.units import Units


@dataclass(frozen=True)
class Pool:
    """The rows of one data set, that of all training sets.

    Attributes
    ----------
    x
        Distinct inputs, shape (u, d); where some are continuous, each row counts as one.
    levels
        Number of levels of each input, 0 for a continuous one.
    coded
        Feature vectors (u, q) of the linear map, sparse, where all inputs are discrete; else None.
    counts
        Shape (u, K), how many rows of each class have them.
    entry
        Shape (n,), the distinct input of each row.
    y
        Shape (n,), the class of each row.
    centre
        Shape (c,), where maps with products measure the continuous inputs from: their mean over all
        data sets that were collected.
    units
        Which of the rows stay together.
    """

    x: NDArray[Any]
    levels: tuple[int, ...]
    coded: csr_array | None
    counts: FloatArray
    entry: IntArray
    y: IntArray
    centre: FloatArray
    units: Units

    @property
    def n_distinct(self) -> int:
        """Number u of distinct inputs."""
        return int(self.x.shape[-2])

    @property
    def n_rows(self) -> int:
        """Number n of rows of each data set."""
        return len(self.y)

    @property
    def n_classes(self) -> int:
        """Number K of classes."""
        return int(self.counts.shape[-1])

    @cached_property
    def _class(self) -> IntArray:
        """Class of all rows with each of the distinct inputs, K where there are several, (u,)."""
        present = self.counts.reshape(-1, *self.counts.shape[-2:]).any(axis=0)
        several = present.sum(axis=1) > 1
        return np.where(several, self.n_classes, present.argmax(axis=1))

    @cached_property
    def _each_once(self) -> bool:
        """Whether each of the distinct inputs is a row of its own."""
        return self.coded is None and bool((self.counts.sum(axis=-1) == 1.0).all())

    @cached_property
    def order(self) -> IntArray:
        """Distinct inputs class by class, shape (u,); those of several classes are last."""
        return np.argsort(self._class, kind="stable")

    @cached_property
    def position(self) -> IntArray:
        """Where each of the distinct inputs is in this order, shape (u,)."""
        position = np.empty_like(self.order)
        position[self.order] = np.arange(len(position))
        return position

    @cached_property
    def runs(self) -> list[tuple[range, IntArray]]:
        """Places of inputs that have the same classes, and these classes, shape (k,)."""
        every = np.arange(self.n_classes)
        classes = [*every[:, None], every]
        ends = [0, *np.cumsum(np.bincount(self._class, minlength=len(classes))).tolist()]
        runs = [range(*each) for each in pairwise(ends)]
        return [each for each in zip(runs, classes, strict=True) if len(each[0])]

    @cached_property
    def layout(self) -> Layout:
        """Of the feature vectors."""
        return Layout.of(self.levels)

    @cached_property
    def membership(self) -> Membership:
        """Which rows are of which class and of which unit."""
        return Membership.of(self.y, self.n_classes, self.units)

    def of_sets(self, which: slice | IntArray | BoolArray) -> Pool:
        """The pool of some of the training sets; `which` is a slice, numbers or a mask (B,)."""
        return self

    def rows(self, x: NDArray[Any], rows: IntArray) -> NDArray[Any]:
        """Inputs (B, m, d) of training rows (B, m), from the x (n, d) that was collected."""
        return x[rows]

    def inputs(self, b: int, rows: IntArray) -> NDArray[Any]:
        """Inputs (n', d) of rows (n',) of training set b's data set."""
        return np.asarray(self.x[self.entry[rows]])

    def entries(self, rows: IntArray) -> IntArray:
        """Numbers (B, m) of the distinct inputs of rows (B, m); rows are numbered by data set."""
        return self.entry[rows]

    def class_totals(self, training: IntArray) -> IntArray:
        """How many rows of each class are not among the training rows (B, m), shape (K, B)."""
        classes = np.arange(self.n_classes)[:, None, None]
        totals = np.bincount(self.y, minlength=self.n_classes)[:, None]
        left: IntArray = totals - (self.y[training] == classes).sum(axis=2)
        return left

    def scores(
        self, block: slice | IntArray, rules: FloatArray, feature_map: FeatureMap
    ) -> FloatArray:
        """Scores of a block of h distinct inputs under R rules for each of B training sets.

        `block` has their numbers (h,), `rules` has shape (C, q, R B), one matrix for each of C
        contrasts; the result has shape (C, h, R B).
        """
        if self.coded is not None:
            coded = self.coded[block]
            if feature_map.n_products(self.layout):
                coded = _coded(self.x[block], self.layout, feature_map)
            if len(rules) == 1:  # two classes, the usual case, without a copy
                return np.asarray(coded @ rules[0])[None]
            return np.stack([coded @ each for each in rules])
        scores: FloatArray = self._features(block, feature_map) @ rules
        return scores

    def _features(self, block: slice | IntArray, feature_map: FeatureMap) -> FloatArray:
        linear = design(self.x[..., block, :], self.levels)
        return feature_map.vectors(linear, self.layout, self.centre)

    def total(self, block: IntArray, k: int, values: NDArray[Any] | Logs) -> FloatArray:
        """Sum values (h, R B) of a block (h,) over its rows of class k, shape (R B,).

        The block is from a run with this class.
        """
        if isinstance(values, Logs) and self._each_once:
            return values.sum()
        return np.asarray(self.counts[block, k] @ np.asarray(values))


@dataclass(frozen=True)
class PoolOfSets(Pool):
    """The rows of S data sets, one for each training set.

    Attributes are those of `Pool`, but for `entry` (S, n), and either `x` (S, n, d), where some
    inputs are continuous, or `counts` (S, u, K), where all are discrete.
    """

    def of_sets(self, which: slice | IntArray | BoolArray) -> PoolOfSets:
        """The pool of some of the training sets and their data sets; see `Pool`."""
        if self.coded is None:
            return replace(self, x=self.x[which], entry=self.entry[which])
        return replace(self, counts=self.counts[which], entry=self.entry[which])

    def rows(self, x: NDArray[Any], rows: IntArray) -> NDArray[Any]:
        """Inputs (B, m, d) of training rows (B, m), from the x (S, n, d) that was collected."""
        return np.take_along_axis(x[: len(rows)], rows[:, :, None], axis=1)

    def inputs(self, b: int, rows: IntArray) -> NDArray[Any]:
        """Inputs (n', d) of rows (n',) of training set b's data set."""
        x = self.x[b] if self.coded is None else self.x
        return np.asarray(x[self.entry[b, rows]])

    def entries(self, rows: IntArray) -> IntArray:
        """Numbers (B, m) of the distinct inputs of rows (B, m); rows are numbered by data set."""
        return np.take_along_axis(self.entry, rows, axis=1)

    def scores(
        self, block: slice | IntArray, rules: FloatArray, feature_map: FeatureMap
    ) -> FloatArray:
        """See `Pool`; each training set's rules see its own rows."""
        if self.coded is not None:
            return super().scores(block, rules, feature_map)
        features = self._features(block, feature_map)
        n_sets, height, q = features.shape
        own = rules.reshape(len(rules), q, -1, n_sets).transpose(0, 3, 1, 2)
        return (features @ own).transpose(0, 2, 3, 1).reshape(len(rules), height, -1)

    def total(self, block: IntArray, k: int, values: NDArray[Any] | Logs) -> FloatArray:
        """Sum values (h, R B) of a block (h,) over its rows of class k, shape (R B,)."""
        if self.coded is None:
            return super().total(block, k, values)
        counts = self.counts[:, block, k]
        by_set = np.asarray(values).reshape(len(block), -1, len(counts))
        sums: FloatArray = np.einsum("su,urs->rs", counts, by_set)
        return sums.reshape(-1)


def collect(
    x: NDArray[Any],
    y: IntArray,
    levels: tuple[int, ...],
    n_classes: int,
    units: Units | None = None,
) -> Pool:
    """Collect rows x (n, d), or those of several data sets (S, n, d), of classes y (n,).

    Every row is a unit of its own unless `units` says otherwise.
    """
    *sets, n, d = x.shape
    units = Units.rows(n) if units is None else units
    kind = PoolOfSets if sets else Pool
    layout = Layout.of(levels)
    if not layout.discrete.all():
        each = np.broadcast_to(np.arange(n), x.shape[:-1])
        centre = x.reshape(-1, d).mean(axis=0)[layout.continuous]
        return kind(x, levels, None, np.eye(n_classes)[y], each, y, np.asarray(centre), units)
    distinct, entry = _distinct(x.reshape(-1, d), levels)
    entry = entry.reshape(x.shape[:-1])
    counts = np.zeros((*sets, len(distinct), n_classes))
    of_set = [np.arange(sets[0])[:, None]] if sets else []
    np.add.at(counts, (*of_set, entry, y), 1.0)
    coded = _coded(distinct, layout, LINEAR)
    return kind(distinct, levels, coded, counts, entry, y, np.zeros(0), units)


def _coded(x: IntArray, layout: Layout, feature_map: FeatureMap) -> csr_array:
    """Feature vectors (u, q) of discrete inputs x (u, d), sparse."""
    columns = feature_map.ones(x, layout).astype(np.int32)
    n_ones = columns.shape[1]
    return csr_array(
        (np.ones(columns.size), columns.ravel(), np.arange(0, columns.size + 1, n_ones)),
        shape=(len(x), layout.n_columns + feature_map.n_products(layout)),
    )


def _distinct(x: IntArray, levels: tuple[int, ...]) -> tuple[IntArray, IntArray]:
    """Distinct rows of codes (n, d) in lexical order, and which one each row is."""
    if math.prod(levels) > np.iinfo(np.int64).max:  # one number cannot stand for a row
        return np.unique(x, axis=0, return_inverse=True)
    codes, entry = np.unique(np.ravel_multi_index(tuple(x.T), levels), return_inverse=True)
    return np.column_stack(np.unravel_index(codes, levels)), entry
