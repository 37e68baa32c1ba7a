"""What folders named KEY=VALUE say of the parts of a table in them, as Hive lays them out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote

from gdcurves.datasets.columns.cells import is_missing
from gdcurves.datasets.written import spelling
from gdcurves.errors import UserError

_NOTHING = "__HIVE_DEFAULT_PARTITION__"


def of(name: str) -> Iterator[tuple[str, str | None]]:
    """Keys and values of the folders around a part of this name; None for a missing value.

    Signs that have no place in names of folders are written as in addresses: %20 is a blank.
    """
    for folder in Path(name).parts[:-1]:
        key, equals, value = folder.partition("=")
        if equals:
            yield unquote(key).strip(), None if value == _NOTHING else unquote(value)


def check(key: str, value: str | None, cells: Iterable[object], part: str) -> None:
    """Refuse a column that a part has itself, if its cells say otherwise than its folder.

    Parameters
    ----------
    key, value
        What the folder says.
    cells
        The different cells of the column.
    part
        What the part is called.
    """
    for cell in cells:
        if not _is_same(cell, value):
            said = "nothing" if is_missing(cell) else repr(str(cell))
            raise UserError(
                f"{part}: its folder says that {key!r} is {value!r}, and its column of this name"
                f" holds {said}; rename one of them, or take one out"
            )


def _is_same(cell: object, value: str | None) -> bool:
    """Whether a cell is the value of a folder, in whatever way it is written."""
    if value is None or is_missing(cell):
        return value is None and is_missing(cell)
    text = str(cell).strip()
    if isinstance(cell, bool):
        return text.casefold() == value.casefold()
    return (
        text == value or spelling.number(text) == spelling.number(value) or _same_time(text, value)
    )


def _same_time(text: str, value: str) -> bool:
    try:
        return datetime.fromisoformat(text) == datetime.fromisoformat(value)
    except (TypeError, ValueError):  # the first: only one of them says how far from Greenwich
        return False
