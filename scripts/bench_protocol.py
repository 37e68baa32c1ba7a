"""Figure 1's protocol against a plain scikit-learn loop: the same training sets, CPU time of both.

Ours is what a run does: fits, draws where sets are separable, errors and log losses of every rule
and of the rules half-way. Theirs fits GaussianNB or CategoricalNB, NearestCentroid and
LogisticRegression(C=inf), and counts errors: no draws, no log losses.
"""

from __future__ import annotations

import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from bench_records import Measurement
from sklearn.base import ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.neighbors import NearestCentroid

from gdcurves import config, plan, splits
from gdcurves.compute.chunk import Task, compute
from gdcurves.fitters.features import design
from gdcurves.plan import loading
from gdcurves.plan.experiment import Experiment
from gdcurves.problems.problem import Problem
from gdcurves.store.chunk import Chunk

N_OURS, N_THEIRS = 100, 2


def protocol(data_dir: Path | None) -> Iterator[Measurement]:
    """Milliseconds of CPU a split, every panel alone and all together."""
    planned = plan.make(config.load(config.find("ng_jordan.yaml")), (), N_OURS)
    problems, _ = loading.load(planned, "packaged", data_dir)
    total = np.zeros(2)
    for each in planned.experiments:
        problem = problems.get(each.name)
        if isinstance(problem, Problem):
            both = np.array([ours(each, problem, planned.config.seed), theirs(each, problem)])
            total += both
            yield _measurement(each.name, both)
    yield _measurement(f"{len(problems)} panels", total)


def _measurement(what: str, both: np.ndarray) -> Measurement:
    return Measurement(
        f"a split of {what} (ms of CPU), against a scikit-learn loop",
        both[0] * 1e3,
        both[1] / both[0],
    )


def ours(experiment: Experiment, problem: Problem, seed: int) -> float:
    """Seconds a split, by a chunk of a run; the loading of the data is left out."""
    with tempfile.TemporaryDirectory() as folder:
        problem.save(Path(folder) / "data")
        task = Task(
            Chunk(experiment.name, 0, N_OURS),
            str(Path(folder) / "data"),
            experiment.fitters,
            experiment.sizes,
            experiment.n_splits,
            experiment.config.stratified,
            seed,
        )
        result = compute(task)
    if result.failure is not None:
        raise RuntimeError(result.failure)
    return (result.cpu_seconds + result.storing_seconds) / N_OURS


def theirs(experiment: Experiment, problem: Problem) -> float:
    """Seconds a split."""
    x, y = np.asarray(problem.x), np.asarray(problem.y)
    training = splits.training_sets(y, experiment.sizes, range(N_THEIRS), 0, experiment.name)
    if any(problem.levels):
        coded = design(x, problem.levels)[:, 1:]
        models = [(CategoricalNB(min_categories=problem.levels), x)]
    else:
        coded = x
        models = [(GaussianNB(), x), (NearestCentroid(), x)]
    models.append((LogisticRegression(C=np.inf), coded))
    began = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its iteration limit
        for sets in training.values():
            for rows in sets:
                for model, inputs in models:
                    _error(model, inputs, y, rows)
    return (time.process_time() - began) / N_THEIRS


def _error(model: ClassifierMixin, x: np.ndarray, y: np.ndarray, rows: np.ndarray) -> float:
    test = np.ones(len(y), dtype=bool)
    test[rows] = False
    model.fit(x[rows], y[rows])
    return float(np.mean(model.predict(x[test]) != y[test]))
