"""Figures of a run: each one describes what it shows, and one renderer draws them all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from gdcurves.errors import UserError
from gdcurves.plots import learning_curves, ng_jordan
from gdcurves.plots.sheet import Sheet

if TYPE_CHECKING:
    from gdcurves.store import Run

FIGURES: dict[str, Callable[[Run], Sheet]] = {
    "learning_curves": learning_curves.sheet,
    "ng_jordan": ng_jordan.sheet,
}


def draw(run: Run) -> list[Path]:
    """Write the figure that the run's config names, as PNG and PDF, into the run's folder.

    Equal runs give equal bytes (with one version of matplotlib). Returns the paths written. Raises
    UserError where the config names no known figure, the run has no experiments, or a file cannot
    be written.
    """
    name = run.manifest["config"]["figure"]
    if name not in FIGURES:
        known = ", ".join(FIGURES)
        raise UserError(f"{run.folder}: figure {name!r} is unknown; known figures: {known}")
    if not run.manifest["experiments"]:
        raise UserError(f"{run.folder}: the run has no experiments, so there is nothing to draw")
    # Matplotlib is slow to import, and the names of the figures are of use without it.
    from gdcurves.plots import render

    sheet = FIGURES[name](run)
    with render.settings():
        return render.save(render.render(sheet), run.folder, sheet.stem)
