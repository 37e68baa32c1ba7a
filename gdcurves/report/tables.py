"""Tables and lines that the reports have in common."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    import pandas as pd

GAP = 2  # blanks between columns
ERROR = "0.123 ± 0.004"


def plain() -> Table:
    """Make a table without lines."""
    return Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False, header_style="bold")


def line(text: str) -> Text:
    """Return text that stays one line, to be copied from the terminal."""
    return Text(text, no_wrap=True, overflow="ignore")


def header(fitter: str) -> str:
    """Return a fitter's name, broken at underscores where it is longer than the numbers."""
    lines = textwrap.wrap(fitter.replace("_", "_ "), len(ERROR))
    return "\n".join(lines).replace("_ ", "_")


def by(frame: pd.DataFrame, column: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """Groups of rows, in the order of the rows."""
    for name, rows in frame.groupby(column, sort=False):
        yield str(name), rows


def by_experiment(
    frame: pd.DataFrame, cell: Callable[[Mapping[Hashable, Any]], str]
) -> dict[str, dict[str, str]]:
    """Show rows, one for every experiment and fitter, as cells: a line for each experiment."""
    lines: dict[str, dict[str, str]] = {}
    for row in frame.to_dict("records"):
        lines.setdefault(row["experiment"], {})[row["fitter"]] = cell(row)
    return lines


Column = tuple[str, Mapping[str, str]]


def beside_each_other(
    first: str,
    lines: Mapping[str, Mapping[str, str]],
    width: int,
    left: Sequence[Column] = (),
    right: Sequence[Column] = (),
) -> Iterator[Table]:
    """Show lines of cells in as many columns as there are; several tables where they do not fit.

    Parameters
    ----------
    first
        Title of the lines' names.
    lines
        What to show, by line and column.
    width
        Of the terminal, in characters.
    left, right
        Titles and values, by line, of columns that stand before and after in each table.
    """
    columns = list(dict.fromkeys(each for cells in lines.values() for each in cells))
    names = (first, {name: name for name in lines})
    taken = sum(
        max(map(len, (title, *values.values()))) + GAP for title, values in (names, *left, *right)
    )
    shown = (cell for cells in lines.values() for cell in cells.values())
    widest = max(map(len, (ERROR, *shown)))
    at_once = max(1, (width - taken) // (widest + GAP))
    for start in range(0, len(columns), at_once):
        group = columns[start : start + at_once]
        table = plain()
        table.add_column(first, no_wrap=True)
        for title, _ in left:
            table.add_column(title, justify="right")
        for column in group:
            table.add_column(header(column), no_wrap=True)
        for title, _ in right:
            table.add_column(title, justify="right")
        for name, cells in lines.items():
            table.add_row(
                name,
                *(values.get(name, "") for _, values in left),
                *(cells.get(each, "") for each in group),
                *(values.get(name, "") for _, values in right),
            )
        yield table
