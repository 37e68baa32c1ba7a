"""`gdcurves plot`: draw the figures of runs, finished or not."""

from __future__ import annotations

from pathlib import Path

import typer

from gdcurves.cli import runs


def plot(path: runs.RunsPath = runs.ALL) -> None:
    """Draw the figure of every run found, as PNG and PDF, into the run's folder."""
    from gdcurves import plots
    from gdcurves.run import reading

    def draw(folder: Path, _several: bool) -> None:
        run = reading.read_partial(folder)
        runs.note_lost(run)
        for file in plots.draw(run):
            typer.echo(file)

    runs.every(path, draw)
