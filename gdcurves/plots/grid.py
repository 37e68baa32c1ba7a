"""Where the panels of a figure stand, in inches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gdcurves.errors import UserError
from gdcurves.plots.axes import Axis, LogAxis
from gdcurves.plots.paper import Paper
from gdcurves.plots.text import line_height, width, wrap

LABEL = 0.16  # height or width of an axis label in the usual size
TICK = 0.05  # length of a tick and the space to its label
SPACE = 0.05
TOUCH = 0.02
GUTTER = 0.1  # left of an axis label between panels
LARGEST = 4.4  # a lone panel is no wider than this
SHAPE = 0.56  # height of a frame over its width
LEAST = 0.3  # width and height of a frame


@dataclass(frozen=True)
class Cell:
    """A panel's frame, measured from the lower left corner of the grid, and its title's lines.

    `beside` is the room for tick labels left of the frame; the axis label stands beyond it. Only
    the leftmost panels and those that measure something else than their neighbour have one:
    `labelled`.
    """

    left: float
    bottom: float
    width: float
    height: float
    beside: float
    title: tuple[str, ...]
    labelled: bool


@dataclass(frozen=True)
class Grid:
    """The cells of the panels, row by row from the top, and the height they take together."""

    cells: tuple[Cell, ...]
    height: float


def grid(
    titles: Sequence[str],
    labels: Sequence[str],
    axes: Sequence[tuple[Axis | LogAxis, Axis | LogAxis]],
    columns: int,
    paper: Paper,
    room: tuple[float, float | None],
) -> Grid:
    """Place one panel for each title, y label and pair of axes (m, y) on a page.

    There are so many inches of `room` for them, in width and height, and so many columns; without a
    height panels have a shape of their own.
    """
    starts = [i % columns == 0 for i in range(len(titles))]
    labelled = [first or labels[i] != labels[i - 1] for i, first in enumerate(starts)]
    beside = TICK + max(width(label, paper.small) for _, y in axes for label in y.labels)
    beyond = max(width(x.labels[-1], paper.small) for x, _ in axes) / 2 + SPACE
    aside = LABEL * paper.scale
    margin = aside + beside
    gap = beyond + (GUTTER + margin if sum(labelled) > sum(starts) else beside)
    across = (room[0] - margin - beyond - (columns - 1) * gap) / columns
    if room[1] is None:
        across = min(across, LARGEST)
    indent = (room[0] - margin - across - beyond) / 2 if columns == 1 else 0.0

    # A title may reach over the gap, but must not touch the next panel's highest tick label.
    wrapped = [tuple(wrap(title, across + beyond - TOUCH, paper.body)) for title in titles]
    rows = [wrapped[i : i + columns] for i in range(0, len(titles), columns)]
    heads = [max(map(len, row)) * line_height(paper.body) + SPACE for row in rows]
    foot = TICK + line_height(paper.small) + aside
    tall = across * SHAPE
    if room[1] is not None:
        tall = (room[1] - sum(heads)) / len(rows) - foot
    if min(tall, across) < LEAST:
        raise UserError("the page is too small for its panels; give more, or smaller text")
    height = sum(heads) + len(rows) * (tall + foot)
    cells = []
    for i, title in enumerate(wrapped):
        row, column = divmod(i, columns)
        bottom = height - sum(heads[: row + 1]) - tall - row * (tall + foot)
        left = indent + margin + column * (across + gap)
        cells.append(Cell(left, bottom, across, tall, beside, title, labelled[i]))
    return Grid(tuple(cells), height)
