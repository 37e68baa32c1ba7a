"""What an experiment asks of its data: where they are, and what their columns mean."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import compress

from gdcurves.config import ClassConfig
from gdcurves.config.reading import MISSING_TEXTS
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.written import spelling


@dataclass(frozen=True)
class Request:
    """A source and how to read it.

    Attributes
    ----------
    data
        A name of the catalogue, the path of a file, or a name of `gdcurves.datasets.REMOTE`:
        `openml:ID`, `openml:ID@VERSION`, `openml:NAME`, `openml:NAME@VERSION`, `uci:ID`; or a name
        behind `IN_MEMORY`.
    target
        The column to predict; the source's own unless given.
    continuous, discrete
        Columns of these kinds, whatever the source says or the cells look like.
    drop
        Columns that are no inputs.
    encoding
        Of a text; UTF-8, or what its mark shows, unless given.
    sheet
        Of a workbook; the first unless given.
    no_header
        Whether the first row of a text or a sheet is one of cells, not of names.
    missing_texts
        Texts that stand for a missing value, after blanks around them are removed.
    numeric_target
        Whether the target is to be read as a number, for a threshold to cut.
    groups
        Columns whose equal values, in all of them, say which rows stay together; no inputs.
    decimal
        What stands before decimals, "." or ",", where a column does not show it.
    held
        The table itself, where it is in memory.
    labels
        Texts such as NA that classes are made of by name, so that they are no missing values.
    """

    data: str
    target: str | None = None
    continuous: tuple[str, ...] = ()
    discrete: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    missing_texts: tuple[str, ...] = MISSING_TEXTS
    numeric_target: bool = False
    groups: tuple[str, ...] = ()
    decimal: str | None = None
    encoding: str | None = None
    sheet: str | None = None
    no_header: bool = False
    held: Raw | None = None
    labels: tuple[str, ...] = ()


def labels_like_gaps(classes: Iterable[ClassConfig] | None) -> tuple[str, ...]:
    """Labels that classes are made of and that elsewhere may stand for a missing value."""
    labels = [label for each in classes or () for label in each.labels]
    return tuple(compress(labels, spelling.look_missing(labels)))
