"""Sheets as people keep them: titles above the column names, formulas that nobody has computed."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import openpyxl
import pytest

from gdcurves import datasets
from gdcurves.datasets import Request, Table
from gdcurves.errors import UserError

HEADER = ["age", "group", "y"]
DATA = [[i * 37 % 101 / 4, "uvw"[i % 3], "npp"[i % 5 % 3]] for i in range(30)]


def written(path: Path, rows: list[list[object]], merged: str | None = None) -> Path:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    if merged:
        book.active.merge_cells(merged)
    book.save(path)
    return path


def read(path: Path, target: str = "y", **options: object) -> Table:
    return datasets.load(Request(str(path), target, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("above", "said"),
    [
        ([["Patients 2024"]], "row 1 above the column names left out, such as 'Patients 2024'"),
        ([["Patients"], [], ["as of", None]], "rows 1, 3 above the column names left out, such"),
        ([[None, "Patients"], [None, None, 2024]], "rows 1, 2 above the column names left out"),
        ([[]], None),
        ([], None),
    ],
)
@pytest.mark.parametrize("index", [False, True])
def test_titles_above_the_column_names(
    tmp_path: Path, above: list[list[object]], said: str | None, index: bool
) -> None:
    plain = written(tmp_path / "plain.xlsx", [HEADER, *DATA])
    rows: list[list[object]] = [HEADER, *DATA]
    if index:
        rows = [[number or None, *row] for number, row in enumerate(rows)]
    table = read(written(tmp_path / "my.xlsx", [*above, *rows]))
    assert table.sha256 == read(plain).sha256
    assert table.location(0).endswith(f", row {len(above) + 2}")
    assert [said in note for note in table.notes] == [True] * (said is not None)


def test_a_merged_title_is_no_gap_in_data(tmp_path: Path) -> None:
    rows = [["Patients"], HEADER, *DATA]
    (note,) = read(written(tmp_path / "my.xlsx", rows, "A1:C1")).notes
    assert "above the column names" in note
    notes = read(written(tmp_path / "my.xlsx", rows, "B3:B4")).notes
    assert any("cells are merged" in note for note in notes)


def test_rows_that_a_filter_hides_are_used_and_told(tmp_path: Path) -> None:
    path = written(tmp_path / "my.xlsx", [HEADER, *DATA])
    book = openpyxl.load_workbook(path)
    for row in (5, 9, 99):  # the last one has no data
        book.active.row_dimensions[row].hidden = True
    book.save(path)
    table = read(path)
    assert len(table.frame) == len(DATA)
    (note,) = table.notes
    assert "2 rows that are hidden, as by a filter, are used too, the first of them row 5;" in note


@pytest.mark.parametrize(
    "rows",
    [
        [["age"], *DATA],  # two names are missing
        [["Patients"], [2019, 2020, "y"], *DATA],
        [["v"], *[["u", "v", "n"], ["u", "w", "p"]] * 9],  # texts that come again are data
        [["Patients"], ["a", "a", "y"], *DATA],
    ],
)
def test_no_row_of_data_becomes_the_column_names(tmp_path: Path, rows: list[list[object]]) -> None:
    path = written(tmp_path / "my.xlsx", rows)
    with pytest.raises(
        UserError,
        match=r"column 2 of 3 has no name; write one into the header, or t"
        r"|are the names in row 2, such as 'a', 'a', 'y'. Then take out what stands above",
    ):
        read(path)


def uncomputed(path: Path, formula: str = "=A{}*2", n: int = 30) -> Path:
    """Write the data with a formula in some cells of a column more, as openpyxl does: no values."""
    rows = [
        [*row[:2], formula.format(number) if number - 2 < n else 1.5, row[2]]
        for number, row in enumerate(DATA, start=2)
    ]
    return written(path, [["age", "group", "twice", "y"], *rows])


def stored(path: Path, value: str, kind: str = "", full: str = "") -> None:
    """Write a value into all cells with a formula, as programs do that have computed them."""
    parts = zipfile.ZipFile(io.BytesIO(path.read_bytes()))
    with zipfile.ZipFile(path, "w") as book:
        for name in parts.namelist():
            text = parts.read(name).decode()
            if name == "xl/worksheets/sheet1.xml":
                text = text.replace("<v />", f"<v>{value}</v>").replace(
                    "<v></v>", f"<v>{value}</v>"
                )
                text = re.sub(r'(<c r="C\d+")(?=><f)', rf"\1{kind}", text)
            if name == "xl/workbook.xml":
                text = text.replace(' fullCalcOnLoad="1"', full)
            book.writestr(name, text)


@pytest.mark.parametrize("n", [30, 1])
def test_formulas_that_were_never_computed(tmp_path: Path, n: int) -> None:
    path = uncomputed(tmp_path / "my.xlsx", n=n)
    said = "column 'twice': the formula in C2 was never computed, so that there is no value; open"
    with pytest.raises(UserError, match=said):
        read(path)
    assert list(read(path, drop=("twice",)).kinds) == ["age", "group"]
    with pytest.raises(UserError, match=said):
        read(path, "twice", numeric_target=True)
    stored(path, "3.25")
    assert read(path).kinds["twice"] == "continuous"


def test_zeros_in_a_workbook_that_is_to_be_computed(tmp_path: Path) -> None:
    """Some programs write zeros, and ask for the values when the workbook is opened."""
    path = uncomputed(tmp_path / "my.xlsx")
    stored(path, "0", full=' fullCalcOnLoad="1"')
    with pytest.raises(UserError, match="the formula in C2 was never computed"):
        read(path)
    stored(uncomputed(path), "0")
    assert read(path).frame["twice"].astype(float).tolist() == [0] * 30


def test_formulas_of_empty_texts_are_gaps(tmp_path: Path) -> None:
    path = uncomputed(tmp_path / "my.xlsx", '=""', n=3)
    stored(path, "", kind=' t="str"')
    assert read(path).frame["twice"].isna().tolist() == [True] * 3 + [False] * 27


def test_nothing_but_formulas(tmp_path: Path) -> None:
    rows = [[f"=Other!{letter}{n}" for letter in "ABC"] for n in range(2, 9)]
    path = written(tmp_path / "my.xlsx", [HEADER, *rows])
    with pytest.raises(UserError, match="column 'age': the formula in A2 was never computed"):
        read(path)


def test_the_first_sheet_that_is_not_hidden_is_read(tmp_path: Path) -> None:
    """Lists and last year's data are often hidden in front of what is shown."""
    book = openpyxl.Workbook()
    old, data, more = book.active, book.create_sheet("Data"), book.create_sheet("it's more")
    for sheet, value in ((old, 1), (data, 2), (more, 3)):
        sheet.append(["x", "y"])
        for i in range(6):
            sheet.append([value + i / 10, "ab"[i % 2]])
    old.sheet_state = "hidden"
    path = tmp_path / "d.xlsx"
    book.save(path)
    table = datasets.look(Request(str(path), "y"))
    assert table.cells("x")[0] == 2.0
    (note,) = (each for each in table.notes if "--sheet" in each)
    assert "sheet 'Data': the first of 2 sheets; for another: --sheet 'it'\"'\"'s more'" in note
    named = datasets.look(Request(str(path), "y", sheet="it's more"))
    assert named.cells("x")[0] == 3.0
    assert not any("--sheet" in each for each in named.notes)
    assert datasets.look(Request(str(path), "y", sheet="Sheet")).cells("x")[0] == 1.0


def test_a_workbook_that_lists_no_sheet_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "my.xlsx", [HEADER, *DATA])
    parts = zipfile.ZipFile(io.BytesIO(path.read_bytes()))
    with zipfile.ZipFile(path, "w") as book:
        for name in parts.namelist():
            book.writestr(name, re.sub(rb"<sheets>.*</sheets>", b"<sheets/>", parts.read(name)))
    with pytest.raises(UserError, match=r"my\.xlsx: not readable as \.xlsx; open it and save it"):
        read(path)


def test_charts_are_no_sheets(tmp_path: Path) -> None:
    """The table is that of the first sheet with cells, and one of a chart is none to name."""
    book = openpyxl.Workbook()
    for row in [["x", "y"], *[[i * 1.5, "np"[i % 2]] for i in range(20)]]:
        book.active.append(row)
    chart = openpyxl.chart.BarChart()
    chart.add_data(openpyxl.chart.Reference(book.active, min_col=1, min_row=1, max_row=21))
    book.create_chartsheet("Chart", 0).add_chart(chart)
    book.save(tmp_path / "my.xlsx")
    assert read(tmp_path / "my.xlsx").frame["x"].tolist() == [i * 1.5 for i in range(20)]
    with pytest.raises(UserError, match="no sheet 'Chart'; "):
        read(tmp_path / "my.xlsx", sheet="Chart")
