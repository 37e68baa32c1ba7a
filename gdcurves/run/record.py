"""A run while it goes on: results come in, and its folder is kept up to date."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gdcurves.compute.chunk import Result
from gdcurves.errors import TableError, UserError
from gdcurves.plan.plan import Plan
from gdcurves.run import manifest, near
from gdcurves.run.progress import Progress, Summary
from gdcurves.run.session import Session
from gdcurves.run.tables import Tables
from gdcurves.run.tally import Tally
from gdcurves.store import files, whole
from gdcurves.store.chunk import Chunk
from gdcurves.store.contents import CURVES
from gdcurves.store.journal import Entry, Journal


class Record:
    """Takes in the results of a run.

    Parameters
    ----------
    folder, plan
        Where it goes on, and what is computed.
    description
        What `manifest.of_run` says of it.
    data
        What `manifest.of_data` says of each experiment's data, or why it has none.
    earlier, done
        Journal and chunks of the sessions before; both are empty for a new run.
    """

    def __init__(
        self,
        folder: Path,
        plan: Plan,
        description: Mapping[str, Any],
        data: Mapping[str, Mapping[str, Any] | UserError],
        earlier: Journal,
        done: Mapping[Chunk, Path],
    ) -> None:
        self.folder, self.plan, self.description, self.data = folder, plan, description, data
        self.with_data = [name for name in data if not isinstance(data[name], UserError)]
        self.session = Session(earlier)
        self.tally = Tally(plan.chunks, done)
        self.splits_resumed = self._splits_done()
        self.tables: dict[str, Tables] = {}
        self.unmade: dict[str, str] = {}

    def begin(self) -> None:
        """Open the journal; store the limits of laws, and tables of what is complete already."""
        near.put_limits(self.folder, self.plan)
        self.session.open(self.folder)
        for name in self.with_data:
            self._complete(name)

    def add(self, result: Result) -> None:
        """Store a chunk, and the tables of its experiment if that is complete."""
        chunk = result.chunk
        sha256 = sums_sha256 = None
        if result.failure is None:
            if result.sums:
                sums_sha256 = files.write_sums(self.folder, chunk, result.sums)
            sha256 = files.write_chunk(self.folder, chunk, result.rows)
        self._count(result)
        self.session.append(_entry(result, sha256, sums_sha256), result.by_client)
        self._complete(chunk.experiment)

    def _count(self, result: Result) -> None:
        """Note that a chunk is done, or has failed."""
        count(result, self.tally, self.folder)

    def _complete(self, experiment: str) -> None:
        """Store the tables of an experiment that has become complete."""
        if not self.tally.counts[experiment].complete:
            return
        config = self.description["config"]
        paths = self.tally.files(experiment)
        data = self.data[experiment]
        assert not isinstance(data, UserError), "it has been computed"
        try:
            made = Tables.of_chunks(experiment, paths, config, data)
        except TableError as error:
            self.unmade[experiment] = str(error)
        else:
            self.tables[experiment] = made
            if made.answers.unmade:
                self.unmade[experiment] = "; ".join(made.answers.unmade)
        known = [self.tables[name] for name in self.tally.counts if name in self.tables]
        if known:
            Tables.together(known).write(self.folder, config["figure"])
        self.write("running")

    def progress(self, current: str) -> Progress:
        """How far the run is, seen from an experiment that has just moved on."""
        return Progress(
            len(self.tables),
            len(self.with_data),
            self._splits_done(),
            sum(self.tally.counts[name].planned for name in self.with_data),
            self.session.fits,
            current,
            self.splits_resumed,
        )

    def _splits_done(self) -> int:
        """Splits that nothing is to be done about any more in this session."""
        counts = [self.tally.counts[name] for name in self.with_data]
        return sum(each.done + each.failed for each in counts)

    def end(self, status: manifest.Status | None = None) -> Summary:
        """Close the session and tell how the run ended; None: as the experiments' outcomes say."""
        self.session.append()
        content = self.write(status or manifest.outcome(self._experiments()))
        if status is None:
            try:
                near.put_complexity(self.folder)
            except TableError as error:
                self.unmade.setdefault(next(iter(self.tables)), str(error))
                content = self.write(manifest.outcome(self._experiments()))
        return Summary.of(content, self.session.fits)

    def write(self, status: manifest.Status) -> dict[str, Any]:
        """Replace the manifest; returns its content."""
        # Of finished runs only: a run may be killed between writing the two files.
        curves = None if status == "running" else whole.sha256(self.folder / CURVES)
        content = manifest.content(
            self.description, status, self.session, curves, self._experiments()
        )
        files.write_manifest(self.folder, content)
        return content

    def _experiments(self) -> dict[str, dict[str, Any]]:
        """What the manifest says of each experiment."""
        journal = self.session.journal
        return {
            each.name: manifest.of_experiment(
                each,
                self.data[each.name],
                self.tally.counts[each.name],
                each.name in self.tables,
                self.unmade.get(each.name) or journal.reason(each.name),
            )
            for each in self.plan.experiments
        }


def count(result: Result, tally: Tally, folder: Path) -> None:
    """Note in a tally that a chunk is done, or has failed."""
    if result.failure is None:
        tally.done(result.chunk, files.chunk_path(folder, result.chunk))
    else:
        tally.failed(result.chunk)


def _entry(result: Result, sha256: str | None, sums_sha256: str | None) -> Entry:
    """What the journal tells of a result whose rows are stored."""
    return Entry(
        experiment=result.chunk.experiment,
        start=result.chunk.start,
        stop=result.chunk.stop,
        sha256=sha256,
        fits=result.fits,
        cpu_seconds=result.cpu_seconds,
        storing_seconds=result.storing_seconds,
        warnings=result.warnings,
        failure=result.failure,
        traceback=result.traceback,
        sums_sha256=sums_sha256,
    )
