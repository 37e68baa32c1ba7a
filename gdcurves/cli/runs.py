"""What commands do with every run at or below a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gdcurves.cli.each import each
from gdcurves.errors import UserError

if TYPE_CHECKING:
    from gdcurves.store.files import Run

RunsPath = Annotated[
    Path, typer.Argument(help="A run's folder, or a folder with runs anywhere below it.")
]
ALL = Path("results")
Measure = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The measure that tells which classifier is better, and that the figure shows.",
        show_default="the config's, or error",
    ),
]


def every(path: Path, work: Callable[[Path, bool], None]) -> None:
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
    folders = run_folders(path)
    several = len(folders) > 1
    each(folders, lambda folder: work(folder, several))


def run_folders(path: Path) -> list[Path]:
    """Folders of the runs at or below a folder; raises UserError where there are none."""
    from gdcurves.store import files

    folders = files.find_runs(path.expanduser())
    if not folders:
        what = "no run here or below" if path.expanduser().is_dir() else "no such folder"
        raise UserError(f"{path}: {what}; make a run: gdcurves run --config ng_jordan.yaml")
    return folders


def note_lost(run: Run, quiet: bool) -> None:
    """Say on standard error what raw rows of a run are not there any more."""
    from gdcurves import report

    if quiet:
        return
    for line in report.lost_lines(run):
        typer.echo(f"Note: {line}", err=True)
