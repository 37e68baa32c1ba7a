"""Rows of a text or a sheet that are none of its table: names once more, units, totals, footnotes.

Only what is surely none is left out; what may be a row of data stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.arrays import BoolArray, IntArray
from gdcurves.datasets.columns.cells import is_missing
from gdcurves.datasets.raw import title
from gdcurves.datasets.written import spelling, writings
from gdcurves.words import counted, listed

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.datasets.raw import Cells

MOST_SHOWN = 3
MOST_ABOVE, MOST_BELOW = 3, 50
"""Rows above and below the data that are looked at."""

NAMES, DASHES, ABOVE, TOTALS, NOTES, EMPTY = (
    "repeating the column names",
    "of dashes",
    "of texts above the numbers, such as units",
    "of totals",
    "of notes below the table",
    "empty beside them",
)

_RULE = re.compile(r"[-=_+|:\s\u2013\u2014\u2500\u2501]*")
_LONG = re.compile(r"-{3}|={3}|_{3}|\u2014{3}|\u2500{3}|\u2501{3}")
_LETTER = re.compile(r"[^\W\d_]")

# What sums and means of a table are called, without case and stops; the others may be names.
_TOTALS = frozenset(
    {
        *("total", "totals", "grand total", "subtotal", "sub-total", "sum", "sums", "mean"),
        *("means", "average", "averages", "overall total", "column total", "all rows"),
        *("summe", "gesamt", "gesamtsumme", "insgesamt", "mittelwert", "durchschnitt", "mittel"),
        *("somme", "moyenne", "total g\u00e9n\u00e9ral", "suma", "promedio", "totale", "somma"),
        *("totaal", "gemiddelde", "summa", "medelv\u00e4rde", "gennemsnit", "gjennomsnitt"),
    }
)
_BESIDE_TOTALS = frozenset(
    {
        *("min", "max", "minimum", "maximum", "median", "count", "n", "sd", "std", "std dev"),
        *("stdev", "std. dev", "standard deviation", "variance", "var", "range", "se", "sem"),
        *("25%", "50%", "75%", "q1", "q3", "anzahl", "standardabweichung", "m\u00e9diane"),
        *("\u00e9cart-type", "media", "m\u00e9dia", "average:", "top", "freq", "unique"),
    }
)


@dataclass(frozen=True)
class Extra:
    """Rows that are no data, each by its number with what it is.

    Attributes
    ----------
    rows
        What each is, one of `NAMES`, `DASHES` and so on, by its number.
    shown
        The text of it that a note shows, by its number; of those that have one.
    names
        Texts of the first row above the numbers.
    """

    rows: Mapping[int, str]
    shown: Mapping[int, str]
    names: tuple[str, ...] = ()

    def kept(self, n_rows: int) -> IntArray:
        """Numbers of the other rows, of `n_rows` in all, shape (n,)."""
        return np.delete(np.arange(n_rows), [*self.rows])

    def note(self, origin: str, location: Callable[[int], str]) -> str:
        """Say which rows are left out, and why; `location` tells where one stands."""
        parts = []
        for why in dict.fromkeys(self.rows.values()):
            rows = [row for row, each in self.rows.items() if each == why]
            places = [
                f"{location(row)}{f', {self.shown[row]!r}' if row in self.shown else ''}"
                for row in rows[:MOST_SHOWN]
            ]
            more = len(rows) - len(places)
            named = "; ".join([*places, *[f"{more} more"] * bool(more)])
            parts.append(f"{len(rows)} {why} ({named})")
        return (
            f"{origin}: {counted(len(self.rows), 'row')} left out: {listed(parts)}; if one is a"
            " row of data, write it as the others are written"
        )

    def hint(self, location: Callable[[int], str]) -> str:
        """Say that texts above the numbers may be the column names, if there are some."""
        if not self.names:
            return ""
        shown = ", ".join(map(repr, self.names[:MOST_SHOWN]))
        place = location(next(row for row, why in self.rows.items() if why == ABOVE))
        return (
            f"; or are the names in {place}, such as {shown}? Then take out what stands above them"
        )


def rows(titles: Sequence[str], columns: Sequence[Cells], missing: Collection[str]) -> Extra | None:
    """Tell which rows are no data; None where all are.

    Parameters
    ----------
    titles, columns
        Of all columns: titles, and cells (n,).
    missing
        Texts of missing values.
    """
    seen = _Seen(columns, missing)
    found: dict[int, str] = dict.fromkeys(_names(titles, seen), NAMES)
    found |= dict.fromkeys(_dashes(seen), DASHES)
    shown: dict[int, str] = {}
    for row in _above(seen):
        if row not in found:
            found[row] = ABOVE
            shown[row] = next(iter(seen.filled(row).values()))
    for row, why in _below(seen, found):
        found[row] = why
        if why != EMPTY:
            shown[row] = next(iter(seen.filled(row).values()))
    if not found or len(found) == seen.n_rows:
        return None
    first = next((row for row, why in found.items() if why == ABOVE), None)
    names = () if first is None else tuple(seen.filled(first).values())
    return Extra(dict(sorted(found.items())), shown, names)


class _Seen:
    """Cells as they are read: numbers, texts, and those without a value.

    A column of numbers and one of the texts that are these numbers look the same.
    """

    def __init__(self, columns: Sequence[Cells], missing: Collection[str]) -> None:
        self.columns = columns
        self.missing = missing
        self.n_rows = len(columns[0])

    def filled(self, row: int) -> dict[int, str]:
        """The texts of the cells of a row that hold a value, by the number of the column."""
        return {
            number: text
            for number, column in enumerate(self.columns)
            if (text := self._text(column, row)) is not None
        }

    def _text(self, column: Cells, row: int) -> str | None:
        if isinstance(column, np.ndarray):
            return None if np.isnan(column[row]) else repr(float(column[row]))
        cell = column[row]
        return None if is_missing(cell, self.missing) else str(cell).strip()

    def n_same(self, number: int, row: int) -> int:
        """In how many rows a column of texts has the text of this row."""
        column = self.columns[number]
        assert not isinstance(column, np.ndarray), "a text stands in this row"
        own = str(column[row]).strip()
        alike = [code for code, text in enumerate(column.categories) if text.strip() == own]
        return int(np.isin(column.codes, alike).sum())

    def numbers_but(self, number: int, n_first: int) -> bool:
        """Whether a column holds numbers from some row on, and nothing else, as written or not."""
        column = self.columns[number]
        if isinstance(column, np.ndarray):
            return bool((~np.isnan(column[n_first:])).any())
        used = np.unique(column.codes[n_first:])
        texts = (column.categories[code] for code in used if code >= 0)
        given = [text for text in texts if not is_missing(text, self.missing)]
        return any(map(is_number, given)) and all(
            is_number(text) or text.strip() in spelling.MISSING for text in given
        )


def is_number(text: str) -> bool:
    """Whether a text is a number in some way of writing."""
    value = spelling.number(text)
    return value == value or writings.is_amount(text)


def is_rule(text: str) -> bool:
    """Whether a text draws a line: "-----", "---+---"."""
    return _RULE.fullmatch(text) is not None and _LONG.search(text) is not None


def is_note(text: str) -> bool:
    """Whether a text may be a footnote: it has a letter, and is no number and no missing one."""
    text = text.strip()
    return bool(_LETTER.search(text)) and not is_number(text) and text not in spelling.MISSING


def _names(titles: Sequence[str], seen: _Seen) -> list[int]:
    """Rows that repeat the header; in half of the columns no other row has its title."""
    columns: list[pd.Categorical] = []
    for name, column in zip(titles, seen.columns, strict=True):
        if isinstance(column, np.ndarray) or not name or is_number(name):
            return []
        columns.append(column)
    if len(columns) < 2:
        return []
    same: BoolArray = np.ones(seen.n_rows, dtype=bool)
    alike = []
    for number in sorted(range(len(columns)), key=lambda i: len(columns[i].categories)):
        column = columns[number]
        codes = [i for i, text in enumerate(column.categories) if title(text) == titles[number]]
        alike.append(np.isin(column.codes, codes))
        same &= alike[-1]
        if not same.any():
            return []
    alone = sum(bool((each == same).all()) for each in alike)
    return np.flatnonzero(same).tolist() if 2 * alone >= len(columns) else []


def _dashes(seen: _Seen) -> Iterator[int]:
    """Rows of nothing but lines that are drawn, from the first column on."""
    first = seen.columns[0]
    if isinstance(first, np.ndarray):
        return
    codes = [code for code, text in enumerate(first.categories) if is_rule(text)]
    for row in np.flatnonzero(np.isin(first.codes, codes)).tolist() if codes else ():
        if all(map(_RULE.fullmatch, seen.filled(row).values())):
            yield row


def _above(seen: _Seen) -> range:
    """Rows of texts above columns most of which hold numbers: units, labels, second names.

    In the other columns, these texts are nowhere again.
    """
    for n in range(min(MOST_ABOVE, seen.n_rows - 2), 0, -1):
        if _are_above(seen, n):
            return range(n)
    return range(0)


def _are_above(seen: _Seen, n: int) -> bool:
    filled = [seen.filled(row) for row in range(n)]
    texts = (text for row in filled for text in row.values())
    if not all(filled) or not all(is_note(text) or _is_sign(text) for text in texts):
        return False
    numbers = {i for i in range(len(seen.columns)) if seen.numbers_but(i, n)}
    if 2 * len(numbers) < len(seen.columns):
        return False
    if not all(2 * len(numbers & {*row}) >= len(numbers) for row in filled):
        return False
    others = ((i, r) for r, row in enumerate(filled) for i in {*row} - numbers)
    return all(seen.n_same(i, r) == 1 for i, r in others)


def _is_sign(text: str) -> bool:
    """Whether a text is a unit without a letter: "%", "$", "(-)"."""
    return not re.search("[0-9]", text) and text not in spelling.MISSING


def _below(seen: _Seen, found: Collection[int]) -> Iterator[tuple[int, str]]:
    """Rows at the end that are no data: totals and notes, and empty ones beside these."""
    below: dict[int, str] = {}
    called: dict[int, str] = {}
    for row in range(seen.n_rows - 1, max(-1, seen.n_rows - 1 - MOST_BELOW), -1):
        filled = seen.filled(row)
        if not filled:
            below[row] = EMPTY
        elif row in found:
            continue
        elif _is_footnote(seen, row, filled):
            below[row] = NOTES
        elif (name := _total(seen, row, filled)) is not None:
            below[row], called[row] = TOTALS, name
        else:
            break
    if not _TOTALS & {*called.values()} and len({*called.values()}) < 2:
        below = {row: why for row, why in below.items() if row > max(called, default=-1)}
    if {*below.values()} - {EMPTY}:
        yield from below.items()


def _is_footnote(seen: _Seen, row: int, filled: Mapping[int, str]) -> bool:
    """Whether a row has one text alone, such as no other row of the column has."""
    if len(filled) != 1:
        return False
    ((number, text),) = filled.items()
    long = len(seen.columns) > 2 or " " in text
    return long and is_note(text) and seen.n_same(number, row) == 1


def _total(seen: _Seen, row: int, filled: Mapping[int, str]) -> str | None:
    """What a row of numbers is called that is a sum, a mean or the like; None for others."""
    number, *others = filled
    name = filled[number].casefold().strip(" .:")
    known = name in _TOTALS or name in _BESIDE_TOTALS
    if number > 1 or not others or not known or not all(is_number(filled[i]) for i in others):
        return None
    return name if seen.n_same(number, row) == 1 else None
