"""Delimited text read row by row: slowly, but what is wrong is said with its line."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.datasets.formats import extra
from gdcurves.datasets.formats.quotes import Content, plain_quotes
from gdcurves.datasets.formats.records import empty, records
from gdcurves.datasets.formats.seen import is_note, is_rule
from gdcurves.datasets.raw import categorical, named, title
from gdcurves.errors import UserError
from gdcurves.words import counted

if TYPE_CHECKING:
    from gdcurves.datasets.raw import Cells


_SEPARATORS = ";\t|,"


@dataclass(frozen=True)
class Careful:
    """A text to be read carefully.

    Attributes
    ----------
    content, origin, separator
        The text, what messages call it, and what stands between cells.
    names
        Those of the columns, where the text has none.
    blanks
        Whether blanks stood between cells before.
    """

    content: Content
    origin: str
    separator: str
    names: tuple[str, ...] = ()
    blanks: bool = False

    @cached_property
    def _blanks_first(self) -> bool:
        """Whether blanks before cells are theirs, as the fast reader has them."""
        return plain_quotes(self.content, self.separator) is not None

    def columns(self) -> tuple[list[str], list[Cells], dict[int, UserError]]:
        """Read with blanks before quotes and the like; raises UserError where something is wrong.

        Returns titles, columns (n,), and the error for each row that may be none of the table, if
        it is one.
        """
        for _ in self._rows({}):
            pass  # what is wrong is found before anything is kept
        short: dict[int, UserError] = {}
        rows = self._rows(short)
        titles = next(rows, None)
        if titles is None:  # lines of nothing but blanks, of one kind or another
            raise empty(self.origin)
        texts: list[dict[str, int]] = [{} for _ in titles]
        codes = [array("i") for _ in titles]
        for row in rows:
            for known, column, cell in zip(texts, codes, row, strict=True):
                column.append(known.setdefault(cell, len(known)))
        columns: list[Cells] = [
            categorical(np.frombuffer(column, dtype=np.intc), list(known))
            for known, column in zip(texts, codes, strict=True)
        ]
        return titles, columns, short

    def _rows(self, short: dict[int, UserError]) -> Iterator[list[str]]:
        """The names, then the rows; raises UserError where they do not fit.

        Rows of one cell that may be none of the table have empty cells beside it, and `short` gets
        the error for each, by its number.
        """
        numbered = records(self.content, self.origin, self.separator, self._blanks_first)
        titles = [*self.names]
        if titles:
            yield titles
        n_rows = 0  # that have all cells
        for line, row in numbered:
            if not titles:
                titles = [title(name) for name in row]
                named(titles, self.origin)
                yield titles
                continue
            below: list[tuple[int, list[str]]] = []
            if len(row) != len(titles):
                below = [(line, row)]
                if not is_rule(row[0]):  # a note, below which are such alone
                    below.extend(islice(numbered, extra.MOST_BELOW))
                if not all(_may_be_extra(each) for _, each in below):
                    raise self._misfit(row, line, titles)
            for at, each in below:
                short[n_rows + len(short)] = self._misfit(each, at, titles)
                yield [*each, *[""] * (len(titles) - 1)]
            if not below:
                n_rows += 1
                yield row

    def _misfit(self, row: Sequence[str], line: int, titles: Sequence[str]) -> UserError:
        """Return the error for a row that has more or fewer cells than there are columns."""
        if self.names:
            named = f"the first row has {len(titles)}"
        else:
            named = f"the header names {counted(len(titles), 'column')}"
        return UserError(
            f"{self.origin}, line {line}: {counted(len(row), 'cell')}, but {named};"
            f" {_advice(row, len(titles), None if self.blanks else self.separator)}"
        )


def _may_be_extra(row: Sequence[str]) -> bool:
    return len(row) == 1 and (is_rule(row[0]) or is_note(row[0]))


def _advice(row: Sequence[str], n_titles: int, separator: str | None) -> str:
    """What may be done about a row that has more or fewer cells than the header.

    `separator` is None where blanks separate, which say nothing at the ends of a line.
    """
    held, mark = ("blanks", " ") if separator is None else ("the separator", separator)
    advice = f"correct one of them, or put a cell that holds {held} in double quotes"
    others = [sign for sign in _SEPARATORS if sign != mark and sign in row[0]]
    if len(row) == 1 and others:
        return f"{advice}, or write {mark!r} in place of {others[0]!r}, or {others[0]!r} above"
    if len(row) < n_titles:
        return f"{advice}, or take the line out if it is no row, as a note below the table"
    if n_titles == 1:
        return f"{advice}, or take out what stands above the line of column names"
    if len(row) > n_titles and not row[-1].strip():
        return f"{advice}, or take out the {separator!r} that ends the row"
    if len(row) == n_titles + 1 and separator is not None:
        return f"{advice}, or {separator!r} before the header if first cells name rows"
    return advice
