"""Figure 1 of Ng & Jordan (2001): their fifteen panels, with the published curves as markers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from gdcurves import published
from gdcurves.plots import learning_curves
from gdcurves.plots.quantities import table
from gdcurves.plots.sheet import Panel, Points, Range, Sheet
from gdcurves.plots.styles import KNOWN, Marker
from gdcurves.scoring.measures import main

if TYPE_CHECKING:
    from gdcurves.store.files import Run

# The paper's panels in the order of the paper, with its titles and axis ranges (m, error). The
# range of lenses is set from its published values; the panels of WIDENED have published values
# beyond the paper's axes.
PANELS: dict[str, tuple[str, Range, Range]] = {
    "pima": ("pima (continuous)", (0, 60), (0.25, 0.5)),
    "adult-continuous": ("adult (continuous)", (0, 30), (0.25, 0.5)),
    "boston": ("boston (predict if > median price, continuous)", (0, 60), (0.2, 0.45)),
    "optdigits-0-1": ("optdigits (0's and 1's, continuous)", (0, 200), (0.0, 0.4)),
    "optdigits-2-3": ("optdigits (2's and 3's, continuous)", (0, 200), (0.0, 0.4)),
    "ionosphere": ("ionosphere (continuous)", (0, 100), (0.2, 0.5)),
    "liver-disorders": ("liver disorders (continuous)", (0, 60), (0.25, 0.5)),
    "sonar": ("sonar (continuous)", (0, 150), (0.25, 0.5)),
    "adult-discrete": ("adult (discrete)", (0, 400), (0.2, 0.7)),
    "promoters": ("promoters (discrete)", (0, 100), (0.0, 0.5)),
    "lymphography": ("lymphography (discrete)", (0, 150), (0.1, 0.5)),
    "breast-cancer": ("breast cancer (discrete)", (0, 300), (0.25, 0.5)),
    "lenses": ("lenses (predict hard vs. soft, discrete)", (0, 25), (0.1, 0.5)),
    "sick": ("sick (discrete)", (0, 150), (0.0, 0.5)),
    "voting-records": ("voting records (discrete)", (0, 80), (0.0, 0.4)),
}
WIDENED = ("adult-continuous", "ionosphere", "sick")
MARKERS = {
    "naive_bayes": Marker("o", 2.5, "#0b2545", "white"),
    "logistic_regression": Marker("x", 2.6, "#7a3300", "#7a3300"),
}
_SOURCE = (
    "Markers: read from the vector drawing in the paper (reading error about 2e-4, 1000 splits)."
)
_LENSES = (
    "lenses: the title is the paper's; its curve is that of any lens against none, on all 24 rows."
)


def sheets(run: Run) -> tuple[Sheet]:
    """Show the run's experiments in the paper's order; those that the paper lacks come last.

    Axis ranges are the paper's, widened where a curve, a band or a marker would leave them.
    """
    (own,) = learning_curves.sheets(run)
    rank = {name: i for i, name in enumerate(PANELS)}
    values = published.values("ng_jordan")
    assert values is not None, "shipped with the package"
    panels = tuple(
        _as_in_paper(run, panel, values[values["experiment"] == panel.experiment])
        for panel in sorted(own.panels, key=lambda p: rank.get(p.experiment, len(rank)))
    )
    drawn = [panel for panel in panels if panel.curves]
    notes = (
        *own.notes,
        *([_SOURCE] if any(panel.points for panel in drawn) else []),
        *([_LENSES] if any(panel.experiment == "lenses" for panel in drawn) else []),
    )
    measure = main(run.manifest["config"])
    return (
        replace(
            own,
            stem="figure1",
            title="Figure 1 of Ng & Jordan (2001), computed anew",
            subtitle=f"Test {measure.label} against training size m,"
            f" {learning_curves.means(table(run))}",
            panels=panels,
            band=learning_curves.BAND,
            notes=notes,
            inside=False,
        ),
    )


def _as_in_paper(run: Run, panel: Panel, values: pd.DataFrame) -> Panel:
    measure = main(run.manifest["config"])
    panel = replace(panel, title=panel.experiment, y_label=measure.label, x_label="m")
    if panel.experiment not in PANELS or measure.name != "error":
        return panel
    title, x_range, y_range = PANELS[panel.experiment]
    m = values["m"].to_numpy(dtype=np.float64)
    points = tuple(
        Points(
            f"published {KNOWN[fitter][0]}",
            marker,
            m,
            values[f"{fitter}_error"].to_numpy(dtype=np.float64),
        )
        for fitter, marker in MARKERS.items()
        if panel.curves and m.size
    )
    # The paper's naive Bayes on continuous inputs is the nearest centroid.
    curves = table(run)
    own = curves["fitter"][curves["experiment"] == panel.experiment]
    generative = "nearest_centroid" if (own == "nearest_centroid").any() else "naive_bayes"
    marks = tuple(learning_curves.crossings(run, panel.experiment, generative))
    return replace(
        panel,
        title=title,
        points=points,
        marks=marks,
        log_m=False,
        x_range=x_range,
        y_range=y_range,
    )
