"""Numbers of three digits after a point: decimals, or thousands, where nothing shows which."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gdcurves import datasets
from gdcurves.datasets import Request, Table

SAID = "read with a decimal point: "
N = 40


def numbers(form: str = "{}.{:03d}") -> list[str]:
    return [form.format(i * 37 % 101 + 1, i * 577 % 1000) for i in range(N)]


def look(path: Path, separator: str = ",", **columns: list[str]) -> tuple[Table, str]:
    """Read columns beside a target; also what a note says of points."""
    y = ["npp"[i % 3] for i in range(N)]
    rows = zip(*columns.values(), y, strict=True)
    lines = [separator.join(row) for row in [[*columns, "y"], *rows]]
    path.write_text("\n".join(lines) + "\n")
    table = datasets.load(Request(str(path), "y"))
    said = [note.partition(SAID)[2] for note in table.notes if SAID in note]
    return table, said[0].partition(";")[0] if said else ""


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_points_that_may_be_between_thousands(tmp_path: Path, separator: str) -> None:
    """With the option that is named they are, as in the file without points."""
    path = tmp_path / "my.csv"
    table, said = look(path, separator, a=numbers(), b=[*numbers()[:-1], ""])
    assert said == "'a' (such as 1.000), 'b' (such as 1.000)"
    assert table.frame["a"].tolist() == [float(text) for text in numbers()]
    read = datasets.load(Request(str(path), "y", decimal=","))
    assert read.frame["a"].tolist() == [float(text.replace(".", "")) for text in numbers()]
    assert not [note for note in read.notes if SAID in note]
    for known in ({"decimal": "."}, {"continuous": ("a", "b")}):
        notes = datasets.load(Request(str(path), "y", **known)).notes  # type: ignore[arg-type]
        assert not [note for note in notes if SAID in note]


def test_whole_numbers_below_a_thousand_beside_them(tmp_path: Path) -> None:
    cells = ["900", *numbers()[1:]]
    assert look(tmp_path / "my.csv", a=cells)[1] == "'a' (such as 38.577)"
    assert look(tmp_path / "my.csv", a=["1900", *numbers()[1:]])[1] == ""


@pytest.mark.parametrize(
    "other",
    [
        [f"{i}.5" for i in range(N)],  # shows a decimal point, and so settles the file
        [f"0.{i:03d}" for i in range(N)],
        [f"{i + 1}.25" if i == 9 else f"{i + 1}.250" for i in range(N)],
        [["1.5", "2.5", "2.75"][i % 3] for i in range(N)],
    ],
)
def test_a_column_that_shows_a_decimal_point_settles_all(tmp_path: Path, other: list[str]) -> None:
    assert look(tmp_path / "my.csv", a=numbers(), b=other)[1] == ""


@pytest.mark.parametrize(
    "cells",
    [
        numbers("0.{1:03d}"),
        numbers("{}.{:02d}"),
        [f"{i}" for i in range(N)],
        ["1.234", "5.678"] * (N // 2),
        np.random.default_rng(0).normal(size=N).round(3).astype(str).tolist(),
    ],
)
def test_other_numbers_are_what_they_are(tmp_path: Path, cells: list[str]) -> None:
    assert look(tmp_path / "my.csv", a=cells)[1] == ""
