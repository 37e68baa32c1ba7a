"""Columns that look like groups of rows, those of one patient for instance: by name and values."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.arrays import IntArray
from gdcurves.datasets.columns.cells import gaps, levels
from gdcurves.datasets.columns.texts import Column
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.written import spelling
from gdcurves.datasets.written.whole import are_whole
from gdcurves.words import listed

if TYPE_CHECKING:
    from gdcurves.datasets.raw import Cells

LEAST_GROUPS = 7  # fewer are levels of an input, and too few to learn from some and test on others

# Of whom or what there may be several rows, and what may stand beside that; but not "family size".
_NAMED = frozenset(
    {
        *("patient", "subject", "subj", "participant", "person", "individual", "animal", "donor"),
        *("respondent", "family", "household", "hospital", "clinic", "centre", "center", "site"),
        *("classroom", "speaker", "author", "user", "customer", "client", "batch", "litter"),
        *("cluster", "document", "text"),
    }
)
_BESIDE = frozenset({"study", "no", "nr", "num", "number", "code", "label", "name"})
_KEYS = frozenset(
    {"id", "ids", "idno", "idnr", "idnum", "uid", "pid", "sid", "ptid", "patid", "subjid", "mrn"}
    | {"usubjid"}
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def doubt(columns: Mapping[str, Column], origin: str) -> Remark | None:
    """Name the columns that look like groups, the one with most of them first; None for none.

    Of `columns` by name, and of what the source is called.
    """
    known = {
        name: sizes
        for name, column in columns.items()
        if (sizes := group_sizes(name, column.cells, column.missing)) is not None
    }
    if not known:
        return None
    first, *others = sorted(known, key=lambda name: -len(known[name]))
    more = f" (as {listed(list(map(repr, others)))} may)" if others else ""
    said = (
        f"{origin}, column {first!r}: its {len(known[first]):,} values repeat, and may stand for"
        f" rows that belong together{more}; with --groups {shlex.quote(first)}, `groups` in a"
        " config, they do: on both sides of a split, rows that are alike make errors look small"
    )
    return Remark(About.GROUPS, said, options=("--groups", first))


def group_sizes(name: str, cells: Cells, missing: Collection[str]) -> IntArray | None:
    """Numbers of rows (G,) of the groups that a column looks like; None if it looks like none.

    Its name says that it tells patients, sites and the like apart, or is a key, and its cells (n,)
    are texts or whole numbers, at least `LEAST_GROUPS` of them, some of which repeat.
    """
    words = {word.lower() for word in _WORD.findall(name)}
    named = {word for word in words if word.removesuffix("s") in _NAMED}
    if not words & _KEYS and not (named and words - named <= _BESIDE):
        return None
    known = levels(cells, missing)
    numbers = spelling.numbers(list(known.categories))
    if not np.isnan(numbers).any() and not are_whole(numbers):  # measurements
        return None
    sizes = np.bincount(known.codes[~gaps(known)])
    return sizes if len(sizes) >= LEAST_GROUPS and sizes.max() > 1 else None
