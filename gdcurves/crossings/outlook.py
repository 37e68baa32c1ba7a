"""What every fitter reaches with the rows there are, and what it would with more, as a table."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy.special import ndtri

from gdcurves import trends
from gdcurves.arrays import FloatArray
from gdcurves.config.sizes import FORESEEN
from gdcurves.crossings.crossing import LEAST_SPLITS, LEVEL
from gdcurves.crossings.evidence import Evidence
from gdcurves.crossings.paired import Curve, Paired
from gdcurves.crossings.values import ends, half_width
from gdcurves.scoring.measures import MEASURES, Measure
from gdcurves.store import contents
from gdcurves.store.table import TableFormat
from gdcurves.trends import Trend

if TYPE_CHECKING:
    import pandas as pd

AHEAD = (2, 4)  # times the largest size
FALLS = 0.002  # what twice as many training rows bring at least, where a curve still falls
MATTERS = 0.005  # what they bring at most, where it does not,
MATTERS_PART = 0.03  # or a part of the loss that there is
TARGETED = "error"  # the measure that targets are of
# The largest size, at least, of curves that are foreseen: shorter ones say nothing of how they go
# on, and scripts/backtest_outlook.py has measured none.
FEWEST = 12

REACH = float(ndtri((1 + LEVEL) / 2))  # half of a 95 % interval, in standard deviations

Falls = Literal["yes", "no", "unknown"]


@dataclass(frozen=True)
class Outlook:
    """A fitter at its largest size, and at a size beyond.

    Attributes
    ----------
    m_last, value_last
        The largest size, and the mean over the splits there.
    low_last, high_last
        95 % interval of that for other data of this kind, see `evidence`.
    falls
        Whether twice as many training rows would bring more than `FALLS` ("yes"), or less than
        `MATTERS` or `MATTERS_PART` of the loss ("no"), where either is sure; a loss below `MATTERS`
        has no more to fall. What is foreseen must show it too. "unknown" elsewhere, and where the
        curve is not of the form that `gdcurves.trends` knows. At the size of a number of rows that
        was asked about, whether these would: as much is worth as much, however many rows bring it,
        so that a few may hardly change what twice as many would.
    m_ahead
        The size beyond.
    value_ahead, low_ahead, high_ahead
        The mean that is foreseen there, and its 95 % interval for other data of this kind, to which
        more rows belong; NaN where the curve is not of that form, or more than `FORESEEN` times the
        largest size are asked about.
    rows_for_target, rows_for_target_low, rows_for_target_high
        Training rows at which the mean error is foreseen to be the target, and 95 % interval;
        infinite what is more than `FORESEEN` times the largest size. Where it is reached, the first
        size from which on it is, without an interval. NaN without a target or a form.
    """

    m_last: int
    value_last: float
    low_last: float
    high_last: float
    falls: Falls
    m_ahead: int
    value_ahead: float = np.nan
    low_ahead: float = np.nan
    high_ahead: float = np.nan
    rows_for_target: float = np.nan
    rows_for_target_low: float = np.nan
    rows_for_target_high: float = np.nan


COLUMNS = ("experiment", "fitter", "measure", *(each.name for each in fields(Outlook)))
TABLE = TableFormat(
    contents.OUTLOOK,
    COLUMNS,
    texts=frozenset({"experiment", "fitter", "measure", "falls"}),
    needed=COLUMNS,
)


def table(
    experiment: str,
    read: Mapping[str, Paired],
    evidence: Evidence,
    target: float | None = None,
    more: int | None = None,
    guessing: Collection[str] = (),
    unproven: Collection[tuple[str, str]] = (),
) -> pd.DataFrame:
    """A row for each measure and fitter at each of the sizes `AHEAD`, and `more`; see `Outlook`.

    A fitter whose value was infinite in some split has none, nor has one that only guesses: its
    error tends to the base rate, whatever its curve looks like.

    Parameters
    ----------
    experiment
        Its name.
    read
        What was measured, by name of the measure.
    evidence
        Of how sure values are.
    target
        The error that is to be reached.
    more
        How many more training rows, or groups of them, are asked about.
    guessing
        Names of fitters that always answer the largest class.
    unproven
        Measures and fitters that are not shown to be better than these at the largest size: of
        what may be chance nothing tells that it goes on.
    """
    import pandas as pd

    rows = [
        {"experiment": experiment, "fitter": fitter, "measure": name, **asdict(each)}
        for name, values in read.items()
        for a, fitter in enumerate(values.fitters)
        if fitter not in guessing
        if not np.isinf(values.values[a]).any() and np.isfinite(values.values[a]).any()
        for each in outlook(
            MEASURES[name], values, a, evidence, target if name == TARGETED else None, more
        )
    ]
    for row in rows:
        if row["falls"] == "yes" and (row["measure"], row["fitter"]) in unproven:
            row["falls"] = "unknown"
    return pd.DataFrame(rows, columns=list(COLUMNS))


def outlook(
    measure: Measure,
    read: Paired,
    a: int,
    evidence: Evidence,
    target: float | None,
    more: int | None,
) -> Iterator[Outlook]:
    """Foresee the curve of a fitter, by its number, at the sizes ahead; see `table`."""
    curve = read.curve(a)
    m = int(curve.m[-1])
    at = int(np.flatnonzero(read.m == m)[0])
    half = half_width(measure, read, a, at, evidence)
    low, high = ends(measure, read, a, at, half)
    trend = of_one(measure, curve, half / REACH)
    if trend is not None and _rises(measure, curve, trend):
        trend = None
    elsewhere = None if trend is None else trend.elsewhere(half / REACH)
    needed = _rows_for(target, curve, elsewhere)
    loss = float(_loss(measure, curve.mean[-1:])[0])
    own = of_one(measure, curve, 0.0)
    twice = falls(loss, own, trend, 2.0)
    judged = {ratio * m: twice for ratio in AHEAD}  # by size ahead
    if more is not None:
        near = trend if m + more <= FORESEEN * m else None
        judged[m + more] = falls(loss, own, near, (m + more) / m)
    for m_ahead, falling in sorted(judged.items()):
        known = elsewhere if m_ahead <= FORESEEN * m else None
        ahead = (np.nan,) * 3 if known is None else _ahead(measure, known, m_ahead / m, loss)
        yield Outlook(
            m,
            float(curve.mean[-1]),
            low,
            high,
            falling,
            m_ahead,
            *ahead,
            *needed,
        )


def of_fitters(measure: Measure, read: Paired) -> tuple[Trend | None, ...]:
    """How the loss of each fitter goes on; None where its curve is not of a form that is known."""
    return tuple(of_one(measure, read.curve(a), 0.0) for a in range(len(read.fitters)))


def of_one(measure: Measure, curve: Curve, deviation: float) -> Trend | None:
    """How the loss of one fitter goes on; None where its curve is not of a form that is known.

    Parameters
    ----------
    measure, curve
        Its curve, and of what.
    deviation
        Standard deviation over other data sets of the mean at the largest size.
    """
    if curve.n_splits.min() < LEAST_SPLITS or curve.m[-1] < FEWEST:
        return None
    # Means over splits lie no further apart than single splits do, see `Spread.half_width`.
    single = float(np.sqrt(curve.covariance[-1, -1] * curve.n_splits[-1]))
    astray = trends.straying(curve.m, float(np.fmin(deviation, single)))
    trend = Trend.of(curve.m, _loss(measure, curve.mean), curve.covariance + astray)
    return trend if trend is not None and trend.fits else None


def _rises(measure: Measure, curve: Curve, trend: Trend) -> bool:
    """Whether what is foreseen is surely worse than what there is, which no form says."""
    _, low, _ = trend.loss(np.array(AHEAD, dtype=np.float64))
    return bool((low > _loss(measure, curve.mean[-1:])[0]).any())


def _loss(measure: Measure, values: FloatArray) -> FloatArray:
    """Values, or where higher ones are better what they lack of the best; and back (...)."""
    return values if measure.better == "lower" else measure.largest_difference - values


def _ahead(measure: Measure, trend: Trend, ratio: float, loss: float) -> tuple[float, float, float]:
    """Value at so many times the largest size, and the ends of its interval.

    It is no worse than the one at the largest size, whose `loss` may lie below the curves, and all
    are in the measure's range.
    """
    most = measure.largest_difference
    middle, low, high = (min(float(each[0]), most) for each in trend.loss(np.array([ratio])))
    losses = np.array([min(middle, max(loss, low)), low, high])
    value, *ends = _loss(measure, losses).tolist()
    return value, min(ends), max(ends)


def falls(loss: float, own: Trend | None, trend: Trend | None, ratio: float) -> Falls:
    """Whether `ratio` times as many training rows would still bring something, see `Outlook`.

    Parameters
    ----------
    loss
        What there is at the largest size.
    own
        How the curve of these data goes on as it is.
    trend
        How it does given by how much it may stray, which is what is shown.
    """
    if loss < MATTERS:  # that is all that could be brought
        return "no"
    if own is None or trend is None:
        return "unknown"
    low, high = own.fall_ends(ratio)
    # What is shown beside it is the mean at the largest size, which may lie off the curves.
    shown = loss - float(trend.loss(np.array([ratio]))[0][0])
    little = max(MATTERS, MATTERS_PART * own.last)
    if high < little and abs(shown) < little:
        return "no"
    return "yes" if low > FALLS and shown > FALLS else "unknown"


def _rows_for(target: float | None, curve: Curve, trend: Trend | None) -> tuple[float, ...]:
    """Training rows for an error, and the ends of their interval."""
    if target is None:
        return ()
    above = np.flatnonzero(curve.mean > target)
    if not above.size or above[-1] < len(curve.m) - 1:
        first = above[-1] + 1 if above.size else 0
        return (float(curve.m[first]),)
    if trend is None:
        return ()
    ratios = (trends.reached(each, target) for each in trend.loss(trends.RATIOS))
    return tuple(trend.m * each if each <= FORESEEN else np.inf for each in ratios)
