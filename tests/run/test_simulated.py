"""Simulated experiments: what data sets and splits depend on, and what whole runs leave behind."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from gdcurves import config, plan, splits
from gdcurves.compute import local
from gdcurves.problems import series
from gdcurves.problems.problem import Problem
from gdcurves.problems.series import Series
from gdcurves.run import runner
from gdcurves.simulators import NAMED, SimulationConfig
from gdcurves.store import files

ONCE = "\n  - {name: once, simulate: {name: cu_block, rows: 60}, stratified: true}"
EACH = "\n  - {name: each, simulate: {name: cu_block, rows: 60, draw: each}, stratified: true}"
BINARY = "\n  - {name: binary, simulate: {name: be_full, rows: 60, draw: each}}"
SIZES = "sizes: [4, 11, 30]"
FITTERS = """
  - {type: naive_bayes, variance: per_class, ddof: 1, epsilon: 0}
  - type: logistic_regression
  - {type: hybrid, variance: per_class, ddof: 1, epsilon: 0, leave_one_out: true}
"""

Run = Callable[..., Path]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run experiments into a folder, in chunks of eight splits."""
    monkeypatch.setattr("gdcurves.plan.plan.CHUNK_SPLITS", 8)

    def run(
        folder: str, experiments: str, rest: str = "sizes: [4, 11, 30]", **options: Any
    ) -> Path:
        path = tmp_path / "toy.yaml"
        path.write_text(f"splits: 12\n{rest}\nexperiments:{experiments}\nfitters:{FITTERS}")
        planned = plan.make(config.load(path), options.pop("only", ()))
        made = runner.run(
            planned,
            tmp_path / folder,
            name="toy",
            mode="new",
            source="packaged",
            data_dir=None,
            compute=partial(local.run, jobs=options.pop("jobs", 1)),
            progress=lambda _: None,
            say=print,
        )
        assert not made.failed
        return tmp_path / folder

    return run


def simulation(**keys: Any) -> SimulationConfig:
    return SimulationConfig.model_validate({"name": "ce_full"} | keys)


def test_one_data_set_depends_on_seed_and_name_alone() -> None:
    made = series.build("a", simulation(rows=[7, 5]), 3)
    assert isinstance(made, Problem)
    assert made.x.shape == (12, 4)
    assert made.y.tolist() == [0] * 7 + [1] * 5
    assert (made.levels, made.classes, made.features) == (
        (0, 0, 0, 0),
        ("1", "2"),
        ("x1", "x2", "x3", "x4"),
    )
    again = series.build("a", simulation(rows=[7, 5]), 3)
    assert isinstance(again, Problem)
    assert np.array_equal(made.x, again.x)
    for name, seed in (("b", 3), ("a", 4)):
        other = series.build(name, simulation(rows=[7, 5]), seed)
        assert isinstance(other, Problem)
        assert not np.isin(other.x, made.x).any()
    with pytest.raises(ValueError, match="read-only"):
        made.x[0, 0] = 0.0


def test_data_sets_of_splits_depend_on_the_split_alone(tmp_path: Path) -> None:
    made = series.build("a", simulation(name="bu_block", rows=200, draw="each"), 3)
    assert isinstance(made, Series)
    assert made.levels == (2, 2, 2, 2)
    drawn = made.draw(3, range(5, 9))
    assert drawn.shape == (4, 200, 4)
    assert np.array_equal(made.draw(3, range(7, 12))[:2], drawn[2:])
    assert len({one.tobytes() for one in made.draw(3, range(50))}) == 50
    made.save(tmp_path / "a")
    loaded = series.load(tmp_path / "a")
    assert loaded == made
    assert made.provenance.origin == "simulated"
    assert np.array_equal(loaded.y, made.y)
    # One of four thousand frequencies is farther from its probability than 5 standard errors by
    # chance once in a thousand.
    means, _ = NAMED["bu_block"].moments()
    many = made.draw(0, range(50)).reshape(50, 2, 100, 4).mean(axis=(0, 2))
    assert (np.abs(many - means) < 5 * np.sqrt(means * (1 - means) / 5000)).all()


def test_strata_hold_as_many_rows_of_each_class() -> None:
    """Each row of a class as often as any other; sets of one split grow; splits are independent."""
    y = np.repeat([0, 1, 2], [12, 8, 30])[np.random.default_rng(0).permutation(50)]
    sizes, n = [3, 10, 23], 3000
    drawn = splits.training_sets(y, sizes, range(n), 1, "e", stratified=True)
    for m in sizes:
        assert drawn[m].shape == (n, m // 3 * 3)
        assert (np.sort(y[drawn[m]], axis=1) == np.repeat([0, 1, 2], m // 3)).all()
        assert all(len(set(rows)) == m // 3 * 3 for rows in drawn[m][:50].tolist())
        for k in range(3):
            rows = drawn[m][y[drawn[m]] == k]
            counts = np.bincount(rows, minlength=50)[y == k]
            assert counts.sum() == n * (m // 3)
            # Rows of one training set are distinct: counts vary less than a multinomial's.
            spread = counts.var() * len(counts) / (counts.mean() * (len(counts) - m // 3))
            assert len(counts) == m // 3 or spread < stats.chi2.ppf(0.9999, len(counts) - 1) / 7
    smaller, larger = drawn[3], drawn[23]
    assert all(set(a) <= set(b) for a, b in zip(smaller.tolist(), larger.tolist(), strict=True))
    alone = splits.training_sets(y, [10], range(7, 9), 1, "e", stratified=True)[10]
    assert np.array_equal(np.sort(alone), np.sort(drawn[10][7:9]))


def written(folder: Path, experiment: str) -> dict[str, bytes]:
    found = sorted((folder / "splits" / experiment).glob("*.csv"))
    assert found
    return {path.name: path.read_bytes() for path in found}


@pytest.mark.process
def test_only_some_experiments_and_other_workers_give_the_same_rows(run: Run) -> None:
    whole = run("whole", ONCE + EACH + BINARY)
    for name in ("once", "each", "binary"):
        assert written(run(name, ONCE + EACH + BINARY, only=(name,)), name) == written(whole, name)
    assert written(run("two", EACH, jobs=2), "each") == written(whole, "each")
    # One data set is not many.
    assert written(whole, "once").keys() == written(whole, "each").keys()
    assert written(whole, "once") != written(whole, "each")


@pytest.mark.slow
def test_rows_used_are_in_the_results(run: Run) -> None:
    folder = run("out", ONCE + BINARY)
    rows = files.read_rows(folder, "once").groupby("m")[["n_train", "n_test"]].agg(set)
    assert rows["n_train"].tolist() == [{4}, {10}, {30}]
    assert rows["n_test"].tolist() == [{56}, {50}, {30}]
    assert set(files.read_rows(folder, "binary").query("m == 11")["n_train"]) == {11}
    curves = pd.read_csv(folder / "curves.csv").set_index(["experiment", "fitter", "m"])
    assert (curves.loc["once"].xs(11, level="m")["n_train"] == 10).all()
    assert (curves.loc["once"].xs(11, level="m")["n_test"] == 50).all()


@pytest.mark.slow
def test_curves_are_those_of_the_raw_rows(run: Run) -> None:
    """Medians of sums and of theta, the share of degenerate sets, and rows left out."""
    folder = run("out", EACH)
    raw = files.read_rows(folder, "each")
    curves = pd.read_csv(folder / "curves.csv").set_index(["fitter", "m"])
    for (fitter, m), rows in raw.groupby(["fitter", "m"]):
        found = curves.loc[(fitter, m)]
        sums = np.sort(rows["logloss"] * rows["n_test"])
        middle = sums[5] if np.isinf(sums[6]) and np.isinf(sums[5]) else (sums[5] + sums[6]) / 2
        assert found["logloss_sum_median"] == pytest.approx(middle, rel=1e-12)
        if fitter == "logistic_regression":
            assert np.isnan(found[["degenerate", "left_out", "theta0"]].astype(float)).all()
            continue
        assert found["degenerate"] == rows["degenerate"].mean()
        if fitter == "hybrid":
            assert found["left_out"] == rows["left_out"].mean()
            thetas = np.array([[float(t) for t in text.split()] for text in rows["theta"]])
            assert thetas.shape == (12, 3)
            ordered = np.sort(thetas, axis=0)
            finite = np.isfinite(ordered[5:7]).all(axis=0)
            expected = ordered[5:7].mean(axis=0)[finite]
            here = found[["theta0", "theta1", "theta2"]].to_numpy(float)
            np.testing.assert_allclose(here[finite], expected, rtol=1e-12)
    # Two rows of each class: without one of them, the class has no variance of its own (ddof 1).
    assert (raw.query("m == 4 and fitter == 'hybrid'")["degenerate"] == 1).all()
    assert (raw.query("m == 30 and fitter == 'hybrid'")["left_out"] == 0).all()


@pytest.mark.slow
def test_more_splits_at_some_sizes(run: Run) -> None:
    """Twenty splits at one size, twelve at the others; the first twelve stay as they are."""
    more = SIZES + "\nmore_splits: [{sizes: [11], splits: 20}]"
    folder = run("more", EACH + ONCE, more)
    plain = run("plain", EACH + ONCE)
    for name in ("each", "once"):
        rows = files.read_rows(folder, name)
        assert rows.groupby(["fitter", "m"])["split"].agg(list).to_dict() == {
            (fitter, m): list(range(20 if m == 11 else 12))
            for fitter in ("naive_bayes", "logistic_regression", "hybrid")
            for m in (4, 11, 30)
        }
        assert len(written(folder, name)) == 3
        fewer = files.read_rows(plain, name)
        same = rows[(rows["fitter"] == "naive_bayes") & (rows["split"] < 12)]
        expected = fewer[fewer["fitter"] == "naive_bayes"]
        columns = ["m", "split", "errors", "logloss"]
        order = ["m", "split"]
        if name == "once":  # the quadratic map's centre, a mean of the chunk's data, is the same
            pd.testing.assert_frame_equal(
                same[columns].sort_values(order, ignore_index=True),
                expected[columns].sort_values(order, ignore_index=True),
            )
    curves = pd.read_csv(folder / "curves.csv")
    assert set(curves.query("m == 11")["n_splits"]) == {20}
    assert set(curves.query("m != 11")["n_splits"]) == {12}


@pytest.mark.slow
def test_more_classes_than_training_rows(run: Run) -> None:
    """Some classes are absent; the offset of one against another is no number."""
    means = "[[0, 0], [1, 1], [2, 0], [0, 2], [3, 3]]"
    law = f"{{gaussian: {{means: {means}, covariances: [[1, 0], [0, 1]]}}, rows: 100, draw: each}}"
    folder = run("out", f"\n  - {{name: five, simulate: {law}}}", "sizes: [3, 4, 40]")
    curves = pd.read_csv(folder / "curves.csv").set_index(["fitter", "m"])
    assert (curves["error_mean"].between(0.05, 0.9)).all()
    assert (curves.xs(3, level="m")["error_mean"] > curves.xs(40, level="m")["error_mean"]).all()
    offsets = curves.loc["hybrid", [f"theta{i}" for i in range(4)]]
    assert np.isinf(offsets.loc[3].dropna()).all()
    with pytest.raises(KeyError):
        curves["theta6"]
