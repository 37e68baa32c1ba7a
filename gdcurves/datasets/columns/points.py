"""Points that may stand between thousands, as in 12.345, where nothing in a file shows it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.datasets.columns.cells import is_missing
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.written import spelling
from gdcurves.datasets.written.whole import LEVELS, PROBE, are_whole

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.arrays import FloatArray

_THREE = re.compile(r"[+-]?[1-9][0-9]{0,2}\.[0-9]{3}")
_SHOWN = 1000  # lines that show how numbers are written, where values do not
_BARE = re.compile(r"[+-]?(0|[1-9][0-9]{0,2})")


def doubt(
    raw: Raw, names: Collection[str], known: Collection[str], missing: Collection[str]
) -> Remark | None:
    """Name the columns of 1.234, 12.345 and the like alone, unless another one shows a point.

    Parameters
    ----------
    raw
        The source as it is written.
    names, known
        Columns that are read as numbers, and those of which the user has said so.
    missing
        Texts that stand for a missing value among numbers.
    """
    texts: dict[str, pd.Categorical] = {}
    numbers: list[str] = []
    for name in names:
        cells = raw.columns[name]
        if not isinstance(cells, np.ndarray):
            texts[name] = cells
        elif not are_whole(cells):
            if raw.texts is None or not (_may_be(cells[:PROBE]) and _may_be(cells)):
                return None
            numbers.append(name)
    examples: dict[str, str] = {}
    if numbers and raw.texts is not None:  # all rows may be, so that the first ones show enough
        texts |= raw.texts(numbers, _SHOWN)
    for name, each in texts.items():
        three = _three_digits(each, missing)
        if three is None:
            return None
        if three and name not in known:
            examples[name] = three
    return _remark(raw.origin, examples) if examples else None


def _three_digits(cells: pd.Categorical, missing: Collection[str]) -> str | None:
    """A text such as 12.345 of a column that has no other points; "" if there is none at all.

    None where a point stands before decimals. Many different texts are not looked at to the end.
    """
    given = [text.strip() for text in cells.categories[:PROBE] if not is_missing(text, missing)]
    three = [text for text in given if _THREE.fullmatch(text)]
    others = [text for text in given if not _THREE.fullmatch(text)]
    if any("." in text and spelling.number(text) == spelling.number(text) for text in others):
        return None
    alone = len(given) > LEVELS and all(map(_BARE.fullmatch, others))
    return three[0] if three and alone else ""


def _may_be(values: FloatArray) -> bool:
    """Tell whether all of numbers (n,) may be whole ones below a million with points in them."""
    sizes = np.abs(values[np.isfinite(values)])
    sizes = sizes[sizes != np.floor(sizes)]
    near = np.abs(sizes * 1000 - np.rint(sizes * 1000)) < 1e-6
    return bool((near & (sizes >= 1) & (sizes < 1000)).all())


def _remark(origin: str, examples: Mapping[str, str]) -> Remark:
    return Remark(
        About.POINTS,
        f"{origin}: read with a decimal point: ",
        tuple(f"{name!r} (such as {text})" for name, text in examples.items()),
        "; if the points stand between thousands, give --thousands . (`thousands`), else --decimal"
        " . (`decimal`)",
    )
