"""Inputs that tell the target exactly: named where they are, and nothing else is."""

from __future__ import annotations

import itertools
import math
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import Call
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.metrics import homogeneity_score
from sklearn.tree import DecisionTreeClassifier

from gdcurves import datasets
from gdcurves.config.reading import Missing
from gdcurves.datasets import Request
from gdcurves.problems import leaks
from gdcurves.problems.problem import build

N = 60
SAID = "the class of every row can be told from one column alone, from "


def told(path: Path, columns: Mapping[str, Sequence[object]], **options: object) -> list[str]:
    """Columns that a note names, beside an ordinary one; the last one is the target."""
    x = np.random.default_rng(0).normal(size=len(next(iter(columns.values()))))
    frame = pd.DataFrame({"x": x.round(3), **columns})
    frame.to_csv(path, index=False)
    threshold = options.pop("threshold", None)
    request = Request(str(path), frame.columns[-1], numeric_target=threshold is not None)
    table = datasets.load(request)
    notes = build("e", table, "all", None, threshold, **options).provenance.notes  # type: ignore[arg-type]
    said = [note for note in notes if SAID in note]
    assert said == [*notes[: len(said)]], "the most harmful comes first"
    return re.findall("'([^']*)'", said[0].partition(SAID)[2].partition(";")[0]) if said else []


CLASSES = ["yes", "no", "no", "unknown", "no"] * (N // 5)


@pytest.mark.parametrize(
    "coding",
    [
        [{"yes": 1, "no": 0, "unknown": 9}[label] for label in CLASSES],
        [{"yes": 2.5, "no": 0.5, "unknown": -1}[label] for label in CLASSES],
        [{"yes": "J", "no": "N", "unknown": "U"}[label] for label in CLASSES],
        [f"{label} {i % 4}" for i, label in enumerate(CLASSES)],  # finer: a class has several
        [{"yes": 3, "no": i % 2, "unknown": 2}[label] for i, label in enumerate(CLASSES)],
    ],
)
def test_another_coding_is_named(tmp_path: Path, coding: list[object]) -> None:
    assert told(tmp_path / "my.csv", {"code": coding, "y": CLASSES}) == ["code"]
    assert homogeneity_score(CLASSES, list(map(str, coding))) == pytest.approx(1)
    spoilt = [*coding[1:], coding[0]]
    assert homogeneity_score(CLASSES, list(map(str, spoilt))) < 1
    assert told(tmp_path / "my.csv", {"code": spoilt, "y": CLASSES}) == []


def test_what_is_known_of_one_class_alone(tmp_path: Path) -> None:
    """Causes of death: a missing value tells that someone lives."""
    y = ["dead" if i % 3 == 0 else "alive" for i in range(N)]
    cause = [["heart", "lung"][i % 2] if y[i] == "dead" else None for i in range(N)]
    columns = {"cause": cause, "y": y}
    filled = Missing(continuous="mean", discrete="level")
    assert told(tmp_path / "my.csv", columns, missing=filled) == ["cause"]


def test_numbers_in_another_unit(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    grams = rng.integers(500, 5000, N)
    columns = {
        "ounces": (grams / 28.3495).round(2),
        "left": 5000 - grams,
        "near": grams + rng.integers(0, 9, N),
        "grams": grams,
    }
    # What nearly is the target tells the classes too, as no two rows are close to the median.
    named = ["ounces", "left", "near"]
    assert told(tmp_path / "my.csv", columns, threshold="median") == named
    grown = {"year": range(1900, 1900 + N), "people": np.sort(grams)}
    assert told(tmp_path / "my.csv", grown, threshold="median") == []


@pytest.mark.parametrize(
    "column",
    [
        [f"p{i}" for i in range(N // 2)] * 2,  # tells its own class in each half alone
        [f"p{i // 2 * 2}-{i % 2}-{i // 20}" for i in range(N)],  # as many values as rows, nearly
        [i * 37 % 101 for i in range(N)],
        [i % 3 for i in range(N)],
        [1] * N,
    ],
)
def test_ordinary_columns_are_not(tmp_path: Path, column: list[object]) -> None:
    y = ["np"[i % 2] if i < N // 2 else "pn"[i % 2] for i in range(N)]
    assert told(tmp_path / "my.csv", {"a": column, "y": y}) == []


@pytest.mark.parametrize("bounds", [(2500,), (1500, 3300)])
def test_numbers_that_the_classes_were_made_of(tmp_path: Path, bounds: Sequence[int]) -> None:
    """Low weight at birth is a weight below 2500 g; one that is a gram off tells nothing."""
    grams = np.random.default_rng(2).integers(500, 5000, 3 * N)
    kept = np.abs(grams[:, None] - bounds).min(axis=1) > 1
    grams = np.concatenate([grams[kept], [each + 5 for each in bounds], [bounds[0] - 5]])
    classes = np.digitize(grams, bounds).astype(str)
    columns = {"grams": grams, "y": [f"c{each}" for each in classes]}
    assert told(tmp_path / "my.csv", columns) == ["grams"]
    others = np.where(np.arange(len(grams)) == len(grams) - 1, bounds[0] + 9, grams)
    assert told(tmp_path / "my.csv", {**columns, "grams": others}) == []


APART = "thresholds on one column alone tell the class of every row, with a gap between"


def test_flowers_that_are_easily_told_apart_are_no_coding(tmp_path: Path) -> None:
    """No setosa's petal is as long as a versicolor's; what that may be is said with more care."""
    data = load_iris(as_frame=True)
    frame = data.frame[data.target < 2].assign(y=lambda d: d.target.map({0: "s", 1: "v"}))
    columns = {name: frame[name] for name in [*data.feature_names, "y"]}
    assert told(tmp_path / "my.csv", columns) == []
    table = datasets.load(Request(str(tmp_path / "my.csv"), "y"))
    (note,) = [each for each in build("e", table, "all").provenance.notes if APART in each]
    petals = ("petal length (cm)", "petal width (cm)")
    assert all(
        frame.groupby("y")[each].max()["s"] < frame[frame.y == "v"][each].min() for each in petals
    )
    assert f"{petals[0]!r}, {petals[1]!r}; classes may be so far apart by nature, but" in note


def test_a_score_that_was_made_of_the_class(tmp_path: Path) -> None:
    """Probabilities of a model that has seen the class: none is between 0.4 and 0.6."""
    rng = np.random.default_rng(3)
    y = rng.choice(["ill", "well"], 200)
    score = np.where(y == "ill", rng.uniform(0.6, 1, 200), rng.uniform(0, 0.4, 200)).round(3)
    columns = {"score": score, "y": y}
    assert told(tmp_path / "my.csv", columns) == []
    problem = build("e", datasets.load(Request(str(tmp_path / "my.csv"), "y")), "all")
    (note,) = [each for each in problem.provenance.notes if APART in each]
    assert "between the classes: 'score'; " in note
    assert note.endswith("--drop score leaves it out")
    (holds_if,) = problem.provenance.holds_if
    assert (
        holds_if == "'score', which alone tells the class, is known before it (else --drop score)"
    )


ONE_CLASS = "a value of a column stands in every row of one class and in no other: "
BIDS = ["nn", "ny", "yy", "nn", "yy", "ny", "nn"]


@pytest.mark.parametrize("text", [False, True])
def test_a_value_that_all_rows_of_a_class_have_and_no_others(tmp_path: Path, text: bool) -> None:
    """As 999 for no upper bound of what those would pay who said yes twice, in Kakadu of Ecdat."""
    rng = np.random.default_rng(4)
    y = np.resize(BIDS, 140)
    bound = np.where(y == "yy", 999, rng.choice([2, 5, 20, 50], 140))
    column = [f"b{each}" for each in bound] if text else bound
    value = "b999" if text else "999"

    def noted(labels: np.ndarray, **options: object) -> list[str]:
        frame = pd.DataFrame({"x": rng.normal(size=140), "upper": column, "y": labels})
        frame.to_csv(tmp_path / "my.csv", index=False)
        table = datasets.load(Request(str(tmp_path / "my.csv"), "y"))
        problem = build("e", table, "all", **options)  # type: ignore[arg-type]
        codes = [each for each in problem.provenance.notes if "far outside" in each]
        assert len(codes) == (not text)
        is_class = bool((labels == y).all())
        assert all(("--missing-text" not in each) is is_class for each in codes)
        return [each for each in problem.provenance.notes if ONE_CLASS in each or SAID in each]

    (note,) = noted(y)
    assert f"no other: 'upper' ({value} in class 'yy'); " in note
    assert note.endswith("--drop upper leaves it out")
    (note,) = noted(y, classes=[("no", ["nn", "ny"]), ("yes", ["yy"])])
    assert f"{SAID}'upper'" in note  # of two classes, that is all there is to tell
    spoilt = y.copy()
    spoilt[0] = "yy"
    assert not noted(spoilt)
    spoilt[:3] = ["nn", "ny", "nn"]
    assert not noted(spoilt)


def test_a_gap_in_all_rows_of_a_class_and_a_class_of_few_rows(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    y = np.resize(["control", "mild", "severe"], 60)
    grade = np.where(y == "control", np.nan, rng.normal(size=60).round(2))
    y[:2] = "other"
    code = np.where(y == "other", 3, rng.integers(0, 3, 60))  # one in 1,770 by chance
    grade[0] = 0.5
    frame = pd.DataFrame({"x": rng.normal(size=60), "grade": grade, "code": code, "y": y})
    frame.to_csv(tmp_path / "my.csv", index=False)
    table = datasets.load(Request(str(tmp_path / "my.csv"), "y"))
    notes = build("e", table, "all", missing=Missing(continuous="mean")).provenance.notes
    (note,) = [each for each in notes if ONE_CLASS in each]
    assert "no other: 'grade' (no value in class 'control'); " in note


def test_a_column_that_a_run_leaves_out_is_no_leak_of_it(call: Call, tmp_path: Path) -> None:
    """A cause that only the ill have: one note tells that it is left out, until it is named."""
    y = np.resize(["ill", "well", "well"], 60)
    why = [["lung", "heart"][i % 2] if y[i] == "ill" else None for i in range(60)]
    frame = pd.DataFrame({"x": np.random.default_rng(1).normal(size=60), "why": why, "y": y})
    frame.to_csv(tmp_path / "my.csv", index=False)
    shown = call("datasets", "show", "my.csv", "--target", "y").out
    assert "'why' (40); " in shown
    assert "left out by `run --data`, unless named as --continuous or --discrete" in shown
    assert SAID not in shown
    shown = call("datasets", "show", "my.csv", "--target", "y", "--discrete", "why").out
    assert f"{SAID}'why'" in shown
    assert "left out by" not in shown


@given(st.integers(1, 4), st.lists(st.integers(0, 2), min_size=2, max_size=7))
def test_chance_is_not_understated(n_codes: int, y: list[int]) -> None:
    """Against all orders of the labels."""
    codes = np.arange(len(y)) % n_codes
    orders = {*itertools.permutations(y)}
    pure = [
        order
        for order in orders
        if len({*zip(codes.tolist(), order, strict=True)}) == len({*codes.tolist()})
    ]
    for order in pure:
        if leaks.tells(codes, np.array(order)):
            assert len(pure) / len(orders) < leaks.CHANCE


def test_so_many_rows_are_enough() -> None:
    """Of 2 codes and 2 classes of h rows each: 4 / binomial(2 h, h) is below 1e-5 from 11 on."""
    enough = [h for h in range(1, 15) if leaks.tells(np.repeat([0, 1], h), np.repeat([0, 1], h))]
    assert enough == [h for h in range(1, 15) if 4 / math.comb(2 * h, h) < 1e-5]
    assert enough[0] == 11


@pytest.mark.parametrize(("n_columns", "n_rare"), [(1, 4), (1, 5), (30, 5), (30, 6)])
def test_columns_that_are_looked_at_and_rare_classes_count(
    tmp_path: Path, n_columns: int, n_rare: int
) -> None:
    """Of the orders of n labels, 2 are on both sides of a threshold; any of d columns may be so."""
    n = 50
    rng = np.random.default_rng(6)
    value = rng.permutation(n) + 0.5
    others = {f"x{i}": rng.normal(size=n).round(3) for i in range(n_columns - 1)}
    y = np.where(value < n_rare, "ill", "well")
    sure = 2 * (n_columns + 1) / math.comb(n, n_rare) < 1e-5  # x, which `told` adds, is looked at
    columns = {"score": value, **others, "y": y}
    assert told(tmp_path / "my.csv", columns) == ["score"] * sure


def test_catalogued_data_are_known(tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    assert told(path, {"code": CLASSES, "y": CLASSES}) == ["code"]
    table = datasets.load(Request(str(path), "y"))
    assert not any(
        SAID in n for n in build("e", replace(table, catalogued=True), "all").provenance.notes
    )


@pytest.mark.slow
def test_the_option_that_is_named_leaves_them_out(call: Call, tmp_path: Path) -> None:
    columns = {"code, old": [len(each) for each in CLASSES], "new": CLASSES, "y": CLASSES}
    assert told(tmp_path / "my.csv", columns) == ["code, old", "new"]
    shown = call("datasets", "show", "my.csv", "--target", "y")
    (line,) = [line for line in shown.out.splitlines() if SAID in line]
    option = shlex.split(line[line.index("--drop") :])[:2]
    quick = ("--sizes", "9", "--fitters", "naive_bayes,majority", "--splits", "2", "--jobs", "1")
    ran = call("run", "--data", "my.csv", "--target", "y", *quick)
    assert f"Note: file my.csv: {SAID}" in " ".join(ran.out.split())
    ran = call("run", "--data", "my.csv", "--target", "y", *quick, *option, "--fresh")
    assert (ran.code, SAID in ran.out) == (0, False)


def test_inputs_that_never_vary_are_named(tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    columns = {"x": range(N), "study": ["colon"] * N, "k": [3] * N, "y": ["a", "b"] * (N // 2)}
    pd.DataFrame(columns).to_csv(path, index=False)
    notes = build("e", datasets.load(Request(str(path), "y")), "all", None, None).provenance.notes
    said = "inputs that are the same in all rows used, and tell nothing: 'study', 'k'"
    assert [said in note for note in notes].count(True) == 1
    table = datasets.load(Request(str(path), "y", drop=("x",)))
    (note,) = (each for each in build("e", table, "all", None, None).provenance.notes)
    assert "every input is the same in all rows used, and tells nothing: 'study', 'k'" in note


def test_levels_of_one_row_each_are_told(tmp_path: Path) -> None:
    """Blood pressures as 120/80 are texts, and hardly two are the same."""
    path = tmp_path / "my.csv"
    pressures = [f"{110 + i // 2}/{70 + i % 7}" for i in range(N)]
    pressures[1] = pressures[0]
    columns = {"bp": pressures, "k": ["u", "v", "w"] * (N // 3), "y": ["a", "b"] * (N // 2)}
    pd.DataFrame(columns).to_csv(path, index=False)
    table = datasets.load(Request(str(path), "y"))
    several, note = build("e", table, "all", None, None).provenance.notes
    assert "110/70" in several
    assert "in 'bp' (59 levels of 60 rows)" in note
    assert note.endswith("or leave it out: --drop bp")
    dropped = datasets.load(Request(str(path), "y", drop=("bp",)))
    assert build("e", dropped, "all", None, None).provenance.notes == ()


NEARLY = "the class of nearly every row can be told from one column alone: "


def nearly(path: Path, frame: pd.DataFrame) -> str:
    """What is said of columns that nearly tell the last one; empty for nothing."""
    frame.to_csv(path, index=False)
    table = datasets.load(Request(str(path), frame.columns[-1]))
    notes = build("e", table, "all", None, None).provenance.notes
    return "".join(note.partition(NEARLY)[2] for note in notes)


def test_what_nearly_tells_brings_a_note(tmp_path: Path) -> None:
    """The last day of a study tells who lived, but for those who died on it or left before."""
    rng = np.random.default_rng(0)
    day = np.where(rng.random(400) < 0.4, rng.integers(1, 900, 400), 999)
    y = np.where(day < 999, "dead", "alive")
    y[rng.choice(np.flatnonzero(day < 999), 3, replace=False)] = "alive"
    frame = pd.DataFrame({"x": rng.normal(size=400), "day": day, "y": y})
    stump = DecisionTreeClassifier(max_leaf_nodes=2).fit(frame[["day"]], y)
    missed = int((stump.predict(frame[["day"]]) != y).sum())
    said = nearly(tmp_path / "a.csv", frame)
    assert said.startswith(f"'day' (all but {missed} rows); if it is known only with the target")
    assert said.endswith("--drop day leaves it out")
    # One in fifty is the most.
    frame.loc[rng.choice(400, 12, replace=False), "y"] = "dead"
    assert nearly(tmp_path / "b.csv", frame) == ""


def test_levels_that_nearly_tell(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    y = rng.choice(["a", "b", "c"], 300)
    code = pd.Series(y).map({"a": "1", "b": "2", "c": "2"}).to_numpy(copy=True)
    frame = pd.DataFrame({"x": rng.normal(size=300), "code": code, "y": y})
    assert nearly(tmp_path / "a.csv", frame) == ""  # b and c are as one
    frame["code"] = pd.Series(y).map({"a": "k", "b": "l", "c": "m"})
    frame.loc[:3, "code"] = "k"
    most = frame.groupby("code")["y"].agg(lambda each: each.value_counts().max()).sum()
    assert nearly(tmp_path / "b.csv", frame).startswith(f"'code' (all but {300 - most} rows)")


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 2)), min_size=4, max_size=12))
def test_the_fewest_rows_outside_stretches(rows: list[tuple[int, int]]) -> None:
    """All ways to put the ends of stretches, in the order of the classes' medians."""
    values, y = np.array(rows, dtype=float).T
    classes = sorted(set(y), key=lambda k: float(np.median(values[y == k])))
    ends = [-1.0, *sorted(set(values))]
    fewest = min(
        int((np.array(classes)[(values[:, None] > np.array(cut)).sum(axis=1)] != y).sum())
        for cut in itertools.combinations_with_replacement(ends, len(classes) - 1)
    )
    medians = [np.median(values[y == k]) for k in classes]
    if len(set(medians)) == len(medians):  # else the order is open
        assert leaks._least_missed(values, y.astype(int)) == fewest


def test_codes_of_one_byte_are_counted_as_all_are() -> None:
    """As pandas keeps those of few levels; with as many classes, pairs are more than a byte has."""
    codes = np.repeat(np.arange(60), 40)
    y = np.where(np.arange(len(codes)) % 200 == 0, 5, codes % 5)
    assert leaks.misses(codes.astype(np.int8), y) == leaks.misses(codes, y) == len(codes) // 200
