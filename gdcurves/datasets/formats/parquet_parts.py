"""Folders of Parquet files that are the parts of one table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.datasets.formats import parquet
from gdcurves.datasets.raw import Raw, by_number, check_names
from gdcurves.errors import UserError

if TYPE_CHECKING:
    import pyarrow as pa


def files(folder: Path) -> list[Path]:
    """The Parquet files of a folder and those below it, in order; none that tools hide."""
    relative = [path.relative_to(folder) for path in folder.rglob("*.parquet") if path.is_file()]
    shown = [path for path in relative if not any(name[0] in "._" for name in path.parts)]
    return [folder / path for path in sorted(shown)]


def read(folder: Path, origin: str) -> Raw:
    """Read the parts of a folder as one table; folders named KEY=VALUE give a column each.

    Raises
    ------
    UserError
        A part is not Parquet, or has other columns than the first one.
    """
    import pyarrow as pa

    paths = files(folder)
    called = [str(path.relative_to(folder)) for path in paths]
    read_files = [
        parquet.table_of(path.read_bytes(), f"{origin}, {name}")
        for path, name in zip(paths, called, strict=True)
    ]
    tables = [_keyed(table, name) for (table, _), name in zip(read_files, called, strict=True)]
    names = tables[0].column_names
    for name, table in zip(called, tables, strict=True):
        check_names(table.column_names, f"{origin}, {name}")
        if odd := sorted({*names} ^ {*table.column_names}):
            raise UserError(
                f"{origin}: {called[0]} and {name} differ in column {odd[0]!r}, and are no parts of"
                " one table; name one of the files"
            )
    try:
        whole = pa.concat_tables(
            [each.select(names) for each in tables], promote_options="permissive"
        )
    except pa.ArrowException as error:
        raise UserError(
            f"{origin}: its Parquet files are no parts of one table: {parquet.line(error)};"
            " name one of them"
        ) from error
    ends = np.cumsum([len(each) for each in tables])

    def location(row: int) -> str:
        part = int(np.searchsorted(ends, row, side="right"))
        before = int(ends[part - 1]) if part else 0
        return f"{called[part]}, {by_number(row - before)}"

    broken = {column: error for _, each in reversed(read_files) for column, error in each.items()}
    return replace(parquet.raw_of(whole, origin, broken), location=location)


def _keyed(table: pa.Table, name: str) -> pa.Table:
    """Add what the names of the folders around a part say of its rows."""
    import pyarrow as pa

    for folder in Path(name).parts[:-1]:
        key, equals, value = folder.partition("=")
        if equals:
            table = table.append_column(key, pa.array([value] * len(table), pa.string()))
    return table
