"""A chunk of splits: what a worker is told, does and returns."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from gdcurves import scoring, simulated, splits, store
from gdcurves.features import Pool
from gdcurves.fitters import Batch
from gdcurves.plan import NamedFitter
from gdcurves.problem import Problem
from gdcurves.simulated import Series


@dataclass(frozen=True)
class Task:
    """What a worker is told: names and numbers only.

    Attributes
    ----------
    experiment
        Its name.
    folder
        Where `Problem.save` put its rows; a worker maps them into memory.
    fitters, sizes, n_splits, stratified, seed
        As planned.
    splits
        Numbers of the splits to compute; at some sizes there may be fewer.
    """

    experiment: str
    folder: str
    fitters: tuple[NamedFitter, ...]
    sizes: tuple[int, ...]
    n_splits: tuple[int, ...]
    stratified: bool
    splits: range
    seed: int


@dataclass(frozen=True)
class Result:
    """What it returns.

    Attributes
    ----------
    experiment, splits
        Of the task.
    rows
        The raw rows as `store.encode` writes them; empty after a failure.
    cpu_seconds, storing_seconds
        Processor time of drawing, fitting and scoring, and of encoding the rows.
    failure
        The traceback of an error, else None.
    """

    experiment: str
    splits: range
    rows: bytes
    cpu_seconds: float
    storing_seconds: float
    failure: str | None = None


@lru_cache(maxsize=2)
def _load(folder: str) -> Problem | Series:
    return simulated.load(Path(folder))


@lru_cache(maxsize=2)
def _pool(folder: str) -> Pool:
    loaded = _load(folder)
    assert isinstance(loaded, Problem), "a series has a pool for each chunk"
    return Pool.of(loaded)


def compute(task: Task) -> Result:
    """Fit and score every fitter at every size; an error becomes part of the result."""
    began = time.process_time()
    try:
        with threadpool_limits(1):
            scores = list(_scores(task))
            computed = time.process_time()
            rows = store.encode(scores, task.splits)
    except Exception:  # one broken experiment must not end the others; the runner reports it
        return Result(task.experiment, task.splits, b"", 0.0, 0.0, traceback.format_exc())
    encoded = time.process_time()
    return Result(task.experiment, task.splits, rows, computed - began, encoded - computed)


def _scores(task: Task) -> Iterator[tuple[str, int, scoring.Scores]]:
    loaded = _load(task.folder)
    here = {
        m: min(task.splits.stop, n) - task.splits.start
        for m, n in zip(task.sizes, task.n_splits, strict=True)
        if n > task.splits.start
    }
    if not here:
        return
    training = splits.training_sets(
        np.asarray(loaded.y), list(here), task.splits, task.seed, task.experiment, task.stratified
    )
    if isinstance(loaded, Series):
        drawn = loaded.draw(task.seed, task.splits)
        every = Pool.collect(drawn, loaded.y, loaded.levels, len(loaded.classes))
    else:
        drawn, every = loaded.x, _pool(task.folder)
    for m, n_splits in here.items():
        rows = training[m][:n_splits]
        pool = every.first(n_splits)
        batch = Batch(
            pool.rows(drawn, rows),
            pool.y[rows],
            loaded.levels,
            len(loaded.classes),
            loaded.features,
            pool.centre,
        )
        for named in task.fitters:
            rng = splits.generator(task.seed, task.experiment, named.name, m, task.splits.start)
            fit = named.fitter.fit(batch, rng)
            yield named.name, m, scoring.score(pool, fit, rows)
