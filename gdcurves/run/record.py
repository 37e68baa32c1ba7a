"""How far a run is, and what it has stored."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gdcurves.compute.chunk import Result
from gdcurves.datasets import DataUnavailable
from gdcurves.errors import UserError
from gdcurves.plan.plan import Plan
from gdcurves.problems.problem import Problem
from gdcurves.problems.series import Series
from gdcurves.run import manifest
from gdcurves.run.tables import Tables
from gdcurves.store import files, journal, whole
from gdcurves.store.chunk import Chunk
from gdcurves.store.contents import CURVES
from gdcurves.store.journal import Entry, Journal


@dataclass(frozen=True)
class Progress:
    """How far a run is; splits are summed over experiments.

    `splits_resumed` of the splits were done by earlier sessions; fits are those of this one.
    """

    experiments_done: int
    experiments_total: int
    splits_done: int
    splits_total: int
    fits_done: int
    current: str
    splits_resumed: int = 0


@dataclass(frozen=True)
class Summary:
    """How a run ended.

    Attributes
    ----------
    done
        Names of complete experiments.
    skipped, failed
        Optional experiments whose data cannot be had, and those that broke off, with reasons.
    seconds, cpu_seconds
        Wall time of the run, and processor time of its fits and their scoring, of all sessions.
    fits
        Rules fitted.
    warnings
        How often each warning was raised in the work.
    """

    done: tuple[str, ...]
    skipped: dict[str, str]
    failed: dict[str, str]
    seconds: float
    cpu_seconds: float
    fits: int
    warnings: dict[str, int]


@dataclass
class Record:
    """A run while it goes on: takes in results, keeps the folder up to date.

    Attributes
    ----------
    plan, folder, name, problems, missing
        What is run, where, and with which data.
    lines
        The journal so far.
    done
        The chunks that are in the folder.
    """

    plan: Plan
    folder: Path
    name: str
    problems: Mapping[str, Problem | Series]
    missing: Mapping[str, UserError]
    lines: list[journal.Line]
    done: dict[Chunk, Path]
    fits: int = 0
    failed: dict[str, set[Chunk]] = field(default_factory=dict)
    tables: dict[str, Tables] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.started = datetime.now(UTC).isoformat()
        self.began = time.monotonic()
        self.client_began = time.process_time()
        planned = self.plan.chunks
        self.splits = {name: _n_splits(chunks) for name, chunks in planned.items()}
        self.left = {name: set(chunks) - self.done.keys() for name, chunks in planned.items()}
        self.splits_resumed = self.splits_done = _n_splits(
            each for each in self.done if each.experiment in self.problems
        )
        self.writer: journal.Writer | None = None

    def begin(self) -> None:
        """Open the journal, and store the curves of what is complete already."""
        self.writer = journal.Writer(self.folder)
        self._append()
        for name in self.problems:
            self._complete(name)

    def close(self) -> None:
        """Close the journal."""
        if self.writer is not None:
            self.writer.close()

    def add(self, result: Result) -> None:
        """Store a chunk, and the curves of its experiment if that is complete."""
        chunk = result.chunk
        sha256 = None
        if result.failure is None:
            sha256 = files.write_chunk(self.folder, chunk, result.rows)
            self.done[chunk] = files.chunk_path(self.folder, chunk)
            self.left[chunk.experiment].discard(chunk)
        else:
            self.failed.setdefault(chunk.experiment, set()).add(chunk)
        self.splits_done += chunk.n_splits
        self.fits += result.fits
        self._append(
            Entry(
                experiment=chunk.experiment,
                start=chunk.start,
                stop=chunk.stop,
                sha256=sha256,
                fits=result.fits,
                cpu_seconds=result.cpu_seconds,
                storing_seconds=result.storing_seconds,
                warnings=result.warnings,
                failure=result.failure,
                traceback=result.traceback,
            )
        )
        self._complete(chunk.experiment)

    def _append(self, entry: Entry | None = None) -> None:
        if self.writer is None:
            return
        line = journal.Line(
            session=self.started,
            seconds=time.monotonic() - self.began,
            client_seconds=time.process_time() - self.client_began,
            chunk=entry,
        )
        self.lines.append(line)
        self.writer.append(line)

    def _complete(self, experiment: str) -> None:
        """Store the curves of an experiment that has become complete."""
        if self.left[experiment]:
            return
        paths = [path for each, path in sorted(self.done.items()) if each.experiment == experiment]
        config = self.plan.config.model_dump(mode="json")
        self.tables[experiment] = Tables.of_chunks(experiment, paths, config)
        names = [each.name for each in self.plan.experiments if each.name in self.tables]
        together = Tables.together([self.tables[name] for name in names])
        together.write(self.folder, self.plan.config.figure)
        self.write("running")

    def progress(self, current: str) -> Progress:
        """How far the run is, seen from an experiment that has just moved on."""
        return Progress(
            len(self.tables),
            len(self.problems),
            self.splits_done,
            sum(self.splits[name] for name in self.problems),
            self.fits,
            current,
            self.splits_resumed,
        )

    def end(self, status: str | None = None) -> Summary:
        """Close the session and tell how the run ended; None: as the experiments' outcomes say."""
        self._append()
        told = Journal(tuple(self.lines))
        summary = Summary(
            done=tuple(name for name in self.splits if name in self.tables),
            skipped=self._reasons("skipped", told),
            failed=self._reasons("failed", told),
            seconds=told.seconds,
            cpu_seconds=told.processor()["fits_and_scoring"],
            fits=self.fits,
            warnings=dict(told.warnings),
        )
        self.write(status or ("failed" if summary.failed else "complete"))
        return summary

    def write(self, status: str) -> None:
        """Replace the manifest."""
        told = Journal(tuple(self.lines))
        running = status == "running"
        content = manifest.of_run(self.name, self.plan) | {
            "status": status,
            "started": told.lines[0].session if told.lines else self.started,
            "finished": None if running else datetime.now(UTC).isoformat(timespec="seconds"),
            "seconds": None if running else told.seconds,
            "sessions": told.sessions,
            "cpu_seconds": told.processor(),
            "warnings": dict(told.warnings),
            # Of finished runs only: a run may be killed between writing the two files.
            "curves_sha256": None if running else whole.sha256(self.folder / CURVES),
            "experiments": {name: self._experiment(name, told) for name in self.splits},
        }
        files.write_manifest(self.folder, content)

    def _experiment(self, name: str, told: Journal) -> dict[str, Any]:
        planned = next(each for each in self.plan.experiments if each.name == name)
        return {
            "status": self._status(name),
            "reason": self._reason(name, told),
            "splits": self.splits[name],
            "splits_done": self.splits[name] - _n_splits(self.left[name]),
            "splits_failed": _n_splits(self.failed.get(name, ())),
            "data": planned.config.data,
            **(manifest.of_problem(self.problems[name]) if name in self.problems else {}),
        }

    def _status(self, name: str) -> str:
        if name in self.missing:
            return "skipped" if self._skipped(name) else "failed"
        return "failed" if name in self.failed else "done" if name in self.tables else "missing"

    def _reason(self, name: str, told: Journal) -> str | None:
        return str(self.missing[name]) if name in self.missing else told.reason(name)

    def _reasons(self, status: str, told: Journal) -> dict[str, str]:
        named = [name for name in self.splits if self._status(name) == status]
        return {name: self._reason(name, told) or "" for name in named}

    def _skipped(self, name: str) -> bool:
        """Whether an experiment without data is no failure: it may be absent, and it is."""
        planned = next(each for each in self.plan.experiments if each.name == name)
        return isinstance(self.missing[name], DataUnavailable) and planned.config.optional


def _n_splits(chunks: Iterable[Chunk]) -> int:
    return sum(each.n_splits for each in chunks)
