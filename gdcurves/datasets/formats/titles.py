"""Columns of which the header has no name of their own, and a header that looks like a row."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.datasets.columns.cells import is_missing
from gdcurves.datasets.formats.seen import is_number
from gdcurves.datasets.raw import NO_HEADER, nameless, no_header, twice

if TYPE_CHECKING:
    from gdcurves.datasets.raw import Cells


def nameless_columns(
    titles: Sequence[str],
    cells: Sequence[Cells],
    names: Sequence[str],
    missing: Collection[str],
    are_a_row: bool,
) -> tuple[dict[str, str], dict[str, str]]:
    """Columns without a title of their own that are no inputs, and why; what is wrong with others.

    Of all columns: titles, cells (n,), and the names that they have now; `are_a_row` is whether the
    titles look like one. Of columns with one title the first is wrong, and the others go with it.
    """
    dropped: dict[str, str] = {}
    broken: dict[str, str] = {}
    for number, (title, column, name) in enumerate(zip(titles, cells, names, strict=True), start=1):
        if title == name:
            continue
        if title:
            first = names.index(title) + 1
            dropped[name] = f"has the name of column {first}, {title!r}"
            broken.setdefault(title, f"{twice(title, first, number)}{no_header(names, are_a_row)}")
        elif _is_empty(column, missing):
            dropped[name] = "neither a name nor a value in any row"
        elif number == 1:
            dropped[name] = "first and without a name, as numbers and names of rows are"
        else:
            said = nameless(number, len(titles))
            broken[name] = f"{said}; until it has one, it is called {name!r}"
    return dropped, broken


def looks_like_a_row(
    titles: Sequence[str], columns: Sequence[Cells], missing: Collection[str]
) -> bool:
    """Tell whether titles are of the kind of the cells below them: numbers, known texts.

    Of all columns (n,). Texts that hardly repeat show nothing; a title that is empty is one.
    """
    numbers = (
        text for text, each in zip(titles, columns, strict=True) if isinstance(each, np.ndarray)
    )
    if not all(titles) or not all(map(is_number, numbers)):
        return False
    n_alike = 0
    for text, column in zip(titles, columns, strict=True):
        if isinstance(column, np.ndarray):
            n_alike += 1
            continue
        given = [each.strip() for each in column.unique().dropna() if not is_missing(each, missing)]
        if text.strip() in given:
            n_alike += 1
        elif given and all(map(is_number, given)):
            if not is_number(text):
                return False
            n_alike += 1
        elif 2 * len(given) <= len(column):
            return False
    return 2 * n_alike >= len(titles) > 1


def headless(origin: str, unit: str, titles: Sequence[str]) -> str:
    """Say that column names look like a row, the first line or row of the source."""
    shown = " and ".join(map(repr, titles[:2]))
    return (
        f"{origin}: the column names, such as {shown}, look like a row of data; if they are one,"
        f" give {NO_HEADER}, or write a {unit} of names above it"
    )


def _is_empty(cells: Cells, missing: Collection[str]) -> bool:
    if isinstance(cells, np.ndarray):
        return bool(np.isnan(cells).all())
    return all(is_missing(text, missing) for text in cells.unique())
