"""A run that has ended: what the command that made it tells, and draws."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gdcurves.cli import output, screen, typed
from gdcurves.words import counted

if TYPE_CHECKING:
    from gdcurves.cli.drafting import Drafting
    from gdcurves.run.progress import Summary
    from gdcurves.store.files import Run
    from gdcurves.store.part import Part


@dataclass(frozen=True)
class Ended:
    """A run that has ended.

    Attributes
    ----------
    folder, summary
        Its folder, and what came of it.
    drafting
        What was said of data on the command line, whose run is drawn; None of a config's.
    reported
        Whether it is to have a report.
    """

    folder: Path
    summary: Summary
    drafting: Drafting | None
    reported: bool

    def tell(self, as_json: bool, quiet: bool, advising: bool) -> None:
        """Tell of it, and exit with code 1 where something failed.

        `advising` prints the commands that notes advise.
        """
        from gdcurves import report
        from gdcurves.report import telling
        from gdcurves.run import reading

        run = reading.read_run(self.folder)
        if not as_json and not quiet:
            self._say(run, advising)
        else:
            files = list(self._files(run))
            if as_json:
                output.show(telling.of_run(reading.read(self.folder), files))
            else:
                for line in report.sentences(run):
                    typer.echo(line)
                self._count_notes(run)
            _name_failed(self.summary)
        if self.summary.failed:
            typer.echo(f"To try what failed once more: {typed.resuming()}", err=as_json or quiet)
            raise typer.Exit(1)

    def _count_notes(self, run: Run) -> None:
        """Say that there are notes, where these themselves are not to be shown."""
        from gdcurves.report.understood import notes

        if n := len(notes(run)):
            shown = shlex.join(["gdcurves", "report", str(self.folder)])
            typer.echo(f"Note: {counted(n, 'note')} on the data; {shown} shows them", err=True)

    def _files(self, run: Run) -> Iterator[Path]:
        """Write what is to be beside the results: the figure of a draft, and the report."""
        if self.drafting is not None and not self.summary.failed:
            from gdcurves import plots

            yield from plots.draw(run)
        if self.reported:
            from gdcurves import page
            from gdcurves.run import reading

            content = page.Content.of(reading.read_partial(self.folder), "run1")
            yield page.write([content], self.folder)

    def _say(self, run: Run, advising: bool) -> None:
        """Tell of it in words, and what to do next."""
        from rich.console import Console

        from gdcurves import report
        from gdcurves.report import described

        console = Console(highlight=False)
        console.print(report.summary(run, console.width), crop=False)
        for file in self._files(run):
            typer.echo(f"{'Report' if file.suffix == '.html' else 'Figure'}: {file}")
        if self.summary.failed:
            return
        if self.drafting is None:
            typer.echo(f"Next: gdcurves plot {shlex.quote(str(self.folder))}")
        else:
            for line in described.reminder(self.drafting.made.notes):
                screen.echo(line)
            for words in self.drafting.advised if advising else ():  # which may not fit groups
                typer.echo(f"With {shlex.join(words)}: {typed.again(*words, '--fresh')}")


def tell_part(part: Part, folder: Path, summary: Summary, as_json: bool, quiet: bool) -> None:
    """Tell of a part of a run that has ended, and exit with code 1 where something failed."""
    from gdcurves.report.told import PartTold

    if as_json:
        done, failed = list(summary.done), summary.failed
        part_told = PartTold(
            folder=str(folder), part=str(part), done=done, failed=failed, fits=summary.fits
        )
        output.show(part_told)
    elif not quiet:
        whole = f"{folder}: part {part} is done, {counted(summary.fits, 'fit')}; after all parts"
        typer.echo(f"{whole}, the tables are made by: {typed.whole()}")
    _name_failed(summary)
    if summary.failed:
        raise typer.Exit(1)


def _name_failed(summary: Summary) -> None:
    """Say what failed, and why, where no table does."""
    for name, why in summary.failed.items():
        typer.echo(f"Error: {name}: {why}", err=True)
