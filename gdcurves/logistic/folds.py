"""The strength of a penalty by cross-validation, all folds of a batch of training sets at once."""

from __future__ import annotations

import numpy as np

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.logistic.penalised import SLICE_ENTRIES, Problems, minimise

# From strong to weak, as each fit begins where the one before it ended.
STRENGTHS = (1000.0, 100.0, 10.0, 1.0, 0.1, 0.01, 0.001)
MOST_FOLDS = 5
WITHOUT_FOLDS = 1.0  # strength where a class has one row


def strengths(x: FloatArray, y: IntArray, n_classes: int, rng: np.random.Generator) -> FloatArray:
    """Choose for each training set the strength with the least log loss on rows held out.

    Parameters
    ----------
    x
        Rows, shape (B, m, r).
    y
        Their classes, shape (B, m); every class has a row.
    n_classes
        K.
    rng
        Draws the folds.

    Returns
    -------
    One of STRENGTHS for each set, the strongest of those that are as good; WITHOUT_FOLDS where some
    class has a single row. Shape (B,).
    """
    fold, n_folds = assigned(y, n_classes, rng)
    chosen = np.full(len(y), WITHOUT_FOLDS)
    able = np.flatnonzero(n_folds > 1)
    at_once = max(1, SLICE_ENTRIES // (MOST_FOLDS * x[0].size))
    for first in range(0, len(able), at_once):
        sets = able[first : first + at_once]
        losses = _held_out(x[sets], y[sets], n_classes, fold[sets], n_folds[sets])
        chosen[sets] = np.array(STRENGTHS)[losses.argmin(axis=0)]
    return chosen


def assigned(y: IntArray, n_classes: int, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Fold of each row, shape (B, m), and the number of folds, shape (B,); `y` has shape (B, m).

    There are as many folds as the smallest class has rows, at most MOST_FOLDS. Each has about the
    same number of rows of each class, drawn at random.
    """
    n = (y[:, :, None] == np.arange(n_classes)).sum(axis=1)
    n_folds = np.minimum(n.min(axis=1), MOST_FOLDS)
    by_class = np.lexsort((rng.random(y.shape), y), axis=1)
    fold = np.empty(y.shape, dtype=np.int64)
    np.put_along_axis(fold, by_class, np.arange(y.shape[1]) % n_folds[:, None], axis=1)
    return fold, n_folds


def _held_out(
    x: FloatArray, y: IntArray, n_classes: int, fold: IntArray, n_folds: IntArray
) -> FloatArray:
    """Sum of the log losses of all rows, each held out once, shape (len(STRENGTHS), B)."""
    of_set, held = np.nonzero(np.arange(MOST_FOLDS) < n_folds[:, None])
    out = fold[of_set] == held[:, None]
    x, y, counted = x[of_set], y[of_set], 1.0 - out
    v = None
    losses = np.empty((len(STRENGTHS), len(n_folds)))
    for number, strength in enumerate(STRENGTHS):
        problems = Problems(x, y, counted, np.full(len(x), strength), n_classes)
        v = minimise(problems, v)
        loss = (problems.losses(problems.scores(v)) * out).sum(axis=1)
        losses[number] = np.bincount(of_set, loss, minlength=len(n_folds))
    return losses
