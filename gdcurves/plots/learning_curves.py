"""The figure for any run: one panel per experiment, error against training size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from gdcurves.plots.sheet import Curve, Panel, Sheet
from gdcurves.plots.styles import Style, styles
from gdcurves.types import FloatArray

if TYPE_CHECKING:
    from gdcurves.store import Run

BAND = "band: ± 2 Monte Carlo standard errors of the mean"
_COLUMNS = ["experiment", "fitter", "m", "n_splits", "error_mean", "error_se"]
_STOPPED = {
    "running": "not finished",
    "killed": "killed",
    "interrupted": "interrupted",
    "failed": "some experiments failed",
}
_WITHOUT_REASON = {
    "skipped": "skipped",
    "failed": "failed",
    "missing": "not computed yet",
    "done": "no values",
}


def sheet(run: Run) -> Sheet:
    """Show every experiment of the run in the order of its config, every fitter a curve."""
    curves = run.curves.reindex(columns=_COLUMNS)  # a run that has just begun has none
    looks = styles(list(curves["fitter"].unique()))
    entries = run.manifest["experiments"]
    return Sheet(
        stem="figure",
        title=f"Learning curves: {run.manifest['name']}",
        subtitle=f"Test error against training size m, {_means(curves)}",
        warning=_warning(run.manifest),
        panels=tuple(_panel(name, entries[name], curves, looks) for name in entries),
        band=BAND,
        notes=tuple(_notes(run.manifest, curves)),
    )


def _panel(
    name: str, entry: dict[str, Any], curves: pd.DataFrame, looks: dict[str, tuple[str, Style]]
) -> Panel:
    own = curves[curves["experiment"] == name].sort_values("m")
    parts = [(own[own["fitter"] == fitter], look) for fitter, look in looks.items()]
    drawn = tuple(_curve(rows, *look) for rows, look in parts if rows["error_mean"].notna().any())
    return Panel(name, title=name, curves=drawn, note="" if drawn else _why(entry))


def _curve(rows: pd.DataFrame, label: str, style: Style) -> Curve:
    mean, se = _numbers(rows, "error_mean"), _numbers(rows, "error_se")
    return Curve(label, style, _numbers(rows, "m"), mean, mean - 2 * se, mean + 2 * se)


def _numbers(rows: pd.DataFrame, column: str) -> FloatArray:
    return rows[column].to_numpy(dtype=np.float64, na_value=np.nan)


def _why(entry: dict[str, Any]) -> str:
    status = _WITHOUT_REASON[entry["status"]]
    return f"{status}: {entry['reason']}" if entry["reason"] else status


def _means(curves: pd.DataFrame) -> str:
    splits = curves.loc[curves["error_mean"].notna(), "n_splits"]
    if splits.empty:
        return "no means yet"
    low, high = int(splits.min()), int(splits.max())
    number = f"{high}" if low == high else f"{low} to {high}"
    return f"means over {number} random splits" if high > 1 else "one random split"


def _warning(manifest: dict[str, Any]) -> str:
    if manifest["status"] == "complete":
        return ""
    entries = manifest["experiments"].values()
    complete = sum(entry["status"] == "done" for entry in entries)
    wanted = [entry for entry in entries if entry["status"] != "skipped"]
    done, planned = (sum(entry[key] for entry in wanted) for key in ("splits_done", "splits"))
    return (
        f"partial: {done} of {planned} splits ({_STOPPED[manifest['status']]}); "
        f"{complete} of {len(entries)} experiments are complete"
    )


def _notes(manifest: dict[str, Any], curves: pd.DataFrame) -> Iterator[str]:
    """Name the experiments that are absent, and those with fewer splits than asked for."""
    drawn = curves[curves["error_mean"].notna()]
    fewest = drawn.groupby("experiment", sort=False)["n_splits"].min()
    entries = manifest["experiments"]
    absent = [f"{name} ({entries[name]['status']})" for name in entries if name not in fewest]
    if absent:
        yield f"Not drawn: {', '.join(absent)}."
    asked = manifest["config"]["splits"]
    short = [f"{name} ({int(n)})" for name, n in fewest.items() if n < asked]
    if short:
        yield f"Fewer than {asked} splits so far: {', '.join(short)}."
