"""A part of a run while it goes on: its chunks are stored, and tables are left to the whole."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from gdcurves.compute.chunk import Result
from gdcurves.errors import UserError
from gdcurves.plan.plan import Plan
from gdcurves.run import manifest
from gdcurves.run.progress import Progress, Summary
from gdcurves.run.record import Record, count
from gdcurves.run.tally import Tally
from gdcurves.store import files
from gdcurves.store.chunk import Chunk
from gdcurves.store.contents import MANIFEST
from gdcurves.store.journal import Journal
from gdcurves.store.part import Part


class Portion(Record):
    """Takes in the results of a part of a run; see `Record`.

    Several work in one folder at the same time. Each writes its own chunks and a journal of its
    own; the manifest says no more than that the run goes on, whichever part writes it.
    """

    def __init__(
        self,
        folder: Path,
        plan: Plan,
        description: Mapping[str, Any],
        data: Mapping[str, Mapping[str, Any] | UserError],
        earlier: Journal,
        done: Mapping[Chunk, Path],
        part: Part,
    ) -> None:
        self.part, chunks = part, chunks_of(plan, part)
        planned = {
            name: [chunk for chunk in plan.chunks[name] if chunk in chunks]
            for name, each in data.items()
            if not isinstance(each, UserError)
        }
        self.own = Tally(planned, {each: path for each, path in done.items() if each in chunks})
        super().__init__(folder, plan, description, data, earlier, done)

    def begin(self) -> None:
        """Open the part's journal."""
        self.session.open(self.folder, self.part)

    def _count(self, result: Result) -> None:
        super()._count(result)
        count(result, self.own, self.folder)

    def _complete(self, experiment: str) -> None:
        """Leave the tables to the whole run."""

    def progress(self, current: str) -> Progress:
        """How far the part is, seen from an experiment that has just moved on."""
        counts = self.own.counts.values()
        return Progress(
            sum(each.complete for each in counts),
            len(counts),
            self._splits_done(),
            sum(each.planned for each in counts),
            self.session.fits,
            current,
            self.splits_resumed,
        )

    def _splits_done(self) -> int:
        return sum(each.done + each.failed for each in self.own.counts.values())

    def end(self, status: manifest.Status | None = None) -> Summary:
        """Close the session and tell how the part ended; the manifest stays as it is."""
        self.session.append()
        journal, counts = self.session.journal, self.own.counts
        absent = {
            status: {
                name: each["reason"]
                for name, each in self._experiments().items()
                if name not in counts and each["status"] == status
            }
            for status in ("skipped", "failed")
        }
        broken = {name: journal.reason(name) or "" for name in counts if counts[name].failed}
        return Summary(
            done=tuple(name for name in counts if counts[name].complete),
            skipped=absent["skipped"],
            failed=broken | absent["failed"],
            seconds=journal.seconds,
            cpu_seconds=journal.processor()["fits_and_scoring"],
            fits=self.session.fits,
            warnings=dict(journal.warnings),
        )

    def write(self, status: manifest.Status) -> dict[str, Any]:
        """Write that the run goes on, where that is not said, or is to be; returns the manifest."""
        if (self.folder / MANIFEST).exists():
            known = files.read_manifest(self.folder)
            if known["status"] == "running" or all(
                each.complete for each in self.own.counts.values()
            ):
                return known
        return super().write(status)


def chunks_of(plan: Plan, part: Part | None) -> frozenset[Chunk]:
    """Chunks that a part computes, or all of a plan's."""
    every = list(chain.from_iterable(plan.chunks.values()))
    return frozenset(every if part is None else part.of(every))
