"""Columns each of whose values stands in as many rows, as those of matched sets or subjects do."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.datasets.columns.cells import levels
from gdcurves.datasets.columns.texts import Column
from gdcurves.datasets.written import spelling
from gdcurves.datasets.written.whole import PROBE, are_whole

LEAST_VALUES = 20
"""Of a column; fewer may be levels of a factor that an experiment has in equal numbers."""

FEWEST_ROWS, MOST_ROWS = 2, 20
"""Of a value."""

NEARLY_ALL = 0.9
"""Of the rows are of values that stand in as many rows as most others."""

LEAST_ACROSS = 7
"""Values of another column that may be the groups where the first one tells times."""

LARGEST = 50_000
"""Rows of tables in which they are looked for."""

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
"""A word of a name such as StudySite, study_site or "Study site"."""

# Of names of what each group has once, and of what is measured.
_NO_GROUPS = frozenset(
    {
        *("year", "yr", "quarter", "month", "week", "day", "julday", "date", "hour", "minute"),
        *("time", "age", "period", "season", "wave", "visit", "round", "trial", "run", "rep"),
        *("replicate", "replication", "order", "sequence", "position", "step", "index", "idx"),
        *("education", "dose", "distance", "length", "size", "score", "count", "rank"),
    }
)
_FIRST_YEAR, _LAST_YEAR = 1700, 2100


def rows_each(name: str, columns: Mapping[str, Column]) -> tuple[int, int] | None:
    """In how many rows nearly all values of a column stand, and how many values they are.

    Texts or whole numbers of which there are many, each in the same small number of rows: of
    sizes by chance hardly any are so. None for others, and for what is no group all the same: times
    and measurements by their names, dates, years, numbers at equal distances, and one side of
    a table that has each of its values once for each of another column's, no times, unless some
    column never differs among rows of one value.

    Parameters
    ----------
    name
        The column.
    columns
        All that may be inputs, that one among them, by their names.
    """
    column = columns[name]
    n = len(column.cells)
    if n > LARGEST or _is_of_time(name) or not _repeat(column):
        return None
    known = levels(column.cells, column.missing)
    codes = known.codes.astype(np.int64)
    sizes = np.bincount(codes[codes >= 0])
    if len(sizes) < LEAST_VALUES or sizes.sum() < NEARLY_ALL * n:
        return None
    if (usual := usual_size(sizes)) is None or _are_measured([*known.categories]):
        return None
    others = {other: each for other, each in columns.items() if other != name}
    return (usual, len(sizes)) if _may_be_groups(codes, others) else None


def usual_size(sizes: IntArray) -> int | None:
    """The size that nearly all groups of sizes (G,) have; None where it differs or is large."""
    usual = int(np.bincount(sizes).argmax())
    of_usual = usual * np.count_nonzero(sizes == usual)
    if usual < FEWEST_ROWS or sizes.max() > MOST_ROWS or of_usual < NEARLY_ALL * sizes.sum():
        return None
    return usual


def _repeat(column: Column) -> bool:
    """Whether nearly all values of a column, as they are written, stand in as many rows."""
    if not isinstance(column.cells, np.ndarray):
        sizes = column.texts.counts
    elif are_whole(column.cells[:PROBE]):
        values = column.numbers
        sizes = np.unique(values[~np.isnan(values)], return_counts=True)[1]
    else:
        return False
    return len(sizes) >= LEAST_VALUES and usual_size(sizes) is not None


def _is_of_time(name: str) -> bool:
    words = {word.lower() for word in WORD.findall(name)}
    return any(word in _NO_GROUPS or word.removesuffix("s") in _NO_GROUPS for word in words)


def _are_measured(texts: list[str]) -> bool:
    """Whether different texts are numbers with decimals, at equal distances or years; or dates."""
    plain, otherwise = spelling.numbers(texts), spelling.numbers_otherwise(texts)
    numbers = np.where(np.isnan(plain), otherwise, plain)
    if np.isnan(numbers).any():
        return all(map(spelling.is_date, texts))
    values: FloatArray = np.sort(numbers)
    steps = np.diff(values)
    if not are_whole(values) or (steps[0] != 1 and (steps == steps[0]).all()):
        return True
    dates = _are_years(values // 10_000) and spelling.are_dates(values)
    return dates or (_are_years(values) and steps.max() == 1)


def _are_years(values: FloatArray) -> bool:
    return bool(values[0] >= _FIRST_YEAR and values[-1] <= _LAST_YEAR)


def _may_be_groups(codes: IntArray, others: Mapping[str, Column]) -> bool:
    """Whether `codes` (n,) are no side of a table, or some other column never differs in a code."""
    is_side = False
    n_codes = int(codes.max()) + 1
    for name, column in others.items():
        known = levels(column.cells, column.missing)
        other = known.codes.astype(np.int64)
        full = (codes >= 0) & (other >= 0)
        n_other = len(known.categories)
        if n_other < 2 or not full.any():
            continue
        n_pairs = len(np.unique(codes[full] * n_other + other[full]))
        if n_pairs == len(np.unique(codes[full])):
            return True
        whole = n_pairs == full.sum() >= NEARLY_ALL * n_codes * n_other
        is_side |= n_other >= LEAST_ACROSS and whole and not _is_of_time(name)
    return not is_side
