"""How sure the value of a fitter is for other data, at every size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.crossings.evidence import Evidence
from gdcurves.crossings.interval import Spread
from gdcurves.crossings.paired import Paired
from gdcurves.curves import interval_of
from gdcurves.scoring.measures import MEASURES, Measure

if TYPE_CHECKING:
    import pandas as pd


def half_width(measure: Measure, read: Paired, a: int, k: int, evidence: Evidence) -> float:
    """Half of the 95 % interval of a fitter's mean value for other data of this kind.

    NaN where there is none: where a value was infinite, and where there are fewer than two.

    Parameters
    ----------
    measure, read
        What was measured.
    a, k
        Numbers of the fitter and of the size.
    evidence
        Of how sure it is.
    """
    values = read.values[a, k]
    known = values[~np.isnan(values)]
    if len(known) < 2 or np.isinf(known).any():
        return np.nan
    spread = Spread(len(known), float(known.std(ddof=1)), int(read.n_train[k]), int(read.n_test[k]))
    key = int(read.m[k]), measure.name, read.fitters[a], ""
    half, _ = evidence.half_width(key, spread)
    # Other values on which splits agree are those of rules without inputs.
    if evidence.of_units and known.mean() in (0.0, 1.0) and np.isfinite(measure.largest_difference):
        return max(half, spread.unseen())
    return half


def last(read: Paired, fitter: str) -> tuple[int, int]:
    """Numbers of a fitter and of the largest size."""
    return read.fitters.index(fitter), int(np.argmax(read.m))


def at_last(read: Paired, fitter: str) -> float:
    """A fitter's mean value at the largest size."""
    return float(np.nanmean(read.values[last(read, fitter)]))


def ends(measure: Measure, read: Paired, a: int, k: int, half: float) -> tuple[float, float]:
    """Ends of an interval about a fitter's mean value, given half of it, in the measure's range."""
    values = read.values[a, k]
    if np.isnan(half):
        return np.nan, np.nan
    mean = float(values[~np.isnan(values)].mean())
    return max(mean - half, 0.0), min(mean + half, measure.largest_difference)


def table(read: Mapping[str, Paired], evidence: Evidence) -> pd.DataFrame:
    """Columns `curves.interval_of` of every measure, for each fitter and size.

    Parameters
    ----------
    read
        What was measured, by name of the measure.
    evidence
        Of how sure values are.
    """
    import pandas as pd

    any_measure = next(iter(read.values()))
    rows = []
    for a, fitter in enumerate(any_measure.fitters):
        for k, m in enumerate(any_measure.m.tolist()):
            row: dict[str, object] = {"fitter": fitter, "m": m}
            for name, values in read.items():
                measure = MEASURES[name]
                pair = ends(measure, values, a, k, half_width(measure, values, a, k, evidence))
                row |= zip(interval_of(measure), pair, strict=True)
            rows.append(row)
    return pd.DataFrame(rows)
