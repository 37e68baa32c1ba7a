"""Numbers that stand for something else: -999 or 9.97e36, far outside their column."""

from __future__ import annotations

import re

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.datasets.written.whole import PROBE

MOST_CODES = 3
"""Different codes at one end of a column."""

HUGE = 1e20
"""Numbers of this size and above are used as codes."""

FAR = 10
"""So many times as far from all others as these are from each other is far for any number."""

_NINES = re.compile(r"-?99+(\.9+|\.0)?")


def codes(values: FloatArray) -> FloatArray:
    """Those of some numbers, `values` (n,), far outside the others, shape (k,); mostly none.

    They are the least or the largest ones. Nines, and numbers of 1e20 and above, are far where they
    are farther from the others than these from each other; numbers that repeat where it is ten
    times as far.
    """
    if not _may_have(values):
        return np.empty(0)
    finite = values[np.isfinite(values)]
    distinct, counts = np.unique(finite, return_counts=True)
    for order in (slice(None), slice(None, None, -1)):
        ends, n = distinct[order], counts[order]
        for k in range(min(MOST_CODES, len(ends) - 2), 0, -1):
            gap, span = abs(ends[k] - ends[k - 1]), abs(ends[-1] - ends[k])
            coded = all(map(_is_code, ends[:k].tolist())) and gap > span
            if coded or (gap > FAR * span and (n[:k] > 1).all()):
                return np.sort(ends[:k])
    return np.empty(0)


def _may_have(values: FloatArray) -> bool:
    """Tell from the first rows and the ends whether it is worth to sort numbers (n,)."""
    first = values[:PROBE]
    some = np.unique(first[np.isfinite(first)])
    if len(some) < MOST_CODES:  # these rows do not show what is usual
        return bool(np.isfinite(values).any())
    trim = min(MOST_CODES, (len(some) - 1) // 2)
    low, high = some[trim], some[len(some) - 1 - trim]
    span = (high - low) / 2
    return bool(np.fmin.reduce(values) < low - span or np.fmax.reduce(values) > high + span)


def _is_code(value: float) -> bool:
    return abs(value) >= HUGE or _NINES.fullmatch(repr(value)) is not None
