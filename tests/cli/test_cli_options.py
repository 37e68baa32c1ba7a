"""Options in place of config keys: the run is that of the config which `config init` drafts."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

OPTIONS = (
    *("--sizes", "6,12,24", "--drop", "id,note", "--discrete", "grade", "--continuous", "age"),
    *("--missing", "mean,level", "--missing-text", "n/a", "--rescale", "none", "--stratified"),
    *("--fitters", "naive_bayes,majority", "--figure", "difference"),
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "id": np.arange(60),
            "age": rng.integers(20, 29, size=60).astype(object),
            "grade": rng.integers(30, 60, size=60),
            "note": "free text",
            "ill": np.repeat(["no", "yes"], 30),
        }
    )
    frame.loc[3, "age"] = "n/a"
    frame.to_csv(tmp_path / "my.csv", index=False)
    return tmp_path


@pytest.mark.slow
def test_options_are_the_keys_of_these_names(table: Path, call) -> None:
    drafted = call("config", "init", "my.csv", "--target", "ill", *OPTIONS)
    assert drafted.code == 0, drafted.err
    written = yaml.safe_load(drafted.out)
    (experiment,) = written["experiments"]
    assert written["figure"] == "difference"
    assert [each["type"] for each in written["fitters"]] == ["naive_bayes", "majority"]
    expected = {
        "sizes": [6, 12, 24],
        "drop": ["id", "note"],
        "discrete": ["grade"],
        "continuous": ["age"],
        "missing": {"continuous": "mean", "discrete": "level"},
        "missing_texts": ["", "?", "n/a"],
        "rescale": "none",
        "stratified": True,
    }
    assert {key: experiment[key] for key in expected} == expected
    (table / "my.yaml").write_text(drafted.out)
    by_config = call("run", "--config", "my.yaml", "--splits", "20", "--out", "a", "--jobs", "1")
    ran = call(
        *("run", "--data", "my.csv", "--target", "ill", *OPTIONS, "--splits", "20"),
        *("--out", "b", "--jobs", "1"),
    )
    assert (by_config.code, ran.code) == (0, 0), ran.err
    for name in ("curves.csv", "comparisons.csv"):
        assert (table / "a" / name).read_bytes() == (table / "b" / name).read_bytes()
    assert (table / "b" / "figure_difference.png").exists()
    assert "config init my.csv --target ill --fitters naive_bayes,majority --sizes" in ran.out


def test_sizes_may_be_a_range(table: Path, call) -> None:
    ended = call("config", "init", "my.csv", "--target", "ill", "--sizes", "10:50:20")
    assert yaml.safe_load(ended.out)["experiments"][0]["sizes"] == [10, 30, 50]


def test_stratified_sizes_fit_the_smallest_class(table: Path, call) -> None:
    ended = call("config", "init", "my.csv", "--target", "ill", "--stratified")
    sizes = yaml.safe_load(ended.out)["experiments"][0]["sizes"]
    assert sizes[0] == 2
    assert sizes[-1] == 2 * 27  # nine tenths of the 29 that leave a row of either class
    assert all(m % 2 == 0 for m in sizes)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--sizes", "10,60"], "--sizes 60: there are 59 rows, and at least one is for testing"),
        (["--sizes", "10,5"], "--sizes 10,5: write each size once, in order, from 2 on"),
        (["--sizes", "1,5"], "--sizes 1,5: write each size once, in order, from 2 on"),
        (["--sizes", "ten"], "--sizes ten: write whole numbers a,b,... or START:STOP:STEP"),
        (["--sizes", "2:9"], "--sizes 2:9: write whole numbers a,b,... or START:STOP:STEP"),
        (["--sizes", "0,-4"], "in order, from 2 on; 0 is below 2, as a training set has a row of"),
        (["--sizes", "9,20,9"], "in order, from 2 on, as 9,20; 9 stands after 20"),
        (["--sizes", "2,ten"], "or START:STOP:STEP; 'ten' is no such number"),
        (["--sizes", "2,,9"], "or START:STOP:STEP; one is missing"),
        (["--sizes", "10:2:1"], "STOP, 2, is below START, 10; write --sizes 2:10:1"),
        (["--sizes", "10:20:0"], "--sizes 10:20:0: STEP is 0; write 1 or more"),
        (["--missing", "men"], "--missing men: did you mean 'mean'?"),
        (["--missing", "mean,error"], "these exclude each other; give one of them"),
        (["--missing", "drop_rows,error"], "drop_rows,error: these exclude each other; give one"),
        (["--missing", "level,drop_rows,mean"], "these exclude each other; give one of them"),
        (["--target-error", "15"], "--target-error 15: write a number from 0 to 1, as 0.15, or"),
        (["--target-error", "-1%"], "--target-error -1%: write a number from 0 to 1, as 0.15, or"),
        (["--target-error", "1%5"], "--target-error 1%5: write a number from 0 to 1, as 0.15, or"),
        (["--target-error", "nan"], "--target-error nan: write a number from 0 to 1, as 0.15, or"),
        (["--drop", "id", "note"], "note: belongs to no option; write one before it, several valu"),
        (["--out", "my.csv/out"], "my.csv/out: cannot write there; choose another folder with"),
        (["--out", "/proc/out"], "/proc/out: cannot write there"),
        (["--drop", "idd"], "no column 'idd', named under 'drop'; did you mean 'id'?"),
        (["--figure", "diference"], "no such figure; did you mean 'difference'?"),
    ],
)
def test_mistakes_are_refused_before_any_work(
    table: Path, call, options: list[str], says: str
) -> None:
    ended = call("run", "--data", "my.csv", "--target", "ill", *options)
    assert ended.code == 2
    assert says in ended.err
    assert not (table / "results").exists()


def test_a_folder_is_tried_before_data_are_read(table: Path, call) -> None:
    ended = call("run", "--data", "absent.csv", "--target", "ill", "--out", "my.csv/out")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "Error: my.csv/out: cannot write there; choose another folder with --out\n"
    ended = call("run", "--data", "absent.csv", "--target", "ill", "--out", "out")
    assert "absent.csv" in ended.err
    assert [*table.iterdir()] == [table / "my.csv"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("my.csv", "--data my.csv --target COLUMN"),
        ("my.csv --target ill --drop id", "--data my.csv --target ill --drop id"),
        ("--target ill my.csv", "--target ill --data my.csv"),
        ("openml:31 --sizes 4,8", "--data openml:31 --sizes 4,8 --target COLUMN"),
        ("my.yaml --splits 9", "--config my.yaml --splits 9"),
        ("ng_jordan", "--config ng_jordan"),
    ],
)
def test_a_forgotten_option_is_named(table: Path, call, typed: str, meant: str) -> None:
    ended = call("run", *typed.split())
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.endswith(f": gdcurves run {meant}\n")
    assert ended.err.count("\n") == 1


@pytest.mark.slow
def test_a_target_error_may_be_in_per_cent(table: Path, call) -> None:
    options = ("--data", "my.csv", "--target", "ill", "--drop", "note", "--sizes", "6,12")
    for text in ("0.15", "15%"):
        ran = call(
            *("run", *options, "--target-error", text, "--splits", "9", "--jobs", "1"),
            *("--fitters", "naive_bayes,majority", "--out", text),
        )
        assert ran.code == 0, ran.err
        written = json.loads((table / text / "manifest.json").read_text())
        assert written["config"]["target_error"] == 0.15


def test_a_config_has_keys_for_them(table: Path, call) -> None:
    ended = call("run", "--config", "ng_jordan.yaml", "--drop", "id")
    assert (ended.code, ended.out) == (2, "")
    assert "--drop goes with --data; a config has keys for such things" in ended.err


@pytest.mark.slow
def test_rows_of_one_patient_stay_together(table: Path, call) -> None:
    rng = np.random.default_rng(0)
    ill = np.repeat(rng.permutation(["no", "yes"] * 15), 3)
    x = np.repeat(rng.normal(size=(30, 2)), 3, axis=0) + 2.0 * (ill == "yes")[:, None]
    frame = pd.DataFrame(x + 0.1 * rng.normal(size=x.shape), columns=["a", "b"])
    frame.assign(patient=np.repeat(np.arange(30), 3), ill=ill).to_csv("two.csv", index=False)
    options = ("two.csv", "--target", "ill", "--groups", "patient", "--sizes", "6,27")
    shown = call("datasets", "show", *options[:-2])
    assert "  groups      patient: 30 groups of 3 rows\n" in shown.out
    assert "continuous  2: a, b\n" in shown.out
    drafted = call("config", "init", *options)
    (experiment,) = yaml.safe_load(drafted.out)["experiments"]
    assert experiment["groups"] == "patient"
    assert "patient" not in experiment["continuous"]
    assert experiment["sizes"][-1] == 27
    (table / "two.yaml").write_text(drafted.out)
    by_config = call("run", "--config", "two.yaml", "--splits", "8", "--out", "a", "--jobs", "1")
    ran = call("run", "--data", *options, "--splits", "8", "--out", "b", "--jobs", "1")
    assert (by_config.code, ran.code) == (0, 0), ran.err
    one, two = ((table / folder / "curves.csv").read_bytes() for folder in "ab")
    assert one == two
    words = " ".join(ran.out.split())
    assert "rows 90 used in 30 groups" in words
    assert "27 training groups" in words
    assert "With 27 of the 30 groups to learn from, " in words
    assert "m counts training groups, whose rows stay together" in words
    assert "experiment groups used incomplete other source two 30 90 0 0" in words
    assert "--groups" not in by_config.out
    refused = call("run", "--data", *options, "--stratified")
    assert "--stratified and --groups exclude each other" in refused.err
    noted = call("run", "--data", "two.csv", "--target", "ill", "--splits", "5", "--jobs", "1")
    assert noted.out.count("with --groups patient, `groups` in a config") == 2  # before and after
    first = "This holds only if rows with the same 'patient' do not belong together (else --groups"
    assert f"{first} patient). With " in " ".join(noted.out.split())
    assert first not in " ".join(ran.out.split())
    command = next(each for each in noted.out.splitlines() if each.startswith("With --groups"))
    _, _, *pasted = shlex.split(command.partition(": ")[2])  # after "gdcurves" by its path
    assert pasted[-3:] == ["--groups", "patient", "--fresh"]
    again = call("run", *pasted[:-1])
    assert "holds a run of 'two' already, of other settings; add --fresh to replace it" in again.err
    same = call("run", *pasted[:-3])
    assert "already; add --resume to do what is missing in it, --fresh to replace it" in same.err
    ended = call("run", *pasted)
    assert ended.code == 0, ended.err
    assert "of the 30 groups to learn from" in " ".join(ended.out.split())
    assert "With --groups" not in ended.out
