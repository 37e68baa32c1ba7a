"""Rows of a text or a sheet that are none of its table: names once more, units, totals, footnotes.

Only what is surely none is left out; what may be a row of data stays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.arrays import BoolArray, IntArray
from gdcurves.datasets.formats.seen import (
    FEW_SURE,
    Seen,
    is_drawn,
    is_gap,
    is_note,
    is_number,
    is_rule,
    is_sign,
)
from gdcurves.datasets.raw import title
from gdcurves.datasets.written.totals import BESIDE, NAMES_OF_TOTALS
from gdcurves.datasets.written.whole import PROBE
from gdcurves.errors import UserError
from gdcurves.words import counted, listed

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.datasets.raw import Cells

MOST_SHOWN = 3
MOST_ABOVE, MOST_BELOW = 3, 50
"""Rows above and below the data that are looked at."""

NAMES, DASHES, ABOVE, SECOND, TOTALS, NOTES, EMPTY = (
    "repeating the column names",
    "of dashes",
    "of texts above the numbers, such as units",
    "of texts above the data that stand nowhere else, such as second names",
    "of totals",
    "of notes below the table",
    "empty beside them",
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
    doubtful
        Rows among the others that may be totals, as some within a table are, by their numbers with
        what each is called.
    alone
        Rows among the others of which the levels stand in no other row, by their numbers.
    moved
        Number of the first row that has the column names in another order, if one has.
    """

    rows: Mapping[int, str]
    shown: Mapping[int, str]
    names: tuple[str, ...] = ()
    doubtful: Mapping[int, str] = field(default_factory=dict)
    alone: Sequence[int] = ()
    moved: int | None = None

    def kept(self, n_rows: int) -> IntArray:
        """Numbers of the other rows, of `n_rows` in all, shape (n,)."""
        return np.delete(np.arange(n_rows), [*self.rows])

    def check(self, origin: str, location: Callable[[int], str]) -> None:
        """Refuse a table whose columns change places; raises UserError."""
        if self.moved is not None:
            raise UserError(
                f"{origin}, {location(self.moved)}: the column names once more, in another order,"
                " so that the rows below are of other columns; cut the table there into files of"
                " one folder, and name the folder"
            )

    def notes(self, origin: str, location: Callable[[int], str]) -> Iterator[str]:
        """Say which rows are left out, and why, and which may be; `location` tells where one is."""
        if self.rows:
            yield self._left_out(origin, location)
        if self.doubtful:
            row, text = next(iter(self.doubtful.items()))
            n = counted(len(self.doubtful), "row")
            yield (
                f"{origin}, {location(row)}: {text!r} and numbers beside it may be a total, in {n};"
                " take such rows out if they are none of data"
            )
        if self.alone:
            places = listed([location(row) for row in self.alone])
            whose, what = "its", "this is no row of data, take it out"
            if len(self.alone) > 1:
                whose, what = "their", "these are no rows of data, take them out"
            yield (
                f"{origin}, {places}: {whose} levels stand in no other row, as words of comments"
                f" and names of columns; if {what}"
            )

    def _left_out(self, origin: str, location: Callable[[int], str]) -> str:
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
            f"{', or further down' * (SECOND in self.rows.values())}"
        )

    def hint(self, location: Callable[[int], str]) -> str:
        """Say that texts above the numbers may be the column names, if there are some."""
        if not self.names:
            return ""
        shown = ", ".join(map(repr, self.names[:MOST_SHOWN]))
        where = location(next(row for row, why in self.rows.items() if why in (ABOVE, SECOND)))
        return (
            f"; or are the names in {where}, such as {shown}? Then take out what stands above them"
        )


def rows(titles: Sequence[str], columns: Sequence[Cells], missing: Collection[str]) -> Extra | None:
    """Tell which rows are no data, and which may be none; None where there are no such rows.

    Parameters
    ----------
    titles, columns
        Of all columns: titles, and cells (n,).
    missing
        Texts of missing values.
    """
    seen = Seen(columns, missing)
    left_out: dict[int, str] = dict.fromkeys(_names(titles, seen), NAMES)
    left_out |= dict.fromkeys(_dashes(seen), DASHES)
    shown: dict[int, str] = {}
    for row, why in _above(seen).items():
        if row not in left_out:
            left_out[row] = why
            shown[row] = next(iter(seen.filled(row).values()))
    for row, why in _below(seen, left_out):
        left_out[row] = why
        if why != EMPTY:
            shown[row] = next(iter(seen.filled(row).values()))
    if len(left_out) == seen.n_rows:
        return None
    doubtful = {row: text for row, text in _within(seen).items() if row not in left_out}
    moved = _moved(titles, seen)
    alone = [row for row in seen.alone() if row not in left_out]
    alone = alone if len(alone) <= MOST_SHOWN else []  # more are a sort of rows
    if not left_out and not doubtful and not alone and moved is None:
        return None
    first = next((row for row, why in left_out.items() if why in (ABOVE, SECOND)), None)
    names = () if first is None else tuple(seen.filled(first).values())
    return Extra(dict(sorted(left_out.items())), shown, names, doubtful, alone, moved)


def _names(titles: Sequence[str], seen: Seen) -> list[int]:
    """Rows that repeat the header, but for case; in half of the columns no other has its title."""
    columns = _all_texts(titles, seen)
    if len(columns) < 2:
        return []
    folded = [name.casefold() for name in titles]
    same: BoolArray = np.ones(seen.n_rows, dtype=bool)
    alike = []
    for number in sorted(range(len(columns)), key=lambda i: len(columns[i].categories)):
        column = columns[number]
        codes = [
            i
            for i, text in enumerate(column.categories)
            if title(text).casefold() == folded[number]
        ]
        alike.append(np.isin(column.codes, codes))
        same &= alike[-1]
        if not same.any():
            return []
    alone = sum(bool((each == same).all()) for each in alike)
    return np.flatnonzero(same).tolist() if 2 * alone >= len(columns) else []


def _all_texts(titles: Sequence[str], seen: Seen) -> list[pd.Categorical]:
    """The columns, if all hold texts, and all have names that are no numbers; else none."""
    columns: list[pd.Categorical] = []
    for name, column in zip(titles, seen.columns, strict=True):
        if isinstance(column, np.ndarray) or not name or is_number(name):
            return []
        columns.append(column)
    return columns


def _moved(titles: Sequence[str], seen: Seen) -> int | None:
    """The first row that has the names of all columns in another order; None for none.

    In half of the columns no row but such has what it has there.
    """
    columns = _all_texts(titles, seen)
    if len(columns) <= 2 or len({*titles}) < len(titles):
        return None
    may_be: BoolArray = np.ones(seen.n_rows, dtype=bool)
    for column in sorted(columns, key=lambda each: len(each.categories)):
        codes = [i for i, text in enumerate(column.categories) if title(text) in titles]
        may_be &= np.isin(column.codes, codes)
        if not may_be.any():
            return None
    rows = [
        row
        for row in np.flatnonzero(may_be).tolist()
        if {title(text) for text in seen.filled(row).values()} == {*titles}
        and [title(text) for text in seen.filled(row).values()] != [*titles]
    ]
    if not rows:
        return None
    alone = sum(seen.n_same(number, rows[0]) <= len(rows) for number in range(len(columns)))
    return rows[0] if 2 * alone >= len(columns) else None


def _dashes(seen: Seen) -> Iterator[int]:
    """Rows of nothing but lines that are drawn, from the first column on that holds something."""
    first = next((each for each in seen.columns if seen.holds_some(each)), seen.columns[0])
    if isinstance(first, np.ndarray):
        return
    codes = [code for code, text in enumerate(first.categories) if is_rule(text)]
    for row in np.flatnonzero(np.isin(first.codes, codes)).tolist() if codes else ():
        if all(map(is_drawn, seen.filled(row).values())):
            yield row


def _above(seen: Seen) -> dict[int, str]:
    """Rows of texts above the data, with what they are: units, labels, second names."""
    for n in range(min(MOST_ABOVE, seen.n_rows - 2), 0, -1):
        if (why := _are_above(seen, n)) is not None:
            return dict.fromkeys(range(n), why)
    return {}


def _are_above(seen: Seen, n: int) -> str | None:
    """What the first rows are, if no data: they are above columns most of which hold numbers.

    Or above numbers and levels each of which stands more than once below, of which rows below the
    first may have no more than few. In columns without numbers, their texts are nowhere again.
    """
    filled = [seen.filled(row) for row in range(n)]
    texts = (text for row in filled for text in row.values())
    if not all(filled) or not all(is_note(text) or is_sign(text) or is_gap(text) for text in texts):
        return None
    numbers = {i for i in range(len(seen.columns)) if seen.numbers_but(i, n)}
    for row in filled:
        said = [text for i, text in row.items() if i in numbers or not is_gap(text)]
        if not said or not all(is_note(text) or is_sign(text) for text in said):
            return None
    others = [(i, r) for r, row in enumerate(filled) for i in {*row} - numbers]
    others.sort(key=lambda each: seen.n_texts(each[0]))
    if any(seen.n_same(i, r) > 1 for i, r in others):
        return None
    are_over = [2 * len(numbers & {*row}) >= len(numbers) for row in filled]
    if all(are_over) and 2 * len(numbers) >= len(seen.columns):
        return ABOVE
    sure = numbers | {i for i in range(len(seen.columns)) if seen.repeats_but(i, n)}
    if not are_over[0] or len(sure) < FEW_SURE or 2 * len(sure) < len(seen.columns):
        return None
    first = {*filled[0]}
    return SECOND if 2 * len(sure & first) >= len(sure) or first <= numbers else None


def _below(seen: Seen, left_out: Collection[int]) -> Iterator[tuple[int, str]]:
    """Rows at the end that are no data: totals and notes, and empty ones beside these."""
    below: dict[int, str] = {}
    called: dict[int, str] = {}
    for row in range(seen.n_rows - 1, max(-1, seen.n_rows - 1 - MOST_BELOW), -1):
        filled = seen.filled(row)
        if not filled:
            below[row] = EMPTY
        elif row in left_out:
            continue
        elif _is_footnote(seen, row, filled):
            below[row] = NOTES
        elif (name := _total(seen, row, filled)) is not None:
            below[row], called[row] = TOTALS, name
        else:
            break
    if not NAMES_OF_TOTALS & {*called.values()} and len({*called.values()}) < 2:
        below = {row: why for row, why in below.items() if row > max(called, default=-1)}
    if {*below.values()} - {EMPTY}:
        yield from below.items()


def _within(seen: Seen) -> dict[int, str]:
    """Rows of numbers that are called as totals are, each with that; none of a level of data."""
    first = seen.columns[0]
    if isinstance(first, np.ndarray) or len(first.categories) > PROBE:
        return {}
    totals: dict[int, str] = {}
    for code, text in enumerate(first.categories):
        if _called(text) not in NAMES_OF_TOTALS:
            continue
        rows = np.flatnonzero(first.codes == code).tolist()
        if all(_are_numbers(seen.filled(row)) for row in rows[:MOST_BELOW]):
            totals |= dict.fromkeys(rows, text.strip())
    return totals


def _called(text: str) -> str:
    return text.casefold().strip(" .:")


def _are_numbers(filled: Mapping[int, str]) -> bool:
    """Whether a row holds numbers behind its first cell, and nothing else."""
    others = [text for number, text in filled.items() if number]
    return bool(others) and all(map(is_number, others))


def _is_footnote(seen: Seen, row: int, filled: Mapping[int, str]) -> bool:
    """Whether a row has one text alone, such as no other row of the column has."""
    if len(filled) != 1:
        return False
    ((number, text),) = filled.items()
    long = len(seen.columns) > 2 or " " in text
    return long and is_note(text) and seen.n_same(number, row) == 1


def _total(seen: Seen, row: int, filled: Mapping[int, str]) -> str | None:
    """What a row of numbers is called that is a sum, a mean or the like; None for others."""
    number, *others = filled
    name = _called(filled[number])
    known = name in NAMES_OF_TOTALS or name in BESIDE
    if number > 1 or not others or not known or not all(is_number(filled[i]) for i in others):
        return None
    return name if seen.n_same(number, row) == 1 else None
