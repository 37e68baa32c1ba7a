"""Rows that stay together: the groups of a problem, and what about them is to be looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gdcurves.arrays import BoolArray, IntArray
from gdcurves.datasets.columns.cells import gaps
from gdcurves.datasets.table import Table
from gdcurves.words import counted


def labels(table: Table, used: BoolArray) -> IntArray | None:
    """Which group each of the n rows used belongs to, shape (n,); None where a table has none.

    `used` (N,) tells which rows of the table these are. A row without a value is a group of its
    own.
    """
    if table.groups is None:
        return None
    cells = table.cells(table.groups)
    codes: IntArray = cells.codes.astype(np.int64)
    alone = np.flatnonzero(gaps(cells))
    codes[alone] = len(cells.categories) + np.arange(len(alone))
    return np.asarray(codes[used])


def doubts(
    table: Table, names: Sequence[str], y: IntArray, group: IntArray | None, used: BoolArray
) -> Iterator[str]:
    """Say so where rows have no group, or a class is in one alone.

    Parameters
    ----------
    table
        The data.
    names, y, group
        Of the classes; class and group of each row of the problem, shape (n,).
    used
        Which of the N rows of the table these are, shape (N,).
    """
    if table.groups is None or group is None:
        return
    at = f"{table.source}, column {table.groups!r}"
    n_alone = int(np.sum(gaps(table.cells(table.groups)) & used))
    if n_alone:
        yield f"{at}: {counted(n_alone, 'row')} without a value are a group each"
    for k, name in enumerate(names):
        if len(np.unique(group[y == k])) == 1:
            yield (
                f"{at}: class {name!r} is in one group alone, so that no split both learns and"
                " tests it; add groups that have it, or leave it out with `classes`"
            )
