"""`gdcurves report`: runs as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gdcurves.cli import output, runs
from gdcurves.cli.each import refused
from gdcurves.cli.output import AsJson, Quiet

if TYPE_CHECKING:
    from gdcurves.page import Content
    from gdcurves.store.files import Run


def report(
    path: runs.RunsPath = runs.ALL,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where it goes.", show_default="report.html in PATH"),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write what runs tell into one HTML file, to be mailed, read and printed anywhere.

    For instance:

      gdcurves report results/my --out my.html
    """
    from gdcurves import page
    from gdcurves.report import telling
    from gdcurves.run import reading

    read: list[Run] = []
    made: list[Content] = []

    def add(folder: Path) -> None:
        run = reading.read_partial(folder)
        runs.note_lost(run, quiet)
        made.append(page.Content.of(run, f"run{len(made) + 1}"))
        read.append(run)

    some_refused = refused(runs.run_folders(path), add)
    if made:
        file = page.write(made, (out or path).expanduser())
        for run in read if as_json else ():
            output.show(telling.of_run(run, [file]))
        if not (as_json or quiet):
            typer.echo(f"Report: {file}")
    if some_refused:
        raise typer.Exit(1)
