"""Formulas in workbooks that no program has computed yet, so that their cells hold no value."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

if TYPE_CHECKING:
    from openpyxl import Workbook

_FORMULA = re.compile(rb"<(\w+:)?f[ >/]")
_TO_COMPUTE = re.compile(rb"""fullCalcOnLoad=["'](1|true)["']""")


def opened(content: bytes, *, values: bool) -> Workbook:
    """Open a workbook to be read row by row: the values of formulas, or the formulas themselves."""
    import openpyxl

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of styles and the like, which are not read
        return openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=values)


def without_value(content: bytes, sheet: str, names: Sequence[str], first: int) -> dict[str, str]:
    """Columns of a sheet with formulas that were never computed, each with the first such cell.

    They have no value, or all are zero in a workbook that asks to be computed when it is opened,
    as some programs write them.

    Parameters
    ----------
    content, sheet
        The workbook, and the sheet's name.
    names, first
        Names of the columns, and number of the sheet's row from which on cells are data.
    """
    with ZipFile(io.BytesIO(content)) as parts:
        sheets = [name for name in parts.namelist() if name.startswith("xl/worksheets/")]
        if not any(_FORMULA.search(parts.read(name)) for name in sheets):
            return {}
        asks = _TO_COMPUTE.search(parts.read("xl/workbook.xml")) is not None
    empty: dict[str, str] = {}
    zero: dict[str, str] = {}
    computed: set[str] = set()
    for value, formula in _cells(content, sheet, first):
        if formula.data_type != "f" or formula.column > len(names):
            continue
        name = names[formula.column - 1]
        if value.value is None and value.data_type != "str":  # a text without letters is a value
            empty.setdefault(name, formula.coordinate)
        elif value.value == 0:
            zero.setdefault(name, formula.coordinate)
        else:
            computed.add(name)
    return {**{name: zero[name] for name in zero if asks and name not in computed}, **empty}


def _cells(content: bytes, sheet: str, first: int) -> Iterator[tuple[Any, Any]]:
    """The cells of a sheet from a row on, each with its value and with its formula."""
    books = [opened(content, values=values) for values in (True, False)]
    for book in books:
        book[sheet].reset_dimensions()  # what a file says of its size may be wrong
    rows = zip(*(book[sheet].iter_rows(min_row=first) for book in books), strict=True)
    for values, formulas in rows:
        yield from zip(values, formulas, strict=True)
    for book in books:
        book.close()
