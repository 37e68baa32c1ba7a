"""What more rows would bring a fitter, in words, from a row of outlook.csv."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gdcurves.scoring.measures import Measure
from gdcurves.trends import FARTHEST
from gdcurves.words import roughly

if TYPE_CHECKING:
    import pandas as pd


def ahead(row: pd.Series[Any], measure: Measure, unit: str = "row") -> str:
    """Say what the training rows, or groups of them, at the size ahead would bring these data."""
    better = "falls" if measure.better == "lower" else "rises"
    if np.isnan(row["value_ahead"]) and row["falls"] == "no":
        return f"more training {unit}s have next to nothing to bring"
    if np.isnan(row["value_ahead"]):
        return f"what more {unit}s bring cannot be told from this curve"
    more = row["m_ahead"] - row["m_last"]
    many = "twice as many" if more == row["m_last"] else f"{more:,.0f} more"
    if row["falls"] == "no":
        return f"{many} training {unit}s would hardly change it ({_then(row)})"
    if row["falls"] == "yes":
        return f"it still {better}: {_then(row)} with {many} training {unit}s"
    then = f"{_then(row)} with {many} training {unit}s"
    return f"whether it still {better} is not sure ({then})"


def _then(row: pd.Series[Any]) -> str:
    return f"about {row['value_ahead']:.3f}{_ends(row, 'ahead')}"


def _ends(row: pd.Series[Any], at: str) -> str:
    low, high = row[f"low_{at}"], row[f"high_{at}"]
    return "" if np.isnan(low) else f", {low:.3f} to {high:.3f}"


def target(row: pd.Series[Any], error: float, unit: str = "row") -> str:
    """Say how many rows, or groups of them, bring the error that is wanted; nothing if unknown."""
    rows, low, high = (row[f"rows_for_target{end}"] for end in ("", "_low", "_high"))
    if np.isnan(rows):
        return ""
    aim = f"The target of {error:g}"
    if rows <= row["m_last"]:
        return f"{aim} is reached from m = {rows:,.0f} on."
    if np.isinf(rows):
        at_least = "" if np.isinf(low) else f"; it takes {roughly(low)} at least"
        return f"{aim} is not foreseen within {FARTHEST:.0f} times as many {unit}s{at_least}."
    most = "or many more" if np.isinf(high) else f"to {roughly(high)}"
    return f"{aim} takes about {roughly(rows)} training {unit}s ({roughly(low)} {most})."
