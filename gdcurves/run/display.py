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


def sentence(progress: Progress, seconds: float, ago: float = 0.0) -> str:
    """Say in one line how far a run is: `seconds` after its start, `ago` seconds before now."""
    parts = [
        f"{progress.experiments_done} of {counted(progress.experiments_total, 'experiment')}",
        f"{progress.splits_done:,} of {counted(progress.splits_total, 'split')}",
    ]
    done = progress.splits_done - progress.splits_resumed
    if done and seconds > 0:
        parts.append(f"{progress.fits_done / seconds:,.0f} fits/s")
        left = seconds * (progress.splits_total - progress.splits_done) / done
        parts.append(f"{timedelta(seconds=round(max(left - ago, 0)))} left")
    return ", ".join(parts)


class _Lines:
    """A plain line now and then."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.started = self.due = time.monotonic()
        self.print(START)

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now >= self.due:
            self.due = now + PERIOD
            self.print(f"{progress.current}: {sentence(progress, now - self.started)}")

    def print(self, line: str) -> None:
        self.console.print(line, soft_wrap=True, highlight=False, markup=False)


class _Screen:
    """A bar and, below it, the numbers; the time goes on between reports."""

    def __init__(self) -> None:
        self.started = self.reported = time.monotonic()
        self.progress: Progress | None = None

    def __call__(self, progress: Progress) -> None:
        self.progress, self.reported = progress, time.monotonic()

    def __rich__(self) -> RenderableType:
        now = time.monotonic()
        spent = str(timedelta(seconds=int(now - self.started)))
        if self.progress is None:
            return Text(f"{START} {spent}")
        share = self.progress.splits_done / max(self.progress.splits_total, 1)
        bar = Table.grid(padding=(0, 1), expand=True)
        bar.add_column()  # columns that may wrap give way on a narrow terminal
        bar.add_column(ratio=1)
        bar.add_column(no_wrap=True)
        bar.add_column(no_wrap=True)
        name = Text(self.progress.current, no_wrap=True, overflow="ellipsis")
        bar.add_row(name, ProgressBar(completed=100 * share), f"{share:.0%}", spent)
        line = sentence(self.progress, self.reported - self.started, now - self.reported)
        return Group(bar, Text(line, no_wrap=True, overflow="ellipsis"))
