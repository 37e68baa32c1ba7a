"""Delimited text with a header line: CSV, and the same with semicolons or tabs."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Collection, Iterator

import numpy as np

from gdcurves.datasets.formats.arrow_text import PIECE, Arrow, Content, columns, opened
from gdcurves.datasets.raw import Raw, categorical, check_names, check_rows
from gdcurves.errors import UserError
from gdcurves.words import counted

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
    n_quotes = _quotes(content)
    if n_quotes is not None:
        how = Arrow(separator, tuple(sorted(missing)), n_quotes > 0)
        cells = columns(content, origin, how, as_text)
        if cells is not None:
            return Raw(cells, origin, _Locations(content, origin, separator))
    return _read_slowly(content, origin, separator)


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


def _quotes(content: Content) -> int | None:
    """Count quotes; None where the fast reader could take them another way, or zero bytes."""
    n_quotes = 0
    last = b""
    with opened(content) as stream:
        while piece := stream.read(PIECE):
            if piece.find(b' "') >= 0 or (last == b" " and piece[:1] == b'"'):
                return None
            if piece.find(b"\0") >= 0:
                return None
            n_quotes += piece.count(b'"')
            last = piece[-1:]
    return n_quotes if n_quotes % 2 == 0 else None


def _read_slowly(content: Content, origin: str, separator: str) -> Raw:
    """Read with blanks before quotes and the like, or say what is wrong in which line."""
    for _ in _rows(content, origin, separator):
        pass  # what is wrong is found before anything is kept
    rows = _rows(content, origin, separator)
    names = next(rows)
    texts: list[dict[str, int]] = [{} for _ in names]
    codes = [array("i") for _ in names]
    for row in rows:
        for known, column, cell in zip(texts, codes, row, strict=True):
            column.append(known.setdefault(cell, len(known)))
    check_rows(len(codes[0]), origin)
    cells = [
        categorical(np.frombuffer(column, dtype=np.intc), list(known))
        for known, column in zip(texts, codes, strict=True)
    ]
    return Raw(dict(zip(names, cells, strict=True)), origin, _Locations(content, origin, separator))


def _rows(content: Content, origin: str, separator: str) -> Iterator[list[str]]:
    """The header's names, then the rows; raises UserError where they do not fit."""
    names: list[str] = []
    for line, row in _records(content, origin, separator):
        if not names:
            names = [name.strip() for name in row]
            check_names(names, origin)
            yield names
        elif len(row) != len(names):
            raise UserError(
                f"{origin}, line {line}: {counted(len(row), 'cell')}, but the header names"
                f" {counted(len(names), 'column')}; correct one of them, or put a cell that holds"
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
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise UserError(
                f"{origin}, line {reader.line_num}: {error}; is a quote open, or one too many?"
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
