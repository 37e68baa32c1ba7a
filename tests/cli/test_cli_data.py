"""The command line with data of one's own: run --data, datasets, config."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import Call
from loopback import serve, uci

from gdcurves import datasets
from gdcurves.config import load
from gdcurves.datasets.sources import uci as client


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    """Three classes, both kinds of inputs, an id and a missing value, K = 3."""
    rng = np.random.default_rng(0)
    y = rng.choice(["mild", "severe", "none"], 60)
    frame = pd.DataFrame(
        {
            "id": [f"p{i}" for i in range(60)],
            "age": rng.normal(50, 10, 60).round(1) + 20 * (y == "severe"),
            "sex at birth": rng.choice(["m", "f"], 60),
            "diagnosis": y,
        }
    )
    frame.loc[7, "sex at birth"] = "?"
    path = tmp_path / "my data.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.mark.slow
def test_run_says_what_it_understood_and_draws(call: Call, csv: Path, tmp_path: Path) -> None:
    ended = call("run", "--data", csv.name, "--target", "diagnosis", "--splits", "5", "--jobs", "1")
    assert ended.code == 0
    understood, _, rest = ended.out.partition("To change this: ")
    assert "  continuous  1: age\n" in understood
    assert "  discrete    1: sex at birth (2 levels, 1 missing)\n" in understood
    assert "  left out    id: another text in every row\n" in understood
    assert (
        "  rows        59 used; 1 left out because incomplete (most gaps: sex at birth, 1)\n"
        in understood
    )
    assert "  sizes       2, 3, 4, " in understood
    assert "training groups" not in understood
    assert "  splits      5 at every size\n" in understood
    assert (
        "  classifiers naive_bayes: Gaussian, a variance for each class and input; counts where"
        " inputs are discrete\n"
        "              penalised_logistic: logistic regression with penalty l2, strength by"
        " cross-validation\n"
        "              majority: the largest class of the training rows, whatever the inputs\n"
    ) in understood
    assert rest.startswith(
        "gdcurves config init 'my data.csv' --target diagnosis --out my-data.yaml\n"
    )
    assert "Next: " not in rest
    assert rest.endswith("Figure: results/my-data/figure.png\nFigure: results/my-data/figure.pdf\n")
    folder = tmp_path / "results" / "my-data"
    assert (folder / "figure.png").stat().st_size > 1000
    manifest = json.loads((folder / "manifest.json").read_text())
    config = manifest["config"]["experiments"][0]
    assert (config["missing_texts"], config["rescale"]) == (["", "?"], "train")
    assert list(manifest["experiments"]["my-data"]["classes"]) == ["mild", "none", "severe"]
    curves = pd.read_csv(folder / "curves.csv")
    assert set(curves["fitter"]) == {"naive_bayes", "penalised_logistic", "majority"}
    assert curves["m"].max() == 54
    assert {"balanced_error_mean", "auc_mean", "brier_mean", "logloss_mean"} <= set(curves)


@pytest.mark.slow
def test_case_25a_the_manifest_holds_the_texts_that_are_missing(
    call: Call, csv: Path, tmp_path: Path
) -> None:
    """Those of all experiments, more in one, and others in their place."""
    of = f"data: {csv.name}, target: diagnosis, sizes: [5]"
    (tmp_path / "c.yaml").write_text(
        "splits: 2\nexperiments:\n"
        f"  - {{name: one, {of}}}\n"
        f"  - {{name: two, {of}, missing_texts: ['?', f]}}\n"
        f"  - {{name: three, {of}, missing_texts: {{only: ['?', f]}}}}\n"
        "fitters: [{type: naive_bayes}]\n"
    )
    assert call("run", "--config", "c.yaml", "--jobs", "1").code == 0
    manifest = json.loads((tmp_path / "results" / "c" / "manifest.json").read_text())
    lists = [each["missing_texts"] for each in manifest["config"]["experiments"]]
    assert lists == [["", "?"], ["", "?", "f"], {"only": ["?", "f"]}]


@pytest.mark.slow
def test_drafted_config_runs_from_any_folder(call: Call, csv: Path, tmp_path: Path) -> None:
    drafted = call("config", "init", csv.name, "--target", "diagnosis")
    assert drafted.code == 0
    there = tmp_path / "there"
    there.mkdir()
    csv.rename(there / csv.name)
    (there / "mine.yaml").write_text(drafted.out)
    checked = call("config", "check", "there/mine.yaml")
    assert checked.out == "there/mine.yaml: no mistakes; 1 experiment, 1,000 splits, 36,000 fits\n"
    assert call("run", "--config", "there/mine.yaml", "--splits", "2", "--jobs", "1").code == 0
    written = load(there / "mine.yaml").config.experiments[0]
    assert (written.continuous, written.drop) == (("age",), ("id",))


@pytest.mark.parametrize(
    ("option", "written"),
    [
        (
            None,
            [
                {"type": "naive_bayes", "variance": "per_class"},
                {"type": "penalised_logistic", "penalty": "l2", "strength": "cv"},
                {"type": "majority"},
            ],
        ),
        ("paper", [{"type": "naive_bayes"}, {"type": "logistic_regression"}]),
        (
            "logistic_regression, naive_bayes",
            [{"type": "logistic_regression"}, {"type": "naive_bayes", "variance": "per_class"}],
        ),
    ],
)
def test_classifiers_of_a_draft(
    call: Call, csv: Path, option: str | None, written: list[dict[str, str]]
) -> None:
    options = [] if option is None else ["--fitters", option]
    drafted = call("config", "init", csv.name, "--target", "diagnosis", *options)
    (csv.parent / "c.yaml").write_text(drafted.out)
    config = load(csv.parent / "c.yaml").config
    assert [{"type": each.type, **each.options} for each in config.fitters] == written
    assert config.measures == ("error", "balanced_error", "auc", "brier", "logloss")


@pytest.mark.slow
def test_no_row_that_is_complete(call: Call, tmp_path: Path) -> None:
    """A draft all the same, which says so and runs."""
    rows = [f"{i}.5,,u,p" if i % 2 else f",{i}.25,?,n" for i in range(30)]
    (tmp_path / "gaps.csv").write_text("\n".join(["a,b,c,y", *rows]) + "\n")
    data = ("gaps.csv", "--target", "y", "--sizes", "6,15")
    drafted = call("config", "init", *data)
    assert drafted.code == 0
    assert "# note: file gaps.csv: no row is complete, so means stand for" in drafted.out
    assert "    missing: {continuous: mean, discrete: level} #" in drafted.out
    (tmp_path / "gaps.yaml").write_text(drafted.out)
    assert call("run", "--config", "gaps.yaml", "--splits", "2", "--jobs", "1").code == 0
    ended = call("run", "--data", *data, "--splits", "2", "--jobs", "1", "--out", "other")
    assert "  rows        30 used; 45 missing values kept or filled in\n" in ended.out
    assert "  note        file gaps.csv: no row is complete" in ended.out
    both = [(tmp_path / each / "curves.csv").read_bytes() for each in ("results/gaps", "other")]
    assert both[0] == both[1]


@pytest.mark.slow
def test_number_as_target(call: Call, tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text("a,price\n" + "".join(f"{i}.5,{i * i}.25\n" for i in range(30)))
    drafted = call("config", "init", "n.csv", "--target", "price", "--threshold", "median")
    assert "threshold: median" in drafted.out
    ended = call("run", "--data", "n.csv", "--target", "price", "--threshold", "9", "--splits", "2")
    assert ended.code == 0
    assert "classes     <= 9 3, > 9 27\n" in ended.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run"], ["--config FILE", "--data DATA"]),
        (["run", "--data", "d.csv", "--config", "c.yaml"], ["either"]),
        (["run", "--config", "ng_jordan.yaml", "--target", "y"], ["--target", "--data"]),
        (["run", "--data", "d.csv", "--target", "y"], ["file d.csv: no such file"]),
        (["run", "--data", "my data.csv"], ["which column is to be predicted?", "diagnosis"]),
        (["run", "--data", "my data.csv", "--target", "diagnos"], ["did you mean 'diagnosis'?"]),
        (["run", "--data", "iris"], ["no data set 'iris'"]),
        (["run", "--data", "openml:4", "--offline"], ["--offline", "datasets fetch openml:4"]),
        (["run", "--data", "boston", "--threshold", "much"], ["--threshold much", "median"]),
        (["run", "--data", "boston"], ["is a number", "threshold"]),
        (["run", "--data", "my data.csv", "--fitters", "naive"], ["did you mean 'naive_bayes'?"]),
        (["run", "--data", "my data.csv", "--fitters", "lda,lda"], ["lda stands there twice"]),
        (["run", "--data", "my data.csv", "--fitters", "lda,paper"], ["paper stands alone"]),
        (["run", "--config", "ng_jordan.yaml", "--fitters", "lda"], ["--fitters goes with --data"]),
        (["config", "init", "my data.csv", "--fitters", "papr"], ["did you mean 'paper'?"]),
        (["datasets", "show", "adlt"], ["did you mean 'adult'?"]),
        (["datasets", "fetch", "my data.csv"], ["this is a file"]),
        (["config", "check", "no.yaml"], ["no.yaml: no such file"]),
        (
            ["config", "init", "my data.csv", "--target", "id"],
            ["is of class 'p7'; change"],
        ),
    ],
)
def test_refusals_are_one_line(
    call: Call, csv: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: list[str]
) -> None:
    monkeypatch.setenv("GDCURVES_CACHE", str(csv.parent / "cache"))
    ended = call(*arguments)
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.startswith("Error: ")
    assert ended.err.count("\n") == 1
    assert any(word in ended.err for word in words)
    assert [each.name for each in csv.parent.iterdir()] == [csv.name]


CONFIG = """\
splits: 2
sizes: [4, 8]
experiments:
  - {name: mine, data: my data.csv, target: diagnosis}
  - {name: lenses, data: contact-lenses}
fitters:
  - type: naive_bayes
"""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("my data.csv", "me.csv", ["c.yaml:4: experiments[0].data: no file 'me.csv', neither"]),
        ("contact-lenses", "lenses", ["c.yaml:5: experiments[1].data: no data set 'lenses'", "le"]),
        ("type: naive_bayes", "type: lda", ["c.yaml:4: experiments[0]: fitter 'lda' takes contin"]),
        ("target: diagnosis", "traget: diagnosis", ["c.yaml:4: experiments[0].traget: unknown ke"]),
    ],
)
def test_configs_are_refused_before_any_work(
    call: Call, csv: Path, old: str, new: str, words: list[str]
) -> None:
    (csv.parent / "c.yaml").write_text(CONFIG.replace(old, new))
    ended = call("run", "--config", "c.yaml", "--jobs", "1")
    assert ended.code in (1, 2)
    assert all(word in ended.err + ended.out for word in words)


def test_case_27_mistyped_key_is_found_before_any_download(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 27: file, line, key path and what was meant; the cache is not even looked at."""
    monkeypatch.setenv("GDCURVES_CACHE", str(tmp_path / "cache"))
    text = CONFIG.replace("my data.csv", "openml:7").replace("splits: 2", "spilts: 1000")
    (tmp_path / "c.yaml").write_text(text)
    for command in (["run", "--config", "c.yaml"], ["config", "check", "c.yaml"]):
        ended = call(*command)
        assert (ended.code, ended.out) == (2, "")
        expected = "Error: c.yaml:1: spilts: unknown key; did you mean 'splits'?"
        assert ended.err.startswith(expected)
    assert [each.name for each in tmp_path.iterdir()] == ["c.yaml"]


def test_case_31_broken_file_of_ones_own_fails_alone(call: Call, csv: Path, tmp_path: Path) -> None:
    """Case 31: the other data sets finish; the summary names the bad one."""
    csv.write_text(csv.read_text() + "1,2\n")
    (tmp_path / "c.yaml").write_text(CONFIG)
    ended = call("run", "--config", "c.yaml", "--jobs", "1")
    assert ended.code == 1
    assert "Failed: mine: file my data.csv, line 62: 2 cells, but the header names 4" in ended.out
    assert set(pd.read_csv(tmp_path / "results" / "c" / "curves.csv")["experiment"]) == {"lenses"}


def test_offline_miss_is_refused_before_the_others_run(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GDCURVES_CACHE", str(tmp_path / "cache"))
    (tmp_path / "c.yaml").write_text(CONFIG.replace("my data.csv", "openml:7"))
    ended = call("run", "--config", "c.yaml", "--offline", "--jobs", "1")
    assert ended.code == 2
    assert "data 'openml:7': not in the cache" in ended.err
    assert not (tmp_path / "results").exists()


@pytest.mark.network
def test_list_show_and_fetch(
    call: Call, csv: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GDCURVES_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serve() as service:
        monkeypatch.setattr(client, "SERVICE", f"{service.url}/api/dataset")
        content = "\n".join(csv.read_text().splitlines()).encode()
        roles = [("id", "ID", "Categorical"), ("diagnosis", "Target", "Categorical")]
        uci.add(service, 53, "Iris", content, roles)
        fetched = call("datasets", "fetch", "uci:53", "uci:54")
    assert fetched.code == 1
    assert fetched.out == f"uci:53: {tmp_path / 'cache' / 'uci' / '53'}\n"
    assert "uci:54" in fetched.err
    listed = call("datasets", "list").out.splitlines()
    assert len(listed) == 14
    assert listed[0].startswith("diabetes: Pima Indians Diabetes; 768 rows; 8 continuous, 0 discr")
    for line in listed[:-1]:
        name = line.partition(":")[0]
        if "; packaged" in line:
            n_rows = len(datasets.load(name).frame)
            assert f"; {n_rows:,} " in line
            assert (f"{n_rows:,} of 48,842 rows" in line) == (name == "adult")
    assert listed[-1] == f"uci:53: in the cache, {tmp_path / 'cache' / 'uci' / '53'}"
    shown = call("datasets", "show", "uci:53", "--offline").out
    assert "  left out    id: row id, says UCI\n" in shown
    assert "  title       Iris\n" in shown
    assert "  inferred    the kinds of all\n" in shown
    packaged = call("datasets", "show", "lymph").out
    assert "target      class: fibrosis 4, malign_lymph 61, metastases 81, normal 2\n" in packaged
    assert "  licence     CC BY 4.0\n" in packaged


@pytest.mark.slow
def test_case_s8_a_draft_or_one_line_and_no_file(tmp_path: Path, call: Call) -> None:
    lines = "".join(f"2020-01-{i + 10},{i}.5,{'np'[i % 2]}\n" for i in range(20))
    (tmp_path / "my.csv").write_text("day,x,y\n" + lines)
    (tmp_path / "days.csv").write_text("day,y\n" + lines.replace(".5,", ",").replace(",", ";"))
    ended = call("config", "init", "my.csv", "--target", "y", "--out", "my.yaml")
    assert (ended.code, ended.out) == (0, "")
    assert "drop: [day]" in (tmp_path / "my.yaml").read_text()
    again = call("config", "init", "my.csv", "--target", "y", "--out", "my.yaml")
    assert "--out my.yaml: is there already; name another file" in again.err
    nowhere = call("config", "init", "my.csv", "--target", "y", "--out", "none/my.yaml")
    assert "--out none/my.yaml: there is no folder none; make it, or name" in nowhere.err
    assert (nowhere.code, nowhere.err.count("\n")) == (2, 1)
    failed = call("config", "init", "days.csv", "--target", "y", "--out", "days.yaml")
    assert (failed.code, failed.err.count("\n")) == (2, 1)
    assert not (tmp_path / "days.yaml").exists()
    refused = call("run", "--data", "my.csv", "--target", "y")
    assert "; to go on without: --drop day; or start from a config" in refused.err
    assert (
        call("run", "--data", "my.csv", "--target", "y", "--drop", "day", "--splits", "2").code == 0
    )


def test_numbers_as_target_are_shown_as_such(call, tmp_path):
    """With the way out that `run` names, which comes through."""
    rows = [f"{i * 37 % 101 / 4},{i * 31 % 41 - 20}" for i in range(60)]
    (tmp_path / "my.csv").write_text("\n".join(["a,y", *rows]) + "\n")
    shown = call("datasets", "show", "my.csv", "--target", "y")
    assert "  target      y: 41 numbers, such as -20 and 20\n" in shown.out
    refused = call("run", "--data", "my.csv", "--target", "y")
    assert refused.code == 2
    assert f"  note        {refused.err.removeprefix('Error: ')}" in shown.out
    assert "for two classes give --threshold median or a number" in refused.err
    drafted = call("config", "init", "my.csv", "--target", "y", "--threshold", "median")
    assert drafted.code == 0


@pytest.mark.parametrize(
    ("labels", "ordered"),
    [
        (["0", "1", "-1", "10", "-2"], "-2 6, -1 6, 0 6, 1 6, 10 6"),
        (["1.5", "1.25", "0.75"], "0.75 10, 1.25 10, 1.5 10"),
        (["a10", "a2", "-1"], "-1 10, a2 10, a10 10"),
    ],
)
def test_labels_are_in_the_order_of_numbers(call, tmp_path, labels, ordered):
    rows = [f"{i * 37 % 101 / 4},{labels[i % len(labels)]}" for i in range(30)]
    (tmp_path / "my.csv").write_text("\n".join(["a,y", *rows]) + "\n")
    assert (
        f"  target      y: {ordered}\n" in call("datasets", "show", "my.csv", "--target", "y").out
    )


def test_few_of_many_labels_are_shown(call, tmp_path):
    rows = [f"{i * 37 % 101 / 4},day {i % 400}" for i in range(800)]
    (tmp_path / "my.csv").write_text("\n".join(["a,y", *rows]) + "\n")
    shown = call("datasets", "show", "my.csv", "--target", "y").out
    assert "  target      y: day 0 2, day 1 2, " in shown
    assert "day 29 2, 370 others\n" in shown


@pytest.mark.slow
def test_a_folder_of_parts_needs_no_slash(call, tmp_path):
    (tmp_path / "parts").mkdir()
    frame = pd.DataFrame({"a": [i * 37 % 101 / 4 for i in range(60)], "y": ["n", "p", "p"] * 20})
    for number, part in enumerate((frame[:30], frame[30:])):
        part.to_parquet(tmp_path / "parts" / f"{number}.parquet")
    quick = ("--sizes", "6", "--fitters", "majority", "--splits", "2", "--jobs", "1")
    for data in ("parts", "parts/", "./parts"):
        shown = call("datasets", "show", data, "--target", "y")
        assert "parts: 60 rows\n" in shown.out
        ran = call("run", "--data", data, "--target", "y", *quick, "--fresh")
        assert ran.code == 0, ran.err
    (tmp_path / "my.yaml").write_text(call("config", "init", "parts", "--target", "y").out)
    assert call("config", "check", "my.yaml").code == 0
    text = (tmp_path / "my.yaml").read_text().replace('"parts/"', "parts")
    (tmp_path / "my.yaml").write_text(text)
    assert "; for the folder write parts/" in call("config", "check", "my.yaml").err
