"""Figures that are asked for, by a config or an option."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gdcurves.errors import UserError
from gdcurves.words import suggest

if TYPE_CHECKING:
    from gdcurves.config import Document


def check_figure(document: Document) -> None:
    """Refuse a figure of a config that there is not; raises UserError."""
    figure = document.config.figure
    _check(figure, f"{document.locate('figure')}: no figure '{figure}'")


def check_option(figure: str | None) -> None:
    """Refuse a figure of an option that there is not; raises UserError."""
    if figure is not None:
        _check(figure, f"--figure {figure}: no such figure")


def _check(figure: str, refusal: str) -> None:
    from gdcurves.plots import FIGURES

    if figure not in FIGURES:
        raise UserError(f"{refusal}; {suggest(figure, FIGURES)}")
