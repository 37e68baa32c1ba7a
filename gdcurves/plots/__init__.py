"""Figures of a run: each describes the sheets it shows, and one renderer draws them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gdcurves.errors import UserError
from gdcurves.plots import (
    complexity,
    difference,
    learning_curves,
    ng_jordan,
    theory,
    xue_titterington,
)
from gdcurves.plots.paper import LONE, WIDTH, Wanted
from gdcurves.plots.sheet import Sheet
from gdcurves.plugins import Registry
from gdcurves.words import suggest

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gdcurves.store.files import Run

FIGURES: Registry[Callable[[Run], Sequence[Sheet]]] = Registry(
    "figures",
    "function",
    callable,
    {
        "learning_curves": learning_curves.sheets,
        "difference": difference.sheets,
        "complexity": complexity.sheets,
        "theory": theory.sheets,
        "ng_jordan": ng_jordan.sheets,
        "xue_titterington": xue_titterington.sheets,
    },
)
USUAL = Wanted()


def draw(run: Run, figure: str | None = None, wanted: Wanted = USUAL) -> list[Path]:
    """Write the sheets of a figure into the run's folder.

    Equal runs give equal bytes (with one version of matplotlib).

    Parameters
    ----------
    run
        What to draw.
    figure
        Name of the figure; that of the run's config unless given.
    wanted
        Files, size and title, where they are to be otherwise.

    Returns
    -------
    The paths written.

    Raises
    ------
    UserError
        If there is no figure of this name, the run has no experiments, the page is too small for
        them, or a file cannot be written.
    """
    from gdcurves.plots import render

    paths = []
    for sheet, picture in drawn(run, figure, wanted):
        with render.settings():
            paths += render.save(picture, sheet, run.folder, wanted.formats)
    return paths


def drawn(
    run: Run, figure: str | None = None, wanted: Wanted = USUAL
) -> Iterator[tuple[Sheet, Figure]]:
    """Draw the sheets of a figure; see `draw`, which writes them."""
    # Matplotlib is slow to import, and the names of the figures are of use without it.
    from gdcurves.plots import render

    for sheet in sheets(run, figure):
        titled = replace(
            sheet,
            stem=sheet.stem + wanted.suffix,
            title=sheet.title if wanted.title is None else wanted.title,
        )
        page = wanted.paper(LONE if sheet.inside else WIDTH)
        with render.settings():
            picture = render.render(titled, page)
        yield titled, picture


def sheets(run: Run, figure: str | None = None) -> Sequence[Sheet]:
    """Say what the sheets of a figure show; raises UserError, see `draw`."""
    name = run.manifest["config"]["figure"] if figure is None else figure
    if name not in FIGURES:
        known = ", ".join(FIGURES)
        raise UserError(f"{run.folder}: no figure {name!r}; choose from {known}")
    if not run.manifest["experiments"]:
        raise UserError(f"{run.folder}: the run has no experiments, so there is nothing to draw")
    return FIGURES[name](run)


def check(figure: str, refusal: str) -> None:
    """Refuse a figure that there is not; raises UserError."""
    if figure not in FIGURES:
        raise UserError(f"{refusal}; {suggest(figure, FIGURES)}")
