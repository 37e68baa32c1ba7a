"""The perceptron: separates what is separable, given the time."""

from __future__ import annotations

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.logistic.batched import times


def separates(rows: FloatArray, passes: int) -> BoolArray:
    """Whether a perceptron separates each problem within so many passes, shape (B,).

    It starts at 0 and adds every signed row whose margin is not above zero, one by one in their
    order (Rosenblatt 1958).

    Parameters
    ----------
    rows
        Signed rows, shape (B, m, q).
    passes
        How often it goes through all rows, at most.
    """
    separated = np.zeros(len(rows), dtype=bool)
    active = np.arange(len(rows))
    w = np.zeros((len(rows), rows.shape[2]))
    for _ in range(passes):
        if not len(active):
            break
        for row in rows.transpose(1, 0, 2):
            w += row * (np.einsum("bq,bq->b", row, w) <= 0)[:, None]
        done = (times(rows, w) > 0).all(axis=1)
        separated[active[done]] = True
        active, rows, w = active[~done], rows[~done], w[~done]
    return separated
