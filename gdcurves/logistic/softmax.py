"""Log losses of K classes and their derivatives, as functions of scores in simplex coordinates.

A row has raw scores u (K - 1 numbers) and the scores <c_k, u> of the classes, with the corners c_k
of `gdcurves.logistic.simplex`. The last axis is that of the rows everywhere.

What a probability lacks, 1 or 0 less the probability, keeps its digits near 0. Of two classes that
of class 1 is held alone, as that of class 0 is minus it: G = 1, else G = K.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.logistic.simplex import corners

# Numbers held at a time in a block of rows, about: they stay in the processor's cache.
BLOCK_ENTRIES = 2**16
LEAST_ROWS = 256


def evaluate(raw: FloatArray, own: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Log losses in nats, shape (..., m), and what probabilities lack, shape (..., G, m).

    `raw` are the raw scores (..., K - 1, m); `own` (..., K, m) says of which class each row is.
    """
    if raw.shape[-2] == 1:
        return _evaluate_two(raw, own[..., 1:, :])
    p = corners(own.shape[-2]) @ raw
    losses = -np.where(own, p, 0.0).sum(axis=-2)
    best = p.max(axis=-2)
    losses += best
    p -= best[..., None, :]
    np.exp(p, out=p)
    total = p.sum(axis=-2)
    losses += np.log(total)
    p /= -total[..., None, :]
    p[np.broadcast_to(own, p.shape)] = 0.0
    lacked = np.where(own, -p.sum(axis=-2, keepdims=True), p)
    return losses, lacked


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
    n_others, (m, q) = own.shape[-2] - 1, rows.shape[-2:]
    lead = np.broadcast_shapes(rows.shape[:-2], lacked.shape[:-2])
    blocks = np.zeros((*lead, n_others, q, n_others, q))
    for part in row_blocks(m, int(np.prod(lead)) * (q + n_others**2)):
        few = rows[..., part, :]
        for i, j, curvature in _curvatures(lacked[..., part], own[..., part]):
            weighted = few * (curvature * counted[..., part])[..., None]
            blocks[..., i, :, j, :] += weighted.swapaxes(-1, -2) @ few
    for i in range(n_others):
        for j in range(i):
            blocks[..., j, :, i, :] = blocks[..., i, :, j, :]
    return blocks.reshape(*lead, n_others * q, n_others * q)


def _curvatures(lacked: FloatArray, own: BoolArray) -> Iterator[tuple[int, int, FloatArray]]:
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
