"""The hyperplanes of largest margin, the limit of a squared penalty that vanishes.

For two classes: the least |V|^2 with <s_i, V x_i + b> >= 1 for all rows, s_i = 1, -1 by class. For
K classes the limit of the softmax: the least sum over the classes of |w_k|^2 where the score of its
own class exceeds every other one by 1 at least, in each row. Of softmax fits with a penalty that
goes to 0 this is the limit of the directions (Rosset, Zhu & Hastie, 2004, "Margin maximizing loss
functions"). Where the intercepts are not determined by it they are in the middle, in the sense of
the method: an interior point method on a batch (Nocedal & Wright, 2006, "Numerical optimization",
section 16.6), from a separating hyperplane, which is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.logistic.batched import diagonal, solve_scaled, transposed
from gdcurves.logistic.penalised import SLICE_ENTRIES
from gdcurves.logistic.simplex import corners, others
from gdcurves.logistic.softmax import Curvature, block_gram

MAX_STEPS = 80
# The gap to the dual program, as a share of the squared weights, or so many roundings of margins;
# and the share that is left of what forces and weights did not balance to begin with.
GAP = 1e-11
ROUNDINGS = 1000
BALANCE = 1e-9
# Rounding may end the method sooner where classes are closer than a millionth of their spread; the
# gap says by how much less than the largest the margin can be: about half this share at most.
COARSE_GAP = 0.01
# The share of the gap that the next step aims at, and of the way to the boundary that it may take.
CENTRING = 0.1
INSIDE = 0.99


@dataclass(frozen=True)
class _Rows:
    """Rows and the scores that have to be apart.

    Attributes
    ----------
    rows
        A one, then the inputs, (B, m, q).
    edges
        By row the corner of its class less those of the others, (B, K - 1, K - 1, m): for each of
        the others, by coordinate.
    """

    rows: FloatArray
    edges: FloatArray

    def some(self, which: BoolArray) -> _Rows:
        return _Rows(self.rows[which], self.edges[which])

    def margins(self, v: FloatArray) -> FloatArray:
        """Margins (B, K - 1, m) under v (B, K - 1, q)."""
        raw = v @ transposed(self.rows)
        margins: FloatArray = np.einsum("bgcm,bcm->bgm", self.edges, raw)
        return margins

    def pull(self, forces: FloatArray) -> FloatArray:
        """Sums (B, Q) of the signed rows times forces (B, K - 1, m)."""
        pulled: FloatArray = np.einsum("bgcm,bgm->bcm", self.edges, forces) @ self.rows
        return pulled.reshape(len(pulled), -1)

    def gram(self, weights: FloatArray) -> FloatArray:
        """Sums (B, Q, Q) of the squares of signed rows times weights (B, K - 1, m)."""
        n, n_others, _ = weights.shape

        def curvatures(part: slice) -> Iterator[Curvature]:
            edges = self.edges[..., part]
            for i in range(n_others):
                weighted = edges[:, :, i] * weights[..., part]
                for j in range(i + 1):
                    yield i, j, (weighted * edges[:, :, j]).sum(axis=1)

        return block_gram(self.rows, (n,), n_others, curvatures)


def largest_margin(x: FloatArray, y: IntArray, n_classes: int, start: FloatArray) -> FloatArray:
    """Find the hyperplanes.

    Parameters
    ----------
    x
        Rows, shape (B, m, r), of separable sets.
    y
        Their classes, shape (B, m).
    n_classes
        K.
    start
        What separates them strictly, shape (B, K - 1, 1 + r): b and V of raw scores, see
        `gdcurves.logistic.penalised`.

    Returns
    -------
    b and V with least margin 1, shape (B, K - 1, 1 + r).

    Raises
    ------
    ArithmeticError
        A largest margin is not reached.
    """
    n, m, r = x.shape
    rows = np.concatenate([np.ones((n, m, 1)), x], axis=2)
    corner = corners(n_classes)
    apart = corner[:, None] - corner[others(n_classes)]  # (K, K - 1, K - 1)
    n_weights = (n_classes - 1) * (1 + r)
    width = max(1, SLICE_ENTRIES // (m * (r + n_classes**2) + n_weights**2))
    v = np.empty_like(start)
    for first in range(0, n, width):
        part = slice(first, first + width)
        edges = np.ascontiguousarray(apart[y[part]].transpose(0, 2, 3, 1))
        v[part] = _widened(_Rows(rows[part], edges), start[part])
    return v


@dataclass(frozen=True)
class _State:
    """Where the method stands.

    Attributes
    ----------
    v
        Shape (B, K - 1, q).
    slack, force
        Margins less 1 and multipliers, both positive, shape (B, K - 1, m).
    unit
        Squared length of the weights to begin with, (B,): the program's unit.
    unbalanced
        The share of what was not balanced then that is still to be, but for rounding, (B,).
    """

    v: FloatArray
    slack: FloatArray
    force: FloatArray
    unit: FloatArray
    unbalanced: FloatArray

    @classmethod
    def begun(cls, rows: _Rows, v: FloatArray) -> _State:
        margins = rows.margins(v)
        least = margins.min(axis=(1, 2))
        if not np.all(least > 0):
            raise ArithmeticError("a hyperplane to begin with does not separate")
        v = v * (2.0 / least)[:, None, None]
        slack = margins * (2.0 / least)[:, None, None] - 1.0
        unit = (v[:, :, 1:] ** 2).sum(axis=(1, 2))
        return cls(v, slack, 1.0 / (slack * slack[0].size), unit, np.ones(len(v)))

    @property
    def gap(self) -> FloatArray:
        """Between the program and its dual, once that is balanced, (B,)."""
        gap: FloatArray = np.einsum("bgm,bgm->b", self.slack, self.force)
        return gap

    @property
    def size(self) -> FloatArray:
        """Squared length of the weights in the program's unit, (B,)."""
        size: FloatArray = (self.v[:, :, 1:] ** 2).sum(axis=(1, 2)) / self.unit
        return size

    def some(self, which: BoolArray) -> _State:
        return _State(**{name: values[which] for name, values in vars(self).items()})


def _widened(rows: _Rows, start: FloatArray) -> FloatArray:
    """Widen margins from a start (B, K - 1, q); problems that have arrived leave the batch."""
    v = np.empty_like(start)
    active = np.arange(len(start))
    state = _State.begun(rows, start)
    for _ in range(MAX_STEPS):
        state, done = _stepped(rows, state)
        v[active[done]] = state.v[done]
        active = active[~done]
        if not len(active):
            return v
        if done.any():
            rows, state = rows.some(~done), state.some(~done)
    if np.any(state.gap > COARSE_GAP * state.size) or np.any(state.unbalanced > COARSE_GAP):
        raise ArithmeticError(f"a largest margin is not reached in {MAX_STEPS} steps")
    v[active] = state.v
    return v


def _stepped(rows: _Rows, at: _State) -> tuple[_State, BoolArray]:
    """Take a step, unless there is nothing left to gain: which problems (B,) that holds of."""
    weights = at.v.copy()
    weights[:, :, 0] = 0.0
    weights = weights.reshape(len(weights), -1) / at.unit[:, None]
    left = rows.pull(at.force) - weights
    margins = rows.margins(at.v)
    short = margins - 1.0 - at.slack
    gap = at.gap
    rounding = ROUNDINGS * np.finfo(float).eps * margins.max(axis=(1, 2))
    done: BoolArray = (gap <= np.maximum(GAP, rounding) * at.size) & (at.unbalanced <= BALANCE)
    target = (CENTRING * gap / at.slack[0].size)[:, None, None] - at.slack * at.force
    ratio = at.force / at.slack
    hessian = rows.gram(ratio)
    penalised = np.tile(np.arange(at.v.shape[2]) > 0, at.v.shape[1])
    diagonal(hessian)[...] += penalised / at.unit[:, None]
    force = target / at.slack - ratio * short
    step = solve_scaled(hessian, left + rows.pull(force), 0.0).reshape(at.v.shape)
    widened = rows.margins(step)
    slack = widened + short
    force = force - ratio * widened
    furthest = np.maximum(-slack / at.slack, -force / at.force).max(axis=(1, 2))
    factor = np.minimum(1.0, INSIDE / np.maximum(furthest, INSIDE))
    factor = np.where(done, 0.0, factor)[:, None, None]
    return replace(
        at,
        v=at.v + factor * step,
        slack=at.slack + factor * slack,
        force=at.force + factor * force,
        unbalanced=at.unbalanced * (1.0 - factor[:, 0, 0]),
    ), done
