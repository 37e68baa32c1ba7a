"""What the legend of a sheet says: one entry for each look, a handle and its label."""

from __future__ import annotations

from itertools import chain
from typing import Any

from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from gdcurves.plots.panel import BAND_ALPHA, BAR, FRAME, MARK, line, markers
from gdcurves.plots.sheet import Asymptote, Sheet

Handle = Any  # an artist, or a tuple of some, drawn side by side
Entry = tuple[Handle, str]
SHOWN = 3  # colours that stand for "in its curve's colour"


def entries(sheet: Sheet) -> tuple[list[Entry], list[Entry]]:
    """Say what the curves and points of all panels are, and what else there is in them."""
    panels = sheet.panels
    curves = {each.label: each for each in chain(*(panel.curves for panel in panels))}
    points = {each.label: each for each in chain(*(panel.points for panel in panels))}
    main: list[Entry] = [(Line2D([], [], **line(c.style)), c.label) for c in curves.values()]
    main += [(Line2D([], [], **markers(p.marker)), p.label) for p in points.values()]

    others: list[Entry] = []
    asymptotes = list(chain(*(panel.asymptotes for panel in panels)))
    for label in dict.fromkeys(each.label for each in asymptotes):
        others.append((_lines([each for each in asymptotes if each.label == label]), label))
    for label in dict.fromkeys(each.label for panel in panels for each in panel.marks):
        look = {**markers(MARK), "linestyle": "-", "color": FRAME, "linewidth": BAR}
        others.append((Line2D([], [], **look), label))
    if sheet.band:
        band = Patch(facecolor="#606060", alpha=BAND_ALPHA, linewidth=0)
        others.append((band, sheet.band))
    return main, others


def _lines(asymptotes: list[Asymptote]) -> Handle:
    """Make a line, or one that changes its colour where asymptotes differ in theirs."""
    looks = list(dict.fromkeys(each.style for each in asymptotes))[:SHOWN]
    lines = [Line2D([], [], **line(style)) for style in looks]
    return lines[0] if len(lines) == 1 else tuple(lines)
