"""Coordinates for K classes that prefer none of them: the corners of a regular simplex."""

from __future__ import annotations

import numpy as np

from gdcurves.arrays import FloatArray, IntArray


def corners(n_classes: int) -> FloatArray:
    """Corners (K, K - 1) at distance 1 from each other, with the origin as their mean.

    Scores <c_k, V x> of the classes k, with corners c_k and a matrix V, sum to zero, and a normal
    matrix V gives each difference of two scores the same law. For two classes they are -1/2, 1/2.
    """
    k = np.arange(n_classes)[:, None]
    j = np.arange(1, n_classes)
    corner: FloatArray = np.where(k < j, -1.0, np.where(k == j, j, 0.0))
    corner /= np.sqrt(2.0 * j * (j + 1))
    return corner


def others(n_classes: int) -> IntArray:
    """The classes but k, for each class k, shape (K, K - 1)."""
    every = np.arange(n_classes)
    return np.array([every[every != k] for k in every])
