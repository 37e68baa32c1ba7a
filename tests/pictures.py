"""Runs made up to be drawn, and what a rendered figure shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from gdcurves.plots import FIGURES, render
from gdcurves.plots.sheet import Sheet
from gdcurves.store.files import Run

# The paper's panels, from left to right and from top to bottom, with the last m of each.
PAPER = {
    "pima": ("pima (continuous)", 60),
    "adult-continuous": ("adult (continuous)", 30),
    "boston": ("boston (predict if > median price, continuous)", 60),
    "optdigits-0-1": ("optdigits (0's and 1's, continuous)", 200),
    "optdigits-2-3": ("optdigits (2's and 3's, continuous)", 200),
    "ionosphere": ("ionosphere (continuous)", 100),
    "liver-disorders": ("liver disorders (continuous)", 60),
    "sonar": ("sonar (continuous)", 150),
    "adult-discrete": ("adult (discrete)", 400),
    "promoters": ("promoters (discrete)", 100),
    "lymphography": ("lymphography (discrete)", 150),
    "breast-cancer": ("breast cancer (discrete)", 300),
    "lenses": ("lenses (predict hard vs. soft, discrete)", 25),
    "sick": ("sick (discrete)", 150),
    "voting-records": ("voting records (discrete)", 80),
}
CONTINUOUS = tuple(PAPER)[:8]
BAND = "band: ± 2 Monte Carlo standard errors of the mean"


def make_run(
    folder: Path,
    names: Sequence[str] = tuple(PAPER),
    *,
    absent: Mapping[str, tuple[str, str | None]] = {},
    fitters: Sequence[str] = ("naive_bayes", "logistic_regression", "nearest_centroid"),
    figure: str = "ng_jordan",
    status: str = "complete",
    splits: int = 1000,
    m: Sequence[int] = tuple(range(2, 24, 3)),
    se: float = 0.004,
) -> Run:
    """A run with smooth curves; `absent` gives status and reason of experiments without rows."""
    rows = [
        (name, fitter, size, splits, 0.2 + 0.02 * i + (0.3 - 0.04 * i) / size, se)
        for name in names
        if name not in absent
        for i, fitter in enumerate(fitters)
        if fitter != "nearest_centroid" or name in CONTINUOUS
        for size in m
    ]
    columns = ["experiment", "fitter", "m", "n_splits", "error_mean", "error_se"]
    entries = {}
    for name in names:
        state, reason = absent.get(name, ("done", None))
        done = 1000 if state == "done" else 0
        entries[name] = {"status": state, "reason": reason, "splits": 1000, "splits_done": done}
    manifest = {
        "name": "a_run",
        "status": status,
        "config": {"figure": figure, "splits": 1000},
        "experiments": entries,
    }
    return Run(folder, manifest, pd.DataFrame(rows, columns=columns))


def picture(run: Run) -> Figure:
    (sheet,) = FIGURES[run.manifest["config"]["figure"]](run)
    return render_whole(sheet)


def render_whole(sheet: Sheet) -> Figure:
    """Render a sheet and lay out all its text; inside `render.settings()`."""
    figure = render.render(sheet)
    figure.draw_without_rendering()
    return figure


def panel(figure: Figure, title: str) -> Axes:
    return next(axes for axes in figure.axes if axes.get_title(loc="left") == title)


def drawn_line(axes: Axes, label: str) -> Line2D:
    return next(line for line in axes.lines if line.get_label() == label)


def words(figure: Figure) -> str:
    """All text of a figure, without its line breaks."""
    texts = [text.get_text() for text in figure.findobj(Text)]
    return " ".join(" ".join(texts).split())


def legend_labels(figure: Figure) -> list[str]:
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def assert_legible(drawn: Figure) -> None:
    """No text is too small, leaves the page, or overlaps with another text or a frame."""
    assert drawn.get_size_inches()[0] == 7
    texts = [
        text
        for text in drawn.findobj(Text)
        if text.get_visible() and text.get_text() and shown(text)
    ]
    assert all(text.get_fontsize() >= 6 for text in texts)
    boxes = [text.get_window_extent() for text in texts]
    assert all(drawn.bbox.x0 <= box.x0 < box.x1 <= drawn.bbox.x1 for box in boxes)
    assert all(drawn.bbox.y0 <= box.y0 < box.y1 <= drawn.bbox.y1 for box in boxes)

    frames = [axes for axes in drawn.axes if axes.lines]
    boxes += [axes.get_window_extent() for axes in frames]
    names = [text.get_text() for text in texts] + ["a frame"] * len(frames)
    # Boxes may touch: a pixel (of 300 to the inch) is not seen.
    x0, y0, x1, y1 = np.array([box.padded(-1).extents for box in boxes]).T[:, :, None]
    overlap = (np.maximum(x0, x0.T) < np.minimum(x1, x1.T)) & (
        np.maximum(y0, y0.T) < np.minimum(y1, y1.T)
    )
    pairs = np.argwhere(np.triu(overlap, 1))
    assert [(names[i], names[j]) for i, j in pairs] == []


def shown(text: Text) -> bool:
    """Not one of the texts that matplotlib keeps but does not draw."""
    axes = text.axes
    if axes is None:
        return True
    ticks = [*axes.xaxis.get_major_ticks(), *axes.yaxis.get_major_ticks()]
    return all(text is not tick.label2 for tick in ticks)
