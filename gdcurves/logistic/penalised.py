"""Logistic regression with a squared penalty: Newton's method on a batch of training sets.

Scores of K classes are <c_k, V x + b> with the corners c_k of a simplex, which takes from them a
sum that no probability depends on; the penalty would make it zero anyway. As sum_k c_k c_k' is half
the identity, the sum of the squared weights of all classes is |V|^2 / 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.logistic.batched import diagonal, gram, inner, solve_scaled, transposed
from gdcurves.logistic.simplex import corners

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
class Problems:
    """Penalised likelihoods of K classes; each of them has a minimum.

    Attributes
    ----------
    x
        Rows, shape (B, m, r).
    y
        Their classes, shape (B, m); each has a row that counts.
    counted
        How often each row counts, shape (B, m).
    strength
        Of the penalty, shape (B,): strength / 2 times the squared weights are added to the sum of
        the log losses, those of the score of class 1 against class 0 for two classes, and those of
        the scores of all classes for more.
    n_classes
        K.
    """

    x: FloatArray
    y: IntArray
    counted: FloatArray
    strength: FloatArray
    n_classes: int

    def some(self, which: slice | IntArray | BoolArray) -> Problems:
        """Pick problems; `which` is a slice, their numbers (B',) or a mask (B,)."""
        return Problems(
            self.x[which],
            self.y[which],
            self.counted[which],
            self.strength[which],
            self.n_classes,
        )

    def start(self) -> FloatArray:
        """Scores by the class sizes alone, V = 0: shape (B, K - 1, 1 + r)."""
        corner = corners(self.n_classes)
        of_class = self.y[:, :, None] == np.arange(self.n_classes)
        n = (of_class * self.counted[:, :, None]).sum(axis=1)
        v = np.zeros((len(self.x), self.n_classes - 1, 1 + self.x.shape[2]))
        v[:, :, 0] = 2.0 * np.log(n) @ corner
        return v

    def scores(self, v: FloatArray) -> FloatArray:
        """Scores (B, m, K) of the classes under `v` (B, K - 1, 1 + r), which sum to zero."""
        raw = self.x @ transposed(v[:, :, 1:]) + v[:, None, :, 0]
        scores: FloatArray = raw @ corners(self.n_classes).T
        return scores

    def losses(self, scores: FloatArray) -> FloatArray:
        """Log loss of each row in nats, counted or not, shape (B, m); `scores` are (B, m, K)."""
        own = np.take_along_axis(scores, self.y[:, :, None], axis=2)
        best = scores.max(axis=2)
        total = np.exp(scores - best[:, :, None]).sum(axis=2)
        losses: FloatArray = np.log(total) + best - own[:, :, 0]
        return losses

    def objective(self, v: FloatArray, scores: FloatArray) -> FloatArray:
        """Value (B,) of what is minimised, at `v` (B, K - 1, 1 + r) with `scores` (B, m, K)."""
        loss = (self.counted * self.losses(scores)).sum(axis=1)
        penalty = 0.5 * self._ridge() * (v[:, :, 1:] ** 2).sum(axis=(1, 2))
        return np.asarray(loss + penalty)

    def descent(self, v: FloatArray, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Minus the gradient (B, Q) and the Hessian (B, Q, Q), with Q = (K - 1)(1 + r).

        At `v` (B, K - 1, 1 + r), where rows have the `scores` (B, m, K).
        """
        corner = corners(self.n_classes)
        p = np.exp(scores - scores.max(axis=2, keepdims=True))
        p /= p.sum(axis=2, keepdims=True)
        own: BoolArray = self.y[:, :, None] == np.arange(self.n_classes)
        # One less a probability near one, without rounding.
        others = np.where(own, 0.0, p)
        missing = np.where(own, others.sum(axis=2, keepdims=True), -others)
        pull = (missing @ corner) * self.counted[:, :, None]
        rows = np.concatenate([np.ones((*self.x.shape[:2], 1)), self.x], axis=2)
        down = transposed(pull) @ rows
        ridge = self._ridge()
        down[:, :, 1:] -= ridge[:, None, None] * v[:, :, 1:]
        n, n_others, q = v.shape
        # Deviations from the mean corner keep their digits where one probability is near one.
        apart = corner - (p @ corner)[:, :, None, :]  # (B, m, K, K - 1)
        weighted = apart * (p * self.counted[:, :, None])[..., None]
        blocks = np.empty((n, n_others, q, n_others, q))
        for i in range(n_others):
            for j in range(i + 1):
                curvature = np.einsum("bmk,bmk->bm", weighted[..., i], apart[..., j])
                blocks[:, i, :, j] = blocks[:, j, :, i] = gram(rows, curvature)
        hessian = blocks.reshape(n, n_others * q, n_others * q)
        penalised = np.tile(np.arange(q) > 0, n_others)
        diagonal(hessian)[...] += ridge[:, None] * penalised
        return down.reshape(n, -1), hessian

    def _ridge(self) -> FloatArray:
        return self.strength if self.n_classes == 2 else self.strength / 2.0


def minimise(problems: Problems, start: FloatArray | None = None) -> FloatArray:
    """Find the minima v = (b, V), shape (B, K - 1, 1 + r).

    `start` (B, K - 1, 1 + r) is where to begin, the class sizes alone unless given. Raises
    ArithmeticError where a minimum is not reached.
    """
    n, m, r = problems.x.shape
    n_weights = (problems.n_classes - 1) * (1 + r)
    width = max(1, SLICE_ENTRIES // (m * (r + problems.n_classes**2) + n_weights**2))
    v = problems.start() if start is None else start.copy()
    for first in range(0, n, width):
        part = slice(first, first + width)
        v[part] = _minimised(problems.some(part), v[part])
    return v


def _minimised(problems: Problems, v: FloatArray) -> FloatArray:
    """Go down from v (B, K - 1, 1 + r); problems that have arrived leave the batch."""
    v = v.copy()
    active = np.arange(len(v))
    here = problems
    for _ in range(MAX_STEPS):
        at = v[active]
        scores = here.scores(at)
        value = here.objective(at, scores)
        down, hessian = here.descent(at, scores)
        step = solve_scaled(hessian, down, 0.0)
        gain = inner(down, step)
        move = step.reshape(at.shape)
        change = np.abs(here.scores(move)).max(axis=(1, 2))
        factor = _step_factor(here, at, move, value)
        v[active] = at + factor[:, None, None] * move
        stays = (change > CONVERGED_CHANGE) & (gain > LEAST_GAIN * value)
        active = active[stays]
        if not len(active):
            return v
        if not stays.all():
            here = here.some(stays)
    raise ArithmeticError(
        f"a penalised likelihood has not come to its minimum in {MAX_STEPS} steps"
    )


def _step_factor(
    problems: Problems, v: FloatArray, move: FloatArray, before: FloatArray
) -> FloatArray:
    """Halve steps until what is minimised does not rise."""
    factor = np.ones(len(v))
    highest = before + 1e-12 * np.abs(before)
    rises = np.arange(len(v))
    while len(rises):
        some = problems.some(rises)
        trial = v[rises] + factor[rises, None, None] * move[rises]
        rises = rises[some.objective(trial, some.scores(trial)) > highest[rises]]
        factor[rises] /= 2.0
    return factor
