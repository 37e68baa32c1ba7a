"""One column in canonical form: numbers or levels."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.config.reading import MISSING_TEXTS
from gdcurves.datasets.raw import Where, categorical
from gdcurves.datasets.written import spelling, writings
from gdcurves.words import MISSING_TEXT

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.datasets.raw import Cells

# What else to do about a text among numbers, by the key that asks for numbers.
_INSTEAD: dict[tuple[str | int, ...], str] = {
    ("continuous",): "take the column out of 'continuous' if it holds texts",
    ("threshold",): "leave out the threshold if the target holds labels",
}
_WHOLE_NUMBER = re.compile(r"([+-]?\d+)\.0*")


def is_missing(cell: object, missing: Collection[str] = MISSING_TEXTS) -> bool:
    """Tell whether a cell holds no value: None, NaN, or a text of the list."""
    return cell is None or cell != cell or (isinstance(cell, str) and cell.strip() in missing)


def are_missing(texts: Sequence[str], missing: Collection[str]) -> BoolArray:
    """Tell which of n texts of a column that may be numbers hold no value, shape (n,).

    That are those of the list, and each number that one of the list spells, as 999.0 is for 999;
    whole ones with zeros in front may be codes, and are what they are written.
    """
    listed = np.array([is_missing(text, missing) for text in texts], dtype=bool)
    codes = missing_numbers(missing)
    if not codes:
        return listed
    equal = np.isin(spelling.numbers(texts), codes) & ~spelling.are_padded(texts)
    return listed | equal


def level(cell: object) -> str:
    """Return the canonical text of a discrete value: 1, 1.0, " 1" and "1.0" are all "1"."""
    text = str(cell).strip()
    whole = _WHOLE_NUMBER.fullmatch(text)
    return whole[1] if whole else text


def levels(cells: Cells, missing: Collection[str]) -> pd.Categorical:
    """Canonical texts of a discrete column, sorted, from its cells (n,).

    n codes; -1 where a value is missing.
    """
    import pandas as pd

    if isinstance(cells, np.ndarray):
        codes, distinct = pd.factorize(cells)
        texts = [level(value) for value in distinct.tolist()]
    else:
        codes, texts = cells.codes, [level(text) for text in cells.categories]
    used = np.zeros(len(texts) + 1, dtype=bool)
    used[codes] = True  # the last one, if a code is -1
    known = sorted({text for text, is_used in zip(texts, used, strict=False) if is_used})
    gone = {*missing, *map(level, missing)}
    known = [text for text in known if text not in gone]
    new_code = {text: number for number, text in enumerate(known)}
    recoded = np.array([*(new_code.get(text, -1) for text in texts), -1], dtype=np.int32)
    return categorical(recoded[codes], known)


def numbers(cells: Cells, missing: Collection[str], where: Where) -> FloatArray:
    """Values (n,) of a continuous column from its cells (n,), NaN where one is missing.

    Raises
    ------
    UserError
        A cell is no finite number.
    """
    if isinstance(cells, np.ndarray):
        values = cells
        codes = missing_numbers(missing)
        if codes:
            values = np.where(np.isin(values, codes), np.nan, values)
        if np.isfinite(values).all():
            return values
        wrong = np.isinf(values)
    else:
        texts = list(cells.categories)
        empty = np.append(are_missing(texts, missing), True)
        values = np.append(spelling.numbers(texts), np.nan)
        values = np.where(empty, np.nan, values)[cells.codes] + 0.0
        wrong = ~empty[cells.codes] & ~np.isfinite(values)
    if wrong.any():
        row = int(np.argmax(wrong))
        cell = cells[row]
        instead = _INSTEAD.get(where.keys[:1], "leave the cell empty")
        raise where.error(
            row,
            f"{_not_finite(cell)}; correct it, or add it to {MISSING_TEXT}, or {instead}"
            + (f"; {writings.how([str(cell)])}" if _size(cell) != _size(cell) else ""),
        )
    return values


def _size(cell: Any) -> float:
    """What a cell is as a number, infinity among them; NaN if it is none."""
    return spelling.number(cell) if isinstance(cell, str) else float(cell)


def _not_finite(cell: Any) -> str:
    """Say that a cell is no finite number: a text in quotes, or inf, and what is that large."""
    size = _size(cell)
    if size != size:
        return f"{cell!r} is no finite number"
    too_large = isinstance(cell, str) and any(each.isdigit() for each in cell)
    larger = f" ({cell.strip()!r} is larger than any that is)" if too_large else ""
    return f"{size} is no finite number{larger}"


def missing_numbers(missing: Collection[str]) -> list[float]:
    """Numbers that stand for a missing value."""
    return [number for number in map(spelling.number, missing) if number == number]


def gaps(cells: FloatArray | pd.Categorical) -> BoolArray:
    """Tell where the cells (n,) of a canonical column hold no value, shape (n,)."""
    missing: BoolArray = np.isnan(cells) if isinstance(cells, np.ndarray) else cells.codes < 0
    return missing
