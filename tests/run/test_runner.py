"""Whole runs on small data sets: what they leave behind, and what they do not depend on."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
import quiet
from rules import pool_of

from gdcurves import config, datasets, plan, scoring, splits
from gdcurves.datasets import DatasetSpec, DataUnavailable, Table
from gdcurves.errors import UserError
from gdcurves.fitters import Batch
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.problems.problem import build
from gdcurves.run import reading, runner
from gdcurves.store import files, journal
from gdcurves.store.chunk import Chunk

LENSES = """
  - name: lenses
    data: contact-lenses
    inputs: discrete
    classes: {lenses: [hard, soft], none: none}
    sizes: [2, 5, 20]
"""
VOTES = """
  - name: votes
    data: vote
    inputs: discrete
    sizes: [3, 40]
"""
LIVER = """
  - name: liver
    data: liver-disorders
    inputs: continuous
    classes: [1, 2]
    sizes: [2, 30]
"""
NAIVE_BAYES = "\n  - type: naive_bayes"
LOGISTIC = "\n  - type: logistic_regression"
ALL = NAIVE_BAYES + LOGISTIC + "\n  - {type: nearest_centroid, inputs: continuous}"

Run = Callable[..., runner.Summary]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run experiments with fitters into a folder, in chunks of eight splits."""
    monkeypatch.setattr("gdcurves.plan.plan.CHUNK_SPLITS", 8)

    def run(
        folder: str, experiments: str, fitters: str = NAIVE_BAYES, n: int = 20, **options: Any
    ) -> runner.Summary:
        path = tmp_path / "toy.yaml"
        path.write_text(f"splits: {n}\nseed: 3\nexperiments:{experiments}\nfitters:{fitters}\n")
        planned = plan.make(config.load(path), options.pop("only", ()))
        return quiet.run(planned, tmp_path / folder, options.pop("name", "toy"), **options)

    return run


def kept(folder: Path) -> dict[str, bytes]:
    """Curves and raw rows."""
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.csv"))
    }


def manifest(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return read


@pytest.mark.slow
def test_a_run_leaves_curves_rows_and_manifest(run: Run, tmp_path: Path) -> None:
    summary = run("out", VOTES + LIVER, ALL)
    assert summary.done == ("votes", "liver")
    assert not summary.skipped
    assert not summary.failed
    assert summary.fits == 20 * (2 * 2 + 3 * 2)
    chunks = ["000000-000007", "000008-000015", "000016-000019"]
    assert list(kept(tmp_path / "out")) == [
        "comparisons.csv",
        "crossings.csv",
        "curves.csv",
        "outlook.csv",
        *(f"splits/{name}/{chunk}.csv" for name in ("liver", "votes") for chunk in chunks),
    ]
    curves = pd.read_csv(tmp_path / "out" / "curves.csv")
    found = list(zip(curves["experiment"], curves["fitter"], curves["m"], strict=True))
    expected = [
        ("votes", fitter, m) for fitter in ("naive_bayes", "logistic_regression") for m in (3, 40)
    ]
    expected += [
        ("liver", fitter, m)
        for fitter in ("naive_bayes", "logistic_regression", "nearest_centroid")
        for m in (2, 30)
    ]
    assert found == expected
    assert (curves["n_splits"] == 20).all()
    assert curves["n_test"].tolist() == [229, 192, 229, 192] + [343, 315] * 3
    assert curves["error_mean"].between(0, 1).all()
    logistic = curves["fitter"] == "logistic_regression"
    assert curves.loc[~logistic, ["separable", "quasi_separable", "no_mle"]].isna().all(axis=None)
    assert curves.loc[logistic, "no_mle"].notna().all()

    written = manifest(tmp_path / "out")
    assert written["status"] == "complete"
    assert written["name"] == "toy"
    assert written["seed"] == 3
    assert written["config"]["splits"] == 20
    votes = written["experiments"]["votes"]
    assert votes["status"] == "done"
    assert (votes["rows_read"], votes["rows_used"], votes["rows_missing"]) == (435, 232, 203)
    assert sum(votes["classes"].values()) == 232
    assert (votes["origin"], votes["source"][:10]) == ("packaged", "packaged (")
    assert votes["sha256"] == datasets.load("vote").sha256


def test_rows_are_those_of_the_parts(run: Run, tmp_path: Path) -> None:
    """Splits, fitter and scoring put together by hand."""
    run("out", LENSES)
    table = datasets.load("contact-lenses")
    classes = [("lenses", ["hard", "soft"]), ("none", ["none"])]
    problem = build("lenses", table, "discrete", classes)
    rows = files.read_rows(tmp_path / "out", "lenses")
    training = splits.training_sets(problem.y, [2, 5, 20], range(20), 3, "lenses")
    for m, sets in training.items():
        batch = Batch(problem.x[sets], problem.y[sets], problem.levels, 2)
        fit = NaiveBayes().fit(batch, np.random.default_rng(0))
        expected = scoring.score(pool_of(problem), fit, sets)
        found = rows[rows["m"] == m].set_index("split").sort_index()
        assert found["errors"].tolist() == expected.values["errors"].tolist()
        np.testing.assert_allclose(found["logloss"], expected.values["logloss"], rtol=1e-12)
        assert (found["n_test"] == 24 - m).all()


@pytest.mark.process
def test_case_7_number_of_workers_does_not_change_a_byte(run: Run, tmp_path: Path) -> None:
    run("one", VOTES + LIVER, ALL, jobs=1)
    for jobs in {2, max(2, joblib.cpu_count())}:
        run(f"{jobs}", VOTES + LIVER, ALL, jobs=jobs)
        assert kept(tmp_path / f"{jobs}") == kept(tmp_path / "one")


@pytest.mark.slow
def test_an_experiment_alone_has_the_rows_of_the_whole_run(run: Run, tmp_path: Path) -> None:
    run("whole", LENSES + VOTES + LIVER, ALL)
    summary = run("alone", LENSES + VOTES + LIVER, ALL, only=["votes"])
    assert summary.done == ("votes",)
    whole, alone = kept(tmp_path / "whole"), kept(tmp_path / "alone")
    assert len(alone) == 4 + 3
    tables = {"curves.csv", "comparisons.csv", "crossings.csv", "outlook.csv"}
    for name in set(alone) - tables:
        assert alone[name] == whole[name]
    for name in tables:
        of_votes = [line for line in whole[name].splitlines() if line.startswith(b"votes,")]
        assert alone[name].splitlines()[1:] == of_votes
    assert list(manifest(tmp_path / "alone")["experiments"]) == ["votes"]


@pytest.mark.slow
def test_other_fitters_and_sizes_do_not_change_rows(run: Run, tmp_path: Path) -> None:
    run("all", LIVER, ALL)
    run("less", LIVER.replace("[2, 30]", "[30]"), LOGISTIC)
    rows, fewer = (files.read_rows(tmp_path / name, "liver") for name in ("all", "less"))
    same = rows[(rows["fitter"] == "logistic_regression") & (rows["m"] == 30)]
    pd.testing.assert_frame_equal(same.reset_index(drop=True), fewer, check_exact=True)


@pytest.mark.slow
def test_case_6_all_fitters_see_the_same_training_sets(run: Run, tmp_path: Path) -> None:
    """Case 6: a classifier under two names has the same errors in every split."""
    twice = "\n  - {type: logistic_regression, name: a}\n  - {type: logistic_regression, name: b}"
    twins = "\n  - {type: nearest_centroid, name: c}\n  - {type: nearest_centroid, name: d}"
    run("out", LIVER, twice + twins)
    rows = files.read_rows(tmp_path / "out", "liver").set_index(["m", "split"])
    by_name = {name: group.drop(columns="fitter") for name, group in rows.groupby("fitter")}
    pd.testing.assert_frame_equal(by_name["c"], by_name["d"], check_exact=True)
    assert by_name["a"]["outcome"].equals(by_name["b"]["outcome"])
    overlap = by_name["a"]["outcome"] == "overlap"
    assert overlap.any()
    pd.testing.assert_frame_equal(by_name["a"][overlap], by_name["b"][overlap], check_exact=True)
    # Hyperplanes are drawn independently under each name.
    assert not by_name["a"].equals(by_name["b"])


@pytest.mark.slow
def test_a_repeated_run_and_another_seed(run: Run, tmp_path: Path) -> None:
    run("one", LIVER, LOGISTIC)
    run("two", LIVER, LOGISTIC)
    assert kept(tmp_path / "one") == kept(tmp_path / "two")
    run("one", LENSES, mode="fresh")  # in the same folder: the earlier run is replaced
    assert {name.split("/")[1] for name in kept(tmp_path / "one") if "/" in name} == {"lenses"}


@pytest.mark.slow
def test_three_classes_and_one_absent_from_training(run: Run, tmp_path: Path) -> None:
    """Case 2: hard lenses are 4 of 24 rows; without one in training their log loss is infinite."""
    three = LENSES.replace("{lenses: [hard, soft], none: none}", "[none, soft, hard]")
    run("out", three, "\n  - {type: naive_bayes, laplace: 0}", n=60)
    rows = files.read_rows(tmp_path / "out", "lenses")
    small = rows[rows["m"] == 2]
    assert np.isinf(small["logloss"]).all()  # two rows cannot hold three classes
    five = rows[rows["m"] == 5]
    assert 0 < np.isinf(five["logloss"]).sum() <= 60
    assert five["errors"].between(0, 19).all()
    curves = pd.read_csv(tmp_path / "out" / "curves.csv").set_index("m")
    assert np.isnan(curves.loc[2, "logloss_mean"])
    assert np.isinf(curves.loc[2, "logloss_median"])
    run("smoothed", three, n=60)
    smoothed = files.read_rows(tmp_path / "smoothed", "lenses")
    assert np.isfinite(smoothed["logloss"]).all()
    assert smoothed.loc[smoothed["m"] == 5, "errors"].between(0, 19).all()


# What goes wrong.


def test_case_31_a_broken_data_set_does_not_end_the_others(run: Run, tmp_path: Path) -> None:
    """Case 31."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "vote.csv").write_text("a,b\n1\n2,3,4\n")
    summary = run("out", LENSES + VOTES + LIVER, data_dir=data)
    assert summary.done == ("lenses", "liver")
    assert list(summary.failed) == ["votes"]
    assert "vote.csv" in summary.failed["votes"]
    assert "\n" not in summary.failed["votes"]
    written = manifest(tmp_path / "out")
    assert written["status"] == "failed"
    states = {name: entry["status"] for name, entry in written["experiments"].items()}
    assert states == {"lenses": "done", "votes": "failed", "liver": "done"}
    curves = pd.read_csv(tmp_path / "out" / "curves.csv")
    assert curves["experiment"].unique().tolist() == ["lenses", "liver"]


@pytest.mark.slow
def test_an_experiment_that_breaks_off_does_not_end_the_others(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = splits.training_sets

    def fail(y: Any, sizes: Any, chunk: range, seed: int, experiment: str, *rest: Any) -> Any:
        if experiment == "votes" and chunk.start == 8:
            raise FloatingPointError("no number")
        return whole(y, sizes, chunk, seed, experiment, *rest)

    monkeypatch.setattr(splits, "training_sets", fail)
    summary = run("out", LENSES + VOTES + LIVER)
    assert summary.done == ("lenses", "liver")
    failed = r"splits 8 to 15 at m = 3 to 40: FloatingPointError: no number \(.*:\d+, in fail\)"
    assert re.fullmatch(failed, summary.failed["votes"])
    assert manifest(tmp_path / "out")["experiments"]["votes"]["status"] == "failed"
    assert "votes" not in (tmp_path / "out" / "curves.csv").read_text()
    # Its other chunks are kept, and the journal has the traceback.
    assert sum("votes" in name for name in kept(tmp_path / "out")) == 2
    (broken,) = [each for each in journal.read(tmp_path / "out").chunks.values() if each.failure]
    assert broken.of == Chunk("votes", 8, 16)
    assert "Traceback" in (broken.traceback or "")


@pytest.mark.slow
def test_an_optional_data_set_that_cannot_be_had_is_skipped(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(spec: DatasetSpec, *_arguments: object) -> Table:
        raise DataUnavailable(f"{spec.name} cannot be had")

    monkeypatch.setitem(datasets.SOURCES, "openml", nothing)
    sick = LENSES.replace("lenses", "sick").replace("contact-sick", "sick")
    sick = sick.replace("{sick: [hard, soft], none: none}", "[sick, negative]")
    optional = run("out", LENSES + sick + "    optional: true\n")
    assert optional.done == ("lenses",)
    assert optional.skipped == {"sick": "sick cannot be had"}
    assert not optional.failed
    written = manifest(tmp_path / "out")
    assert written["status"] == "complete"
    assert written["experiments"]["sick"]["status"] == "skipped"
    required = run("out", LENSES + sick, mode="fresh")
    assert required.done == ("lenses",)
    assert required.failed == {"sick": "sick cannot be had"}
    assert manifest(tmp_path / "out")["status"] == "failed"
    before = kept(tmp_path / "out")
    for alone in (sick, sick + "    optional: true\n"):
        for place in ("out", "elsewhere"):
            with pytest.raises(UserError, match="nothing is left to compute; sick: sick cannot"):
                run(place, alone, mode="fresh")
    with pytest.raises(UserError, match="sick: sick cannot be had, and likewise 1 other exp"):
        run("out", sick + sick.replace("name: sick", "name: more"), mode="fresh")
    assert kept(tmp_path / "out") == before
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize(
    ("experiments", "fitters", "says"),
    [
        (VOTES.replace("[3, 40]", "[3, 232]"), NAIVE_BAYES, r"size 232 .* has 232 rows .* 231"),
        (LENSES, "\n  - {type: hybrid, blocks: [[1, 2], [2, 3, 4]]}", "stands in blocks twice"),
        (LENSES.replace("[hard, soft]", "[hard, sofd]"), NAIVE_BAYES, "sofd"),
    ],
)
def test_case_5_what_the_data_rule_out_is_refused_before_anything_is_written(
    run: Run, tmp_path: Path, experiments: str, fitters: str, says: str
) -> None:
    """Case 5, and fitters and classes that do not go with the data."""
    with pytest.raises(UserError, match=says) as caught:
        run("out", LIVER + experiments, fitters)
    assert "toy.yaml:" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_an_interrupted_run_keeps_what_is_done(run: Run, tmp_path: Path) -> None:
    seen: list[runner.Progress] = []

    def stop(progress: runner.Progress) -> None:
        seen.append(progress)
        if progress.splits_done >= 28:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run("out", LENSES + VOTES, progress=stop)
    assert seen[-1].experiments_done == 1
    written = manifest(tmp_path / "out")
    assert written["status"] == "interrupted"
    states = {name: entry["status"] for name, entry in written["experiments"].items()}
    assert states == {"lenses": "done", "votes": "missing"}
    assert reading.read_run(tmp_path / "out").curves["experiment"].unique().tolist() == ["lenses"]
    assert len(files.read_rows(tmp_path / "out", "votes")) == 8 * 2
    assert not [path for path in (tmp_path / "out").rglob(".*")]


@pytest.mark.slow
def test_progress_reaches_its_totals(run: Run) -> None:
    seen: list[runner.Progress] = []
    run("out", LENSES + VOTES, NAIVE_BAYES + LOGISTIC, progress=seen.append)
    assert len(seen) == 7
    assert (seen[0].current, seen[0].fits_done) == ("lenses", 0)
    assert [each.splits_done for each in seen] == [0, 8, 16, 20, 28, 36, 40]
    last = seen[-1]
    assert (last.experiments_done, last.experiments_total) == (2, 2)
    assert (last.splits_done, last.splits_total) == (40, 40)
    assert last.fits_done == 20 * 2 * (3 + 2)
    assert last.current == "votes"


@pytest.mark.slow
def test_case_31_readable_but_wrong_data_do_not_end_the_others(run: Run, tmp_path: Path) -> None:
    """Case 31: labels that the config does not know, and too few rows, in files of one's own."""
    data = tmp_path / "data"
    data.mkdir()
    header = "mcv,alkphos,sgpt,sgot,gammagt,drinks,selector\n"
    (data / "bupa.csv").write_text(header + "1,2,3,4,5,6,a\n2,3,4,5,6,7,b\n")
    summary = run("out", LENSES + LIVER, data_dir=data)
    assert summary.done == ("lenses",)
    assert "'1'" in summary.failed["liver"]
    (data / "bupa.csv").write_text(header + "1,2,3,4,5,6,1\n2,3,4,5,6,7,2\n3,3,4,5,6,7,2\n")
    summary = run("out", LENSES + LIVER, data_dir=data, mode="fresh")
    assert summary.done == ("lenses",)
    assert "size 30 is too large" in summary.failed["liver"]


def test_nothing_that_can_be_run_is_refused_and_erases_nothing(run: Run, tmp_path: Path) -> None:
    run("out", LENSES)
    before = kept(tmp_path / "out")
    data = tmp_path / "data"
    data.mkdir()
    (data / "contact-lenses.csv").write_text("a,b\n1\n")
    with pytest.raises(UserError, match="contact-lenses"):
        run("out", LENSES, data_dir=data, mode="fresh")
    assert kept(tmp_path / "out") == before


@pytest.mark.slow
def test_one_process_counts_its_time_once(run: Run, tmp_path: Path) -> None:
    """Without workers the process that stores results computes them too."""
    began = time.process_time()
    run("out", VOTES, ALL)
    spent = time.process_time() - began
    cpu = manifest(tmp_path / "out")["cpu_seconds"]
    assert cpu["fits_and_scoring"] > 0
    assert sum(cpu.values()) < spent
