"""One session of a run, from its start to its end or its being stopped, as the journal tells it."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

from gdcurves.store.journal import Entry, Journal, Line, Writer
from gdcurves.store.part import Part, journal_file


class Session:
    """A clock that begins to run, and the journal with what earlier sessions wrote.

    Attributes
    ----------
    fits
        Rules fitted in this session.
    """

    def __init__(self, earlier: Journal) -> None:
        self.fits = 0
        self._lines = list(earlier.lines)
        self._started = datetime.now(UTC).isoformat()
        self._began = time.monotonic()
        self._client_began = time.process_time()
        self._writer: Writer | None = None

    @property
    def journal(self) -> Journal:
        """The journal so far."""
        return Journal(tuple(self._lines))

    @property
    def run_started(self) -> str:
        """When the first session of the run began."""
        return self._lines[0].session if self._lines else self._started

    def open(self, folder: Path, part: Part | None = None) -> None:
        """Begin to write into the journal of a folder, or that of a part; raises WriteError."""
        self._writer = Writer(journal_file(folder, part))
        self.append()

    def append(self, entry: Entry | None = None, by_client: bool = False) -> None:
        """Write what became of a chunk, or the time alone; nothing before the journal is open.

        The time of this process is told without that of chunks which it has computed itself.
        """
        if entry is not None and by_client:
            self._client_began += entry.cpu_seconds + entry.storing_seconds
        if self._writer is None:
            return
        line = Line(
            session=self._started,
            seconds=time.monotonic() - self._began,
            client_seconds=time.process_time() - self._client_began,
            chunk=entry,
        )
        self.fits += 0 if entry is None else entry.fits
        self._lines.append(line)
        self._writer.append(line)

    def close(self) -> None:
        """Close the journal."""
        if self._writer is not None:
            self._writer.close()
