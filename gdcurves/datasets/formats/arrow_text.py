"""Delimited text read by Arrow: fast, and in little more memory than its columns take."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.datasets.formats import native
from gdcurves.datasets.formats.arrow_cells import collected
from gdcurves.datasets.formats.quotes import Content, opened, pads, size
from gdcurves.datasets.raw import title
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

    def cells(
        self, content: Content, types: Mapping[str, pa.DataType], only: Collection[str] = ()
    ) -> tuple[dict[str, Cells], set[str]]:
        """Read some columns (n,) of known types, all unless given; name those with a text "nan".

        Raises `pyarrow.ArrowInvalid`, and KeyError where two columns have the same name.
        """
        from pyarrow import csv as arrow

        with arrow.open_csv(_source(content), **self._options(types, only)) as pieces:
            names = pieces.schema.names
            if len({*names}) < len(names):
                raise KeyError(*names)
            return collected(pieces, pieces.schema, size(content) / _BLOCK)

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
        from pyarrow import csv as arrow

        types: dict[str, pa.DataType] = {}
        with opened(content) as stream:
            sample = stream.read(_SAMPLE)
        some = _source(sample[: sample.rfind(b"\n") + 1])
        table = arrow.read_csv(some, **self._options({}, ()))
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
            cells, nan = how.cells(content, types)
        except pa.ArrowInvalid:  # a number that is none for Arrow, or a row that is none
            types = how.narrowed(content, types)
            cells, nan = how.cells(content, types)
        if doubtful := nan | _doubtful(content, how, cells):
            cells |= how.cells(content, dict.fromkeys(doubtful, _text()), sorted(doubtful))[0]
    except (pa.ArrowInvalid, KeyError):
        return None
    names = [title(name) for name in cells]
    if names == [""]:  # a line of nothing but quotes may be no header
        return None
    return names, [*cells.values()]


def known_columns(
    content: Content, how: Arrow, is_number: Mapping[str, bool]
) -> list[Cells] | None:
    """Read columns (n,) that are known to hold numbers or texts; None where Arrow finds fault."""
    import pyarrow as pa

    types = {name: pa.float64() if number else _text() for name, number in is_number.items()}
    try:
        cells, nan = how.cells(content, types)
    except pa.ArrowInvalid:
        return None
    return None if nan else [*cells.values()]


def _doubtful(content: Content, how: Arrow, cells: Mapping[str, Cells]) -> set[str]:
    """Which columns of numbers must be texts: codes, and whole numbers that are large or padded."""
    numbers = {name: each for name, each in cells.items() if isinstance(each, np.ndarray)}
    whole = {name for name, each in numbers.items() if _is_whole(each)}
    doubtful = {name for name in whole if are_texts(numbers[name])}
    return doubtful | how.padded(content, [name for name in numbers if name in whole - doubtful])


def _is_whole(values: FloatArray) -> bool:
    """Tell whether numbers (n,) are all whole but for NaN; mostly the first ones show it."""
    return are_whole(values[:PROBE]) and are_whole(values)
