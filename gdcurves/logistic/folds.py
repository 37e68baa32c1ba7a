"""The folds of a cross-validation, those of a batch of training sets at once."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.logistic.penalised import Point, Problems
from gdcurves.logistic.softmax import information
from gdcurves.units import Units

MOST_FOLDS = 5
# Rows for each weight of a fit, and weights, that are few.
FEW_ROWS = 20
FEW_WEIGHTS = 32


def assigned(
    y: IntArray, n_classes: int, rng: np.random.Generator, group: IntArray | None = None
) -> tuple[IntArray, IntArray]:
    """Fold of each row, shape (B, m), and the number of folds, shape (B,).

    There are as many folds as the smallest class has rows, at most MOST_FOLDS. Each has about the
    same number of rows of each class, drawn at random. With groups, both is so of groups: the class
    that fewest have rows of has the fewest, and a group counts for its rarest class. Where they
    cannot be dealt so that each fold leaves rows of every class, there is one fold.

    Parameters
    ----------
    y
        Classes, shape (B, m).
    n_classes
        K; every class has a row.
    rng
        Draws the folds.
    group
        Groups that rows stay together in, one fold for all rows of a group, shape (B, m).
    """
    if group is not None:
        dealt = [_dealt(y[b], n_classes, rng, Units.groups(group[b])) for b in range(len(y))]
        folds = np.array([fold for fold, _ in dealt]).reshape(y.shape)
        return folds, np.array([n for _, n in dealt], dtype=np.int64)
    n = (y[:, :, None] == np.arange(n_classes)).sum(axis=1)
    n_folds = np.minimum(n.min(axis=1), MOST_FOLDS)
    by_class = np.lexsort((rng.random(y.shape), y), axis=1)
    fold = np.empty(y.shape, dtype=np.int64)
    np.put_along_axis(fold, by_class, np.arange(y.shape[1]) % n_folds[:, None], axis=1)
    return fold, n_folds


def _dealt(
    y: IntArray, n_classes: int, rng: np.random.Generator, units: Units
) -> tuple[IntArray, int]:
    """Fold of each row of a set, shape (m,), and the number of folds; see `assigned`."""
    has = np.zeros((units.n, n_classes), dtype=bool)
    has[units.of_row, y] = True
    n = has.sum(axis=0)  # groups with rows of each class, (K,)
    n_folds = min(int(n.min()), MOST_FOLDS)
    rarest = np.where(has, n, units.n + 1).argmin(axis=1)  # (G,)
    fold = np.empty(units.n, dtype=np.int64)
    fold[np.lexsort((rng.random(units.n), rarest))] = np.arange(units.n) % n_folds
    ends = ((fold[has[:, k]].min(), fold[has[:, k]].max()) for k in range(n_classes))
    if all(low < high for low, high in ends):
        return fold[units.of_row], n_folds
    return np.zeros_like(units.of_row), 1


@dataclass(frozen=True)
class Folds:
    """Sets of rows and F folds of each: P = F + 1 problems, the first of them with all rows.

    Attributes
    ----------
    problems
        Rows are by fold, the same number in each; those that fill up count in no problem.
    judged
        Whether the loss of a row says how good a fit is, shape (B, P, m): those that are held out,
        and all for the first.
    """

    problems: Problems
    judged: FloatArray

    @classmethod
    def of(cls, x: FloatArray, y: IntArray, fold: IntArray, n_classes: int) -> Folds:
        """Of rows x (B, m, r) with classes `y` and folds `fold` (B, m), each of which has a row."""
        n_folds = int(fold.max()) + 1
        number = np.arange(n_folds)[:, None]
        size = (fold[:, None, :] == number).sum(axis=2)
        width = size.max()
        real = (np.arange(width) < size[:, :, None]).reshape(len(x), -1)
        order = np.argsort(fold, axis=1, kind="stable")
        position = (np.cumsum(size, axis=1) - size)[:, :, None] + np.arange(width)
        position = np.minimum(position, x.shape[1] - 1).reshape(len(x), -1)
        pick = np.take_along_axis(order, position, axis=1)
        inside = np.repeat(np.arange(n_folds), width) == number
        judged = np.concatenate([real[:, None], real[:, None] & inside], axis=1)
        counted = np.concatenate([real[:, None], real[:, None] & ~inside], axis=1)
        problems = Problems.of(
            np.take_along_axis(x, pick[:, :, None], axis=1),
            np.take_along_axis(y, pick, axis=1),
            np.ones(len(x)),
            n_classes,
        )
        return cls(replace(problems, counted=counted.astype(float)), judged.astype(float))

    @property
    def n_folds(self) -> int:
        """F."""
        return int(self.judged.shape[1]) - 1

    @property
    def n_weights(self) -> int:
        """Q, the number of weights of a fit."""
        return (self.problems.n_classes - 1) * int(self.problems.rows.shape[2])

    @property
    def have_few_rows(self) -> bool:
        """Whether the rows held out matter much to a fit."""
        return bool(self.problems.rows.shape[1] < FEW_ROWS * self.n_weights)

    @property
    def are_small(self) -> bool:
        """Whether second derivatives of each problem's own cost little, and are needed."""
        return self.have_few_rows and self.n_weights < FEW_WEIGHTS

    def with_strength(self, strength: float) -> Folds:
        """The same with another strength of the penalty."""
        every = np.full(len(self.judged), strength)
        return replace(self, problems=replace(self.problems, strength=every))

    def some(self, which: BoolArray) -> Folds:
        """Pick sets, `which` (B,)."""
        return Folds(self.problems.some(which), self.judged[which])

    def losses(self, at: Point) -> FloatArray:
        """Log loss of the rows that judge each problem, shape (B, P)."""
        losses: FloatArray = np.einsum("bpm,bpm->bp", self.judged, at.losses)
        return losses

    def information(self, at: Point) -> FloatArray:
        """Second derivatives (B, P, Q, Q) of the log losses at the fits to all rows."""
        n, m, q = self.problems.rows.shape
        by_fold = (self.n_folds, m // self.n_folds)
        own = self.problems.own[:, 0].reshape(n, -1, *by_fold).swapaxes(1, 2)
        lacked = at.lacked[:, 0].reshape(n, -1, *by_fold).swapaxes(1, 2)
        counted = self.problems.counted[:, 0].reshape(n, *by_fold)
        parts = information(self.problems.rows.reshape(n, *by_fold, q), lacked, own, counted)
        total = parts.sum(axis=1, keepdims=True)
        return np.concatenate([total, total - parts], axis=1)
