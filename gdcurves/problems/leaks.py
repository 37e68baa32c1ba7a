"""Inputs that tell the target, or nearly: other codings of it, or what is known only with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import lgamma, log
from typing import Any

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.datasets.columns import grouplike
from gdcurves.datasets.columns.cells import level
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.table import Table
from gdcurves.datasets.written.whole import FEW_NUMBERS, PROBE
from gdcurves.words import counted, dropping, first_of, listed

CHANCE = 1e-5
"""What labels in any order would bring about more often than this, in any column, tells nothing.

Inputs that differ between classes, as they should, come to it in more rows than mere chance does.
"""

NEAR = 10  # steps on each side of a threshold of which one is as wide
LEAST_NUMBERS = 20  # different ones of a target; fewer have an order that others share
FEW = 3  # that an answer names
# Of all rows, and of those that the largest class misses: what nearly tells misses no more.
NEARLY, NEARLY_OF_OTHERS = 0.02, 0.1
LEAST_ROWS = 10  # of each number; of fewer, what is merely of one sort with the target is as clear


def doubts(
    table: Table, features: Sequence[str], y: IntArray, used: BoolArray, classes: Sequence[str]
) -> Iterator[Remark]:
    """Name inputs whose value tells the class in every row, and those that nearly do.

    The former are levels, or few different numbers, that each occur in one class alone, numbers
    that thresholds divide into the classes, with a gap between these or without, numbers in the
    order of a target that is a number itself, and values, or gaps, that stand in all rows of one
    class and no others, which of more than two classes is said of that class.

    Chance may do so too where rows are few, or a class has few: of all orders that the labels may
    have, n! / (n_1! ... n_K!), so many are such that a column tells them as there are ways to
    give its values, or the stretches between thresholds, a class. This part, times the number of
    columns looked at, must be below `CHANCE`.

    Nothing is said of data sets of the catalogue, which are known, and of columns that look like
    groups, of which that is said.

    Parameters
    ----------
    table, features
        The data, and the inputs.
    y, used
        Class of each row of the problem, shape (n,), and which of the N rows of the table these
        are, shape (N,).
    classes
        Names of the K classes.
    """
    if table.catalogued:
        return
    goal = table.cells(table.target)
    numbers = goal[used] if isinstance(goal, np.ndarray) else None
    chance = CHANCE / max(len(features), 1)
    telling: list[str] = []
    apart: list[str] = []
    nearly: dict[str, int] = {}
    of_class: dict[str, str] = {}
    first = np.unique(y, return_index=True)
    for name in features:
        cells = table.cells(name)
        if grouplike.group_sizes(name, cells, ()) is not None:
            continue
        own = cells[used]
        codes = _codes(own)
        tells_all = codes is not None and tells(codes, y, chance)
        divided = not tells_all and isinstance(own, np.ndarray) and divides(own, y, chance)
        if isinstance(own, np.ndarray) and not tells_all and not divided:
            tells_all = numbers is not None and _orders(own, numbers)
        one = None if tells_all else _of_one_class(own, y, first, chance)
        if tells_all or (one is not None and len(classes) == 2):
            telling.append(name)
        elif divided:
            (apart if are_apart(own, y) else telling).append(name)
        else:
            if one is not None:
                of_class[name] = f"{name!r} ({one[0]} in class {classes[one[1]]!r})"
            if missed := misses(own if codes is None else codes, y):
                nearly[name] = missed
    if telling:
        yield Remark(
            About.LEAK,
            f"{table.source}: the class of every row can be told from one column alone, from ",
            tuple(map(repr, telling)),
            "; another coding of the target, or what is known only with it, makes errors look"
            f" small: {dropping(telling)} leaves it out",
            holds_if=_holds_if(telling, "alone tells the class"),
        )
    if apart:
        yield Remark(
            About.APART,
            f"{table.source}: thresholds on one column alone tell the class of every row, with a"
            " gap between the classes: ",
            tuple(map(repr, apart)),
            "; classes may be so far apart by nature, but what was computed from the target, or is"
            f" known only with it, makes errors look small: {dropping(apart)} leaves it out",
            holds_if=_holds_if(apart, "alone tells the class"),
        )
    if of_class:
        yield Remark(
            About.ONE_CLASS,
            f"{table.source}: a value of a column stands in every row of one class and in no"
            " other: ",
            tuple(of_class.values()),
            "; what is known only with the target makes errors look small:"
            f" {dropping([*of_class])} leaves it out",
            holds_if=_holds_if([*of_class], "alone tells one class from the others"),
        )
    if nearly:
        yield Remark(
            About.NEARLY,
            f"{table.source}: the class of nearly every row can be told from one column alone: ",
            tuple(f"{name!r} (all but {counted(n, 'row')})" for name, n in nearly.items()),
            f"; if it is known only with the target, {dropping([*nearly])} leaves it out",
        )


def _holds_if(names: Sequence[str], tells_what: str) -> str:
    """What has to be so of columns for an answer to hold: `tells_what` is what each alone does."""
    shown = listed(first_of([*map(repr, names)], FEW))
    which = f"which {tells_what}, is known"
    if len(names) > 1:
        which = f"each of which {tells_what}, are known"
    return f"{shown}, {which} before it (else {dropping(names)})"


def _codes(cells: Any) -> IntArray | None:
    """Number the levels, or the few different numbers, of cells (n,); None where they are many."""
    if not isinstance(cells, np.ndarray):
        return np.asarray(cells.codes)
    for some in (cells[:PROBE], cells):
        distinct, codes = np.unique(some, return_inverse=True)
        if len(distinct) > min(FEW_NUMBERS, len(some) / LEAST_ROWS):
            return None
    return codes


def tells(codes: IntArray, y: IntArray, chance: float = CHANCE) -> bool:
    """Whether rows of equal `codes` (n,) are of equal classes `y` (n,), and not by chance.

    Of all orders that the labels may have, n! / (n_1! ... n_K!), at most K to the number of codes
    are such that the codes tell them.
    """
    pairs = np.unique(codes.astype(np.int64) * (int(y.max()) + 1) + y)  # a missing value is a code
    n_codes = len(np.unique(codes))
    sizes = [int(n) for n in np.bincount(y) if n]
    if len(pairs) > n_codes:
        return False
    return n_codes * log(len(sizes)) - _log_orders(sizes) < log(chance)


def _of_one_class(
    cells: Any, y: IntArray, first: tuple[IntArray, IntArray], chance: float
) -> tuple[str, int] | None:
    """The value that all rows of one class have and no others, as said of it, and that class.

    Of `cells` (n,), numbers or levels, classes `y` (n,), and those that occur with the first row of
    each; None where there is none, or chance may bring it: of the ways to choose as many rows, each
    value and each class gives at most one.
    """
    values = cells if isinstance(cells, np.ndarray) else np.asarray(cells.codes)
    for k, row in zip(*map(np.ndarray.tolist, first), strict=True):
        value = values[row]
        for some in (slice(PROBE), slice(None)):
            has_it = np.isnan(values[some]) if value != value else values[some] == value
            if not np.array_equal(has_it, y[some] == k):
                break
        else:
            size = int(np.count_nonzero(has_it))
            ways = log(len(np.unique(values)) * len(first[0]))
            if ways - _log_orders([size, len(y) - size]) < log(chance):
                is_gap = value != value or (values is not cells and value < 0)
                told = value if values is cells else cells.categories[value]
                return ("no value" if is_gap else level(told)), k
    return None


def divides(values: FloatArray, y: IntArray, chance: float = CHANCE) -> bool:
    """Whether the classes `y` (n,) are what thresholds make of `values` (n,), and not by chance.

    Of all orders that the labels may have, K! are such that each class is one stretch.
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
    if (np.diff(values[order])[ends] <= 0).any() or _are_in_time(values):
        return False
    orders = _log_orders([int(n) for n in sizes if n])
    return bool(lgamma(np.count_nonzero(sizes) + 1) - orders < log(chance))


def are_apart(values: FloatArray, y: IntArray) -> bool:
    """Whether there is a gap between classes `y` (n,) that thresholds make of `values` (n,).

    There is between classes that are far apart by nature; where a threshold has made them,
    neighbours on both sides of it are as close as others.
    """
    order = np.argsort(values, kind="stable")
    steps = np.diff(values[order])
    return any(_is_gap(steps, int(end)) for end in np.flatnonzero(np.diff(y[order])))


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
    """Whether one of the `steps` (n - 1,) between numbers is wider than all around."""
    first = max(at - NEAR, 0)
    others = np.delete(steps[first : at + NEAR + 1], at - first)
    return bool(steps[at] > others.max(initial=0.0))


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
