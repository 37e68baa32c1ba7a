"""Points that stand for a normal law where no integral in closed form does."""

from __future__ import annotations

import numpy as np
import scipy

from gdcurves.arrays import FloatArray


def points(
    means: FloatArray, covariances: FloatArray, n: int, rng: np.random.Generator
) -> FloatArray:
    """Return randomised quasi-Monte Carlo points of equal weight: a scrambled Sobol sequence.

    Means over them have no bias, and an error near n^-1 to n^-1.5 for smooth functions; the spread
    of means over several scrambles estimates it.

    Parameters
    ----------
    means, covariances
        Of the classes, shapes (K, d) and (K, d, d).
    n
        Points of each class, a power of two.
    rng
        For the scrambles, one for each class.

    Returns
    -------
    Shape (K, n, d).
    """
    if n < 1 or n & (n - 1):
        raise ValueError(f"{n} is no power of two")
    return np.stack(
        [
            scipy.stats.qmc.MultivariateNormalQMC(mean, covariance, rng=rng).random(n)
            for mean, covariance in zip(means, covariances, strict=True)
        ]
    )
