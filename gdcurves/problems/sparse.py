"""Inputs that cost rows: those that are missing in many of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gdcurves.config.reading import Missing
from gdcurves.datasets.columns.cells import gaps
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.table import Table
from gdcurves.words import counted

SHARE = 0.2
"""A column that is missing in more than such a part of the rows is named."""

_FILLS = {"continuous": "mean", "discrete": "level"}


@dataclass(frozen=True)
class Sparse:
    """Inputs that are missing in many rows, which are left out for that.

    Attributes
    ----------
    source
        Where the rows come from, for people.
    missing
        Rows in which each of these inputs is missing; perhaps there is none.
    scattered
        The same of the other inputs that are missing in some row.
    filling
        What `missing` has to be so that no input costs a row, as on the command line.
    rows
        Rows with a value of the target.
    complete, without
        Those of them that are complete in all inputs, and in the others.
    catalogued
        Whether the data set is one of the catalogue.
    """

    source: str
    missing: Mapping[str, int]
    scattered: Mapping[str, int]
    filling: str
    rows: int
    complete: int
    without: int
    catalogued: bool

    @classmethod
    def of(cls, table: Table, features: Sequence[str], missing: Missing) -> Sparse:
        """Find those among some inputs of a table."""
        known = ~gaps(table.cells(table.target))
        rows, complete = int(known.sum()), known.copy()
        without = known.copy()
        sparse: dict[str, int] = {}
        scattered: dict[str, int] = {}
        filled = {kind for kind in _FILLS if getattr(missing, kind) != "drop_rows"}
        for name in features:
            if getattr(missing, table.kinds[name]) != "drop_rows":
                continue
            empty = gaps(table.cells(name)) & known
            n = int(np.sum(empty))
            complete &= ~empty
            if n > SHARE * rows:
                sparse[name] = n
            elif n:
                scattered[name] = n
                without &= ~empty
            filled |= {table.kinds[name]} if n else set()
        filling = ",".join(fill for kind, fill in _FILLS.items() if kind in filled)
        counts = (rows, int(complete.sum()), int(without.sum()))
        return cls(table.source, sparse, scattered, filling, *counts, table.catalogued)

    @property
    def words(self) -> str:
        """What the run has with these columns and without."""
        verb, them = (
            "is" if self.complete == 1 else "are",
            "it" if len(self.missing) == 1 else "them",
        )
        return (
            f"{counted(self.complete, 'row')} {verb} complete with {them}, {self.without:,} without"
        )

    def remarks(self, then: str) -> Iterator[Remark]:
        """Name the columns, what the run has with and without them, and what `then` is to do.

        Nothing of data sets of the catalogue, of which that is known.
        """
        if self.missing and not self.catalogued:
            yield Remark(
                About.SPARSE,
                f"{self.source}: missing in more than a fifth of the {counted(self.rows, 'row')}: ",
                tuple(f"{name!r} ({n:,})" for name, n in self.missing.items()),
                f"; {self.words}; {then}",
            )

    def scatter(self) -> Iterator[Remark]:
        """Name the other columns, if they cost many rows together but not all, and what keeps them.

        It is for whoever has not said yet what becomes of missing values.
        """
        lost = self.rows - self.without
        if SHARE * self.rows < lost < self.rows and not self.catalogued:
            most_first = sorted(self.scattered.items(), key=lambda each: -each[1])
            yield Remark(
                About.SCATTERED,
                f"{self.source}: {lost:,} of {counted(self.rows, 'row')} are left out for gaps here"
                " and there: ",
                tuple(f"{name!r} ({n:,})" for name, n in most_first),
                f"; --missing {self.filling} (`missing`) keeps all {self.rows:,}",
            )
