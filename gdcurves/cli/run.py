"""`gdcurves run`: compute the learning curves of a config."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from gdcurves.errors import UserError


def run(
    config: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="A YAML file, or the name of a config shipped with gdcurves."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Folder for the results.", show_default="results/<config's name>"
        ),
    ] = None,
    splits: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=10_000_000,
            help="Random splits at every size.",
            show_default="the file's",
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Only this experiment; repeat it, or write a,b.",
            show_default="all",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help="Worker processes.", show_default="one per usable CPU"
        ),
    ] = None,
    data_dir: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            exists=True,
            file_okay=False,
            help="Folder of ARFF or CSV files; data sets found there are taken from it.",
        ),
    ] = None,
    source: Annotated[
        Literal["packaged", "openml"], typer.Option(help="Where the other data sets come from.")
    ] = "packaged",
) -> None:
    """Compute the learning curves of a config; options override the file."""
    from gdcurves.config import find, load, suggest

    document = load(find(config))

    import joblib
    from rich.console import Console

    from gdcurves import plan, report, runner, store
    from gdcurves.cli import progress
    from gdcurves.plots import FIGURES

    if document.config.figure not in FIGURES:
        raise UserError(
            f"{document.locate('figure')}: no figure '{document.config.figure}';"
            f" {suggest(document.config.figure, FIGURES)}"
        )
    planned = plan.make(document, _names(only or ()), splits)
    name = document.path.stem
    folder = (out or Path("results") / name).expanduser()
    try:
        with progress.display(Console(stderr=True)) as show:
            summary = runner.run(
                planned,
                folder,
                name=name,
                source=source,
                data_dir=data_dir,
                jobs=jobs or joblib.cpu_count(),
                progress=show,
            )
    except KeyboardInterrupt as stop:
        if folder.exists():
            stop.add_note(f"what was done is in {folder}")
        raise
    console = Console(highlight=False)
    console.print(report.summary(store.read_run(folder), console.width), crop=False)
    if summary.failed:
        raise typer.Exit(1)


def _names(only: Sequence[str]) -> list[str]:
    """Split the values of `--only` at commas; spaces around a name are no part of it."""
    return [name.strip() for value in only for name in value.split(",")]
