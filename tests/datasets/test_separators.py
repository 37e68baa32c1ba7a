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
