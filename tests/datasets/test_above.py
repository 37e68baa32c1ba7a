"""Titles above the column names of delimited text."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdcurves import datasets
from gdcurves.datasets import Request, Table
from gdcurves.errors import UserError

ROWS = "".join(f"{i}.5,{i * i},{'ab'[i % 2]}\n" for i in range(20))


def look(path: Path, text: str) -> Table:
    path.write_bytes(text.encode())
    return datasets.look(Request(str(path), "y"))


@pytest.mark.parametrize(
    ("above", "said"),
    [
        ("Report of 2024\n", "line 1 above the column names left out, such as 'Report of 2024'"),
        ("Report,,\n,,\n", "line 1 above the column names left out, such as 'Report'"),
        ("# by hand\n\n# twice\n", "lines 1, 3 above the column names left out, such as '# by han"),
        ('"Report, 2024"\r\n', "line 1 above the column names left out, such as 'Report, 2024'"),
        (",,2024\n", "line 1 above the column names left out, such as '2024'"),
    ],
)
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_titles_above_the_header(tmp_path: Path, above: str, said: str, separator: str) -> None:
    table = "x,z,y\n" + ROWS
    if separator != ",":
        table = table.replace(",", separator).replace(".", ",")
        above = above if above.startswith('"') else above.replace(",", separator)
    read = look(tmp_path / "my.csv", above + table)
    plain = look(tmp_path / "my.csv", table)
    assert read.frame.equals(plain.frame)
    assert read.sha256 == plain.sha256
    (note,) = {str(each) for each in read.remarks} - {str(each) for each in plain.remarks}
    assert said in note
    # Messages name the lines of the file as it is.
    line = above.count("\n") + 2
    assert f"line {line}" in read.location(0)


@pytest.mark.parametrize(
    ("above", "separator"),
    [("Report;2020", ";"), ("Report;May", ";"), ("Report, May", ","), ("Report\tMay", "\t")],
)
def test_titles_of_fewer_cells(tmp_path: Path, above: str, separator: str) -> None:
    """They have more than half of a row's cells, and stand above names of columns of numbers."""
    table = "x,z,w,y\n" + ROWS.replace(",a", ",3,a").replace(",b", ",4,b")
    table = table.replace(",", separator)
    read = look(tmp_path / "my.csv", f"{above}{separator}x\n{table}")
    assert read.sha256 == look(tmp_path / "my.csv", table).sha256
    assert "line 1 above the column names left out, such as 'Report'" in read.notes[0]


def test_names_below_a_title_of_as_many_cells(tmp_path: Path) -> None:
    """They may be labels or units, but whoever names one of them is told where it is."""
    path = tmp_path / "my.csv"
    with pytest.raises(
        UserError, match="or are the names in line 2, such as 'x', 'z', 'y'"
    ) as said:
        look(path, "Report,of,May\nx,z,y\n" + ROWS)
    assert "take out what stands above them" in str(said.value)
    assert len(look(path, "x,z,y\n" + ROWS).frame) == 20


@pytest.mark.parametrize(
    "text",
    [
        "x\n" + ROWS,  # a name, and rows of three cells
        "x,,\n" + ROWS,
        "1.5,2,a\n" + ROWS,
    ],
)
def test_what_is_no_title_is_refused_as_before(tmp_path: Path, text: str) -> None:
    with pytest.raises(UserError, match=r"names 1 column|has no name|no column 'y'"):
        look(tmp_path / "my.csv", text)


def test_a_name_may_be_a_label_too(tmp_path: Path) -> None:
    table = "a,k,y\n" + "".join(f"{i}.5,{'uv'[i % 3 // 2]},{'ny'[i % 2]}\n" for i in range(20))
    read = look(tmp_path / "my.csv", "My study 2020\n" + table)
    assert read.frame.equals(look(tmp_path / "my.csv", table).frame)


def test_a_table_of_texts_keeps_its_first_row(tmp_path: Path) -> None:
    table = look(tmp_path / "my.csv", "x,z,y\n" + "u,v,a\nu,w,b\n" * 10)
    assert len(table.frame) == 20
