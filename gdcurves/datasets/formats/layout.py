"""Where the table of a delimited text begins, what separates cells, and which have no name."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from gdcurves.datasets.formats import above, blanks, foreign, records
from gdcurves.datasets.formats.quotes import MARK, Content, whole
from gdcurves.datasets.raw import unnamed

_FIRST = 100  # lines that show what separates
_RARE = "^~:!#@=*&/\\`" + "".join(map(chr, [*range(1, 9), 11, 12, *range(14, 32)]))
_SEP = re.compile(r'"?sep=([,;\t|])"?(?=\r|\n|$)', re.IGNORECASE)  # Excel's word on it


@dataclass(frozen=True)
class Layout:
    """Delimited text of which the header names all columns.

    Attributes
    ----------
    content
        The text with one character between cells, without what stands above the header, and with
        an empty name in place of each that the header lacks.
    separator
        That character.
    unnamed
        Whether the header lacked a name for the first cells.
    notes
        What was left out.
    names
        Those of the columns, where there is no header.
    blanks
        Whether blanks stood between cells.
    """

    content: Content
    separator: str
    unnamed: bool
    notes: tuple[str, ...]
    names: tuple[str, ...] = ()
    blanks: bool = False


def layout(content: Content, origin: str, separators: str, has_header: bool = True) -> Layout:
    """See where the table begins and what separates cells; raises UserError for an empty text.

    Without a header it begins with the first line, and each row has as many cells as that.
    """
    first = _first_lines(content, origin)
    foreign.check(first[0] if first else "", origin)
    sep_line = _SEP.match(first[0]) if first else None
    notes: tuple[str, ...] = ()
    if sep_line is None and has_header:
        content, notes = above.without(content, origin, separators)
    if notes:
        first = _first_lines(content, origin)
    if sep_line is not None:
        content = whole(content).removeprefix(MARK)[sep_line.end() :]  # but for the end of its line
        del first[0]
    if not first:
        raise records.empty(origin)
    separator = _separator(first, separators) if sep_line is None else sep_line[1]
    if separator is not None and separator in _RARE:
        notes += (f"{origin}: read with {separator!r} between cells, as every line has as many",)
    by_blanks = separator is None
    if separator is None:
        content, separator = blanks.tabbed(content), "\t"
        first = _tabbed(first)
    if not has_header:
        _, row = next(records.records(content, origin, separator))
        return Layout(content, separator, False, notes, unnamed(len(row)), by_blanks)
    lacks_name = separator != "," and _lacks_name(first, separator)
    if lacks_name:
        content = separator.encode() + whole(content).removeprefix(MARK)
    elif n_more := _n_empty_ends(first, separator) or -_n_empty_titles(first, separator):
        content = _with_header(content, origin, separator, n_more)
    return Layout(content, separator, lacks_name, notes, blanks=by_blanks)


def _first_lines(content: Content, origin: str) -> list[str]:
    """The first lines that are not blank."""
    return list(islice((line for line in records.lines(content, origin) if line.strip()), _FIRST))


def _tabbed(lines: Sequence[str]) -> list[str]:
    """Lines with a tab in place of the blanks between cells."""
    return blanks.tabbed("".join(lines).encode()).decode().splitlines(keepends=True)


def _fits(lines: Sequence[str], separator: str) -> bool:
    """Whether all lines have as many cells as the first, but for names of rows and empty names."""
    return _count(lines, separator) > 0 or _lacks_name(lines, separator)


def _separator(first: Sequence[str], separators: str) -> str | None:
    """The one of those in the header, outside quotes, by which the first rows have its columns.

    Where several do, that of most columns; a comma is the likeliest to be a part of names. None
    where blanks separate.
    """
    bare = re.sub('"[^"]*"', "", first[0])
    present = [each for each in separators if each in bare]
    if present == ["\t"] and not _fits(first, "\t") and _fits(_tabbed(first), "\t"):
        return None  # tabs among the blanks
    if not present:
        return None if blanks.separate(first[:2]) else _rare_separator(first) or ","
    if len(present) == 1:
        return present[0]
    counts = {each: _count(first, each) for each in sorted(present, key="\t;|,".index)}
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] else present[0]


def _rare_separator(first: Sequence[str]) -> str | None:
    """What else may separate: that of which all lines have as many; None for none."""
    bare = [re.sub('"[^"]*"', "", line) for line in first]
    counts = {
        sign: bare[0].count(sign)
        for sign in _RARE
        if len({line.count(sign) for line in bare}) == 1 and len(bare) > 1
    }
    best = max(counts, key=counts.__getitem__, default=",")
    return best if counts.get(best) else None


def _lacks_name(lines: Sequence[str], separator: str) -> bool:
    """Whether all lines have one cell more than the first, and not for an empty one at the end.

    Commas may be decimal ones, and show nothing.
    """
    header, rows = _header_and_rows(lines, separator)
    return (
        len(header) > 1
        and {len(row) for row in rows} == {len(header) + 1}
        and not _end_empty(rows, len(header), 1)
    )


def _n_empty_ends(lines: Sequence[str], separator: str) -> int:
    """How many cells more than the first line, mostly empty ones, all others end with."""
    header, rows = _header_and_rows(lines, separator)
    n_more = min((len(row) for row in rows), default=0) - len(header)
    return n_more if n_more > 0 and _end_empty(rows, len(header), n_more) else 0


def _n_empty_titles(lines: Sequence[str], separator: str) -> int:
    """How many empty names the first line ends with, where all others have no cells for them."""
    header, rows = _header_and_rows(lines, separator)
    n_less = len(header) - max((len(row) for row in rows), default=len(header))
    return n_less if n_less > 0 and _lack_cells(header, rows, n_less) else 0


def _lack_cells(header: Sequence[str], rows: Iterable[Sequence[str]], n_empty: int) -> bool:
    """Whether a header ends in so many empty names, and each row has so many cells less."""
    n_cells = len(header) - n_empty
    return not any(map(str.strip, header[n_cells:])) and all(len(row) == n_cells for row in rows)


def _end_empty(rows: Iterable[Sequence[str]], n_titles: int, n_empty: int) -> bool:
    """Whether in each row so many cells, mostly empty, follow those that the header names."""
    n_rows = n_filled = 0
    for row in rows:
        if len(row) != n_titles + n_empty:
            return False
        n_rows += 1
        n_filled += any(map(str.strip, row[n_titles:]))
    return 2 * n_filled < n_rows


def _with_header(content: Content, origin: str, separator: str, n_more: int) -> Content:
    """The text with so many more empty names at the end of its header, if rows end in empty cells.

    With fewer, if `n_more` is negative and no row has cells for them. Else the text as it is.
    """
    rows = records.records(content, origin, separator)
    last, titles = next(rows)
    cells = (row for _, row in rows)
    if n_more > 0:
        fits = _end_empty(cells, len(titles), n_more)
    else:
        fits = _lack_cells(titles, cells, -n_more)
    if not fits:
        return content
    named = "".join(islice(records.lines(content, origin), last)).rstrip("\r\n")
    rest = whole(content).removeprefix(MARK)[len(named.encode()) :]
    made = named + separator * n_more if n_more > 0 else named.rsplit(separator, -n_more)[0]
    return made.encode() + rest


def _count(lines: Sequence[str], separator: str) -> int:
    """How many cells each line has, 0 where they differ; the last may be a part of a row.

    Empty cells at the ends of all rows are not counted where the header has none there, nor those
    of the header where rows have none.
    """
    counts = [len(row) for row in _cells(lines, separator)]
    alike = len({*counts[: max(2, len(counts) - 1)]}) == 1
    ends = _n_empty_ends(lines, separator) or _n_empty_titles(lines, separator)
    return counts[0] if alike or ends else 0


def _header_and_rows(lines: Sequence[str], separator: str) -> tuple[list[str], list[list[str]]]:
    """Cells of the first line, and of the others but for the last, which may be a part of a row."""
    header, *rows = _cells(lines, separator) or [[]]
    return header, rows[: max(1, len(rows) - 1)]


def _cells(lines: Sequence[str], separator: str) -> list[list[str]]:
    """Cells of lines that are not empty; none where one cannot be read."""
    try:
        rows = csv.reader(lines, delimiter=separator, skipinitialspace=True)
        return [row for row in rows if row]
    except csv.Error:  # a cell that is too long
        return []
