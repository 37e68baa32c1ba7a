"""Runs a plan: loads the data, spreads chunks over worker processes, stores what they return."""

from __future__ import annotations

import platform
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

import gdcurves
from gdcurves import curves, datasets, problem, scoring, splits, store
from gdcurves.errors import UserError
from gdcurves.features import Pool
from gdcurves.fitters import Batch
from gdcurves.plan import Experiment, NamedFitter, Plan
from gdcurves.problem import Problem

LIBRARIES = ("numpy", "scipy", "pandas", "joblib", "pydantic", "matplotlib", "openml")


@dataclass(frozen=True)
class Progress:
    """How far a run is; splits are summed over experiments."""

    experiments_done: int
    experiments_total: int
    splits_done: int
    splits_total: int
    fits_done: int
    current: str


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
        Wall time of the run, and processor time of its fits and their scoring.
    fits
        Rules fitted.
    """

    done: tuple[str, ...]
    skipped: dict[str, str]
    failed: dict[str, str]
    seconds: float
    cpu_seconds: float
    fits: int


@dataclass(frozen=True)
class _Task:
    """What a worker is told: numbers and names; the data it maps from a file."""

    experiment: str
    folder: str
    fitters: tuple[NamedFitter, ...]
    sizes: tuple[int, ...]
    splits: range
    seed: int


@dataclass(frozen=True)
class _Result:
    experiment: str
    splits: range
    rows: bytes
    cpu_seconds: float
    failure: str | None = None


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
    problems, missing = _load(plan, source, data_dir)
    store.open_folder(folder, name)
    record = _Record(plan, folder, name, problems, missing, source)
    record.write("running")
    try:
        with tempfile.TemporaryDirectory(prefix="gdcurves-") as scratch:
            for each, loaded in problems.items():
                loaded.save(Path(scratch) / each)
            for result in _compute(_tasks(plan, problems, scratch), jobs):
                record.add(result)
                progress(record.progress(result.experiment))
    except KeyboardInterrupt:
        record.write("interrupted", time.monotonic() - started)
        raise
    summary = record.summary(time.monotonic() - started)
    record.write("failed" if summary.failed else "complete", summary.seconds)
    return summary


def _load(
    plan: Plan, source: str, data_dir: Path | None
) -> tuple[dict[str, Problem], dict[str, str]]:
    """Problems by experiment, and why the others have none."""
    problems, missing = {}, {}
    load = cache(lambda data: datasets.load(data, source, data_dir))
    for each in plan.experiments:
        try:
            table = load(each.config.data)
        except UserError as error:
            missing[each.name] = str(error)
            continue
        config = each.config
        classes = (
            None
            if config.classes is None
            else [(chosen.name, chosen.labels) for chosen in config.classes]
        )
        try:
            built = problem.build(each.name, table, config.inputs, classes, config.threshold)
        except UserError as error:
            raise UserError(f"{each.place}: {error}") from None
        each.check_problem(built)
        problems[each.name] = built
    return problems, missing


def _tasks(plan: Plan, problems: dict[str, Problem], scratch: str) -> Iterator[_Task]:
    for each in plan.experiments:
        if each.name in problems:
            for chunk in plan.chunks:
                yield _Task(
                    each.name,
                    str(Path(scratch) / each.name),
                    each.fitters,
                    each.sizes,
                    chunk,
                    plan.config.seed,
                )


def _compute(tasks: Iterator[_Task], jobs: int) -> Iterator[_Result]:
    parallel = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
    yield from parallel(delayed(_chunk)(task) for task in tasks)


@lru_cache(maxsize=2)
def _pool(folder: str) -> tuple[Problem, Pool]:
    loaded = Problem.load(Path(folder))
    return loaded, Pool.of(loaded)


def _chunk(task: _Task) -> _Result:
    """Fit and score a chunk of splits, in a worker."""
    began = time.process_time()
    try:
        with threadpool_limits(1):
            rows = store.encode(_scores(task), task.splits)
    except Exception:  # one broken experiment must not end the others; the runner reports it
        return _Result(task.experiment, task.splits, b"", 0.0, traceback.format_exc())
    return _Result(task.experiment, task.splits, rows, time.process_time() - began)


def _scores(task: _Task) -> Iterator[tuple[str, int, scoring.Scores, Any]]:
    loaded, pool = _pool(task.folder)
    training = splits.training_sets(pool.y, task.sizes, task.splits, task.seed, task.experiment)
    for m, rows in training.items():
        batch = Batch(loaded.x[rows], pool.y[rows], loaded.levels, len(loaded.classes))
        for named in task.fitters:
            rng = splits.generator(task.seed, task.experiment, named.name, m, task.splits.start)
            fit = named.fitter.fit(batch, rng)
            yield named.name, m, scoring.score(pool, fit, rows), fit.outcome


@dataclass
class _Record:
    """What has been stored so far."""

    plan: Plan
    folder: Path
    name: str
    problems: dict[str, Problem]
    missing: dict[str, str]
    source: str
    started: str = field(default_factory=lambda: _now())
    chunks_done: dict[str, int] = field(default_factory=dict)
    splits_done: int = 0
    fits: int = 0
    cpu_seconds: float = 0.0
    failed: dict[str, str] = field(default_factory=dict)
    curves: dict[str, Any] = field(default_factory=dict)

    def add(self, result: _Result) -> None:
        experiment = result.experiment
        self.splits_done += len(result.splits)
        self.cpu_seconds += result.cpu_seconds
        if result.failure is not None:
            self.failed.setdefault(experiment, result.failure)
            return
        store.write_chunk(self.folder, experiment, result.splits, result.rows)
        self.chunks_done[experiment] = self.chunks_done.get(experiment, 0) + 1
        planned = self._planned(experiment)
        self.fits += len(result.splits) * len(planned.fitters) * len(planned.sizes)
        if self.chunks_done[experiment] == len(self.plan.chunks):
            rows = store.read_rows(self.folder, experiment)
            self.curves[experiment] = self._in_order(planned, curves.summarise(experiment, rows))
            self._write_curves()
            self.write("running")

    def _planned(self, experiment: str) -> Experiment:
        return next(each for each in self.plan.experiments if each.name == experiment)

    @staticmethod
    def _in_order(planned: Experiment, table: Any) -> Any:
        names = [each.name for each in planned.fitters]
        order = table["fitter"].map(names.index) * (planned.sizes[-1] + 1) + table["m"]
        return table.iloc[np.argsort(order.to_numpy(), kind="stable")]

    def _write_curves(self) -> None:
        import pandas as pd

        names = [each.name for each in self.plan.experiments if each.name in self.curves]
        store.write_curves(self.folder, pd.concat([self.curves[name] for name in names]))

    def progress(self, current: str) -> Progress:
        n_splits = self.plan.config.splits
        return Progress(
            len(self.curves),
            len(self.problems),
            self.splits_done,
            len(self.problems) * n_splits,
            self.fits,
            current,
        )

    def summary(self, seconds: float) -> Summary:
        optional = {each.name for each in self.plan.experiments if each.config.optional}
        return Summary(
            done=tuple(self.curves),
            skipped={name: why for name, why in self.missing.items() if name in optional},
            failed={
                **{name: why for name, why in self.missing.items() if name not in optional},
                **self.failed,
            },
            seconds=seconds,
            cpu_seconds=self.cpu_seconds,
            fits=self.fits,
        )

    def write(self, status: str, seconds: float | None = None) -> None:
        store.write_manifest(
            self.folder,
            {
                "schema_version": store.SCHEMA_VERSION,
                "name": self.name,
                "status": status,
                "started": self.started,
                "finished": None if seconds is None else _now(),
                "seconds": seconds,
                "cpu_seconds": self.cpu_seconds,
                "gdcurves": gdcurves.__version__,
                "command": ["gdcurves", *sys.argv[1:]],
                "seed": self.plan.config.seed,
                "config": self.plan.config.model_dump(mode="json"),
                "versions": {
                    "python": platform.python_version(),
                    **{name: version(name) for name in LIBRARIES},
                },
                "platform": {"system": platform.platform(), "machine": platform.machine()},
                "missing_values": list(datasets.MISSING),
                "experiments": {
                    each.name: self._experiment(each) for each in self.plan.experiments
                },
            },
        )

    def _experiment(self, planned: Experiment) -> dict[str, Any]:
        name = planned.name
        if name in self.missing:
            status = "skipped" if planned.config.optional else "failed"
            return {"status": status, "reason": self.missing[name], "data": planned.config.data}
        loaded = self.problems[name]
        counts = np.bincount(loaded.y, minlength=len(loaded.classes)).tolist()
        status = "failed" if name in self.failed else "done" if name in self.curves else "missing"
        return {
            "status": status,
            "reason": self.failed.get(name),
            **asdict(loaded.provenance),
            "classes": dict(zip(loaded.classes, counts, strict=True)),
            "n_features": loaded.x.shape[1],
        }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
