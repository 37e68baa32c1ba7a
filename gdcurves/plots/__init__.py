"""Figures of a run: each describes the sheets it shows, and one renderer draws them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gdcurves.errors import UserError
from gdcurves.plots import difference, learning_curves, ng_jordan, xue_titterington
from gdcurves.plots.sheet import Sheet

if TYPE_CHECKING:
    from gdcurves.store.files import Run

FIGURES: dict[str, Callable[[Run], Sequence[Sheet]]] = {
    "learning_curves": learning_curves.sheets,
    "difference": difference.sheets,
    "ng_jordan": ng_jordan.sheets,
    "xue_titterington": xue_titterington.sheets,
}


def draw(run: Run, figure: str | None = None) -> list[Path]:
    """Write the sheets of a figure, as PNG and PDF, into the run's folder.

    Equal runs give equal bytes (with one version of matplotlib).

    Parameters
    ----------
    run
        What to draw.
    figure
        Name of the figure; that of the run's config unless given.

    Returns
    -------
    The paths written.

    Raises
    ------
    UserError
        If there is no figure of this name, the run has no experiments, or a file cannot be written.
    """
    name = run.manifest["config"]["figure"] if figure is None else figure
    if name not in FIGURES:
        known = ", ".join(FIGURES)
        raise UserError(f"{run.folder}: no figure {name!r}; choose from {known}")
    if not run.manifest["experiments"]:
        raise UserError(f"{run.folder}: the run has no experiments, so there is nothing to draw")
    # Matplotlib is slow to import, and the names of the figures are of use without it.
    from gdcurves.plots import render

    paths = []
    with render.settings():
        for sheet in FIGURES[name](run):
            paths += render.save(render.render(sheet), run.folder, sheet.stem)
    return paths
