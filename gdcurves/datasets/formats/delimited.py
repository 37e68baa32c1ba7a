"""Delimited text with a header line: CSV, and the same with semicolons, tabs or blanks."""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.datasets.columns.cells import level
from gdcurves.datasets.formats import blanks
from gdcurves.datasets.formats.arrow_text import Arrow, columns
from gdcurves.datasets.formats.encoding import not_utf8
from gdcurves.datasets.formats.quotes import MARK, Content, opened, plain_quotes, whole
from gdcurves.datasets.formats.titles import nameless_columns
from gdcurves.datasets.raw import Raw, categorical, check_rows, named, title
from gdcurves.errors import UserError
from gdcurves.words import counted

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.datasets.raw import Cells

_FIRST = 100  # lines that show what separates
_UNNAMED = (
    "rows have one cell more than the header, as R writes them, so their first cells are taken for"
    " names of rows; if they are not, name all columns in the header"
)
_SEP = re.compile(r'"?sep=([,;\t|])"?(?=\r|\n|$)', re.IGNORECASE)  # Excel's word on it
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
    where it has none, blanks may. A header with one cell less than the rows, as R writes it, does
    not name that of the rows' names. Columns of numbers become numbers, except those in `as_text`;
    all others stay text. Texts of `missing` are missing values.

    Raises
    ------
    UserError
        The text is empty or not UTF-8, a column has no name of its own, a row has more or fewer
        cells than the header, or a quote is not closed.
    """
    content, separator, unnamed = _layout(content, origin, separators)
    n_quotes = plain_quotes(content, separator)
    read = None
    if n_quotes is not None:
        read = columns(content, Arrow(separator, tuple(sorted(missing)), n_quotes > 0), as_text)
    titles, cells = read or _read_slowly(content, origin, separator)
    names = named(titles, origin)
    check_rows(len(cells[0]), origin)
    if unnamed:
        _check_row_names(cells[0], origin)
    raw = Raw(
        dict(zip(names, cells, strict=True)),
        origin,
        _Locations(content, origin, separator),
        dropped=dict(nameless_columns(titles, cells, names, missing, origin)),
        pointed=separator != ",",
        texts=partial(_texts, content, origin, missing, separators),
    )
    notes = [f"{origin}: {_UNNAMED}"] * unnamed
    if n_quotes != 0:
        notes.extend(_swallowed(raw, separator))
    return replace(raw, notes=tuple(notes))


def _texts(
    content: Content,
    origin: str,
    missing: Collection[str],
    separators: str,
    names: Collection[str],
) -> dict[str, pd.Categorical]:
    """Read some columns anew, as texts."""
    raw = read(content, origin, missing, names, separators)
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


def _layout(content: Content, origin: str, separators: str) -> tuple[Content, str, bool]:
    """The text with one character between cells, that, and whether the header lacks a cell.

    In place of the name that the header lacks it then has an empty one.
    """
    first = list(islice((line for line in _lines(content, origin) if line.strip()), _FIRST))
    told = _SEP.match(first[0]) if first else None
    if told is not None:
        content = whole(content).removeprefix(MARK)[told.end() :]  # but for the end of its line
        del first[0]
    if not first:
        raise _empty(origin)
    separator = _separator(first, separators) if told is None else told[1]
    if separator is None:
        content, separator = blanks.tabbed(content), "\t"
        first = blanks.tabbed("".join(first).encode()).decode().splitlines(keepends=True)
    unnamed = separator != "," and _lacks_name(first, separator)
    if unnamed:
        content = separator.encode() + whole(content).removeprefix(MARK)
    return content, separator, unnamed


def _separator(first: Sequence[str], separators: str) -> str | None:
    """The one of those in the header, outside quotes, by which the first rows have its columns.

    Where several do, that of most columns; a comma is the likeliest to be a part of names. None
    where blanks separate.
    """
    bare = re.sub('"[^"]*"', "", first[0])
    present = [each for each in separators if each in bare]
    if not present:
        return None if blanks.separate(first[:2]) else ","
    if len(present) == 1:
        return present[0]
    counts = {each: _count(first, each) for each in sorted(present, key="\t;|,".index)}
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] else present[0]


def _lacks_name(lines: Sequence[str], separator: str) -> bool:
    """Whether all lines have one cell more than the first, and not for a separator at the end.

    Commas may be decimal ones, and show nothing.
    """
    header, *rows = _cells(lines, separator) or [[]]
    rows = rows[: max(1, len(rows) - 1)]
    return (
        len(header) > 1
        and {len(row) for row in rows} == {len(header) + 1}
        and any(row[-1].strip() for row in rows)
    )


def _check_row_names(cells: Cells, origin: str) -> None:
    """Refuse first cells (n,) that are no names of rows, which never repeat; raises UserError."""
    counts = Counter(map(level, cells))
    name, most = counts.most_common(1)[0]
    if most > 1:
        raise UserError(
            f"{origin}: rows have one cell more than the header, and the first ones are no names"
            f" of rows, since {name!r} repeats; name all columns in the header"
        )


def _count(lines: Sequence[str], separator: str) -> int:
    """How many cells each line has, 0 where they differ; the last may be a part of a row."""
    counts = [len(row) for row in _cells(lines, separator)]
    return counts[0] if len({*counts[: max(2, len(counts) - 1)]}) == 1 else 0


def _cells(lines: Sequence[str], separator: str) -> list[list[str]]:
    """Cells of lines that are not empty; none where one cannot be read."""
    try:
        rows = csv.reader(lines, delimiter=separator, skipinitialspace=True)
        return [row for row in rows if row]
    except csv.Error:  # a cell that is too long
        return []


def _read_slowly(content: Content, origin: str, separator: str) -> tuple[list[str], list[Cells]]:
    """Read with blanks before quotes and the like, or say what is wrong in which line."""
    for _ in _rows(content, origin, separator):
        pass  # what is wrong is found before anything is kept
    rows = _rows(content, origin, separator)
    titles = next(rows, None)
    if titles is None:  # lines of nothing but blanks, of one kind or another
        raise _empty(origin)
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
            titles = [title(name) for name in row]
            named(titles, origin)
            yield titles
        elif len(row) != len(titles):
            raise UserError(
                f"{origin}, line {line}: {counted(len(row), 'cell')}, but the header names"
                f" {counted(len(titles), 'column')}; {_advice(len(row), len(titles), separator)}"
            )
        else:
            yield row


def _empty(origin: str) -> UserError:
    return UserError(f"{origin}: is empty; it should begin with a line of column names")


def _advice(n_cells: int, n_titles: int, separator: str) -> str:
    """What may be done about a row that has more or fewer cells than the header."""
    advice = "correct one of them, or put a cell that holds the separator in quotes"
    if n_titles == 1:
        return f"{advice}, or take out what stands above the line of column names"
    if n_cells == n_titles + 1:
        return f"{advice}, or {separator!r} before the header if first cells name rows"
    return advice


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
                return not_utf8(number, line[error.start], origin)
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
