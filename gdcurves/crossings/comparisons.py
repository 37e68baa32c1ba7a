"""All pairs of fitters at all sizes by all measures: differences, and how sure they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import stdtrit

from gdcurves.crossings.crossing import LEAST_SPLITS, LEVEL
from gdcurves.crossings.evidence import Evidence
from gdcurves.crossings.interval import Spread
from gdcurves.crossings.paired import Paired
from gdcurves.scoring.measures import MEASURES, Measure
from gdcurves.store import contents
from gdcurves.store.table import TableFormat

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Comparison:
    """Two fitters at a size.

    Attributes
    ----------
    m
        The size.
    difference
        Mean over the splits of the value of `fitter_a` less that of `fitter_b`; splits in which one
        of them is not finite are left out.
    se_splits
        Its Monte Carlo standard error, from the splits alone; NaN for one split.
    low, high
        95 % interval for other data of this kind.
    better
        The fitter that is better by it. Empty where it holds zero, where the difference is not
        beyond chance on these data (by the splits alone, at 95 % for all sizes together, from 20
        splits on), where the rows are too few or the fitters differ on too few, and where a value
        was infinite.
    n_splits
        How many splits it is a mean over.
    interval
        Where the interval comes from, see `gdcurves.crossings.evidence`.
    """

    m: int
    difference: float
    se_splits: float
    low: float
    high: float
    better: str
    n_splits: int
    interval: str


COLUMNS = ("experiment", "measure", "fitter_a", "fitter_b", *(f.name for f in fields(Comparison)))
TABLE = TableFormat(
    contents.COMPARISONS,
    COLUMNS,
    texts=frozenset({"experiment", "measure", "fitter_a", "fitter_b", "better", "interval"}),
    needed=COLUMNS,
)


Pair = tuple[str, str, str]  # name of a measure, and of fitters a and b


def of_pairs(read: Mapping[str, Paired], evidence: Evidence) -> dict[Pair, tuple[Comparison, ...]]:
    """Compare all pairs of fitters by each measure, at ascending sizes.

    Parameters
    ----------
    read
        What was measured, by name of the measure.
    evidence
        Of how sure differences are.
    """
    return {
        (name, values.fitters[a], values.fitters[b]): tuple(
            _compare(MEASURES[name], values.of(a, b), evidence)
        )
        for name, values in read.items()
        for a, b in combinations(range(len(values.fitters)), 2)
    }


def table(experiment: str, compared: Mapping[Pair, Sequence[Comparison]]) -> pd.DataFrame:
    """One row for each measure, pair of fitters and size; columns as in `Comparison`."""
    import pandas as pd

    rows = [
        {
            "experiment": experiment,
            "measure": measure,
            "fitter_a": a,
            "fitter_b": b,
            **asdict(each),
        }
        for (measure, a, b), sizes in compared.items()
        for each in sizes
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _compare(measure: Measure, two: Paired, evidence: Evidence) -> Iterator[Comparison]:
    """Compare two fitters at every size at which there are splits in which both have a value."""
    a, b = two.fitters
    infinite = set(two.m[np.isinf(two.values).any(axis=2).any(axis=0)].tolist())
    known = two.complete()
    if len(known.fitters) < 2:
        return
    negative, positive = known.better(0, 1)
    for k, (mean, deviation) in enumerate(zip(*known.difference(0, 1), strict=True)):
        m, n = int(known.m[k]), int(known.n_splits[k])
        spread = Spread(n, float(deviation), int(known.n_train[k]), int(known.n_test[k]))
        half_width, telling = evidence.half_width((m, measure.name, a, b), spread)
        if evidence.of_units and mean:
            half_width = max(half_width, spread.unseen())
        se = float(deviation / np.sqrt(n))
        sure = stdtrit(max(n - 1, 1), 1 - (1 - LEVEL) / 2 / len(known.m))
        most = measure.largest_difference
        low = float(np.clip(mean - half_width, -most, most))
        high = float(np.clip(mean + half_width, -most, most))
        better = ""
        if telling and m not in infinite and n >= LEAST_SPLITS and abs(mean) > sure * se:
            better = negative if high < 0 else positive if low > 0 else ""
        yield Comparison(m, float(mean), se, low, high, better, n, evidence.name)
