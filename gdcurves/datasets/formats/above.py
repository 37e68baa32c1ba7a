"""Titles, dates and the like that stand above the column names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from gdcurves.datasets.formats import records
from gdcurves.datasets.formats.quotes import MARK, Content, whole
from gdcurves.datasets.formats.seen import is_number
from gdcurves.errors import UserError

_FIRST = 100  # rows that show where the table begins


def n_above(rows: Sequence[Sequence[object]], width: int) -> int:
    """Number of rows above the column names: a half of their cells is filled at most.

    Names are texts in all cells of a row, but perhaps the first, of which most are nowhere again in
    their columns, as y may be both a name and a label. Rows have cells up to the last that is not
    None, of `width` columns. A row above with fewer cells may be filled, where most columns below
    the names hold numbers.
    """
    is_sure = True
    for number, cells in enumerate(rows):
        names = [*cells[1:], *cells[:1]] if cells and cells[0] is not None else cells[1:]
        if len(cells) == width and width > 1 and all(isinstance(cell, str) for cell in names):
            below = zip(*(filled(each, width)[:width] for each in rows[number + 1 :]), strict=True)
            columns = [*below]
            pairs = zip(cells, columns, strict=False)
            again = sum(cell in column for cell, column in pairs if cell)
            if 2 * again > width or len({*names}) < len(names):
                return 0
            return number if is_sure or 2 * sum(map(_are_numbers, columns)) >= width else 0
        if _is_filled(cells, width):
            if len(cells) == width or 2 * sum(isinstance(cell, str) for cell in cells) < len(cells):
                return 0
            is_sure = False
    return 0


def _are_numbers(cells: Sequence[object]) -> bool:
    """Whether all cells that hold a value are numbers, as written or not, and some do."""
    given = [cell for cell in cells if cell is not None]
    return bool(given) and not any(isinstance(each, str) and not is_number(each) for each in given)


def filled(cells: Sequence[object], width: int) -> list[object]:
    """The cells, and None for those that are missing at the end."""
    return [*cells, *[None] * (width - len(cells))]


def about(numbers: Sequence[int], unit: str, text: object, origin: str) -> str:
    """Say which rows or lines, whatever the unit, are left out, the first of which holds `text`."""
    return (
        f"{origin}: {unit}{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))} above the"
        f" column names left out, such as {str(text)!r}; if that is data, write column names into"
        f" the first {unit}"
    )


def without(content: Content, origin: str, separators: str) -> tuple[Content, tuple[str, ...]]:
    """Delimited text without what stands above its header, and the note that says so.

    Line ends stay, so that lines keep their numbers. One of the separators separates cells.
    """
    trimmed: tuple[Content, tuple[str, ...]] = content, ()
    for separator in separators:
        try:
            first = list(islice(records.records(content, origin, separator), _FIRST))
        except UserError:  # it is said once the separator is known
            continue
        if not first:
            continue
        rows = [list(_cells(row)) for _, row in first]
        usual = Counter(len(row) for _, row in first).most_common(1)[0][0]
        width = min(usual, max(map(len, rows)))  # all may end with an empty cell
        n = n_above(rows, width)
        if n == 0 and width > 1 and _is_filled(rows[0], width):
            return content, ()  # it is the header, by this separator
        numbers = [line for (line, _), row in zip(first[:n], rows, strict=False) if row]
        if numbers:
            n_lines = first[n - 1][0]
            text = "".join(islice(records.lines(content, origin), n_lines))
            rest = whole(content).removeprefix(MARK)[len(text.encode()) :]
            title = next(cell.strip() for _, row in first for cell in row if cell.strip())
            trimmed = b"\n" * n_lines + rest, (about(numbers, "line", title, origin),)
    return trimmed


def _is_filled(cells: Sequence[object], width: int) -> bool:
    """Whether more cells have something in them than titles would."""
    return sum(cell is not None for cell in cells) > max(1, width // 2)


def _cells(row: Sequence[str]) -> Iterator[object]:
    """Cells up to the last that is filled: None where there is none, numbers as such."""
    given = [cell.strip() for cell in row]
    while given and not given[-1]:
        given.pop()
    for cell in given:
        try:
            yield float(cell) if cell else None
        except ValueError:
            yield cell
