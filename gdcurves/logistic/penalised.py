"""Logistic likelihoods with a squared penalty, several for each set of rows.

Scores of K classes are <c_k, V x + b> with the corners c_k of a simplex, which takes from them a
sum that no probability depends on; the penalty would make it zero anyway. As sum_k c_k c_k' is half
the identity, the sum of the squared weights of all classes is |V|^2 / 2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.logistic.batched import diagonal, inner, solve_scaled, transposed
from gdcurves.logistic.simplex import corners
from gdcurves.logistic.softmax import evaluate, information, pull, row_blocks

MAX_STEPS = 200
# After a step that changes scores by less, the error is about its square.
CONVERGED_CHANGE = 1e-7
# A step that promises less than this share of the loss is rounding.
LEAST_GAIN = 1e-15
# Numbers held at a time in a slice of problems, about.
SLICE_ENTRIES = 2**20


def coordinates(x: FloatArray) -> tuple[FloatArray, FloatArray | None]:
    """Rows (B, m, r) with the inner products of rows x (B, m, p), and the basis (B, p, r) of them.

    Where there are more columns than rows, r = m: what is orthogonal to all rows has no weight.
    Else the rows are those given, and the basis is None.
    """
    if x.shape[2] <= x.shape[1]:
        return x, None
    basis, triangle = np.linalg.qr(transposed(x))
    return transposed(triangle), basis


@dataclass(frozen=True)
class Point:
    """Problems at some weights.

    Attributes
    ----------
    v
        The weights (b, V), shape (B, P, K - 1, q).
    losses
        Log loss of each row in nats, counted or not, shape (B, P, m).
    lacked
        What probabilities lack, shape (B, P, G, m), see `gdcurves.logistic.softmax`.
    loss, pull
        Sum of the log losses of the rows that count, shape (B, P), and minus its gradient, shape
        (B, P, Q), with Q = (K - 1) q.
    value, down
        The same with the penalty, shapes (B, P) and (B, P, Q).
    """

    v: FloatArray
    losses: FloatArray
    lacked: FloatArray
    loss: FloatArray
    pull: FloatArray
    value: FloatArray
    down: FloatArray

    def some(self, which: BoolArray) -> Point:
        """Copy some sets, `which` (B,)."""
        return Point(**{name: values[which] for name, values in vars(self).items()})

    def put(self, where: IntArray, other: Point) -> None:
        """Write the sets `where` (B',)."""
        for mine, theirs in zip(vars(self).values(), vars(other).values(), strict=True):
            mine[where] = theirs

    def or_better(self, other: Point) -> Point:
        """Take for each problem the other point where its value is less."""
        better = other.value < self.value
        pairs = zip(vars(self).items(), vars(other).values(), strict=True)
        return Point(
            **{
                name: np.where(better.reshape(*better.shape, *[1] * (old.ndim - 2)), new, old)
                for (name, old), new in pairs
            }
        )


@dataclass(frozen=True)
class Problems:
    """Penalised likelihoods of K classes, P for each set of rows; each of them has a minimum.

    Attributes
    ----------
    rows
        A one, then the inputs, shape (B, m, q).
    y
        Classes of the rows, shape (B, m); each has a row that counts.
    counted
        How often each row counts, shape (B, P, m).
    strength
        Of the penalty, shape (B,): strength / 2 times the squared weights are added to the sum of
        the log losses, those of the score of class 1 against class 0 for two classes, and those of
        the scores of all classes for more.
    n_classes
        K.
    """

    rows: FloatArray
    y: IntArray
    counted: FloatArray
    strength: FloatArray
    n_classes: int

    @classmethod
    def of(cls, x: FloatArray, y: IntArray, strength: FloatArray, n_classes: int) -> Problems:
        """One problem for each set of rows x (B, m, r) of classes y (B, m); strength (B,)."""
        rows = np.concatenate([np.ones((*x.shape[:2], 1)), x], axis=2)
        return cls(rows, y, np.ones((len(x), 1, x.shape[1])), strength, n_classes)

    @cached_property
    def own(self) -> BoolArray:
        """Which rows are of a class, shape (B, 1, K, m)."""
        own: BoolArray = self.y[:, None, None, :] == np.arange(self.n_classes)[:, None]
        return own

    @property
    def ridge(self) -> FloatArray:
        """Factor of |V|^2 / 2, shape (B,)."""
        return self.strength if self.n_classes == 2 else self.strength / 2.0

    def some(self, which: slice | IntArray | BoolArray) -> Problems:
        """Pick sets; `which` is a slice, their numbers (B',) or a mask (B,)."""
        return replace(
            self,
            rows=self.rows[which],
            y=self.y[which],
            counted=self.counted[which],
            strength=self.strength[which],
        )

    def start(self) -> FloatArray:
        """Scores by the class sizes alone, V = 0: shape (B, P, K - 1, q)."""
        n = np.einsum("bpm,bkm->bpk", self.counted, self.own[:, 0].astype(float))
        v = np.zeros((*n.shape[:2], self.n_classes - 1, self.rows.shape[2]))
        v[..., 0] = 2.0 * np.log(n) @ corners(self.n_classes)
        return v

    def at(self, v: FloatArray) -> Point:
        """Evaluate at v (B, P, K - 1, q)."""
        n, n_problems, n_others, q = v.shape
        m = self.rows.shape[1]
        flat = v.reshape(n, n_problems * n_others, q)
        losses = np.empty((n, n_problems, m))
        n_held = 1 if self.n_classes == 2 else self.n_classes
        lacked = np.empty((n, n_problems, n_held, m))
        down = np.zeros_like(flat)
        for part in row_blocks(m, n * (q + n_problems * n_held)):
            rows, own = self.rows[:, part], self.own[..., part]
            raw = (flat @ transposed(rows)).reshape(n, n_problems, n_others, -1)
            losses[:, :, part], lacked[..., part] = evaluate(raw, own)
            pulled = pull(lacked[..., part]) * self.counted[:, :, None, part]
            down += pulled.reshape(n, n_problems * n_others, -1) @ rows
        loss = np.einsum("bpm,bpm->bp", self.counted, losses)
        down = down.reshape(n, n_problems, -1)
        return self.with_penalty(Point(v, losses, lacked, loss, down, loss, down))

    def with_penalty(self, at: Point) -> Point:
        """Put in the penalty of these problems for that of others with the same rows."""
        ridge = self.ridge
        squares = (at.v[..., 1:] ** 2).sum(axis=(2, 3))
        down = at.pull.reshape(at.v.shape).copy()
        down[..., 1:] -= ridge[:, None, None, None] * at.v[..., 1:]
        value = at.loss + 0.5 * ridge[:, None] * squares
        return replace(at, value=value, down=down.reshape(at.pull.shape))

    def information(self, at: Point) -> FloatArray:
        """Second derivatives (B, P, Q, Q) of the sums of the log losses at a point."""
        width = max(1, SLICE_ENTRIES // self.rows.size)
        parts = [slice(first, first + width) for first in range(0, at.v.shape[1], width)]
        each = [
            information(self.rows[:, None], at.lacked[:, part], self.own, self.counted[:, part])
            for part in parts
        ]
        return np.concatenate(each, axis=1)

    def with_ridge(self, information: FloatArray) -> FloatArray:
        """Hessians (B, P, Q, Q) from those of the likelihoods alone, `information` (B, P, Q, Q)."""
        hessian = information.copy()
        q = self.rows.shape[2]
        penalised = np.tile(np.arange(q) > 0, self.n_classes - 1)
        flat = hessian.reshape(-1, *hessian.shape[2:])
        ridge = np.repeat(self.ridge, hessian.shape[1])
        diagonal(flat)[...] += ridge[:, None] * penalised
        return hessian


def minimise(problems: Problems, start: FloatArray | None = None) -> FloatArray:
    """Find the minima v = (b, V) of problems, one for each set: shape (B, K - 1, q).

    `start` (B, K - 1, q) is where to begin, the class sizes alone unless given. Raises
    ArithmeticError where a minimum is not reached.
    """
    n, m, q = problems.rows.shape
    n_weights = (problems.n_classes - 1) * q
    width = max(1, SLICE_ENTRIES // (m * (q + problems.n_classes**2) + n_weights**2))
    v = problems.start() if start is None else start[:, None]
    parts = [slice(first, first + width) for first in range(0, n, width)]
    return np.concatenate([_minimised(problems.some(part), v[part]) for part in parts])[:, 0]


def _minimised(problems: Problems, v: FloatArray) -> FloatArray:
    """Go down from v (B, 1, K - 1, q); problems that have arrived leave the batch."""
    v = v.copy()
    active = np.arange(len(v))
    here, at = problems, problems.at(v)
    for _ in range(MAX_STEPS):
        hessian = here.with_ridge(here.information(at))
        step = solve_scaled(hessian[:, 0], at.down[:, 0], 0.0)[:, None]
        gain = inner(at.down[:, 0], step[:, 0])
        moves = step.reshape(len(step), here.n_classes - 1, -1) @ transposed(here.rows)
        change = np.abs(moves).max(axis=(1, 2))
        at, _ = descended(here, at, step)
        v[active] = at.v
        stays = (change > CONVERGED_CHANGE) & (gain > LEAST_GAIN * at.value[:, 0])
        active = active[stays]
        if not len(active):
            return v
        if not stays.all():
            here, at = here.some(stays), at.some(stays)
    raise ArithmeticError(
        f"a penalised likelihood has not come to its minimum in {MAX_STEPS} steps"
    )


def descended(problems: Problems, at: Point, step: FloatArray) -> tuple[Point, FloatArray]:
    """Go a step (B, P, Q) from a point, halved until nothing rises; also the factors (B, P)."""
    factor = np.ones(at.value.shape)
    highest = at.value + 1e-12 * np.abs(at.value)
    while True:
        there = problems.at(at.v + (factor[:, :, None] * step).reshape(at.v.shape))
        rises = there.value > highest
        if not rises.any():
            return there, factor
        factor[rises] /= 2.0
