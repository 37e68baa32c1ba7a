"""What rules say of rows: the class that they predict, and how sure they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import DTypeLike

from gdcurves.arrays import BoolArray, FloatArray, IntArray

# Scores that differ by less are tied, and ties go to the first of the tied classes.
TIE = 1e-10
# Of so many numbers up to 1000 the product is finite.
FACTORS = 100


@dataclass(frozen=True)
class Logs:
    """The logarithms of 1 + x, for numbers x from 0 to 1000 of n rows and r rules, (n, r)."""

    numbers: FloatArray

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> FloatArray:
        """Shape (n, r)."""
        return np.log1p(self.numbers)

    def sum(self) -> FloatArray:
        """Sums over the rows, shape (r,): logarithms of products, which are one for many rows."""
        starts = np.arange(0, len(self.numbers), FACTORS)
        products = np.multiply.reduceat(1.0 + self.numbers, starts, axis=0)
        total: FloatArray = np.log(products).sum(axis=0)
        return total


@dataclass(frozen=True)
class Judged:
    """Judgements of n rows, by r rules each.

    Attributes
    ----------
    predicted
        The class with the highest score, the first of those that are tied, shape (n, r).
    scores
        Of the classes 1 ... K - 1 against class 0, finite, shape (K - 1, n, r).
    excluded
        Which classes have probability zero, shape (K, n, r); None where none has.
    best, rest
        Over the classes that are not excluded, that of class 0 having the score 0: the highest
        score, and the sum of exp(score - best) over all others, shape (n, r); None where nobody
        asks. The log of the sum of all exp(score) is best + log(1 + rest).
    hard
        Where a rule's probabilities are 0 and 1 in the limit, as its scores count without end,
        shape (n, r); None where nowhere.
    direction
        What counts infinitely more than the scores, of the classes 1 ... K - 1 against class 0,
        shape (K - 1, n, r); None where there is none.
    """

    predicted: IntArray | BoolArray
    scores: FloatArray
    excluded: BoolArray | None = None
    best: FloatArray | None = None
    rest: FloatArray | None = None
    hard: BoolArray | None = None
    direction: FloatArray | None = None

    @classmethod
    def of(
        cls,
        scores: FloatArray,
        direction: FloatArray | None,
        normalised: bool = True,
        hard: BoolArray | None = None,
    ) -> Judged:
        """Judge by finite scores and, if any, by directions, which decide first.

        `scores` and `direction` have shape (K - 1, n, r). `normalised` tells whether probabilities
        will be asked for, `hard` (r,) or (n, r) which rules' probabilities are 0 and 1.
        """
        if len(scores) == 1:  # two classes, the usual case, without arrays for class 0
            return cls._of_two(scores, direction, normalised, hard)
        values = np.concatenate([np.zeros_like(scores[:1]), scores])
        excluded = None
        if direction is not None:
            leading = np.concatenate([np.zeros_like(direction[:1]), direction])
            excluded = leading < leading.max(axis=0) - TIE
            values[excluded] = -np.inf
        return cls._by_values(values, scores, excluded, hard, normalised, direction)

    @classmethod
    def _of_two(
        cls,
        scores: FloatArray,
        direction: FloatArray | None,
        normalised: bool,
        hard: BoolArray | None,
    ) -> Judged:
        """As `of`, of shape (1, n, r)."""
        predicted = scores[0] > TIE
        best = rest = excluded = None
        if normalised:
            best, rest = np.maximum(scores[0], 0.0), np.exp(-np.abs(scores[0]))
        if direction is not None:
            excluded = np.concatenate([direction > TIE, direction < -TIE])
            predicted = (predicted & ~excluded[1]) | excluded[0]
            if best is not None and rest is not None:
                best = np.where(excluded[0], scores[0], np.where(excluded[1], 0.0, best))
                rest[excluded.any(axis=0)] = 0.0
        return cls(predicted, scores, excluded, best, rest, _spread(hard, predicted), direction)

    @classmethod
    def by_log_probabilities(cls, values: FloatArray, normalised: bool = True) -> Judged:
        """Judge by log probabilities, up to a constant of each row and rule.

        `values` have shape (K, n, r); minus infinity is a class that is impossible. Raises
        ValueError where a row has no class that is possible, or a value is no number.
        """
        best = values.max(axis=0)
        if not np.isfinite(best).all():
            raise ValueError("a row's scores are not finite for any class, or one is no number")
        impossible: BoolArray = np.isneginf(values)
        # Against class 0 where that is possible, against the best one elsewhere.
        base = np.where(impossible[0], best, values[0])
        scores = np.where(impossible[1:], 0.0, values[1:] - base)
        against = np.concatenate([np.where(impossible[:1], -np.inf, 0.0), scores])
        against[impossible] = -np.inf
        return cls._by_values(
            against, scores, impossible if impossible.any() else None, None, normalised
        )

    @classmethod
    def _by_values(
        cls,
        values: FloatArray,
        scores: FloatArray,
        excluded: BoolArray | None,
        hard: BoolArray | None,
        normalised: bool,
        direction: FloatArray | None = None,
    ) -> Judged:
        """Judge by scores of all classes (K, n, r), minus infinity for excluded ones."""
        best = values.max(axis=0)
        predicted = np.zeros(best.shape, dtype=np.int8)
        for k in range(len(scores), -1, -1):
            predicted[values[k] >= best - TIE] = k
        rest = None
        if normalised:
            rest = np.exp(values - best).sum(axis=0) - 1.0
        return cls(predicted, scores, excluded, best, rest, _spread(hard, predicted), direction)

    def at(self, rows: IntArray, rules: IntArray) -> Judged:
        """Pick pairs by the numbers of their rows and rules, which broadcast to (n', r')."""
        return self._pick((rows, rules))

    def only(self, which: BoolArray | IntArray) -> Judged:
        """Pick rows; `which` are their numbers (n',), or a mask (n,)."""
        return self._pick((which,))

    def _pick(self, where: tuple[IntArray | BoolArray, ...]) -> Judged:
        by_class = (slice(None), *where)
        return Judged(
            self.predicted[where],
            self.scores[by_class],
            None if self.excluded is None else self.excluded[by_class],
            None if self.best is None else self.best[where],
            None if self.rest is None else self.rest[where],
            None if self.hard is None else self.hard[where],
            None if self.direction is None else self.direction[by_class],
        )

    def misses(self, k: int) -> BoolArray:
        """Where the prediction is another class than k, shape (n, r)."""
        missed: BoolArray = self.predicted != self.predicted.dtype.type(k)
        return missed

    def score(self, k: int) -> FloatArray:
        """Score of class k against class 0, shape (n, r)."""
        return np.zeros_like(self.scores[0]) if k == 0 else self.scores[k - 1]

    def loss(self, k: int) -> FloatArray:
        """Minus log probability of class k in nats, shape (n, r); of no meaning if excluded."""
        below, further = self.losses(k)
        return below + np.asarray(further)

    def losses(self, k: int) -> tuple[FloatArray, Logs]:
        """The loss as a sum: of class k against the best one, and of the others, (n, r) each."""
        assert self.best is not None, "asked for when the rows were judged"
        assert self.rest is not None, "it comes with the best"
        return self.best if k == 0 else self.best - self.scores[k - 1], Logs(self.rest)

    def probability(self, k: int) -> FloatArray:
        """Probability of class k, shape (n, r)."""
        below, further = self.losses(k)
        p: FloatArray = np.exp(-below) / (1.0 + further.numbers)
        if self.excluded is not None:
            p = np.where(self.excluded[k], 0.0, p)
        if self.hard is not None:
            p = np.where(self.hard, self.predicted == k, p)
        return p

    @cached_property
    def concentration(self) -> FloatArray:
        """Sum of the squared probabilities of all classes, shape (n, r)."""
        total = np.zeros(self.predicted.shape)
        for k in range(len(self.scores) + 1):
            total += self.probability(k) ** 2
        return total


def _spread(hard: BoolArray | None, predicted: IntArray | BoolArray) -> BoolArray | None:
    """Tell it of every pair of a row and a rule, shape (n, r), in no more memory."""
    return None if hard is None else np.broadcast_to(hard, predicted.shape)
