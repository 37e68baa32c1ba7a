"""Log losses of K classes and their derivatives, as functions of scores in simplex coordinates.

A row has raw scores u (K - 1 numbers) and the scores <c_k, u> of the classes, with the corners c_k
of `gdcurves.logistic.simplex`. The last axis is that of the rows everywhere.

What a probability lacks, 1 or 0 less the probability, keeps its digits near 0. Of two classes that
of class 1 is held alone, as that of class 0 is minus it: G = 1, else G = K.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.logistic.simplex import corners

# Numbers held at a time in a block of rows, about: they stay in the processor's cache.
BLOCK_ENTRIES = 2**16
LEAST_ROWS = 256

Curvature = tuple[int, int, FloatArray]


def evaluate(raw: FloatArray, own: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Log losses in nats, shape (..., m), and what probabilities lack, shape (..., G, m).

    `raw` are the raw scores (..., K - 1, m); `own` (..., K, m) says of which class each row is.
    """
    if raw.shape[-2] == 1:
        return _evaluate_two(raw, own[..., 1:, :])
    # Odds against the own class, less the largest where that is more than 1; no loss is rounded.
    odds = corners(own.shape[-2]) @ raw
    odds -= np.where(own, odds, 0.0).sum(axis=-2, keepdims=True)
    best = np.maximum(odds.max(axis=-2), 0.0)
    odds -= best[..., None, :]
    np.exp(odds, out=odds)
    odds[np.broadcast_to(own, odds.shape)] = 0.0
    lost = odds.sum(axis=-2) + np.expm1(-best)
    shares = odds / -(1.0 + lost)[..., None, :]
    lacked = np.where(own, -shares.sum(axis=-2, keepdims=True), shares)
    return best + np.log1p(lost), lacked


def _evaluate_two(raw: FloatArray, second: BoolArray) -> tuple[FloatArray, FloatArray]:
    margin = np.where(second, raw, -raw)
    small = np.exp(-np.abs(margin))
    lacked = np.where(margin > 0, small, 1.0)
    lacked /= 1.0 + small
    losses = np.log1p(small, out=small)
    losses -= np.minimum(margin, 0.0, out=margin)
    return losses[..., 0, :], np.where(second, lacked, -lacked)


def pull(lacked: FloatArray) -> FloatArray:
    """Minus the derivatives (..., K - 1, m) of the losses by raw scores; `lacked` (..., G, m)."""
    n_held = lacked.shape[-2]
    if n_held == 1:
        return lacked
    pulled: FloatArray = corners(n_held).T @ lacked
    return pulled


def information(
    rows: FloatArray, lacked: FloatArray, own: BoolArray, counted: FloatArray
) -> FloatArray:
    """Second derivatives of sums of losses by V, where u = V f: shape (..., Q, Q), Q = (K - 1) q.

    Of rows f, `rows` (..., m, q), that count `counted` times (..., m), are of the classes `own`
    (..., K, m), and whose probabilities lack `lacked` (..., G, m).
    """
    lead = np.broadcast_shapes(rows.shape[:-2], lacked.shape[:-2])

    def curvatures(part: slice) -> Iterator[Curvature]:
        for i, j, curvature in _curvatures(lacked[..., part], own[..., part]):
            yield i, j, curvature * counted[..., part]

    return block_gram(rows, lead, own.shape[-2] - 1, curvatures)


def block_gram(
    rows: FloatArray,
    lead: tuple[int, ...],
    n_others: int,
    curvatures: Callable[[slice], Iterator[Curvature]],
) -> FloatArray:
    """Sums over rows f of C_f times f f' (Kronecker), shape (..., Q, Q), Q = (K - 1) q.

    Of `rows` (..., m, q); a slice of them has the `curvatures` i, j <= i, C_ij (..., m). `lead`
    is the shape before that of a matrix, `n_others` K - 1.
    """
    m, q = rows.shape[-2:]
    blocks = np.zeros((*lead, n_others, q, n_others, q))
    for part in row_blocks(m, int(np.prod(lead)) * (q + n_others**2)):
        few = rows[..., part, :]
        for i, j, curvature in curvatures(part):
            blocks[..., i, :, j, :] += (few * curvature[..., None]).swapaxes(-1, -2) @ few
    for i in range(n_others):
        for j in range(i):
            blocks[..., j, :, i, :] = blocks[..., i, :, j, :]
    return blocks.reshape(*lead, n_others * q, n_others * q)


def _curvatures(lacked: FloatArray, own: BoolArray) -> Iterator[Curvature]:
    """Second derivatives (..., m) by the raw scores i and j, for j <= i."""
    if lacked.shape[-2] == 1:
        share = np.abs(lacked[..., 0, :])
        yield 0, 0, share * (1.0 - share)
        return
    corner = corners(own.shape[-2])
    p = own - lacked
    # Deviations from the mean corner keep their digits where one probability is near one.
    mine = corner.T @ own - corner.T @ lacked
    apart = [corner[:, i, None] - mine[..., i : i + 1, :] for i in range(corner.shape[1])]
    for i, each in enumerate(apart):
        weighted = p * each
        for j in range(i + 1):
            yield i, j, (weighted * apart[j]).sum(axis=-2)


def row_blocks(m: int, entries: int) -> list[slice]:
    """Slices of m rows of so many `entries`, few enough for what is made of them to stay near."""
    width = max(LEAST_ROWS, BLOCK_ENTRIES // entries)
    return [slice(first, first + width) for first in range(0, m, width)]
