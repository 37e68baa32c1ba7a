"""Files whose first row is one of data."""

from __future__ import annotations

import io
from pathlib import Path
from unittest import mock

import openpyxl
import pandas as pd
import pytest
from conftest import Call
from sklearn.datasets import load_iris

from gdcurves import config, datasets, plan
from gdcurves.datasets import Request, Table
from gdcurves.datasets.formats import delimited
from gdcurves.errors import UserError
from gdcurves.plan import loading

LOOKS = "look like a row of data; if they are one, give --no-header (`no_header: true`)"


def iris() -> str:
    """The data as UCI has them: no names, and labels in the last column."""
    data = load_iris(as_frame=True)
    frame = data.data.assign(y=[f"Iris-{data.target_names[i]}" for i in data.target])
    return str(frame.to_csv(index=False, header=False))


def look(path: Path, text: str, target: str, **options: object) -> Table:
    path.write_text(text)
    return datasets.look(Request(str(path), target, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("careful", [False, True])
def test_no_row_is_taken_for_names(tmp_path: Path, separator: str, careful: bool) -> None:
    """As pandas reads it with `header=None`; rows are told by their lines."""
    text = iris().replace(",", separator)
    expected = pd.read_csv(io.StringIO(text), header=None, sep=separator)
    how = mock.patch.object(delimited, "plain_quotes", return_value=None if careful else 0)
    with how:
        table = look(tmp_path / "my.txt", text, "c5", no_header=True)
    assert [*table.kinds] == ["c1", "c2", "c3", "c4"]
    assert table.frame["c1"].tolist() == expected[0].tolist()
    assert [*table.frame["c5"]] == expected[4].tolist()
    assert table.location(0).endswith("line 1")
    assert table.location(149).endswith("line 150")
    assert not table.notes


def test_names_that_look_like_a_row_are_told(tmp_path: Path, call: Call) -> None:
    path = tmp_path / "my.csv"
    table = look(path, iris(), "Iris-setosa")
    assert len(table.frame) == 149
    assert LOOKS in table.notes[0]
    assert "names, such as '5.1' and '3.5', look" in table.notes[0]
    for target in ("y", None):
        with pytest.raises(UserError, match="write a line of column names above it, or give --no-"):
            datasets.look(Request(str(path), target))
    drafted = call("config", "init", "my.csv", "--target", "c5", "--no-header")
    assert drafted.code == 0
    (tmp_path / "my.yaml").write_text(drafted.out)
    problems, _ = loading.load(plan.make(config.load(tmp_path / "my.yaml")), "packaged", None)
    assert len(problems["my"].y) == 150  # type: ignore[union-attr]


def test_a_sheet_without_names(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for line in iris().splitlines():
        *numbers, label = line.split(",")
        book.active.append([*map(float, numbers), label])
    book.save(tmp_path / "my.xlsx")
    table = datasets.look(Request(str(tmp_path / "my.xlsx"), "c5", no_header=True))
    assert len(table.frame) == 150
    assert table.location(149).endswith("row 150")
    read = datasets.look(Request(str(tmp_path / "my.xlsx"), "Iris-setosa"))
    assert LOOKS in read.notes[0]


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("u,n", "{w},{y}"),
        ("12.5,n", "{i}.25,{y}"),
        ("7,1.5,n", "{i},{i}.25,{y}"),
        ("x1,7,n", "x{i},{i},{y}"),  # names of rows
        ('"1,5",n', '"{i},5",{y}'),
    ],
)
def test_other_rows_that_are_taken_for_names(tmp_path: Path, header: str, row: str) -> None:
    cells = (row.format(i=i, w="uvw"[i % 3], y="np"[i % 2]) for i in range(30))
    table = look(tmp_path / "my.csv", "\n".join([header, *cells]) + "\n", "n")
    assert any(LOOKS in note for note in table.notes)


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("a,n", "{i}.25,{y}"),
        ("city,2019,2020,y", "c{i},{i},{i}.5,{y}"),
        ("weight,y", "{w},{y}"),
        ("u,y", "{w},{y}"),
        ("7,y", "{i},{y}"),
    ],
)
def test_names_that_are_some(tmp_path: Path, header: str, row: str) -> None:
    cells = (row.format(i=i, w="uvw"[i % 3], y="np"[i % 2]) for i in range(30))
    table = look(tmp_path / "my.csv", "\n".join([header, *cells]) + "\n", header.split(",")[-1])
    assert not any(LOOKS in note for note in table.notes)


def test_lines_that_do_not_fit(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="line 3: 3 cells, but the first row has 2; correct one"):
        look(tmp_path / "my.csv", "1,n\n2,p\n3,4,n\n", "c2", no_header=True)
