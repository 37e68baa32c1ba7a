"""What commands do with every run at or below a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from gdcurves.errors import UserError

RunsPath = Annotated[
    Path, typer.Argument(help="A run's folder, or a folder with runs anywhere below it.")
]
ALL = Path("results")


def each(path: Path, work: Callable[[Path, bool], None]) -> None:
    """Do something with the folder of every run; a run that is refused does not stop the others.

    Parameters
    ----------
    path
        As the user gives it.
    work
        Called with a run's folder, and whether there are several.

    Raises
    ------
    UserError
        If there is no run, or the only one is refused.
    """
    from gdcurves import store

    folders = store.find_runs(path.expanduser())
    if not folders:
        raise UserError(
            f"{path}: no run here or below; make one: gdcurves run --config ng_jordan.yaml"
        )
    failed = False
    for folder in folders:
        try:
            work(folder, len(folders) > 1)
        except UserError as error:
            if len(folders) == 1:
                raise
            typer.echo(f"Error: {error}", err=True)
            failed = True
    if failed:
        raise typer.Exit(1)
