"""The journal of a run: a line for every chunk that was stored or failed, and for every session.

A journal is only ever appended to, and a line counts once it is whole: whenever a run is
killed, what the journal tells is true. A chunk is done if a line names its file's sha256.
"""

from __future__ import annotations

import errno
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError

from gdcurves.config.strict import StrictModel
from gdcurves.errors import unwritable
from gdcurves.store.chunk import Chunk
from gdcurves.store.part import journal_files


class Entry(StrictModel):
    """What became of a chunk.

    Attributes
    ----------
    experiment, start, stop
        Which splits of which experiment; `stop` is not one of them.
    sha256
        Fingerprint of its file; None if the chunk failed.
    sums_sha256
        Fingerprint of its file of sums for rows; None if it has none.
    fits, cpu_seconds, storing_seconds, warnings, failure, traceback
        As in `gdcurves.compute.chunk.Result`.
    """

    experiment: str
    start: int
    stop: int
    sha256: str | None
    fits: int
    cpu_seconds: float
    storing_seconds: float
    warnings: dict[str, int]
    failure: str | None
    traceback: str | None
    sums_sha256: str | None = None

    @property
    def of(self) -> Chunk:
        """The chunk that it tells of."""
        return Chunk(self.experiment, self.start, self.stop)


class Line(StrictModel):
    """A line of the journal.

    Attributes
    ----------
    session
        When the session that wrote it began.
    seconds, client_seconds
        Wall time since then, and processor time of the process that stores the results.
    chunk
        What became of one; None at the beginning and the end of a session.
    """

    session: str
    seconds: float
    client_seconds: float
    chunk: Entry | None = None


@dataclass(frozen=True)
class Journal:
    """A journal as read."""

    lines: tuple[Line, ...]

    @cached_property
    def entries(self) -> Sequence[Entry]:
        """All that became of chunks, in the order of time."""
        return [line.chunk for line in self.lines if line.chunk is not None]

    @cached_property
    def chunks(self) -> Mapping[Chunk, Entry]:
        """The last that is known of every chunk."""
        return {entry.of: entry for entry in self.entries}

    @property
    def done(self) -> list[Chunk]:
        """Chunks that are done, as far as the journal knows."""
        return [chunk for chunk, entry in self.chunks.items() if entry.sha256 is not None]

    @property
    def sessions(self) -> int:
        """How often the run was started."""
        return len({line.session for line in self.lines})

    @property
    def seconds(self) -> float:
        """Wall time of all sessions, as far as the journal knows."""
        return sum({line.session: line.seconds for line in self.lines}.values())

    def processor(self) -> dict[str, float]:
        """Processor time of all sessions in seconds, by what it was spent on."""
        client = {line.session: line.client_seconds for line in self.lines}
        return {
            "fits_and_scoring": sum(each.cpu_seconds for each in self.entries),
            "scheduling_and_storing": sum(client.values())
            + sum(each.storing_seconds for each in self.entries),
        }

    def splits(self, experiment: str) -> tuple[int, int]:
        """How many splits of an experiment are done, and how many failed."""
        own = [each for each in self.chunks.values() if each.experiment == experiment]
        done, failed = (
            sum(each.of.n_splits for each in own if (each.sha256 is None) is broken)
            for broken in (False, True)
        )
        return done, failed

    def reason(self, experiment: str) -> str | None:
        """Why an experiment failed, in one line; None if it did not."""
        failures = {
            each.start: each.failure
            for each in self.chunks.values()
            if each.experiment == experiment and each.failure is not None
        }
        if not failures:
            return None
        more = f"; and {len(failures) - 1} more of its chunks" if len(failures) > 1 else ""
        return failures[min(failures)] + more

    @property
    def warnings(self) -> Counter[str]:
        """How often each warning was raised in the chunks that are done."""
        counts: Counter[str] = Counter()
        for entry in self.chunks.values():
            counts.update(entry.warnings)
        return counts


def read(folder: Path) -> Journal:
    """Read the journals of a folder, of the whole run and of parts, in the order of sessions.

    Lines that are not whole or not ours are left out, a missing journal is empty.
    """
    lines = [line for path in journal_files(folder) for line in _read(path)]
    return Journal(tuple(sorted(lines, key=lambda line: line.session)))


def _read(path: Path) -> Iterable[Line]:
    try:
        content = path.read_bytes()
    except OSError:
        return ()
    whole = content[: content.rfind(b"\n") + 1]
    return _parsed(whole.splitlines())


def _parsed(lines: Iterable[bytes]) -> Iterable[Line]:
    for line in lines:
        try:
            yield Line.model_validate_json(line)
        except ValidationError:
            continue


class Writer:
    """Appends to a journal, a file; a record that was cut is cut off first. Raises WriteError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = self.path.open("ab+", buffering=0)
            self._file.seek(0)
            content = self._file.read()
            self._file.truncate(content.rfind(b"\n") + 1)
        except OSError as error:
            raise unwritable(self.path, error) from None

    def append(self, line: Line) -> None:
        """Write a line; should the machine fail before it is on disk, its chunk is done again."""
        content = line.model_dump_json().encode() + b"\n"
        try:
            if self._file.write(content) != len(content):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            raise unwritable(self.path, error) from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()
