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


@dataclass(frozen=True)
class Sparse:
    """Inputs that are missing in many rows, which are left out for that.

    Attributes
    ----------
    source
        Where the rows come from, for people.
    missing
        Rows in which each of these inputs is missing; perhaps there is none.
    rows
        Rows with a value of the target.
    complete, without
        Those of them that are complete in all inputs, and in the others.
    catalogued
        Whether the data set is one of the catalogue.
    """

    source: str
    missing: Mapping[str, int]
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
        found: dict[str, int] = {}
        for name in features:
            if getattr(missing, table.kinds[name]) != "drop_rows":
                continue
            empty = gaps(table.cells(name)) & known
            n = int(np.sum(empty))
            complete &= ~empty
            if n > SHARE * rows:
                found[name] = n
            else:
                without &= ~empty
        counts = (rows, int(complete.sum()), int(without.sum()))
        return cls(table.source, found, *counts, table.catalogued)

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
