"""Rules: what gives each row a score for every class.

There are R rules for each of B training sets, and what is counted of a training set is a mean over
them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from numpy.typing import NDArray

from gdcurves.arrays import FloatArray
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
