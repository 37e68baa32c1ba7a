"""`gdcurves plot`: draw the figures of runs, finished or not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gdcurves.cli import runs
from gdcurves.cli.figures import check_option


def plot(
    path: runs.RunsPath = runs.ALL,
    figure: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Another figure than the config's, by a name that its key 'figure' takes.",
            show_default="the config's",
        ),
    ] = None,
    measure: runs.Measure = None,
) -> None:
    """Draw the figure of every run found, as PNG and PDF, into the run's folder."""
    from gdcurves import plots
    from gdcurves.run import reading

    check_option(figure)

    def draw(folder: Path, _several: bool) -> None:
        run = reading.read_partial(folder)
        runs.note_lost(run)
        if measure is not None:
            run = reading.answered(reading.by_measure(run, measure, comparing=False))
        for file in plots.draw(run, figure):
            typer.echo(file)

    runs.every(path, draw)
