"""Whole numbers: few of them may be codes, and large ones are not what floats make of them."""

from __future__ import annotations

import numpy as np

from gdcurves.arrays import FloatArray

FEW_NUMBERS = 10
"""Whole numbers of at most so many different values may be codes, and are kept as written."""

LEVELS = 2
"""Whole numbers of at most so many different values are levels, more are numbers."""

SCORES = 11
"""Whole numbers of at most so many different values may be scores, from 0 to 10 for instance."""

EXACT = 2.0**53
"""Below this size, every whole number is a float of its own."""

PROBE = 10_000
"""Rows that mostly show already what a column's numbers are."""


def are_few(values: FloatArray, most: int = FEW_NUMBERS) -> bool:
    """Tell whether numbers, `values` (n,), are whole but for NaN, and at most so many differ."""
    for some in (values[:PROBE], values):
        distinct = np.unique(some[~np.isnan(some)])
        if len(distinct) > most or np.any(distinct != np.floor(distinct)):
            return False
    return True


def are_whole(values: FloatArray) -> bool:
    """Tell whether numbers, `values` (n,), are all whole but for NaN."""
    given = values[~np.isnan(values)]
    return bool(np.all(given == np.floor(given)))


def are_texts(values: FloatArray) -> bool:
    """Tell whether cells that are numbers, `values` (n,), must be kept as they are written.

    So they must where they may be codes, as "01" and "1" are two of them, or are whole numbers of
    which floats are not exact.
    """
    if not are_whole(values[:PROBE]):
        return False
    return are_few(values) or (are_large(values) and are_whole(values))


def are_large(values: FloatArray) -> bool:
    """Tell whether a number of `values` (n,) is finite, and of a size where floats skip some."""
    finite = np.abs(values[np.isfinite(values)])
    return bool(np.max(finite, initial=0.0) >= EXACT)
