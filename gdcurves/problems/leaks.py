"""Inputs that tell the target exactly: other codings of it, or what is known only with it."""

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
from gdcurves.words import dropping, first_of, listed

CHANCE = 1e-3
"""What labels in any order would bring about more often than this tells nothing."""

NEAR = 10  # steps on each side of a threshold of which one is as wide
LEAST_NUMBERS = 20  # different ones of a target; fewer have an order that others share
FEW = 3  # that an answer names
LEAST_ROWS = 10  # of each number; of fewer, what is merely of one sort with the target is as clear


def doubts(table: Table, features: Sequence[str], y: IntArray, used: BoolArray) -> Iterator[Remark]:
    """Name inputs whose value tells the class in every row.

    They are levels, or few different numbers, that each occur in one class alone, numbers that
    thresholds divide into the classes, and numbers in the order of a target that is a number
    itself. Nothing is said of data sets of the catalogue,
    which are known, and of columns that look like groups, of which that is said.

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
    telling = []
    for name in features:
        cells = table.cells(name)
        codes = _codes(cells[used])
        tells_all = codes is not None and tells(codes, y)
        if isinstance(cells, np.ndarray) and not tells_all:
            values = cells[used]
            tells_all = divides(values, y) or (numbers is not None and _orders(values, numbers))
        if tells_all and grouplike.group_sizes(name, cells, ()) is None:
            telling.append(name)
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


def _is_gap(steps: FloatArray, at: int) -> bool:
    """Whether one of the `steps` (n - 1,) from number to number is none, or the widest around."""
    first = max(at - NEAR, 0)
    others = np.delete(steps[first : at + NEAR + 1], at - first)
    return bool(steps[at] <= 0 or steps[at] >= others.max(initial=0.0))


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
