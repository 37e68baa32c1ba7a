"""Rows that stay together: the groups of a problem, and what about them is to be looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from gdcurves.arrays import BoolArray, IntArray
from gdcurves.datasets.columns.cells import gaps
from gdcurves.datasets.table import Table
from gdcurves.words import counted, listed


def labels(table: Table, used: BoolArray) -> IntArray | None:
    """Which group each of the n rows used belongs to, shape (n,); None where a table has none.

    `used` (N,) tells which rows of the table these are. A row without a value is a group of its
    own.
    """
    if not table.groups:
        return None
    values = np.stack([_codes(table.cells(name)) for name in table.groups])
    codes: IntArray = np.unique(values, axis=1, return_inverse=True)[1].reshape(-1)
    alone = np.flatnonzero(without_group(table))
    codes[alone] = len(codes) + np.arange(len(alone))
    return codes[used]


def _codes(cells: Any) -> IntArray:
    """Numbers of the values of a column (n,), shape (n,); -1 where there is none."""
    import pandas as pd

    codes = pd.factorize(cells)[0] if isinstance(cells, np.ndarray) else cells.codes
    return np.asarray(codes, dtype=np.int64)


def without_group(table: Table) -> BoolArray:
    """Tell which rows have no value in some of the columns that say what stays together, (N,)."""
    without: BoolArray = np.any([gaps(table.cells(name)) for name in table.groups], axis=0)
    return without


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
    if group is None:
        return
    which = "column" if len(table.groups) == 1 else "columns"
    at = f"{table.source}, {which} {listed([*map(repr, table.groups)])}"
    n_alone = int(np.sum(without_group(table) & used))
    if n_alone:
        own = "is a group of its own" if n_alone == 1 else "are a group each"
        yield f"{at}: {counted(n_alone, 'row')} without a value {own}"
    for k, name in enumerate(names):
        if len(np.unique(group[y == k])) == 1:
            yield (
                f"{at}: class {name!r} is in one group alone, so that no split both learns and"
                " tests it; add groups that have it, or leave it out with `classes`"
            )
