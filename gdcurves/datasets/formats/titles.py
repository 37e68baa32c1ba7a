"""Columns of which the header has no name."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.datasets.columns.cells import is_missing
from gdcurves.datasets.raw import nameless

if TYPE_CHECKING:
    from gdcurves.datasets.raw import Cells


def nameless_columns(
    titles: Sequence[str],
    cells: Sequence[Cells],
    names: Sequence[str],
    missing: Collection[str],
    origin: str,
) -> Iterator[tuple[str, str]]:
    """Columns without a title that are no inputs, and why, from the cells (n,) of each.

    Raises UserError for others.
    """
    for number, (title, column, name) in enumerate(zip(titles, cells, names, strict=True)):
        if title:
            continue
        if _is_empty(column, missing):
            yield name, "neither a name nor a value in any row"
        elif number == 0:
            yield name, "first and without a name, as numbers and names of rows are"
        else:
            raise nameless(number + 1, len(titles), origin)


def _is_empty(cells: Cells, missing: Collection[str]) -> bool:
    if isinstance(cells, np.ndarray):
        return bool(np.isnan(cells).all())
    return all(is_missing(text, missing) for text in cells.unique())
