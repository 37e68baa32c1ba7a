"""The paired differences of classifiers against training size, with their intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from gdcurves.fitters.majority import guessing
from gdcurves.plots.learning_curves import (
    OTHER_DATA,
    are_in_logarithm,
    in_columns,
    means,
    notes,
    title,
    warning,
    x_label,
)
from gdcurves.plots.quantities import looks, numbers, table
from gdcurves.plots.sheet import Asymptote, Curve, Panel, Sheet
from gdcurves.plots.styles import Style, cycled
from gdcurves.scoring.measures import main

if TYPE_CHECKING:
    from gdcurves.store.files import Run

# By what comparisons.csv says of its intervals.
BANDS = {
    "jackknife": OTHER_DATA,
    "nadeau_bengio": f"{OTHER_DATA} (Nadeau & Bengio)",
    "splits": "95 % interval, every split having data of its own",
}
ZERO = Style("#6e6e6e", width=0.8, layer=0)


def sheets(run: Run) -> tuple[Sheet]:
    """Show of every experiment how much pairs of fitters differ by the main measure."""
    measure = main(run.manifest["config"])
    known = pd.DataFrame() if run.comparisons is None else run.comparisons
    if len(known):
        known = known[known["measure"] == measure.name]
    names = list(run.manifest["experiments"])
    kinds = list(dict.fromkeys(known["interval"])) if len(known) else []
    return (
        Sheet(
            stem="figure_difference",
            title="",
            subtitle="",
            warning=warning(run.manifest),
            panels=tuple(_panel(run, known, name, measure.label) for name in names),
            columns=in_columns(len(names)),
            band=_band(run, kinds, measure.better),
            notes=tuple(notes(run.manifest, table(run))),
            inside=len(names) == 1,
        ),
    )


def _band(run: Run, kinds: Sequence[str], direction: str) -> str:
    """What the curves are means over, how they are read, and what the bands are."""
    if not kinds:
        return ""
    better = "first" if direction == "lower" else "second"
    bands = " or ".join(BANDS[each] for each in kinds)
    return f"{means(table(run))}; below zero the {better} is better; band: {bands}"


def _panel(run: Run, known: pd.DataFrame, name: str, label: str) -> Panel:
    own = known[known["experiment"] == name] if len(known) else known
    curves = tuple(_curves(run, own)) if len(own) else ()
    sizes = np.unique(np.concatenate([*(curve.m for curve in curves), []]))
    status = run.manifest["experiments"][name]["status"]
    return Panel(
        name,
        title=title(run, name),
        y_label=f"difference in test {label}",
        x_label=x_label(run, name, are_in_logarithm(curves)),
        curves=curves,
        asymptotes=(Asymptote("no difference", ZERO, sizes, 0.0 * sizes),) if curves else (),
        signed=True,
        edged=True,
        log_m=are_in_logarithm(curves),
        note="" if curves else f"{status}: nothing is compared",
    )


def _curves(run: Run, own: pd.DataFrame) -> Iterator[Curve]:
    """A curve for each pair; those with always answering the largest class only if all have it."""
    labels = {fitter: label for fitter, (label, _) in looks(run).items()}
    names = guessing(run.manifest["config"])
    apart = own[~own["fitter_a"].isin(names) & ~own["fitter_b"].isin(names)]
    pairs = (apart if len(apart) else own).groupby(["fitter_a", "fitter_b"], sort=False)
    for turn, ((a, b), rows) in enumerate(pairs):
        ordered = rows.sort_values("m")
        m, y, low, high = (
            numbers(ordered, column) for column in ("m", "difference", "low", "high")
        )
        yield Curve(f"{labels[str(a)]} less {labels[str(b)]}", cycled(turn), m, y, (low, high))
