"""Runs a plan: loads the data, has chunks computed, stores the results."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from uuid import uuid4

from gdcurves.compute.backend import Backend
from gdcurves.compute.chunk import Task
from gdcurves.errors import WriteError, unwritable
from gdcurves.plan import loading
from gdcurves.plan.plan import Plan
from gdcurves.problems import series
from gdcurves.problems.problem import Problem
from gdcurves.problems.series import Series
from gdcurves.run import manifest
from gdcurves.run.record import Progress, Record, Summary
from gdcurves.store import files, folder, journal, lock
from gdcurves.store.journal import Journal, Key


def run(
    plan: Plan,
    place: Path,
    *,
    name: str,
    mode: folder.Mode,
    source: str,
    data_dir: Path | None,
    offline: bool = False,
    compute: Backend,
    progress: Callable[[Progress], None],
    say: Callable[[str], None],
) -> Summary:
    """Compute a plan into a results folder.

    Parameters
    ----------
    plan
        What to compute.
    place
        The folder where results go.
    name
        The run's name, in the manifest.
    mode
        What to do with an earlier run there.
    source, data_dir
        Where data come from, see `datasets.load`.
    offline
        Forbid requests to servers; raises UserError where the cache does not hold what is needed.
    compute
        Computes tasks.
    progress
        Called before the first chunk and after each.
    say
        Called with what the user should know at once.

    Raises
    ------
    UserError
        If the data rule out what the config asks, or the folder cannot be used, before anything
        is computed; RunError as soon as the run cannot go on, WriteError among them.
    """
    lock.check(place)
    folder.check(place, name, mode)
    problems, missing = loading.load(plan, source, data_dir, offline)
    for note in loading.notes(problems):
        say(f"Note: {note}")
    with lock.hold(place) as held:
        folder.check(place, name, mode)  # once more, as nobody else can write there now
        if held.left_by is not None:
            say(f"{place}: taken over from {held.left_by}, which has ended")
        told, done = _earlier(plan, place, name, mode, problems)
        record = Record(plan, place, name, problems, missing, list(told.lines), done)
        scratch = place / folder.DATA / uuid4().hex  # a name for each session: workers keep data
        try:
            record.write("running")
            folder.prepare(place, problems, set(done.values()))
            _save(problems, scratch)
            record.begin()
            tasks = list(_tasks(plan, problems, scratch, done))
            if tasks:
                progress(record.progress(tasks[0].experiment))
            with closing(compute(tasks)) as results:
                for result in results:
                    held.check()
                    record.add(result)
                    progress(record.progress(result.experiment))
            return record.end()
        except BaseException as error:
            interrupted = isinstance(error, KeyboardInterrupt)
            with suppress(WriteError):
                record.end("interrupted" if interrupted else "stopped")
            if isinstance(error, WriteError):
                held.check()  # the folder may be gone, which says more
            raise
        finally:
            record.close()
            shutil.rmtree(place / folder.DATA, ignore_errors=True)


def _earlier(
    plan: Plan,
    place: Path,
    name: str,
    mode: folder.Mode,
    problems: Mapping[str, Problem | Series],
) -> tuple[Journal, dict[Key, Path]]:
    """Journal and whole chunks of the run to go on with; both are empty if there is none."""
    if mode != "resume" or not (place / files.MANIFEST).exists():
        folder.clear(place)
        return Journal(()), {}
    manifest.check_same(files.read_manifest(place), manifest.of_run(name, plan), problems)
    told = journal.read(place)
    return told, files.whole_chunks(place, told)


def _save(problems: dict[str, Problem | Series], scratch: Path) -> None:
    """Move problems from memory to files, where workers find them."""
    try:
        for name in problems:
            problems[name].save(scratch / name)
            problems[name] = series.load(scratch / name)
    except OSError as error:
        raise unwritable(scratch, error) from None


def _tasks(
    plan: Plan, problems: Container[str], scratch: Path, done: Container[Key]
) -> Iterator[Task]:
    for each in plan.experiments:
        if each.name in problems:
            for chunk in plan.chunks:
                if (each.name, chunk.start, chunk.stop) not in done:
                    yield Task(
                        each.name,
                        str(scratch / each.name),
                        each.fitters,
                        each.sizes,
                        each.n_splits,
                        each.config.stratified,
                        chunk,
                        plan.config.seed,
                    )
