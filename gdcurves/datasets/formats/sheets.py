"""Sheets of Excel's workbooks, .xlsx."""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Collection, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

from gdcurves.datasets.formats import extra
from gdcurves.datasets.formats.above import about, filled, n_above
from gdcurves.datasets.formats.formulas import opened, without_value
from gdcurves.datasets.formats.titles import headless, looks_like_a_row, nameless_columns
from gdcurves.datasets.raw import Raw, check_rows, collect, named, no_header, title, unnamed
from gdcurves.errors import MisfitError, UserError
from gdcurves.words import counted, suggest

if TYPE_CHECKING:
    from openpyxl import Workbook

    from gdcurves.datasets.raw import Cells

MOST_NAMED = 5  # merged cells
_UNLIKE = re.compile(rb"mergeCell|<(\w+:)?row\b[^>]*\bhidden=")
Row = tuple[int, list[object]]
"""Number of a row in its sheet, and its cells."""


def read(
    content: bytes,
    origin: str,
    missing: Collection[str],
    sheet: str | None = None,
    has_header: bool = True,
) -> Raw:
    """Read a sheet of a workbook, the first that is not hidden unless one is named.

    Formulas have their last values.

    The first row that is not empty names the columns, but for titles above these, if there is a
    header; empty rows are none. Dates become texts. A column with formulas that were never computed
    is broken.

    Raises
    ------
    UserError
        The content is no workbook or its sheet no table, openpyxl is not installed, or there is no
        such sheet.
    """
    book = _opened(content, origin)
    known = [each.title for each in book.worksheets]  # but for charts
    shown = [each for each in known if book[each].sheet_state == "visible"]
    name = (shown or known)[0] if sheet is None else sheet
    if name not in known:
        raise MisfitError(f"{origin}: no sheet {name!r}; {suggest(name, known)}", "sheet")
    others = [each for each in known if each != name]
    if others or sheet is not None:
        origin = f"{origin}, sheet {name!r}"
    rows = list(_rows(book[name], origin))
    book.close()
    if not rows:
        raise UserError(
            f"{origin}: is empty; it should begin with a row of column names"
            + (f"; for another sheet: --sheet {others[0]!r}" if others else "")
        )
    width = max(len(cells) for _, cells in rows)
    n_titles = n_above([cells for _, cells in rows], width) if has_header else 0
    if not has_header:
        rows.insert(0, (rows[0][0] - 1, [*unnamed(width)]))
    (top, header), *data = [(number, filled(cells, width)) for number, cells in rows[n_titles:]]
    titles = ["" if cell is None else title(str(cell)) for cell in header]
    names = named(titles, origin)
    if not data and others:
        raise MisfitError(
            f"{origin}: holds one row only; for another sheet: --sheet {others[0]!r}", "sheet"
        )
    broken = {
        column: _uncomputed(cell, column, origin)
        for column, cell in _formulas(content, name, names, top + 1, origin).items()
    }
    if not data and broken:
        raise next(iter(broken.values()))
    check_rows(len(data), origin)
    columns = _columns(data)
    notes: list[str] = []
    hint = ""
    if (left_out := extra.rows(titles, columns, missing)) is not None:
        location = partial(_place, [number for number, _ in data])
        left_out.check(origin, location)
        notes.extend(left_out.notes(origin, location))
        hint = left_out.hint(location)
        if left_out.rows:
            data = [data[row] for row in left_out.kept(len(data)).tolist()]
            columns = _columns(data)
    notes += [
        *_about_sheets(name, shown, sheet, origin),
        *_about_titles(rows[:n_titles], origin),
        *_shown_otherwise(content, name, origin, top),
    ]
    are_a_row = has_header and looks_like_a_row(titles, columns, missing)
    if are_a_row:
        notes.append(headless(origin, "row", titles))
        hint = no_header(names, headless=True)
    dropped, nameless = nameless_columns(titles, columns, names, missing, are_a_row)
    broken = {name: UserError(f"{origin}: {said}") for name, said in nameless.items()} | broken
    return Raw(
        dict(zip(names, columns, strict=True)),
        origin,
        partial(_place, [number for number, _ in data]),
        notes=tuple(notes),
        dropped=dropped,
        broken=broken,
        hint=hint or "".join(f"; {said}" for said in [*nameless.values()][:1]),
    )


def _columns(data: Sequence[Row]) -> list[Cells]:
    return [collect(column) for column in zip(*(cells for _, cells in data), strict=True)]


def _place(numbers: Sequence[int], row: int) -> str:
    """Say where a row stands in its sheet, from the numbers of all."""
    return f"row {numbers[row]}"


def _opened(content: bytes, origin: str) -> Workbook:
    try:
        book = opened(content, values=True)
        book.worksheets[0]  # a broken file may have none
        return book
    except ImportError as error:
        raise UserError(
            f"{origin}: reading .xlsx needs openpyxl; pip install 'gdcurves[xlsx]', or save the"
            " sheet as CSV"
        ) from error
    except Exception as error:  # its parts raise what they like on broken files
        raise UserError(
            f"{origin}: not readable as .xlsx; open it and save it as .xlsx without a password, or"
            " as CSV"
        ) from error


def _rows(sheet: Any, origin: str) -> Iterator[Row]:
    """Rows with some value, without the empty cells at their ends."""
    try:
        sheet.reset_dimensions()  # what a file says of its size may be wrong
        for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
            row = [_value(cell) for cell in cells]
            while row and row[-1] is None:
                row.pop()
            if row:
                yield number, row
    except Exception as error:  # as above
        raise UserError(
            f"{origin}: not readable as .xlsx ({type(error).__name__}); open it and save it once"
            " more, or as CSV"
        ) from error


def _about_sheets(
    name: str, shown: Sequence[str], wanted: str | None, origin: str
) -> Iterator[str]:
    others = [each for each in shown if each != name]
    if others and wanted is None:
        yield (
            f"{origin}: the first of {len(shown)} sheets; for another:"
            f" {' or '.join(f'--sheet {shlex.quote(each)}' for each in others[:MOST_NAMED])}"
        )


def _about_titles(rows: Sequence[Row], origin: str) -> Iterator[str]:
    if rows:
        text = next(cell for cell in rows[0][1] if cell is not None)
        yield about([number for number, _ in rows], "row", text, origin)


def _formulas(
    content: bytes, sheet: str, names: Sequence[str], first: int, origin: str
) -> dict[str, str]:
    try:
        return without_value(content, sheet, names, first)
    except Exception as error:  # as above
        raise UserError(
            f"{origin}: its formulas are not readable ({type(error).__name__}); save the sheet as"
            " CSV"
        ) from error


def _uncomputed(cell: str, column: str, origin: str) -> UserError:
    return UserError(
        f"{origin}, column {column!r}: the formula in {cell} was never computed, so that there is"
        " no value; open the workbook in a spreadsheet program and save it"
    )


def _may_differ(content: bytes) -> bool:
    """Tell at a glance whether some sheet may have merged cells or hidden rows; mostly none has."""
    try:
        with ZipFile(io.BytesIO(content)) as parts:
            sheets = [name for name in parts.namelist() if name.startswith("xl/worksheets/")]
            return any(_UNLIKE.search(parts.read(name)) is not None for name in sheets)
    except Exception:  # as above; openpyxl reads more of a broken file
        return True


def _shown_otherwise(content: bytes, name: str, origin: str, top: int) -> Iterator[str]:
    """Say which cells of a sheet, from a row on, are merged, and how many rows are hidden.

    All but the first of merged cells are empty.
    """
    import openpyxl

    if not _may_differ(content):
        return
    # What is read row by row does not tell; all at once takes several times as long.
    sheet = openpyxl.load_workbook(io.BytesIO(content), data_only=True)[name]
    ranges = [str(each) for each in sheet.merged_cells.ranges if each.max_row >= top]
    if ranges:
        named = ", ".join(ranges[:MOST_NAMED])
        yield (
            f"{origin}: cells are merged, of which the first alone has a value, the others are"
            f" missing: {named}{', ...' * (len(ranges) > MOST_NAMED)}; take them apart if they are"
            " data"
        )
    last = sheet.max_row
    hidden = [n for n, row in sheet.row_dimensions.items() if row.hidden and top < n <= last]
    if hidden:
        verb = "is" if len(hidden) == 1 else "are"
        yield (
            f"{origin}: {counted(len(hidden), 'row')} that {verb} hidden, as by a filter,"
            f" {verb} used too, the first of them row {min(hidden)}; to leave them out, copy what"
            " is shown into a sheet of its own"
        )


def _value(cell: object) -> object:
    """A cell as it is written: truth values as Excel has them, dates without a time of 0:00."""
    match cell:
        case bool():
            return str(cell).upper()
        case datetime():
            return str(cell.date()) if cell.time() == time() else str(cell)
        case date() | time() | timedelta():
            return str(cell)
        case str():
            return cell if cell.strip() else None
    return cell
