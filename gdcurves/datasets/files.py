"""Data sets from ARFF and CSV files, plain or gzipped."""

from __future__ import annotations

import csv
import gzip
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from gdcurves.datasets.spec import DatasetSpec
from gdcurves.datasets.table import Raw, Table, build
from gdcurves.errors import UserError


def find(spec: DatasetSpec, folder: Path) -> Path | None:
    """Return the file of the folder that holds the data set, None if there is none.

    The file is named after one of the data set's stems and ends in .arff, .csv, .arff.gz or
    .csv.gz.

    Raises
    ------
    UserError
        There is no such folder, or several of its files could be meant.
    """
    if not folder.is_dir():
        raise UserError(f"data folder {folder}: no such folder")
    found = [
        path
        for stem in spec.stems
        for ending in _READERS
        if (path := folder / f"{stem}{ending}").is_file()
    ]
    if len(found) > 1:
        names = ", ".join(path.name for path in found)
        raise UserError(f"data folder {folder}: {names} all hold {spec.name!r}; keep one of them")
    return found[0] if found else None


def read(spec: DatasetSpec, path: Path) -> Table:
    """Read a data set's file.

    Raises
    ------
    UserError
        The file cannot be read, is broken, or lacks a column.
    """
    ending = next((ending for ending in _READERS if path.name.endswith(ending)), None)
    if ending is None:
        raise UserError(f"file {path}: cannot tell its format; name it {', '.join(_READERS)}")
    opened = gzip.open if ending.endswith(".gz") else open
    try:
        with opened(path, "rt", encoding="utf-8-sig", newline="") as stream:
            raw = _READERS[ending](stream, f"file {path}")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise UserError(f"file {path}: cannot be read: {error}") from error
    return build(spec, raw)


def read_csv(stream: TextIO, origin: str) -> Raw:
    """Read comma-separated text with a header line; every cell stays text.

    Raises
    ------
    UserError
        There is no header, or a row has more or fewer cells than the header.
    """
    reader = csv.reader(stream, skipinitialspace=True, strict=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    try:
        header = [name.strip() for name in next(reader, [])]
        if not header:
            raise UserError(f"{origin}: is empty; it should begin with a line of column names")
        for row in reader:
            if row and len(row) != len(header):
                raise UserError(
                    f"{origin}, line {reader.line_num}: {len(row)} cells,"
                    f" but the header names {len(header)} columns"
                )
            if row:
                rows.append(row)
                lines.append(reader.line_num)
    except csv.Error as error:
        raise UserError(f"{origin}, line {reader.line_num}: {error}") from error
    return Raw(header, rows, origin, lines)


def read_arff(stream: TextIO, origin: str) -> Raw:
    """Read dense ARFF text.

    Raises
    ------
    UserError
        The text is not ARFF, or a value is not of its attribute's declared type.
    """
    import arff

    try:
        content = arff.load(_INTEGER.sub(r"\1 REAL", stream.read()))
    except arff.ArffException as error:
        # The exceptions' own text can fail to format; class and line say as much.
        kind = type(error).__name__
        raise UserError(f"{origin}, line {error.line}: not readable as ARFF ({kind})") from error
    columns = [name.strip() for name, _ in content["attributes"]]
    return Raw(columns, content["data"], origin)


# The reader would cut decimals off in columns declared as integers.
_INTEGER = re.compile(r"^(\s*@attribute\s+.*\S)\s+integer\s*$", re.IGNORECASE | re.MULTILINE)

_READERS: dict[str, Callable[[TextIO, str], Raw]] = {
    ".arff": read_arff,
    ".csv": read_csv,
    ".arff.gz": read_arff,
    ".csv.gz": read_csv,
}
