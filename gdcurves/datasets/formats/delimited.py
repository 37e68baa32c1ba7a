"""Delimited text with a header line: CSV, and the same with semicolons or tabs."""

from __future__ import annotations

import csv
import io
import mmap
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.datasets.raw import Raw, categorical, check_names, check_rows
from gdcurves.errors import UserError

if TYPE_CHECKING:
    import pyarrow as pa

    from gdcurves.datasets.raw import Cells

Content = bytes | mmap.mmap

_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_COUNTED = 1 << 24  # bytes looked at in one go


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
    if content[:2] in _UTF16:
        raise UserError(f"{origin}: is UTF-16 text; save the file as UTF-8")
    header = _header(content, origin)
    separator = _separator(header)
    if _plain(content):
        found = _columns(content, origin, separator, missing, as_text)
        if found is not None:
            return found
    return _read_slowly(content, origin, separator)


def _header(content: Content, origin: str) -> str:
    for line in _lines(content, origin):
        if line.strip():
            return line
    raise UserError(f"{origin}: is empty; it should begin with a line of column names")


def _separator(header: str) -> str:
    return next((each for each in ",;\t" if each in header), ",")


def _plain(content: Content) -> bool:
    """Whether quotes, if any, are such that the fast reader cannot take them another way."""
    if content.find(b' "') >= 0 or content.find(b"\0") >= 0:
        return False
    if content.find(b'"') < 0:
        return True
    n_quotes = sum(
        np.count_nonzero(np.frombuffer(content[i : i + _COUNTED], np.uint8) == ord('"'))
        for i in range(0, len(content), _COUNTED)
    )
    return n_quotes % 2 == 0


def _columns(
    content: Content,
    origin: str,
    separator: str,
    missing: Collection[str],
    as_text: Collection[str],
) -> Raw | None:
    """Read with Arrow; None where it finds fault, so that the other reader says where."""
    import pyarrow as pa
    from pyarrow import csv as arrow

    def table(text: Collection[str], only: Collection[str] = ()) -> pa.Table:
        return arrow.read_csv(
            pa.BufferReader(pa.py_buffer(content)),
            parse_options=arrow.ParseOptions(
                delimiter=separator, newlines_in_values=content.find(b'"') >= 0
            ),
            convert_options=arrow.ConvertOptions(
                column_types=dict.fromkeys(text, pa.string()),
                include_columns=list(only),
                null_values=sorted(missing),
                strings_can_be_null=True,
                true_values=[],
                false_values=[],
            ),
        )

    try:
        found = table(as_text)
        names = [name.strip() for name in found.column_names]
        check_names(names, origin)
        doubtful = [
            name
            for name, column in zip(found.column_names, found.columns, strict=True)
            if _may_be_text(column)
        ]
        texts = table(doubtful, doubtful) if doubtful else None
    except (pa.ArrowInvalid, pa.ArrowKeyError):
        return None
    check_rows(len(found), origin)
    cells: dict[str, Cells] = {}
    for name, spelled in zip(names, found.column_names, strict=True):
        column = texts[spelled] if texts is not None and spelled in doubtful else found[spelled]
        cells[name] = _cells(column)
    rows = _Places(content, origin, separator)
    return Raw(cells, origin, rows)


def _may_be_text(column: pa.ChunkedArray) -> bool:
    """Whether Arrow took for a date, NaN or bytes what is to be seen as it is written."""
    import pyarrow as pa
    from pyarrow import compute

    kind = column.type
    if pa.types.is_floating(kind):
        return bool(compute.any(compute.is_nan(column)).as_py())
    return not (pa.types.is_integer(kind) or pa.types.is_string(kind) or pa.types.is_null(kind))


def _cells(column: pa.ChunkedArray) -> Cells:
    import pyarrow as pa

    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        return np.asarray(column.to_numpy(), dtype=np.float64)
    if pa.types.is_null(column.type):
        return categorical(np.full(len(column), -1, dtype=np.int32), [])
    coded = column.dictionary_encode().combine_chunks()
    if isinstance(coded, pa.ChunkedArray):  # of no rows
        coded = coded.chunk(0)
    codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return categorical(codes, coded.dictionary.to_numpy(zero_copy_only=False))


def _read_slowly(content: Content, origin: str, separator: str) -> Raw:
    """Read with blanks before quotes and the like, or say what is wrong in which line."""
    rows: list[list[str]] = []
    lines: list[int] = []
    header: list[str] = []
    for line, row in _records(content, origin, separator):
        if not header:
            header = [name.strip() for name in row]
            check_names(header, origin)
        elif len(row) != len(header):
            raise UserError(
                f"{origin}, line {line}: {len(row)} cells, but the header names {len(header)}"
                " columns; correct one of them, or put a cell that holds the separator in quotes"
            )
        else:
            rows.append(row)
            lines.append(line)
    return Raw.of_rows(header, rows, origin, lines)


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
    stream = io.TextIOWrapper(io.BufferedReader(_Bytes(content)), encoding="utf-8-sig", newline="")
    number = 0
    while True:
        try:
            line = stream.readline()
        except UnicodeDecodeError as error:
            raise _not_utf8(content, origin) from error
        if not line:
            return
        number += 1
        yield line


def _not_utf8(content: Content, origin: str) -> UserError:
    start = 0
    try:
        content[:].decode("utf-8")
    except UnicodeDecodeError as error:
        start = error.start
    line = content[:start].count(b"\n") + 1
    return UserError(
        f"{origin}, line {line}: is not UTF-8 text (byte {content[start]:#04x}); save the file as"
        " UTF-8"
    )


class _Bytes(io.RawIOBase):
    """A file of bytes that are in memory already, without a copy of them."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._at = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        part = self._content[self._at : self._at + len(buffer)]
        buffer[: len(part)] = part
        self._at += len(part)
        return len(part)


class _Places:
    """Lines of rows, looked for only when a message is to name one."""

    def __init__(self, content: Content, origin: str, separator: str) -> None:
        self._content = content
        self._origin = origin
        self._separator = separator

    def __call__(self, row: int) -> str:
        records = _records(self._content, self._origin, self._separator)
        line = next(line for number, (line, _) in enumerate(records) if number == row + 1)
        return f"{self._origin}, line {line}"
