"""`gdcurves plot`: draw the figures of runs, finished or not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gdcurves.errors import UserError


def plot(
    path: Annotated[
        Path, typer.Argument(help="A run's folder, or a folder with runs anywhere below it.")
    ] = Path("results"),
) -> None:
    """Draw the figure of every run found, as PNG and PDF, into the run's folder."""
    from gdcurves import plots, results, store

    folders = store.find_runs(path.expanduser())
    if not folders:
        raise UserError(
            f"{path}: no run here or below; make one: gdcurves run --config ng_jordan.yaml"
        )
    failed = False
    for folder in folders:
        try:
            files = plots.draw(results.read_partial(folder))
        except UserError as error:
            if len(folders) == 1:
                raise
            typer.echo(f"Error: {error}", err=True)
            failed = True
        else:
            for file in files:
                typer.echo(file)
    if failed:
        raise typer.Exit(1)
