"""What the generative classifiers share: statistics of the classes, and rules made from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdcurves.arrays import FloatArray
from gdcurves.fitters.batch import Batch
from gdcurves.fitters.features import Layout

# Weighs more than all zero probabilities that a class that is present can collect.
ABSENT = 1e6


@dataclass(frozen=True)
class Statistics:
    """What training sets, or a law of which everything is known, say of each class.

    Attributes
    ----------
    layout
        Which columns belong to which input.
    n
        Rows of each class, or its probability, shape (B, K).
    counts
        How many of these rows have each level, shape (B, K, q - 1); of use for discrete inputs.
    origin
        Where the continuous inputs are measured from, shape (B, c).
    mean, scatter
        Of the continuous inputs: mean, zero for a class without rows, and sum of squared
        deviations from it, shape (B, K, c).
    size
        Sum of the squared continuous inputs, measured from the origin, shape (B, c).
    """

    layout: Layout
    n: FloatArray
    counts: FloatArray
    origin: FloatArray
    mean: FloatArray
    scatter: FloatArray
    size: FloatArray

    @classmethod
    def of(cls, batch: Batch) -> Statistics:
        """Collect the statistics of the B training sets of a batch."""
        membership, layout = batch.membership, batch.layout
        n = membership.sum(axis=2)
        counts = np.zeros((*n.shape, 0))
        if layout.discrete.any():
            counts = (membership @ batch.design)[:, :, 1:]
        x = continuous(batch)
        # From an origin among the rows, a constant input is exactly zero.
        origin = x[:, 0]
        x = x - origin[:, None, :]
        mean = class_means(x, membership, n)
        residual = x - membership.transpose(0, 2, 1) @ mean
        residual *= residual
        return cls(
            layout, n, counts, origin, mean, membership @ residual, np.einsum("bmc,bmc->bc", x, x)
        )

    @property
    def n_classes_present(self) -> FloatArray:
        """How many classes have rows, shape (B,)."""
        present: FloatArray = (self.n > 0).sum(axis=1).astype(float)
        return present


def continuous(batch: Batch) -> FloatArray:
    """The continuous inputs, shape (B, m, c)."""
    which = batch.layout.continuous
    x = batch.x if len(which) == batch.x.shape[2] else batch.x[:, :, which]
    return np.asarray(x, dtype=np.float64)


def class_means(x: NDArray[Any], membership: FloatArray, n: FloatArray) -> FloatArray:
    """Mean of the rows x (B, m, d) of each class, (B, K, d); zero for a class without rows.

    `membership` (B, K, m) says which rows are of which class, `n` (B, K) how many.
    """
    means: FloatArray = membership @ x / np.maximum(n, 1.0)[:, :, None]
    return means


def deviations(batch: Batch) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """The continuous inputs of rows less their class's mean, shape (B, m, d), and what they are of.

    These are the rows less an origin, shape (B, m, d), that origin, (B, d), and the class means
    less it, (B, K, d).
    """
    x, membership = continuous(batch), batch.membership
    origin = x[:, 0]
    x = x - origin[:, None, :]
    mean = class_means(x, membership, membership.sum(axis=2))
    return x - membership.transpose(0, 2, 1) @ mean, x, origin, mean


def nearest_mean(mean: FloatArray, precision: FloatArray, origin: FloatArray) -> FloatArray:
    """Half the difference of the squared distances of x from the first mean and from each other.

    Parameters
    ----------
    mean
        Class means less the origin, shape (B, K, d).
    precision
        p, shape (B, d): the squared distance is sum_i p_i (x_i - origin_i - mean_i)^2.
    origin
        Shape (B, d).

    Returns
    -------
    Weights for 1 and for x of each input, shape (2, B, K - 1, d).
    """
    slopes = (mean[:, 1:] - mean[:, :1]) * precision[:, None, :]
    halfway = 0.5 * (mean[:, 1:] + mean[:, :1]) + origin[:, None, :]
    return np.stack([-slopes * halfway, slopes])


def against_first(values: FloatArray) -> FloatArray:
    """Differences (B, K - 1, ...) of values (B, K, ...) from those of the first class."""
    return values[:, 1:] - values[:, :1]


def exclude_absent(
    n: FloatArray, weights: FloatArray, infinite: FloatArray | None
) -> FloatArray | None:
    """Add to infinite parts what keeps classes without rows from being chosen.

    Parameters
    ----------
    n
        Rows of each class, shape (B, K).
    weights
        Finite parts, shape (B, K - 1, q).
    infinite
        Infinite parts, same shape (B, K - 1, q), added to in place; None where there are none.

    Returns
    -------
    The infinite parts, shape (B, K - 1, q), or None where there are still none.
    """
    absent = n == 0
    if absent.any():
        if infinite is None:
            infinite = np.zeros_like(weights)
        infinite[:, :, 0] += against_first(np.where(absent, -ABSENT, 0.0))
    return infinite
