"""The strength of a penalty by cross-validation, on a path of fits from strong to weak."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.logistic.folds import MOST_FOLDS, Folds, assigned
from gdcurves.logistic.penalised import SLICE_ENTRIES, Problems
from gdcurves.logistic.quasi_newton import settled

Follow = Callable[[Folds, Sequence[float]], tuple[FloatArray, FloatArray]]

# From strong to weak, as each fit begins where the one before it ended.
STRENGTHS = (1000.0, 100.0, 10.0, 1.0, 0.1, 0.01, 0.001)
CLEAR = 2.0
WITHOUT_FOLDS = 1.0  # strength where a class has one row, or one group


def strengths(
    x: FloatArray,
    y: IntArray,
    n_classes: int,
    rng: np.random.Generator,
    follow: Follow | None = None,
    group: IntArray | None = None,
) -> tuple[FloatArray, FloatArray]:
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
    follow
        Gives held-out losses (S, B) and fits (S, B, K - 1, 1 + r); `held_out` unless given.
    group
        Groups whose rows are held out together, shape (B, m).

    Returns
    -------
    One of STRENGTHS for each set, the strongest of those that are as good; WITHOUT_FOLDS where some
    class has a single row, or group. Shape (B,). And about the weights of a fit with it, to begin
    at, shape (B, K - 1, 1 + r).
    """
    fold, n_folds = assigned(y, n_classes, rng, group)
    chosen = np.full(len(y), WITHOUT_FOLDS)
    start = Problems.of(x, y, chosen, n_classes).start()[:, 0]
    grid = np.array(STRENGTHS)
    n_weights = (n_classes - 1) * (1 + x.shape[2])
    entries = (MOST_FOLDS + 1) * (x[0].size + n_weights**2 + n_classes * x.shape[1])
    at_once = max(1, SLICE_ENTRIES // entries)
    for number in np.unique(n_folds[n_folds > 1]):
        able = np.flatnonzero(n_folds == number)
        for first in range(0, len(able), at_once):
            sets = able[first : first + at_once]
            losses, fits = (follow or held_out)(
                Folds.of(x[sets], y[sets], fold[sets], n_classes), STRENGTHS
            )
            best = losses.argmin(axis=0)
            chosen[sets] = grid[best]
            start[sets] = fits[best, np.arange(len(sets))]
    return chosen, start


def held_out(folds: Folds, strengths: Sequence[float]) -> tuple[FloatArray, FloatArray]:
    """Follow the path of S strengths, from strong to weak.

    A set leaves it where its loss is clearly above the least so far, by more than `CLEAR` standard
    errors of the difference over the rows: with weaker penalties it goes on to rise, and those fits
    take longest.

    Returns
    -------
    The sums of the log losses of all rows, each held out once, shape (S, B), infinite where a set
    has left the path, and the fits to all rows, shape (S, B, K - 1, q).
    """
    at = folds.problems.at(folds.problems.start())
    before = at.v
    seconds = None
    n_sets = len(folds.judged)
    losses = np.full((len(strengths), n_sets), np.inf)
    fits = np.zeros((len(strengths), *at.v[:, 0].shape))
    left = np.arange(n_sets)
    least: FloatArray | None = None  # loss of each row held out, by the best strength so far
    for number, strength in enumerate(strengths):
        here = folds.with_strength(strength)
        start = here.problems.with_penalty(at)
        if number:
            # About how far the fits go for each factor of the strengths.
            start = start.or_better(here.problems.at(2.0 * at.v - before))
        if seconds is None:
            few = here.are_small
            seconds = here.problems.information(start) if few else here.information(start)
        before = at.v
        at = settled(here, start, seconds)
        of_rows = (here.judged * at.losses)[:, 1:].sum(axis=1)
        losses[number, left], fits[number, left] = of_rows.sum(axis=1), at.v[:, 0]
        if least is None:
            least = of_rows
            continue
        goes_on = ~_clearly_more(of_rows, least)
        better = of_rows.sum(axis=1) < least.sum(axis=1)
        least[better] = of_rows[better]
        if not goes_on.any():
            break
        if not goes_on.all():
            left, least, before = left[goes_on], least[goes_on], before[goes_on]
            folds, at, seconds = folds.some(goes_on), at.some(goes_on), seconds[goes_on]
    return losses, fits


def _clearly_more(losses: FloatArray, least: FloatArray) -> BoolArray:
    """Whether losses of m rows (B, m) come to more than the least so far, (B, m), beyond chance."""
    more = losses - least
    error = np.sqrt(more.shape[1]) * more.std(axis=1)
    return np.asarray(more.sum(axis=1) > CLEAR * error)
