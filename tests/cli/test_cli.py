"""The command line in this process: what it refuses, and how it ends."""

from __future__ import annotations

import json
import os
import platform
from functools import partial
from importlib.metadata import version

import pandas as pd
import pytest

from gdcurves import __version__, datasets
from gdcurves.compute import local
from gdcurves.compute.chunk import Result, Task, compute
from gdcurves.datasets import DataUnavailable

GOOD = """\
splits: 4
experiments:
  - name: lenses
    data: contact-lenses
    inputs: discrete
    classes: [none, soft]
    sizes: [2, 5]
  - name: votes
    data: vote
    inputs: discrete
    sizes: [2, 9]
fitters:
  - type: naive_bayes
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("splits: 4", "spilts: 4", ["my.yaml:1: spilts: ", "did you mean 'splits'?"]),
        ("splits: 4", "splits: 4\nsplits: 5", ["my.yaml:2: splits: "]),
        ("splits: 4", "splits: -5", ["my.yaml:1: splits: ", "-5"]),
        ("splits: 4", "splits: four", ["my.yaml:1: splits: ", "'four'"]),
        ("splits: 4", "seed: [1]", ["my.yaml:1: seed: ", "a list"]),
        ("naive_bayes", "naive_bays", ["my.yaml:13: fitters[0].type: ", "'naive_bayes'?"]),
        (
            "naive_bayes",
            "naive_bayes\n    laplce: 1",
            ["my.yaml:14: fitters[0].laplce: ", "'laplace'"],
        ),
        (
            "naive_bayes",
            "naive_bayes\n    inptus: x",
            ["my.yaml:14: fitters[0].inptus: ", "'inputs'"],
        ),
        ("naive_bayes", "naive_bayes\n    laplace: -1", ["my.yaml:14: fitters[0].laplace: ", "-1"]),
        ("naive_bayes", "nearest_centroid", ["my.yaml:13: fitters[0]", "continuous"]),
        ("data: vote", "data: votes", ["my.yaml:9: experiments[1].data: ", "'vote'?"]),
        ("[2, 9]", "[2, 435]", ["my.yaml:11: experiments[1].sizes[1]: ", "435", "434"]),
        ("[2, 5]", "[2, 5, 4]", ["my.yaml:7: experiments[0].sizes[2]: ", "4 after 5"]),
        ("votes", "lenses", ["my.yaml:8: experiments[1].name: "]),
    ],
)
def test_wrong_config_is_one_line_before_any_data(call, tmp_path, monkeypatch, old, new, words):
    def forbidden(*_arguments: object) -> None:
        raise AssertionError("data were read")

    monkeypatch.setattr(datasets, "load", forbidden)
    assert old in GOOD
    (tmp_path / "my.yaml").write_text(GOOD.replace(old, new, 1))
    ended = call("run", "--config", "my.yaml")
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.startswith("Error: my.yaml:")
    assert ended.err.count("\n") == 1
    assert all(word in ended.err for word in words)
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        # 24 rows, of which 20 are "none" or "soft".
        ("[2, 5]", "[2, 20]", ["my.yaml:7: experiments[0].sizes[1]: ", "20", "19"]),
        ("soft]", "sotf]", ["experiments[0].classes: ", "sotf", "'soft'?"]),
    ],
)
def test_what_only_the_data_rule_out_is_one_line_before_any_work(call, tmp_path, old, new, words):
    (tmp_path / "my.yaml").write_text(GOOD.replace(old, new, 1))
    ended = call("run", "--config", "my.yaml", "--jobs", "1")
    assert ended.code == 2
    *progress, line = ended.err.splitlines()
    assert progress == ["reading data"]
    assert all(word in line for word in words)
    assert not (tmp_path / "results").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run"], ["--config"]),
        (["run", "--config", "zzz.yaml"], ["zzz.yaml", "ng_jordan.yaml"]),
        (["run", "--config", "."], ["folder"]),
        (["run", "--config", "my.yaml", "--only", "lense"], ["--only lense", "'lenses'?"]),
        (["run", "--config", "my.yaml", "--only", "lenses,"], ["--only"]),
        (["run", "--config", "my.yaml", "--jobs", "0"], ["--jobs"]),
        (["run", "--config", "my.yaml", "--jobs", "-1"], ["--jobs"]),
        (["run", "--config", "my.yaml", "--splits", "-5"], ["--splits"]),
        (
            ["run", "--config", "my.yaml", "--splits", "many"],
            ["--splits: found 'many'; write a whole number\n"],
        ),
        (
            ["run", "--config", "my.yaml", "--splits", "0"],
            ["--splits: found '0'; write 1 or more\n"],
        ),
        (["run", "--config", "my.yaml", "--jobs", "1e3"], ["--jobs: found '1e3'; write a whole n"]),
        (["run", "--config", "my.yaml", "--backend", "x"], ["--backend: 'x' is not one of 'local"]),
        (["run", "--config", "my.yaml", "--source", "web"], ["--source", "web", "openml"]),
        (["run", "--config", "my.yaml", "--data-dir", "nowhere"], ["--data-dir", "nowhere"]),
        (["run", "--config", "my.yaml", "--spilts", "3"], ["--spilts", "--splits"]),
        (["run", "--config", "my.yaml", "--resume", "--fresh"], ["--resume", "--fresh"]),
        (["run", "--config", "my.yaml", "--backend", "dask"], ["--scheduler"]),
        (["run", "--config", "my.yaml", "--scheduler", "tcp://x:1"], ["--backend dask"]),
        (["status", "nowhere"], ["nowhere", "no results folder"]),
        (["plot", "nowhere"], ["nowhere"]),
        (["plot"], ["results"]),
        (["rum"], ["rum", "run"]),
        (["--verson"], ["--verson", "--version"]),
    ],
)
def test_wrong_options_are_one_line(call, tmp_path, arguments, words):
    (tmp_path / "my.yaml").write_text(GOOD)
    ended = call(*arguments)
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.startswith("Error: ")
    assert ended.err.count("\n") == 1
    assert all(word in ended.err for word in words)
    assert not (tmp_path / "results").exists()


def test_run_writes_the_results_and_says_where(call, tmp_path):
    (tmp_path / "my.yaml").write_text(GOOD)
    ended = call("run", "--config", "my.yaml", "--jobs", "1")
    assert ended.code == 0
    folder = tmp_path / "results" / "my"
    manifest = json.loads((folder / "manifest.json").read_text())
    assert (manifest["name"], manifest["status"], manifest["seed"]) == ("my", "complete", 0)
    curves = pd.read_csv(folder / "curves.csv")
    assert list(zip(curves["experiment"], curves["m"], strict=True)) == [
        ("lenses", 2),
        ("lenses", 5),
        ("votes", 2),
        ("votes", 9),
    ]
    assert "Next: gdcurves plot results/my\n" in ended.out
    assert "reading data" in ended.err


@pytest.mark.slow
def test_options_override_the_file(call, tmp_path):
    (tmp_path / "my.yaml").write_text(GOOD)
    options = ["--splits", "7", "--only", "votes, lenses", "--only", "votes", "--out", "here"]
    assert call("run", "--config", "my.yaml", *options, "--jobs", "1").code == 0
    assert not (tmp_path / "results").exists()
    manifest = json.loads((tmp_path / "here" / "manifest.json").read_text())
    assert manifest["config"]["splits"] == 7
    assert list(manifest["experiments"]) == ["lenses", "votes"]
    again = ["run", "--config", "my.yaml", "--only", "votes", "--out", "here", "--fresh"]
    assert call(*again).code == 0
    manifest = json.loads((tmp_path / "here" / "manifest.json").read_text())
    assert list(manifest["experiments"]) == ["votes"]
    assert manifest["config"]["splits"] == 4
    assert set(pd.read_csv(tmp_path / "here" / "curves.csv")["experiment"]) == {"votes"}


def test_foreign_folders_are_not_written_to(call, tmp_path):
    (tmp_path / "my.yaml").write_text(GOOD)
    ended = call("run", "--config", "my.yaml", "--out", ".", "--jobs", "1")
    assert ended.code == 2
    assert "--out" in ended.err
    assert [each.name for each in tmp_path.iterdir()] == ["my.yaml"]


@pytest.mark.slow
@pytest.mark.parametrize(("optional", "code"), [(True, 0), (False, 1)])
def test_case_31_missing_data_do_not_stop_the_others(call, tmp_path, monkeypatch, optional, code):
    # And an optional data set.
    load = datasets.load

    def offline(request, *arguments, **options):
        if request.data == "contact-lenses":
            raise DataUnavailable("contact-lenses: nobody answers; try later")
        return load(request, *arguments, **options)

    monkeypatch.setattr(datasets, "load", offline)
    text = GOOD.replace("[2, 5]", "[2, 5]\n    optional: true") if optional else GOOD
    (tmp_path / "my.yaml").write_text(text)
    ended = call("run", "--config", "my.yaml", "--jobs", "1")
    assert ended.code == code
    word = "Skipped" if optional else "Failed"
    lines = [line for line in ended.out.splitlines() if line.startswith(word)]
    assert lines == [f"{word}: lenses: contact-lenses: nobody answers; try later"]
    assert "my: 1 of 2 experiments done" in ended.out
    curves = pd.read_csv(tmp_path / "results" / "my" / "curves.csv")
    assert set(curves["experiment"]) == {"votes"}


def die_in_votes(task: Task) -> Result:
    if task.chunk.experiment == "votes":
        os._exit(7)
    return compute(task)


@pytest.mark.process
def test_case_10_workers_that_die_end_neither_the_run_nor_the_other_experiments(
    call, tmp_path, monkeypatch
):
    monkeypatch.setattr(local, "run", partial(local.run, work=die_in_votes))
    (tmp_path / "my.yaml").write_text(GOOD)
    ended = call("run", "--config", "my.yaml", "--jobs", "2")
    assert ended.code == 1
    why = "splits 0 to 3 at m = 2 to 9: the worker process died 2 times (exit code 7)"
    assert f"Failed: votes: {why}" in ended.out.splitlines()
    again = "To try what failed once more: gdcurves run --config my.yaml --jobs 2 --resume"
    assert ended.out.splitlines()[-1] == again
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert call("run", "--config", "my.yaml", "--jobs", "1", "--resume").code == 0
    curves = pd.read_csv(tmp_path / "results" / "my" / "curves.csv")
    assert set(curves["experiment"]) == {"lenses", "votes"}


@pytest.mark.slow
def test_plot_goes_on_after_a_broken_run(call, tmp_path):
    (tmp_path / "my.yaml").write_text(GOOD)
    assert call("run", "--config", "my.yaml", "--only", "votes", "--jobs", "1").code == 0
    (tmp_path / "results" / "bad").mkdir()
    (tmp_path / "results" / "bad" / "manifest.json").write_text("{")
    ended = call("plot")
    assert ended.code == 1
    assert ended.err.startswith("Error: results/bad/manifest.json")
    assert ended.err.count("\n") == 1
    written = ended.out.split()
    assert [line.rpartition(".")[2] for line in written] == ["png", "pdf"]
    assert all((tmp_path / line).stat().st_size > 1000 for line in written)
    assert call("plot", "results/bad").code == 2


def test_fitters_lists_every_type_in_one_line(call):
    ended = call("fitters")
    assert ended.code == 0
    names = [line.partition(":")[0] for line in ended.out.splitlines()]
    assert {"naive_bayes", "logistic_regression", "nearest_centroid"} <= set(names)
    assert "laplace=1" in ended.out
    assert "penalty=l2, strength=1.0" in ended.out


@pytest.mark.slow
def test_version_and_help(call):
    ended = call("--version")
    assert (ended.code, ended.err) == (0, "")
    first, *others = ended.out.splitlines()
    assert first == f"gdcurves {__version__}"
    versions = dict(line.split(" ") for line in others)
    assert versions.pop("python") == platform.python_version()
    assert {"numpy", "scipy", "pandas", "matplotlib"} <= versions.keys()
    assert all(version(name) == known for name, known in versions.items())
    for arguments in ([], ["--help"]):
        ended = call(*arguments)
        assert ended.code == 0
        assert all(verb in ended.out for verb in ("run", "plot", "fitters", "--install-completion"))
    options = ("--config", "--out", "--splits", "--only", "--jobs", "--data-dir", "--source")
    assert all(option in call("run", "--help").out for option in options)


@pytest.mark.parametrize(
    "words",
    [
        ["config", "check", f"{'x' * 300}.yaml"],
        ["config", "init", "contact-lenses", "--out", f"{'x' * 300}.yaml"],
        ["run", "--data", "contact-lenses", "--splits", "2", "--out", "x" * 300],
        ["status", "x" * 300],
        ["plot", "x" * 300],
    ],
)
def test_places_that_cannot_be(call, words):
    """A name that is too long fails as a folder does that may not be entered, where one looks."""
    ended = call(*words)
    assert ended.code == 2
    assert ended.err.startswith("Error: ")
    assert ended.err.count("\n") == 1
    assert not ended.out
