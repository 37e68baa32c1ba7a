"""The figure for any run: one panel per experiment, its main measure against training size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from gdcurves.arrays import FloatArray
from gdcurves.curves import interval_of
from gdcurves.fitters.majority import base_rate, guessing
from gdcurves.plots.quantities import Quantity, looks, numbers, panel, table
from gdcurves.plots.sheet import Asymptote, Curve, Marks, Panel, Sheet
from gdcurves.plots.styles import BASE_RATE
from gdcurves.scoring.measures import main

if TYPE_CHECKING:
    from gdcurves.store.files import Run

ERRORS = "± 2 Monte Carlo standard errors of the mean"
BAND = f"band: {ERRORS}"
OTHER_DATA = "95 % interval for other data of this kind"
LINE = 0.015  # of a panel's height; two standard errors to either side that are less are not seen
FINITE = (
    "Means are over the splits in which the {label} is finite, which may be few (curves.csv has the"
    " share of the others); where there is none, a curve is absent."
)
_STOPPED = {
    "running": "not finished",
    "stopped": "stopped before its end",
    "interrupted": "interrupted",
    "failed": "some experiments failed",
}


def sheets(run: Run) -> tuple[Sheet]:
    """Show every experiment of the run in the order of its config, every fitter a curve."""
    curves = table(run)
    measure = main(run.manifest["config"])
    names = list(run.manifest["experiments"])
    panels = tuple(_panel(run, name) for name in names)
    return (
        Sheet(
            stem="figure",
            title="",
            subtitle="",
            warning=warning(run.manifest),
            panels=panels,
            columns=in_columns(len(names)),
            band=f"{means(curves)}; {_bands(run, panels)}",
            notes=(
                *notes(run.manifest, curves),
                *[FINITE.format(label=measure.label)] * measure.infinite,
            ),
            inside=len(names) == 1,
        ),
    )


def _panel(run: Run, name: str) -> Panel:
    measure = main(run.manifest["config"])
    ends = interval_of(measure) if _for_other_data(run, name) else None
    drawn = _unseen_left_out(panel(run, name, Quantity.mean_of(measure, ends), title(run, name)))
    log_m = are_in_logarithm(drawn.curves)
    if measure.name == "error":
        drawn = _with_base_rate(run, name, drawn)
    return replace(
        drawn,
        y_label=f"test {measure.label}",
        x_label=x_label(run, name, log_m),
        marks=tuple(crossings(run, name, "naive_bayes")),
        log_m=log_m,
        edged=ends is not None,
    )


def _for_other_data(run: Run, name: str) -> bool:
    """Whether the interval for other data is known of an experiment's curves."""
    low, _ = interval_of(main(run.manifest["config"]))
    curves = table(run)
    return bool(curves.loc[curves["experiment"] == name, low].notna().any())


def _unseen_left_out(drawn: Panel) -> Panel:
    """Leave out inner bands where none is wider than a line is drawn."""
    inner = [curve.inner for curve in drawn.curves if curve.inner is not None]
    if not inner:
        return drawn
    bands = np.concatenate([np.concatenate(each.band) for each in drawn.curves if each.band])
    line = LINE * (np.nanmax(bands) - np.nanmin(bands))
    if any(np.nanmax(high - low) > line for low, high in inner):
        return drawn
    return replace(drawn, curves=tuple(replace(curve, inner=None) for curve in drawn.curves))


def _bands(run: Run, panels: Sequence[Panel]) -> str:
    """Say what the bands of the panels are."""
    known = {_for_other_data(run, panel.experiment) for panel in panels if panel.curves}
    if True not in known:
        return BAND
    said = f"band: {OTHER_DATA}"
    if False in known:
        said += f", where that is known; else {ERRORS}"
    if any(curve.inner is not None for panel in panels for curve in panel.curves):
        said += "; darker: 2 Monte Carlo standard errors to each side"
    return said


def _with_base_rate(run: Run, name: str, drawn: Panel) -> Panel:
    """Draw the error of always answering the largest class, where the run has fitters that do so.

    It takes the place of their curves, which are no base rate: see `gdcurves.report.base_rate`.
    """
    classes = run.manifest["experiments"][name].get("classes")
    look_of = looks(run)
    guesses = {look_of[each][0] for each in guessing(run.manifest["config"]) if each in look_of}
    curves = tuple(curve for curve in drawn.curves if curve.label not in guesses)
    if not classes or not guesses or not curves:
        return drawn
    m = np.unique(np.concatenate([curve.m for curve in curves]))
    line = Asymptote("base rate", BASE_RATE, m, np.full(len(m), base_rate(classes)))
    return replace(drawn, curves=curves, asymptotes=(*drawn.asymptotes, line))


def title(run: Run, name: str) -> str:
    """Name of an experiment above its panel; a lone one needs none."""
    return name if len(run.manifest["experiments"]) > 1 else ""


def x_label(run: Run, name: str, log_m: bool) -> str:
    """What the axis of m counts in an experiment."""
    return f"training {run.units[name]}s{' (log scale)' * log_m}"


def in_columns(n_panels: int) -> int:
    """Number of columns for so many panels."""
    return {1: 1, 2: 2, 4: 2}.get(n_panels, 3)


def are_in_logarithm(curves: Sequence[Curve]) -> bool:
    """Whether the sizes of curves want a logarithmic axis; not where there are none."""
    m = np.concatenate([*(curve.m for curve in curves), []])
    return m.size > 0 and spread_in_logarithm(m)


def spread_in_logarithm(m: FloatArray) -> bool:
    """Whether the middle of sizes is nearer to the geometric than to the arithmetic mean of ends.

    Sizes `m` (n,) whose ends are less than ten times apart need no logarithm.
    """
    low, high = float(m.min()), float(m.max())
    middle = ((low + high) / 2 + np.sqrt(low * high)) / 2
    return high >= 10 * low and bool(np.median(m) < middle)


def crossings(run: Run, name: str, generative: str) -> Iterator[Marks]:
    """Mark where two curves of an experiment cross.

    They are those of its two fitters; of more than two, of `generative` and logistic_regression or,
    where that did not run, penalised_logistic.
    """
    measure = main(run.manifest["config"])
    if run.crossings is None:
        return
    curves = table(run)
    labels = {fitter: label for fitter, (label, _) in looks(run).items()}
    own = run.crossings[run.crossings["experiment"] == name]
    plain = (own[["fitter_a", "fitter_b"]] == "logistic_regression").any(axis=None)
    wanted = {generative, "logistic_regression" if plain else "penalised_logistic"}
    pairs = own.groupby(["fitter_a", "fitter_b"], sort=False)
    for (a, b), rows in pairs:
        crossed = rows[rows["kind"] == "crosses"]
        if crossed.empty or not (len(pairs) == 1 or {str(a), str(b)} == wanted):
            continue
        m, low, high = (numbers(crossed, column) for column in ("m", "m_low", "m_high"))
        curve = curves[(curves["experiment"] == name) & (curves["fitter"] == a)].sort_values("m")
        y = np.interp(m, numbers(curve, "m"), numbers(curve, f"{measure.name}_mean"))
        label = f"crossing of {labels[str(a)]} and {labels[str(b)]}, 95 % interval"
        yield Marks(label, m, y, low, high, "crossing, 95 % interval")


def means(curves: pd.DataFrame) -> str:
    """Say how many splits the curves are means over."""
    splits = curves["n_splits"].dropna()
    if splits.empty:
        return "no means yet"
    low, high = int(splits.min()), int(splits.max())
    number = f"{high}" if low == high else f"{low} to {high}"
    return f"means over {number} random splits" if high > 1 else "one random split"


def warning(manifest: dict[str, Any]) -> str:
    """Say how far a run has come that is not complete; empty for one that is."""
    if manifest["status"] == "complete":
        return ""
    entries = manifest["experiments"].values()
    complete = sum(entry["status"] == "done" for entry in entries)
    wanted = [entry for entry in entries if entry["status"] != "skipped"]
    done, planned = (sum(entry[key] for entry in wanted) for key in ("splits_done", "splits"))
    return (
        f"partial: {done:,} of {planned:,} splits ({_STOPPED[manifest['status']]}); "
        f"{complete} of {len(entries)} experiments are complete"
    )


def notes(manifest: dict[str, Any], curves: pd.DataFrame) -> Iterator[str]:
    """Name the experiments that are absent, and those with fewer splits than asked for."""
    drawn = curves[curves["n_splits"].notna()]
    fewest = drawn.groupby("experiment", sort=False)["n_splits"].min()
    entries = manifest["experiments"]
    absent = [f"{name} ({entries[name]['status']})" for name in entries if name not in fewest]
    if absent:
        yield f"Not drawn: {', '.join(absent)}."
    config = manifest["config"]
    other = {m: each["splits"] for each in config.get("more_splits", ()) for m in each["sizes"]}
    behind = drawn[drawn["n_splits"] < drawn["m"].map(other).fillna(config["splits"])]
    short = [f"{name} ({fewest[name]})" for name in behind["experiment"].unique()]
    if short:
        yield f"Fewer splits so far than the {config['splits']} asked for: {', '.join(short)}."
