"""What more rows would bring fitters: in words, from a row of outlook.csv, and as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gdcurves.config.sizes import FORESEEN
from gdcurves.crossings.outlook import FALLS
from gdcurves.report.tables import plain
from gdcurves.scoring.measures import Measure, main
from gdcurves.words import roughly

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.store.files import Run

KEY = (
    "The {label} of each classifier at its largest m, and as its curve is foreseen to go on; after"
    " a comma 95 % intervals for other data of this kind."
)


def ahead(
    row: pd.Series[Any], measure: Measure, unit: str = "row", curves: pd.DataFrame | None = None
) -> str:
    """Say what the training rows, or groups of them, at the size ahead would bring.

    Whether the value changes is told by the curve of these data, which says more of that than of
    the value itself: its interval is that for other data. Where it cannot be told how the curve
    goes on, `curves`, as in curves.csv, tell how it came.
    """
    if np.isnan(row["value_ahead"]) and row["falls"] == "no":
        return f"more training {unit}s have next to nothing to bring"
    if np.isnan(row["value_ahead"]):
        come = "" if curves is None else _come(row, measure, curves)
        if come:
            return f"{come}; how it goes on cannot be told from this curve"
        return f"what more {unit}s bring cannot be told from this curve"
    more = row["m_ahead"] - row["m_last"]
    many = "twice as many" if more == row["m_last"] else f"{more:,.0f} more"
    value = f"about {row['value_ahead']:.3f}"
    if row["falls"] == "no":  # of the change that is known better than of the value
        return f"{many} training {unit}s would hardly change it ({value})"
    start = f"it still {_better(measure)}" if row["falls"] == "yes" else not_sure(measure)
    ends = _ends(row, "ahead").removeprefix(", ")
    said = f"{start}: {value} with {many} training {unit}s"
    return said + (f"; for other data of this kind {ends}" if ends else "")


def not_sure(measure: Measure) -> str:
    """Say no more: of what is not shown to be of use, a fall that is foreseen may be chance."""
    return f"whether it still {_better(measure)} is not sure"


def _better(measure: Measure) -> str:
    return "falls" if measure.better == "lower" else "rises"


def _come(row: pd.Series[Any], measure: Measure, curves: pd.DataFrame) -> str:
    """Say how a value has improved from about half the largest size on; nothing if it has not.

    By more than splits of these data make of chance, and without a turn at the last size.
    """
    own = curves[(curves["experiment"] == row["experiment"]) & (curves["fitter"] == row["fitter"])]
    m, means, errors = (
        own[key].to_numpy(np.float64) for key in ("m", f"{measure.name}_mean", f"{measure.name}_se")
    )
    sign = 1 if measure.better == "lower" else -1
    half = int(np.flatnonzero(m <= max(m[0], m[-1] / 2))[-1])
    improved, turned = sign * (means[half] - means[-1]), sign * (means[-1] - means[-2:][0])
    if not improved > max(FALLS, 2 * np.hypot(errors[half], errors[-1])) or turned > 0:
        return ""
    came = "fell" if sign > 0 else "rose"
    return f"it {came} from {means[half]:.3f} at m = {m[half]:,.0f} to {means[-1]:.3f}"


def _ends(row: pd.Series[Any], at: str) -> str:
    low, high = row[f"low_{at}"], row[f"high_{at}"]
    return "" if np.isnan(low) else f", {low:.3f} to {high:.3f}"


def target(row: pd.Series[Any], error: float, unit: str = "row", what: str = "target") -> str:
    """Say how many rows, or groups of them, bring the error that is wanted.

    `what` is what that error is called.
    """
    rows, low, high = (row[f"rows_for_target{end}"] for end in ("", "_low", "_high"))
    aim = f"The {what} of {error:g}"
    if np.isnan(rows):
        return f"{aim} is not reached, and what it takes cannot be told from this curve."
    if rows <= row["m_last"] and np.isnan(low):  # measured, not foreseen
        return f"{aim} is reached from m = {rows:,.0f} on."
    farthest = f"more than {FORESEEN * row['m_last']:,.0f}"  # training rows
    if np.isinf(rows):
        takes = f"takes {farthest} training {unit}s, if they bring it at all"
        if np.isinf(low):
            return f"{aim} {takes}."
        return f"{aim} probably {takes}; {roughly(low)} are not ruled out."
    most = f"to {farthest}" if np.isinf(high) else f"to {roughly(high)}"
    return f"{aim} takes about {roughly(rows)} training {unit}s ({roughly(low)} {most})."


def table(run: Run) -> Iterator[RenderableType]:
    """Show what each fitter reaches at its largest size, and at the size beyond that is told of."""
    if run.outlook is None:
        return
    measure = main(run.manifest["config"])
    known = run.outlook[run.outlook["measure"] == measure.name]
    if not known.empty:
        yield Text(KEY.format(label=measure.label))
        yield _table(shown_rows(known, run.manifest["config"]))


def shown_rows(known: pd.DataFrame, config: Mapping[str, Any]) -> pd.DataFrame:
    """Keep those rows of outlook.csv that are put in words: of twice as many rows, or as asked."""
    more = config.get("more_rows")
    further = known["m_last"] if more is None else more
    return known[known["m_ahead"] == known["m_last"] + further]


def _then(row: pd.Series[Any]) -> str:
    return f"{row['value_ahead']:.3f}{_ends(row, 'ahead')}"


def _table(rows: pd.DataFrame) -> Table:
    shown = plain()
    for title in ("experiment", "classifier"):
        shown.add_column(title)
    for title in ("m", "now", "m ahead", "then"):
        shown.add_column(title, justify="right")
    shown.add_column("still improves")
    for _, row in rows.iterrows():
        shown.add_row(
            str(row["experiment"]),
            str(row["fitter"]),
            f"{row['m_last']:,}",
            f"{row['value_last']:.3f}{_ends(row, 'last')}",
            f"{row['m_ahead']:,}",
            "not known" if np.isnan(row["value_ahead"]) else _then(row),
            {"yes": "yes", "no": "hardly", "unknown": "not sure"}[row["falls"]],
        )
    return shown
