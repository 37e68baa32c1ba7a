"""Texts that become one level: one whole number, 1 and 1.0, or one text but for blanks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.datasets.columns.cells import is_missing, level
from gdcurves.datasets.columns.texts import Column
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.written import spelling

if TYPE_CHECKING:
    from gdcurves.datasets.raw import Cells


def doubt(discrete: Mapping[str, Column], cells: Mapping[str, Cells], origin: str) -> Remark | None:
    """Name the discrete columns in whose cells (n,) texts become one level, with the first such.

    `discrete` are the columns by name, `cells` those that they are read from, and `origin` is what
    the source is called.
    """
    alike = {name: _alike(cells[name], column) for name, column in discrete.items()}
    named = tuple(f"{name!r} ({' and '.join(each)})" for name, each in alike.items() if each)
    if not named:
        return None
    return Remark(
        About.MERGED,
        f"{origin}: whole numbers that are written in several ways are one level each, or one"
        " class: ",
        named,
        "; to keep them apart, write texts that are no numbers, such as v1.0",
    )


def trimmed(
    discrete: Mapping[str, Column], cells: Mapping[str, Cells], origin: str
) -> Remark | None:
    """Name the discrete columns in whose cells (n,) texts are one level but for blanks around them.

    See `doubt`.
    """
    alike = {name: _but_for_blanks(cells[name]) for name in discrete}
    named = tuple(
        f"{name!r} ({' and '.join(map(repr, each))})" for name, each in alike.items() if each
    )
    if not named:
        return None
    return Remark(
        About.TRIMMED,
        f"{origin}: texts that differ by blanks around them are one level each, or one class: ",
        named,
        "; blanks there are no part of a text, so write an underscore where they are meant",
    )


def _but_for_blanks(cells: Cells) -> list[str]:
    """The first of the different texts that are one without blanks around; none where none is.

    Those that may stand for missing values have a note of their own.
    """
    if isinstance(cells, np.ndarray) or all(text == text.strip() for text in cells.categories):
        return []
    alike: dict[str, list[str]] = {}
    for text in cells.categories[np.unique(cells.codes[cells.codes >= 0])]:
        if text.strip() not in spelling.MISSING:
            alike.setdefault(text.strip(), []).append(text)
    return next((sorted(texts) for texts in alike.values() if len(texts) > 1), [])


def _alike(cells: Cells, column: Column) -> list[str]:
    """The first of the different texts that are one level; none where each is one of its own."""
    if isinstance(cells, np.ndarray) or not any("." in text for text in cells.categories):
        return []
    alike: dict[str, list[str]] = {}
    used = cells.categories[np.unique(cells.codes[cells.codes >= 0])]
    for text in dict.fromkeys(each.strip() for each in used):
        if not is_missing(text, column.missing):
            alike.setdefault(level(text), []).append(text)
    return next((texts for texts in alike.values() if len(texts) > 1), [])
