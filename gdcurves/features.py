"""The feature map in which every classifier here is linear: an intercept and the inputs.

Continuous inputs enter as they are, discrete ones by a full one-hot coding of every level.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from gdcurves.problem import Problem
from gdcurves.types import FloatArray, IntArray


def design(x: NDArray[Any], levels: tuple[int, ...]) -> FloatArray:
    """Feature vectors (..., q) of inputs (..., d): 1 first, then the inputs or their one-hot codes.

    `levels` holds the number of levels of each discrete input; it is empty for continuous ones.
    """
    if not levels:
        return np.concatenate([np.ones((*x.shape[:-1], 1)), x], axis=-1)
    features = np.zeros((*x.shape[:-1], 1 + sum(levels)))
    features[..., 0] = 1.0
    np.put_along_axis(features, x + _first_columns(levels), 1.0, axis=-1)
    return features


def _first_columns(levels: tuple[int, ...]) -> IntArray:
    """Column of the first level of each discrete input."""
    return 1 + np.concatenate([[0], np.cumsum(levels)[:-1]])


@dataclass(frozen=True)
class Pool:
    """All rows of a problem as scoring needs them: distinct inputs with their counts.

    Attributes
    ----------
    features
        Shape (u, q), the distinct feature vectors; sparse for discrete inputs.
    counts
        Shape (u, K), how many rows of each class have them.
    entry
        Shape (n,), the distinct vector of each row.
    y
        Shape (n,), the class of each row.
    """

    features: FloatArray | csr_array
    counts: FloatArray
    entry: IntArray
    y: IntArray

    @classmethod
    def of(cls, problem: Problem) -> Pool:
        """Collect the rows of a problem."""
        y = np.asarray(problem.y)
        n_classes = len(problem.classes)
        if not problem.levels:
            return cls(design(problem.x, ()), np.eye(n_classes)[y], np.arange(len(y)), y)
        distinct, entry = np.unique(problem.x, axis=0, return_inverse=True)
        entry = entry.reshape(-1)
        counts = np.zeros((len(distinct), n_classes))
        np.add.at(counts, (entry, y), 1.0)
        n_ones = 1 + distinct.shape[1]
        columns = np.zeros((len(distinct), n_ones), dtype=np.int32)
        columns[:, 1:] = distinct + _first_columns(problem.levels)
        features = csr_array(
            (np.ones(columns.size), columns.ravel(), np.arange(0, columns.size + 1, n_ones)),
            shape=(len(distinct), 1 + sum(problem.levels)),
        )
        return cls(features, counts, entry, y)
