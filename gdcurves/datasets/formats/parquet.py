"""Parquet files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gdcurves.datasets.raw import Raw, by_number, categorical, check_names, check_rows
from gdcurves.datasets.spec import Kind
from gdcurves.datasets.whole import are_large
from gdcurves.errors import UserError

if TYPE_CHECKING:
    import pyarrow as pa

    from gdcurves.datasets.raw import Cells


def read(content: bytes, origin: str) -> Raw:
    """Read a Parquet file: floats are continuous, texts and booleans discrete; integers are open.

    Dates and times become texts.

    Raises
    ------
    UserError
        The content is not Parquet, or a column holds lists or the like.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        table = parquet.ParquetFile(pa.BufferReader(content)).read()
        names = [name.strip() for name in table.column_names]
    except (pa.ArrowException, OSError, ValueError) as error:  # the last: a name that is no UTF-8
        raise UserError(f"{origin}: not readable as Parquet: {_line(error)}") from error
    if not names:
        raise UserError(f"{origin}: holds no columns")
    check_names(names, origin)
    check_rows(len(table), origin)
    cells: dict[str, Cells] = {}
    kinds: dict[str, Kind] = {}
    labels: dict[str, tuple[str, ...]] = {}
    for name, column in zip(names, table.columns, strict=True):
        dictionary = pa.types.is_dictionary(column.type)
        value_type = column.type.value_type if dictionary else column.type
        if pa.types.is_floating(value_type) or pa.types.is_decimal(value_type):
            kinds[name] = "continuous"
        elif dictionary or _is_text(value_type) or pa.types.is_boolean(value_type):
            kinds[name] = "discrete"
        if dictionary:
            kinds[name] = "discrete"
        cells[name] = _cells(column, value_type, f"{origin}, column {name!r}")
        if dictionary:
            labels[name] = _labels(column)
    stored = dict.fromkeys(_stored_index(table) & cells.keys(), "an index that pandas has stored")
    return Raw(cells, origin, by_number, kinds, labels, dropped=stored)


def _stored_index(table: pa.Table) -> set[str]:
    """Columns that are no columns but an index, by what pandas has written into the file."""
    try:
        described = (table.schema.pandas_metadata or {})["index_columns"]
        return {each.strip() for each in described if isinstance(each, str)}
    except (ValueError, LookupError, TypeError):  # whatever stands there
        return set()


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def _labels(column: pa.ChunkedArray) -> tuple[str, ...]:
    labels: dict[str, None] = {}
    for chunk in column.chunks:
        labels |= dict.fromkeys(str(each) for each in chunk.dictionary.to_pylist())
    return tuple(labels)


def _cells(column: pa.ChunkedArray, kind: pa.DataType, location: str) -> Cells:
    import pyarrow as pa

    try:
        if pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_decimal(kind):
            if column.type != kind:  # numbers behind a dictionary
                column = column.cast(kind)
            values = np.asarray(column.cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)
            if pa.types.is_floating(kind) or not are_large(values):
                return values + 0.0
            column = column.cast(pa.string())
            kind = pa.string()
        if _is_text(kind) or pa.types.is_boolean(kind) or pa.types.is_temporal(kind):
            coded = column.cast(pa.string()).dictionary_encode().combine_chunks()
            codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
            return categorical(codes, coded.dictionary.to_numpy(zero_copy_only=False))
        if pa.types.is_null(kind):
            return categorical(np.full(len(column), -1, dtype=np.int32), [])
    except (pa.ArrowException, ValueError) as error:
        raise UserError(f"{location}: {_line(error)}") from error
    raise UserError(
        f"{location}: is of type {kind}, which has no place here; write numbers or texts, or leave"
        " the column out of the file"
    )
