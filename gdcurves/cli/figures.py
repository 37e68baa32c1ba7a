"""Figures that are asked for, by a config or an option."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gdcurves.config import Document


def check_figure(document: Document) -> None:
    """Refuse a figure of a config that there is not; raises UserError."""
    from gdcurves import plots

    figure = document.config.figure
    plots.check(figure, f"{document.locate('figure')}: no figure '{figure}'")


def check_option(figure: str | None) -> None:
    """Refuse a figure of an option that there is not; raises UserError."""
    from gdcurves import plots

    if figure is not None:
        plots.check(figure, f"--figure {figure}: no such figure")
