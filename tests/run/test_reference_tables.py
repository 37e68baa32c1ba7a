"""Curves of simulated data against R's tables: means of errors and medians of log losses."""

from __future__ import annotations

import importlib
import io
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from golden import setting

from gdcurves import config, plan
from gdcurves.compute.chunk import Task, compute
from gdcurves.plan.experiment import Experiment
from gdcurves.problems import series
from gdcurves.problems.problem import Problem
from gdcurves.problems.series import Series
from gdcurves.store.chunk import Chunk

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
Compare = Callable[[pd.DataFrame, pd.DataFrame], np.ndarray]
SETTINGS = ["ce_full", "cu_block", "be_block", "bu_full"]
# Reduced to 200 splits each, in the sizes at which the second table has 2000.
SIZES = [100, 200]
N_SPLITS = 200


def experiments(name: str) -> dict[str, Experiment]:
    planned = plan.make(config.load(config.find(name)))
    return {each.name: each for each in planned.experiments}


def raw_rows(
    experiment: Experiment, problem: Problem | Series, folder: Path, sizes: list[int], n_splits: int
) -> pd.DataFrame:
    """Raw rows of some sizes, as a run writes them."""
    problem.save(folder / experiment.name)
    parts = []
    for first in range(0, n_splits, plan.CHUNK_SPLITS):
        task = Task(
            Chunk(experiment.name, first, min(first + plan.CHUNK_SPLITS, n_splits)),
            str(folder / experiment.name),
            experiment.fitters,
            tuple(sizes),
            (n_splits,) * len(sizes),
            experiment.config.stratified,
            seed=0,
        )
        result = compute(task)
        assert result.failure is None, result.failure
        parts.append(pd.read_csv(io.BytesIO(result.rows)))
    return pd.concat(parts)


@pytest.fixture(scope="module")
def compare() -> Iterator[Compare]:
    """What the script does with rows and a table: differences in combined standard errors."""
    if not (ROOT / "scripts" / "compare_reference.py").is_file():
        pytest.skip("needs scripts/compare_reference.py of the repository")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "scripts")
        script = importlib.import_module("compare_reference")
        yield lambda rows, table: script.compare(rows, table)["z"].to_numpy()


def agree(differences: np.ndarray) -> None:
    """At least 95 % within 3, and a spread of about 1 in all."""
    assert (np.abs(differences) <= 3).mean() >= 0.95
    assert 0.6 < np.sqrt((differences**2).mean()) < 1.4


def reference(shared: Path, file: str, name: str, sizes: list[int]) -> pd.DataFrame:
    table = pd.read_csv(shared / "reference" / file)
    return table[(table["setting"] == name) & table["m"].isin(sizes)]


def test_a_new_data_set_in_each_split(shared: Path, tmp_path: Path, compare: Compare) -> None:
    planned = experiments("xue_titterington_fresh.yaml")
    differences = []
    for name in SETTINGS:
        one = planned[name]
        assert one.simulation is not None
        made = series.build(name, one.simulation, 0)
        assert isinstance(made, Series)
        rows = raw_rows(one, made, tmp_path, SIZES, N_SPLITS)
        table = reference(shared, "table2_fresh_datasets.csv", name, SIZES)
        differences.append(compare(rows, table))
    together = np.concatenate(differences)
    assert len(together) >= 40
    agree(together)


def test_the_one_data_set_of_the_reference(shared: Path, tmp_path: Path, compare: Compare) -> None:
    """R's data set and its number of training rows, for an odd m too; the splits are our own."""
    planned = experiments("xue_titterington.yaml")
    sizes = [125, 400]
    differences = []
    for name in SETTINGS:
        problem = setting(shared / "reference", name)
        rows = raw_rows(planned[name], problem, tmp_path, sizes, N_SPLITS)
        assert set(rows["n_train"]) == {124, 400}
        table = reference(shared, "table1_one_dataset.csv", name, sizes)
        differences.append(compare(rows, table))
    together = np.concatenate(differences)
    assert len(together) >= 40
    agree(together)
