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


def beside_each_other(
    frame: pd.DataFrame,
    cell: Callable[[Mapping[Hashable, Any]], str],
    width: int,
    left: tuple[str, Mapping[str, str]] | None = None,
    right: tuple[str, Mapping[str, str]] | None = None,
) -> Iterator[Table]:
    """A line for each experiment, a column for each fitter; several tables where they do not fit.

    Parameters
    ----------
    frame
        One row for every experiment and fitter.
    cell
        What to show of a row, as wide as ERROR at most.
    width
        Of the terminal, in characters.
    left, right
        Title and values, by experiment, of a column before and after those of the fitters.
    """
    experiments = {
        name: {row["fitter"]: row for row in rows.to_dict("records")}
        for name, rows in by(frame, "experiment")
    }
    fitters: Sequence[str] = list(dict.fromkeys(frame["fitter"]))
    around = [each for each in (left, right) if each is not None]
    taken = sum(
        max(map(len, (title, *values.values()))) + GAP
        for title, values in [("experiment", {name: name for name in experiments}), *around]
    )
    at_once = max(1, (width - taken) // (len(ERROR) + GAP))
    for start in range(0, len(fitters), at_once):
        group = fitters[start : start + at_once]
        table = plain()
        table.add_column("experiment", no_wrap=True)
        if left is not None:
            table.add_column(left[0], justify="right")
        for fitter in group:
            table.add_column(header(fitter), no_wrap=True)
        if right is not None:
            table.add_column(right[0], justify="right")
        for name, rows in experiments.items():
            table.add_row(
                name,
                *([left[1][name]] if left is not None else []),
                *(cell(rows[each]) if each in rows else "" for each in group),
                *([right[1][name]] if right is not None else []),
            )
        yield table
