"""Tables of counts: a row for each combination of levels, and a column with how many it has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.written.whole import are_whole
from gdcurves.words import dropping

if TYPE_CHECKING:
    import pandas as pd

_NAMED = re.compile(r"(?i)n|num|number|freq\w*|frequency|counts?|cases|wt|weights?")
LEAST_COLUMNS = 2  # of levels; each level of a single one has a row of its own in other tables too
MOST_MISSING = 0.5  # of all combinations, and of the rows a column's values


def doubt(
    inputs: Mapping[str, FloatArray | pd.Categorical],
    target: FloatArray | pd.Categorical,
    origin: str,
) -> Remark | None:
    """Name an input that may say how many cases each row stands for; None where there is none.

    By its name, where it has whole numbers alone, and no two rows have the same in all other
    columns. Where numbers are among these, as ages, rows that differ are nothing special: then at
    least half of all combinations are there, of columns that no other one tells. Of the inputs (n,)
    by name, of the target (n,) and what the source is called.
    """
    counting = [
        name
        for name, cells in inputs.items()
        if isinstance(cells, np.ndarray) and _NAMED.fullmatch(name.strip()) and _counts(cells)
    ]
    if len(counting) != 1 or isinstance(target, np.ndarray):
        return None
    (name,) = counting
    others = [target, *(cells for other, cells in inputs.items() if other != name)]
    if sum(not isinstance(cells, np.ndarray) for cells in others) < LEAST_COLUMNS:
        return None
    rows = np.column_stack([np.unique(_codes(cells), return_inverse=True)[1] for cells in others])
    if len(np.unique(rows, axis=0)) < len(rows):
        return None
    if any(isinstance(cells, np.ndarray) for cells in others) and not _is_crossed(rows):
        return None
    return Remark(
        About.TALLIED,
        f"{origin}, column {name!r}: every row is another combination of the other columns, and"
        " this one may say how many cases each stands for; write a row for each case, or leave it"
        f" out by {dropping([name])}",
        holds_if=f"each row is one case, and {name!r} does not count them",
    )


def _counts(values: FloatArray) -> bool:
    """Whether these (n,) may count something, and not only one of each."""
    return are_whole(values) and bool(values.min() >= 0 and values.max() >= 2)


def _codes(cells: FloatArray | pd.Categorical) -> FloatArray | IntArray:
    """The codes of levels, or the numbers themselves, (n,)."""
    return cells if isinstance(cells, np.ndarray) else np.asarray(cells.codes)


def _is_crossed(rows: IntArray) -> bool:
    """Whether rows (n, c) of codes are at least half of all combinations, each of which is one."""
    n_codes = rows.max(axis=0) + 1
    if n_codes.max() > MOST_MISSING * len(rows):
        return False
    kept: list[int] = []
    for column in np.argsort(-n_codes, kind="stable").tolist():
        pairs = (len(np.unique(rows[:, [other, column]], axis=0)) for other in kept)
        if all(n > n_codes[other] for n, other in zip(pairs, kept, strict=True)):
            kept.append(column)  # no other one tells it, as an age does its group
    return bool(len(rows) >= (1 - MOST_MISSING) * np.prod(n_codes[kept], dtype=np.float64))
