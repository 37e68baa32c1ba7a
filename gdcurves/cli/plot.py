"""`gdcurves plot`: draw the figures of runs, finished or not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from gdcurves.cli import output, runs
from gdcurves.cli.figures import check_option
from gdcurves.cli.names import names
from gdcurves.cli.output import AsJson, Quiet


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
    form: Annotated[
        list[str] | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="png, pdf or svg; repeat it, or write a,b.",
            show_default="png and pdf",
        ),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(
            metavar="WxH", help="Width and height in inches, as in 3.4x2.4.", show_default="by need"
        ),
    ] = None,
    font_size: Annotated[
        float | None,
        typer.Option(metavar="N", help="Size of text in points.", show_default="7.75"),
    ] = None,
    title: Annotated[
        str | None, typer.Option(metavar="T", help="Title above it.", show_default="none")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Draw the figure of every run found into the run's folder.

    For instance:

      gdcurves plot results/my --format svg --size 3.4x2.4
    """
    from gdcurves import plots
    from gdcurves.plots.paper import Wanted
    from gdcurves.report import telling
    from gdcurves.run import reading
    from gdcurves.scoring.measures import main

    check_option(figure)
    wanted = Wanted.of(names(form or ()), size, font_size, title)

    def draw(folder: Path, _several: bool) -> None:
        run = reading.read_partial(folder)
        runs.note_lost(run, quiet)
        suffix = ""
        if measure is not None:
            usual = main(run.manifest["config"]).name
            suffix = f"_{measure}" if measure != usual else ""
            run = reading.answered(reading.by_measure(run, measure, comparing=False))
        files = plots.draw(run, figure, replace(wanted, suffix=suffix))
        if as_json:
            output.show(telling.of_run(run, files))
        for file in files if not (as_json or quiet) else ():
            typer.echo(file)

    runs.every(path, draw)
