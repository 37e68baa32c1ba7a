"""`gdcurves crossings`: which fitter is better, and where that changes."""

from __future__ import annotations

from pathlib import Path

from gdcurves.cli import runs


def crossings(path: runs.RunsPath = runs.ALL, measure: runs.Measure = None) -> None:
    """Tell where the learning curves of runs cross, finished or not, and which fitter is better."""
    from rich.console import Console

    from gdcurves.report import crossings as words
    from gdcurves.report.answer import sentences
    from gdcurves.run import reading
    from gdcurves.scoring.measures import main

    console = Console(highlight=False)

    def show(folder: Path, several: bool) -> None:
        run = reading.read(folder)
        runs.note_lost(run)
        if measure is not None:
            run = reading.by_measure(run, measure, comparing=True)
        run = reading.answers_of(run)
        by = main(run.manifest["config"])
        assert run.crossings is not None, "refused otherwise"
        if several:
            console.print(f"{folder}\n", style="bold", markup=False)
        known = list(sentences(run))
        for sentence in [*known, ""] if known else ():
            console.print(sentence, markup=False, soft_wrap=not console.is_terminal)
        console.print(words.tables(run.crossings, console.width, by), crop=False)
        console.print()
        console.print(words.HEAD)
        for sentence in words.sentences(run.crossings, by, run.comparisons, run.units):
            console.print(sentence, markup=False, soft_wrap=not console.is_terminal)

    runs.every(path, show)
