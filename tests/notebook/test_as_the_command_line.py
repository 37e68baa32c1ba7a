"""A table in memory gives the numbers that `gdcurves run --data` gives for it as a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import Call
from pandas.testing import assert_frame_equal

import gdcurves
from gdcurves import learning_curves

pytestmark = pytest.mark.slow  # whole runs

TABLES = ("curves", "comparisons", "crossings", "outlook")
QUICK = ["--sizes", "6,16", "--splits", "3", "--jobs", "1", "--fitters", "naive_bayes,majority"]
SAME: dict[str, Any] = {"sizes": [6, 16], "splits": 3, "jobs": 1, "progress": False}
SAME["fitters"] = "naive_bayes,majority"


@pytest.fixture(autouse=True)
def no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw nothing: that takes most of the time."""
    monkeypatch.setattr("gdcurves.plots.draw", lambda run: [])


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    """Rows of every kind of column, some of them without a value, in groups."""
    rng = np.random.default_rng(5)
    n = 48
    frame = pd.DataFrame(
        {
            "weight": rng.normal(70, 9, n),
            "visits": rng.integers(0, 9, n),
            "smokes": rng.choice(["no", "yes", "once"], n),
            "score": rng.normal(size=n),
            "patient": np.repeat(np.arange(n // 2), 2),
            "site": rng.choice(["a", "b"], n),
            "diagnosis": rng.choice(["ill", "well"], n),
        }
    )
    frame.loc[[3, 8, 20], "score"] = np.nan
    frame.loc[[5, 30], "smokes"] = None
    return frame


CASES: list[tuple[list[str], dict[str, Any]]] = [
    (["--drop", "patient,site"], {"drop": ["patient", "site"]}),
    (
        ["--groups", "patient", "--missing", "mean,level", "--measure", "auc"],
        {"groups": "patient", "missing": "mean,level", "measure": "auc"},
    ),
    (
        ["--groups", "site,patient", "--missing", "mean", "--missing", "level"],
        {"groups": ["site", "patient"], "missing": ["mean", "level"]},
    ),
    (
        ["--discrete", "visits", "--drop", "patient", "--stratified", "--target-error", "30%"],
        {"discrete": "visits", "drop": "patient", "stratified": True, "target_error": 0.3},
    ),
    (
        ["--drop", "patient", "--missing-text", "once", "--rescale", "none", "--more-rows", "7"],
        {"drop": ["patient"], "missing_text": "once", "rescale": "none", "more_rows": 7},
    ),
]
INPUTS: list[Callable[[pd.DataFrame], Any]] = [
    lambda frame: frame,
    pl.from_pandas,
    lambda frame: pl.from_pandas(frame).lazy(),
    lambda frame: pa.Table.from_pandas(frame),
    lambda frame: frame.astype({"smokes": "category", "site": "category"}),
]


@pytest.mark.parametrize(("options", "values", "made"), [
    (*case, made) for case, made in zip(CASES, INPUTS, strict=True)
])  # fmt: skip
def test_tables_are_those_of_the_command_line(
    call: Call,
    frame: pd.DataFrame,
    options: list[str],
    values: dict[str, Any],
    made: Callable[[pd.DataFrame], Any],
) -> None:
    frame.to_csv("my.csv", index=False)
    words = ["run", "--data", "my.csv", "--target", "diagnosis", *QUICK, *options]
    assert call(*words, "--out", "theirs").code == 0
    ours = learning_curves(made(frame), "diagnosis", name="my", **SAME, **values)
    theirs = gdcurves.load("theirs")
    for table in TABLES:
        assert_frame_equal(getattr(ours, table), getattr(theirs, table))
    assert len(ours.curves) == 4
    assert ours.answer == theirs.answer


def test_a_number_as_target_and_arrays(call: Call, frame: pd.DataFrame) -> None:
    x, y = frame[["weight", "visits"]].to_numpy(), frame["score"].to_numpy()
    table = pd.DataFrame({"x1": x[:, 0], "x2": x[:, 1], "target": y})
    table.to_csv("data.csv", index=False)
    words = ["run", "--data", "data.csv", "--target", "target", "--threshold", "median", *QUICK]
    assert call(*words, "--out", "theirs").code == 0
    theirs = gdcurves.load("theirs").curves
    assert_frame_equal(learning_curves(x, y, threshold="median", **SAME).curves, theirs)
    inputs, goal = table[["x1", "x2"]], pl.Series("target", y)
    assert_frame_equal(learning_curves(inputs, goal, threshold="median", **SAME).curves, theirs)
    assert_frame_equal(
        learning_curves("data.csv", "target", threshold="median", **SAME).curves, theirs
    )


def test_a_forest_is_the_same_from_both(call: Call, frame: pd.DataFrame) -> None:
    frame[["weight", "visits", "diagnosis"]].to_csv("data.csv", index=False)
    tree = "sklearn.tree.DecisionTreeClassifier"
    words = ["run", "--data", "data.csv", "--target", "diagnosis", *QUICK]
    assert call(*words, "--fitters", f"majority,{tree}", "--out", "theirs").code == 0
    ours = learning_curves(
        frame[["weight", "visits", "diagnosis"]],
        target="diagnosis",
        **{**SAME, "fitters": ["majority", tree]},
    )
    assert_frame_equal(ours.curves, gdcurves.load("theirs").curves)
    assert set(ours.curves["fitter"]) == {"majority", "DecisionTreeClassifier"}
