"""What a figure shows, as plain data: panels of curves, and the words around them.

Figure modules build sheets from a run; `render` turns any sheet into a picture. Nothing here needs
matplotlib.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gdcurves.arrays import FloatArray
from gdcurves.plots.styles import Marker, Style

Range = tuple[float, float]
Band = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, eq=False)
class Curve:
    """One fitter's curve in one panel.

    `m` (k,) training rows, ascending; `y` (k,) values, NaN where there is none; `band` the low and
    the high ends, (k,) each and NaN where there is none, or None for a curve without a band;
    `inner` a narrower one, (k,) each, drawn darker.
    """

    label: str
    style: Style
    m: FloatArray
    y: FloatArray
    band: Band | None = None
    inner: Band | None = None


@dataclass(frozen=True, eq=False)
class Asymptote:
    """What a curve tends to: `y` (k,) at `m` (k,), ascending, drawn as a line.

    Those of one layer that are equal on paper take turns in short strokes, so that all are seen.
    """

    label: str
    style: Style
    m: FloatArray
    y: FloatArray


@dataclass(frozen=True, eq=False)
class Points:
    """Values from elsewhere, drawn as unconnected markers: `m` (k,) and `y` (k,)."""

    label: str
    marker: Marker
    m: FloatArray
    y: FloatArray


@dataclass(frozen=True, eq=False)
class Marks:
    """Places on the curves, drawn as open markers: `m` (k,) and `y` (k,).

    `low`, `high` (k,) are the ends of an interval in m, drawn as a bar; an infinite one is where
    the axis ends, NaN means none. `brief` is the label on a narrow page, if it has another there.
    """

    label: str
    m: FloatArray
    y: FloatArray
    low: FloatArray
    high: FloatArray
    brief: str = ""


@dataclass(frozen=True, eq=False)
class Panel:
    """One experiment's panel, or one of several where its curves are shown in several quantities.

    `y_label` says what the y axis measures, `x_label` what m counts. The axis of m is logarithmic
    if `log_m`, and holds its values; otherwise `x_range` (m) and `y_range` widen where a value lies
    outside them, and None leaves a range to the values. They may be negative if `signed`; their
    axis is logarithmic if `log_y`. Bands have an edge if `edged`, and are bars if `barred`. A panel
    without curves keeps its place and shows `note`.
    """

    experiment: str
    title: str
    y_label: str
    curves: tuple[Curve, ...] = ()
    asymptotes: tuple[Asymptote, ...] = ()
    points: tuple[Points, ...] = ()
    marks: tuple[Marks, ...] = ()
    log_m: bool = False
    log_y: bool = False
    barred: bool = False
    x_range: Range | None = None
    y_range: Range | None = None
    signed: bool = False
    edged: bool = False
    note: str = ""
    x_label: str = "m"


@dataclass(frozen=True, eq=False)
class Sheet:
    """A whole page; it is written to files called `stem`.

    `title`, `subtitle` and `warning`, which is shown where it cannot be missed, may be empty;
    `panels` stand row by row in so many `columns`, `notes` in small print below them; `band` is
    what the legend says about the bands (empty: there are none). The legend is `inside` a lone
    panel where there is room, else above.
    """

    stem: str
    title: str
    subtitle: str
    warning: str
    panels: tuple[Panel, ...]
    columns: int
    band: str
    notes: tuple[str, ...]
    inside: bool = False


def in_brief(sheet: Sheet) -> Sheet:
    """Give the marks their brief labels, and say below the panels what the bands are."""
    panels = []
    for panel in sheet.panels:
        marks = tuple(replace(each, label=each.brief or each.label) for each in panel.marks)
        panels.append(replace(panel, marks=marks))
    said = [f"{sheet.band[0].upper()}{sheet.band[1:]}."] if sheet.band else []
    return replace(sheet, panels=tuple(panels), band="", notes=(*said, *sheet.notes))


def description(sheet: Sheet) -> str:
    """Say in words what a sheet shows, for those who cannot see it."""
    said = [text for text in (sheet.title, sheet.subtitle, sheet.warning) if text]
    for panel in sheet.panels:
        shown: tuple[Curve | Asymptote | Points | Marks, ...]
        shown = (*panel.curves, *panel.asymptotes, *panel.points, *panel.marks)
        labels = dict.fromkeys(each.label for each in shown)
        name = f"{panel.title or panel.experiment}: "
        what = f"{panel.y_label} against {panel.x_label}: {', '.join(labels)}"
        said.append(name + (what if panel.curves else panel.note))
    said += [each for each in (sheet.band, *sheet.notes) if each]
    return ". ".join(each.rstrip(".") for each in said) + "."
