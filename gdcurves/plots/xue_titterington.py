"""Figures 1 to 4 of Xue & Titterington (2009): medians of error rate and of log loss against m."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from gdcurves.plots import learning_curves
from gdcurves.plots.quantities import Quantity, numbers, panel, table
from gdcurves.plots.sheet import Panel, Sheet
from gdcurves.plots.styles import styles

if TYPE_CHECKING:
    from gdcurves.store.files import Run

Draws = tuple[str | None, int | None]
ER = Quantity("median ER", value="error_median", limit="error")
LL = Quantity("median LL", value="logloss_sum_median", limit="logloss", is_sum=True)
COLUMNS = {"error rate": ER, "log loss": LL}
# The paper's figures (section 3) and their rows, by how the names of experiments begin and end.
FIGURES = {
    "ce": "Simulated normally distributed data with equal covariance matrices",
    "cu": "Simulated normally distributed data with unequal covariance matrices",
    "be": "Simulated Bernoulli data with equal covariance matrices",
    "bu": "Simulated Bernoulli data with unequal covariance matrices",
}
ROWS = {
    "diag": "diagonal covariance matrices",
    "block": "block diagonal covariance matrices",
    "full": "full covariance matrices",
}
_BANDS = (
    "No bands: the spread over the splits (error_q10 to error_q90 and so on in curves.csv) is wider"
    " than most distances between the curves."
)
_LIMITS = (
    "Limits and Bayes rule (limits.csv) are population values: the error rate, and the expected log"
    " loss times the number of test rows."
)
_ONE_DATA_SET = (
    " The splits of an experiment share one data set, so its curves carry that data set's luck and"
    " need not approach the limits."
)
_ROUNDED = "Training sets hold equally many rows of every class: m less one where m is odd."


def sheets(run: Run) -> tuple[Sheet, ...]:
    """Show each figure of the paper of which the run has an experiment; one more has the others."""
    left = list(run.manifest["experiments"])
    pages = []
    for number, (start, content) in enumerate(FIGURES.items(), 1):
        rows = {f"{start}_{end}": words for end, words in ROWS.items()}
        titles = {name: f"{name}, {words}" for name, words in rows.items() if name in left}
        if titles:
            title = f"Figure {number} of Xue & Titterington (2009), computed anew"
            pages.append(_sheet(run, f"figure{number}", title, content, titles))
        left = [name for name in left if name not in titles]
    if left:
        title = f"Further experiments of {run.manifest['name']}"
        content = "Data as in the config"
        pages.append(_sheet(run, "figure_more", title, content, {name: name for name in left}))
    return tuple(pages)


def _sheet(run: Run, stem: str, title: str, content: str, titles: Mapping[str, str]) -> Sheet:
    """Show some experiments, each a row of panels under its title."""
    entries = {name: run.manifest["experiments"][name] for name in titles}
    manifest = {**run.manifest, "experiments": entries}
    curves = table(run)
    curves = curves[curves["experiment"].isin(titles)]
    panels = [
        panel(run, name, quantity, f"{words}: {what}")
        for name, words in titles.items()
        for what, quantity in COLUMNS.items()
    ]
    draws = _draws(manifest)
    return Sheet(
        stem=stem,
        title=title,
        subtitle=(
            f"{content}: error rate (ER) and log loss summed over the test rows (LL) against"
            f" training set size m. {_medians(curves, draws)}."
        ),
        warning=learning_curves.warning(run.manifest),
        panels=_on_one_range(panels),
        columns=len(COLUMNS),
        band="",
        notes=(*learning_curves.notes(manifest, curves), *_notes(curves, panels, draws)),
    )


def _draws(manifest: Mapping[str, Any]) -> Draws:
    """Tell how the data sets of a manifest's experiments were drawn and how many rows they have.

    Both are None where nothing was simulated, or not all in one way.
    """
    draws = {
        _draw(each.get("simulate"))
        for each in manifest["config"]["experiments"]
        if each["name"] in manifest["experiments"]
    }
    return draws.pop() if len(draws) == 1 else (None, None)


def _draw(simulate: object) -> Draws:
    if not isinstance(simulate, Mapping):
        return None, None
    rows = simulate.get("rows")
    return simulate.get("draw"), sum(rows) if isinstance(rows, list) else rows


def _medians(curves: pd.DataFrame, draws: Draws) -> str:
    splits = curves.loc[np.isfinite(numbers(curves, ER.value)), "n_splits"]
    if splits.empty:
        return "No medians yet"
    low, high = int(splits.min()), int(splits.max())
    number = f"{high}" if low == high else f"{low} to {high}"
    draw, rows = draws
    size = f" of {rows} rows" if rows else ""
    over = {
        "once": f"{number} random splits of one data set{size}",
        "each": f"{number} data sets{size}, each split once",
    }
    return f"In each row of panels, medians over {over.get(draw or '', f'{number} random splits')}"


def _notes(curves: pd.DataFrame, panels: Sequence[Panel], draws: Draws) -> Iterator[str]:
    """Say what the reader cannot see: what is not drawn, and what the lines are."""
    infinite = "; ".join(_infinite(curves))
    if infinite:
        yield f"Not drawn, as infinite in half of the splits or more: {infinite}."
    if any(shown.asymptotes for shown in panels):
        yield _LIMITS + (_ONE_DATA_SET if draws[0] == "once" else "")
    if (curves["n_train"] < curves["m"]).any():
        yield _ROUNDED
    yield _BANDS


def _infinite(curves: pd.DataFrame) -> Iterator[str]:
    labels = {name: label for name, (label, _) in styles(list(curves["fitter"].unique())).items()}
    rows = curves[np.isinf(numbers(curves, LL.value))]
    for (name, fitter), group in rows.groupby(["experiment", "fitter"], sort=False):
        sizes = ", ".join(f"{m:g}" for m in sorted(group["m"]))
        yield f"{labels[str(fitter)]} in {name}, m = {sizes}"


def _on_one_range(panels: Sequence[Panel]) -> tuple[Panel, ...]:
    """Let all m axes run from the least to the largest m of the page."""
    m = np.concatenate([curve.m for panel in panels for curve in panel.curves] or [np.zeros(0)])
    if not m.size or m.min() == m.max():
        return tuple(panels)
    x_range = (float(m.min()), float(m.max()))
    return tuple(replace(panel, x_range=x_range) for panel in panels)
