"""Parquet files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.datasets.formats import native
from gdcurves.datasets.raw import (
    Raw,
    by_number,
    categorical,
    check_names,
    check_rows,
    valueless,
)
from gdcurves.datasets.spec import Kind
from gdcurves.datasets.written.whole import are_large
from gdcurves.errors import UserError

if TYPE_CHECKING:
    import pyarrow as pa

    from gdcurves.datasets.raw import Cells

ENDINGS = (".parquet", ".pq", ".parq")
FLOAT_DIGITS = 15  # that any float has
STORED = "an index that pandas has stored"


def read(content: bytes, origin: str) -> Raw:
    """Read a Parquet file: floats are continuous, texts and booleans discrete; integers are open.

    Dates and times become texts; a column of lists, or one that cannot be read, is broken, see
    `Raw.broken`.

    Raises
    ------
    UserError
        The content is not Parquet.
    """
    table, broken = table_of(content, origin)
    return raw_of(table, origin, broken)


def table_of(content: bytes, origin: str) -> tuple[pa.Table, dict[str, UserError]]:
    """Read a file, and say of columns why they cannot be; they have no values then."""
    import pyarrow as pa
    from pyarrow import parquet

    faults = (pa.ArrowException, OSError, ValueError)  # the last: a name that is no UTF-8
    try:
        file = parquet.ParquetFile(native.reader(content))
        schema = file.schema_arrow
        names = [name.strip() for name in schema.names]
    except faults as error:
        raise _unreadable(origin, error) from error
    try:
        return pa.table(file.read().columns, names, metadata=schema.metadata), {}
    except faults as error:
        whole = error
    if file.metadata.num_rows < 0:  # which no column can have
        raise _unreadable(origin, whole)
    columns: list[pa.ChunkedArray] = []
    broken: dict[str, UserError] = {}
    for name, stored in zip(names, schema.names, strict=True):
        try:
            columns.append(file.read(columns=[stored])[stored])
        except (*faults, LookupError) as error:
            broken[name] = UserError(f"{origin}, column {name!r}: cannot be read: {line(error)}")
            columns.append(pa.chunked_array([pa.nulls(file.metadata.num_rows)]))
    if len(broken) == len(names) or len({len(each) for each in columns}) > 1:
        raise _unreadable(origin, whole)
    return pa.table(columns, names, metadata=schema.metadata), broken


def _unreadable(origin: str, error: BaseException) -> UserError:
    return UserError(
        f"{origin}: not readable as Parquet: {line(error)}; get the file once more, or write it as"
        " CSV"
    )


def raw_of(table: pa.Table, origin: str, unread: Mapping[str, UserError]) -> Raw:
    """Columns of a table, of which some could not be read."""
    import pyarrow as pa

    names: Sequence[str] = table.column_names
    if not names:
        raise UserError(f"{origin}: holds no columns; write a table with some")
    check_names(names, origin)
    check_rows(len(table), origin)
    cells: dict[str, Cells] = {}
    kinds: dict[str, Kind] = {}
    labels: dict[str, tuple[str, ...]] = {}
    broken = dict(unread)
    for name, column in zip(names, table.columns, strict=True):
        dictionary = pa.types.is_dictionary(column.type)
        value_type = column.type.value_type if dictionary else column.type
        if dictionary or _is_text(value_type) or pa.types.is_boolean(value_type):
            kinds[name] = "discrete"
        elif pa.types.is_floating(value_type) or pa.types.is_decimal(value_type):
            kinds[name] = "continuous"
        try:
            location = f"{origin}, column {name!r}"
            cells[name] = _cells(column, value_type, location)
            if dictionary:
                labels[name] = _labels(column, location)
        except UserError as error:
            broken[name] = error
            cells[name] = valueless(len(column))
    stored = dict.fromkeys(stored_index(table) & cells.keys(), STORED)
    return Raw(cells, origin, by_number, kinds, labels, dropped=stored, broken=broken)


def stored_index(table: pa.Table) -> set[str]:
    """Columns that are no columns but an index, by what pandas has written into the file."""
    try:
        described = (table.schema.pandas_metadata or {})["index_columns"]
        return {each.strip() for each in described if isinstance(each, str)}
    except (ValueError, LookupError, TypeError):  # whatever stands there
        return set()


def line(error: BaseException) -> str:
    """The text of an error in one line."""
    return " ".join(str(error).split())


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    unmarked = (pa.types.is_binary, pa.types.is_large_binary)  # as some write texts
    return any(fits(kind) for fits in (*texts, *unmarked))


def _labels(column: pa.ChunkedArray, location: str) -> tuple[str, ...]:
    labels: dict[str, None] = {}
    try:
        for chunk in column.chunks:
            labels |= dict.fromkeys(str(each) for each in chunk.dictionary.to_pylist())
    except ValueError as error:  # no UTF-8, in one that no row has
        raise UserError(f"{location}: {line(error)}") from error
    return tuple(labels)


def _cells(column: pa.ChunkedArray, kind: pa.DataType, location: str) -> Cells:
    import pyarrow as pa

    try:
        if pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_decimal(kind):
            if column.type != kind:  # numbers behind a dictionary
                column = column.cast(kind)
            is_long = pa.types.is_decimal(kind) and kind.precision > FLOAT_DIGITS
            if pa.types.is_decimal(kind):  # by way of texts, as Arrow's own way may be off by a bit
                column = column.cast(pa.string())
            numbers = column.cast(pa.float64(), safe=False)
            values = np.asarray(numbers.to_numpy(), dtype=np.float64)
            are_one = is_long and len(numbers.unique()) < len(column.unique())
            if pa.types.is_floating(kind) or not (are_large(values) or are_one):
                with np.errstate(invalid="ignore"):  # some NaN of damaged files signal that
                    return values + 0.0
            column = column.cast(pa.string())
            kind = pa.string()
        if _is_text(kind) or pa.types.is_boolean(kind) or pa.types.is_temporal(kind):
            coded = column.cast(pa.string()).dictionary_encode().combine_chunks()
            codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
            return categorical(codes, coded.dictionary.to_numpy(zero_copy_only=False))
        if pa.types.is_null(kind):
            return valueless(len(column))
    except (pa.ArrowException, ValueError) as error:
        raise UserError(f"{location}: {line(error)}") from error
    raise UserError(
        f"{location}: is of type {kind}, which has no place here; write numbers or texts, or leave"
        " the column out of the file"
    )
