"""What the command line refuses is refused with the same words, but for the names of options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import Call

from gdcurves import learning_curves
from gdcurves.errors import UserError
from gdcurves.notebook.arguments import in_python

ROWS = "x,g,day,y\n" + "".join(f"{i}.5,{i // 2},b,{'pq'[i % 2]}\n" for i in range(12))


@pytest.mark.parametrize(
    ("options", "values"),
    [
        (["--target", "why"], {"target": "why"}),
        (["--fitters", "naive_bays"], {"fitters": ["naive_bays"]}),
        (["--fitters", "paper,lda"], {"fitters": ["paper", "lda"]}),
        (["--fitters", "lda,lda"], {"fitters": "lda,lda"}),
        (["--fitters", "os.system"], {"fitters": "os.system"}),
        (["--sizes", "2,50"], {"sizes": [2, 50]}),
        (["--measure", "acu"], {"measure": "acu"}),
        (["--measure", "logloss"], {"measure": "logloss"}),
        (["--missing", "mean,drop_rows,level"], {"missing": ["mean", "drop_rows", "level"]}),
        (["--missing", "means"], {"missing": "means"}),
        (["--groups", "g", "--stratified"], {"groups": "g", "stratified": True}),
        (["--drop", "z"], {"drop": "z"}),
        (["--continuous", "day"], {"continuous": "day"}),
        (["--threshold", "high"], {"threshold": "high"}),
        (["--threshold", "median"], {"threshold": "median"}),
        (["--target-error", "2"], {"target_error": 2}),
        (["--more-rows", "1000"], {"more_rows": 1000}),
        (["--figure", "pie"], {"figure": "pie"}),
        (["--decimal", ".", "--thousands", "."], {"decimal": ".", "thousands": "."}),
        (["--encoding", "latin-99"], {"encoding": "latin-99"}),
        (["--sheet", "one"], {"sheet": "one"}),
        (["--resume", "--fresh"], {"resume": True, "fresh": True}),
    ],
)
def test_errors_are_those_of_the_command_line(
    call: Call, options: list[str], values: dict[str, Any]
) -> None:
    Path("my.csv").write_text(ROWS)
    known = [] if "--target" in options else ["--target", "y"]
    refused = call("run", "--data", "my.csv", *known, *options, "--splits", "2")
    assert refused.code == 2
    message = refused.err.removeprefix("Error: ").rstrip("\n")
    with pytest.raises(UserError) as caught:
        learning_curves("my.csv", **{"target": "y", "progress": False, **values})
    assert str(caught.value) == in_python(message)
    assert "--" not in str(caught.value)
    assert not Path("results").exists()


@pytest.mark.parametrize(
    ("data", "target", "values", "message"),
    [
        (3, "y", {}, "data: int is no table; give a data frame"),
        (np.ones((5, 2)), None, {}, "data: ndarray is no table; give a data frame, arrays of"),
        (np.ones(5), list("ababa"), {}, r"data: an array of shape \(5,\); give one of rows and"),
        ([[1, 2], [3]], list("ab"), {}, "data: no array"),
        (np.ones((5, 2)), list("abab"), {}, "target: 4 classes for 5 rows; give one for each"),
        (np.ones((4, 2)), np.ones((4, 2)), {}, r"target: an array of shape \(4, 2\)"),
        (pd.DataFrame({"y": []}), "y", {}, "data frame: holds no data rows"),
        (pd.DataFrame([[1, 2]], columns=["y", "y"]), "y", {}, "data frame: Expected unique column"),
        ("my.csv", "y", {"name": "other"}, "name: a file has one"),
        ("my.csv", "y", {"sizes": ["2", "3"]}, r"sizes=\['2', '3'\]: write a list of whole"),
        ("my.csv", "y", {"splits": 0}, "splits=0: write a whole number from 1 on, 10,000,000 at"),
        ("my.csv", "y", {"jobs": 1.5}, "jobs=1.5: write a whole number from 1 on"),
        ("my.csv", "y", {"rescale": "rows"}, "rescale='rows': choose from dataset, train, none"),
        ("my.csv", "y", {"resume": True}, "resume=True goes with out="),
    ],
)
def test_values_that_are_none_are_refused(
    data: Any, target: Any, values: dict[str, Any], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        learning_curves(data, target, progress=False, **values)


def test_a_column_that_is_unclear_is_left_out_as_the_message_says() -> None:
    frame = pd.DataFrame({"x": np.arange(12.0), "y": list("pq") * 6})
    frame["mixed"] = [*range(11), "many"]
    with pytest.raises(UserError, match=r"'mixed'.*to go on without: drop=\['mixed'\]$"):
        learning_curves(frame, "y", progress=False)


@pytest.mark.parametrize("frame", [False, True])
def test_complex_numbers_are_told_and_can_be_left_out(frame: bool) -> None:
    x = np.array([[1 + 2j, 3], [2, 4]] * 6)
    data: Any = pd.DataFrame({"x1": x[:, 0], "x2": x[:, 1].real}) if frame else x
    y = list("pq") * 6
    with pytest.raises(UserError, match="'x1': holds complex numbers, which have no order; give"):
        learning_curves(data, y, progress=False)
    parts = np.column_stack([x.real, x.imag])
    run = learning_curves(parts, y, progress=False, sizes=[4], splits=2, jobs=1)
    assert len(run.curves) == 3


def test_a_notebook_shows_the_message_alone() -> None:
    assert UserError("what it is")._render_traceback_() == ["Error: what it is"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fill gaps with --missing mean,level", "fill gaps with missing=mean,level"),
        ("--stratified and --groups exclude it", "stratified=True and groups= exclude it"),
        ("unless named as --continuous or --discrete", "unless named as continuous= or discrete="),
        ("in bytes, --missing-text n/a", "in bytes, missing_text=n/a"),
        ("use --fresh to begin anew", "use fresh=True to begin anew"),
        ("--outer stays", "--outer stays"),
        ("left out by `run --data`", "left out by `learning_curves`"),
        ("add it to 'missing_texts' if", "add it to missing_text= if"),
        ("give --missing-text=-9 (`missing_texts`), w", "give missing_text=-9, w"),
        ("give --no-header (`no_header: true`), which", "give no_header=True, which"),
        ("give --groups, `groups` in a config, with a", "give groups= with a"),
        (
            "in a config, `classes: {a: [N, n]}` merges them, and so does --classes '{a: [N, n]}'",
            "classes={a: [N, n]} merges them",
        ),
    ],
)  # fmt: skip
def test_options_are_named_as_arguments(text: str, said: str) -> None:
    assert in_python(text) == said
