"""What the generative classifiers share: class means, distances, differences between classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdcurves.fitters.base import Batch
from gdcurves.types import FloatArray

# Weighs more than all zero probabilities that a class that is present can collect.
ABSENT = 1e6


def class_means(x: NDArray[Any], membership: FloatArray) -> FloatArray:
    """Mean of the rows x (B, m, d) of each class, (B, K, d); zero for a class without rows."""
    n = np.maximum(membership.sum(axis=2), 1.0)
    means: FloatArray = membership @ x / n[:, :, None]
    return means


def nearest_mean(mean: FloatArray, precision: FloatArray, origin: NDArray[Any]) -> FloatArray:
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
    Weights for (1, x), shape (B, K - 1, 1 + d).
    """
    slopes = (mean[:, 1:] - mean[:, :1]) * precision[:, None, :]
    halfway = 0.5 * (mean[:, 1:] + mean[:, :1]) + origin[:, None, :]
    intercepts = -np.einsum("bkd,bkd->bk", slopes, halfway)
    return np.concatenate([intercepts[:, :, None], slopes], axis=2)


def against_first(values: FloatArray) -> FloatArray:
    """Differences (B, K - 1, ...) of values (B, K, ...) from those of the first class."""
    return values[:, 1:] - values[:, :1]


def exclude_absent(batch: Batch, infinite: FloatArray | None) -> FloatArray | None:
    """Add to infinite parts (B, K - 1, q) what keeps absent classes from being chosen.

    None stands for no infinite parts, before and after.
    """
    absent = ~batch.membership.any(axis=2)
    if absent.any():
        if infinite is None:
            n_features = 1 + (sum(batch.levels) or batch.x.shape[2])
            infinite = np.zeros((len(batch.y), batch.n_classes - 1, n_features))
        infinite[:, :, 0] += against_first(np.where(absent, -ABSENT, 0.0))
    return infinite
