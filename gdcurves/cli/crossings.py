"""`gdcurves crossings`: which fitter is better, and where that changes."""

from __future__ import annotations

from pathlib import Path

import typer

from gdcurves.cli import output, runs
from gdcurves.cli.output import AsJson, Quiet


def crossings(
    path: runs.RunsPath = runs.ALL,
    measure: runs.Measure = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Tell where the learning curves of runs cross, finished or not, and which fitter is better.

    For instance:

      gdcurves crossings results/my --measure auc
    """
    from rich.console import Console

    from gdcurves.fitters.majority import guessing
    from gdcurves.plots.learning_curves import warning
    from gdcurves.report import crossings as words
    from gdcurves.report import telling
    from gdcurves.report.saying import sentences
    from gdcurves.run import reading
    from gdcurves.scoring.measures import main

    console = Console(highlight=False)

    def show(folder: Path, several: bool) -> None:
        run = reading.read_partial(folder)
        runs.note_lost(run, quiet)
        if measure is not None:
            run = reading.by_measure(run, measure, comparing=True)
        run = reading.answers_of(run)
        if as_json:
            output.show(telling.of_run(run))
            return
        by = main(run.manifest["config"])
        assert run.crossings is not None, "refused otherwise"
        if several:
            console.print(f"{folder}\n", style="bold", markup=False)
        known = list(sentences(run))
        if partial := warning(run.manifest):
            typer.echo(f"Note: {folder}: {partial}", err=True)
        for sentence in [*known, *[""] * (not quiet)] if known else ():
            console.print(sentence, markup=False, soft_wrap=not console.is_terminal)
        if quiet:
            return
        console.print(words.tables(run.crossings, console.width, by), crop=False)
        console.print()
        console.print(words.HEAD)
        for sentence in words.sentences(
            run.crossings, by, run.comparisons, run.units, guessing(run.manifest["config"])
        ):
            console.print(sentence, markup=False, soft_wrap=not console.is_terminal)

    runs.every(path, show)
