"""Text with blanks between cells, and headers without a name for that of the rows: R's files."""

from __future__ import annotations

import random
from pathlib import Path
from unittest import mock

import pandas as pd
import pytest

from gdcurves import datasets
from gdcurves.datasets import Request, Table
from gdcurves.datasets.formats import delimited
from gdcurves.errors import UserError

N = 40
CARS = pd.DataFrame(
    {
        "size": [i * 37 % 101 / 4 for i in range(N)],
        "make of car": [("Mazda RX4", 'a 5" pipe', "Fiat")[i % 3] for i in range(N)],
        "y": [("slow", "fast")[i % 2] for i in range(N)],
    }
)
NAMES = [f"car {i}" for i in range(N)]


def written(
    frame: pd.DataFrame, separator: str = " ", names: list[str] | None = None, line: str = "\n"
) -> str:
    """What R's write.table makes of a frame: texts in quotes, those within after a backslash."""

    def cell(value: object) -> str:
        if not isinstance(value, str):
            return repr(value)
        within = value.replace('"', '\\"' if separator == " " else '""')
        return f'"{within}"'

    rows = [list(frame.columns), *frame.itertuples(index=False)]
    texts = [[cell(each) for each in row] for row in rows]
    if names is not None:
        texts = [texts[0], *([cell(n), *row] for n, row in zip(names, texts[1:], strict=True))]
    return "".join(separator.join(row) + line for row in texts)


def look(path: Path, content: str, careful: bool = False) -> Table:
    path.write_bytes(content.encode())
    plain = None if careful else delimited.plain_quotes
    with mock.patch.object(delimited, "plain_quotes", side_effect=plain, return_value=None):
        return datasets.look(Request(str(path), "y"))


@pytest.mark.slow
@pytest.mark.parametrize("careful", [False, True])
@pytest.mark.parametrize("names", [None, NAMES, [str(i + 1) for i in range(N)]])
@pytest.mark.parametrize("separator", [" ", "\t", ";", "|"])
@pytest.mark.parametrize("ending", [".txt", ".csv", ".tsv"])
def test_what_write_table_writes_is_read(
    tmp_path: Path, ending: str, separator: str, names: list[str] | None, careful: bool
) -> None:
    for line in ("\n", "\r\n"):
        text = written(CARS, separator, names, line)
        table = look(tmp_path / f"my{ending}", text, careful)
        assert table.frame["size"].tolist() == CARS["size"].tolist()
        for column in ("make of car", "y"):
            assert table.frame[column].tolist() == CARS[column].tolist()
        reason = "first and without a name, as numbers and names of rows are"
        assert table.dropped == ({} if names is None else {"column 1": reason})
        assert table.location(1).endswith("line 3")
        told = ["first cells are taken for names of rows" in each for each in table.notes]
        assert told == [True] * (names is not None)


@pytest.mark.parametrize("careful", [False, True])
def test_columns_of_one_width(tmp_path: Path, careful: bool) -> None:
    """As people print them: blanks at both ends, several between cells, an empty line."""
    text = "\ufeff   x    it's   y  \n\n" + "".join(
        f" {i / 4:6.2f}  \t {'uvw'[i % 3]:>4} {'np'[i % 2]:4}\n" for i in range(N)
    )
    table = look(tmp_path / "my.txt", text, careful)
    assert table.kinds == {"x": "continuous", "it's": "discrete"}
    assert table.frame["x"].tolist() == [i / 4 for i in range(N)]
    assert table.frame["y"].tolist() == ["np"[i % 2] for i in range(N)]
    assert table.location(0).endswith("line 3")


@pytest.mark.parametrize("careful", [False, True])
@pytest.mark.parametrize("names", [False, True])
def test_tabs_among_the_blanks(tmp_path: Path, names: bool, careful: bool) -> None:
    """Some tabs in the header, others in rows, as people write tables by hand."""
    gaps = " \t"
    text = "  \t x \t it's   y\n" + "".join(
        f"{f'row{i}' * names}\t {i / 4}{gaps[i % 2]}{'uvw'[i % 3]}  \t{'np'[i % 2]} \t\n"
        for i in range(N)
    )
    table = look(tmp_path / "my.dat", text, careful)
    assert table.kinds == {"x": "continuous", "it's": "discrete"}
    assert list(table.dropped) == ["column 1"] * names
    assert table.frame["x"].tolist() == [i / 4 for i in range(N)]
    assert table.frame["y"].tolist() == ["np"[i % 2] for i in range(N)]


def test_texts_with_blanks_between_tabs_stay_whole(tmp_path: Path) -> None:
    """Though a row lacks a cell, or the header has a tab too much: the blanks fit no better."""
    late = "x\ta\ty\t\n" + "".join(
        f"{i}.5\t{'u' if i < 200 else 'u v'}\t{'np'[i % 2]}\n" for i in range(300)
    )
    assert [*look(tmp_path / "my.tsv", late).frame["a"].cat.categories] == ["u", "u v"]
    text = "x\ta b\ty\n" + "".join(f"{i}.5\tu v\t{'np'[i % 2]}\n" for i in range(N))
    assert look(tmp_path / "my.tsv", text).frame["a b"].tolist() == ["u v"] * N
    with pytest.raises(UserError, match="line 42: 2 cells, but the header names 3 columns"):
        look(tmp_path / "my.tsv", f"{text}1.5\tu v\n")


@pytest.mark.slow
def test_both_readers_make_the_same_of_broken_files(tmp_path: Path) -> None:
    def outcome(text: str, careful: bool) -> object:
        try:
            table = look(tmp_path / "my.txt", text, careful)
        except UserError as error:
            return str(error)
        return table.sha256, table.dropped, table.kinds, table.labels

    n_read = 0
    for seed in range(150):
        rng = random.Random(seed)
        names = rng.choice([None, NAMES])
        text = [*written(CARS, names=names, line=rng.choice(["\n", "\r\n"]))]
        for _ in range(rng.randrange(3)):
            text[rng.randrange(len(text))] = rng.choice(' "\\\t\n\rab1,;')
        fast = outcome("".join(text), careful=False)
        assert fast == outcome("".join(text), careful=True), seed
        n_read += isinstance(fast, tuple)
    assert 50 < n_read < 150


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a b y\n" + "1.5 u n\n2.5 v p\n" * 9 + "3 v w p\n", "line 20: 4 cells, but the header"),
        ("a b y\n" + "1 1.5 u n\n2 2.5 v p\n" * 9, "since '1' repeats; name all columns"),
        ("a\tb\ty\n" + "1\t1.5\tn\t\n2\t2.5\tp\t\n" * 9 + "3\t4\tn\n", "out the '\\\\t' that ends"),
        ("a,b,y\n" + "1,5,7,n\n2,5,8,p\n" * 9, "',' before the header if first cells name rows"),
    ],
)
def test_what_is_neither_names_nor_cells_is_refused(
    tmp_path: Path, content: str, message: str
) -> None:
    """So are decimal commas between commas, which would look like names of rows."""
    for careful in (False, True):
        with pytest.raises(UserError, match=message):
            look(tmp_path / "my.txt", content, careful)


@pytest.mark.parametrize("careful", [False, True])
@pytest.mark.parametrize("header", ["a, b ,  y", '"a"," b","y "', 'a,"\n b","y\r\n"'])
def test_blanks_around_names(tmp_path: Path, header: str, careful: bool) -> None:
    """Labels, levels and numbers of such columns are as they are written too."""
    rows = "".join(f"{i}.5,{i % 3 + 1}.50,{'34'[i % 2]}.20\n" for i in range(N))
    path = tmp_path / "my.csv"
    table = look(path, f"{header}\n{rows}", careful)
    assert table.labels == ("3.20", "4.20")
    asked = datasets.look(Request(str(path), "y", discrete=("b",)))
    assert list(asked.frame["b"].cat.categories) == ["1.50", "2.50", "3.50"]
    german = rows.replace(",", ";").replace(".50", ".500").replace(".5;", ",5;")
    table = look(path, f"{header.replace(',', ';')}\n{german}", careful)
    assert table.frame["b"].tolist()[:2] == [1500.0, 2500.0]  # by the decimal comma of another


def test_a_name_of_two_lines_is_one_of_one(tmp_path: Path) -> None:
    """As spreadsheets have them; options and messages hold one line."""
    table = look(tmp_path / "my.csv", 'a,"b\n (EUR)",y\n' + "1.5,2.5,n\n2.5,2.25,p\n" * 9)
    assert list(table.kinds) == ["a", "b (EUR)"]


@pytest.mark.slow
@pytest.mark.parametrize("careful", [False, True])
@pytest.mark.parametrize("line", ["\n", "\r\n"])
@pytest.mark.parametrize("separator", [";", ",", "\t", "|"])
def test_excels_line_of_the_separator(
    tmp_path: Path, separator: str, line: str, careful: bool
) -> None:
    """Which Excel takes for itself where it opens a file."""
    text = written(CARS, separator, line=line)
    expected = look(tmp_path / "my.csv", text, careful)
    for first in (f"sep={separator}", f'"SEP={separator}"', f"\ufeffsep={separator}"):
        table = look(tmp_path / "my.csv", f"{first}{line}{text}", careful)
        assert table.sha256 == expected.sha256
        assert table.location(1).endswith("line 4")
        assert not table.notes
    with pytest.raises(UserError, match="is empty; it should begin with"):
        look(tmp_path / "my.csv", f"sep={separator}{line}", careful)
