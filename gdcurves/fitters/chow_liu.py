"""Trees of dependence between discrete inputs, class by class (Chow & Liu, 1968).

A pair of inputs is worth the mutual information of the two given the class, and the tree is the one
whose pairs are worth most together, which maximises the likelihood (Friedman, Geiger & Goldszmidt,
1997). The first input is its root.
"""

from __future__ import annotations

import numpy as np
from scipy.special import xlogy

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.fitters.features import Layout

# Values that differ by less are tied, and the first pair is taken.
TIE = 1e-12


def information(n: FloatArray, counts: FloatArray, layout: Layout) -> FloatArray:
    """Mutual information of every two inputs given the class, in nats, shape (B, d, d).

    Parameters
    ----------
    n
        Rows of each class, or its probability, shape (B, K).
    counts
        How many of them have two levels together, shape (B, K, q - 1, q - 1).
    layout
        Which levels belong to which of the d inputs.
    """
    alone = np.einsum("bkll->bkl", counts)
    terms = xlogy(counts, counts) + xlogy(counts, n[:, :, None, None])
    terms -= xlogy(counts, alone[..., :, None]) + xlogy(counts, alone[..., None, :])
    own = layout.owner[:, None] == np.arange(len(layout.widths))
    total = own.T @ terms.sum(axis=1) @ own / n.sum(axis=1)[:, None, None]
    total[:, np.eye(len(layout.widths), dtype=bool)] = 0.0
    return np.asarray(total)


def trees(worth: FloatArray) -> IntArray:
    """Parent of every input in the tree of largest worth, minus one for the root, shape (B, d).

    `worth` (B, d, d) is symmetric.
    """
    n_sets, d, _ = worth.shape
    rank = _ranks(worth)
    parents = np.zeros((n_sets, d), dtype=np.int64)
    reach = rank[:, 0].copy()
    outside = np.ones((n_sets, d), dtype=bool)
    parents[:, 0], outside[:, 0] = -1, False
    sets = np.arange(n_sets)
    for _ in range(d - 1):  # Prim's algorithm, all sets at once
        added = np.where(outside, reach, d * d).argmin(axis=1)
        outside[sets, added] = False
        nearer = outside & (rank[sets, added] < reach)
        parents = np.where(nearer, added[:, None], parents)
        reach = np.where(nearer, rank[sets, added], reach)
    return parents


def _ranks(worth: FloatArray) -> IntArray:
    """Place of each pair among all, those worth most first, of equals the first: (B, d, d)."""
    n_sets, d, _ = worth.shape
    i, j = np.triu_indices(d, 1)
    values = worth[:, i, j]
    order = np.argsort(-values, axis=1, kind="stable")
    falls = -np.diff(np.take_along_axis(values, order, axis=1), axis=1) > TIE
    group = np.zeros(order.shape, dtype=np.int64)
    group[:, 1:] = np.cumsum(falls, axis=1)
    order = np.take_along_axis(order, np.argsort(group * len(i) + order, axis=1), axis=1)
    position = np.empty_like(order)
    np.put_along_axis(position, order, np.broadcast_to(np.arange(len(i)), order.shape), axis=1)
    rank = np.zeros((n_sets, d, d), dtype=np.int64)
    rank[:, i, j] = position
    rank[:, j, i] = position
    return rank
