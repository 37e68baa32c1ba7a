"""Learning curves: what the splits of each experiment, fitter and m have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.store import contents
from gdcurves.store.rows import read_groups
from gdcurves.store.table import TableFormat

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "experiment",
    "fitter",
    "m",
    "n_splits",
    "n_test",
    "error_mean",
    "error_se",
    "error_median",
    "error_q10",
    "error_q90",
    "logloss_mean",
    "logloss_se",
    "logloss_median",
    "logloss_q10",
    "logloss_q90",
    "separable",
    "quasi_separable",
    "no_mle",
    "undecided",
    "sampler_gap",
    "sampler_gap_se",
    "logloss_infinite",
    "n_train",
    "logloss_sum_median",
    "degenerate",
    "left_out",
)
TABLE = TableFormat(contents.CURVES, COLUMNS, texts=frozenset({"experiment", "fitter"}))


def of_chunks(experiment: str, paths: Sequence[Path]) -> pd.DataFrame:
    """Curves of one experiment from its files of raw rows, see `summarise`.

    Holds the rows of one fitter and m at a time.
    """
    # Keeps no reference to the rows while the next ones are read.
    return _table(map(partial(_point, experiment), read_groups(paths)))


def summarise(experiment: str, rows: pd.DataFrame) -> pd.DataFrame:
    """Curves of one experiment from its raw rows.

    Means and Monte Carlo standard errors (standard deviation over the square root of the number)
    are over splits. A log loss of infinity counts as such in median and quantiles and is left out
    of mean and standard error, which are then over fewer splits: over
    n_splits * (1 - logloss_infinite). `separable`, `quasi_separable`, `undecided` and `no_mle` (any
    of the three) are fractions of the splits, empty for fitters that always have a maximum.
    `sampler_gap` is the mean, over the splits whose rule was drawn by a Markov chain, of its error
    less that of the rule half-way along the chain: zero but for chance once the chain has arrived.
    `n_train` is a mean. `logloss_sum_median` is the median of the sum over the test rows. For
    fitters with a rule for degenerate training sets, `degenerate` is the fraction that needed it;
    for hybrids that leave rows out of the fit of theta, `left_out` is their mean number, and the
    columns theta0, theta1, ... are medians over the splits that have them, empty half-way from
    minus infinity to infinity.
    """
    groups = rows.groupby(["fitter", "m"], sort=False)
    return _table(_point(experiment, group) for _, group in groups)


def _table(points: Iterable[dict[str, object]]) -> pd.DataFrame:
    import pandas as pd

    table = list(points)
    thetas = {name: None for row in table for name in row if name not in COLUMNS}
    return pd.DataFrame(table, columns=[*COLUMNS, *thetas])


def _point(experiment: str, rows: pd.DataFrame) -> dict[str, object]:
    """Summarise the rows of one fitter and m, in the order of their splits."""
    if not rows["split"].is_monotonic_increasing:
        rows = rows.sort_values("split")
    n_test = rows["n_test"].to_numpy()
    error = (rows["errors"] / n_test).to_numpy()
    logloss = rows["logloss"].to_numpy()
    outcome = rows["outcome"]
    point: dict[str, object] = {
        "experiment": experiment,
        "fitter": rows["fitter"].iloc[0],
        "m": rows["m"].iloc[0],
        "n_splits": len(rows),
        "n_train": rows["n_train"].mean(),
        "n_test": n_test[0],
        **_moments("error", error),
        **_moments("logloss", logloss),
        "logloss_infinite": np.mean(np.isinf(logloss)),
        "logloss_sum_median": _quantile(logloss * n_test, 0.5),
        "degenerate": rows["degenerate"].mean(),
        "left_out": rows["left_out"].mean(),
        **_medians_of_theta(rows["theta"]),
    }
    if (outcome != "").any():
        point["separable"] = np.mean(outcome == "separable")
        point["quasi_separable"] = np.mean(outcome == "quasi_separable")
        point["no_mle"] = np.mean(outcome != "overlap")
        point["undecided"] = np.mean(outcome == "undecided")
    gap = ((rows["errors"] - rows["errors_halfway"]) / n_test).dropna()
    if len(gap):
        point["sampler_gap"] = gap.mean()
        point["sampler_gap_se"] = gap.sem()
    return point


def _medians_of_theta(texts: pd.Series[str]) -> dict[str, float]:
    """Medians of the parameters of hybrids; one at infinity counts as such.

    The offset of one absent class against another is no number: nothing stands between its blanks.
    """
    if not (texts != "").any():
        return {}
    numbers = [text.split(" ") if text else [] for text in texts]
    values = np.array([[float(each or "nan") for each in split] for split in numbers])
    defined = (column[~np.isnan(column)] for column in values.T)
    return {
        f"theta{i}": _quantile(column, 0.5) if len(column) else np.nan
        for i, column in enumerate(defined)
    }


def _moments(name: str, values: FloatArray) -> dict[str, float]:
    finite = values[np.isfinite(values)]
    n = len(finite)
    return {
        f"{name}_mean": float(finite.mean()) if n else np.nan,
        f"{name}_se": float(finite.std(ddof=1) / np.sqrt(n)) if n > 1 else np.nan,
        f"{name}_median": _quantile(values, 0.5),
        f"{name}_q10": _quantile(values, 0.1),
        f"{name}_q90": _quantile(values, 0.9),
    }


def _quantile(values: FloatArray, level: float) -> float:
    """Quantile by linear interpolation (type 7); infinite where a neighbour with weight is.

    NaN half-way from minus infinity to infinity.
    """
    ordered = np.sort(values)
    place = level * (len(ordered) - 1)
    below = int(place)
    share = place - below
    if share == 0:
        return float(ordered[below])
    low, high = float(ordered[below]), float(ordered[below + 1])
    return (1 - share) * low + share * high
