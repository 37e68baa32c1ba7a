"""Draws a sheet with matplotlib's object interface: no pyplot, no global state left changed."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from math import ceil
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

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
from gdcurves.plots.paper import FORMATS, TEXT, Paper
from gdcurves.plots.room import CORNERS, is_free
from gdcurves.plots.sheet import Panel, Sheet, description, in_brief
from gdcurves.plots.text import FAMILY, SPACING, wrap

USUAL = Paper()
EDGE, GAP = 0.06, 0.07
DPI = 300
WIDTHS = (0.6, 0.42)  # of the labels of a legend in a panel, over the panel's
SETTINGS: dict[Any, Any] = {
    "font.family": FAMILY,
    "font.size": TEXT,
    "text.parse_math": False,  # a name may hold a dollar sign
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "gdcurves",
    "axes.linewidth": 0.6,
}
_LEGEND: dict[str, Any] = {
    "handler_map": {tuple: HandlerTuple(ndivide=None, pad=0.0)},
    "frameon": False,
    "handlelength": 2.6,
    "labelspacing": 0.35,
    "borderpad": 0.0,
    "borderaxespad": 0.0,
}
_CLOSE: dict[str, Any] = {"columnspacing": 1.2, "labelspacing": 0.2, "handlelength": 2.2}


@contextmanager
def settings() -> Iterator[None]:
    """Matplotlib's defaults with this package's settings, whatever the user's matplotlibrc says."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(SETTINGS)
        yield


def render(sheet: Sheet, paper: Paper = USUAL) -> Figure:
    """Make the picture of a sheet: words, legend, panels and notes, one below the other.

    The legend is in the panel instead where the sheet has it `inside` and there is room, on a
    narrow page without a word on bands, which then stands below. Call it, and save the figure,
    inside `settings()`. Raises UserError where the page is too small.
    """
    if sheet.inside and len(sheet.panels) == 1 and sheet.panels[0].curves:
        for each in (sheet, in_brief(sheet)) if paper.is_narrow else (sheet,):
            figure = _compose(each, paper, with_legends=False)
            if _put_inside(figure, each, paper):
                return figure
        return _compose(each, paper, with_legends=True)
    return _compose(sheet, paper, with_legends=True)


def _compose(sheet: Sheet, paper: Paper, with_legends: bool) -> Figure:
    figure = Figure(figsize=(paper.width, paper.width), dpi=DPI)
    FigureCanvasAgg(figure)
    heads = [(sheet.title, {"size": paper.head, "weight": "bold"}), (sheet.subtitle, {})]
    heads.append((sheet.warning, {"weight": "bold", "color": "#a61c00"}))
    top: list[Text | Legend] = [_words(figure, paper, text, **look) for text, look in heads if text]
    if with_legends and any(panel.curves for panel in sheet.panels):
        top += _legends(figure, sheet, paper)
    bottom = [
        _words(figure, paper, note, size=paper.small, color="#404040") for note in sheet.notes
    ]
    below = EDGE + sum(_size(figure, part)[1] + GAP for part in bottom)
    above = sum(_size(figure, part)[1] + GAP for part in top) + EDGE
    panels = grid(
        [panel.title for panel in sheet.panels],
        [panel.y_label for panel in sheet.panels],
        [axes_of(panel) for panel in sheet.panels],
        sheet.columns,
        paper,
        (paper.width - 2 * EDGE, None if paper.height is None else paper.height - below - above),
    )
    height = below + panels.height + above
    figure.set_size_inches(paper.width, height)
    _stack(figure, top, height - EDGE)
    _stack(figure, bottom, below - GAP)
    for panel, cell in zip(sheet.panels, panels.cells, strict=True):
        _add_panel(figure, panel, cell, below, paper)
    return figure


def save(
    figure: Figure, sheet: Sheet, folder: Path, formats: Sequence[str] = FORMATS[:2]
) -> list[Path]:
    """Write the figure of a sheet without dates; UserError where a file cannot be written."""
    paths = []
    for suffix in formats:
        path = folder / f"{sheet.stem}.{suffix}"
        try:
            if suffix == "svg":
                path.write_text(svg(figure, sheet), "utf-8")
            else:
                figure.savefig(path, metadata=_METADATA[suffix])
        except OSError as error:
            raise UserError(
                f"{path}: cannot be written ({error.strerror}); make room there, or open it, then"
                " plot again"
            ) from error
        paths.append(path)
    return paths


# Text of an SVG is text, in the font that its reader has.
_FONTS = ", ".join(f"'{name}'" for name in FAMILY)
_WEB_FONTS = f"'{FAMILY[0]}', 'STIX Two Text', 'Times New Roman', 'Liberation Serif', serif"
_METADATA: dict[str, dict[str, Any]] = {"png": {}, "pdf": {"CreationDate": None}}


def svg(figure: Figure, sheet: Sheet) -> str:
    """The figure of a sheet as SVG, without dates; call it inside `settings()`.

    It has the description that screen readers read, and names fonts that other machines have.
    """
    content = io.StringIO()
    title = sheet.title or sheet.panels[0].y_label
    figure.savefig(content, format="svg", metadata={"Date": None, "Title": title})
    head = "</title>"
    described = f"{head}\n <desc>{escape(description(sheet))}</desc>"
    return content.getvalue().replace(head, described, 1).replace(_FONTS, _WEB_FONTS)


def _words(figure: Figure, paper: Paper, text: str, **look: Any) -> Text:
    """Write centred lines of text; their place is still open."""
    size = look.setdefault("size", paper.body)
    # Bold letters are a little wider than the ones that were measured.
    lines = wrap(text, 0.9 * paper.width, size)
    return figure.text(
        paper.width / 2,
        0,
        "\n".join(lines),
        transform=figure.dpi_scale_trans,
        ha="center",
        va="top",
        linespacing=SPACING,
        **look,
    )


def _legends(figure: Figure, sheet: Sheet, paper: Paper) -> list[Legend]:
    """Make the table of curves and points, and a row of what else there is, or two."""
    main, others = entries(sheet)
    if sheet.inside and paper.is_narrow:
        return [_legend(figure, paper, main + others, 2)]
    n_curves = len({curve.label for panel in sheet.panels for curve in panel.curves})
    columns = {1: 2, 2: 2, 3: 3, 5: 3, 6: 3}.get(n_curves, 4)
    # A long label would stretch any but the last column of the table.
    if len(others) == 1 and (len(main) + 1) % columns == 0:
        main, others = main + others, []
    return [_legend(figure, paper, main, columns), *_rows(figure, paper, others)]


def _rows(figure: Figure, paper: Paper, part: Sequence[Entry]) -> Iterator[Legend]:
    """Make a row; where it would not fit on the page, the last one's long words have their own."""
    if not part:
        return
    row = _table(figure, paper, part, len(part))
    if len(part) == 1 or _fits(figure, paper, row):
        yield row
        return
    row.remove()
    for some in (part[:-1], part[-1:]):
        yield _legend(figure, paper, some, len(some))


def _legend(figure: Figure, paper: Paper, part: Sequence[Entry], columns: int) -> Legend:
    """Make a table of at most so many columns, fewer where they would not fit on the page."""
    legend = _table(figure, paper, part, columns)
    if columns == 1 or _fits(figure, paper, legend):
        return legend
    legend.remove()
    rows = ceil(len(part) / (columns - 1))
    return _legend(figure, paper, part, ceil(len(part) / rows))  # rows of one length, about


def _fits(figure: Figure, paper: Paper, legend: Legend) -> bool:
    return _size(figure, legend)[0] <= paper.width - 2 * EDGE


def _table(figure: Figure, paper: Paper, part: Sequence[Entry], columns: int) -> Legend:
    # A legend is filled column by column; reading goes row by row.
    order = [entry for column in range(columns) for entry in part[column::columns]]
    return figure.legend(
        [handle for handle, _ in order],
        ["\n".join(wrap(label, 0.8 * paper.width, paper.body)) for _, label in order],
        ncols=columns,
        loc="upper center",
        fontsize=paper.body,
        **{**_LEGEND, **(_CLOSE if paper.is_narrow else {"columnspacing": 2.2})},
    )


def _put_inside(figure: Figure, sheet: Sheet, paper: Paper) -> bool:
    """Put the legend into a corner of the only panel that nothing is drawn in, if there is one."""
    (axes,) = figure.axes
    (panel,) = sheet.panels
    main, others = entries(sheet)
    across = axes.get_window_extent().width / figure.dpi
    look: dict[str, Any] = {**_LEGEND, "borderpad": 0.4, "fontsize": paper.small}
    look["bbox_to_anchor"] = axes.get_position()
    handles = [handle for handle, _ in main + others]
    for share, corner in product(WIDTHS, CORNERS):
        room = share * across
        labels = ["\n".join(wrap(label, room, paper.small)) for _, label in main + others]
        legend = figure.legend(handles, labels, loc=corner, **look)
        if is_free(axes, panel, legend.get_window_extent()):
            return True
        legend.remove()
    return False


def _size(figure: Figure, part: Text | Legend) -> tuple[float, float]:
    """Measure width and height in inches."""
    box = part.get_window_extent()
    return box.width / figure.dpi, box.height / figure.dpi


def _stack(figure: Figure, parts: Sequence[Text | Legend], top: float) -> None:
    """Set the parts one below the other, the first one's upper edge at `top` inches."""
    for part in parts:
        if isinstance(part, Legend):
            anchor = (figure.get_figwidth() / 2, top)
            part.set_bbox_to_anchor(anchor, transform=figure.dpi_scale_trans)
        else:
            part.set_y(top)
        top -= _size(figure, part)[1] + GAP


def _add_panel(figure: Figure, panel: Panel, cell: Cell, below: float, paper: Paper) -> None:
    """Draw a panel where its cell is, `below` inches between the page's edge and the grid."""
    width, height = figure.get_size_inches()
    left, bottom = EDGE + cell.left, below + cell.bottom
    box = (left / width, bottom / height, cell.width / width, cell.height / height)
    axes = figure.add_axes(box)
    title = "\n".join(cell.title)
    axes.set_title(title, size=paper.body, loc="left", pad=3.5, linespacing=SPACING)
    if panel.curves:
        draw_panel(axes, panel, paper)
        style = "italic" if panel.x_label == "m" else "normal"
        axes.set_xlabel(panel.x_label, size=paper.body, style=style, labelpad=0.5)
    else:
        draw_note(axes, panel.note, cell.width, cell.height, paper)
    if cell.labelled:
        axes.set_ylabel(panel.y_label, size=paper.body)
        axes.yaxis.set_label_coords(-(cell.beside + SPACE) / cell.width, 0.5)
