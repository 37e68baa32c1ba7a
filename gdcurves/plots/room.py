"""Where in a panel nothing is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import BboxBase

from gdcurves.arrays import FloatArray
from gdcurves.plots.sheet import Asymptote, Curve, Marks, Panel, Points

Corner = Literal["upper right", "lower left", "lower right", "upper left"]
CORNERS: tuple[Corner, ...] = get_args(Corner)
STEPS = 400  # across a panel
APART = 3.0  # pixels between what is drawn and what is put beside it


def is_free(axes: Axes, panel: Panel, box: BboxBase) -> bool:
    """Whether a box (in pixels) is in the frame, and touches no curve, band or mark of its panel.

    The panel has been drawn into `axes`.
    """
    frame = axes.get_window_extent()
    if box.width > frame.width or box.height > frame.height:
        return False
    return not any(_touches(box, *each) for each in _areas(axes, panel))


def _areas(axes: Axes, panel: Panel) -> Iterator[tuple[FloatArray, FloatArray, FloatArray]]:
    """All that is drawn as places across, low and high ends, each (k,), in pixels."""
    lines: tuple[Curve | Asymptote, ...] = (*panel.curves, *panel.asymptotes)
    parts = [(each.m, each.y, each.y) for each in lines]
    parts += [(each.m, *each.band) for each in panel.curves if each.band is not None]
    for m, low, high in parts:
        known = np.isfinite(low) & np.isfinite(high)
        if known.any():
            across, bottom = _pixels(axes, m[known], low[known])
            _, top = _pixels(axes, m[known], high[known])
            fine = np.linspace(across[0], across[-1], STEPS)
            yield fine, np.interp(fine, across, bottom), np.interp(fine, across, top)
    places: tuple[Points | Marks, ...] = (*panel.points, *panel.marks)
    for points in places:
        across, up = _pixels(axes, points.m, points.y)
        yield across, up, up
    for marks in panel.marks:
        for low, high, y in zip(marks.low, marks.high, marks.y, strict=True):
            ends, up = _pixels(axes, np.clip([low, high], *axes.get_xlim()), np.array([y, y]))
            bar = np.linspace(ends[0], ends[1], STEPS)
            yield bar, np.full(STEPS, up[0]), np.full(STEPS, up[0])


def _pixels(axes: Axes, m: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    across, up = axes.transData.transform(np.column_stack([m, y])).T
    return across, up


def _touches(box: BboxBase, across: FloatArray, low: FloatArray, high: FloatArray) -> bool:
    beside = (across > box.x0 - APART) & (across < box.x1 + APART)
    return bool((beside & (low < box.y1 + APART) & (high > box.y0 - APART)).any())
