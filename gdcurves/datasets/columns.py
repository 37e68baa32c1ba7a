"""One column in canonical form: numbers or levels, and which of the two it holds."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.config.reading import MISSING_TEXTS
from gdcurves.datasets.raw import categorical
from gdcurves.datasets.spec import Kind
from gdcurves.errors import UserError
from gdcurves.types import BoolArray, FloatArray

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.datasets.raw import Cells

FEW_NUMBERS = 10
"""Whole numbers of at most so many different values are taken for codes of levels."""

MOST_LEVELS = 1000
"""Texts of more different values are not taken for levels unless this is asked for."""

_PROBE = 10_000  # rows that mostly show already that a column's numbers are many
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_WHOLE_NUMBER = re.compile(r"([+-]?\d+)\.0*")
_DATE = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ].*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\d+:\d\d.*"
)

Fail = Callable[[int | None, str], UserError]
"""Makes an error about a column from a row, None for the whole column, and what is wrong."""


def is_missing(cell: object, missing: Collection[str] = MISSING_TEXTS) -> bool:
    """Tell whether a cell holds no value: None, NaN, or a text of the list."""
    return cell is None or cell != cell or (isinstance(cell, str) and cell.strip() in missing)


def level(cell: object) -> str:
    """Return the canonical text of a discrete value: 1, 1.0, " 1" and "1.0" are all "1"."""
    text = str(cell).strip()
    whole = _WHOLE_NUMBER.fullmatch(text)
    return whole[1] if whole else text


def levels(cells: Cells, missing: Collection[str]) -> pd.Categorical:
    """Canonical texts of a discrete column, sorted; code -1 where a value is missing."""
    import pandas as pd

    if isinstance(cells, np.ndarray):
        codes, distinct = pd.factorize(cells)
        texts = [level(value) for value in distinct.tolist()]
    else:
        codes, texts = cells.codes, [level(text) for text in cells.categories]
    used = np.zeros(len(texts) + 1, dtype=bool)
    used[codes] = True  # the last one, if a code is -1
    known = sorted({text for text, is_used in zip(texts, used, strict=False) if is_used})
    known = [text for text in known if text not in missing]
    place = {text: number for number, text in enumerate(known)}
    recoded = np.array([*(place.get(text, -1) for text in texts), -1], dtype=np.int32)
    return categorical(recoded[codes], known)


def numbers(cells: Cells, missing: Collection[str], fail: Fail) -> FloatArray:
    """Values of a continuous column, NaN where one is missing.

    Raises
    ------
    UserError
        A cell is no finite number.
    """
    if isinstance(cells, np.ndarray):
        values = cells
        codes = _codes(missing)
        if codes:
            values = np.where(np.isin(values, codes), np.nan, values)
        if np.isfinite(values).all():
            return values
        wrong = np.isinf(values)
    else:
        texts = [None if is_missing(text, missing) else text for text in cells.categories]
        parsed = np.array([*(np.nan if text is None else _number(text) for text in texts), np.nan])
        values = parsed.astype(np.float64)[cells.codes] + 0.0
        given = np.array([*(text is not None for text in texts), False])[cells.codes]
        wrong = given & ~np.isfinite(values)
    if wrong.any():
        row = int(np.argmax(wrong))
        found = float(cells[row]) if isinstance(cells, np.ndarray) else str(cells[row])
        raise fail(
            row,
            f"{found!r} is no finite number; leave the cell empty or write ? where the value is"
            " missing",
        )
    return values


def _number(text: str) -> float:
    """Return the number that a text spells, NaN if it spells none."""
    text = text.strip()
    return float(text) if _NUMBER.fullmatch(text) else math.nan


def _codes(missing: Collection[str]) -> list[float]:
    """Numbers that stand for a missing value."""
    return [number for number in map(_number, missing) if not math.isnan(number)]


def infer(cells: Cells, missing: Collection[str], fail: Fail) -> Kind | None:
    """Tell a column's kind from its cells; None where all are missing.

    Numbers are continuous, unless all are whole and there are at most `FEW_NUMBERS` different ones;
    these and texts are discrete.

    Raises
    ------
    UserError
        The cells are dates, mostly numbers but not all, or too many different texts.
    """
    if isinstance(cells, np.ndarray):
        return _kind_of_numbers(cells, missing)
    used = np.unique(cells.codes)
    texts = [cells.categories[code] for code in used if code >= 0]
    texts = [text for text in texts if not is_missing(text, missing)]
    if not texts:
        return None
    parsed = np.array([_number(text) for text in texts])
    spelled = ~np.isnan(parsed)
    if spelled.all():
        return _kind_of_numbers(parsed, missing)
    if spelled.sum() > FEW_NUMBERS and spelled.mean() > 0.5:
        _refuse_exceptions(cells, [t for t, ok in zip(texts, spelled, strict=True) if not ok], fail)
    if all(_DATE.fullmatch(text.strip()) for text in texts):
        raise fail(
            None,
            f"holds dates or times such as {texts[0].strip()!r}, which have no place among the"
            " inputs; make numbers of them, or name the column under 'drop' or 'discrete'",
        )
    if len(texts) > MOST_LEVELS:
        raise fail(
            None,
            f"holds {len(texts):,} different texts such as {texts[0].strip()!r}; name it under"
            " 'drop', or under 'discrete' if it is to be used all the same",
        )
    return "discrete"


def _refuse_exceptions(cells: pd.Categorical, texts: list[str], fail: Fail) -> None:
    code = cells.categories.get_loc(texts[0])
    row = int(np.argmax(cells.codes == code))
    raise fail(
        row,
        f"{texts[0]!r} is no number, and most of the column's other values are; correct it, or"
        " add it to 'missing_texts', or name the column under 'discrete'",
    )


def _kind_of_numbers(values: FloatArray, missing: Collection[str]) -> Kind | None:
    """Look at a part first: most columns of measurements show what they are there."""
    codes = _codes(missing)
    for some in (values[:_PROBE], values):
        given = some[~np.isnan(some)]
        distinct = np.unique(given)
        if codes:
            distinct = distinct[~np.isin(distinct, codes)]
        if np.any(distinct != np.floor(distinct)) or len(distinct) > FEW_NUMBERS:
            return "continuous"
    return "discrete" if len(distinct) else None


def identifies(cells: Cells) -> bool:
    """Tell whether every row has a text of its own, as names and keys of rows do."""
    if isinstance(cells, np.ndarray):
        return False
    used = np.unique(cells.codes)
    return len(used) == len(cells) > FEW_NUMBERS and bool(used[0] >= 0)


def gaps(cells: FloatArray | pd.Categorical) -> BoolArray:
    """Tell where a canonical column has no value."""
    missing: BoolArray = np.isnan(cells) if isinstance(cells, np.ndarray) else cells.codes < 0
    return missing
