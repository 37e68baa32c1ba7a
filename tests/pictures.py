"""What a rendered figure shows, for the tests of figures."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from gdcurves.plots import render
from gdcurves.plots.sheet import Sheet


def render_whole(sheet: Sheet) -> Figure:
    """Render a sheet and lay out all its text; inside `render.settings()`."""
    figure = render.render(sheet)
    figure.draw_without_rendering()
    return figure


def panel(figure: Figure, title: str) -> Axes:
    return next(axes for axes in figure.axes if axes.get_title(loc="left") == title)


def drawn_line(axes: Axes, label: str) -> Line2D:
    return next(line for line in axes.lines if line.get_label() == label)


def words(figure: Figure) -> str:
    """All text of a figure, without its line breaks."""
    texts = [text.get_text() for text in figure.findobj(Text)]
    return " ".join(" ".join(texts).split())


def legend_labels(figure: Figure) -> list[str]:
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def assert_legible(drawn: Figure) -> None:
    """No text is too small, leaves the page, or overlaps with another text or a frame."""
    assert drawn.get_size_inches()[0] == 7
    texts = [
        text
        for text in drawn.findobj(Text)
        if text.get_visible() and text.get_text() and shown(text)
    ]
    assert all(text.get_fontsize() >= 6 for text in texts)
    boxes = [text.get_window_extent() for text in texts]
    assert all(drawn.bbox.x0 <= box.x0 < box.x1 <= drawn.bbox.x1 for box in boxes)
    assert all(drawn.bbox.y0 <= box.y0 < box.y1 <= drawn.bbox.y1 for box in boxes)

    frames = [axes for axes in drawn.axes if axes.lines]
    boxes += [axes.get_window_extent() for axes in frames]
    names = [text.get_text() for text in texts] + ["a frame"] * len(frames)
    # Boxes may touch: a pixel (of 300 to the inch) is not seen.
    x0, y0, x1, y1 = np.array([box.padded(-1).extents for box in boxes]).T[:, :, None]
    overlap = (np.maximum(x0, x0.T) < np.minimum(x1, x1.T)) & (
        np.maximum(y0, y0.T) < np.minimum(y1, y1.T)
    )
    pairs = np.argwhere(np.triu(overlap, 1))
    assert [(names[i], names[j]) for i, j in pairs] == []


def shown(text: Text) -> bool:
    """Not one of the texts that matplotlib keeps but does not draw."""
    axes = text.axes
    if axes is None:
        return True
    ticks = [*axes.xaxis.get_major_ticks(), *axes.yaxis.get_major_ticks()]
    return all(text is not tick.label2 for tick in ticks)
