"""The curves as a table: the main measure of every classifier at every size."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from gdcurves.report.scores import mean
from gdcurves.report.tables import beside_each_other, by
from gdcurves.scoring.measures import main

if TYPE_CHECKING:
    from gdcurves.store.files import Run


def sizes(run: Run, width: int) -> Iterator[RenderableType]:
    """Show a run's main measure: a table for each experiment, a line for each size."""
    measure = main(run.manifest["config"])
    if run.curves.empty:
        return
    cell = partial(mean, measure.name)
    for name, rows in by(run.curves, "experiment"):
        yield Text(f"{name}: mean {measure.label}, plus or minus 2 Monte Carlo standard errors.")
        lines: dict[str, dict[str, str]] = {}
        for row in rows.sort_values("m", kind="stable").to_dict("records"):
            lines.setdefault(f"{row['m']:,}", {})[row["fitter"]] = cell(row)
        yield from beside_each_other("m", lines, width)
