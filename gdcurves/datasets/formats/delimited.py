"""Delimited text with a header line: CSV, and the same with semicolons or tabs."""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.datasets.columns import is_missing
from gdcurves.datasets.formats.arrow_text import Arrow, columns
from gdcurves.datasets.formats.quotes import Content, opened, plain_quotes
from gdcurves.datasets.raw import Raw, categorical, check_rows, named, nameless
from gdcurves.errors import UserError
from gdcurves.words import counted

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.datasets.raw import Cells

_LINE_END = r"\r\n|\r|\n"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read(
    content: Content,
    origin: str,
    missing: Collection[str],
    as_text: Collection[str] = (),
) -> Raw:
    """Read delimited text; the header names the columns, and every row has as many cells.

    Commas separate, or semicolons or tabs where the header has no comma. Columns of numbers become
    numbers, except those in `as_text`; all others stay text. Texts of `missing` are missing values.

    Raises
    ------
    UserError
        The text is empty or not UTF-8, a column has no name of its own, a row has more or fewer
        cells than the header, or a quote is not closed.
    """
    separator = _separator(_header(content, origin))
    n_quotes = plain_quotes(content, separator)
    read = None
    if n_quotes is not None:
        read = columns(content, Arrow(separator, tuple(sorted(missing)), n_quotes > 0), as_text)
    titles, cells = read or _read_slowly(content, origin, separator)
    names = named(titles, origin)
    check_rows(len(cells[0]), origin)
    raw = Raw(
        dict(zip(names, cells, strict=True)),
        origin,
        _Locations(content, origin, separator),
        dropped=dict(_nameless(titles, cells, names, missing, origin)),
        pointed=separator != ",",
        texts=partial(_texts, content, origin, missing),
    )
    return raw if n_quotes == 0 else replace(raw, notes=tuple(_swallowed(raw, separator)))


def _texts(
    content: Content, origin: str, missing: Collection[str], names: Collection[str]
) -> dict[str, pd.Categorical]:
    """Read some columns anew, as texts."""
    raw = read(content, origin, missing, names)
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


def _nameless(
    titles: Sequence[str],
    cells: Sequence[Cells],
    names: Sequence[str],
    missing: Collection[str],
    origin: str,
) -> Iterator[tuple[str, str]]:
    """Columns without a title that are no inputs, and why; raises UserError for others."""
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


def _header(content: Content, origin: str) -> str:
    with opened(content) as stream:
        if stream.read(2) in _UTF16:
            raise UserError(f"{origin}: is UTF-16 text; save the file as UTF-8")
    for line in _lines(content, origin):
        if line.strip():
            return line
    raise UserError(f"{origin}: is empty; it should begin with a line of column names")


def _separator(header: str) -> str:
    return next((each for each in ",;\t" if each in header), ",")


def _read_slowly(content: Content, origin: str, separator: str) -> tuple[list[str], list[Cells]]:
    """Read with blanks before quotes and the like, or say what is wrong in which line."""
    for _ in _rows(content, origin, separator):
        pass  # what is wrong is found before anything is kept
    rows = _rows(content, origin, separator)
    titles = next(rows)
    texts: list[dict[str, int]] = [{} for _ in titles]
    codes = [array("i") for _ in titles]
    for row in rows:
        for known, column, cell in zip(texts, codes, row, strict=True):
            column.append(known.setdefault(cell, len(known)))
    return titles, [
        categorical(np.frombuffer(column, dtype=np.intc), list(known))
        for known, column in zip(texts, codes, strict=True)
    ]


def _rows(content: Content, origin: str, separator: str) -> Iterator[list[str]]:
    """The header's names, then the rows; raises UserError where they do not fit."""
    titles: list[str] = []
    for line, row in _records(content, origin, separator):
        if not titles:
            titles = [name.strip() for name in row]
            named(titles, origin)
            yield titles
        elif len(row) != len(titles):
            raise UserError(
                f"{origin}, line {line}: {counted(len(row), 'cell')}, but the header names"
                f" {counted(len(titles), 'column')}; correct one of them, or put a cell that holds"
                " the separator in quotes"
            )
        else:
            yield row


def _records(content: Content, origin: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not empty, header included, each with the number of its last line."""
    reader = csv.reader(
        _lines(content, origin), delimiter=separator, skipinitialspace=True, strict=True
    )
    while True:
        first = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            begun = f" (the row begins in line {first})" if first < reader.line_num else ""
            raise UserError(
                f"{origin}, line {reader.line_num}: {error}{begun}; is a quote open, or one too"
                " many?"
            ) from error
        if row is None:
            return
        if row and row != [""]:
            yield reader.line_num, row


def _lines(content: Content, origin: str) -> Iterator[str]:
    """Lines as text, whatever ends them; raises UserError where one is not UTF-8."""
    with opened(content) as binary, io.TextIOWrapper(binary, "utf-8-sig", newline="") as stream:
        try:
            yield from stream
        except UnicodeDecodeError as error:
            raise _not_utf8(content, origin) from error


def _not_utf8(content: Content, origin: str) -> UserError:
    with opened(content) as stream:
        for number, line in enumerate(stream, start=1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                return UserError(
                    f"{origin}, line {number}: is not UTF-8 text (byte {line[error.start]:#04x});"
                    " save the file as UTF-8"
                )
    raise AssertionError("a file that could not be decoded can be now")


class _Locations:
    """Lines of rows, looked for only when a message is to name one."""

    def __init__(self, content: Content, origin: str, separator: str) -> None:
        self._content = content
        self._origin = origin
        self._separator = separator

    def __call__(self, row: int) -> str:
        records = _records(self._content, self._origin, self._separator)
        line = next(line for number, (line, _) in enumerate(records) if number == row + 1)
        return f"line {line}"
