"""Rows of delimited text as they stand in its lines."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import islice

from gdcurves.datasets.formats.encoding import not_utf8
from gdcurves.datasets.formats.quotes import Content, opened
from gdcurves.errors import UserError

_ESCAPED = '\\"'  # as MySQL and R write quotes within cells
_ESCAPES = f' (in CSV, a quote within a cell is written twice: "" in place of {_ESCAPED})'


def empty(origin: str) -> UserError:
    """Return the error for a text that holds nothing."""
    return UserError(f"{origin}: is empty; it should begin with a line of column names")


def records(
    content: Content, origin: str, separator: str, blanks_first: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not empty, header included, each with the number of its last line.

    `blanks_first` keeps blanks before cells, as is right where no quotes stand behind such.
    """
    reader = csv.reader(
        lines(content, origin), delimiter=separator, skipinitialspace=not blanks_first, strict=True
    )
    while True:
        first = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            begun = f" (the row begins in line {first})" if first < reader.line_num else ""
            row_lines = islice(lines(content, origin), first - 1, reader.line_num)
            raise UserError(
                f"{origin}, line {reader.line_num}: {_said(error)}{begun}; is a quote open, or one"
                f" too many?{_ESCAPES * any(_ESCAPED in line for line in row_lines)}"
            ) from error
        if row is None:
            return
        if len(row) > 1 or any(map(str.strip, row)):
            yield reader.line_num, row


def _said(error: csv.Error) -> str:
    """What is wrong; a tab, which may stand for blanks, in words."""
    return str(error).replace("'\t'", "a separator")


def lines(content: Content, origin: str) -> Iterator[str]:
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


class Locations:
    """Lines of rows, looked for only when a message is to name one.

    `n_above` is the number of rows of names above them.
    """

    def __init__(self, content: Content, origin: str, separator: str, n_above: int = 1) -> None:
        self._content = content
        self._origin = origin
        self._separator = separator
        self._n_above = n_above

    def __call__(self, row: int) -> str:
        """Say where a row stands, from its number."""
        rows = records(self._content, self._origin, self._separator)
        line = next(line for number, (line, _) in enumerate(rows) if number == row + self._n_above)
        return f"line {line}"
