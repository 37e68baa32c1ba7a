"""Logistic likelihoods with a penalty on the absolute weights: strength |w|_1, intercepts free.

For two classes w are the weights of the log odds, for more those of the scores of all classes, of
which the sum over the classes is then the least that gives these probabilities. Newton's method: in
each step a quadratic model of the losses, with the penalty as it is, has its minimum found (Lee,
Sun & Saunders, 2014, "Proximal Newton-type methods"). Points are those of
`gdcurves.logistic.penalised`, of strength 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.logistic.batched import diagonal, ratio
from gdcurves.logistic.folds import Folds
from gdcurves.logistic.penalised import SLICE_ENTRIES, Point, Problems
from gdcurves.logistic.shrinkage import shrunk
from gdcurves.logistic.simplex import corners

MAX_STEPS = 200
# Fits have settled where the steps that are left will change losses by less than these shares of
# their sum: those for the losses of rows held out, and those that are kept.
FOLD_TOLERANCE = 1e-5
TOLERANCE = 1e-10
# A step that promises less than this share of the loss is rounding.
LEAST_GAIN = 1e-15
# Keeps models convex, whose second derivatives are differences of sums; gradients are exact.
RIDGE = 1e-11
# Columns that are fitted at once where there are more, at least; and by which share of the strength
# the gradient of another may exceed it.
LEAST_COLUMNS = 64
EXCESS = 1e-6
# After so many steps, second derivatives of all fits together are too far from those of each.
STEPS_TOGETHER = 8


def minimise(problems: Problems, start: FloatArray | None = None) -> FloatArray:
    """Find the minima v = (b, V) of problems, one for each set: shape (B, K - 1, q).

    The strengths of `problems` are those of this penalty. `start` (B, K - 1, q) is where to begin,
    the class sizes alone unless given. Raises ArithmeticError where a minimum is not reached.
    """
    v = problems.start() if start is None else start[:, None]
    parts = []
    m, q = problems.rows.shape[1:]
    n_weights = problems.n_classes * min(q, _most_columns(m))
    width = max(1, SLICE_ENTRIES // (m * (q + problems.n_classes**2) + n_weights**2))
    for first in range(0, len(v), width):
        part = slice(first, first + width)
        some = problems.some(part)
        parts.append(_settled(Folds(some, some.counted), v[part], TOLERANCE)[:, 0])
    return np.concatenate(parts)


def held_out(folds: Folds, strengths: Sequence[float]) -> tuple[FloatArray, FloatArray]:
    """Follow the path of S strengths, from strong to weak; see `gdcurves.logistic.path.held_out`.

    Returns losses (S, B) and fits to all rows (S, B, K - 1, q).
    """
    v = folds.problems.start()
    losses: list[FloatArray] = []
    fits: list[FloatArray] = []
    for strength in strengths:
        v = _settled(folds.with_strength(strength), v, FOLD_TOLERANCE)
        losses.append(folds.losses(folds.problems.at(v))[:, 1:].sum(axis=1))
        fits.append(v[:, 0])
    return np.array(losses), np.array(fits)


def class_weights(v: FloatArray) -> FloatArray:
    """Weights (..., G, q) of the scores of all K classes, G = K, or of the log odds, G = 1.

    Of v (..., K - 1, q). Of weights that give the same probabilities, those with the least sum.
    """
    n_others = v.shape[-2]
    if n_others == 1:
        return v
    weights: FloatArray = corners(n_others + 1) @ v
    weights[..., 1:] -= np.median(weights[..., 1:], axis=-2, keepdims=True)
    return weights


def _lift(n_classes: int) -> FloatArray:
    """The matrix T (G, K - 1) with v = T' w."""
    return np.ones((1, 1)) if n_classes == 2 else 2.0 * corners(n_classes)


def _settled(folds: Folds, start: FloatArray, tolerance: float) -> FloatArray:
    """Go down from a start (B, P, K - 1, q) until fits have settled.

    Of many columns most have no weight. Then a part of them is fitted: those that have a weight in
    a fit of the set, and those with the largest gradients, until no other's exceeds the strength.
    """
    v = start
    width = _most_columns(folds.problems.rows.shape[1])
    fitted = np.zeros((len(v), v.shape[3] - 1), dtype=bool)
    while width < fitted.shape[1]:
        pull = folds.with_strength(0.0).problems.at(v).down.reshape(v.shape)
        slopes = np.abs(_lift(folds.problems.n_classes) @ pull)[..., 1:].max(axis=(1, 2))
        strength = folds.problems.strength[:, None]
        if fitted.any() and not np.any(~fitted & (slopes > (1.0 + EXCESS) * strength)):
            return v
        used = v[..., 1:].any(axis=(1, 2))
        width = max(width, 2 * int(used.sum(axis=1).max()))
        order = np.argsort(np.where(used, -np.inf, -slopes), axis=1)[:, :width]
        np.put_along_axis(fitted, order, True, axis=1)
        columns = np.sort(np.argsort(~fitted, axis=1, kind="stable")[:, : fitted.sum(axis=1).max()])
        v = _in_columns(folds, v, columns, tolerance)
    return _minimised(folds, v, tolerance)


def _most_columns(n_rows: int) -> int:
    """How many columns are fitted at once, to begin with."""
    return max(LEAST_COLUMNS, 2 * n_rows)


def _in_columns(folds: Folds, v: FloatArray, columns: IntArray, tolerance: float) -> FloatArray:
    """Fit the weights (B, P, K - 1, q) of some columns (B, w), the others being 0."""
    every = np.concatenate([np.zeros((len(columns), 1), dtype=np.int64), columns + 1], axis=1)
    rows = np.take_along_axis(folds.problems.rows, every[:, None, :], axis=2)
    some = replace(folds, problems=replace(folds.problems, rows=rows))
    every = every[:, None, None, :]
    fit = _minimised(some, np.take_along_axis(v, every, axis=3), tolerance)
    filled = np.zeros_like(v)
    np.put_along_axis(filled, np.broadcast_to(every, fit.shape), fit, axis=3)
    return filled


def _minimised(folds: Folds, start: FloatArray, tolerance: float) -> FloatArray:
    """Go down from a start (B, P, K - 1, q); sets that have settled leave the batch."""
    v = np.empty_like(start)
    active = np.arange(len(v))
    strength = folds.problems.strength
    free = folds.with_strength(0.0)
    at = free.problems.at(start)
    change, gain = np.full(v.shape[:2], np.inf), np.ones(v.shape[:2])
    for number in range(MAX_STEPS):
        step, promised = _step(free, at, strength, _seconds(free, at, number))
        there, factor = _descended(free.problems, at, step, strength)
        moved = np.abs(there.losses - at.losses)
        moved = np.einsum("bpm,bpm->bp", free.judged, moved) / factor
        # The losses of few rows may change little by chance: then the promise counts.
        shorter = np.where(np.isfinite(change), change, 0.0) * np.sqrt(ratio(promised, gain))
        moved = np.maximum(moved, shorter)
        rate = np.where(np.isfinite(change), ratio(moved, change), 1.0)
        change, gain, at = moved, promised, there
        left = change * np.minimum(1.0, rate / np.maximum(1.0 - rate, 0.5))
        settled = (left <= tolerance * free.losses(at)) | (promised <= LEAST_GAIN * at.value)
        done: BoolArray = np.all(settled, axis=1)
        if done.any():
            v[active[done]] = at.v[done]
            active = active[~done]
            if not len(active):
                return v
            free, at, strength = free.some(~done), at.some(~done), strength[~done]
            change, gain = change[~done], gain[~done]
    raise ArithmeticError(f"a penalised fit has not come to its minimum in {MAX_STEPS} steps")


def _seconds(folds: Folds, at: Point, number: int) -> FloatArray:
    """Second derivatives (B, P, Q, Q) for a step: of each fit, or at that to all rows."""
    if folds.n_folds == 0 or folds.have_few_rows or number >= STEPS_TOGETHER:
        return folds.problems.information(at)
    return folds.information(at)


def _step(
    folds: Folds, at: Point, strength: FloatArray, seconds: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Minimise the model: the step of v (B, P, Q), and the gain it promises (B, P).

    The gain is to first order of the losses, so at least twice that of the model.
    """
    n, n_problems, n_others, q = at.v.shape
    lift = _lift(folds.problems.n_classes)
    n_scores = len(lift)
    blocks = seconds.reshape(n, n_problems, n_others, q, n_others, q)
    blocks = np.einsum("kc,bpcidj,ld->bpkilj", lift, blocks, lift, optimize=True)
    if n_scores > 1:
        # A number added to all intercepts changes nothing: it stays 0.
        blocks[..., 0, :, 0] += np.mean(diagonal(seconds.reshape(-1, *seconds.shape[2:])))
    hessian = blocks.reshape(n * n_problems, n_scores * q, -1)
    entries = diagonal(hessian)
    entries *= 1.0 + RIDGE
    w = class_weights(at.v).reshape(len(hessian), -1)
    pull = (lift @ at.down.reshape(at.v.shape)).reshape(w.shape)
    penalty = np.zeros((n, n_problems, n_scores, q))
    penalty[..., 1:] = strength[:, None, None, None]
    penalty = penalty.reshape(w.shape)
    nearest = shrunk(hessian, pull + np.matmul(hessian, w[:, :, None])[:, :, 0], penalty)
    gain = pull * (nearest - w) + penalty * (np.abs(w) - np.abs(nearest))
    step = lift.T @ (nearest - w).reshape(n, n_problems, n_scores, q)
    return step.reshape(at.down.shape), gain.sum(axis=1).reshape(n, n_problems)


def _descended(
    problems: Problems, at: Point, step: FloatArray, strength: FloatArray
) -> tuple[Point, FloatArray]:
    """Go a step (B, P, Q), halved until nothing rises; also the factors (B, P)."""
    factor = np.ones(at.value.shape)
    before = _value(at, strength)
    highest = before + 1e-12 * np.abs(before)
    while True:
        there = problems.at(at.v + (factor[:, :, None] * step).reshape(at.v.shape))
        rises = _value(there, strength) > highest
        if not rises.any():
            return there, factor
        factor[rises] /= 2.0


def _value(at: Point, strength: FloatArray) -> FloatArray:
    """What is minimised, (B, P)."""
    sizes = np.abs(class_weights(at.v)[..., 1:]).sum(axis=(2, 3))
    value: FloatArray = at.loss + strength[:, None] * sizes
    return value
