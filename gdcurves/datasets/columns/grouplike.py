"""Columns that look like groups of rows, those of one patient for instance: by name or values."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaln

from gdcurves.arrays import IntArray
from gdcurves.datasets.columns import designs, nested
from gdcurves.datasets.columns.cells import gaps, levels
from gdcurves.datasets.columns.designs import FEWEST_ROWS, LARGEST, MOST_ROWS, NEARLY_ALL, WORD
from gdcurves.datasets.columns.texts import Column
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.written import spelling
from gdcurves.datasets.written.whole import are_whole
from gdcurves.words import first_of, listed, quoted

if TYPE_CHECKING:
    from gdcurves.datasets.raw import Cells

LEAST_GROUPS = 7  # fewer are levels of an input, and too few to learn from some and test on others
MOST_CLASSES = 20
LEAST_NUMBERS = 20  # numbers of fewer values are scores or counts
CHANCE = 1e-6  # that classes dealt to the rows at random are so by groups too
LARGEST_PART = 0.2  # of the rows are of one value, where counts and sorts are not meant
MOST_NAMED = 3  # other columns that the note names

# Of whom or what there may be several rows, and what may stand beside that; but not "family size".
# Columns with names of the second sort may tell counts or sorts: visits to doctors, years at
# school, kinds of fish.
_NAMED = frozenset(
    {
        *("patient", "subject", "subj", "participant", "person", "individual", "animal", "donor"),
        *("respondent", "family", "household", "hospital", "clinic", "centre", "center", "site"),
        *("classroom", "speaker", "author", "user", "customer", "client", "batch", "litter"),
        *("cluster", "document", "text"),
    }
)
_NAMED_OR_COUNTED = frozenset(
    {
        *("stratum", "strata", "proband", "twin", "pair", "couple", "sibling", "mother", "dam"),
        *("sire", "child", "infant", "student", "pupil", "teacher", "school", "doctor"),
        *("physician", "worker", "employee"),
        *("surgeon", "nurse", "ward", "village", "commune", "municipality", "neighborhood"),
        *("neighbourhood", "district", "firm", "company", "herd", "flock"),
        *("farm", "cow", "calf", "pig", "piglet", "sow", "sheep", "goat", "horse", "dog", "rat"),
        *("mouse", "mice", "rabbit", "monkey", "bird", "fish", "nest", "cage", "pen", "tank"),
        *("tree", "plot", "specimen", "biopsy", "slide", "plate", "device", "session"),
    }
)
_BESIDE = frozenset({"study", "no", "nr", "num", "number", "code", "label", "name"})
_KEYS = frozenset(
    {"id", "ids", "idno", "idnr", "idnum", "uid", "pid", "sid", "ptid", "patid", "subjid", "mrn"}
    | {"usubjid"}
)
# schidn, provnum, hospno: keys of what there may be several rows of, by the beginnings of names.
_SHORT_KEY = re.compile(
    r"(sch(oo)?l?|pat(ient)?|pt|subj?(ect)?|part(icip)?|resp|pers(on)?|ind(iv)?|fam(ily)?|hh"
    r"|house(hold)?|hosp(ital)?|clin(ic)?|prov(ider)?|doc|phys|stud(ent)?|pup(il)?|tea?ch(er)?"
    r"|cust|usr|user|comm|vill(age)?|clust(er)?|strat|litt?er|firm|animal)"
    r"(id|nr|no|num|nbr)[a-z]{0,2}"
)


def doubt(columns: Mapping[str, Column], target: Column, origin: str) -> Remark | None:
    """Name the columns that look like groups, the one with most of them first; None for none.

    Those that do so by their names go before those whose values alone say so. Of `columns` by name,
    of the target, and of what the source is called.
    """
    named = {
        name: len(sizes)
        for name, column in columns.items()
        if (sizes := group_sizes(name, column.cells, column.missing)) is not None
    }
    goal = levels(target.cells, target.missing).codes.astype(np.int64)
    others = {
        name: n
        for name, column in columns.items()
        if name not in named and (n := _n_of_one_class(column, goal)) is not None
    }
    sized: dict[str, tuple[int, int]] = {}
    if not named and not others:
        found = {name: designs.rows_each(name, columns) for name in columns}
        sized = {name: each for name, each in found.items() if each is not None}
    known = {**named, **others, **{name: n for name, (_, n) in sized.items()}}
    if not known:
        return None
    first, *also = sorted(known, key=lambda name: (name in others, -known[name]))
    more = f" (as {_shown(also)} may)" if also else ""
    alike = " and are of one class each" if first in others else ""
    keys, are_no_inputs = [first], "the column is then no input"
    values = f"its {known[first]:,} values repeat{alike}, and may stand for"
    if first in sized:
        each = f"its {known[first]:,} values, or nearly all, stand in {sized[first][0]} rows each"
        values = f"{each}, and may stand for"
    if (outer := nested.around(first, columns)) is not None:
        other, n = outer
        keys, are_no_inputs = [other, first], "the columns are then no inputs"
        values = f"its values begin anew within {other!r}, and the {n:,} pairs may stand for"
    options = _options(keys)
    said = (
        f"{origin}, column {first!r}: {values} rows that belong together{more}; with"
        f" {shlex.join(options)}, `groups` in a config, they do, and {are_no_inputs}: on both"
        " sides of a split, rows that are alike make errors look small"
    )
    return Remark(About.GROUPS, said, options=options, holds_if=_holds_if(keys))


def doubt_of_key(name: str, columns: Mapping[str, Column], origin: str) -> Remark | None:
    """Say so where the column that groups rows has its values anew within those of another one.

    Of `columns` by name, that one among them, and of what the source is called.
    """
    if (outer := nested.around(name, columns)) is None:
        return None
    other, n = outer
    options = _options([other, name])
    said = (
        f"{origin}, column {name!r}: its values begin anew within {other!r}, so that rows of"
        f" several stand together as one group; {shlex.join(options)} tells {n:,} apart"
    )
    return Remark(About.GROUPS, said, options=options)


def _options(keys: Sequence[str]) -> tuple[str, str]:
    """The words of the command line that have rows with the same keys stay together."""
    return "--groups", ",".join(map(quoted, keys))


def _holds_if(keys: Sequence[str]) -> str:
    same = listed([repr(key) for key in keys])
    return f"rows with the same {same} do not belong together (else {shlex.join(_options(keys))})"


def _shown(names: list[str]) -> str:
    return listed(first_of([*map(repr, names)], MOST_NAMED))


def _n_of_one_class(column: Column, goal: IntArray) -> int | None:
    """How many groups a column tells apart by its values; None where it does not look so.

    Nearly all of its values stand in a few rows, the class is the same in all rows of each, and
    neither chance nor a threshold on numbers explains that. Of numbers there must be many.
    Where the classes take turns in the file, values that do so too would be of one class each.
    `goal` (n,) has classes from 0 on, all of which occur, and -1 for none.
    """
    import pandas as pd

    n_classes = int(goal.max(initial=-1)) + 1
    if len(goal) > LARGEST or not 2 <= n_classes <= MOST_CLASSES:
        return None
    if (goal[n_classes:] == goal[:-n_classes]).all():
        return None
    if isinstance(column.cells, np.ndarray):
        most = (1 - NEARLY_ALL / FEWEST_ROWS) * len(goal)  # values that so many rows may have
        if len(pd.unique(column.cells)) > most + 1:
            return None
    known = levels(column.cells, column.missing)
    full = ~gaps(known) & (goal >= 0)
    if not full.any():
        return None
    values, group = np.unique(known.codes[full], return_inverse=True)
    table = np.zeros((len(values), n_classes), dtype=np.int64)
    np.add.at(table, (group, np.unique(goal[full], return_inverse=True)[1]), 1)
    sizes = table.sum(axis=1)
    repeated = sizes[(sizes >= FEWEST_ROWS) & (sizes <= MOST_ROWS)].sum()
    if len(sizes) < LEAST_GROUPS or sizes.max() > MOST_ROWS or repeated < NEARLY_ALL * sizes.sum():
        return None
    if (np.count_nonzero(table, axis=1) > 1).any() or _chance(sizes, table.sum(axis=0)) > CHANCE:
        return None
    numbers = spelling.numbers([str(known.categories[value]) for value in values])
    if not np.isnan(numbers).any():
        in_order = table[np.argsort(numbers)].argmax(axis=1)
        if len(values) < LEAST_NUMBERS or np.count_nonzero(np.diff(in_order)) < n_classes:
            return None
    return len(sizes)


def _chance(sizes: IntArray, n_of_class: IntArray) -> float:
    """About how probable it is that groups of these sizes (G,) are of one class each.

    Of the n rows, `n_of_class` (K,) are of each class, dealt at random; groups count as independent
    of each other.
    """
    n, log = n_of_class.sum(), 0.0
    for size, times in zip(*np.unique(sizes, return_counts=True), strict=True):
        enough = n_of_class[n_of_class >= size]
        of_one = gammaln(enough + 1) - gammaln(enough - size + 1)
        all_of_it = gammaln(n + 1) - gammaln(n - size + 1)
        log += times * np.log(max(np.exp(of_one - all_of_it).sum(), 1e-300))
    return float(np.exp(log))


def group_sizes(name: str, cells: Cells, missing: Collection[str]) -> IntArray | None:
    """Numbers of rows (G,) of the groups that a column looks like; None if it looks like none.

    Its name says that it tells patients, sites and the like apart, or is a key, and its cells (n,)
    are texts or whole numbers, at least `LEAST_GROUPS` of them, some of which repeat. Where the
    name may be that of a count or sort, they are many without a frequent one, or have as many rows
    each.
    """
    words = {word.lower() for word in WORD.findall(name)}
    sure = bool(words & _KEYS) or _are_named(words, _NAMED)
    likely = _are_named(words, _NAMED | _NAMED_OR_COUNTED) or any(map(_SHORT_KEY.fullmatch, words))
    if not sure and not likely:
        return None
    known = levels(cells, missing)
    numbers = spelling.numbers(list(known.categories))
    if not np.isnan(numbers).any() and not are_whole(numbers):  # measurements
        return None
    sizes = np.bincount(known.codes[~gaps(known)])
    if len(sizes) < LEAST_GROUPS or sizes.max() <= 1:
        return None
    many = len(sizes) >= LEAST_NUMBERS and sizes.max() <= LARGEST_PART * sizes.sum()
    return sizes if sure or many or designs.usual_size(sizes) is not None else None


def _are_named(words: Collection[str], known: Collection[str]) -> bool:
    """Tell whether one of the words of a name is `known`, and others are what stands beside it."""
    named = {word for word in words if word in known or word.removesuffix("s") in known}
    return bool(named) and {*words} - named <= _BESIDE
