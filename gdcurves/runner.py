"""Runs a plan: loads the data, has chunks computed, stores the results."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Container, Generator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from uuid import uuid4

from gdcurves import datasets, folder, journal, lock, manifest, problem, simulated, store
from gdcurves.chunk import Result, Task
from gdcurves.counted import counted
from gdcurves.datasets import DataUnavailable, Request, Table
from gdcurves.errors import MisfitError, UserError, WriteError, unwritable
from gdcurves.experiment import Experiment
from gdcurves.journal import Journal, Key
from gdcurves.plan import Plan
from gdcurves.problem import Problem
from gdcurves.record import Progress, Record, Summary
from gdcurves.simulated import Series

Compute = Callable[[Sequence[Task]], Generator[Result]]


def run(
    plan: Plan,
    place: Path,
    *,
    name: str,
    mode: folder.Mode,
    source: str,
    data_dir: Path | None,
    offline: bool = False,
    compute: Compute,
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
        Computes tasks and yields their results in any order, see `workers.run`.
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
    problems, missing = load(plan, source, data_dir, offline)
    for note in notes(problems):
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
    if mode != "resume" or not (place / store.MANIFEST).exists():
        folder.clear(place)
        return Journal(()), {}
    manifest.check_same(store.read_manifest(place), manifest.of_run(name, plan), problems)
    told = journal.read(place)
    return told, store.whole_chunks(place, told)


def _save(problems: dict[str, Problem | Series], scratch: Path) -> None:
    """Move problems from memory to files, where workers find them."""
    try:
        for name in problems:
            problems[name].save(scratch / name)
            problems[name] = simulated.load(scratch / name)
    except OSError as error:
        raise unwritable(scratch, error) from None


def load(
    plan: Plan, source: str, data_dir: Path | None, offline: bool = False
) -> tuple[dict[str, Problem | Series], dict[str, UserError]]:
    """Load and build what a plan needs.

    Returns the problems by experiment, and why the other experiments have none: their data cannot
    be had, or are broken. Raises UserError where the data rule out what the config asks, or no
    experiment has any.
    """
    problems: dict[str, Problem | Series] = {}
    missing: dict[str, UserError] = {}

    @cache
    def read(request: Request) -> Table | UserError:
        try:
            return datasets.load(request, source, data_dir, offline=offline)
        except UserError as error:
            return error

    if data_dir is not None:
        wanted = {str(each.config.data) for each in plan.experiments if each.simulation is None}
        datasets.check_folder(data_dir, wanted)
    for each in plan.experiments:
        table = None if each.request is None else read(each.request)
        try:
            problems[each.name] = _problem(each, plan.config.seed, table)
        except MisfitError as error:
            if not _from_elsewhere(each, table):
                raise each.placed(error) from None
            missing[each.name] = each.placed(error)
        except UserError as error:
            if offline and isinstance(error, DataUnavailable) and not each.config.optional:
                raise
            missing[each.name] = error
    failures = [error for error in missing.values() if not isinstance(error, DataUnavailable)]
    if failures and not problems:
        raise failures[0]
    if missing and not problems:
        (name, why), *rest = missing.items()
        others = f", and likewise {counted(len(rest), 'other experiment')}" if rest else ""
        raise UserError(f"nothing is left to compute; {name}: {why}{others}")
    return problems, missing


def notes(problems: Mapping[str, Problem | Series]) -> list[str]:
    """What of the data may have been misunderstood, each note once."""
    return list(dict.fromkeys(note for each in problems.values() for note in each.provenance.notes))


def _from_elsewhere(experiment: Experiment, table: Table | UserError | None) -> bool:
    """Whether data of the catalogue are not the package's own: the config fits those."""
    named = experiment.request is not None and experiment.request.form == "catalogue"
    return named and isinstance(table, Table) and not table.source.startswith("packaged")


def _problem(
    experiment: Experiment, seed: int, table: Table | UserError | None
) -> Problem | Series:
    """Make an experiment's problem from its law or its table; raises UserError."""
    if isinstance(table, UserError):
        raise table
    config = experiment.config
    made: Problem | Series
    if table is None:
        assert experiment.simulation is not None, "data are drawn or read"
        made = simulated.build(experiment.name, experiment.simulation, seed)
    else:
        assert config.inputs is not None, "checked by ExperimentConfig"
        made = problem.build(
            experiment.name,
            table,
            config.inputs,
            [(each.name, each.labels) for each in config.classes or ()] or None,
            config.threshold,
            config.missing,
            config.rescale,
        )
    experiment.check_problem(made)
    return made


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
