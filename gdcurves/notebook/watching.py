"""How far a run is: a line below the cell of a notebook; elsewhere as on the command line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console

from gdcurves.run import display
from gdcurves.run.display import Pace, Show
from gdcurves.run.progress import Progress

WIDTH = 20  # characters of the bar


def in_notebook() -> bool:
    """Whether a kernel runs this, whose output is shown below a cell."""
    return "ipykernel" in sys.modules and not sys.stdout.isatty()


@contextmanager
def watched() -> Iterator[Show]:
    """Show progress while the context lasts; call what it yields to report."""
    if not in_notebook():
        with display.display(Console(stderr=True)) as show:
            yield show
        return
    line = Line(sys.stdout)
    try:
        yield line
    finally:
        line.clear()


def unwatched(progress: Progress) -> None:
    """Show nothing."""


class Line:
    """A line that is written over and over, which needs no more than a stream.

    It begins with the first report, before which there may be notes.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._pace = Pace()
        self._longest = 0

    def __call__(self, progress: Progress) -> None:
        """Say how far the run is."""
        share = progress.splits_done / max(progress.splits_total, 1)
        done = int(share * WIDTH)
        self._pace.report(progress)
        said = self._pace.sentence(progress)
        self._write(f"{progress.current} {'█' * done}{'░' * (WIDTH - done)} {share:.0%}  {said}")

    def clear(self) -> None:
        """Leave an empty line."""
        self._write("")
        self._stream.write("\r")
        self._stream.flush()

    def _write(self, text: str) -> None:
        self._longest = max(self._longest, len(text))
        self._stream.write(f"\r{text:{self._longest}}")
        self._stream.flush()
