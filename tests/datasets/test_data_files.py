"""Reading ARFF and CSV: missing values, spellings, and broken files."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from gdcurves import datasets
from gdcurves.datasets.columns.cells import is_missing, level
from gdcurves.datasets.formats import arff_text
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.request import Request
from gdcurves.datasets.sources import files, packaged
from gdcurves.datasets.spec import DatasetSpec
from gdcurves.datasets.table import DataUnavailable, Table, build
from gdcurves.errors import UserError

TOY = DatasetSpec(
    name="toy",
    title="Toy",
    stems=("toy", "plaything"),
    openml_id=0,
    columns={"size": "continuous", "colour": "discrete"},
    target="class",
    n_rows=3,
    packaged_from=None,
    licence="none",
    citation="none",
)

ASKED = Request("toy")

ARFF = """% comment
@relation toy
@attribute 'size' real
@attribute colour {red, 'dark blue', '1'}
@attribute class {NA, None, yes}
@data
1.50, red, NA
?, 'dark blue', None
 % another
-0, ?, yes
2e0, '1', NA
"""

CSV = """colour, class ,size
red,NA,1.5
 "dark blue",None, ?
?,yes,0
1.0,NA,+2.0

"""

PARQUET = pd.DataFrame({"x": [1.5, 2.5], "class": ["n", "p"]}).to_parquet()

ROWS = [
    [1.5, "red", "NA"],
    [None, "dark blue", "None"],
    [0.0, None, "yes"],
    [2.0, "1", "NA"],
]


def rows_of(table: Table) -> list[list[object]]:
    rows = table.frame.itertuples(index=False, name=None)
    return [[None if is_missing(cell) else cell for cell in row] for row in rows]


def write(path: Path, text: str) -> Path:
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("ending", ["arff", "csv", "arff.gz", "csv.gz"])
def test_formats_agree(tmp_path: Path, ending: str) -> None:
    path = write(tmp_path / f"plaything.{ending}", ARFF if "arff" in ending else CSV)
    assert files.find(TOY, tmp_path) == path
    table = files.load_named(TOY, path, ASKED)
    assert rows_of(table) == ROWS
    assert (
        table.sha256
        == build(TOY, Raw.of_rows(["size", "colour", "class"], ROWS[::-1], ""), "file").sha256
    )


def test_byte_order_mark_and_carriage_returns(tmp_path: Path) -> None:
    path = tmp_path / "toy.csv"
    path.write_bytes(b"\xef\xbb\xbf" + CSV.replace("\n", "\r\n").encode())
    assert rows_of(files.load_named(TOY, path, ASKED)) == ROWS


def test_missing_is_an_explicit_list(tmp_path: Path) -> None:
    text = "size,colour,class\n1,NA,a\n1,nan,a\n1,null,b\n1, ? ,b\n1,,b\n"
    table = files.load_named(TOY, write(tmp_path / "toy.csv", text), ASKED)
    assert [row[1] for row in rows_of(table)] == ["NA", "nan", "null", None, None]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (1, "1"),
        (1.0, "1"),
        ("1", "1"),
        ("1.0", "1"),
        (" 1. ", "1"),
        ("1.50", "1.50"),
        ("-2.0", "-2"),
        (0.5, "0.5"),
        ("3-5", "3-5"),
        ("1.0.0", "1.0.0"),
        ("NA", "NA"),
    ],
)
def test_numbers_as_levels(cell: object, text: str) -> None:
    assert level(cell) == text


def test_fingerprint_depends_on_every_value() -> None:
    columns = ["size", "colour", "class"]
    original = build(TOY, Raw.of_rows(columns, ROWS, ""), "file").sha256
    for row in range(len(ROWS)):
        for column, other in enumerate((7.0, "red2", "other")):
            changed = [list(cells) for cells in ROWS]
            changed[row][column] = other
            assert build(TOY, Raw.of_rows(columns, changed, ""), "file").sha256 != original
    assert build(TOY, Raw.of_rows(columns, ROWS + ROWS[:1], ""), "file").sha256 != original


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("toy.csv", "", "is empty; it should begin with a line of column names"),
        ("toy.csv", "size,colour,class\n", "holds no data rows"),
        (
            "toy.csv",
            "size,color,class\n1,red,a\n",
            "no column 'colour', which data set 'toy' needs",
        ),
        ("toy.csv", "size,size,colour,class\n1,1,red,a\n", "column 'size' appears twice"),
        (
            "toy.csv",
            "size,colour,class\n1,red,a\n\n1,red\n",
            "line 4: 2 cells, but the header names",
        ),
        ("toy.csv", "size,colour,class\n1,red,a,b\n", "line 2: 4 cells, but the header names 3"),
        ("toy.csv", 'size,colour,class\n1,"red,a\n', "line 2: unexpected end of data"),
        (
            "toy.csv",
            "size,colour,class\n1,red,a\nold,red,a\n",
            "line 3, column 'size': 'old' is no",
        ),
        ("toy.csv", "size,colour,class\ninf,red,a\n", "line 2, column 'size': inf is no finite"),
        ("toy.arff", "size,colour\n1,red\n", "not readable as ARFF"),
        (
            "toy.arff",
            ARFF.replace("1.50", "big"),
            "line 7, column 'size': 'big' is no finite",
        ),
        ("toy.arff", ARFF.replace("2e0, '1'", "2e0"), "line 11: not readable as ARFF"),
        (
            "toy.arff",
            ARFF.replace("2e0, '1'", "2e0, 100%"),
            "'colour': '100%' is not in the list",
        ),
        (
            "toy.arff",
            ARFF.replace("-0, ?", "Inf, ?"),
            "line 10, column 'size': inf is no finite",
        ),
        ("toy.xls", "size\n", "cannot tell its format"),
    ],
)
def test_broken_files(tmp_path: Path, file: str, text: str, message: str) -> None:
    path = write(tmp_path / file, text)
    with pytest.raises(UserError) as error:
        files.load_named(TOY, path, ASKED)
    assert message in str(error.value)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("toy.csv.gz", gzip.compress(CSV.encode(), mtime=0)[:-20]),
        ("toy.csv.gz", gzip.compress(CSV.encode(), mtime=0)[:12] + b"\xff" * 40),
    ],
)
def test_damaged_files(tmp_path: Path, file: str, content: bytes) -> None:
    path = tmp_path / file
    path.write_bytes(content)
    with pytest.raises(UserError, match="cannot be read: "):
        files.load_named(TOY, path, ASKED)


def test_packed_files_under_another_name(tmp_path: Path) -> None:
    """Gzip is known by how it begins; an archive of files is no table, whatever it is called."""
    plain = files.load_named(TOY, write(tmp_path / "plaything.csv", CSV), ASKED)
    path = tmp_path / "toy.csv"
    path.write_bytes(gzip.compress(CSV.encode()))
    assert rows_of(files.load_named(TOY, path, ASKED)) == rows_of(plain)
    path = tmp_path / "toy.csv.gz"
    path.write_bytes(gzip.compress(gzip.compress(CSV.encode())))  # by a server, once more
    assert rows_of(files.load_named(TOY, path, ASKED)) == rows_of(plain)
    path.write_text(CSV)  # by a browser, unpacked
    assert rows_of(files.load_named(TOY, path, ASKED)) == rows_of(plain)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("toy.csv", CSV)
    with pytest.raises(UserError, match=r"is a ZIP archive, .* ending \.xlsx .* else unpack it"):
        files.load_named(TOY, path, ASKED)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (bz2.compress(CSV.encode()), r"packed by bzip2; .* bzcat FILE \| gdcurves \.\.\. -"),
        (lzma.compress(CSV.encode()), r"packed by xz; .* xzcat FILE"),
        (b"\x28\xb5\x2f\xfd\x24\x05", "packed by zstd; "),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            "old Excel, or one with a password; save it as .xlsx",
        ),
        (PARQUET, "Parquet, and no text; give its name the ending .parquet"),
    ],
    ids=["bzip2", "xz", "zstd", "xls", "parquet"],
)
@pytest.mark.parametrize("name", ["my.csv", "my.txt", "my.arff", "my.csv.bz2", "my"])
def test_what_is_no_text_is_told(tmp_path: Path, content: bytes, said: str, name: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UserError, match=f"is .*{said}"):
        datasets.look(Request(str(tmp_path / name), "class"))


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("\u200bgr\u00f6\u00dfe\u200e", "gr\u00f6\u00dfe"),
        ("gro\u0308\u00dfe", "gr\u00f6\u00dfe"),  # as a Mac writes it
        ("gr\u00f6\u00dfe\u00a0kg", "gr\u00f6\u00dfe kg"),
        (
            "\u06a9\u0645\u200c\u062e\u0648\u0646\u06cc",
            "\u06a9\u0645\u200c\u062e\u0648\u0646\u06cc",
        ),  # a letter's form in Persian
    ],
)
@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_names_of_columns_as_they_are_seen(
    tmp_path: Path, written: str, named: str, ending: str
) -> None:
    cells = [i % 7 / 4 for i in range(20)]
    made = pd.DataFrame({written: range(20), "b": cells, "c": cells})
    path = tmp_path / f"my.{ending}"
    made.to_csv(path, index=False) if ending == "csv" else made.to_excel(path, index=False)
    read = datasets.look(Request(str(path), named, drop=("b",), numeric_target=True))
    assert read.target == named
    assert read.frame[named].tolist() == [*range(20)]
    table = datasets.look(Request(str(path), "b", continuous=(named,)))
    assert [*table.kinds] == [named, "c"]


@pytest.mark.parametrize(
    "name", ["my.data", "my.DAT", "my.tab", "my.data.gz", "my.pq", "my.parq", "my.xlsm"]
)
def test_files_with_other_endings(tmp_path: Path, name: str) -> None:
    """They are read as the files that they are by the endings that programs give."""
    made = pd.DataFrame({"x": [i % 7 / 4 for i in range(20)], "y": ["n", "p"] * 10})
    path, known = tmp_path / name, tmp_path / "my.xlsx"
    if ".p" in name:
        made.to_parquet(path)
    elif name.endswith("xlsm"):
        made.to_excel(known, index=False)
        known.rename(path)
    else:
        text = made.to_csv(index=False, sep="\t" if "tab" in name else ",").encode()
        path.write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    read = datasets.look(Request(str(path), "y"))
    assert read.frame["x"].tolist() == made["x"].tolist()
    assert [*read.frame["y"]] == [*made["y"]]


@pytest.mark.parametrize("header", ["PAR1,BZh,class", "BZh9,x,class", "7z,x,class"])
def test_names_as_packed_files_begin(tmp_path: Path, header: str) -> None:
    text = header + "\n" + "".join(f"{i}.5,{i % 7}.25,{'np'[i % 2]}\n" for i in range(20))
    (tmp_path / "my.csv").write_text(text)
    assert len(datasets.look(Request(str(tmp_path / "my.csv"), "class")).frame) == 20


@pytest.mark.parametrize(
    "end", [b"\x1a", b"\r\n\x1a", b"\x1a\r\n", b"\n" + b"\0" * 5000, b"\n\x1a\0\0"]
)
@pytest.mark.parametrize("ending", ["csv", "arff"])
def test_marks_behind_the_end_are_no_row(tmp_path: Path, end: bytes, ending: str) -> None:
    rows = "\n".join(f"{i}.5,{'np'[i % 2]}" for i in range(20))
    head = (
        "x,y\n"
        if ending == "csv"
        else "@relation r\n@attribute x real\n@attribute y {n,p}\n@data\n"
    )
    plain, marked = tmp_path / f"plain.{ending}", tmp_path / f"my.{ending}"
    plain.write_text(head + rows + "\n")
    marked.write_bytes((head + rows).encode() + end)
    read = datasets.look(Request(str(marked), "y"))
    assert read.frame.equals(datasets.look(Request(str(plain), "y")).frame)
    marked.write_bytes((head + rows + "\n\x1a").encode("utf-16"))
    read = datasets.look(Request(str(marked), "y"))
    assert read.frame.equals(datasets.look(Request(str(plain), "y")).frame)


def test_two_candidates(tmp_path: Path) -> None:
    write(tmp_path / "toy.csv", CSV)
    write(tmp_path / "plaything.arff", ARFF)
    with pytest.raises(UserError, match=r"toy\.csv, plaything\.arff all hold 'toy'; keep one"):
        files.find(TOY, tmp_path)


def test_folders(tmp_path: Path) -> None:
    assert files.find(TOY, tmp_path) is None
    with pytest.raises(UserError, match="no such folder"):
        files.find(TOY, tmp_path / "absent")


def test_not_packaged() -> None:
    with pytest.raises(DataUnavailable, match="data set 'toy' is not packaged"):
        packaged.load(TOY, ASKED)


def test_decimals_in_an_integer_column_are_kept(tmp_path):
    """The declaration is the file's; the cells are what counts."""
    text = "@relation r\n@attribute 'a b' INTEGER\n@attribute c {x,y}\n@data\n6.7,x\n-0.9,y\n"
    raw = arff_text.read(text.encode(), "file r.arff")
    assert raw.columns["a b"].tolist() == [6.7, -0.9]
