"""What a figure shows, as plain data: panels of curves, and the words around them.

Figure modules build a `Sheet` from a run; `render` turns any sheet into a picture. Nothing here
needs matplotlib.
"""

from __future__ import annotations

from dataclasses import dataclass

from gdcurves.plots.styles import Marker, Style
from gdcurves.types import FloatArray

Range = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Curve:
    """One fitter's curve in one panel.

    `m` (k,) training rows, ascending; `y` (k,) error, NaN where there is none; `low`, `high` (k,)
    the ends of the band, NaN where there is none.
    """

    label: str
    style: Style
    m: FloatArray
    y: FloatArray
    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, eq=False)
class Points:
    """Values from elsewhere, drawn as unconnected markers: `m` (k,) and `y` (k,)."""

    label: str
    marker: Marker
    m: FloatArray
    y: FloatArray


@dataclass(frozen=True, eq=False)
class Panel:
    """One experiment's panel.

    `x_range` (m) and `y_range` (error) widen where a value lies outside them; None leaves a range
    to the values. A panel without curves keeps its place and shows `note`.
    """

    experiment: str
    title: str
    curves: tuple[Curve, ...] = ()
    points: tuple[Points, ...] = ()
    x_range: Range | None = None
    y_range: Range | None = None
    note: str = ""


@dataclass(frozen=True, eq=False)
class Sheet:
    """A whole figure; it is written to `stem`.png and `stem`.pdf.

    `warning` is shown where it cannot be missed (empty: none), `notes` in small print below the
    panels, `band` is what the legend says about the bands.
    """

    stem: str
    title: str
    subtitle: str
    warning: str
    panels: tuple[Panel, ...]
    band: str
    notes: tuple[str, ...]
