"""Quadratic functions with a penalty on absolute values, by an interior point method on a batch.

The least w'Hw / 2 - <c, w> + <lambda, |w|>, where some lambda may be 0: w = p - n with p, n >= 0,
whose multipliers are lambda + y and lambda - y with y = Hw - c (Wright, 1997, "Primal-dual
interior-point methods"). What remains of a Newton step is a system with H + 1/e on the diagonal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.logistic.batched import diagonal, inner, solve, times

MAX_STEPS = 100
# What is left of the gap to the dual, and of what was not balanced, as a share of the first; or so
# many roundings of the value.
GAP = 1e-12
ROUNDINGS = 8
DAMPING = 1e-6
# The share of the gap that the next step aims at, and of the way to the boundary that it may take.
CENTRING = 0.1
INSIDE = 0.99


def shrunk(hessian: FloatArray, pull: FloatArray, penalty: FloatArray) -> FloatArray:
    """Find the minima w (B, Q); exactly 0 where the penalty holds a weight there.

    H, `hessian` (B, Q, Q), is positive semidefinite, and definite on what has no penalty; c and
    lambda, `pull` and `penalty`, have shape (B, Q). Raises ArithmeticError where a minimum is not
    reached.
    """
    entries = diagonal(hessian)
    scale = 1.0 / np.sqrt(np.where(entries > 0, entries, 1.0))
    scaled = hessian * (scale[:, :, None] * scale[:, None, :])
    state = _State.begun(scaled, scale * pull, scale * penalty)
    w = np.empty_like(pull)
    active = np.arange(len(pull))
    largest = np.abs(state.pull).max(axis=1)
    first = 2.0 * np.where(largest > 0, largest, 1.0) * state.penalty.sum(axis=1)
    for _ in range(MAX_STEPS):
        rounding = ROUNDINGS * np.finfo(float).eps * inner(np.abs(state.pull), np.abs(state.w))
        near = state.gap <= np.maximum(GAP * first[active], rounding)
        done = near & (state.unbalanced <= GAP)
        w[active[done]] = state.weights()[done]
        active = active[~done]
        if not len(active):
            return scale * w
        if done.any():
            state = state.some(~done)
        state = state.moved()
    raise ArithmeticError(f"a penalised quadratic has not come to its minimum in {MAX_STEPS} steps")


@dataclass(frozen=True)
class _State:
    """Where the method stands.

    Attributes
    ----------
    hessian, pull, penalty
        H, c and lambda, (B, Q, Q), (B, Q) and (B, Q).
    w, y
        Weights, and minus the gradient once that is balanced, (B, Q).
    sides, forces
        p and n, and their multipliers, (2, B, Q); those of what has no penalty are not used.
    typical
        The size of p and n to begin with, (B,).
    unbalanced
        The share of Hw - c - y that is left, but for rounding, (B,).
    """

    hessian: FloatArray
    pull: FloatArray
    penalty: FloatArray
    w: FloatArray
    y: FloatArray
    sides: FloatArray
    forces: FloatArray
    typical: FloatArray
    unbalanced: FloatArray

    @classmethod
    def begun(cls, hessian: FloatArray, pull: FloatArray, penalty: FloatArray) -> _State:
        # As long as the minimum without a penalty is far away, were it damped.
        damped = hessian.copy()
        diagonal(damped)[...] += DAMPING
        typical = np.abs(np.stack([pull, solve(damped, pull)])).max(axis=(0, 2))
        typical = np.where(typical > 0, typical, 1.0)
        zero = np.zeros_like(pull)
        sides = np.stack([zero, zero]) + typical[:, None]
        forces = np.stack([penalty, penalty])
        unbalanced = np.ones(len(pull))
        return cls(hessian, pull, penalty, zero, zero, sides, forces, typical, unbalanced)

    @property
    def gap(self) -> FloatArray:
        """Between the program and its dual, (B,)."""
        gap: FloatArray = np.einsum("sbq,sbq->b", self.sides, self.forces)
        return gap

    def some(self, which: BoolArray) -> _State:
        return _State(
            *(
                each[:, which] if name in ("sides", "forces") else each[which]
                for name, each in vars(self).items()
            )
        )

    def weights(self) -> FloatArray:
        """Weights, 0 where multipliers say so, (B, Q)."""
        held = self.penalty > 0
        size = self.sides * np.where(held, self.penalty, 1.0)
        zero = held & np.all(size < self.forces * self.typical[:, None], axis=0)
        return np.where(zero, 0.0, self.w)

    def moved(self) -> _State:
        """Take a step."""
        held = self.penalty > 0
        n_held = np.maximum(2 * held.sum(axis=1), 1)
        forces = np.where(held, self.forces, 1.0)
        target = (CENTRING * self.gap / n_held)[:, None] - self.sides * forces
        share = target / forces
        softness = (self.sides / forces).sum(axis=0)
        stiffness = np.where(held, 1.0 / softness, 0.0)
        push = (share[0] - share[1]) * stiffness
        matrix = self.hessian.copy()
        diagonal(matrix)[...] += stiffness
        left = times(self.hessian, self.w) - self.pull - self.y
        step = solve(matrix, push - left)
        turn = push - stiffness * step
        turns = np.where(held, np.stack([turn, -turn]), 0.0)
        spread = np.where(held, share - self.sides / forces * turns, 0.0)
        furthest = np.maximum(-spread / self.sides, -turns / forces).max(axis=(0, 2))
        factor = np.minimum(1.0, INSIDE / np.maximum(furthest, INSIDE))
        along = factor[:, None]
        return _State(
            self.hessian,
            self.pull,
            self.penalty,
            self.w + along * step,
            self.y + along * turns[0],
            self.sides + along * spread,
            self.forces + along * turns,
            self.typical,
            self.unbalanced * (1.0 - factor),
        )
