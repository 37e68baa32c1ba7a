"""Inputs that tell the target, or nearly: other codings of it, or what is known only with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import lgamma, log
from typing import Any

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.datasets.columns import grouplike
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.table import Table
from gdcurves.datasets.written.whole import FEW_NUMBERS, PROBE
from gdcurves.words import counted, dropping, first_of, listed

CHANCE = 1e-3
"""What labels in any order would bring about more often than this tells nothing."""

NEAR = 10  # steps on each side of a threshold of which one is as wide
LEAST_NUMBERS = 20  # different ones of a target; fewer have an order that others share
FEW = 3  # that an answer names
# Of all rows, and of those that the largest class misses: what nearly tells misses no more.
NEARLY, NEARLY_OF_OTHERS = 0.02, 0.1
LEAST_ROWS = 10  # of each number; of fewer, what is merely of one sort with the target is as clear


def doubts(table: Table, features: Sequence[str], y: IntArray, used: BoolArray) -> Iterator[Remark]:
    """Name inputs whose value tells the class in every row, and those that nearly do.

    The former are levels, or few different numbers, that each occur in one class alone, numbers
    that thresholds divide into the classes, and numbers in the order of a target that is a number
    itself. Nothing is said of data sets of the catalogue, which are known, and of columns that look
    like groups, of which that is said.

    Parameters
    ----------
    table, features
        The data, and the inputs.
    y, used
        Class of each row of the problem, shape (n,), and which of the N rows of the table these
        are, shape (N,).
    """
    if table.catalogued:
        return
    goal = table.cells(table.target)
    numbers = goal[used] if isinstance(goal, np.ndarray) else None
    telling, nearly = [], {}
    for name in features:
        cells = table.cells(name)
        if grouplike.group_sizes(name, cells, ()) is not None:
            continue
        own = cells[used]
        codes = _codes(own)
        tells_all = codes is not None and tells(codes, y)
        if isinstance(own, np.ndarray) and not tells_all:
            tells_all = divides(own, y) or (numbers is not None and _orders(own, numbers))
        if tells_all:
            telling.append(name)
        elif missed := misses(own if codes is None else codes, y):
            nearly[name] = missed
    if telling:
        option = dropping(telling)
        shown = listed(first_of([*map(repr, telling)], FEW))
        which = "each of which alone tells the class, are known"
        if len(telling) == 1:
            which = "which alone tells the class, is known"
        yield Remark(
            About.LEAK,
            f"{table.source}: the class of every row can be told from one column alone, from ",
            tuple(map(repr, telling)),
            "; another coding of the target, or what is known only with it, makes errors look"
            f" small: {option} leaves it out",
            holds_if=f"{shown}, {which} before it (else {option})",
        )
    if nearly:
        yield Remark(
            About.NEARLY,
            f"{table.source}: the class of nearly every row can be told from one column alone: ",
            tuple(f"{name!r} (all but {counted(n, 'row')})" for name, n in nearly.items()),
            f"; if it is known only with the target, {dropping([*nearly])} leaves it out",
        )


def _codes(cells: Any) -> IntArray | None:
    """Number the levels, or the few different numbers, of cells (n,); None where they are many."""
    if not isinstance(cells, np.ndarray):
        return np.asarray(cells.codes)
    for some in (cells[:PROBE], cells):
        distinct, codes = np.unique(some, return_inverse=True)
        if len(distinct) > min(FEW_NUMBERS, len(some) / LEAST_ROWS):
            return None
    return codes


def tells(codes: IntArray, y: IntArray) -> bool:
    """Whether rows of equal `codes` (n,) are of equal classes `y` (n,), and not by chance.

    Of all orders that the labels may have, n! / (n_1! ... n_K!), at most K to the number of codes
    are such that the codes tell them.
    """
    pairs = np.unique(codes.astype(np.int64) * (int(y.max()) + 1) + y)  # a missing value is a code
    n_codes = len(np.unique(codes))
    sizes = [int(n) for n in np.bincount(y) if n]
    if len(pairs) > n_codes:
        return False
    return n_codes * log(len(sizes)) - _log_orders(sizes) < log(CHANCE)


def divides(values: FloatArray, y: IntArray) -> bool:
    """Whether the classes `y` (n,) are what thresholds make of `values` (n,), and not by chance.

    Of all orders that the labels may have, K! are such that each class is one stretch. Between
    classes that are far apart by nature is a gap; where a threshold has made them, neighbours on
    both sides of it are as close as others.
    """
    for some in (slice(PROBE), slice(None)):
        if np.isnan(values[some]).any():
            return False
        order = np.lexsort((y[some], values[some]))
        labels = y[some][order]
        ends = np.flatnonzero(np.diff(labels))
        sizes = np.bincount(labels)
        if len(ends) != np.count_nonzero(sizes) - 1:
            return False
    steps = np.diff(values[order])
    if any(_is_gap(steps, int(end)) for end in ends) or _are_in_time(values):
        return False
    orders = _log_orders([int(n) for n in sizes if n])
    return bool(lgamma(np.count_nonzero(sizes) + 1) - orders < log(CHANCE))


def misses(values: Any, y: IntArray) -> int | None:
    """How many rows the best rule by `values` (n,) misses of classes `y` (n,).

    None where that is more than nearly none. Values are numbers, which thresholds divide into one
    stretch for each class, or codes, which answer with their most frequent class.
    """
    for some in (slice(PROBE), slice(None)):
        own = values[some]
        if np.issubdtype(own.dtype, np.integer):
            n_codes, n_classes = int(own.max()) + 2, int(y.max()) + 1
            if n_codes > len(own) / LEAST_ROWS:
                return None
            cell = (own.astype(np.int64) + 1) * n_classes + y[some]  # codes may be of one byte
            table = np.bincount(cell, minlength=n_codes * n_classes)
            missed = len(own) - int(table.reshape(n_codes, n_classes).max(axis=1).sum())
        elif np.isnan(own).any():
            return None
        else:
            missed = _least_missed(own, y[some])
        others = len(own) - int(np.bincount(y[some]).max())
        if missed > min(NEARLY * len(own), NEARLY_OF_OTHERS * others):
            return None
    return missed


def _least_missed(values: FloatArray, y: IntArray) -> int:
    """Rows outside the stretches of `values` (n,) for classes `y` (n,), in the order of medians."""
    order = np.argsort(values, kind="stable")
    ordered, labels = values[order], y[order]
    n = len(values)
    may_end = np.append(np.concatenate([[True], np.diff(ordered) > 0]), True)
    classes = sorted(set(labels.tolist()), key=lambda k: float(np.median(ordered[labels == k])))
    least = np.where(np.arange(n + 1) == 0, 0, n)  # by how many rows have gone to stretches
    for k in classes:
        others = np.concatenate([[0], np.cumsum(labels != k)])
        before = np.where(may_end, least - others, n)
        least = np.minimum.accumulate(before) + others
    return int(least[n])


def _is_gap(steps: FloatArray, at: int) -> bool:
    """Whether one of the `steps` (n - 1,) between numbers is none, or wider than all around."""
    first = max(at - NEAR, 0)
    others = np.delete(steps[first : at + NEAR + 1], at - first)
    return bool(steps[at] <= 0 or steps[at] > others.max(initial=0.0))


def _log_orders(sizes: Sequence[int]) -> float:
    """Logarithm of how many orders the labels of classes of these sizes may have."""
    return lgamma(sum(sizes) + 1) - sum(lgamma(n + 1) for n in sizes)


def _orders(values: FloatArray, numbers: FloatArray) -> bool:
    """Whether `values` (n,) grow, or fall, with the target's `numbers` (n,), and are no time."""
    for some in (slice(PROBE), slice(None)):
        order = np.argsort(numbers[some], kind="stable")
        up, step = np.sign(np.diff(numbers[some][order])), np.sign(np.diff(values[some][order]))
        if not (np.array_equal(step, up) or np.array_equal(-step, up)):
            return False
    return bool(up.sum() >= LEAST_NUMBERS - 1 and not _are_in_time(values))


def _are_in_time(values: FloatArray) -> bool:
    """Whether `values` (n,) never fall, or never grow, from row to row."""
    steps = np.diff(values)
    return bool((steps >= 0).all() or (steps <= 0).all())
