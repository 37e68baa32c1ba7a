"""Folders of Parquet files that are the parts of one table."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.datasets.formats import keys, parquet
from gdcurves.datasets.formats.joined import about, location
from gdcurves.datasets.raw import Raw, by_number, check_names
from gdcurves.errors import UserError
from gdcurves.words import listed

if TYPE_CHECKING:
    import pyarrow as pa


def read(folder: Path, parts: Sequence[Path], origin: str, drop: Collection[str] = ()) -> Raw:
    """Read the parts in a folder as one table; folders named KEY=VALUE give a column each.

    A column whose types in the parts have nothing in common is read as in files of text. Not all
    parts need have those in `drop`, or an index that pandas has stored.

    Raises
    ------
    UserError
        A part is not Parquet, or has other columns than the first one.
    """
    import pyarrow as pa

    tables: dict[str, pa.Table] = {}
    broken: dict[str, UserError] = {}
    for name in map(str, parts):
        table, unread = parquet.table_of((folder / name).read_bytes(), f"{origin}, {name}")
        tables[name] = _keyed(table, name, f"{origin}, {name}")
        broken = unread | broken
        check_names(tables[name].column_names, f"{origin}, {name}")
    stored = {name for table in tables.values() for name in parquet.stored_index(table)}
    tables = _filled(tables, {*drop} | stored)
    (first, whole), *others = tables.items()
    for name, table in others:
        if odd := sorted({*whole.column_names} ^ {*table.column_names}):
            raise UserError(
                f"{origin}: {first} and {name} differ in column {odd[0]!r}, and are no parts of"
                " one table; name one of the files"
            )
    names = whole.column_names
    mixed = {name: types for name in names if (types := _types(tables, name)) is not None}
    try:
        alike = [_as_texts(each.select(names), mixed) for each in tables.values()]
        whole = pa.concat_tables(alike, promote_options="permissive")
    except pa.ArrowException as error:
        raise UserError(
            f"{origin}: its Parquet files are no parts of one table: {parquet.line(error)};"
            " name one of them"
        ) from error
    n_rows = {name: len(table) for name, table in tables.items()}
    ends = np.cumsum([*n_rows.values()]).tolist()
    raw = parquet.raw_of(whole, origin, broken)
    return replace(
        raw,
        location=partial(location, [*tables], [by_number] * len(tables), ends),
        kinds={name: kind for name, kind in raw.kinds.items() if name not in mixed},
        dropped=dict.fromkeys((name for name in names if name in stored), parquet.STORED),
        notes=(
            *([about(n_rows, origin)] if len(tables) > 1 else []),
            *(
                f"{origin}, column {name!r}: is of type {types}, and is read as in files of text"
                for name, types in mixed.items()
            ),
        ),
    )


def _filled(tables: Mapping[str, pa.Table], names: Collection[str]) -> dict[str, pa.Table]:
    """Give parts those of some columns, `names`, that only others have, without values."""
    import pyarrow as pa

    known = dict.fromkeys(name for table in tables.values() for name in table.column_names)
    filled = {}
    for part, table in tables.items():
        for name in known:
            if name in names and name not in table.column_names:
                table = table.append_column(name, pa.nulls(len(table)))
        filled[part] = table
    return filled


def _types(tables: Mapping[str, pa.Table], name: str) -> str | None:
    """Which types a column has, by what the parts are called; None where one is good for all."""
    import pyarrow as pa

    fields = {part: table.schema.field(name) for part, table in tables.items()}
    try:
        pa.unify_schemas(
            [pa.schema([each]) for each in fields.values()], promote_options="permissive"
        )
    except pa.ArrowException:
        first: dict[str, str] = {}
        for part, each in fields.items():
            first.setdefault(str(each.type), part)
        return listed([f"{kind} in {part}" for kind, part in first.items()])
    return None


def _as_texts(table: pa.Table, names: Collection[str]) -> pa.Table:
    """A table with some columns as texts; raises `pyarrow.ArrowException` for lists."""
    import pyarrow as pa

    for name in names:
        at = table.column_names.index(name)
        table = table.set_column(at, name, table[name].cast(pa.string()))
    return table


def _keyed(table: pa.Table, name: str, part: str) -> pa.Table:
    """Add what the names of the folders around a part say of its rows, but for what it has."""
    import pyarrow as pa

    for key, value in keys.of(name):
        if key in table.column_names:
            keys.check(key, value, table[key].unique().to_pylist(), part)
        else:
            table = table.append_column(key, pa.array([value] * len(table), pa.string()))
    return table
