"""Mean values of a measure over resampled splits."""

from __future__ import annotations

import numpy as np
from threadpoolctl import threadpool_limits

from gdcurves.arrays import FloatArray

N_RESAMPLES = 2000
_BLOCK = 2**18  # weights in memory at a time


def resampled(values: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Mean curves over splits that are drawn with replacement.

    A split is drawn with its values at all sizes, as its training sets contain each other. Where
    some sizes have more splits than others, splits with the same sizes are drawn among themselves,
    so that every size keeps its number.

    Parameters
    ----------
    values
        Shape (F, k, J): values of F fitters at k sizes in J splits; NaN, for all fitters, where a
        size has no such split. Every size has one.

    Returns
    -------
    Shape (N_RESAMPLES, F, k).
    """
    there = np.isfinite(values[0])
    total = np.zeros((N_RESAMPLES, *values.shape[:2]))
    patterns, pattern = np.unique(there, axis=1, return_inverse=True)
    for number, sizes in enumerate(patterns.T):
        if not sizes.any():
            continue
        members = values
        if not there.all():
            members = values[:, sizes][..., pattern == number]
        sums = _resampled_sums(members.reshape(-1, members.shape[-1]).T, rng)
        total[..., sizes] += sums.reshape(N_RESAMPLES, *members.shape[:2])
    means: FloatArray = total / there.sum(axis=1)
    return means


def _resampled_sums(values: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Sum n values (n, c) drawn with replacement, again and again: shape (N_RESAMPLES, c)."""
    n = len(values)
    sums = np.empty((N_RESAMPLES, values.shape[1]))
    at_once = max(1, _BLOCK // n)
    # The order in which BLAS adds may depend on its number of threads.
    with threadpool_limits(1, user_api="blas"):
        for start in range(0, N_RESAMPLES, at_once):
            rows = min(at_once, N_RESAMPLES - start)
            drawn = rng.integers(n, size=(rows, n)) + n * np.arange(rows)[:, None]
            weights = np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n)
            sums[start : start + rows] = weights.astype(np.float64) @ values
    return sums
