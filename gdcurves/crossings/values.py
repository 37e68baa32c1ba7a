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


def ends(measure: Measure, read: Paired, a: int, k: int, evidence: Evidence) -> tuple[float, float]:
    """Ends of the 95 % interval of a fitter's mean value for other data of this kind.

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
        return np.nan, np.nan
    spread = Spread(len(known), float(known.std(ddof=1)), int(read.n_train[k]), int(read.n_test[k]))
    key = int(read.m[k]), measure.name, read.fitters[a], ""
    half_width, _ = evidence.half_width(key, spread)
    mean = float(known.mean())
    # Other values on which splits agree are those of rules without inputs.
    if evidence.of_units and mean in (0.0, 1.0) and np.isfinite(measure.largest_difference):
        half_width = max(half_width, spread.unseen())
    return max(mean - half_width, 0.0), min(mean + half_width, measure.largest_difference)


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
                pair = ends(measure, values, a, k, evidence)
                row |= zip(interval_of(measure), pair, strict=True)
            rows.append(row)
    return pd.DataFrame(rows)
