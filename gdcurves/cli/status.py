"""`gdcurves status`: how far a run is."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from gdcurves.cli import output
from gdcurves.cli.output import AsJson, Quiet
from gdcurves.words import counted


def status(
    folder: Annotated[Path, typer.Argument(help="A run's folder.")],
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Tell what of a run is done, missing or failed, and why, and the time spent on it.

    For instance:

      gdcurves status results/my
    """
    from gdcurves import report
    from gdcurves.report import telling
    from gdcurves.run import reading

    run = reading.read(folder.expanduser())
    if as_json:
        output.show(telling.of_run(run))
        return
    if quiet:
        for line in report.sentences(run):
            typer.echo(line)
        return
    progress = report.status(run)
    done, planned = progress["splits_done"], progress["splits"]
    spent = timedelta(seconds=round(progress["seconds"]))
    typer.echo(
        f"{progress['name']}: {progress['status']}; {done:,} of {counted(planned, 'split')} done;"
        f" {spent} in {counted(progress['sessions'], 'session')},"
        f" {timedelta(seconds=round(progress['cpu_seconds']))} of CPU time"
    )
    width = max(map(len, progress["experiments"]))
    typer.echo(f"{'':{width}}  {'done':>10}  {'missing':>10}  {'failed':>10}")
    for name, each in progress["experiments"].items():
        counts = "  ".join(f"{each[f'splits_{key}']:>10,}" for key in ("done", "missing", "failed"))
        why = f"  {each['status']}: {each['reason']}" if each["reason"] else ""
        typer.echo(f"{name:{width}}  {counts}{why}")
    for line in (*report.lost_lines(run), *report.warning_lines(run), *report.sentences(run)):
        typer.echo(line)
