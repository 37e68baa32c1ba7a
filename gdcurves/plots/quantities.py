"""Panels of a run: an experiment's curves in one of the quantities that curves.csv holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from gdcurves.arrays import FloatArray
from gdcurves.curves import columns, interval_of
from gdcurves.plots.sheet import Asymptote, Curve, Panel
from gdcurves.plots.styles import BAYES, Style, limit_of, styles
from gdcurves.scoring.measures import Measure, of_config

if TYPE_CHECKING:
    from gdcurves.store.files import Run

LIMIT = "limit for m → ∞, in its curve's colour"
_WITHOUT_REASON = {
    "skipped": "skipped",
    "failed": "failed",
    "missing": "not computed yet",
    "done": "no values",
}


@dataclass(frozen=True)
class Quantity:
    """A quantity against m.

    Attributes
    ----------
    y_label
        What the y axis is called.
    value
        Its column in curves.csv.
    limit
        The column of limits.csv that holds what it tends to, per test row.
    se
        The column of its Monte Carlo standard errors, of which the band shows two to either side.
    ends
        The columns of the band's low and high ends; the other band is in it then. Without both
        there is no band.
    is_sum
        Whether the quantity is a sum over the test rows.
    """

    y_label: str
    value: str
    limit: str
    se: str | None = None
    ends: tuple[str, str] | None = None
    is_sum: bool = False

    @classmethod
    def mean_of(cls, measure: Measure, ends: tuple[str, str] | None = None) -> Quantity:
        """The mean of a measure over the splits; its band may be that of an interval."""
        name = measure.name
        return cls(measure.label, f"{name}_mean", limit=name, se=f"{name}_se", ends=ends)


def table(run: Run) -> pd.DataFrame:
    """Curves of a run with every column there may be; a run that has just begun has none."""
    known = measures(run)
    ends = [name for each in known for name in interval_of(each)]
    return run.curves.reindex(columns=[*columns(known), *ends])


def looks(run: Run) -> dict[str, tuple[str, Style]]:
    """Label and style of each fitter, the same in all panels of a run."""
    return styles(list(table(run)["fitter"].unique()))


def measures(run: Run) -> tuple[Measure, ...]:
    """What was measured in a run, in the order of its config."""
    return of_config(run.manifest["config"])


def panel(run: Run, name: str, quantity: Quantity, title: str) -> Panel:
    """Show a quantity of an experiment, every fitter a curve, with the limits that are known."""
    curves, look_of = table(run), looks(run)
    own = curves[curves["experiment"] == name].sort_values("m")
    parts = {fitter: own[own["fitter"] == fitter] for fitter in look_of}
    drawn = {
        f: rows for f, rows in parts.items() if np.isfinite(numbers(rows, quantity.value)).any()
    }
    entry = run.manifest["experiments"][name]
    return Panel(
        name,
        title=title,
        y_label=quantity.y_label,
        curves=tuple(_curve(rows, quantity, *look_of[fitter]) for fitter, rows in drawn.items()),
        asymptotes=tuple(_limits(run, name, quantity, drawn, look_of)) if drawn else (),
        note="" if drawn else _why(entry),
    )


def numbers(rows: pd.DataFrame, column: str) -> FloatArray:
    """Values of a column, shape (n,), NaN where there is none."""
    if column not in rows:
        return np.full(len(rows), np.nan)
    return rows[column].to_numpy(dtype=np.float64, na_value=np.nan)


def _curve(rows: pd.DataFrame, quantity: Quantity, label: str, style: Style) -> Curve:
    values = numbers(rows, quantity.value)
    y = np.where(np.isfinite(values), values, np.nan)
    band = inner = None
    if quantity.se is not None:
        reach = 2 * numbers(rows, quantity.se)
        band = (y - reach, y + reach)
    if quantity.ends is not None:
        low, high = (numbers(rows, column) for column in quantity.ends)
        known = np.isfinite(low) & np.isfinite(high)
        band, inner = (np.where(known, low, np.nan), np.where(known, high, np.nan)), band
    return Curve(label, style, numbers(rows, "m"), y, band, inner)


def _limits(
    run: Run,
    name: str,
    quantity: Quantity,
    drawn: Mapping[str, pd.DataFrame],
    look_of: Mapping[str, tuple[str, Style]],
) -> Iterator[Asymptote]:
    """Find what the drawn curves tend to, where it was computed for the law of this run's data."""
    if run.limits is None:
        return
    law = run.manifest["experiments"][name].get("sha256")
    if quantity.limit not in run.limits:
        return
    known = run.limits[(run.limits["experiment"] == name) & (run.limits["law"] == law)]
    values = dict(zip(known["fitter"], numbers(known, quantity.limit), strict=True))
    sizes = pd.concat(list(drawn.values())).drop_duplicates("m").sort_values("m")
    m = numbers(sizes, "m")
    scale = numbers(sizes, "n_test") if quantity.is_sum else np.ones_like(m)
    lines = {fitter: (LIMIT, limit_of(look_of[fitter][1])) for fitter in drawn}
    for fitter, look in {"bayes": BAYES, **lines}.items():
        if np.isfinite(values.get(fitter, np.nan)):
            yield Asymptote(*look, m, values[fitter] * scale)


def _why(entry: dict[str, Any]) -> str:
    status = _WITHOUT_REASON[entry["status"]]
    return f"{status}: {entry['reason']}" if entry["reason"] else status
