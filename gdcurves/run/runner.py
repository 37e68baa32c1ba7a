"""Runs a plan: loads the data, has chunks computed, stores the results."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from gdcurves.compute.backend import Backend
from gdcurves.compute.chunk import Task
from gdcurves.errors import UserError, WriteError, unwritable
from gdcurves.limits import judges
from gdcurves.plan import loading
from gdcurves.plan.plan import Plan
from gdcurves.problems import series
from gdcurves.problems.problem import Problem
from gdcurves.problems.series import Series
from gdcurves.run import manifest, same
from gdcurves.run.portion import Portion, chunks_of
from gdcurves.run.progress import Progress, Summary
from gdcurves.run.record import Record
from gdcurves.store import contents, files, folder, journal, lock
from gdcurves.store.chunk import Chunk
from gdcurves.store.journal import Journal
from gdcurves.store.part import Part


def run(
    plan: Plan,
    out: Path,
    *,
    name: str,
    mode: folder.Mode,
    source: str,
    data_dir: Path | None,
    offline: bool = False,
    command: Sequence[str] | None = None,
    part: Part | None = None,
    compute: Backend,
    progress: Callable[[Progress], None],
    say: Callable[[str], None],
) -> Summary:
    """Compute a plan into a results folder.

    Parameters
    ----------
    plan
        What to compute.
    out
        The folder where results go.
    name
        The run's name, in the manifest.
    mode
        What to do with an earlier run there.
    source, data_dir
        Where data come from, see `datasets.load`.
    offline
        Forbid requests to servers; raises UserError where the cache does not hold what is needed.
    command
        What was typed, in the manifest; the words of the command line unless given.
    part
        Of the run that is to be computed, its tables left to a run of the whole that goes on with
        it; the mode is then "resume".
    compute
        Computes tasks and yields their results in any order, see `Backend`.
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
    command = ["gdcurves", *sys.argv[1:]] if command is None else command
    description = manifest.of_run(name, plan, command)
    goes_on = partial(same.goes_on, now=description)
    lock.check(out, part)
    folder.check(out, name, mode, goes_on)
    judges.check(plan.experiments, plan.config.measures)
    problems, missing = loading.load(plan, source, data_dir, offline)
    for note in loading.notes(problems):
        if note not in plan.notes:  # which were said of the draft
            say(f"Note: {note}")
    with lock.hold(out, part) as held:
        folder.check(out, name, mode, goes_on)  # once more, as nobody else can write there now
        if held.left_by is not None:
            say(f"{out}: taken over from {held.left_by}, which has ended")
        data = {each: manifest.of_data(problems[each]) for each in problems}
        if part is None and (mode != "resume" or not (out / contents.MANIFEST).exists()):
            folder.clear(out)
        earlier, done = _earlier(out, description, data)
        described: Mapping[str, Mapping[str, Any] | UserError] = {**data, **missing}
        if part is None:
            record = Record(out, plan, description, described, earlier, done)
        else:
            record = Portion(out, plan, description, described, earlier, done, part)
        scratch = out / contents.DATA / uuid4().hex  # a name for each session: workers keep data
        try:
            record.write("running")
            if part is None:  # others may be at work beside a part
                folder.tidy(out, {*done.values(), *map(files.sums_path, done.values())})
            folder.prepare(out, problems)
            _save(problems, scratch)
            record.begin()
            todo = chunks_of(plan, part) - done.keys()
            tasks = list(_tasks(plan, problems, scratch, todo))
            if tasks:
                progress(record.progress(tasks[0].experiment))
            with closing(compute(tasks)) as results:
                for result in results:
                    held.check()
                    record.add(result)
                    progress(record.progress(result.chunk.experiment))
            return record.end()
        except BaseException as error:
            interrupted = isinstance(error, KeyboardInterrupt)
            with suppress(WriteError):
                record.end("interrupted" if interrupted else "stopped")
            if isinstance(error, WriteError):
                held.check()  # the folder may be gone, which says more
            raise
        finally:
            record.session.close()
            mine = scratch.parent if part is None else scratch  # others may work beside a part
            shutil.rmtree(mine, ignore_errors=True)


def _earlier(
    out: Path,
    description: Mapping[str, Any],
    data: Mapping[str, Mapping[str, Any]],
) -> tuple[Journal, dict[Chunk, Path]]:
    """Journal and whole chunks of the run to go on with; both are empty if there is none."""
    if not (out / contents.MANIFEST).exists():
        return Journal(()), {}
    same.check(files.read_manifest(out), description, data)
    earlier = journal.read(out)
    return earlier, files.whole_chunks(out, earlier)


def _save(problems: dict[str, Problem | Series], scratch: Path) -> None:
    """Move problems from memory to files, where workers find them."""
    try:
        for name in problems:
            problems[name].save(scratch / name)
            problems[name] = series.load(scratch / name)
    except OSError as error:
        raise unwritable(scratch, error) from None


def _tasks(
    plan: Plan, problems: Mapping[str, Problem | Series], scratch: Path, todo: Container[Chunk]
) -> Iterator[Task]:
    for each in plan.experiments:
        if each.name in problems:
            n_blocks = plan.n_blocks(each, problems[each.name])
            for chunk in plan.chunks[each.name]:
                if chunk in todo:
                    yield Task(
                        chunk,
                        str(scratch / each.name),
                        each.fitters,
                        each.sizes,
                        each.n_splits,
                        each.config.stratified,
                        plan.config.seed,
                        plan.config.measures,
                        n_blocks,
                    )
