"""Newton's method on a batch of logistic likelihoods, each left when it shows what it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdcurves.logistic import certificates
from gdcurves.logistic.batched import gram, solve_scaled, times, transposed
from gdcurves.logistic.certificates import Outcome
from gdcurves.types import BoolArray, FloatArray, IntArray

MAX_STEPS = 60
# One more step from here is exact to rounding, because convergence is quadratic.
CONVERGED_CHANGE = 1e-8
# Near a limit at infinity, a step adds 1 to the margins that grow and nothing to the others.
GROWING_CHANGE = 0.5
SETTLED_CHANGE = 1e-2
# Keeps the scaled Hessian regular where columns are dependent; far below its rounding error.
RIDGE = 1e-14


@dataclass(frozen=True)
class Ascent:
    """Where each problem stood when it left the batch.

    Attributes
    ----------
    weights
        Shape (B, q): the maximum (overlap), a separating vector (separable), else the last iterate.
    outcome
        Shape (B,), `Outcome`; overlap and separable are certified, quasi-separable is a candidate.
        A maximum whose multipliers are too small to be a certificate is left undecided.
    growing
        Shape (B, m): of a candidate, the rows whose margins grow without bound.
    step
        Shape (B, q): the last Newton step; of a candidate, the direction of growth.
    """

    weights: FloatArray
    outcome: IntArray
    growing: BoolArray
    step: FloatArray


def ascend(rows: FloatArray, counted: BoolArray) -> Ascent:
    """Climb the likelihoods prod_i sigma(<w, a_i>) from w = 0.

    Parameters
    ----------
    rows
        Signed rows a_i, shape (B, m, q).
    counted
        Which rows belong to the problem, shape (B, m).
    """
    n_problems, n_rows, n_weights = rows.shape
    weights = np.zeros((n_problems, n_weights))
    step_out = np.zeros((n_problems, n_weights))
    growing = np.zeros((n_problems, n_rows), dtype=bool)
    outcome = np.full(n_problems, Outcome.UNDECIDED, dtype=np.int8)

    active = np.arange(n_problems)
    w = weights.copy()
    for _ in range(MAX_STEPS):
        if not len(active):
            break
        separated = certificates.separates(rows, w, counted)
        residual, step, change, factor = _newton_step(rows, counted, w)
        still = ~separated & (np.abs(change).max(axis=1) < CONVERGED_CHANGE)
        overlap = np.zeros(len(active), dtype=bool)
        if still.any():
            # The residuals after the step, to first order: they balance the rows up to rounding.
            multipliers = residual[still] * (1.0 - (1.0 - residual[still]) * change[still])
            overlap[still] = certificates.balances(rows[still], multipliers, counted[still])
        moves = change > GROWING_CHANGE
        settled = np.abs(change) < SETTLED_CHANGE
        candidate = ~separated & moves.any(axis=1) & (moves | settled).all(axis=1)

        w_next = w + factor[:, None] * step
        leaves = separated | still | candidate
        for which, kind in (
            (separated, Outcome.SEPARABLE),
            (overlap, Outcome.OVERLAP),
            (candidate, Outcome.QUASI),
        ):
            outcome[active[which]] = kind
        weights[active] = np.where(separated[:, None], w, w_next)
        step_out[active] = step
        growing[active] = moves
        if leaves.any():
            stays = ~leaves
            active, rows, counted, w_next = (
                active[stays],
                rows[stays],
                counted[stays],
                w_next[stays],
            )
        w = w_next
    return Ascent(weights, outcome, growing, step_out)


def maximise(
    rows: FloatArray, counted: BoolArray, start: FloatArray
) -> tuple[FloatArray, BoolArray]:
    """Climb from `start` (B, q) to the maxima of problems that are known to overlap.

    Returns the maxima, shape (B, q), and which of them were reached.
    """
    w = start.copy()
    far = np.ones(len(w), dtype=bool)
    for _ in range(MAX_STEPS):
        if not far.any():
            break
        _, step, change, factor = _newton_step(rows[far], counted[far], w[far])
        w[far] += factor[:, None] * step
        far[far] = np.abs(change).max(axis=1) >= CONVERGED_CHANGE
    return w, ~far


def _newton_step(
    rows: FloatArray, counted: BoolArray, w: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Residuals (B, m) at w, the step (B, q), the margins' change by it, the share to take."""
    margin = times(rows, w)
    residual = np.where(counted, _sigma(-margin), 0.0)
    gradient = times(transposed(rows), residual)
    hessian = gram(rows, residual * (1.0 - residual))
    step = solve_scaled(hessian, gradient, RIDGE * rows.shape[2])
    change = np.where(counted, times(rows, step), 0.0)
    return residual, step, change, _step_factor(margin, change, counted)


def _sigma(x: FloatArray) -> FloatArray:
    small = np.exp(-np.abs(x))
    share: FloatArray = np.where(x < 0, small, 1.0) / (1.0 + small)
    return share


def _step_factor(margin: FloatArray, change: FloatArray, counted: BoolArray) -> FloatArray:
    """Halve steps until the log-likelihood does not fall."""
    factor = np.ones(len(margin))
    before = _loglik(margin, counted)
    slack = 1e-12 * np.abs(before)
    falls = _loglik(margin + change, counted) < before - slack
    while falls.any():
        factor[falls] /= 2.0
        trial = margin[falls] + factor[falls, None] * change[falls]
        falls[falls] = _loglik(trial, counted[falls]) < (before - slack)[falls]
    return factor


def _loglik(margin: FloatArray, counted: BoolArray) -> FloatArray:
    terms = np.minimum(margin, 0.0) - np.log1p(np.exp(-np.abs(margin)))
    total: FloatArray = np.where(counted, terms, 0.0).sum(axis=1)
    return total
