"""One panel: curves with their bands, markers, and the axes around them."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from gdcurves.plots.axes import Axis, automatic, fixed
from gdcurves.plots.sheet import Curve, Panel, Points
from gdcurves.plots.styles import Marker, Style
from gdcurves.plots.text import BODY, SMALL, SPACING, line_height, shorten, wrap
from gdcurves.types import BoolArray, FloatArray

FRAME, GUIDE, GREY = "#404040", "#e4e4e4", "#6e6e6e"
BAND_ALPHA = 0.28
# Layers of the drawing, from the back to the front; curves add their own order within theirs.
_BANDS, _CURVES, _POINTS = 1.0, 2.0, 3.0


def axes_of(panel: Panel) -> tuple[Axis, Axis]:
    """Find the axes (m, error) that hold everything the panel shows; that of m has 0 on it."""
    drawn: tuple[Curve | Points, ...] = (*panel.curves, *panel.points)
    m = [part.m for part in drawn]
    errors = [part.y for part in drawn]
    errors += [end for curve in panel.curves for end in (curve.low, curve.high)]
    x, y = np.concatenate([*m, [0.0]]), np.concatenate([*errors, []])
    return (
        fixed(x, *panel.x_range, 5) if panel.x_range else automatic(x, 5),
        fixed(y, *panel.y_range, 7) if panel.y_range else automatic(y, 6),
    )


def line(style: Style) -> dict[str, Any]:
    """Give the keyword arguments of a line in this style."""
    dashes = (0, style.dashes) if style.dashes else "-"
    return {"color": style.colour, "linestyle": dashes, "linewidth": style.width}


def markers(marker: Marker) -> dict[str, Any]:
    """Give the keyword arguments of unconnected markers."""
    return {
        "linestyle": "none",
        "marker": marker.shape,
        "markersize": marker.size,
        "markeredgewidth": 0.55,
        "markeredgecolor": marker.edge,
        "markerfacecolor": marker.fill,
    }


def draw_panel(axes: Axes, panel: Panel) -> None:
    """Draw the panel's curves into `axes`.

    Nothing is cut off at the frame: the ranges hold every value, and a line on the edge shows its
    full width.
    """
    for curve in panel.curves:
        _draw_curve(axes, curve)
    for points in panel.points:
        look = markers(points.marker)
        axes.plot(points.m, points.y, **look, clip_on=False, zorder=_POINTS, label=points.label)
    x, y = axes_of(panel)
    axes.set_xlim(x.low, x.high)
    axes.set_ylim(y.low, y.high)
    axes.set_xticks(x.ticks, x.labels)
    axes.set_yticks(y.ticks, y.labels)
    axes.tick_params(length=2.4, width=0.6, pad=1.8, color=FRAME, labelsize=SMALL)
    axes.grid(axis="y", color=GUIDE, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(FRAME)


def draw_note(axes: Axes, note: str, width: float, height: float) -> None:
    """Say in an empty frame of this size (inches) why there is no curve."""
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines[:].set(color="#bdbdbd", linestyle=(0, (4, 3)))
    lines = shorten(wrap(note, 0.88 * width, BODY), int(0.88 * height / line_height(BODY)))
    text = axes.text(0.5, 0.5, "\n".join(lines), transform=axes.transAxes)
    text.set(ha="center", va="center", size=BODY, color=GREY, linespacing=SPACING)


def _draw_curve(axes: Axes, curve: Curve) -> None:
    layer = 0.01 * curve.style.layer
    shade: dict[str, Any] = {
        "color": curve.style.colour,
        "alpha": BAND_ALPHA,
        "zorder": _BANDS + layer,
        "clip_on": False,
    }
    axes.fill_between(curve.m, curve.low, curve.high, linewidth=0, **shade)
    (drawn,) = axes.plot(curve.m, curve.y, **line(curve.style), label=curve.label)
    drawn.set(clip_on=False, zorder=_CURVES + layer)
    # A point without neighbours has neither a line nor an area: it is a square on a bar.
    alone = _alone(curve.y)
    drawn.set(marker="s", markersize=3.0, markevery=np.flatnonzero(alone).tolist())
    axes.vlines(curve.m[alone], curve.low[alone], curve.high[alone], linewidth=5, **shade)


def _alone(y: FloatArray) -> BoolArray:
    """Tell which values (k,) are there while both their neighbours are not."""
    there: BoolArray = np.pad(np.isfinite(y), 1)
    return there[1:-1] & ~there[:-2] & ~there[2:]
