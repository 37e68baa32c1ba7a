"""Newton's method on a batch of logistic likelihoods, each left when it shows what it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.logistic import certificates, margins
from gdcurves.logistic.batched import diagonal, inner, lengths, solve, times, transposed
from gdcurves.logistic.certificates import Outcome

MAX_STEPS = 60
# After a step that changes margins by this, the error is its square, and a step with the same
# Hessian takes it to its cube.
CONVERGED_CHANGE = 1e-5
# A maximum so far out that its smallest residuals are below the rounding of the others is reached
# when a step promises no more log-likelihood than this.
LEAST_GAIN = 1e-13
# Near a limit at infinity, a step adds 1 to the margins that grow and nothing to the others.
GROWING_CHANGE = 0.5
SETTLED_CHANGE = 1e-2
# By then a step changes its direction no more; many more would make the Hessian singular.
GROWTH_STEPS = 18
# Keeps the Hessian of rows with unit columns regular where these are dependent.
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


def ascend(rows: FloatArray, multiplicity: FloatArray, start: FloatArray, n_others: int) -> Ascent:
    """Climb the likelihoods.

    Parameters
    ----------
    rows
        Signed rows a_i, shape (B, m, q); `n_others` of them for each training row.
    multiplicity
        How often each row counts, shape (B, m); 0 for rows that are not of the problem.
    start
        Where to begin, shape (B, q), in the span of the rows.
    n_others
        Classes but one, see `gdcurves.logistic.margins`.
    """
    n_problems, n_rows, n_weights = rows.shape
    rows, scale = _equilibrated(rows)
    weights = start / scale
    step_out = np.zeros((n_problems, n_weights))
    growing = np.zeros((n_problems, n_rows), dtype=bool)
    outcome = np.full(n_problems, Outcome.UNDECIDED, dtype=np.int8)

    active = np.arange(n_problems)
    length = lengths(rows)
    share = None
    for _ in range(MAX_STEPS):
        if not len(active):
            break
        w = weights[active]
        at = _newton_step(rows, multiplicity, w, n_others, share)
        share = at.end
        counted = multiplicity > 0
        separated = certificates.separates(at.margin, length, w, counted)
        moves = at.change > GROWING_CHANGE
        settled = np.abs(at.change) < SETTLED_CHANGE
        candidate = ~separated & moves.any(axis=1) & (moves | settled).all(axis=1)
        still = ~separated & (np.abs(at.change).max(axis=1) < CONVERGED_CHANGE)

        outcome[active[separated]] = Outcome.SEPARABLE
        outcome[active[candidate]] = Outcome.QUASI
        step_out[active] = at.step
        growing[active] = moves
        weights[active] = np.where(separated[:, None], w, w + at.factor[:, None] * at.step)
        if still.any():
            done = active[still]
            multipliers = _polish(
                rows[still], multiplicity[still], at.hessian[still], weights, done, n_others
            )
            proved = certificates.balances(rows[still], multipliers, counted[still])
            outcome[done[proved]] = Outcome.OVERLAP
        stays = ~(separated | candidate | still)
        if not stays.all():
            active, rows, multiplicity, length, share = (
                active[stays],
                rows[stays],
                multiplicity[stays],
                length[stays],
                share[stays],
            )
    return Ascent(weights * scale, outcome, growing, step_out * scale)


def maximise(
    rows: FloatArray, multiplicity: FloatArray, start: FloatArray, n_others: int
) -> tuple[FloatArray, BoolArray]:
    """Climb from `start` (B, q) to the maxima of problems that are known to overlap.

    `rows` (B, m, q), `multiplicity` (B, m) and `n_others` are those of `ascend`. Returns the
    maxima, shape (B, q), and which of them were reached, shape (B,).
    """
    rows, scale = _equilibrated(rows)
    w = start / scale
    far = np.ones(len(w), dtype=bool)
    for _ in range(MAX_STEPS):
        if not far.any():
            break
        at = _newton_step(rows[far], multiplicity[far], w[far], n_others)
        w[far] += at.factor[:, None] * at.step
        active = np.flatnonzero(far)
        still = np.abs(at.change).max(axis=1) < CONVERGED_CHANGE
        done = active[still]
        _polish(rows[done], multiplicity[done], at.hessian[still], w, done, n_others)
        far[active[still | (at.gain < LEAST_GAIN)]] = False
    return w * scale, ~far


def growth(rows: FloatArray, multiplicity: FloatArray, n_others: int) -> FloatArray:
    """Direction (B, q) in which Newton's method from 0 moves after GROWTH_STEPS steps.

    `rows` (B, m, q), `multiplicity` (B, m) and `n_others` are those of `ascend`.
    """
    rows, scale = _equilibrated(rows)
    w = np.zeros_like(scale)
    for _ in range(GROWTH_STEPS):
        at = _newton_step(rows, multiplicity, w, n_others)
        w += at.factor[:, None] * at.step
    return at.step * scale


def undamped(rows: FloatArray, n_others: int, n_steps: int) -> FloatArray:
    """Iterate (B, q) of Newton's method after so many whole steps from 0, wherever they lead.

    `rows` (B, m, q) span all their columns but null ones, and `n_others` is that of `ascend`.
    """
    rows, scale = _equilibrated(rows)
    once = np.ones(rows.shape[:2])
    w = np.zeros_like(scale)
    for _ in range(n_steps):
        w += _whole_step(rows, once, w, n_others).step
    return w * scale


def _equilibrated(rows: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Rows with columns of unit length, and the factors (B, q) by which they were multiplied."""
    length = np.sqrt(np.einsum("bmq,bmq->bq", rows, rows))
    scale = 1.0 / np.where(length > 0, length, 1.0)
    return rows * scale[:, None, :], scale


@dataclass(frozen=True)
class _WholeStep:
    """A Newton step as the second derivatives have it.

    Attributes
    ----------
    hessian
        Shape (B, q, q).
    margin
        <w, a_i>, shape (B, m).
    gradient, step
        Shape (B, q).
    """

    hessian: FloatArray
    margin: FloatArray
    gradient: FloatArray
    step: FloatArray


def _whole_step(
    rows: FloatArray,
    multiplicity: FloatArray,
    w: FloatArray,
    n_others: int,
    share: FloatArray | None = None,
) -> _WholeStep:
    """From w (B, q), and the shares (B, m) there if they are known already."""
    margin = times(rows, w)
    if share is None:
        share = margins.shares(margin, multiplicity, n_others)
    gradient = times(transposed(rows), multiplicity * share)
    hessian = margins.information(rows, share, multiplicity, n_others)
    diagonal(hessian)[...] += RIDGE * rows.shape[2]
    return _WholeStep(hessian, margin, gradient, solve(hessian, gradient))


@dataclass(frozen=True)
class _Step(_WholeStep):
    """A Newton step, and the share of it that is taken.

    Attributes
    ----------
    gain
        Twice the log-likelihood that the step promises, shape (B,).
    change
        What the step adds to the margins, shape (B, m).
    factor
        The share of the step to take, shape (B,).
    end
        What `margins.shares` says of the margins there, shape (B, m).
    """

    gain: FloatArray
    change: FloatArray
    factor: FloatArray
    end: FloatArray


def _newton_step(
    rows: FloatArray,
    multiplicity: FloatArray,
    w: FloatArray,
    n_others: int,
    share: FloatArray | None = None,
) -> _Step:
    """As `_whole_step`, with the part of it that may be taken."""
    at = _whole_step(rows, multiplicity, w, n_others, share)
    change = np.where(multiplicity > 0, times(rows, at.step), 0.0)
    factor, end = _end(at.margin, change, multiplicity, n_others)
    gain = inner(at.gradient, at.step)
    return _Step(at.hessian, at.margin, at.gradient, at.step, gain, change, factor, end)


def _polish(
    rows: FloatArray,
    multiplicity: FloatArray,
    hessian: FloatArray,
    weights: FloatArray,
    done: IntArray,
    n_others: int,
) -> FloatArray:
    """Move weights[done] by one more step with the last Hessian, which makes them exact.

    Returns the multipliers there, to first order: they balance the rows up to rounding.
    """
    share = margins.shares(times(rows, weights[done]), multiplicity, n_others)
    gradient = times(transposed(rows), multiplicity * share)
    step = solve(hessian, gradient)
    weights[done] += step
    return multiplicity * margins.moved(share, times(rows, step), n_others)


def _end(
    margin: FloatArray, change: FloatArray, multiplicity: FloatArray, n_others: int
) -> tuple[FloatArray, FloatArray]:
    """Halve steps until the log-likelihood does not fall: factors (B,), and shares (B, m) there.

    It is concave: where it still rises at the end of a step it has risen all the way, and no
    logarithm need be taken.
    """
    factor = np.ones(len(margin))
    share = margins.shares(margin + change, multiplicity, n_others)
    past = np.flatnonzero(inner(multiplicity * share, change) < 0)
    if not len(past):
        return factor, share
    margin, change, multiplicity = margin[past], change[past], multiplicity[past]
    before = margins.loglik(margin, multiplicity, n_others)
    least = before - 1e-12 * np.abs(before)
    falls = margins.loglik(margin + change, multiplicity, n_others) < least
    halved = falls.copy()
    while falls.any():
        factor[past[falls]] /= 2.0
        trial = margin[falls] + factor[past[falls], None] * change[falls]
        falls[falls] = margins.loglik(trial, multiplicity[falls], n_others) < least[falls]
    part = factor[past[halved], None] * change[halved]
    share[past[halved]] = margins.shares(margin[halved] + part, multiplicity[halved], n_others)
    return factor, share
