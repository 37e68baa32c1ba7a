"""A chunk of splits: what a worker is told, does and returns."""

from __future__ import annotations

import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Lock

import numpy as np
from threadpoolctl import threadpool_limits

from gdcurves import scoring, splits
from gdcurves.arrays import IntArray
from gdcurves.compute import fresh
from gdcurves.fitters import Batch
from gdcurves.limits import judges
from gdcurves.limits.judge import Judge
from gdcurves.plan.experiment import NamedFitter
from gdcurves.problems import series
from gdcurves.problems.problem import Problem
from gdcurves.problems.series import Series
from gdcurves.scoring.measures import DEFAULT, chosen
from gdcurves.scoring.pool import collect
from gdcurves.scoring.preparation import Preparation
from gdcurves.scoring.sums import UnitSums, of_classifiers
from gdcurves.store.chunk import Chunk
from gdcurves.store.rows import encode
from gdcurves.store.sums import encode as encode_sums

_ALONE = Lock()


@dataclass(frozen=True)
class Task:
    """What a worker is told: names and numbers only.

    Attributes
    ----------
    chunk
        What to compute; at some sizes there may be fewer splits.
    folder
        Where `Problem.save` put its rows; a worker maps them into memory.
    fitters, sizes, n_splits, stratified, seed, measures
        Classifiers, training sizes and the number of splits at each, whether training sets are
        stratified, the run's seed, and names of the measures.
    n_blocks
        How many units or blocks of units sums are kept for; 0 for none.
    """

    chunk: Chunk
    folder: str
    fitters: tuple[NamedFitter, ...]
    sizes: tuple[int, ...]
    n_splits: tuple[int, ...]
    stratified: bool
    seed: int
    measures: tuple[str, ...] = DEFAULT
    n_blocks: int = 0

    @property
    def experiment(self) -> str:
        """Name of the experiment."""
        return self.chunk.experiment

    @property
    def splits(self) -> range:
        """Numbers of the splits."""
        return self.chunk.splits

    def __str__(self) -> str:
        sizes = f"m = {self.sizes[0]}" + f" to {self.sizes[-1]}" * (len(self.sizes) > 1)
        return f"{self.chunk} at {sizes}"


@dataclass(frozen=True)
class Result:
    """What it returns.

    Attributes
    ----------
    chunk
        Of the task.
    rows
        The raw rows as `rows.encode` writes them; empty after a failure.
    sums
        The sums for rows as `sums.encode` writes them; empty where there are none.
    fits
        Rules fitted.
    cpu_seconds, storing_seconds
        Processor time of drawing, fitting and scoring, and of encoding the rows.
    warnings
        How often each warning was raised: its category, message and place.
    failure
        What ended the work, in one line, else None.
    traceback
        Of an error, for those who look for its cause.
    by_client
        Whether the process that stores the results has computed it.
    """

    chunk: Chunk
    rows: bytes = b""
    sums: bytes = b""
    fits: int = 0
    cpu_seconds: float = 0.0
    storing_seconds: float = 0.0
    warnings: dict[str, int] = field(default_factory=dict)
    failure: str | None = None
    traceback: str | None = None
    by_client: bool = False


@lru_cache(maxsize=2)
def _load(folder: str) -> Problem | Series:
    return series.load(Path(folder))


@lru_cache(maxsize=2)
def _judge(folder: str) -> Judge:
    loaded = _load(folder)
    assert isinstance(loaded, Series), "rows that are read have no law"
    return judges.judge(loaded.simulation)


@lru_cache(maxsize=2)
def _preparation(folder: str) -> Preparation:
    loaded = _load(folder)
    assert isinstance(loaded, Problem), "a series has a pool for each chunk"
    return Preparation.of(loaded)


def compute(task: Task) -> Result:
    """Fit and score every fitter at every size; an error becomes part of the result.

    One task at a time in a process: warnings and the number of BLAS threads, one, are those of the
    whole process.
    """
    with _ALONE, threadpool_limits(1), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        began = time.process_time()
        try:
            sized = list(_sized(task))
            scores = [
                (name, each.m, of_fitter)
                for each in sized
                for name, of_fitter in each.scores.items()
            ]
            computed = time.process_time()
            rows = encode(scores, task.splits, chosen(task.measures))
            kept = _encoded_sums(task, sized)
        except Exception as error:  # one broken experiment must not end the others
            failure = f"{task}: {_last_line(error)}"
            return Result(task.chunk, failure=failure, traceback=traceback.format_exc())
        encoded = time.process_time()
    return Result(
        task.chunk,
        rows,
        kept,
        sum(each.n_sets for _, _, each in scores),
        computed - began,
        encoded - computed,
        dict(Counter(map(_words, caught))),
    )


def _last_line(error: Exception) -> str:
    """Say what an error is, and where it was raised."""
    what = traceback.format_exception_only(error)[-1].strip().splitlines()[0]
    location = traceback.extract_tb(error.__traceback__)[-1]
    return f"{what} ({Path(location.filename).name}:{location.lineno}, in {location.name})"


def _words(caught: warnings.WarningMessage) -> str:
    location = f"{Path(caught.filename).name}:{caught.lineno}"
    return f"{caught.category.__name__}: {' '.join(str(caught.message).split())} ({location})"


@dataclass(frozen=True)
class _Sized:
    """What is known of all classifiers at a size: scores, and sums by measure and pair of them."""

    m: int
    scores: dict[str, scoring.Scores]
    sums: dict[tuple[str, str, str], UnitSums]


def _sized(task: Task) -> Iterator[_Sized]:
    loaded, measures, by_row = _load(task.folder), chosen(task.measures), task.n_blocks > 0
    here = {
        m: min(task.splits.stop, n) - task.splits.start
        for m, n in zip(task.sizes, task.n_splits, strict=True)
        if n > task.splits.start
    }
    if not here:
        return
    if isinstance(loaded, Series) and loaded.endless:
        judge = _judge(task.folder)
        how = (task.splits.start, task.seed, task.stratified, measures)
        for m, scores in fresh.scored(loaded, judge, task.fitters, here, *how):
            yield _Sized(m, scores, {})
        return
    units = loaded.units
    training = splits.training_sets(
        units.kinds(np.asarray(loaded.y)),
        list(here),
        task.splits,
        task.seed,
        task.experiment,
        task.stratified,
    )
    if isinstance(loaded, Series):
        drawn = loaded.draw(task.seed, task.splits)
        pool = collect(drawn, loaded.y, loaded.levels, len(loaded.classes))
        preparation = Preparation.none(pool)
    else:
        drawn, preparation = loaded.x, _preparation(task.folder)
    for m, n_splits in here.items():
        drawn_units = training[m][:n_splits]
        # Of a series there is one part: its units are rows.
        pool = preparation.pool.of_sets(slice(n_splits))
        rngs = [
            splits.generator(task.seed, task.experiment, named.name, m, task.splits.start)
            for named in task.fitters
        ]
        parts: list[list[tuple[IntArray, scoring.Scores]]] = [[] for _ in task.fitters]
        for sets, rows in units.by_number_of_rows(drawn_units):
            x, prepared = preparation.prepare(pool.rows(drawn, rows))
            batch = Batch(
                x,
                pool.y[rows],
                loaded.levels,
                len(loaded.classes),
                loaded.features,
                preparation.centre,
                units.labels(rows),
            )
            for named, rng, scored in zip(task.fitters, rngs, parts, strict=True):
                fit = prepared.rewrite(named.fitter.fit(batch, rng))
                scored.append((sets, scoring.score(pool, fit, rows, measures, by_row)))
        scores = {
            named.name: scoring.Scores.together(scored)
            for named, scored in zip(task.fitters, parts, strict=True)
        }
        sums = {}
        if by_row:
            blocks = task.n_blocks < units.n
            sums = of_classifiers(scores, drawn_units, measures, units.sizes, linear=blocks)
        yield _Sized(m, scores, _in_blocks(task, sums, units.n))


def _in_blocks(
    task: Task, sums: dict[tuple[str, str, str], UnitSums], n_units: int
) -> dict[tuple[str, str, str], UnitSums]:
    """Add sums of units up over random blocks of them, if that is wanted."""
    if task.n_blocks in (0, n_units):
        return sums
    block = _blocks(task.seed, task.experiment, n_units, task.n_blocks)
    return {key: each.blocks(block, task.n_blocks) for key, each in sums.items()}


def _blocks(seed: int, experiment: str, n_units: int, n_blocks: int) -> IntArray:
    """Number of the block of each unit, shape (n_units,); blocks differ by one unit at most."""
    return splits.generator(seed, experiment, "blocks").permutation(n_units) % n_blocks


def _encoded_sums(task: Task, sized: list[_Sized]) -> bytes:
    if not task.n_blocks:
        return b""
    n_units = _load(task.folder).units.n
    of_block = np.bincount(np.arange(n_units) % task.n_blocks)
    return encode_sums(
        {(each.m, *key): sums for each in sized for key, sums in each.sums.items()}, of_block
    )
