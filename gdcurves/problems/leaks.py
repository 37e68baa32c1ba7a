"""Inputs that tell the target exactly: other codings of it, or what is known only with it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from math import lgamma, log
from typing import Any

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.datasets.columns import grouplike
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.table import Table
from gdcurves.datasets.written.whole import FEW_NUMBERS, PROBE
from gdcurves.words import quoted

CHANCE = 1e-3
"""What labels in any order would bring about more often than this tells nothing."""

LEAST_NUMBERS = 20  # different ones of a target; fewer have an order that others share
LEAST_ROWS = 10  # of each number; of fewer, what is merely of one sort with the target is as clear


def doubts(table: Table, features: Sequence[str], y: IntArray, used: BoolArray) -> Iterator[Remark]:
    """Name inputs whose value tells the class in every row.

    They are levels, or few different numbers, that each occur in one class alone, and numbers in
    the order of a target that is a number itself. Nothing is said of data sets of the catalogue,
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
    found = []
    for name in features:
        cells = table.cells(name)
        codes = _codes(cells[used])
        is_told = (codes is not None and tells(codes, y)) or (
            numbers is not None and isinstance(cells, np.ndarray) and _orders(cells[used], numbers)
        )
        if is_told and grouplike.group_sizes(name, cells, ()) is None:
            found.append(name)
    if found:
        option = shlex.join(["--drop", ",".join(map(quoted, found))])
        yield Remark(
            About.LEAK,
            f"{table.source}: the class of every row can be told from one column alone, from ",
            tuple(map(repr, found)),
            "; another coding of the target, or what is known only with it, makes errors look"
            f" small: {option} leaves it out",
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
    orders = lgamma(len(y) + 1) - sum(lgamma(n + 1) for n in sizes)
    return n_codes * log(len(sizes)) - orders < log(CHANCE)


def _orders(values: FloatArray, numbers: FloatArray) -> bool:
    """Whether `values` (n,) grow, or fall, with the target's `numbers` (n,), and are no time."""
    for some in (slice(PROBE), slice(None)):
        order = np.argsort(numbers[some], kind="stable")
        up, step = np.sign(np.diff(numbers[some][order])), np.sign(np.diff(values[some][order]))
        if not (np.array_equal(step, up) or np.array_equal(-step, up)):
            return False
    in_time = np.diff(values)
    grows = (in_time >= 0).all() or (in_time <= 0).all()
    return bool(up.sum() >= LEAST_NUMBERS - 1 and not grows)
