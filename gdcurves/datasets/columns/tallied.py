"""Tables of counts: a row for each combination of levels, and a column with how many it has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.written.whole import are_whole
from gdcurves.words import dropping

if TYPE_CHECKING:
    import pandas as pd

_NAMED = re.compile(r"(?i)n|num|number|freq\w*|frequency|counts?|cases|wt|weights?")
LEAST_COLUMNS = 2  # of levels; each level of a single one has a row of its own in other tables too


def doubt(
    inputs: Mapping[str, FloatArray | pd.Categorical],
    target: FloatArray | pd.Categorical,
    origin: str,
) -> Remark | None:
    """Name an input that may say how many cases each row stands for; None where there is none.

    By its name, where it has whole numbers alone, all other columns have levels, and no two rows
    have the same. Of the inputs (n,) by name, of the target (n,) and what the source is called.
    """
    numbers = [name for name, cells in inputs.items() if isinstance(cells, np.ndarray)]
    levels = [cells for cells in (*inputs.values(), target) if not isinstance(cells, np.ndarray)]
    if len(numbers) != 1 or isinstance(target, np.ndarray) or len(levels) < LEAST_COLUMNS:
        return None
    (name,) = numbers
    counts = inputs[name]
    assert isinstance(counts, np.ndarray), "as it was chosen"
    if not _NAMED.fullmatch(name.strip()) or not are_whole(counts) or counts.min() < 0:
        return None
    rows = np.column_stack([each.codes for each in levels])
    if len(np.unique(rows, axis=0)) < len(rows) or counts.max() < 2:
        return None
    return Remark(
        About.TALLIED,
        f"{origin}, column {name!r}: every row is another combination of the other columns, and"
        " this one may say how many cases each stands for; write a row for each case, or leave it"
        f" out by {dropping([name])}",
        holds_if=f"each row is one case, and {name!r} does not count them",
    )
