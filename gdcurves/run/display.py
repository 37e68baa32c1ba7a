"""How far a run is: a live display on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from gdcurves.run.progress import Progress
from gdcurves.words import counted

START = "reading data"
PERIOD = 5.0  # seconds between plain lines

Show = Callable[[Progress], None]


@contextmanager
def display(console: Console) -> Iterator[Show]:
    """Show progress on a console while the context lasts; call what it yields to report."""
    if console.is_terminal:
        screen = _Screen()
        with Live(screen, console=console, transient=True):
            yield screen
    else:
        yield _Lines(console)


class Pace:
    """How fast a run is: from the first report on, as data are read and notes are made before.

    What is left is told from the second chunk on: of the first, the workers have done about as much
    again, which is not reported yet.
    """

    def __init__(self) -> None:
        self.began = self.reported = time.monotonic()
        self.progress: Progress | None = None
        self.n_reports = 0

    def report(self, progress: Progress) -> None:
        """Take in how far the run is."""
        self.reported = time.monotonic()
        if self.progress is None:
            self.began = self.reported
        elif progress.splits_done > self.progress.splits_done:
            self.n_reports += 1
        self.progress = progress

    def sentence(self, progress: Progress) -> str:
        """Say in one line how far it is by its last report."""
        parts = [
            f"{progress.experiments_done} of {counted(progress.experiments_total, 'experiment')}",
            f"{progress.splits_done:,} of {counted(progress.splits_total, 'split')}",
        ]
        done, seconds = progress.splits_done - progress.splits_resumed, self.reported - self.began
        if done and seconds > 0:
            parts.append(f"{progress.fits_done / seconds:,.0f} fits/s")
            left = seconds * (progress.splits_total - progress.splits_done) / done
            left -= time.monotonic() - self.reported
            if self.n_reports > 1 or progress.splits_done == progress.splits_total:
                parts.append(f"{timedelta(seconds=round(max(left, 0)))} left")
        return ", ".join(parts)


class _Lines:
    """A plain line now and then."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.pace, self.due = Pace(), time.monotonic()
        self.print(START)

    def __call__(self, progress: Progress) -> None:
        self.pace.report(progress)
        if self.pace.reported >= self.due:
            self.due = self.pace.reported + PERIOD
            self.print(f"{progress.current}: {self.pace.sentence(progress)}")

    def print(self, line: str) -> None:
        self.console.print(line, soft_wrap=True, highlight=False, markup=False)


class _Screen:
    """A bar and, below it, the numbers; the time goes on between reports."""

    def __init__(self) -> None:
        self.started, self.pace = time.monotonic(), Pace()

    def __call__(self, progress: Progress) -> None:
        self.pace.report(progress)

    def __rich__(self) -> RenderableType:
        spent = str(timedelta(seconds=int(time.monotonic() - self.started)))
        progress = self.pace.progress
        if progress is None:
            return Text(f"{START} {spent}")
        share = progress.splits_done / max(progress.splits_total, 1)
        bar = Table.grid(padding=(0, 1), expand=True)
        bar.add_column()  # columns that may wrap give way on a narrow terminal
        bar.add_column(ratio=1)
        bar.add_column(no_wrap=True)
        bar.add_column(no_wrap=True)
        name = Text(progress.current, no_wrap=True, overflow="ellipsis")
        bar.add_row(name, ProgressBar(completed=100 * share), f"{share:.0%}", spent)
        return Group(bar, Text(self.pace.sentence(progress), no_wrap=True, overflow="ellipsis"))
