"""Delimited text with a header line: CSV, and the same with semicolons or tabs."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from gdcurves.counted import counted
from gdcurves.datasets.raw import Raw, categorical, check_names, check_rows
from gdcurves.errors import UserError

if TYPE_CHECKING:
    import pyarrow as pa

    from gdcurves.datasets.raw import Cells

Content = bytes | Path
"""The text itself, or a regular file that holds it."""

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_PIECE = 1 << 24  # bytes looked at in one go
_SAMPLE = 1 << 20  # bytes that mostly show what a column holds


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
        how = _Arrow(separator, tuple(sorted(missing)), n_quotes > 0)
        found = _columns(content, origin, how, as_text)
        if found is not None:
            return found
    return _read_slowly(content, origin, separator)


def _open(content: Content) -> BinaryIO:
    return io.BytesIO(content) if isinstance(content, bytes) else content.open("rb")


def _header(content: Content, origin: str) -> str:
    with _open(content) as stream:
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
    with _open(content) as stream:
        while piece := stream.read(_PIECE):
            if piece.find(b' "') >= 0 or (last == b" " and piece[:1] == b'"'):
                return None
            if piece.find(b"\0") >= 0:
                return None
            n_quotes += piece.count(b'"')
            last = piece[-1:]
    return n_quotes if n_quotes % 2 == 0 else None


@dataclass(frozen=True)
class _Arrow:
    """How Arrow is to read one text.

    Attributes
    ----------
    separator, missing
        As in `read`.
    quoted
        Whether there are quotes, and so perhaps cells of several lines.
    """

    separator: str
    missing: tuple[str, ...]
    quoted: bool

    def table(
        self, content: Content, types: Mapping[str, pa.DataType], only: Collection[str] = ()
    ) -> pa.Table:
        """Read some columns, all unless given, of which some have known types."""
        import pyarrow as pa
        from pyarrow import csv as arrow

        return arrow.read_csv(
            pa.BufferReader(content) if isinstance(content, bytes) else pa.OSFile(str(content)),
            parse_options=arrow.ParseOptions(
                delimiter=self.separator, newlines_in_values=self.quoted
            ),
            convert_options=arrow.ConvertOptions(
                column_types=types,
                include_columns=list(only),
                null_values=self.missing,
                strings_can_be_null=True,
                true_values=[],
                false_values=[],
            ),
        )

    def types(self, content: Content, as_text: Collection[str]) -> dict[str, pa.DataType]:
        """Numbers, where the first rows hold some and nothing else; all other columns are text.

        Left to itself, Arrow keeps all text until it has found out, and sees dates and the like.
        """
        import pyarrow as pa

        found: dict[str, pa.DataType] = {}
        with _open(content) as stream:
            sample = stream.read(_SAMPLE)
        for column in self.table(sample[: sample.rfind(b"\n") + 1], {}).schema:
            number = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
            found[column.name] = pa.float64() if number else _text()
        return found | dict.fromkeys(as_text, _text())


def _text() -> pa.DataType:
    import pyarrow as pa

    return pa.dictionary(pa.int32(), pa.string())


def _columns(content: Content, origin: str, how: _Arrow, as_text: Collection[str]) -> Raw | None:
    """Read with Arrow; None where it finds fault, so that the other reader says where."""
    import pyarrow as pa

    try:
        types = how.types(content, as_text)
        try:
            found = how.table(content, types)
        except pa.ArrowInvalid:  # a number that is none for Arrow, or a row that is none
            types = dict.fromkeys(types, _text())
            found = how.table(content, types)
        names = [name.strip() for name in found.column_names]
        check_names(names, origin)
        doubtful = [name for name in found.column_names if _holds_nan(found[name])]
        texts = how.table(content, dict.fromkeys(doubtful, _text()), doubtful) if doubtful else None
    except (pa.ArrowInvalid, pa.ArrowKeyError):
        return None
    check_rows(len(found), origin)
    cells: dict[str, Cells] = {}
    for name in names:
        spelled, column = found.column_names[0], found.column(0)
        found = found.remove_column(0)  # each column is held once
        cells[name] = _cells(texts[spelled] if texts and spelled in doubtful else column)
    return Raw(cells, origin, _Places(content, origin, how.separator))


def _holds_nan(column: pa.ChunkedArray) -> bool:
    """Whether a text such as "nan" became a number; what is missing is null."""
    import pyarrow as pa
    from pyarrow import compute

    is_number = pa.types.is_floating(column.type)
    return is_number and bool(compute.any(compute.is_nan(column)).as_py())


def _cells(column: pa.ChunkedArray) -> Cells:
    import pyarrow as pa

    if pa.types.is_floating(column.type):
        return np.asarray(column.to_numpy(), dtype=np.float64) + 0.0
    coded = column.unify_dictionaries().combine_chunks()
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
                f"{origin}, line {line}: {counted(len(row), 'cell')}, but the header names"
                f" {counted(len(header), 'column')}; correct one of them, or put a cell that holds"
                " the separator in quotes"
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
    with _open(content) as binary, io.TextIOWrapper(binary, "utf-8-sig", newline="") as stream:
        try:
            yield from stream
        except UnicodeDecodeError as error:
            raise _not_utf8(content, origin) from error


def _not_utf8(content: Content, origin: str) -> UserError:
    with _open(content) as stream:
        for number, line in enumerate(stream, start=1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                return UserError(
                    f"{origin}, line {number}: is not UTF-8 text (byte {line[error.start]:#04x});"
                    " save the file as UTF-8"
                )
    raise AssertionError("a file that could not be decoded can be now")


class _Places:
    """Lines of rows, looked for only when a message is to name one."""

    def __init__(self, content: Content, origin: str, separator: str) -> None:
        self._content = content
        self._origin = origin
        self._separator = separator

    def __call__(self, row: int) -> str:
        records = _records(self._content, self._origin, self._separator)
        line = next(line for number, (line, _) in enumerate(records) if number == row + 1)
        return f"line {line}"
