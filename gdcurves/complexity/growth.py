"""How the rows needed grow with the number of features in a family of laws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.complexity.needed import LEVEL, Needed


@dataclass(frozen=True)
class Growth:
    """Slopes by least squares over the members that reach their limit, with 95 % intervals.

    Attributes
    ----------
    slope
        Of log m_needed in log n: 1 for what grows as n, 0 for what does not grow. With its
        interval.
    per_ln_n
        Of m_needed in ln n: rows for each factor of e in n, of what grows as log n. With its
        interval.
    """

    slope: tuple[float, float, float]
    per_ln_n: tuple[float, float, float]


def growth(n: Sequence[int], members: Sequence[Needed]) -> Growth | None:
    """Fit both slopes; None where fewer than two members reach their limit.

    Splits are resampled in each member by itself.
    """
    known = [i for i, each in enumerate(members) if each.kind == "reached"]
    if len(known) < 2:
        return None
    x = np.log(np.array([n[i] for i in known], dtype=float))
    m = np.array([members[i].m for i in known])
    resampled = np.stack([members[i].resampled for i in known], axis=1)
    finite = resampled[np.isfinite(resampled).all(axis=1)]
    return Growth(
        _with_ends(x, np.log(m), np.log(finite)),
        _with_ends(x, m, finite),
    )


def _with_ends(x: FloatArray, y: FloatArray, resampled: FloatArray) -> tuple[float, float, float]:
    """Slope of y (k,) in x (k,), and quantiles of those of `resampled` ones (B, k)."""
    off = x - x.mean()
    by = off / (off @ off)
    slopes = resampled @ by if len(resampled) else np.full(1, np.nan)
    low, high = np.quantile(slopes, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(by @ y), float(low), float(high)
