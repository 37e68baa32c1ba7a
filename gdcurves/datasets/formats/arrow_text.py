"""Delimited text read by Arrow: fast, and in little more memory than its columns take."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from gdcurves.datasets.raw import categorical, check_names, check_rows

if TYPE_CHECKING:
    import pyarrow as pa

    from gdcurves.datasets.raw import Cells

Content = bytes | Path
"""The text itself, or a regular file that holds it."""

PIECE = 1 << 24
"""Bytes looked at in one go."""

_SAMPLE = 1 << 20  # bytes that mostly show what a column holds


def opened(content: Content) -> BinaryIO:
    """Open the text, or the file that holds it."""
    return io.BytesIO(content) if isinstance(content, bytes) else content.open("rb")


@dataclass(frozen=True)
class Arrow:
    """How Arrow is to read one text.

    Attributes
    ----------
    separator
        Stands between cells.
    missing
        Texts that stand for a missing value.
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
        from pyarrow import csv as arrow

        return arrow.read_csv(_source(content), **self._options(types, only))

    def narrowed(self, content: Content, types: Mapping[str, pa.DataType]) -> dict[str, Any]:
        """Turn types of numbers into text where a column holds more than numbers somewhere.

        Texts of all columns at once would take many times the memory of the numbers.
        """
        import pyarrow as pa
        from pyarrow import compute
        from pyarrow import csv as arrow

        numbers = {name for name, each in types.items() if pa.types.is_floating(each)}
        options = self._options(dict.fromkeys(numbers, pa.string()), numbers)
        for piece in arrow.open_csv(_source(content), **options):
            for name in [*numbers]:
                try:
                    compute.utf8_trim(piece[name], " \t").cast(pa.float64())
                except pa.ArrowInvalid:
                    numbers.remove(name)
        return {name: each if name in numbers else _text() for name, each in types.items()}

    def _options(self, types: Mapping[str, pa.DataType], only: Collection[str]) -> dict[str, Any]:
        from pyarrow import csv as arrow

        return {
            "parse_options": arrow.ParseOptions(
                delimiter=self.separator, newlines_in_values=self.quoted
            ),
            "convert_options": arrow.ConvertOptions(
                column_types=types,
                include_columns=list(only),
                null_values=self.missing,
                strings_can_be_null=True,
                true_values=[],
                false_values=[],
            ),
        }

    def types(self, content: Content, as_text: Collection[str]) -> dict[str, pa.DataType]:
        """Numbers, where the first rows hold some and nothing else; all other columns are text.

        Left to itself, Arrow keeps all text until it has found out, and sees dates and the like.
        """
        import pyarrow as pa

        types: dict[str, pa.DataType] = {}
        with opened(content) as stream:
            sample = stream.read(_SAMPLE)
        for column in self.table(sample[: sample.rfind(b"\n") + 1], {}).schema:
            number = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
            types[column.name] = pa.float64() if number else _text()
        return types | dict.fromkeys(as_text, _text())


def _source(content: Content) -> Any:
    import pyarrow as pa

    return pa.BufferReader(content) if isinstance(content, bytes) else pa.OSFile(str(content))


def _text() -> pa.DataType:
    import pyarrow as pa

    return pa.dictionary(pa.int32(), pa.string())


def columns(
    content: Content, origin: str, how: Arrow, as_text: Collection[str]
) -> dict[str, Cells] | None:
    """Read columns (n,) by name: numbers, and all others and those of `as_text` as text.

    None where Arrow finds fault, so that the other reader says where.

    Raises
    ------
    UserError
        A column has no name of its own, or there is no row.
    """
    import pyarrow as pa

    try:
        types = how.types(content, as_text)
        try:
            table = how.table(content, types)
        except pa.ArrowInvalid:  # a number that is none for Arrow, or a row that is none
            types = how.narrowed(content, types)
            table = how.table(content, types)
        names = [name.strip() for name in table.column_names]
        check_names(names, origin)
        doubtful = [name for name in table.column_names if _holds_nan(table[name])]
        if doubtful:
            texts = how.table(content, dict.fromkeys(doubtful, _text()), doubtful)
            for name in doubtful:
                table = table.set_column(table.column_names.index(name), name, texts[name])
            del texts
    except (pa.ArrowInvalid, KeyError):
        return None
    check_rows(len(table), origin)
    pieces = table.columns
    del table
    return dict(zip(names, _converted(pieces), strict=True))


def known_columns(
    content: Content, how: Arrow, is_number: Mapping[str, bool]
) -> list[Cells] | None:
    """Read columns (n,) that are known to hold numbers or texts; None where Arrow finds fault."""
    import pyarrow as pa

    types = {name: pa.float64() if number else _text() for name, number in is_number.items()}
    try:
        pieces = how.table(content, types).columns
    except pa.ArrowInvalid:
        return None
    return list(_converted(pieces))


def _converted(pieces: list[pa.ChunkedArray]) -> Iterator[Cells]:
    """Convert columns, and empty the list on the way: each column is held once."""
    import pyarrow as pa

    pieces.reverse()
    unused = 0
    while pieces:
        column = pieces.pop()
        unused += column.nbytes
        yield _cells(column)
        del column
        if unused > PIECE:  # left to itself, Arrow keeps the memory
            pa.default_memory_pool().release_unused()
            unused = 0


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
