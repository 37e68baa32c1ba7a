"""Draws a sheet with matplotlib's object interface: no pyplot, no global state left changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.legend_handler import HandlerTuple
from matplotlib.text import Text

from gdcurves.errors import UserError
from gdcurves.plots.grid import SPACE, Cell, grid
from gdcurves.plots.legend import Entry, entries
from gdcurves.plots.panel import axes_of, draw_note, draw_panel
from gdcurves.plots.sheet import Panel, Sheet
from gdcurves.plots.text import BODY, FAMILY, HEAD, SMALL, SPACING, wrap

WIDTH = 7.0  # inches: the width of a page's text
EDGE, GAP = 0.06, 0.07
DPI = 300
SETTINGS: dict[Any, Any] = {
    "font.family": FAMILY,
    "font.size": BODY,
    "text.parse_math": False,  # a name may hold a dollar sign
    "pdf.fonttype": 42,
    "axes.linewidth": 0.6,
}


@contextmanager
def settings() -> Iterator[None]:
    """Matplotlib's defaults with this package's settings, whatever the user's matplotlibrc says."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(SETTINGS)
        yield


def render(sheet: Sheet) -> Figure:
    """Make the picture of a sheet: words, legend, panels and notes, one below the other.

    Call it, and save the figure, inside `settings()`.
    """
    figure = Figure(figsize=(WIDTH, WIDTH), dpi=DPI)
    FigureCanvasAgg(figure)
    top: list[Text | Legend] = [
        _words(figure, sheet.title, HEAD, weight="bold"),
        _words(figure, sheet.subtitle, BODY),
    ]
    if sheet.warning:
        top.append(_words(figure, sheet.warning, BODY, weight="bold", color="#a61c00"))
    if any(panel.curves for panel in sheet.panels):
        top += _legends(figure, sheet)
    bottom = [_words(figure, note, SMALL, color="#404040") for note in sheet.notes]
    panels = grid(
        [panel.title for panel in sheet.panels],
        [panel.y_label for panel in sheet.panels],
        [axes_of(panel) for panel in sheet.panels],
        sheet.columns,
        WIDTH - 2 * EDGE,
    )

    below = EDGE + sum(_size(figure, part)[1] + GAP for part in bottom)
    above = sum(_size(figure, part)[1] + GAP for part in top) + EDGE
    height = below + panels.height + above
    figure.set_size_inches(WIDTH, height)
    _stack(figure, top, height - EDGE)
    _stack(figure, bottom, below - GAP)
    for panel, cell in zip(sheet.panels, panels.cells, strict=True):
        _add_panel(figure, panel, cell, below)
    return figure


def save(figure: Figure, folder: Path, stem: str) -> list[Path]:
    """Write the figure as PNG and PDF, without dates; UserError where a file cannot be written."""
    paths = []
    for suffix, metadata in (("png", {}), ("pdf", {"CreationDate": None})):
        path = folder / f"{stem}.{suffix}"
        try:
            figure.savefig(path, metadata=metadata)
        except OSError as error:
            raise UserError(
                f"{path}: cannot be written ({error.strerror}); make room there, then plot again"
            ) from error
        paths.append(path)
    return paths


def _words(figure: Figure, text: str, size: float, **look: Any) -> Text:
    """Write centred lines of text; their place is still open."""
    # Bold letters are a little wider than the ones that were measured.
    lines = wrap(text, 0.9 * WIDTH, size)
    return figure.text(
        WIDTH / 2,
        0,
        "\n".join(lines),
        transform=figure.dpi_scale_trans,
        ha="center",
        va="top",
        size=size,
        linespacing=SPACING,
        **look,
    )


def _legends(figure: Figure, sheet: Sheet) -> list[Legend]:
    """Make the table of curves and points, and one of what else there is."""
    main, others = entries(sheet)
    n_curves = len({curve.label for panel in sheet.panels for curve in panel.curves})
    columns = {1: 2, 2: 2, 3: 3, 5: 3, 6: 3}.get(n_curves, 4)
    # A long label would stretch any but the last column of the table.
    if len(others) == 1 and (len(main) + 1) % columns == 0:
        main, others = main + others, []
    tables = ((main, columns), (others, {3: 3}.get(len(others), 2)))
    return [_legend(figure, *table) for table in tables if table[0]]


def _legend(figure: Figure, part: Sequence[Entry], columns: int) -> Legend:
    """Make a table of at most so many columns, fewer where they would not fit on the page."""
    # A legend is filled column by column; reading goes row by row.
    order = [entry for column in range(columns) for entry in part[column::columns]]
    legend = figure.legend(
        [handle for handle, _ in order],
        ["\n".join(wrap(label, 0.8 * WIDTH, BODY)) for _, label in order],
        ncols=columns,
        handler_map={tuple: HandlerTuple(ndivide=None, pad=0.0)},
        loc="upper center",
        frameon=False,
        handlelength=2.6,
        columnspacing=2.2,
        labelspacing=0.35,
        borderpad=0.0,
        borderaxespad=0.0,
    )
    if columns > 1 and _size(figure, legend)[0] > WIDTH - 2 * EDGE:
        legend.remove()
        return _legend(figure, part, columns - 1)
    return legend


def _size(figure: Figure, part: Text | Legend) -> tuple[float, float]:
    """Measure width and height in inches."""
    box = part.get_window_extent()
    return box.width / figure.dpi, box.height / figure.dpi


def _stack(figure: Figure, parts: Sequence[Text | Legend], top: float) -> None:
    """Set the parts one below the other, the first one's upper edge at `top` inches."""
    for part in parts:
        if isinstance(part, Legend):
            part.set_bbox_to_anchor((WIDTH / 2, top), transform=figure.dpi_scale_trans)
        else:
            part.set_y(top)
        top -= _size(figure, part)[1] + GAP


def _add_panel(figure: Figure, panel: Panel, cell: Cell, below: float) -> None:
    """Draw a panel where its cell is, `below` inches between the page's edge and the grid."""
    width, height = figure.get_size_inches()
    left, bottom = EDGE + cell.left, below + cell.bottom
    box = (left / width, bottom / height, cell.width / width, cell.height / height)
    axes = figure.add_axes(box)
    axes.set_title("\n".join(cell.title), size=BODY, loc="left", pad=3.5, linespacing=SPACING)
    if panel.curves:
        draw_panel(axes, panel)
        axes.set_xlabel(panel.x_label, size=BODY, style="italic", labelpad=0.5)
    else:
        draw_note(axes, panel.note, cell.width, cell.height)
    if cell.labelled:
        axes.set_ylabel(panel.y_label, size=BODY)
        axes.yaxis.set_label_coords(-(cell.beside + SPACE) / cell.width, 0.5)
