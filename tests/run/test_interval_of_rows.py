"""Runs that keep sums for rows: what is stored, resumed, and told."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from crossings.test_interval import Splits
from quiet import run

from gdcurves import config, plan, splits
from gdcurves.compute import chunk
from gdcurves.fitters import REGISTRY, Batch
from gdcurves.plan.loading import load
from gdcurves.run import reading
from gdcurves.store import sums

CONFIG = """
splits: 250
interval: rows
measures: [error, auc, logloss]
experiments:
  - {name: iris, data: iris.csv, target: kind, sizes: [6, 20, 60]}
fitters: [{type: naive_bayes}, {type: nearest_centroid}, {type: majority}]
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("rows")
    rng = np.random.default_rng(0)
    kind = np.repeat(["a", "b"], 40)
    x = rng.normal(size=(80, 3)) + 0.8 * (kind == "b")[:, None]
    frame = pd.DataFrame(x.round(3), columns=["u", "v", "w"]).assign(kind=kind)
    frame.to_csv(home / "iris.csv", index=False)
    (home / "my.yaml").write_text(CONFIG)
    return home


@pytest.fixture(scope="module")
def done(home: Path) -> Path:
    run(plan.make(config.load(home / "my.yaml")), home / "out", "my")
    return home / "out"


def content(folder: Path) -> dict[str, bytes]:
    names = ["curves.csv", "crossings.csv", "comparisons.csv"]
    paths = [*(folder / name for name in names), *(folder / "splits").rglob("*.*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@pytest.mark.slow
def test_the_interval_is_that_of_the_splits(home: Path, done: Path) -> None:
    """Against the formula on all differences, from fits of our own outside a run."""
    planned = plan.make(config.load(home / "my.yaml"))
    problem = load(planned, "packaged", None, offline=True)[0]["iris"]
    training = splits.training_sets(problem.y, [20], range(250), 0, "iris")[20]
    wrong = []
    for name in ("naive_bayes", "majority"):
        losses = np.empty((250, 80))
        for b, rows in enumerate(training):
            low, high = problem.x[rows].min(axis=0), problem.x[rows].max(axis=0)
            x = (problem.x - low) / (high - low)
            batch = Batch(
                x[None, rows], problem.y[None, rows], problem.levels, 2, problem.features, None
            )
            w = REGISTRY[name]().fit(batch, np.random.default_rng(0)).rules.weights[0, 0, 0]
            losses[b] = (w[0] + x @ w[1:] > 0) != problem.y
        wrong.append(losses)
    direct = Splits(training, wrong[0] - wrong[1])
    table = reading.read(done).comparisons
    (row,) = table[
        (table["measure"] == "error")
        & (table["m"] == 20)
        & (table["fitter_a"] == "naive_bayes")
        & (table["fitter_b"] == "majority")
    ].itertuples()
    assert row.difference == pytest.approx(direct.mean.mean(), abs=1e-12)
    half_width = direct.jackknife().half_width(direct.spread)
    # Sums are stored in single precision.
    assert (row.high - row.low) / 2 == pytest.approx(half_width, rel=1e-6)
    assert (row.better, row.interval) == ("naive_bayes", "jackknife")
    assert row.se_splits == pytest.approx(direct.spread.deviation / np.sqrt(250), rel=1e-9)

    alone = Splits(training, wrong[0])
    curves = reading.read(done).curves
    (point,) = curves[(curves["fitter"] == "naive_bayes") & (curves["m"] == 20)].itertuples()
    assert point.error_mean == pytest.approx(alone.mean.mean(), abs=1e-12)
    half_width = alone.jackknife().half_width(alone.spread)
    assert point.error_high - point.error_mean == pytest.approx(half_width, rel=1e-6)
    assert point.error_mean - point.error_low == pytest.approx(half_width, rel=1e-6)


def test_the_interval_of_a_curve_is_that_of_the_outlook(done: Path) -> None:
    read = reading.read(done)
    last = read.curves[read.curves["m"] == 60].set_index("fitter")
    for row in read.outlook.itertuples():
        ends = last.loc[row.fitter, [f"{row.measure}_low", f"{row.measure}_high"]]
        assert ends.tolist() == [row.low_last, row.high_last]


@pytest.mark.slow
def test_every_pair_size_and_measure_has_its_row(done: Path) -> None:
    table = reading.read(done).comparisons
    assert len(table) == 3 * 3 * 3
    assert set(table["interval"]) == {"jackknife"}
    assert (table["low"] <= table["difference"]).all()
    errors = table[table["measure"] != "logloss"]
    assert (errors[["low", "high"]].abs() <= 1).all(axis=None)
    crossings = reading.read(done).crossings
    last = table[(table["measure"] == "error") & (table["m"] == 60)].reset_index()
    assert crossings["low_last"].tolist() == last["low"].tolist()
    assert crossings["better_last"].tolist() == last["better"].tolist()


@pytest.mark.slow
def test_lost_files_are_made_again_to_the_byte(home: Path, done: Path, tmp_path: Path) -> None:
    planned = plan.make(config.load(home / "my.yaml"))
    again = shutil.copytree(done, tmp_path / "again")
    chunks = sorted((again / "splits" / "iris").glob("*.npz"))
    assert len(chunks) == 3
    chunks[0].unlink()
    chunks[2].write_bytes(chunks[2].read_bytes()[:-1])
    summary = run(planned, again, "my", mode="resume", jobs=2)
    assert summary.failed == {}
    assert content(again) == content(done)


@pytest.mark.slow
def test_blocks_where_rows_are_too_many(home: Path, done: Path, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(sums, "MOST_BYTES", 20_000)
    monkeypatch.setattr(sums, "LEAST_BLOCKS", 40)
    run(plan.make(config.load(home / "my.yaml")), tmp_path / "out", "my")
    few, all_rows = (reading.read(each).comparisons for each in (tmp_path / "out", done))
    with np.load(next((tmp_path / "out" / "splits" / "iris").glob("*.npz"))) as file:
        assert file["units"].tolist() == [2] * 40
    assert few["difference"].tolist() == all_rows["difference"].tolist()
    ratio = (few["high"] - few["low"]) / (all_rows["high"] - all_rows["low"])
    # Three parts of the splits tell little of a block's noise.
    assert ratio.median() == pytest.approx(1, abs=0.1)


def test_laws_with_data_sets_of_their_own_need_no_rows(tmp_path: Path) -> None:
    (tmp_path / "law.yaml").write_text(
        "splits: 30\ninterval: rows\nsizes: [10]\nexperiments: [{name: e, simulate: {name: ce_full,"
        " rows: 40, draw: each}}]\nfitters: [{type: naive_bayes}, {type: majority}]\n"
    )
    run(plan.make(config.load(tmp_path / "law.yaml")), tmp_path / "out", "law")
    done = reading.read(tmp_path / "out")
    assert not list((tmp_path / "out" / "splits").rglob("*.npz"))
    assert set(done.comparisons["interval"]) == {"splits"}


def test_blocks_are_of_one_size_and_at_random() -> None:
    block = chunk._blocks(3, "e", 1003, 100)
    assert set(np.bincount(block)) == {10, 11}
    assert not np.array_equal(block, np.arange(1003) % 100)
    assert sums.n_blocks(500, 12 * 5 * 3, 40) == 500
    assert sums.n_blocks(100_000, 12 * 5 * 3, 40) == 1000
    size = 4 * 12 * 5 * 3 * 40
    assert 7 * size * 500 <= sums.MOST_BYTES
    assert 4 * size * 1000 <= sums.MOST_BYTES
