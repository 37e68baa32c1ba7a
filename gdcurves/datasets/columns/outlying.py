"""Numbers that stand for something else: -999 or 9.97e36, far outside their column."""

from __future__ import annotations

import re

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.datasets.written.whole import PROBE, SCORES

MOST_CODES = 3
"""Different codes at one end of a column."""

HUGE = 1e20
"""Numbers of this size and above are used as codes."""

FAR = 10
"""So many times as far from all others as these are from each other is far for any number."""

NEAR = 2
"""Numbers of a scale, and counts, are at most so far from the next."""

# So many at the lower end and at the upper one, most first.
_ENDS = sorted(
    ((low, high) for low in range(MOST_CODES + 1) for high in range(MOST_CODES + 1) if low + high),
    key=lambda ends: -sum(ends),
)

_SCALE = re.compile(r"-?(7+|8+|9+)\.0")
_NINES = re.compile(r"-?99+(\.9+|\.0)?")


def codes(values: FloatArray) -> FloatArray:
    """Those of some numbers, `values` (n,), far outside the others, shape (k,); mostly none.

    They are the least, the largest, or both. Nines, and numbers of 1e20 and above, are far where
    they are farther from the others than these from each other; numbers at one end that repeat, but
    stand in no more rows than the others, where it is ten times as far. Beside a scale from 0 or 1
    on, 8, 9, 77, -8, -99 and the like that repeat are nearer.
    """
    if not _may_have(values):
        return np.empty(0)
    finite = values[np.isfinite(values)]
    distinct, counts = np.unique(finite, return_counts=True)
    for low, high in _ENDS:
        after = len(distinct) - high
        others = distinct[low:after]
        if len(others) < 2:
            continue
        ends = np.concatenate([distinct[:low], distinct[after:]])
        repeat = bool((counts[:low] > 1).all() and (counts[after:] > 1).all())
        gaps = [*(others[0] - distinct[:low])[-1:], *(distinct[after:] - others[-1])[:1]]
        span, gap = others[-1] - others[0], min(gaps)
        coded = all(map(_is_code, ends.tolist())) and gap > span
        few = 2 * counts[low:after].sum() >= counts.sum()
        repeated = 0 in (low, high) and repeat and few and gap > FAR * span
        if coded or repeated or (repeat and _are_beside(ends, others, gap)):
            return ends
    return np.empty(0)


def _are_beside(ends: FloatArray, scale: FloatArray, gap: float) -> bool:
    """Whether `ends` (j,), `gap` away, are as codes are above or below a scale (k,) from 0 or 1."""
    return bool(
        scale[0] in (0, 1)
        and len(scale) <= SCORES
        and np.array_equal(scale, scale[0] + np.arange(len(scale)))
        and all(_SCALE.fullmatch(repr(each)) for each in ends.tolist())
        and ends[-1] != 7
        and gap > max(NEAR, (scale[-1] - scale[0]) / 2)
    )


def _may_have(values: FloatArray) -> bool:
    """Tell from the first rows and the ends whether it is worth to sort numbers (n,)."""
    first = values[:PROBE]
    some = np.unique(first[np.isfinite(first)])
    if len(some) < MOST_CODES:  # these rows do not show what is usual
        return bool(np.isfinite(values).any())
    if len(some) <= SCORES + MOST_CODES and np.diff(some).max() > NEAR:
        return True
    trim = min(MOST_CODES, (len(some) - 1) // 2)
    low, high = some[trim], some[len(some) - 1 - trim]
    span = (high - low) / 2
    return bool(np.fmin.reduce(values) < low - span or np.fmax.reduce(values) > high + span)


def _is_code(value: float) -> bool:
    return abs(value) >= HUGE or _NINES.fullmatch(repr(value)) is not None
