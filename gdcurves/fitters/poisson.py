"""Counts with a Poisson law in each class, as naive Bayes uses them."""

from __future__ import annotations

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.fitters.densities import ROUNDING, Terms
from gdcurves.fitters.generative import Statistics, against_first
from gdcurves.fitters.needs import Needs

NEEDS = Needs(scale="as_is", non_negative=True)


def rates(statistics: Statistics, laplace: float) -> FloatArray:
    """Rate (sum + l) / (n_y + l) of each continuous input in each class, shape (B, K, c).

    `laplace` is l; a class without rows has the rate 0 where that is 0.
    """
    n = statistics.n[:, :, None]
    origin = statistics.origin[:, None, :]
    sums = n * (statistics.mean + origin)
    sums = np.where(sums <= ROUNDING * n * np.abs(origin), 0.0, sums)
    exposure = n + laplace
    return (sums + laplace) / np.where(exposure > 0, exposure, 1.0)


def put_rates(statistics: Statistics, laplace: float, terms: Terms, infinite: Terms) -> bool:
    """Fill in the log density ratios of the continuous inputs; tells whether some rate is zero.

    The log density of a count x is x log(rate) - rate, and a term that is the same for all classes.
    """
    inputs = statistics.layout.continuous
    columns = statistics.layout.starts[inputs] - 1
    rate = rates(statistics, laplace)
    zero = rate == 0
    terms.intercepts[:, :, inputs] = -against_first(rate)
    terms.slopes[:, :, columns] = against_first(np.log(np.where(zero, 1.0, rate)))
    if zero.any():
        infinite.slopes[:, :, columns] = against_first(-zero.astype(float))
    return bool(zero.any())
