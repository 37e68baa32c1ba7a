"""Delimited text with a header line: CSV, and the same with semicolons, tabs or blanks."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.arrays import IntArray
from gdcurves.datasets.columns.cells import level
from gdcurves.datasets.formats import extra
from gdcurves.datasets.formats.arrow_text import Arrow, columns
from gdcurves.datasets.formats.layout import layout
from gdcurves.datasets.formats.quotes import Content, first_lines, plain_quotes
from gdcurves.datasets.formats.records import Locations, empty, records
from gdcurves.datasets.formats.titles import nameless_columns
from gdcurves.datasets.raw import Raw, categorical, check_rows, named, title
from gdcurves.errors import UserError
from gdcurves.words import counted

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.datasets.raw import Cells

_UNNAMED = (
    "rows have one cell more than the header, as R writes them, so their first cells are taken for"
    " names of rows; if they are not, name all columns in the header"
)
_LINE_END = r"\r\n|\r|\n"


def read(
    content: Content,
    origin: str,
    missing: Collection[str],
    as_text: Collection[str] = (),
    separators: str = ",;\t|",
) -> Raw:
    """Read delimited text; the header names the columns, and every row has as many cells.

    Of the separators, one separates that the header has, the first where rows do not show which;
    where it has none, blanks may. Titles above the header are left out, with a note. A header with
    one cell less than the rows, as R writes it, does not name that of the rows' names; cells at the
    ends of all rows that are empty, and of which the header knows nothing, have no name either.
    Columns of numbers become numbers, except those in `as_text`; all others stay text. Texts of
    `missing` are missing values.

    Raises
    ------
    UserError
        The text is empty or not UTF-8, a column has no name of its own, a row has more or fewer
        cells than the header, or a quote is not closed.
    """
    form = layout(content, origin, separators)
    content, separator = form.content, form.separator
    n_quotes = plain_quotes(content, separator)
    read = None
    if n_quotes is not None:
        read = columns(content, Arrow(separator, tuple(sorted(missing)), n_quotes > 0), as_text)
    titles, cells, short = (*read, {}) if read else _read_slowly(content, origin, separator)
    names = named(titles, origin)
    check_rows(len(cells[0]), origin)
    location: Callable[[int], str] = Locations(content, origin, separator)
    notes = [*form.notes]
    if (left_out := extra.rows(titles, cells, missing)) is not None:
        notes.append(left_out.note(origin, location))
        kept = left_out.kept(len(cells[0]))
        cells = [_taken(column, kept) for column in cells]
        location = partial(_at, location, kept)
    for row, error in short.items():
        if left_out is None or row not in left_out.rows:
            raise error
    if form.unnamed:
        _check_row_names(cells[0], origin)
    raw = Raw(
        dict(zip(names, cells, strict=True)),
        origin,
        location,
        dropped=dict(nameless_columns(titles, cells, names, missing, origin)),
        pointed=separator != ",",
        texts=partial(_texts, content, origin, missing, separators),
    )
    notes += [f"{origin}: {_UNNAMED}"] * form.unnamed
    if n_quotes != 0:
        notes.extend(_swallowed(raw, separator))
    return replace(raw, notes=tuple(notes))


def _taken(cells: Cells, rows: IntArray) -> Cells:
    """Some rows of a column, without the texts of others."""
    some = cells[rows]
    return some if isinstance(some, np.ndarray) else some.remove_unused_categories()


def _at(location: Callable[[int], str], rows: IntArray, row: int) -> str:
    """Say where a row stands, of those that are kept."""
    return location(int(rows[row]))


def _texts(
    content: Content,
    origin: str,
    missing: Collection[str],
    separators: str,
    names: Collection[str],
    n_rows: int | None,
) -> dict[str, pd.Categorical]:
    """Read some columns anew, as texts."""
    some = content if n_rows is None else first_lines(content, n_rows)
    raw = read(some, origin, missing, names, separators)
    cells = {name: raw.columns[name] for name in names}
    return {name: each for name, each in cells.items() if not isinstance(each, np.ndarray)}


def _swallowed(raw: Raw, separator: str) -> Iterator[str]:
    """Cells in quotes that go on over lines each of which would be a row of its own."""
    n_columns = len(raw.columns)
    for number, (name, cells) in enumerate(raw.columns.items()):
        if isinstance(cells, np.ndarray):
            continue
        for code, text in enumerate(cells.categories):
            if "\n" not in text and "\r" not in text:
                continue
            first, *inner, last = (each.count(separator) for each in re.split(_LINE_END, text))
            whole = {first + number, last + n_columns - 1 - number, *inner}
            if whole == {n_columns - 1}:
                yield str(
                    raw.where(name).error(
                        int(np.argmax(cells.codes == code)),
                        f"a cell in quotes ends here and holds {counted(len(inner) + 2, 'line')},"
                        " each of which looks like a row; if they are rows, take out the quote that"
                        " opens it",
                    )
                )
                break


def _check_row_names(cells: Cells, origin: str) -> None:
    """Refuse first cells (n,) that are no names of rows, which never repeat; raises UserError."""
    counts = Counter(map(level, cells))
    name, most = counts.most_common(1)[0]
    if most > 1:
        raise UserError(
            f"{origin}: rows have one cell more than the header, and the first ones are no names"
            f" of rows, since {name!r} repeats; name all columns in the header"
        )


def _read_slowly(
    content: Content, origin: str, separator: str
) -> tuple[list[str], list[Cells], dict[int, UserError]]:
    """Read with blanks before quotes and the like, or say what is wrong in which line.

    Returns titles and columns, and the error for each row that may be none of the table, if it is.
    """
    for _ in _rows(content, origin, separator, {}):
        pass  # what is wrong is found before anything is kept
    short: dict[int, UserError] = {}
    rows = _rows(content, origin, separator, short)
    titles = next(rows, None)
    if titles is None:  # lines of nothing but blanks, of one kind or another
        raise empty(origin)
    texts: list[dict[str, int]] = [{} for _ in titles]
    codes = [array("i") for _ in titles]
    for row in rows:
        for known, column, cell in zip(texts, codes, row, strict=True):
            column.append(known.setdefault(cell, len(known)))
    columns: list[Cells] = [
        categorical(np.frombuffer(column, dtype=np.intc), list(known))
        for known, column in zip(texts, codes, strict=True)
    ]
    return titles, columns, short


def _rows(
    content: Content, origin: str, separator: str, short: dict[int, UserError]
) -> Iterator[list[str]]:
    """The header's names, then the rows; raises UserError where they do not fit.

    Rows of one cell that may be none of the table have empty cells beside it, and `short` gets the
    error for each, by its number.
    """
    found = records(content, origin, separator)
    titles: list[str] = []
    n_rows = 0  # that have all cells
    for line, row in found:
        if not titles:
            titles = [title(name) for name in row]
            named(titles, origin)
            yield titles
            continue
        below: list[tuple[int, list[str]]] = []
        if len(row) != len(titles):
            below = [(line, row)]
            if not extra.is_rule(row[0]):  # a note, below which are such alone
                below.extend(islice(found, extra.MOST_BELOW))
            if not all(_may_be_extra(each) for _, each in below):
                raise _misfit(row, line, titles, origin, separator)
        for at, each in below:
            short[n_rows + len(short)] = _misfit(each, at, titles, origin, separator)
            yield [*each, *[""] * (len(titles) - 1)]
        if not below:
            n_rows += 1
            yield row


def _may_be_extra(row: Sequence[str]) -> bool:
    return len(row) == 1 and (extra.is_rule(row[0]) or extra.is_note(row[0]))


def _misfit(
    row: Sequence[str], line: int, titles: Sequence[str], origin: str, separator: str
) -> UserError:
    """Return the error for a row that has more or fewer cells than the header."""
    return UserError(
        f"{origin}, line {line}: {counted(len(row), 'cell')}, but the header names"
        f" {counted(len(titles), 'column')}; {_advice(row, len(titles), separator)}"
    )


def _advice(row: Sequence[str], n_titles: int, separator: str) -> str:
    """What may be done about a row that has more or fewer cells than the header."""
    advice = "correct one of them, or put a cell that holds the separator in quotes"
    if len(row) < n_titles:
        return f"{advice}, or take the line out if it is no row, as a note below the table"
    if n_titles == 1:
        return f"{advice}, or take out what stands above the line of column names"
    if len(row) > n_titles and not row[-1].strip():
        return f"{advice}, or take out the {separator!r} that ends the row"
    if len(row) == n_titles + 1:
        return f"{advice}, or {separator!r} before the header if first cells name rows"
    return advice
