"""Crossings of runs: the table that a run leaves, the command, and the words."""

from __future__ import annotations

import shutil
from collections.abc import Generator, Sequence
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import quiet
from rich.console import Console

from gdcurves import config, plan, published, report
from gdcurves.compute.chunk import Result, Task, compute
from gdcurves.crossings import CROSSINGS, Answers
from gdcurves.plots import learning_curves, ng_jordan
from gdcurves.report import crossings as words
from gdcurves.run import reading
from gdcurves.store import files

CONFIG = """
splits: 150
figure: ng_jordan
experiments:
  - name: pima
    data: diabetes
    inputs: continuous
    classes: [tested_negative, tested_positive]
    sizes: [8, 20, 41, 59, 120]
  - name: votes
    data: vote
    inputs: discrete
    sizes: [2, 9]
  - name: law
    simulate:
      gaussian: {means: [[0, 0], [2, 1]], covariances: [[1, 0], [0, 1]]}
      rows: 60
      draw: each
    sizes: [10, 20]
fitters:
  - type: naive_bayes
  - type: logistic_regression
  - {type: nearest_centroid, inputs: continuous}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run."""
    parent = tmp_path_factory.mktemp("crossings")
    (parent / "my.yaml").write_text(CONFIG)
    quiet.run(plan.make(config.load(parent / "my.yaml")), parent / "out", "my")
    return parent / "out"


@pytest.mark.slow
def test_a_run_leaves_the_table_of_its_rows(folder: Path) -> None:
    read = reading.read_run(folder)
    assert read.crossings is not None
    answers = reading.answers_of(reading.read(folder))
    pd.testing.assert_frame_equal(read.crossings, answers.crossings)
    pd.testing.assert_frame_equal(read.comparisons, answers.comparisons)
    pima = read.crossings[read.crossings["experiment"] == "pima"]
    assert len(pima.groupby(["fitter_a", "fitter_b"])) == 3
    # The means are those of the curves.
    curves = read.curves.set_index(["experiment", "fitter", "m"])["error_mean"]
    for row in read.crossings.itertuples():
        a, b = (
            curves.loc[row.experiment, fitter, row.m_last]
            for fitter in (row.fitter_a, row.fitter_b)
        )
        assert row.difference_last == pytest.approx(a - b, rel=1e-9, abs=1e-15)
    # Logistic regression overtakes the nearest centroid on these data; in the paper, at m = 42.
    (row,) = (
        pima[pima["fitter_b"] == "nearest_centroid"].query("fitter_a != 'naive_bayes'").itertuples()
    )
    assert (row.kind, row.better_below, row.better_above) == (
        "crosses",
        "nearest_centroid",
        "logistic_regression",
    )
    assert row.m_low < 41.7 < row.m_high


@pytest.mark.slow
def test_published_crossings_are_those_of_the_same_classifiers(folder: Path) -> None:
    crossings = reading.read_run(folder).crossings
    assert crossings is not None
    beside = {
        (row.fitter_a, row.fitter_b): row.published_m
        for row in crossings[crossings["experiment"] == "pima"].itertuples()
    }
    theirs = published.values("ng_jordan")
    assert theirs is not None
    pima = theirs[theirs["experiment"] == "pima"]
    difference = pima["naive_bayes_error"] - pima["logistic_regression_error"]
    near = pima["m"].between(38, 47)
    at = np.interp(0.0, difference[near], pima["m"][near])
    assert beside == {
        ("naive_bayes", "logistic_regression"): "",
        ("naive_bayes", "nearest_centroid"): "",
        ("logistic_regression", "nearest_centroid"): f"{at:.1f}",
    }
    discrete = published.same_classifiers(
        "ng_jordan", "lenses", "discrete", ["logistic_regression", "naive_bayes", "lda"]
    )
    assert list(discrete.columns) == ["logistic_regression", "naive_bayes"]


@pytest.mark.slow
def test_the_same_table_whatever_the_order_of_rows_and_files(folder: Path, tmp_path: Path) -> None:
    read = reading.read_run(folder)
    chunks = sorted((folder / "splits" / "pima").iterdir())
    assert len(chunks) == 2
    shuffled = []
    for number, path in enumerate(chunks):
        header, *lines = path.read_text().splitlines(keepends=True)
        np.random.default_rng(number).shuffle(lines)
        shuffled.append(tmp_path / path.name)
        shuffled[-1].write_text("".join([header, *lines]))
    one, other = (
        Answers.of_chunks(
            "pima", paths, read.manifest["config"], read.manifest["experiments"]["pima"]
        )
        for paths in (chunks, shuffled[::-1])
    )
    pd.testing.assert_frame_equal(one.crossings, other.crossings, check_exact=True)
    pd.testing.assert_frame_equal(one.comparisons, other.comparisons, check_exact=True)


def test_splits_with_data_sets_of_their_own_are_independent(folder: Path) -> None:
    crossings = reading.read_run(folder).crossings
    assert crossings is not None
    rows = files.read_rows(folder, "law").query("m == 20").sort_values("split")
    a, b = (
        rows[rows["fitter"] == name]["errors"].to_numpy() / 40
        for name in ("naive_bayes", "logistic_regression")
    )
    (law,) = crossings.query(
        "experiment == 'law' and fitter_b == 'logistic_regression'"
    ).itertuples()
    reach = 1.976013 * np.std(a - b, ddof=1) / np.sqrt(150)  # Student's t, 149 degrees of freedom
    assert law.high_last - law.low_last == pytest.approx(2 * reach, rel=1e-6)


@pytest.mark.slow
def test_figures_mark_the_crossings_of_the_papers_two_classifiers(folder: Path) -> None:
    run = reading.read_run(folder)
    assert run.crossings is not None
    (sheet,) = ng_jordan.sheets(run)
    panels = {panel.experiment: panel for panel in sheet.panels}
    (marks,) = panels["pima"].marks
    assert marks.label == "crossing of logistic regression and nearest centroid, 95 % interval"
    pair = "experiment == 'pima' and fitter_a != 'naive_bayes'"
    (row,) = run.crossings.query(pair).itertuples()
    np.testing.assert_allclose(
        [marks.m, marks.low, marks.high], [[row.m], [row.m_low], [row.m_high]]
    )
    for curve in panels["pima"].curves:
        if curve.label != "naive Bayes":
            assert np.interp(row.m, curve.m, curve.y) == pytest.approx(marks.y[0], rel=1e-9)
    (own,) = learning_curves.sheets(run)
    naive = run.crossings.query("experiment == 'pima' and fitter_b == 'logistic_regression'")
    assert sum(len(each.m) for each in own.panels[0].marks) == (naive["kind"] == "crosses").sum()


@pytest.mark.slow
def test_the_report_of_many_experiments_tells_of_their_crossings(folder: Path, monkeypatch) -> None:
    monkeypatch.setattr(import_module("gdcurves.report.saying"), "FEW", 2)
    text = shown(report.summary(reading.read_run(folder), 80), 80)
    # Three pairs on the continuous experiments and one on the other: too many for sentences.
    assert "logistic_regression (a), nearest_centroid (b)" in text
    assert any(line.startswith("votes ") and line.endswith((" a", " b", " none")) for line in text)


@pytest.mark.slow
def test_command_of_finished_partial_and_bare_runs(folder: Path, tmp_path: Path, call) -> None:
    whole = call("crossings", str(folder))
    assert whole.code == 0
    assert (
        "pima, logistic_regression and nearest_centroid: nearest_centroid is better up to"
        in whole.out
    )
    assert "Published: m = 41.7." in whole.out

    bare = shutil.copytree(folder, tmp_path / "bare", ignore=shutil.ignore_patterns("splits"))
    assert call("crossings", str(bare)).out == whole.out
    (bare / CROSSINGS.name).unlink()
    ended = call("crossings", str(bare))
    assert (ended.code, ended.out) == (2, "")
    assert "neither raw rows nor a crossings.csv" in ended.err

    partial_run = shutil.copytree(folder, tmp_path / "partial")
    (partial_run / "splits" / "pima" / "000100-000149.csv").unlink()
    (partial_run / CROSSINGS.name).unlink()
    crossings = reading.answers_of(reading.read(partial_run)).crossings
    assert set(crossings[crossings["experiment"] == "pima"]["n_splits"]) == {100}
    assert set(crossings[crossings["experiment"] == "law"]["n_splits"]) == {150}

    shutil.copy(folder / "curves.csv", bare / CROSSINGS.name)
    ended = call("crossings", str(bare))
    assert ended.code == 2
    assert "crossings.csv: no column 'fitter_a' in it; " in ended.err
    assert call("crossings", "nowhere").code == 2


def stop_at_the_second(tasks: Sequence[Task]) -> Generator[Result]:
    yield compute(tasks[0])
    raise KeyboardInterrupt


def test_a_run_that_was_stopped_is_answered_from_what_it_has(tmp_path: Path, call) -> None:
    text = """
splits: 30
chunk: 20
experiments: [{name: lenses, data: contact-lenses, sizes: [4, 8]}]
fitters: [{type: naive_bayes}, {type: logistic_regression}]
"""
    (tmp_path / "my.yaml").write_text(text)
    planned = plan.make(config.load(tmp_path / "my.yaml"))
    with pytest.raises(KeyboardInterrupt):
        quiet.run(planned, tmp_path / "out", "my", compute=stop_at_the_second)
    assert not (tmp_path / "out" / CROSSINGS.name).exists()
    ended = call("crossings", "out")
    assert ended.code == 0
    assert ended.err.startswith("Note: out: partial: 20 of 30 splits (interrupted); ")
    assert "lenses, naive_bayes and logistic_regression: " in ended.out
    assert {*reading.answers_of(reading.read(tmp_path / "out")).crossings["n_splits"]} == {20}


@pytest.mark.slow
def test_a_single_fitter_crosses_nothing(tmp_path: Path, call) -> None:
    one = CONFIG.partition("  - name: votes")[0] + "fitters: [{type: naive_bayes}]\n"
    (tmp_path / "one.yaml").write_text(one.replace("150", "3"))
    ended = call("run", "--config", "one.yaml", "--jobs", "1")
    assert ended.code == 0
    header = (tmp_path / "results" / "one" / CROSSINGS.name).read_text()
    assert header == ",".join(CROSSINGS.columns) + "\n"
    ended = call("crossings")
    assert (ended.code, ended.out) == (2, "")
    assert "no experiment has two fitters to compare" in ended.err


@pytest.mark.slow
@pytest.mark.parametrize("n_splits", [5, 30])
def test_too_few_splits_for_any_size(tmp_path: Path, call, n_splits: int) -> None:
    """With fewer than 20 splits nothing is established, and more splits are all that it takes."""
    config = "experiments: [{name: lenses, data: contact-lenses, sizes: [4]}]\n"
    fitters = "fitters: [{type: naive_bayes}, {type: logistic_regression}]\n"
    (tmp_path / "c.yaml").write_text(f"splits: {n_splits}\n{config}{fitters}")
    ended = call("run", "--config", "c.yaml", "--jobs", "1")
    assert ended.code == 0
    said = " ".join(call("crossings").out.split())
    assert ("at any size, m = 4; that takes 20 splits, and there are 5." in said) == (n_splits == 5)
    assert ("needs 20 splits" in said) == (n_splits == 5)


@pytest.mark.parametrize("width", [80, 140])
def test_tables_and_sentences(width: int) -> None:
    common = {"n_splits": 1000, "n_sizes": 20, "m_first": 2, "published_m": ""}
    many = {"fitter_a": "naive_bayes", "fitter_b": "logistic_regression", **common}
    crosses = {"kind": "crosses", "n_a_better": 12, "n_b_better": 3}
    rows = [
        {**many, **crosses, "experiment": "adult-discrete", "m": 9.13, "m_low": 6.26}
        | {"m_high": 11.2, "better_below": "logistic_regression", "better_above": "naive_bayes"}
        | {"m_last": 382, "difference_last": 0.004, "low_last": -0.27, "high_last": 0.28}
        | {"better_last": "", "published_m": "6.9 351.6"},
        {**many, **crosses, "experiment": "adult-discrete", "m": 334.6, "m_low": 317.9}
        | {"m_high": 351.1, "better_below": "naive_bayes", "better_above": "logistic_regression"}
        | {"m_last": 382, "difference_last": 0.004, "low_last": -0.27, "high_last": 0.28}
        | {"better_last": "", "published_m": "6.9 351.6"},
        {**many, "experiment": "promoters", "kind": "does_not_cross", "n_a_better": 20}
        | {"n_b_better": 0, "better_below": "naive_bayes", "better_above": "naive_bayes"}
        | {"m_last": 97, "difference_last": -0.156, "low_last": -0.255, "high_last": -0.056}
        | {"better_last": "naive_bayes"},
        {**many, "experiment": "sonar", "kind": "cannot_tell", "n_a_better": 0, "n_b_better": 15}
        | {"better_below": "", "better_above": "", "m_last": 102, "difference_last": -0.01}
        | {"low_last": -0.1, "high_last": 0.08, "better_last": ""},
    ]
    equal = pd.DataFrame([{**rows[-1], "difference_last": 0.0, "low_last": 0.0, "high_last": 0.0}])
    (said,) = words.sentences(equal)
    assert said.endswith("At m = 102, the largest size, the mean errors are equal.")
    crossings = pd.DataFrame(rows, columns=list(CROSSINGS.columns))
    assert list(words.sentences(crossings)) == [
        "adult-discrete, naive_bayes and logistic_regression: logistic_regression is better up to"
        " m = 9.1 (6.3 to 11.2), then naive_bayes up to m = 335 (318 to 351), then"
        " logistic_regression. At m = 382, the largest size, logistic_regression has 0.004 less"
        " error (-0.270 to 0.280), for other data of this kind no verdict. Published: m = 6.9,"
        " 351.6.",
        "promoters, naive_bayes and logistic_regression: no crossing in m = 2 to 97, naive_bayes is"
        " better at every size. At m = 97, the largest size, naive_bayes is better by 0.156 (0.056"
        " to 0.255), for other data of this kind too; larger sizes were not run.",
        "sonar, naive_bayes and logistic_regression: cannot tell whether they cross in m = 2 to"
        " 102; logistic_regression is better at 15 of 20 sizes, and more splits may tell at the"
        " others. At m = 102, the largest size, naive_bayes has 0.010 less error (-0.080 to 0.100),"
        " for other data of this kind no verdict.",
    ]
    few = shown(words.summary(crossings, width), width)
    assert "logistic_regression is better up to" in " ".join(few)
    another = crossings.query("experiment == 'sonar'").assign(experiment="adult-continuous")
    table = shown(words.summary(pd.concat([crossings, another]), width), width)
    assert max(map(len, table)) <= width
    lines = [" ".join(line.split()) for line in table]
    interval = " (-0.255 to -0.056)" if width == 140 else ""
    assert f"promoters none a 97 -0.156{interval} a" in lines
    assert any(
        line.startswith("adult-discrete 335 (318-351) 6.9 351.6 a, then b 382") for line in lines
    )
    assert any(line.startswith("adult-continuous cannot tell b 15/20 102 -0.010") for line in lines)


def shown(what: object, width: int) -> list[str]:
    console = Console(width=width, highlight=False, record=True, quiet=False, file=None)
    with console.capture() as captured:
        console.print(what)
    return [line.rstrip() for line in captured.get().splitlines()]


def test_no_verdict_from_one_row_left_out(tmp_path: Path) -> None:
    """Of classes of the same size: the row left out is of the rarer one among the others."""
    x = np.arange(12) % 2 + np.random.default_rng(0).normal(0, 0.1, size=12)
    rows = [f"{value:.2f},{'ab'[i % 2]}" for i, value in enumerate(x)]
    (tmp_path / "noise.csv").write_text("\n".join(["x,y", *rows]) + "\n")
    (tmp_path / "m.yaml").write_text(
        "splits: 50\nsizes: [6, 11]\ninterval: rows\n"
        "experiments: [{name: e, data: noise.csv, target: y}]\n"
        "fitters: [{type: naive_bayes, variance: per_class}, {type: majority}]\n"
    )
    planned = plan.make(config.load(tmp_path / "m.yaml"))
    quiet.run(planned, tmp_path / "out", "m")
    table = pd.read_csv(tmp_path / "out" / "comparisons.csv", keep_default_na=False)
    table = table[table["measure"] == "error"].set_index("m")
    assert table["difference"][11] == -1.0
    assert (table["low"][11], table["high"][11], table["better"][11]) == (-1.0, 1.0, "")
    assert table["high"][6] - table["low"][6] < 1.9
