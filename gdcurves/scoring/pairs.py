"""Pairs of a row of one class and a row of another that are in the order of their scores.

A score that is above another one by no more than `TIE` is tied with it; such a pair counts half.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.scoring.judged import TIE
from gdcurves.units import stretches

# Rows from which on the rules are taken one by one, as their arrays are long enough.
MANY_ROWS = 500
# Pairs of rows of a unit from which on they are counted by sorting.
MANY_PAIRS = 100


def in_order(
    own: FloatArray,
    other: FloatArray,
    own_there: BoolArray,
    other_there: BoolArray,
    label: IntArray,
    n_labels: int,
) -> tuple[FloatArray, FloatArray]:
    """For each score, the pairs in which the own one is above the other, half of those tied.

    Parameters
    ----------
    own, other
        Scores of R rules, shapes (R, n) and (R, n').
    own_there, other_there
        Which of them count, shapes (R, n) and (R, n').
    label
        Which of L classes the other ones are of, shape (n',).
    n_labels
        Number L.

    Returns
    -------
    Numbers of pairs of each own score with those of each label, shape (R, n, L), and of each other
    score, shape (R, n'); zero if it does not count.
    """
    own, other = _bounded(own), _bounded(other)
    of_own, of_other = np.zeros((*own.shape, n_labels)), np.zeros(other.shape)
    if own.shape[1] + other.shape[1] > MANY_ROWS:
        for rule, (i, j) in enumerate(zip(own_there, other_there, strict=True)):
            one = _of_one_rule(own[rule, i], other[rule, j], label[j], n_labels)
            of_own[rule, i], of_other[rule, j] = one
    else:
        # What does not count is in no pair that is in order.
        above = np.where(own_there, own, -np.inf)
        below = np.where(other_there, other, np.inf)
        for surely in (True, False):
            for_own, for_other = _of_rules(above, below, label, n_labels, surely)
            of_own += for_own
            of_other += for_other
    return of_own / 2, of_other / 2


def within_units(
    own: FloatArray,
    other: FloatArray,
    there: tuple[BoolArray, BoolArray],
    units: tuple[IntArray, IntArray],
    n_units: int,
    label: IntArray,
    n_labels: int,
) -> FloatArray:
    """Pairs in order of two rows of one unit, shape (R, G, L).

    Parameters
    ----------
    own, other, label, n_labels
        As for `in_order`, (R, n), (R, n'), (n',) and L.
    there
        Which scores count, shapes (R, n) and (R, n').
    units
        Of the rows, shapes (n,) and (n',).
    n_units
        Number G.
    """
    of_own, of_other = units
    total = np.zeros((len(own), n_units, n_labels))
    n_others = np.bincount(of_other, minlength=n_units)
    n_pairs = np.bincount(of_own, minlength=n_units) * n_others
    few = np.flatnonzero((n_pairs[of_own] > 0) & (n_pairs[of_own] < MANY_PAIRS))
    if len(few):
        by_unit = np.argsort(of_other, kind="stable")
        starts = np.searchsorted(of_other[by_unit], of_own[few])
        j = by_unit[stretches(starts, n_others[of_own[few]])]
        i = np.repeat(few, n_others[of_own[few]])
        lead = _bounded(own[:, i]) - _bounded(other[:, j])
        counts = ((lead > TIE).astype(float) + (lead >= -TIE)) / 2
        cell = of_own[i] * n_labels + label[j]
        add_up(total.reshape(len(own), -1), counts * there[0][:, i], cell)
    for unit in np.flatnonzero(n_pairs >= MANY_PAIRS):
        i, j = np.flatnonzero(of_own == unit), np.flatnonzero(of_other == unit)
        both = (own[:, i], other[:, j], there[0][:, i], there[1][:, j])
        total[:, unit] = in_order(*both, label[j], n_labels)[0].sum(axis=1)
    return total


def add_up(total: FloatArray, values: NDArray[np.generic], cell: IntArray) -> None:
    """Add values (R, n) up over cells, to a total (R, g), from the cell (n,) of each."""
    order = np.argsort(cell, kind="stable")
    cells, first = np.unique(cell[order], return_index=True)
    if len(cells):
        total[:, cells] += np.add.reduceat(values[:, order].astype(np.float64), first, axis=1)


def _bounded(scores: FloatArray) -> FloatArray:
    """Scores (R, n) whose differences are numbers."""
    most = np.finfo(np.float64).max / 2
    return np.clip(scores, -most, most)


def _of_one_rule(
    own: FloatArray, other: FloatArray, label: IntArray, n_labels: int
) -> tuple[FloatArray, FloatArray]:
    """Twice the pairs in order of scores (n,) and (n',) with labels (n',): (n, L) and (n',)."""
    i, j = np.argsort(own), np.argsort(other)
    high, low = own[i], other[j]
    of_own, of_other = np.empty((len(own), n_labels)), np.empty(len(other))
    below, upto = np.searchsorted(low, high - TIE), np.searchsorted(low, high + TIE, "right")
    if n_labels == 1:
        of_own[i, 0] = below + upto
    else:
        passed = np.zeros((len(other) + 1, n_labels), dtype=np.int32)
        of_label = label[j, None] == np.arange(n_labels)
        np.cumsum(of_label, axis=0, dtype=np.int32, out=passed[1:])
        of_own[i] = passed[below] + passed[upto]
    above = np.searchsorted(high, low + TIE, "right") + np.searchsorted(high, low - TIE)
    of_other[j] = 2 * len(own) - above
    return of_own, of_other


def _of_rules(
    own: FloatArray, other: FloatArray, label: IntArray, n_labels: int, surely: bool
) -> tuple[FloatArray, FloatArray]:
    """Pairs (R, n, L), (R, n') in which the own score is above the other, or maybe tied."""
    n_rules, n = own.shape
    n_others = other.shape[1]
    # Of equal numbers those that stand first go first.
    both = (own - TIE, other) if surely else (other, own + TIE)
    first_own, first_other = (0, n) if surely else (n_others, 0)
    order = np.argsort(np.hstack(both), axis=1, kind="stable")
    is_own = order < n if surely else order >= n_others
    n_own = np.cumsum(is_own, axis=1, dtype=np.int32)
    rule = np.arange(n_rules)[:, None]
    for_own, for_other = np.empty((n_rules, n, n_labels)), np.empty((n_rules, n_others))
    column = (order[is_own] - first_own).reshape(n_rules, n)
    if n_labels == 1:
        passed = np.arange(1, n + n_others + 1) - n_own
        for_own[rule, column, 0] = passed[is_own].reshape(n_rules, n)
    else:
        of_each = np.full(n + n_others, n_labels, dtype=np.int16)
        of_each[first_other : first_other + n_others] = label
        of_each = of_each[order]
        for each in range(n_labels):
            passed = np.cumsum(of_each == each, axis=1, dtype=np.int32)
            for_own[rule, column, each] = passed[is_own].reshape(n_rules, n)
    column = (order[~is_own] - first_other).reshape(n_rules, n_others)
    for_other[rule, column] = (n - n_own)[~is_own].reshape(n_rules, n_others)
    return for_own, for_other
