"""A column: its different texts, what numbers they are, and how often each stands there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.datasets.columns.cells import are_missing, level, missing_numbers
from gdcurves.datasets.raw import Where
from gdcurves.datasets.written import forms, spelling, writings
from gdcurves.datasets.written.whole import LEVELS, are_few, are_large, are_whole
from gdcurves.words import counted

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.datasets.raw import Cells

_MOST_SHOWN = 3  # texts that a message names
_MOST_LEVELS, _LEAST_ROWS = 20, 5  # texts of a column of levels, and cells of each on average


@dataclass(frozen=True)
class Texts:
    """The different texts of a column that stand for a value, in order of their first rows.

    Attributes
    ----------
    written
        As they stand in the cells, k of them.
    rows, counts
        First row of each, and number of its cells, shape (k,).
    """

    written: list[str]
    rows: IntArray
    counts: IntArray

    @classmethod
    def of(cls, cells: pd.Categorical, missing: Collection[str]) -> Texts:
        """Collect those of a column, but for the ones in `missing`."""
        n_texts = len(cells.categories)
        codes = np.where(cells.codes < 0, n_texts, cells.codes)
        counts = np.bincount(codes, minlength=n_texts + 1)
        rows = np.empty(n_texts + 1, dtype=np.int64)
        rows[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # of equal ones the last stays
        used = np.flatnonzero(counts[:-1])
        texts = list(cells.categories)
        used = used[np.argsort(rows[used])]
        kept = used[~are_missing([texts[i] for i in used], missing)]
        return cls([texts[i] for i in kept], rows[kept], counts[kept])

    @cached_property
    def numbers(self) -> FloatArray:
        """The number that each text is, NaN for others, shape (k,)."""
        return spelling.numbers(self.written)

    @cached_property
    def plain(self) -> BoolArray:
        """Which texts are numbers, shape (k,)."""
        return ~np.isnan(self.numbers)

    @cached_property
    def collapse(self) -> bool:
        """Whether several whole numbers are one as floats, which skip some of the large ones."""
        if not self.plain.all() or not are_large(self.numbers) or not are_whole(self.numbers):
            return False
        return len(np.unique(self.numbers)) < len({level(text) for text in self.written})

    @cached_property
    def otherwise(self) -> FloatArray:
        """The number that each is in another way of writing, NaN for others, shape (k,)."""
        return np.where(self.plain, np.nan, spelling.numbers_otherwise(self.written))

    @cached_property
    def loose(self) -> BoolArray:
        """Which texts are numbers in another way of writing, shape (k,)."""
        return ~np.isnan(self.otherwise)

    @property
    def are_amounts(self) -> bool:
        """Whether those have nothing beside the number but a currency or per cent."""
        return all(writings.is_amount(self.written[i]) for i in np.flatnonzero(self.loose))

    @property
    def are_numbers(self) -> bool:
        """Whether all are numbers, with a currency or per cent at most, and no codes of classes."""
        if self.like.all():
            return self.are_amounts and self.continuous
        if (way := writings.written(self.written)) is None:
            return False
        plain = [writings.plainly(text, way.marks[0]) for text in self.written]
        return not are_few(spelling.numbers(plain))

    @property
    def how(self) -> str:
        """Says how those should be written."""
        return writings.how(self.written[i] for i in np.flatnonzero(self.loose))

    @cached_property
    def like(self) -> BoolArray:
        """Which texts are numbers in some way of writing, shape (k,)."""
        return self.plain | self.loose

    @cached_property
    def bounds(self) -> BoolArray:
        """Which texts are bounds of a number, shape (k,)."""
        return forms.are_bounds(self.written)

    @cached_property
    def several(self) -> BoolArray:
        """Which texts hold several numbers, and are none in any way of writing, shape (k,)."""
        return forms.are_several(self.written) & ~self.like

    @cached_property
    def absent(self) -> BoolArray:
        """Which texts may stand for a missing value, shape (k,)."""
        return spelling.look_missing(self.written)

    @cached_property
    def continuous(self) -> bool:
        """Whether most are numbers in some way of writing, more or others than codes would be."""
        return self.mostly(self.like) and not are_few(self._sizes)

    @cached_property
    def numeric(self) -> bool:
        """Whether most are numbers in some way of writing, more than two or not whole."""
        return self.mostly(self.like) and not are_few(self._sizes, LEVELS)

    @property
    def _sizes(self) -> FloatArray:
        return np.where(self.plain, self.numbers, self.otherwise)[self.like]

    @cached_property
    def are_levels(self) -> bool:
        """Whether they are few, each in many cells, and most are no numbers as they stand.

        Such are classes of age or education, though some texts hold numbers or bounds of one.
        """
        few = len(self.written) <= min(_MOST_LEVELS, self.counts.sum() / _LEAST_ROWS)
        return bool(few and self.plain.sum() <= len(self.written) / 2)

    def mostly(self, which: BoolArray) -> bool:
        """Whether some texts, `which` (k,), are more than half of them, or of the cells."""
        return bool(
            which.sum() > len(which) / 2 or self.counts[which].sum() > self.counts.sum() / 2
        )

    def share(self, which: BoolArray) -> str:
        """Say how many cells have one of some texts, `which` (k,)."""
        return f"{self.counts[which].sum():,} of {counted(int(self.counts.sum()), 'cell')}"

    def first(self, which: BoolArray) -> tuple[int, str]:
        """Row and text of the first of some texts, `which` (k,)."""
        index = int(np.argmax(which))
        return int(self.rows[index]), self.written[index].strip()

    def stripped(self, which: BoolArray) -> list[str]:
        """Some texts, `which` (k,), each once, without blanks around them."""
        return list(dict.fromkeys(self.written[i].strip() for i in np.flatnonzero(which)))

    def named(self, which: BoolArray, where: Where, start: int = 0) -> str:
        """Name some texts, `which` (k,), with their places, from the one with this number on."""
        indices = np.flatnonzero(which)[start:]
        named = [
            f"{self.written[i].strip()!r} ({where.location(int(self.rows[i]))})"
            for i in indices[:_MOST_SHOWN]
        ]
        more = len(indices) - len(named)
        return ", ".join([*named, *[counted(more, "other text")] * bool(more)])


@dataclass(frozen=True, eq=False)
class Column:
    """One column, of which is collected once what is asked of it again and again.

    Attributes
    ----------
    cells
        Numbers or texts, shape (n,).
    missing
        Texts that stand for a missing value.
    """

    cells: Cells
    missing: Collection[str]

    @cached_property
    def texts(self) -> Texts:
        """The different texts; not of numbers."""
        assert not isinstance(self.cells, np.ndarray)
        return Texts.of(self.cells, self.missing)

    @property
    def numbers(self) -> FloatArray:
        """Its numbers in some order, NaN for what is none or stands for none, shape (n',)."""
        if not isinstance(self.cells, np.ndarray):
            return np.repeat(self.texts.numbers, self.texts.counts) + 0.0
        codes = missing_numbers(self.missing)
        return np.where(np.isin(self.cells, codes), np.nan, self.cells) if codes else self.cells
