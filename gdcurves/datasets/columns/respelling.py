"""Numbers of a source in the plain way of writing, whatever way its columns have."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.datasets.columns.cells import is_missing
from gdcurves.datasets.raw import Raw, Where, categorical
from gdcurves.datasets.written import writings
from gdcurves.datasets.written.whole import LEVELS
from gdcurves.datasets.written.wrapping import bare
from gdcurves.datasets.written.writings import MARKS, Written
from gdcurves.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.datasets.raw import Cells


@dataclass(frozen=True)
class Respelt:
    """A source whose columns of numbers are written plainly.

    Attributes
    ----------
    raw
        The source, anew.
    changed
        The columns that were written otherwise, each with a text of it, and what that is now.
    unclear
        The error for each column that may be numbers in two ways.
    mark
        What stands before decimals in this source, as the request says or its columns show.
    """

    raw: Raw
    changed: Mapping[str, tuple[str, str]]
    unclear: Mapping[str, UserError]
    mark: str | None


def respell(
    raw: Raw, names: Collection[str], missing: Collection[str], mark: str | None
) -> Respelt:
    """Write columns of texts plainly that are numbers as a whole in exactly one way.

    A column that is so in two ways, as 1,234 may be, is read as the other columns are written, of
    which one suffices, or with the decimal `mark` that is given.

    Parameters
    ----------
    raw
        The source.
    names
        Columns that may be numbers.
    missing
        Texts that stand for a missing value among numbers.
    mark
        What stands before decimals, if it is known.
    """
    cells = {name: each for name in names if not isinstance(each := raw.columns[name], np.ndarray)}
    readings = {
        name: read for name in cells if (read := _written(cells[name], missing)) is not None
    }
    plain = mark != "," and all(each.plain and not each.grouped for each in readings.values())
    if plain and (mark == "." or not raw.pointed):
        return Respelt(raw, {}, {}, mark)
    sure = {"."} if _shows_point(raw, names) else set()
    for name, texts in _anew(raw, names, mixed=plain).items():
        if (read := _written(texts, missing)) is not None:
            cells[name], readings[name] = texts, read
    mark = mark or _shown(readings.values(), sure)
    columns: dict[str, Cells] = {**raw.columns}
    changed: dict[str, tuple[str, str]] = {}
    unclear: dict[str, UserError] = {}
    for name, read in readings.items():
        own = _mark(read, mark)
        if own is None and _n_values(cells[name], missing) > LEVELS:
            unclear[name] = _two_ways(raw.where(name), cells[name], read)
        elif own is not None and not (own == "." and read.plain):
            columns[name] = _plain(cells[name], missing, own)
            changed[name] = (read.example, writings.plainly(read.example, own))
    return Respelt(replace(raw, columns=columns), changed, unclear, mark)


def _written(cells: pd.Categorical, missing: Collection[str]) -> Written | None:
    used = np.unique(cells.codes[cells.codes >= 0])
    return writings.written(
        text for text in cells.categories[used] if not is_missing(bare(text), missing)
    )


def _shown(readings: Iterable[Written], sure: Collection[str]) -> str | None:
    """What stands before decimals by the columns that leave no doubt, if they agree."""
    marks = {*sure, *(each.marks[0] for each in readings if each.differ and len(each.marks) == 1)}
    return marks.pop() if len(marks) == 1 else None


def _mark(read: Written, mark: str | None) -> str | None:
    """What stands before decimals in a column; None where that is open."""
    if len(read.marks) == 1 or not read.differ:
        return read.marks[0]
    return mark or ("." if read.plain and not read.grouped else None)


def _numbers(raw: Raw, names: Collection[str]) -> dict[str, FloatArray]:
    """Columns that have been read as numbers from texts, plain ones as it seemed."""
    if raw.texts is None:
        return {}
    return {name: each for name in names if isinstance(each := raw.columns[name], np.ndarray)}


def _has_point(values: FloatArray) -> bool:
    """Tell whether some of numbers (n,) have decimals that can be no group of thousands."""
    sizes = np.abs(values[np.isfinite(values) & (values != np.floor(values))])
    far = np.abs(sizes * 1000 - np.rint(sizes * 1000)) > 1e-6
    return bool((far | (sizes < 1) | (sizes >= 1000)).any())


def _is_mixed(values: FloatArray) -> bool:
    """Tell whether some of numbers (n,) are whole and others are not."""
    known = values[np.isfinite(values)]
    whole = known == np.floor(known)
    return bool(whole.any() and not whole.all())


def _shows_point(raw: Raw, names: Collection[str]) -> bool:
    return any(_has_point(values) for values in _numbers(raw, names).values())


def _anew(raw: Raw, names: Collection[str], mixed: bool) -> Mapping[str, pd.Categorical]:
    """Texts of columns that have been read as numbers, and may be others: 1.234 and 12.345.

    `mixed` is whether only those with whole numbers beside others are wanted.
    """
    doubtful = [
        name
        for name, each in _numbers(raw, names).items()
        if not _has_point(each) and not (mixed and not _is_mixed(each))
    ]
    return raw.texts(doubtful, None) if doubtful and raw.texts is not None else {}


def _n_values(cells: pd.Categorical, missing: Collection[str]) -> int:
    return sum(not is_missing(text, missing) for text in cells.unique().dropna())


def _two_ways(where: Where, cells: pd.Categorical, read: Written) -> UserError:
    sign = "," if "," in read.example else "."
    other = MARKS[MARKS.index(sign) - 1]
    codes = [i for i, text in enumerate(cells.categories) if text.strip() == read.example]
    return where.error(
        int(np.argmax(np.isin(cells.codes, codes))),
        f"{read.example!r} may be {writings.plainly(read.example, sign)} (--decimal {sign}) or"
        f" {writings.plainly(read.example, other)} (--thousands {sign}); give one of them, as a key"
        " of the experiment in a config",
    )


def _plain(cells: pd.Categorical, missing: Collection[str], mark: str) -> pd.Categorical:
    """Write all texts plainly but for the missing ones; equal ones become one."""
    known: dict[str, int] = {}
    codes = [
        known.setdefault(
            each if is_missing(each, missing) else writings.plainly(text, mark), len(known)
        )
        for text in cells.categories
        for each in (bare(text),)
    ]
    recoded = np.array([*codes, -1], dtype=np.int32)[cells.codes]
    return categorical(recoded, list(known))
