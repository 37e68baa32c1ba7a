"""`gdcurves report`: runs as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gdcurves.cli import runs
from gdcurves.cli.each import refused

if TYPE_CHECKING:
    from gdcurves.page import Content


def report(
    path: runs.RunsPath = runs.ALL,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where it goes.", show_default="report.html in PATH"),
    ] = None,
) -> None:
    """Write what runs tell into one HTML file, to be mailed, read and printed anywhere.

    For instance:

      gdcurves report results/my --out my.html
    """
    write(runs.found(path), out or path)


def write(folders: list[Path], target: Path) -> None:
    """Write the report of runs into a file, or into a folder; a refused one costs itself alone."""
    from gdcurves import page
    from gdcurves.run import reading
    from gdcurves.store.contents import REPORT

    made: list[Content] = []

    def add(folder: Path) -> None:
        run = reading.read_partial(folder)
        runs.note_lost(run)
        made.append(page.Content.of(run, f"run{len(made) + 1}"))

    some_refused = refused(folders, add)
    file = target.expanduser()
    if file.is_dir():
        file /= REPORT
    if made:
        page.write(made, file)
        typer.echo(f"Report: {file}")
    if some_refused:
        raise typer.Exit(1)
