"""`gdcurves complexity`: how many training rows it takes to come near the limits of curves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gdcurves.cli import output, runs
from gdcurves.cli.output import AsJson, Quiet
from gdcurves.errors import UserError


def complexity(
    path: runs.RunsPath = runs.ALL,
    within: Annotated[
        float,
        typer.Option(metavar="E", help="How near to the limit, as error or other measure."),
    ] = 0.03,
    measure: runs.Measure = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Tell how many training rows every fitter needs to come near its limit, and how that grows.

    For instance:

      gdcurves complexity results/proposition1 --within 0.05
    """
    if not 0 < within < 1:
        raise UserError(f"--within {within:g}: write a number between 0 and 1, as 0.03")

    from rich.console import Console

    from gdcurves.report import complexity as words
    from gdcurves.report import telling
    from gdcurves.run import reading

    console = Console(highlight=False)

    def show(folder: Path, several: bool) -> None:
        run = reading.read(folder)
        runs.note_lost(run, quiet)
        if measure is not None:
            run = reading.by_measure(run, measure, comparing=False)
        run = reading.complexity_of(run, within)
        assert run.complexity is not None, "refused otherwise"
        if as_json:
            output.show(telling.of_complexity(run))
            return
        if several:
            console.print(f"{folder}\n", style="bold", markup=False)
        if not quiet:
            console.print(words.tables(run.complexity, console.width), crop=False)
            console.print()
        for sentence in words.sentences(run.complexity):
            console.print(sentence, markup=False, soft_wrap=not console.is_terminal)

    runs.every(path, show)
