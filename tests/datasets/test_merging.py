"""Texts of one number: they are one level, and that is said, or two labels, and that is too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import Call

from gdcurves import datasets
from gdcurves.datasets import Request
from gdcurves.problems.problem import build

SAID = "whole numbers that are written in several ways are one level each, or one class: "


def written(path: Path, a: list[str], y: list[str], **options: object) -> tuple[list[str], str]:
    """Levels of the column `a` beside numbers and a target, and what is said of texts."""
    rows = [f"{i * 37 % 101}.25,{a[i % 7 % len(a)]},{y[i % 5 % len(y)]}" for i in range(70)]
    path.write_text("\n".join(["x,a,y", *rows]) + "\n")
    table = datasets.load(Request(str(path), "y", **options))  # type: ignore[arg-type]
    said = [note.partition(SAID)[2] for note in table.notes if SAID in note]
    return [*table.cells("a").categories], said[0].partition(";")[0] if said else ""


@pytest.mark.parametrize(
    ("a", "levels", "said"),
    [
        (["1", "1.0", "0"], ["0", "1"], "'a' (1 and 1.0)"),
        (["u", "2", "2.", "2.00"], ["2", "u"], "'a' (2 and 2. and 2.00)"),
        (["1.0", "0.0"], ["0", "1"], ""),  # as pandas writes whole numbers beside gaps
        (["01", "1", "0"], ["0", "01", "1"], ""),
        (["u", "v", "w", "1.5", "1.50"], ["1.5", "1.50", "u", "v", "w"], ""),
        (["v1", "v1.0"], ["v1", "v1.0"], ""),
    ],
)
@pytest.mark.parametrize("declared", [(), ("a",)])
def test_one_level_of_two_texts(
    tmp_path: Path, a: list[str], levels: list[str], said: str, declared: tuple[str, ...]
) -> None:
    path = tmp_path / "my.csv"
    assert written(path, a, ["n", "p"], discrete=declared) == (levels, said)


def test_one_class_of_two_texts(tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    y = ["1", "1.0", "0", "?"]
    assert written(path, ["u", "v"], y) == (["u", "v"], "'y' (1 and 1.0)")
    assert written(path, ["3", "3.0", "4"], y)[1] == "'a' (3 and 3.0), 'y' (1 and 1.0)"
    table = datasets.load(Request(str(path), "y"))
    assert table.labels == ("0", "1")
    gaps = written(path, ["u", "v"], ["1", "0", "1.0"], missing_texts=("", "?", "1"))
    assert gaps == (["u", "v"], "")


def test_zeros_that_end_a_label_are_named(call: Call, tmp_path: Path) -> None:
    """The mapping that the note gives makes one class of both."""
    path = tmp_path / "my.csv"
    written(path, ["u", "v"], ["1.5", "2.5", "1.50"])
    table = datasets.load(Request(str(path), "y"))
    (note,) = [note for note in build("e", table, "all").provenance.notes if "differ by" in note]
    assert "column 'y': '1.5' and '1.50' differ by case, blanks, a final stop, zeros that" in note
    classes = re.search("`(classes: [^`]*)`", note)
    assert classes is not None
    drafted = call("config", "init", "my.csv", "--target", "y").out
    (tmp_path / "my.yaml").write_text(re.sub("classes: .*", classes[1], drafted))
    shown = call("config", "check", "my.yaml")
    assert (shown.code, "differ by" in shown.out) == (0, False)
