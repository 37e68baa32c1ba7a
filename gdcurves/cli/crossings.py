"""`gdcurves crossings`: which fitter is better, and where that changes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gdcurves.errors import UserError


def crossings(
    path: Annotated[
        Path, typer.Argument(help="A run's folder, or a folder with runs anywhere below it.")
    ] = Path("results"),
) -> None:
    """Tell where the learning curves of runs cross, finished or not, and which fitter is better."""
    from rich.console import Console

    from gdcurves import results, store
    from gdcurves.report import crossings as words

    folders = store.find_runs(path.expanduser())
    if not folders:
        raise UserError(
            f"{path}: no run here or below; make one: gdcurves run --config ng_jordan.yaml"
        )
    console = Console(highlight=False)
    failed = False
    for folder in folders:
        try:
            found = results.read_crossings(folder)
        except UserError as error:
            if len(folders) == 1:
                raise
            typer.echo(f"Error: {error}", err=True)
            failed = True
            continue
        if len(folders) > 1:
            console.print(f"{folder}\n", style="bold", markup=False)
        console.print(words.tables(found, console.width), crop=False)
        console.print()
        console.print(words.HEAD)
        for sentence in words.sentences(found):
            console.print(sentence, markup=False, soft_wrap=not console.is_terminal)
    if failed:
        raise typer.Exit(1)
