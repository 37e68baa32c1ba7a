"""Delimited text with a header line: CSV, and the same with semicolons, tabs or blanks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.arrays import IntArray
from gdcurves.datasets.columns.cells import level
from gdcurves.datasets.formats import extra
from gdcurves.datasets.formats.arrow_text import Arrow, columns
from gdcurves.datasets.formats.careful import Careful
from gdcurves.datasets.formats.layout import layout
from gdcurves.datasets.formats.quotes import Content, first_lines, plain_quotes
from gdcurves.datasets.formats.records import Locations
from gdcurves.datasets.formats.titles import headless, looks_like_a_row, nameless_columns
from gdcurves.datasets.raw import Raw, check_rows, named, no_header
from gdcurves.datasets.written.whole import are_texts, are_whole
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
    has_header: bool = True,
) -> Raw:
    """Read delimited text; the header names the columns, and every row has as many cells.

    Of the separators, one separates that the header has, the first where rows do not show which;
    where it has none, blanks may. Titles above the header are left out, with a note. A header with
    one cell less than the rows, as R writes it, does not name that of the rows' names; cells at the
    ends of all rows that are empty, and of which the header knows nothing, have no name either.
    Without a header, columns are called c1, c2 and so on.
    Columns of numbers become numbers, except those in `as_text`; all others stay text. Texts of
    `missing` are missing values.

    Raises
    ------
    UserError
        The text is empty or not UTF-8, a column has no name of its own, a row has more or fewer
        cells than the header, or a quote is not closed.
    """
    form = layout(content, origin, separators, has_header)
    given, content, separator = content, form.content, form.separator
    n_quotes = plain_quotes(content, separator)
    fast = None
    if n_quotes is not None:
        how = Arrow(separator, tuple(sorted(missing)), n_quotes > 0, form.names)
        fast = columns(content, how, as_text)
    titles, cells, short = (
        (*fast, {})
        if fast
        else Careful(content, origin, separator, form.names, form.blanks).columns()
    )
    names = named(titles, origin)
    check_rows(len(cells[0]), origin)
    location: Callable[[int], str] = Locations(content, origin, separator, int(has_header))
    notes, hint = [*form.notes], ""
    if (left_out := extra.rows(titles, cells, missing)) is not None:
        left_out.check(origin, location)
        notes.extend(left_out.notes(origin, location))
        hint = left_out.hint(location)
    if left_out is not None and left_out.rows:
        kept = left_out.kept(len(cells[0]))
        taken = [_taken(column, kept) for column in cells]
        pairs = zip(titles, cells, taken, strict=True)
        if anew := {name for name, *each in pairs if name and _are_texts_now(*each)}:
            return read(given, origin, missing, {*as_text, *anew}, separators, has_header)
        cells = taken
        location = partial(_at, location, kept)
    for row, error in short.items():
        if left_out is None or row not in left_out.rows:
            raise error
    if form.unnamed:
        _check_row_names(cells[0], origin)
    are_a_row = has_header and looks_like_a_row(titles, cells, missing)
    if are_a_row:
        notes.append(headless(origin, "line", titles))
        hint = no_header(names, headless=True)
    dropped, nameless = nameless_columns(titles, cells, names, missing, are_a_row)
    raw = Raw(
        dict(zip(names, cells, strict=True)),
        origin,
        location,
        dropped=dropped,
        broken={name: UserError(f"{origin}: {said}") for name, said in nameless.items()},
        pointed=separator != ",",
        hint=hint or "".join(f"; {said}" for said in [*nameless.values()][:1]),
        texts=partial(_texts, content, origin, missing, separators, has_header),
    )
    notes += [f"{origin}: {_UNNAMED}"] * form.unnamed
    if n_quotes != 0:
        notes.extend(_swallowed(raw, separator))
    return replace(raw, notes=tuple(notes))


def _are_texts_now(cells: Cells, taken: Cells) -> bool:
    """Whether some of the numbers (n,) of a column must be kept as written, as all need not be."""
    if not isinstance(cells, np.ndarray) or not isinstance(taken, np.ndarray):
        return False
    return are_texts(taken) or (are_whole(taken) and not are_whole(cells))


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
    has_header: bool,
    names: Collection[str],
    n_rows: int | None,
) -> dict[str, pd.Categorical]:
    """Read some columns anew, as texts."""
    some = content if n_rows is None else first_lines(content, n_rows)
    raw = read(some, origin, missing, names, separators, has_header)
    cells = {name: raw.columns[name] for name in names}
    return {name: each for name, each in cells.items() if not isinstance(each, np.ndarray)}


def _swallowed(raw: Raw, separator: str) -> Iterator[str]:
    """Cells in quotes that go on over lines each of which would be a row of its own: one note."""
    held: list[tuple[int, str, int]] = []  # row, column, and how many lines
    for number, (name, cells) in enumerate(raw.columns.items()):
        if isinstance(cells, np.ndarray):
            continue
        for code, text in enumerate(cells.categories):
            n_lines = _rows_within(text, separator, number, len(raw.columns))
            if n_lines:
                held += [(int(row), name, n_lines) for row in np.flatnonzero(cells.codes == code)]
    if not held:
        return
    row, name, n_lines = min(held)
    others = ""
    if len(held) > 1:
        total = sum(each for *_, each in held)
        cells_too = counted(len(held) - 1, "more such cell")
        others = f" (and {cells_too}: {counted(total, 'line')} in {len(held):,} cells)"
    yield str(
        raw.where(name).error(
            row,
            f"a cell in quotes ends here and holds {counted(n_lines, 'line')}, each of which looks"
            f" like a row{others}; if they are rows, take out the quote that opens it",
        )
    )


def _rows_within(text: str, separator: str, number: int, n_columns: int) -> int:
    """Lines of a cell, the n-th of a row, each of which would be a row of its own; 0 for none."""
    if "\n" not in text and "\r" not in text:
        return 0
    first, *inner, last = (each.count(separator) for each in re.split(_LINE_END, text))
    whole = {first + number, last + n_columns - 1 - number, *inner}
    return len(inner) + 2 if whole == {n_columns - 1} else 0


def _check_row_names(cells: Cells, origin: str) -> None:
    """Refuse first cells (n,) that are no names of rows, which never repeat; raises UserError."""
    counts = Counter(map(level, cells))
    name, most = counts.most_common(1)[0]
    if most > 1:
        raise UserError(
            f"{origin}: rows have one cell more than the header, and the first ones are no names"
            f" of rows, since {name!r} repeats; name all columns in the header"
        )
