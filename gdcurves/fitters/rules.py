"""Rules: what gives each row a score for every class.

There are R rules for each of B training sets, and what is counted of a training set is a mean over
them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.fitters.maps import LINEAR, FeatureMap

# What can be had of a rule; each of them where the next one can.
Gives = Literal["predictions", "scores", "probabilities"]


@dataclass(frozen=True)
class LinearRules:
    """Discriminants of the classes 1 ... K - 1 against class 0 that are linear in a map.

    A row with features f has the scores <direction, f> and <weights, f>. The direction counts
    infinitely more: the weights decide only between classes that it leaves level. So the limits
    that some classifiers tend to are held exactly. Ties of both go to the first class.

    Attributes
    ----------
    weights
        Shape (R, B, K - 1, q).
    direction
        Shape (R, B, K - 1, q), or None where no rule has an infinite part.
    feature_map
        The map that makes the features.
    gives
        Whether scores mean log odds against class 0, or their order alone counts, or the largest.
    """

    weights: FloatArray
    direction: FloatArray | None = None
    feature_map: FeatureMap = LINEAR
    gives: Gives = "probabilities"

    @property
    def n_draws(self) -> int:
        """Number R of rules for each training set."""
        return int(self.weights.shape[0])

    @property
    def n_sets(self) -> int:
        """Number B of training sets."""
        return int(self.weights.shape[1])

    @property
    def leads(self) -> BoolArray:
        """Training sets with a direction that is not zero, shape (B,)."""
        if self.direction is None:
            return np.zeros(self.n_sets, dtype=bool)
        leads: BoolArray = np.any(self.direction, axis=(0, 2, 3))
        return leads

    def some(self, sets: IntArray | BoolArray | slice, draws: slice = slice(None)) -> LinearRules:
        """Pick training sets, by their numbers (B',) or a mask (B,), and some of the draws.

        A direction that is zero for all of them is left out.
        """
        direction = None if self.direction is None else self.direction[draws, sets]
        if direction is not None and not direction.any():
            direction = None
        return replace(self, weights=self.weights[draws, sets], direction=direction)


Score = Callable[[int, NDArray[Any]], FloatArray]


@dataclass(frozen=True)
class FunctionRules:
    """Rules of any kind.

    Attributes
    ----------
    score
        From the number b of a training set and inputs (n, d), prepared as its own rows were (codes
        of the levels of discrete ones), to scores (R, n, K). A row's scores are log probabilities
        of the classes up to a constant; minus infinity is a class that is impossible.
    n_draws, n_sets
        Numbers R of rules for each training set, and B of training sets.
    gives
        Whether scores mean probabilities, or their order alone counts, or the largest alone.
    """

    score: Score
    n_draws: int
    n_sets: int
    gives: Gives = "probabilities"


Rules = LinearRules | FunctionRules
