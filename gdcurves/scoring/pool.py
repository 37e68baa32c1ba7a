"""The rows that rules are scored on."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.fitters.features import Layout, Space, design, quadratic
from gdcurves.problems.problem import Problem


def _distinct(x: IntArray, levels: tuple[int, ...]) -> tuple[IntArray, IntArray]:
    """Distinct rows of codes (n, d) in lexical order, and which one each row is."""
    if math.prod(levels) > np.iinfo(np.int64).max:  # one number cannot stand for a row
        return np.unique(x, axis=0, return_inverse=True)
    codes, entry = np.unique(np.ravel_multi_index(tuple(x.T), levels), return_inverse=True)
    return np.column_stack(np.unravel_index(codes, levels)), entry


@dataclass(frozen=True)
class Pool:
    """The rows that rules are scored on: distinct inputs with their counts.

    Rules may share one data set, or have one each; then `entry`, and either `x` or `counts`, have
    an axis of S data sets in front. Feature vectors are made when a block of rows is asked for, so
    that processes which map the inputs into memory need no copy of them.

    Attributes
    ----------
    x
        Distinct inputs, shape (u, d); where some are continuous, each row counts as one.
    levels
        Number of levels of each input, 0 for a continuous one; may be empty where all are.
    coded
        Feature vectors (u, q) of the linear map, sparse, where all inputs are discrete; else None.
    counts
        Shape (u, K), how many rows of each class have them.
    entry
        Shape (n,), the distinct input of each row.
    y
        Shape (n,), the class of each row.
    centre
        Shape (c,), where the quadratic map measures the continuous inputs from: their mean over all
        data sets that were collected.
    """

    x: NDArray[Any]
    levels: tuple[int, ...]
    coded: csr_array | None
    counts: FloatArray
    entry: IntArray
    y: IntArray
    centre: FloatArray

    @classmethod
    def of(cls, problem: Problem) -> Pool:
        """Collect the rows of a problem."""
        return cls.collect(problem.x, np.asarray(problem.y), problem.levels, len(problem.classes))

    @classmethod
    def collect(cls, x: NDArray[Any], y: IntArray, levels: tuple[int, ...], n_classes: int) -> Pool:
        """Collect rows x (n, d), or those of several data sets (S, n, d), of classes y (n,)."""
        *sets, n, d = x.shape
        layout = Layout.of(levels, d)
        if not layout.discrete.all():
            each = np.broadcast_to(np.arange(n), x.shape[:-1])
            centre = x.reshape(-1, d).mean(axis=0)[layout.continuous]
            return cls(x, levels, None, np.eye(n_classes)[y], each, y, np.asarray(centre))
        distinct, entry = _distinct(x.reshape(-1, d), levels)
        entry = entry.reshape(x.shape[:-1])
        counts = np.zeros((*sets, len(distinct), n_classes))
        of_set = [np.arange(sets[0])[:, None]] if sets else []
        np.add.at(counts, (*of_set, entry, y), 1.0)
        n_ones = 1 + d
        columns = np.zeros((len(distinct), n_ones), dtype=np.int32)
        columns[:, 1:] = distinct + layout.starts
        coded = csr_array(
            (np.ones(columns.size), columns.ravel(), np.arange(0, columns.size + 1, n_ones)),
            shape=(len(distinct), layout.n_columns),
        )
        return cls(distinct, levels, coded, counts, entry, y, np.zeros(0))

    @property
    def n_distinct(self) -> int:
        """Number u of distinct inputs."""
        return int(self.x.shape[-2])

    @property
    def n_rows(self) -> int:
        """Number n of rows of each data set."""
        return int(self.counts.reshape(-1, *self.counts.shape[-2:])[0].sum())

    @cached_property
    def layout(self) -> Layout:
        """Of the feature vectors."""
        return Layout.of(self.levels, self.x.shape[-1])

    def of_sets(self, which: slice | BoolArray) -> Pool:
        """The pool of some of the data sets, where rules have one each."""
        if self.entry.ndim == 1:
            return self
        return replace(
            self,
            x=self.x[which] if self.x.ndim == 3 else self.x,
            counts=self.counts[which] if self.counts.ndim == 3 else self.counts,
            entry=self.entry[which],
        )

    def rows(self, x: NDArray[Any], rows: IntArray) -> NDArray[Any]:
        """Inputs (B, m, d) of rows (B, m) from those of the data set, or sets, of this pool."""
        if self.entry.ndim == 1:
            return x[rows]
        return np.take_along_axis(x[: len(rows)], rows[:, :, None], axis=1)

    def entries(self, rows: IntArray) -> IntArray:
        """Distinct inputs of rows (B, m), which are numbered within their data set."""
        if self.entry.ndim == 1:
            return self.entry[rows]
        return np.take_along_axis(self.entry, rows, axis=1)

    def scores(self, block: slice, rules: FloatArray, space: Space) -> FloatArray:
        """Scores of a block of the distinct inputs under R rules for each of B training sets.

        `rules` has shape (C, q, R B), one matrix for each of C contrasts; so has the result
        (C, rows, R B). With a data set for each training set, each sees its own rows.
        """
        if self.coded is not None:  # all maps are one without continuous inputs
            coded = self.coded[block]
            return np.stack([coded @ each for each in rules])
        features = design(self.x[..., block, :], self.levels)
        if space == "quadratic":
            features = quadratic(features, self.layout, self.centre)
        if features.ndim == 2:
            return np.stack([features @ each for each in rules])
        n_sets, height, q = features.shape
        own = rules.reshape(len(rules), q, -1, n_sets).transpose(0, 3, 1, 2)
        return (features @ own).transpose(0, 2, 3, 1).reshape(len(rules), height, -1)

    def total(self, block: slice, k: int, values: NDArray[Any]) -> FloatArray:
        """Sum values (rows, R B) of a block over its rows of class k, shape (R B,)."""
        counts = self.counts[..., block, k]
        if counts.ndim == 1:
            return np.asarray(counts @ values)
        by_set = values.reshape(len(values), -1, len(counts))
        sums: FloatArray = np.einsum("su,urs->rs", counts, by_set)
        return sums.reshape(-1)
