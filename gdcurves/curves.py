"""Learning curves: what the splits of each experiment, fitter and m have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gdcurves.fitters.diagnostics import DIAGNOSTICS, Kind
from gdcurves.scoring.measures import Measure, chosen
from gdcurves.scoring.statistics import MOMENTS, quantile
from gdcurves.store import contents
from gdcurves.store.rows import read_groups
from gdcurves.store.table import TableFormat

if TYPE_CHECKING:
    import pandas as pd

LEADING = ("experiment", "fitter", "m", "n_splits", "n_test")
SHARES = ("separable", "quasi_separable", "no_mle", "undecided")  # of the outcomes of training sets
TABLE = TableFormat(contents.CURVES, LEADING, texts=frozenset({"experiment", "fitter"}))


def columns(measures: Iterable[Measure]) -> tuple[str, ...]:
    """Columns of curves.csv with these measures; theta0, theta1, ... of hybrids may follow."""
    measures = list(measures)
    shares = [SHARES for kind in DIAGNOSTICS.values() if kind == "outcome"]
    means = [name for name, kind in DIAGNOSTICS.items() if kind in ("flag", "number")]
    return (
        *LEADING,
        *(f"{each.name}_{moment}" for each in measures for moment in MOMENTS),
        *(name for each in shares for name in each),
        *(name for each in measures for name in each.further),
        "n_train",
        *(name for each in measures for name in each.of_sums),
        *means,
    )


def interval_of(measure: Measure) -> tuple[str, str]:
    """Columns with the ends of its interval for other data, in runs that have one for every row."""
    return f"{measure.name}_low", f"{measure.name}_high"


def of_chunks(
    experiment: str, paths: Sequence[Path], measures: Sequence[Measure] = chosen()
) -> pd.DataFrame:
    """Curves of one experiment from its files of raw rows, see `summarise`.

    Holds the rows of one fitter and m at a time.
    """
    # Keeps no reference to the rows while the next ones are read.
    return _table(map(partial(_point, experiment, measures), read_groups(paths)), measures)


def summarise(
    experiment: str, rows: pd.DataFrame, measures: Sequence[Measure] = chosen()
) -> pd.DataFrame:
    """Curves of one experiment from its raw rows.

    Means and Monte Carlo standard errors (standard deviation over the square root of the number)
    are over splits, see `gdcurves.scoring.statistics.moments` and each measure's own columns.
    `separable`, `quasi_separable`, `undecided` and `no_mle` (any of the three) are fractions of the
    splits, empty for fitters that always have a maximum. `n_train` is a mean, and so is `n_test`
    where training sets are drawn by groups of rows. For fitters with a rule for degenerate training
    sets, `degenerate` is the fraction that needed it; for hybrids that
    leave rows out of the fit of theta, `left_out` is their mean number, and the columns theta0,
    theta1, ... are medians over the splits that have them, empty half-way from minus infinity to
    infinity.
    """
    groups = rows.groupby(["fitter", "m"], sort=False)
    return _table((_point(experiment, measures, group) for _, group in groups), measures)


def _table(points: Iterable[dict[str, object]], measures: Sequence[Measure]) -> pd.DataFrame:
    import pandas as pd

    table = list(points)
    fixed = columns(measures)
    thetas = {name: None for row in table for name in row if name not in fixed}
    return pd.DataFrame(table, columns=[*fixed, *thetas])


def _point(experiment: str, measures: Sequence[Measure], rows: pd.DataFrame) -> dict[str, object]:
    """Summarise the rows of one fitter and m, in the order of their splits."""
    if not rows["split"].is_monotonic_increasing:
        rows = rows.sort_values("split")
    point: dict[str, object] = {
        "experiment": experiment,
        "fitter": rows["fitter"].iloc[0],
        "m": rows["m"].iloc[0],
        "n_splits": len(rows),
        "n_train": rows["n_train"].mean(),
        "n_test": _count(rows["n_test"]),
    }
    for measure in measures:
        point |= measure.summary(rows)
    for name, kind in DIAGNOSTICS.items():
        point |= SUMMARIES[kind](name, rows[name])
    return point


def _count(n: pd.Series[Any]) -> float:
    """A number that is the same in all splits, or the mean of several."""
    return n.iloc[0] if n.nunique() == 1 else float(n.mean())


def _mean(name: str, values: pd.Series[Any]) -> dict[str, float]:
    return {name: values.mean()}


def _shares(name: str, outcome: pd.Series[str]) -> dict[str, float]:
    """Shares of the kinds of training sets; none where nobody looked."""
    if not (outcome != "").any():
        return {}
    shares = {kind: float(np.mean(outcome == kind)) for kind in SHARES if kind != "no_mle"}
    return shares | {"no_mle": float(np.mean(outcome != "overlap"))}


def _medians(name: str, texts: pd.Series[str]) -> dict[str, float]:
    """Medians of the parameters of hybrids; one at infinity counts as such.

    The offset of one absent class against another is no number: nothing stands between its blanks.
    """
    if not (texts != "").any():
        return {}
    numbers = [text.split(" ") if text else [] for text in texts]
    values = np.array([[float(each or "nan") for each in split] for split in numbers])
    return {
        f"{name}{i}": quantile(column[~np.isnan(column)], 0.5) for i, column in enumerate(values.T)
    }


SUMMARIES: dict[Kind, Callable[[str, pd.Series[Any]], dict[str, float]]] = {
    "outcome": _shares,
    "flag": _mean,
    "number": _mean,
    "vector": _medians,
}
