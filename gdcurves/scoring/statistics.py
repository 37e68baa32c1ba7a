"""What splits have in common: means, standard errors, quantiles."""

from __future__ import annotations

import numpy as np

from gdcurves.arrays import FloatArray

MOMENTS = ("mean", "se", "median", "q10", "q90")


def moments(name: str, values: FloatArray) -> dict[str, float]:
    """Mean, Monte Carlo standard error and quantiles of values (J,), under their names.

    Infinite values count as such in median and quantiles, and are left out of mean and standard
    error (standard deviation over the square root of the number).
    """
    finite = values[np.isfinite(values)]
    n = len(finite)
    known = values[~np.isnan(values)]
    return {
        f"{name}_mean": float(finite.mean()) if n else np.nan,
        f"{name}_se": float(finite.std(ddof=1) / np.sqrt(n)) if n > 1 else np.nan,
        f"{name}_median": quantile(known, 0.5),
        f"{name}_q10": quantile(known, 0.1),
        f"{name}_q90": quantile(known, 0.9),
    }


def quantile(values: FloatArray, level: float) -> float:
    """Quantile of values (J,) by linear interpolation (type 7).

    Infinite where a neighbour with weight is; NaN half-way from minus infinity to infinity, and
    without values.
    """
    if not len(values):
        return np.nan
    ordered = np.sort(values)
    position = level * (len(ordered) - 1)
    below = int(position)
    share = position - below
    if share == 0:
        return float(ordered[below])
    low, high = float(ordered[below]), float(ordered[below + 1])
    return (1 - share) * low + share * high
