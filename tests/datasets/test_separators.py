"""Texts whose cells are separated by something rare, and what is said where nothing separates."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdcurves import datasets
from gdcurves.datasets import Request, Table
from gdcurves.errors import UserError

ROWS = ["x,z,y", *(f"{i}.5,{'uvw'[i % 3]},{'np'[i % 2]}" for i in range(120))]


def look(path: Path, separator: str, lines: list[str] = ROWS) -> Table:
    path.write_text("\n".join(line.replace(",", separator) for line in lines) + "\n")
    return datasets.look(Request(str(path), "y"))


@pytest.mark.parametrize("separator", [*"^~:!#@=*&\\", "\x01", "\x1f"])
def test_what_every_line_has_as_often_separates(tmp_path: Path, separator: str) -> None:
    """The table is that of the same file with commas, and the note shows the sign."""
    read = look(tmp_path / "my.csv", separator)
    assert read.sha256 == look(tmp_path / "my.csv", ",").sha256
    assert f"read with {separator!r} between cells, as every line has as many" in read.notes[0]


def test_two_signs_between_cells(tmp_path: Path) -> None:
    """As MovieLens has them: columns without a name or a value are listed."""
    read = look(tmp_path / "my.dat.txt", "::")
    assert [*read.kinds] == ["x", "z"]
    assert [*read.dropped] == ["column 2", "column 4"]


def test_quotes_hold_what_separates(tmp_path: Path) -> None:
    lines = [ROWS[0], *(line.replace(",u,", ',"u^u",') for line in ROWS[1:])]
    read = look(tmp_path / "my.csv", "^", lines)
    assert [*read.frame["z"].cat.categories] == ["u^u", "v", "w"]


@pytest.mark.parametrize("line", ["5.5^u", "5.5^u^n^2", "5.5"])
def test_signs_that_lines_have_in_other_numbers(tmp_path: Path, line: str) -> None:
    """Nothing separates; with commas in their place the file is read."""
    with pytest.raises(UserError, match="it is the one column; in a text, cells stand between com"):
        look(tmp_path / "my.csv", "^", [*ROWS[:40], line])
    assert len(look(tmp_path / "my.csv", ",", ROWS[:40]).frame) == 39


def test_known_separators_go_first(tmp_path: Path) -> None:
    lines = [line.replace("x", "x:1").replace(".5", ":5") for line in ROWS]
    assert [*look(tmp_path / "my.csv", ";", lines).kinds] == ["z"]


@pytest.mark.parametrize("line", ["\n", "\r\n"])
@pytest.mark.parametrize("ends", [",", ",,", ", ,", ',""'])
def test_names_that_end_in_a_sign_too_much(tmp_path: Path, ends: str, line: str) -> None:
    """As the Bureau of Labor Statistics has them; pandas and R give such columns no value."""
    path = tmp_path / "my.csv"
    path.write_bytes(line.join([ROWS[0] + ends, *ROWS[1:], ""]).encode())
    read = datasets.look(Request(str(path), "y"))
    assert read.sha256 == look(tmp_path / "other.csv", ",").sha256
    assert (read.dropped, read.notes) == ({}, ())
    assert read.location(0).endswith("line 2")


def test_cells_below_names_that_are_missing(tmp_path: Path) -> None:
    """A column without a name that one row fills is no sign too much."""
    path = tmp_path / "my.csv"
    path.write_text("\n".join([ROWS[0] + ",", *ROWS[1:-1], ROWS[-1] + ",1"]) + "\n")
    with pytest.raises(UserError, match="line 2: 3 cells, but the header names 4 columns"):
        datasets.look(Request(str(path), "y"))


def test_cells_that_stand_between_another_sign_than_the_names(tmp_path: Path) -> None:
    """As a logger wrote them; each of the two ways out makes the table."""
    path = tmp_path / "my.csv"
    rows = [line.replace(",", ";") for line in ROWS[1:]]
    path.write_text("\n".join([ROWS[0], *rows]) + "\n")
    said = "line 2: 1 cell, but the header names 3 columns; .* or write ',' in place of ';', or ';'"
    with pytest.raises(UserError, match=said):
        datasets.look(Request(str(path), "y"))
    both = [look(path, separator).sha256 for separator in ",;"]
    assert both[0] == both[1]
