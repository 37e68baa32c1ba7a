"""Delimited text read by Arrow: fast, and in little more memory than its columns take."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gdcurves.datasets.formats import native
from gdcurves.datasets.formats.quotes import PIECE, Content, opened, pads
from gdcurves.datasets.raw import categorical, title
from gdcurves.datasets.written.whole import PROBE, are_texts, are_whole

if TYPE_CHECKING:
    import pyarrow as pa

    from gdcurves.datasets.raw import Cells

_SAMPLE = 1 << 20  # bytes that mostly show what a column holds
_BLOCK = 1 << 20  # bytes that Arrow reads at a time
_PADDED = r"^\s*[+-]?0\d+\s*$"


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
    names
        Those of the columns, where the text has none.
    """

    separator: str
    missing: tuple[str, ...]
    quoted: bool
    names: tuple[str, ...] = ()

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

        numbers = {name for name, each in types.items() if pa.types.is_floating(each)}
        for piece in self._texts(content, numbers):
            for name in [*numbers]:
                try:
                    compute.utf8_trim(piece[name], " \t").cast(pa.float64())
                except pa.ArrowInvalid:
                    numbers.remove(name)
        return {name: each if name in numbers else _text() for name, each in types.items()}

    def padded(self, content: Content, names: Collection[str]) -> set[str]:
        """Those of some columns of which a cell begins with a zero that its number does not need.

        A look at the bytes mostly shows that there are none.
        """
        from pyarrow import compute

        if not names or not pads(content):
            return set()
        return {
            name
            for piece in self._texts(content, names)
            for name in names
            if compute.any(compute.match_substring_regex(piece[name], _PADDED)).as_py()
        }

    def _texts(self, content: Content, names: Collection[str]) -> Iterator[pa.RecordBatch]:
        """Some columns as texts, piece by piece."""
        import pyarrow as pa
        from pyarrow import csv as arrow

        options = self._options(dict.fromkeys(names, pa.string()), names)
        with arrow.open_csv(_source(content), **options) as pieces:
            yield from pieces

    def _options(self, types: Mapping[str, pa.DataType], only: Collection[str]) -> dict[str, Any]:
        from pyarrow import csv as arrow

        return {
            "read_options": arrow.ReadOptions(block_size=_BLOCK, column_names=self.names or None),
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

        Text too are those in `as_text`, named without blanks around, and few whole numbers, which
        may be codes. Left to itself, Arrow keeps all text until it has found out, and sees dates
        and the like.
        """
        import pyarrow as pa

        types: dict[str, pa.DataType] = {}
        with opened(content) as stream:
            sample = stream.read(_SAMPLE)
        table = self.table(sample[: sample.rfind(b"\n") + 1], {})
        for name, column in zip(table.column_names, table.columns, strict=True):
            number = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
            few = number and are_texts(column.cast(pa.float64(), safe=False).to_numpy())
            types[name] = pa.float64() if number and not few else _text()
        return types | {name: _text() for name in types if title(name) in as_text}


def _source(content: Content) -> Any:
    import pyarrow as pa

    return native.reader(content) if isinstance(content, bytes) else pa.OSFile(str(content))


def _text() -> pa.DataType:
    import pyarrow as pa

    return pa.dictionary(pa.int32(), pa.string())


def columns(
    content: Content, how: Arrow, as_text: Collection[str]
) -> tuple[list[str], list[Cells]] | None:
    """Read names and columns (n,): numbers, and all others and those of `as_text` as text.

    None where Arrow finds fault, so that the other reader says where.
    """
    import pyarrow as pa

    try:
        types = how.types(content, as_text)
        try:
            table = how.table(content, types)
        except pa.ArrowInvalid:  # a number that is none for Arrow, or a row that is none
            types = how.narrowed(content, types)
            table = how.table(content, types)
        pieces = _exact(content, how, table)
    except (pa.ArrowInvalid, KeyError):
        return None
    names = [title(name) for name in table.column_names]
    if names == [""]:  # a line of nothing but quotes may be no header
        return None
    del table
    return names, list(_converted(pieces))


def known_columns(
    content: Content, how: Arrow, is_number: Mapping[str, bool]
) -> list[Cells] | None:
    """Read columns (n,) that are known to hold numbers or texts; None where Arrow finds fault."""
    import pyarrow as pa
    from pyarrow import compute

    types = {name: pa.float64() if number else _text() for name, number in is_number.items()}
    try:
        pieces = how.table(content, types).columns
    except pa.ArrowInvalid:
        return None
    numbers = [each for each in pieces if pa.types.is_floating(each.type)]
    if any(compute.any(compute.is_nan(each)).as_py() for each in numbers):  # a text such as "nan"
        return None
    return list(_converted(pieces))


def _exact(content: Content, how: Arrow, table: pa.Table) -> list[pa.ChunkedArray]:
    """Return columns, those anew as texts of which the numbers do not say all; may raise."""
    doubtful = {name for name in table.column_names if _is_doubtful(table[name])}
    whole = [name for name in table.column_names if name not in doubtful and _is_whole(table[name])]
    doubtful |= how.padded(content, whole)
    if doubtful:
        texts = how.table(content, dict.fromkeys(doubtful, _text()), sorted(doubtful))
        for name in doubtful:
            table = table.set_column(table.column_names.index(name), name, texts[name])
    pieces: list[pa.ChunkedArray] = table.columns
    return pieces


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


def _is_doubtful(column: pa.ChunkedArray) -> bool:
    """Whether numbers must be texts: codes, large ones, or a text such as "nan" is among them.

    What is missing is null.
    """
    import pyarrow as pa
    from pyarrow import compute

    if not pa.types.is_floating(column.type):
        return False
    if compute.any(compute.is_nan(column)).as_py():
        return True
    return are_whole(column.slice(0, PROBE).to_numpy()) and are_texts(column.to_numpy())


def _is_whole(column: pa.ChunkedArray) -> bool:
    import pyarrow as pa

    if not pa.types.is_floating(column.type):
        return False
    return are_whole(column.slice(0, PROBE).to_numpy()) and are_whole(column.to_numpy())


def _cells(column: pa.ChunkedArray) -> Cells:
    import pyarrow as pa

    if pa.types.is_floating(column.type):
        return np.asarray(column.to_numpy(), dtype=np.float64) + 0.0
    coded = column.unify_dictionaries().combine_chunks()
    codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return categorical(codes, coded.dictionary.to_numpy(zero_copy_only=False))
