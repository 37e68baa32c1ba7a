"""Runs a plan: loads the data, spreads chunks over worker processes, stores what they return."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

from joblib import Parallel, delayed

from gdcurves import datasets, problem, simulated, store
from gdcurves.chunk import Result, Task, compute
from gdcurves.datasets import DataUnavailable, Table
from gdcurves.errors import UserError
from gdcurves.plan import Plan
from gdcurves.problem import Problem
from gdcurves.record import Progress, Record, Summary
from gdcurves.simulated import Series


def run(
    plan: Plan,
    folder: Path,
    *,
    name: str,
    source: str,
    data_dir: Path | None,
    jobs: int,
    progress: Callable[[Progress], None],
) -> Summary:
    """Compute a plan into a results folder.

    Parameters
    ----------
    plan
        What to compute.
    folder
        Where results go.
    name
        The run's name, in the manifest.
    source, data_dir
        Where data come from, see `datasets.load`.
    jobs
        Number of worker processes; 1 computes in this one.
    progress
        Called after each chunk.

    Raises
    ------
    UserError
        If the data rule out what the config asks, before anything is computed.
    """
    started = time.monotonic()
    store.check_folder(folder, name)
    problems, missing = load(plan, source, data_dir)
    store.open_folder(folder)
    record = Record(plan, folder, name, problems, missing)
    record.write("running")
    try:
        with tempfile.TemporaryDirectory(prefix="gdcurves-") as scratch:
            for each, loaded in problems.items():
                loaded.save(Path(scratch) / each)
            for result in _compute(_tasks(plan, problems, scratch), jobs):
                record.add(result)
                progress(record.progress(result.experiment))
    except BaseException as error:
        stopped = isinstance(error, KeyboardInterrupt)
        record.write("interrupted" if stopped else "failed", time.monotonic() - started)
        raise
    summary = record.summary(time.monotonic() - started)
    record.write("failed" if summary.failed else "complete", summary.seconds)
    return summary


def load(
    plan: Plan, source: str, data_dir: Path | None
) -> tuple[dict[str, Problem | Series], dict[str, UserError]]:
    """Load and build what a plan needs.

    Returns the problems by experiment, and why the other experiments have none. Raises UserError
    where the data rule out what the config asks.
    """
    problems: dict[str, Problem | Series] = {}
    missing: dict[str, UserError] = {}

    @cache
    def read(data: str) -> Table | UserError:
        try:
            return datasets.load(data, source, data_dir)
        except UserError as error:
            return error

    if data_dir is not None:
        wanted = {str(each.config.data) for each in plan.experiments if each.simulation is None}
        datasets.check_folder(data_dir, wanted)
    for each in plan.experiments:
        if each.simulation is not None:
            made = simulated.build(each.name, each.simulation, plan.config.seed)
            each.check_problem(made)
            problems[each.name] = made
            continue
        table = read(str(each.config.data))
        if isinstance(table, UserError):
            missing[each.name] = table
            continue
        config = each.config
        classes = (
            None
            if config.classes is None
            else [(chosen.name, chosen.labels) for chosen in config.classes]
        )
        try:
            try:
                assert config.inputs is not None, "checked by ExperimentConfig"
                built = problem.build(each.name, table, config.inputs, classes, config.threshold)
            except UserError as error:
                raise UserError(f"{each.classes_place}: {error}") from None
            each.check_problem(built)
        except UserError as error:
            # What is wrong with the package's own data is the config; other files may be broken.
            if table.source.startswith("packaged"):
                raise
            missing[each.name] = error
            continue
        problems[each.name] = built
    failures = [error for error in missing.values() if not isinstance(error, DataUnavailable)]
    if failures and not problems:
        raise failures[0]
    return problems, missing


def _tasks(plan: Plan, problems: Mapping[str, Problem | Series], scratch: str) -> Iterator[Task]:
    for each in plan.experiments:
        if each.name in problems:
            for chunk in plan.chunks:
                yield Task(
                    each.name,
                    str(Path(scratch) / each.name),
                    each.fitters,
                    each.sizes,
                    each.n_splits,
                    each.config.stratified,
                    chunk,
                    plan.config.seed,
                )


def _compute(tasks: Iterator[Task], jobs: int) -> Iterator[Result]:
    todo = list(tasks)
    parallel = Parallel(
        n_jobs=max(1, min(jobs, len(todo))), return_as="generator_unordered", batch_size=1
    )
    yield from parallel(delayed(compute)(task) for task in todo)
