"""One table in many formats and encodings: text, workbooks, parts, the standard input."""

from __future__ import annotations

import datetime
import gzip
import io
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pytest
from conftest import Call

from gdcurves import datasets
from gdcurves.datasets import Request
from gdcurves.datasets.formats import parquet
from gdcurves.datasets.sources import files
from gdcurves.errors import UserError

FRAME = pd.DataFrame(
    {
        "größe": [i * 37 % 101 / 4 for i in range(60)],
        "farbe": [["röt", "blau, hell", 'gr"ün', "€"][i % 4] for i in range(60)],
        "y": ["ja", "nein", "nein"] * 20,
    }
)


def read(path: Path | str, **options: object) -> datasets.Table:
    return datasets.load(Request(str(path), "y", **options))  # type: ignore[arg-type]


@pytest.fixture
def expected(tmp_path: Path) -> datasets.Table:
    FRAME.to_csv(tmp_path / "plain.csv", index=False)
    return read(tmp_path / "plain.csv")


@pytest.mark.parametrize("ending", ["csv", "tsv", "txt", "tsv.gz", "txt.gz"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_case_s14_endings_and_separators(
    tmp_path: Path, expected: datasets.Table, ending: str, separator: str
) -> None:
    path = tmp_path / f"my.{ending}"
    FRAME.to_csv(path, index=False, sep=separator)
    assert read(path).sha256 == expected.sha256


def test_a_separator_within_a_quoted_name_separates_nothing(tmp_path: Path) -> None:
    (tmp_path / "my.csv").write_text('"a, b";y\n' + "1.5;n\n2.5;p\n" * 9)
    assert list(read(tmp_path / "my.csv").kinds) == ["a, b"]


@pytest.mark.parametrize("ending", ["csv", "txt", "csv.gz"])
@pytest.mark.parametrize(
    "encoding", ["cp1252", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030"]
)
def test_case_s14_encodings(
    tmp_path: Path, expected: datasets.Table, encoding: str, ending: str
) -> None:
    path = tmp_path / f"my.{ending}"
    content = FRAME.to_csv(index=False).encode(encoding)
    path.write_bytes(gzip.compress(content) if ending.endswith("gz") else content)
    assert read(path, encoding=encoding).sha256 == expected.sha256
    if encoding in ("utf-16", "utf-32"):  # these begin with a mark
        assert read(path).sha256 == expected.sha256
        return
    said = "--encoding " + (encoding if encoding.startswith("utf") else "cp1252")
    with pytest.raises(UserError, match=said):
        read(path)


def test_case_s14_arff_of_other_encodings(tmp_path: Path) -> None:
    text = "@relation r\n@attribute größe real\n@attribute y {ja,nö}\n@data\n1.5,ja\n2.5,nö\n"
    for encoding in ("latin-1", "utf-16"):
        (tmp_path / "my.arff").write_bytes(text.encode(encoding))
        assert read(tmp_path / "my.arff", encoding=encoding).labels == ("ja", "nö")


@pytest.mark.parametrize(
    ("file", "options", "said"),
    [
        ("my.csv", {"encoding": "utf-17"}, "encoding 'utf-17': there is none of this name; usual"),
        ("my.csv", {"encoding": "base64"}, "encoding 'base64': there is none of this name; usual"),
        ("my.csv", {"encoding": "ascii"}, "my.csv, line 1: is not ascii text; name another enc"),
        ("my.csv", {"encoding": "utf-16"}, "my.csv: is not utf-16 text; name another encoding"),
        ("my.csv", {"sheet": "a"}, "my.csv: has no sheets; leave out the sheet"),
        ("my.parquet", {"encoding": "cp1252"}, "my.parquet: is no text; leave out the encoding"),
        ("openml:31", {"sheet": "a"}, "data 'openml:31': is no file; leave out the sheet"),
        ("vote", {"encoding": "cp1252"}, "data 'vote': is no file; leave out the encoding"),
    ],
)  # fmt: skip
def test_options_that_do_not_fit(
    tmp_path: Path, file: str, options: dict[str, str], said: str
) -> None:
    content = FRAME.to_csv(index=False) + "\n"
    (tmp_path / "my.csv").write_text(content if len(content.encode()) % 2 else content + "\n")
    FRAME.to_parquet(tmp_path / "my.parquet")
    with pytest.raises(UserError, match=said):
        read(tmp_path / file if "." in file else file, **options)


def workbook(path: Path, rows: list[list[object]], **others: list[list[object]]) -> Path:
    book = openpyxl.Workbook()
    book.active.title = "first"
    for name, each in {"first": rows, **others}.items():
        sheet = book[name] if name in book.sheetnames else book.create_sheet(name)
        for row in each:
            sheet.append(row)
    book.save(path)
    return path


def test_case_s14_a_workbook(tmp_path: Path, expected: datasets.Table) -> None:
    rows = [list(FRAME.columns), *FRAME.to_numpy().tolist()]
    path = workbook(tmp_path / "my.xlsx", rows)
    assert read(path).sha256 == expected.sha256
    FRAME.to_excel(tmp_path / "pandas.xlsx")  # with the index in a column without a name
    table = read(tmp_path / "pandas.xlsx")
    assert table.sha256 == expected.sha256
    assert table.dropped["column 1"] == "first and without a name, as numbers and names of rows are"


def test_case_s14_sheets(tmp_path: Path, expected: datasets.Table) -> None:
    rows = [list(FRAME.columns), *FRAME.to_numpy().tolist()]
    path = workbook(tmp_path / "my.xlsx", [["x", "y"], [1.5, "a"]], second=rows, empty=[])
    assert len(read(path).frame) == 1
    assert read(path).source.endswith("my.xlsx, sheet 'first'")
    assert read(path, sheet="second").sha256 == expected.sha256
    with pytest.raises(UserError, match=r"no sheet 'secnd'; did you mean 'second'"):
        read(path, sheet="secnd")
    with pytest.raises(
        UserError, match=r"sheet 'empty': is empty; .* another sheet: --sheet 'first'"
    ):
        read(path, sheet="empty")


def test_cells_of_a_workbook_are_what_it_shows(tmp_path: Path) -> None:
    """Dates, truth values, formulas' errors, gaps, empty rows and columns, ragged rows."""
    rows: list[list[object]] = [
        [],
        [None, "x", "day", "ok", " k ", 2020, None, "y"],
        [1, 1.5, datetime.datetime(2020, 1, 31), True, "01", 0.125, None, "n"],
        [2, 2.5, datetime.datetime(2020, 1, 31, 12, 30), False, "1", "#DIV/0!", None, "p"],
        [],
        [3, None, datetime.time(12, 30), True, " ", 1, None, "n"],
        [4, 3, "later", None, "001", 2, "", "p"],
    ]
    path = workbook(tmp_path / "my.xlsx", rows)
    discrete = ("day", "ok", "k", "2020")
    frame = read(path, discrete=discrete).frame
    assert frame["x"].tolist()[:2] == [1.5, 2.5]
    assert frame["day"].tolist() == ["2020-01-31", "2020-01-31 12:30:00", "12:30:00", "later"]
    assert frame["ok"].astype(object).tolist()[:3] == ["TRUE", "FALSE", "TRUE"]
    assert frame["k"].astype(object).tolist()[:2] == ["01", "1"]
    assert frame["2020"].tolist() == ["0.125", "#DIV/0!", "1", "2"]
    assert frame.isna().sum().to_dict() == {"x": 1, "day": 0, "ok": 1, "k": 1, "2020": 0, "y": 0}
    with pytest.raises(UserError, match="row 3, column 'day': '2020-01-31' is no finite number"):
        read(path, continuous=("day",))


@pytest.mark.parametrize("content", [b"", b"PK\3\4", b"not a workbook"])
def test_what_is_no_workbook(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "my.xlsx").write_bytes(content)
    with pytest.raises(
        UserError, match=r"not readable as .xlsx; open it and save it as .xlsx with"
    ):
        read(tmp_path / "my.xlsx")


def test_without_openpyxl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    (tmp_path / "my.xlsx").write_bytes(b"PK")
    with pytest.raises(UserError, match=r"needs openpyxl; pip install 'gdcurves\[xlsx\]', or save"):
        read(tmp_path / "my.xlsx")


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch):
    """Put bytes into the standard input, as another process would."""

    def put(content: bytes) -> None:
        files._piped.cache_clear()
        fake = SimpleNamespace(buffer=io.BytesIO(content), isatty=lambda: False)
        monkeypatch.setattr(sys, "stdin", fake)

    yield put
    files._piped.cache_clear()


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet", "xlsx", "arff"])
def test_case_s14_the_standard_input(
    tmp_path: Path, expected: datasets.Table, pipe, ending: str
) -> None:
    """Formats are told by their content."""
    path = tmp_path / f"my.{ending}"
    if ending.startswith("csv"):
        FRAME.to_csv(path, index=False)
    elif ending == "arff":
        path.write_text(
            "% a word\n\n@RELATION r\n@attribute x real\n@attribute y {a,b}\n@data\n1,a\n2,b"
        )
    else:
        getattr(FRAME, {"parquet": "to_parquet", "xlsx": "to_excel"}[ending])(path, index=False)
    pipe(path.read_bytes())
    table = read("-")
    assert (table.source, table.name) == ("standard input", "stdin")
    assert table.sha256 == (read(path) if ending == "arff" else expected).sha256


@pytest.mark.slow
def test_case_s14_a_run_of_the_standard_input(tmp_path: Path, call: Call, pipe) -> None:
    """It is gone on with where the same data come again."""
    content = FRAME.to_csv(index=False).encode()
    quick = ("--sizes", "6", "--fitters", "naive_bayes,majority")
    words = ("run", "--data", "-", "--target", "y", *quick, "--splits", "2", "--jobs", "1")
    pipe(content)
    assert call(*words).code == 0
    pipe(content)
    again = call(*words, "--resume")
    assert again.code == 0, again.err
    pipe(content.replace(b"nein", b"doch"))
    other = call(*words, "--resume")
    assert other.code == 2
    assert "classes" in other.err or "sha256 of the data of stdin" in other.err
    pipe(b"")
    assert "standard input: is empty" in call(*words, "--resume").err
    pipe(content)
    assert call("config", "init", "-", "--target", "y", *quick, "--out", "my.yaml").code == 0
    assert 'data: "-"' in (tmp_path / "my.yaml").read_text()
    assert call("config", "check", "my.yaml").code == 0
    pipe(content)
    assert call("run", "--config", "my.yaml", "--splits", "2", "--jobs", "1").code == 0


def test_nothing_is_piped(monkeypatch: pytest.MonkeyPatch) -> None:
    files._piped.cache_clear()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    with pytest.raises(UserError, match="nothing is piped into it; write gdcurves"):
        read("-")


def test_case_s14_options_of_reading(tmp_path: Path, call: Call) -> None:
    """On the command line and in a config, which a draft writes."""
    (tmp_path / "my.csv").write_bytes(FRAME.to_csv(index=False).encode("cp1252"))
    rows = [list(FRAME.columns), *FRAME.to_numpy().tolist()]
    workbook(tmp_path / "my.xlsx", [["x"], [1]], second=rows)
    sums = set()
    for words in (["my.csv", "--encoding", "cp1252"], ["my.xlsx", "--sheet", "second"]):
        shown = call("datasets", "show", *words, "--target", "y")
        sums.add(shown.out.rpartition("sha256")[2].strip())
        drafted = call("config", "init", *words, "--target", "y")
        assert f"{words[1].removeprefix('--')}: {words[2]}\n" in drafted.out
        (tmp_path / "my.yaml").write_text(drafted.out)
        assert call("config", "check", "my.yaml").code == 0
    assert len(sums) == 1


def test_a_level_of_no_row_that_is_no_text_costs_its_column() -> None:
    """As in a file that was damaged in a dictionary."""
    damaged = pa.Array.from_buffers(
        pa.string(), 2, [None, pa.py_buffer(np.array([0, 1, 2], "i4")), pa.py_buffer(b"u\xff")]
    )
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 6, pa.int32()), damaged)
    table = pa.table({"x": [0.5, 1.5, 2.5] * 2, "k": column, "y": ["a", "b"] * 3})
    raw = parquet.raw_of(table, "file d", {})
    assert str(raw.broken["k"]).startswith("file d, column 'k': 'utf-8' codec can't decode")
    assert list(raw.broken) == ["k"]
