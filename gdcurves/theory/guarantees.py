"""The bounds of Lemma 3, Theorem 4 and Proposition 2 with the constants of their proofs."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import scipy

MOST_ROWS = 10**15  # beyond which nothing is sought


def estimates_failure(m: float, epsilon: float, n: int, rho: float) -> float:
    """Lemma 3's bound on the probability that some estimate is off by more than epsilon.

    Parameters
    ----------
    m
        Training rows.
    epsilon
        How far an estimate may be off, less than rho.
    n
        Probabilities estimated in each class.
    rho
        Of the rarer class.
    """
    exponent = 2 * epsilon**2 * m
    return 2 * math.exp(-exponent) + 4 * n * math.exp(-exponent * (rho - epsilon))


def lemma3(epsilon: float, delta: float, n: int, rho: float) -> int:
    """Rows from which on Lemma 3 promises all estimates within epsilon, with probability 1 - delta.

    `n` probabilities are estimated in each class, and the rarer class has probability `rho`, which
    has to be above epsilon.
    """
    return first_row(lambda m: estimates_failure(m, epsilon, n, rho) <= delta)


def least_epsilon(m: int, delta: float, n: int, rho: float) -> float:
    """The least epsilon, up to rho / 2, that Lemma 3 promises with m rows; NaN where it does none.

    See `lemma3` for `delta`, `n` and `rho`.
    """

    def above(epsilon: float) -> float:
        return estimates_failure(m, epsilon, n, rho) - delta

    if above(rho / 2) > 0:
        return math.nan
    return float(scipy.optimize.brentq(above, 0.0, rho / 2, xtol=1e-17, rtol=8.9e-16))


def tau_of(epsilon: float, n: int, rho_x: float, rho_y: float) -> float:
    """Theorem 4's tau: the log odds are off by tau n at most, if all estimates are within epsilon.

    Parameters
    ----------
    epsilon
        How far an estimate may be off.
    n
        Number of features.
    rho_x, rho_y
        The least probability of a level of a feature in a class, and that of the rarer class.
    """
    if epsilon >= rho_x:
        return math.inf
    return -2 * math.log1p(-epsilon / rho_x) - 2 / n * math.log1p(-epsilon / rho_y)


def excess(m: float, dimension: int, delta: float) -> float:
    """Proposition 2, with Vapnik's constants: by how much the error may be above the least one.

    Of the rule with the fewest errors on m rows, among those of a VC `dimension`, with probability
    1 - delta.
    """
    capacity = dimension * (math.log(2 * m / dimension) + 1)
    return 2 * math.sqrt((capacity + math.log(4 / delta)) / m)


def proposition2(epsilon: float, dimension: int, delta: float) -> float:
    """Rows with which `excess` is epsilon, a real number."""
    low = math.log(dimension / 2)
    high = low + 1.0
    while excess(math.exp(high), dimension, delta) > epsilon:
        high += 1.0
    root = scipy.optimize.brentq(
        lambda at: excess(math.exp(at), dimension, delta) - epsilon, low, high, xtol=1e-15
    )
    # In m itself, as the exponential of a logarithm loses digits.
    m = math.exp(root)
    return float(
        scipy.optimize.brentq(
            lambda at: excess(at, dimension, delta) - epsilon,
            m * (1 - 1e-9),
            m * (1 + 1e-9),
            xtol=1e-12 * m,
            rtol=4 * float(np.finfo(float).eps),
        )
    )


def first_row(holds: Callable[[int], bool]) -> int:
    """The least number of rows for which something holds that holds for all larger ones too.

    0 where it does not hold for `MOST_ROWS`.
    """
    if not holds(MOST_ROWS):
        return 0
    high = 1
    while not holds(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
