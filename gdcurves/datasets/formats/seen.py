"""Cells of a source as they are read, and what their texts look like."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.arrays import BoolArray
from gdcurves.datasets.columns.cells import is_missing
from gdcurves.datasets.written import forms, spelling, writings

if TYPE_CHECKING:
    from gdcurves.datasets.raw import Cells

_RULE = re.compile(r"[-=_+|:\s\u2013\u2014\u2500\u2501]*")
_LONG = re.compile(r"[-=_\u2014\u2500\u2501]{3}")
_LETTER = re.compile(r"[^\W\d_]")

MANY = 10
"""Rows in which texts do not all repeat by chance."""

FEW_SURE = 3
"""In fewer columns of levels, a text that stands nowhere else may do so by chance."""

OFTEN = 0.9
"""The part of the cells of a column of levels that other rows have too."""

TOO_LARGE = "1e999"  # a number that floats cannot hold, which no text "inf" is


class Seen:
    """Cells of columns, each (n,), as they are read: numbers, texts, and those without a value.

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
            value = float(column[row])
            if np.isnan(value):
                return None
            return repr(value) if np.isfinite(value) else TOO_LARGE
        cell = column[row]
        return None if is_missing(cell, self.missing) else str(cell).strip()

    def n_same(self, number: int, row: int) -> int:
        """In how many rows a column of texts has the text of this row."""
        column = self.columns[number]
        assert not isinstance(column, np.ndarray), "a text stands in this row"
        own = str(column[row]).strip()
        alike = [code for code, text in enumerate(column.categories) if text.strip() == own]
        return int(np.isin(column.codes, alike).sum())

    def n_texts(self, number: int) -> int:
        """How many different texts a column has."""
        column = self.columns[number]
        return 0 if isinstance(column, np.ndarray) else len(column.categories)

    def holds_some(self, column: Cells) -> bool:
        """Whether a column (n,) holds a value."""
        if isinstance(column, np.ndarray):
            return bool((~np.isnan(column)).any())
        used = np.unique(column.codes[column.codes >= 0])
        return any(not is_missing(column.categories[code], self.missing) for code in used)

    def numbers_but(self, number: int, n_first: int) -> bool:
        """Whether a column holds numbers from some row on, and nothing else but bounds of them."""
        column = self.columns[number]
        if isinstance(column, np.ndarray):
            return bool((~np.isnan(column[n_first:])).any())
        used = np.unique(column.codes[n_first:])
        texts = (column.categories[code] for code in used if code >= 0)
        given = [text for text in texts if not is_missing(text, self.missing)]
        return any(map(is_number, given)) and all(
            is_number(text) or text.strip() in spelling.MISSING or forms.are_bounds([text])[0]
            for text in given
        )

    def repeats_but(self, number: int, n_first: int) -> bool:
        """Whether a column holds texts from some row on, each more than once, in many rows."""
        column = self.columns[number]
        if isinstance(column, np.ndarray):
            return False
        codes = column.codes[n_first:]
        counts = np.bincount(codes[codes >= 0])
        return int(counts.sum()) >= MANY and int(counts[counts > 0].min()) > 1

    def alone(self) -> list[int]:
        """Rows in which all columns of levels have texts that no other row has."""
        rows: BoolArray = np.ones(self.n_rows, dtype=bool)
        n_levels = 0
        for column in self.columns:
            if isinstance(column, np.ndarray):
                continue
            known = column.codes >= 0
            counts = np.bincount(column.codes[known], minlength=1)
            again = int(counts[counts > 1].sum())
            usual = column.categories[int(counts.argmax())] if again else ""
            if again < max(MANY, OFTEN * known.sum()) or is_number(usual):
                continue
            n_levels += 1
            rows &= known & (counts[column.codes] == 1)
            if not rows.any():
                return []
        return np.flatnonzero(rows).tolist() if n_levels >= FEW_SURE else []


def is_number(text: str) -> bool:
    """Whether a text is a number in some way of writing."""
    value = spelling.number(text)
    return value == value or writings.is_amount(text)


def is_gap(text: str) -> bool:
    """Whether a text may stand for a missing value: "-", "NA"."""
    return text in spelling.MISSING


def is_rule(text: str) -> bool:
    """Whether a text draws a line: "-----", "---+---"."""
    return _LONG.search(text) is not None and _RULE.fullmatch(text) is not None


def is_note(text: str) -> bool:
    """Whether a text may be a footnote: it has a letter, and is no number and no missing one."""
    text = text.strip()
    return bool(_LETTER.search(text)) and not is_number(text) and text not in spelling.MISSING


def is_drawn(text: str) -> bool:
    """Whether a text is nothing but parts of lines that are drawn."""
    return _RULE.fullmatch(text) is not None


def is_sign(text: str) -> bool:
    """Whether a text is a unit without a letter: "%", "$", "(-)"."""
    return not re.search("[0-9]", text) and text not in spelling.MISSING
