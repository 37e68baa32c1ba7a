"""Columns that number or name the rows: known by the names that tools give them, and by values."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.datasets.columns.cells import are_missing, is_missing, level, missing_numbers
from gdcurves.datasets.columns.designs import WORD
from gdcurves.datasets.raw import Where
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.written import spelling
from gdcurves.datasets.written.whole import PROBE, are_whole
from gdcurves.words import CONTINUOUS, DROP

if TYPE_CHECKING:
    from gdcurves.datasets.raw import Cells

_ADVICE = f"name it under {DROP} if it is no input, under {CONTINUOUS} if it is one"

LONG = 9  # digits

LEAST_COUNTED = 20
"""Rows; fewer may be of an experiment whose doses grow."""

LONGEST = 10
"""Median steps; those between numbers that were measured, and put in order, vary more."""

# Of a column without a name, by pandas, Parquet's writers and R's readr: no column of data.
_STORED = re.compile(r"Unnamed: ?\d+(\.\d+)*|__index_level_\d+__|__index__|\.\.\.1")

# Of row numbers, row names and keys, by pandas, polars, R, SAS, OpenML, WEKA and people; without
# case and punctuation, "#" being a number.
_NUMBERS = re.compile(
    r"(row|obs|observation|case|record|sample|serial|line|entry|lfd|s|sr|sl)?"
    r"(id|identifier|index|idx|no|nr|num|number|name)s?|rows?|rn|obs"
)
_LEVEL = re.compile(r"level_\d+")  # by pandas

# Of keys: CustomerId, patient_id, idPatient, ID.1; but not "acid".
_KEY = re.compile(
    r".*([a-z]I[dD]|[ ._-](id|Id|ID))|[Uu]?[Uu]id|UU?ID|[Gg]uid|GUID"
    r"|([Ii]d|ID)([A-Z][a-z].*|[ ._-].*|\d+)|.*[Ii]dentifier"
)

# Of what has such keys, without case and punctuation: PATIENTID, Participant No., OBJECTID of maps,
# SUBJID of clinical data, SEQN of surveys.
_KEEPER = (
    r"(patient|subject|subj|usubj|participant|respondent|person|customer|client|student|employee"
    r"|member|user|account|order|invoice|ticket|policy|transaction|passenger|donor|record|rec"
    r"|object|feature|seq|sequence)"
)
_KEPT = re.compile(
    rf"{_KEEPER}(id|no|nr|num|number)|(id|no|nr|num|number){_KEEPER}"
    r"|patient|subject|participant|respondent|seqn|(ogc)?fid|[ogp]id|pk|mrn|patno|ptid"
)

# Of numbers of cases, or of things that are measured: "Permit No.", pidnum, AtomicNumber.
_NUMBERED = re.compile(r".*([a-z]N[or]|[ ._-][Nn][or]|[ ._-]N[OR]|num|Num|NUM|[Nn]umber|NUMBER)\.?")

# Of postcodes, areas, products and the like, in some languages.
_CODED = frozenset(
    {
        *("zip", "zipcode", "postcode", "postalcode", "plz", "postleitzahl", "postnummer", "fips"),
        *("code", "codes", "cod", "codigo", "c\u00f3digo", "codice", "kod", "id", "ids", "naics"),
    }
)

# Of the first of columns without names, by R, Spark, spreadsheets and Access: may be data.
_FIRST = re.compile(r"X|X\.\d+|V1|_c0|Column1|Field1|Var1|VAR1|F1|column_?[01]")


def reason(name: str, first: bool, cells: Cells, missing: Collection[str]) -> str | None:
    """Say why a column is no input by its name and its cells (n,); None if it may be one.

    `first` is whether no other column stands before it, but for such ones. A name that stands for
    row numbers counts where whole numbers never fall or nothing repeats, that of a key where
    nothing repeats, and one that tools give to any first column where whole numbers always grow.
    """
    stored = _STORED.fullmatch(name) is not None
    if stored and first:
        return "its name is what tools call a column without one, as row numbers are"
    numbers = stored or _may_number(name)
    unique = (numbers or _may_be_key(name)) and _never_repeats(cells, missing)
    if unique or (numbers and _never_falls(cells, missing)):
        return "by its name and values it numbers or names the rows"
    if first and _FIRST.fullmatch(name) and _always_grows(cells, missing):
        return "by its name, place and values it numbers the rows"
    return None


def doubt(cells: Cells, missing: Collection[str], where: Where) -> Remark | None:
    """Say so where whole numbers count the rows, or time, whatever their name, or may be keys.

    Those that count grow, or fall, from each of many cells (n,) to the next, by steps of which none
    is many times as long as most. Those of keys never repeat in many cells, under a name of
    numbers, or all have so many digits as numbers of telephones and bar codes.
    """
    return _counts(cells, missing, where) or _may_be_keys(cells, missing, where)


def _may_be_keys(cells: Cells, missing: Collection[str], where: Where) -> Remark | None:
    by_name = _NUMBERED.fullmatch(where.column) is not None
    values = _keys(cells[:PROBE], missing, by_name)
    values = None if values is None else _keys(cells, missing, by_name)
    if values is None:
        return None
    first, second = (f"{value:.0f}" for value in values[:2])
    why = "under a name of numbers, as those of cases are"
    if not by_name:
        why = f"of {len(first)} digits, as numbers of telephones, goods and moments have"
    return where.remark(
        About.ROW_NUMBERS,
        None,
        f"whole numbers that never repeat, as {first} and {second}, {why}; {_ADVICE}",
        "by name" if by_name else "long",
    )


def _keys(cells: Cells, missing: Collection[str], by_name: bool) -> FloatArray | None:
    """Whole numbers in many cells that never repeat, if all are long, or are so `by_name`."""
    values = _whole(cells, missing)
    if values is None or len(values) < LEAST_COUNTED or len(np.unique(values)) < len(values):
        return None
    lengths = {len(f"{end:.0f}") for end in (values.min(), values.max())}
    are_long = len(lengths) == 1 and values.min() >= 10.0 ** (LONG - 1)
    return values if by_name or are_long else None


def _counts(cells: Cells, missing: Collection[str], where: Where) -> Remark | None:
    for some in (cells[:PROBE], cells):
        values = _whole(some, missing)
        if values is None or len(values) < LEAST_COUNTED:
            return None
        first, last = values[0], values[-1]
        steps = np.diff(values) * np.sign(last - first)
        if steps.min() <= 0 or steps.max() > LONGEST * np.median(steps):
            return None
    return where.remark(
        About.ROW_NUMBERS,
        None,
        f"whole numbers that {'grow' if first < last else 'fall'} from row to row, from"
        f" {level(float(first))} to {level(float(last))}, as numbers of rows and times do;"
        f" {_ADVICE}",
    )


def speaks_of_codes(name: str) -> bool:
    """Tell whether a name says that its numbers are codes: "ZIP", "Postal Code", "AirlineID"."""
    words = [*WORD.findall(name), *re.findall(r"[^\W\d_]+", name)]
    return any(word.lower() in _CODED for word in words)


def _may_number(name: str) -> bool:
    """Tell whether a name stands for numbers or names of rows: "Obs.", "Case Number", "case_no"."""
    return _NUMBERS.fullmatch(_bare(name)) is not None or _LEVEL.fullmatch(name) is not None


def _may_be_key(name: str) -> bool:
    """Tell whether a name stands for the key of what a row is about: "CustomerId", "PATNO"."""
    return _KEY.fullmatch(name) is not None or _KEPT.fullmatch(_bare(name)) is not None


def _bare(name: str) -> str:
    """A name in small letters, without punctuation but for that of numbers."""
    return re.sub(r"[\W_]", "", re.sub("[#\u2116]|[Nn][\u00b0\u00ba]", "no", name)).lower()


def _whole(cells: Cells, missing: Collection[str]) -> FloatArray | None:
    """The numbers of the cells that hold a value, if all are whole."""
    if isinstance(cells, np.ndarray):
        values = cells[~np.isin(cells, missing_numbers(missing))]
    else:
        texts = list(cells.categories)
        is_gap = np.append(are_missing(texts, missing), True)
        values = np.append(spelling.numbers(texts), np.nan)[cells.codes][~is_gap[cells.codes]]
        if np.isnan(values).any():
            return None
    values = values[~np.isnan(values)]
    return values if len(values) and np.isfinite(values).all() and are_whole(values) else None


def _never_falls(cells: Cells, missing: Collection[str]) -> bool:
    values = _whole(cells, missing)
    return values is not None and bool((np.diff(values) >= 0).all() and values[0] < values[-1])


def _always_grows(cells: Cells, missing: Collection[str]) -> bool:
    values = _whole(cells, missing)
    return values is not None and bool((np.diff(values) > 0).all())


def _never_repeats(cells: Cells, missing: Collection[str]) -> bool:
    """Tell whether whole numbers, or texts, each stand in one row alone."""
    if isinstance(cells, np.ndarray):
        values = _whole(cells, missing)
        return values is not None and 1 < len(np.unique(values)) == len(values)
    counts = np.bincount(cells.codes[cells.codes >= 0], minlength=len(cells.categories))
    given = {
        text: n
        for n, text in zip(counts.tolist(), cells.categories, strict=True)
        if n and not is_missing(text, missing)
    }
    values = spelling.numbers([*given])
    if not np.isnan(values).any() and not (np.isfinite(values).all() and are_whole(values)):
        return False  # measurements
    return len(given) > 1 and max(given.values()) == 1
