"""One panel: curves with their bands, asymptotes, markers, and the axes around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.plots.axes import Axis, LogAxis, automatic, fixed, logarithmic
from gdcurves.plots.paper import Paper
from gdcurves.plots.sheet import Asymptote, Curve, Marks, Panel, Points
from gdcurves.plots.styles import Marker, Style
from gdcurves.plots.text import SPACING, line_height, shorten, wrap

FRAME, GUIDE, GREY = "#404040", "#e4e4e4", "#6e6e6e"
BAND_ALPHA = 0.28
PAIR = 2  # bands with edges that lie over each other as they are; more of them are paler
EDGE_ALPHA, EDGE = 0.9, 0.6  # of a band's edge, and its width in pt
# Layers of the drawing, from the back to the front; curves add their own order within theirs.
_BANDS, _ASYMPTOTES, _CURVES, _POINTS, _MARKS = 1.0, 1.5, 2.0, 3.0, 4.0
MARK = Marker("D", 3.2, FRAME, "white")
BAR = 0.8  # pt; of an interval
STROKE = 4.5  # pt; of asymptotes that take turns


def axes_of(panel: Panel) -> tuple[Axis | LogAxis, Axis | LogAxis]:
    """Find the axes (m, y) that hold everything the panel shows; a linear one of m has 0 on it."""
    drawn: tuple[Curve | Asymptote | Points | Marks, ...]
    drawn = (*panel.curves, *panel.asymptotes, *panel.points, *panel.marks)
    m = [part.m for part in drawn]
    m += [end for marks in panel.marks for end in (marks.low, marks.high)]
    values = [part.y for part in drawn]
    values += [end for curve in panel.curves for end in curve.band or ()]
    x, y = np.concatenate([*m, []]), np.concatenate([*values, []])
    if panel.asymptotes and not panel.signed and not panel.log_y:
        y = np.append(y, _below(np.concatenate([each.y for each in panel.asymptotes]), y))
    across: Axis | LogAxis
    if panel.log_m and panel.curves:
        across = logarithmic(x, marked=panel.barred)
    elif panel.x_range:
        across = fixed(x, *panel.x_range, 5)
    else:
        across = automatic(np.append(x, 0.0), 5)
    if panel.log_y and panel.curves:
        return across, logarithmic(y)
    if panel.y_range:
        return across, fixed(y, *panel.y_range, 7)
    return across, automatic(y, 6, -np.inf if panel.signed else 0.0)


def _below(asymptotes: FloatArray, values: FloatArray) -> float:
    """Find the value that has to be on an axis too, lest an asymptote lie on the frame below it."""
    room = 0.03 * (np.nanmax(values) - np.nanmin(values))
    return max(float(asymptotes.min() - room), 0.0)


def line(style: Style) -> dict[str, Any]:
    """Give the keyword arguments of a line in this style."""
    dashes = (0, style.dashes) if style.dashes else "-"
    return {"color": style.colour, "linestyle": dashes, "linewidth": style.width}


def strokes(style: Style, turn: int, of: int) -> dict[str, Any]:
    """Give the keyword arguments of the line that has this turn (from 0) among so many."""
    if of == 1:
        return line(style)
    on = STROKE / style.width
    dashes = ((of - turn) * on, (on, (of - 1) * on))
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


def draw_panel(axes: Axes, panel: Panel, paper: Paper) -> None:
    """Draw the panel's curves into `axes`.

    Nothing is cut off at the frame: the ranges hold every value, and a line on the edge shows its
    full width.
    """
    x, y = axes_of(panel)
    axes.set_xscale(x.scale)
    axes.set_yscale(y.scale)
    axes.minorticks_off()
    paler = min(1.0, PAIR / max(len(panel.curves), 1)) if panel.edged else 1.0
    for curve in panel.curves:
        if panel.barred:
            _draw_barred(axes, curve)
        else:
            _draw_curve(axes, curve, panel.edged, BAND_ALPHA * paler)
    for asymptote, turn, of in turns(panel.asymptotes, 0.005 * (y.high - y.low)):
        _draw_asymptote(axes, asymptote, turn, of)
    for points in panel.points:
        look = markers(points.marker)
        axes.plot(points.m, points.y, **look, clip_on=False, zorder=_POINTS, label=points.label)
    for marks in panel.marks:
        _draw_marks(axes, marks, x)
    axes.set_xlim(x.low, x.high)
    axes.set_ylim(y.low, y.high)
    axes.set_xticks(x.ticks, x.labels)
    axes.set_yticks(y.ticks, y.labels)
    axes.tick_params(length=2.4, width=0.6, pad=1.8, color=FRAME, labelsize=paper.small)
    axes.grid(axis="y", color=GUIDE, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(FRAME)


def draw_note(axes: Axes, note: str, width: float, height: float, paper: Paper) -> None:
    """Say in an empty frame of this size (inches) why there is no curve."""
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines[:].set(color="#bdbdbd", linestyle=(0, (4, 3)))
    most = int(0.88 * height / line_height(paper.body))
    lines = shorten(wrap(note, 0.88 * width, paper.body), max(most, 1))
    text = axes.text(0.5, 0.5, "\n".join(lines), transform=axes.transAxes)
    text.set(ha="center", va="center", size=paper.body, color=GREY, linespacing=SPACING)


def turns(asymptotes: Sequence[Asymptote], apart: float) -> list[tuple[Asymptote, int, int]]:
    """Give each its turn among those of its layer that are nowhere `apart` from the next."""
    groups: list[list[Asymptote]] = []
    for asymptote in sorted(asymptotes, key=lambda each: (each.style.layer, each.y.max())):
        last = groups[-1][-1] if groups else None
        if (
            last
            and last.style.layer == asymptote.style.layer
            and (np.abs(asymptote.y - last.y) < apart).all()
        ):
            groups[-1].append(asymptote)
        else:
            groups.append([asymptote])
    return [(each, turn, len(group)) for group in groups for turn, each in enumerate(group)]


def _draw_asymptote(axes: Axes, asymptote: Asymptote, turn: int, of: int) -> None:
    (drawn,) = axes.plot(
        asymptote.m, asymptote.y, **strokes(asymptote.style, turn, of), label=asymptote.label
    )
    drawn.set(clip_on=False, zorder=_ASYMPTOTES + 0.01 * asymptote.style.layer)
    if len(asymptote.m) == 1:
        size = 14.0 * (1 - turn / of)  # the upper ones are the shorter ones
        drawn.set(marker="_", markersize=size, markeredgewidth=asymptote.style.width)


def _draw_marks(axes: Axes, marks: Marks, x: Axis | LogAxis) -> None:
    bar = ~np.isnan(marks.low + marks.high)
    left, right = (np.clip(end[bar], x.low, x.high) for end in (marks.low, marks.high))
    axes.hlines(marks.y[bar], left, right, FRAME, linewidth=BAR, zorder=_MARKS, clip_on=False)
    look = markers(MARK)
    axes.plot(marks.m, marks.y, **look, clip_on=False, zorder=_MARKS, label=marks.label)


def _draw_curve(axes: Axes, curve: Curve, edged: bool, alpha: float) -> None:
    layer = 0.01 * curve.style.layer
    (drawn,) = axes.plot(curve.m, curve.y, **line(curve.style), label=curve.label)
    drawn.set(clip_on=False, zorder=_CURVES + layer)
    # A point without neighbours has neither a line nor an area: it is a square on a bar.
    alone = _alone(curve.y)
    drawn.set(marker="s", markersize=3.0, markevery=np.flatnonzero(alone).tolist())
    colour = curve.style.colour
    shade: dict[str, Any] = {"color": colour, "alpha": alpha}
    where: dict[str, Any] = {"zorder": _BANDS + layer, "clip_on": False}
    edge = {**line(replace(curve.style, width=EDGE)), "color": to_rgba(colour, EDGE_ALPHA)}
    for band, has_edge in ((curve.band, edged), (curve.inner, False)):
        if band is None:
            continue
        low, high = band
        axes.fill_between(curve.m, low, high, linewidth=0, **shade, **where)
        axes.vlines(curve.m[alone], low[alone], high[alone], linewidth=5, **shade, **where)
        for end in (low, high) if has_edge else ():
            (drawn,) = axes.plot(curve.m, end, **edge, label="_edge")
            drawn.set(**where)


def _draw_barred(axes: Axes, curve: Curve) -> None:
    """Draw a curve whose points are marked, each on a bar."""
    zorder = _CURVES + 0.01 * curve.style.layer
    (drawn,) = axes.plot(curve.m, curve.y, **line(curve.style), label=curve.label)
    drawn.set(clip_on=False, zorder=zorder, marker="s", markersize=3.0)
    if curve.band is not None:
        low, high = curve.band
        axes.vlines(curve.m, low, high, curve.style.colour, linewidth=2 * BAR, zorder=zorder)


def _alone(y: FloatArray) -> BoolArray:
    """Tell which values (k,) are there while both their neighbours are not."""
    there: BoolArray = np.pad(np.isfinite(y), 1)
    return there[1:-1] & ~there[:-2] & ~there[2:]
