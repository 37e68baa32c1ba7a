"""ARFF as WEKA reads it, and beside liac-arff where both read a file."""

from __future__ import annotations

import random
from pathlib import Path

import arff
import numpy as np
import pandas as pd
import pytest

from gdcurves import datasets
from gdcurves.config.reading import MISSING_TEXTS
from gdcurves.datasets import Request, Table
from gdcurves.datasets.formats import arff_text
from gdcurves.errors import UserError

HEAD = "@relation r\n@attribute a real\n@attribute cls {A,B}\n@data\n"
ROWS = "2.5,A\n1.25,B\n-1.75,A\n0.5,B\n"
NUMBERS = [2.5, 1.25, -1.75, 0.5]


def look(path: Path, text: str, **options: object) -> Table:
    path.write_text(text)
    return datasets.look(Request(str(path), "cls", **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("real\n", "real % a word\n"),
        ("{A,B}", "{A,B} % a word"),
        ("{A,B}", "{A,B}% a word, it's one"),
        ("5,A\n", "5,A % a word\n"),
        ("5,A\n", "5,A% a word\n"),
        ("5,A\n", "5,A %\n% 1,B\n\n"),
        ("real\n", "real [-9,9]\n"),
        ("real\n", "integer[-9, 9] % a range\n"),
        ("real\n", "numeric (0,9]\n"),
        (",A\n", "\tA\n"),
        (",A\n", " A\n"),
        (",A\n", " , \tA , \n"),
        ("A\n", "A,\n"),
        ("A\n", "A,,\n"),
        ("A\n", "'A'\n"),
        (",A\n", ' "A"% a word\n'),
        ("cls {A,B}", "cls{A,B}"),
        ("{A,B}", "{A B}"),
        ("{A,B}", "{ 'A', B, }"),
        ("@attribute a real", "@ATTRIBUTE 'a'   REAL"),
        ("@data\n", "@data % rows\n"),
        ("@data\n2.5,A", "@data 2.5,A"),
        ("@data\n2.5,A", "@DATA 2.5 A % a word"),
        ("\n", "\r\n"),
        ("\n", "\r"),
    ],
)
def test_case_s7_what_weka_reads(tmp_path: Path, old: str, new: str) -> None:
    table = look(tmp_path / "my.arff", (HEAD + ROWS).replace(old, new))
    assert table.frame["a"].tolist() == NUMBERS
    assert table.frame["cls"].tolist() == ["A", "B", "A", "B"]
    assert table.labels == ("A", "B")
    assert table.declared == {"a"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("5,A\n", "5,A, {5}\n", "line 5: .* row has a weight, \\{5}, and weights have no place"),
        ("5,A\n", "{0 1.5, 1 A}, {0.5}\n", "the row has a weight, \\{0.5}, and weights have no"),
        ("real\n", "real {0.5}\n", "line 2: .* attribute 'a' has a weight, \\{0.5}, and weights"),
        ("{A,B}", "{A,B} {2}", "line 3: .* attribute 'cls' has a weight, \\{2}, and weights"),
        ("a real\n", "a relational\n@attribute q real\n@end a\n", "'a' is relational, a table"),
        ("2.5,A\n", "2.5,'A\n", "line 5: .* a quote that is open; put the whole value in quotes"),
        ("2.5,A\n", "2.5,A'\n", "line 5: .* a quote that is open; put the whole value in quotes"),
        ("2.5,A\n", "2.5,,A\n", r"line 5: .* more or fewer values \(3\) than .* attributes \(2\)"),
        ("2.5,A\n", "2.5 0 A\n", r"line 5: .* more or fewer values \(3\) than .* attributes \(2\)"),
        ("2.5,A\n", "{0 1, 0 2}\n", "line 5: .* a sparse row is {NUMBER VALUE, NUMBER VALUE, ...}"),
        ("2.5,A\n", "{0 1, 2 A}\n", "line 5: .* a sparse row is {NUMBER VALUE, NUMBER VALUE, ...}"),
        ("a real", "areal", "line 2: .* write @attribute NAME TYPE; attributes are numeric, str"),
        ("{A,B}", "{A,B", "line 3: .* write @attribute NAME TYPE; attributes are numeric, str"),
        ("@data\n", "", "line 4: .* the parts of the file do not follow each other as in ARFF;"),
        ("@data\n" + ROWS, "", "holds no data rows, only column names; add @data and rows"),
    ],
)  # fmt: skip
def test_case_s7_what_is_refused_by_name(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        look(tmp_path / "my.arff", (HEAD + ROWS).replace(old, new))


def test_case_s7_dates_are_texts(tmp_path: Path) -> None:
    lines = [f'"2020-01-{i % 28 + 1:02d}", {i}.5,{"AB"[i % 2]}' for i in range(40)]
    for declared in ("date", "DATE 'yyyy-MM-dd'", "date yyyy-MM-dd"):
        head = HEAD.replace("@attribute a", f"@attribute d {declared}\n@attribute a")
        table = look(tmp_path / "my.arff", head + "\n".join(lines))
        assert "column 'd': dates or times such as '2020-01-01'" in str(table.refusal)
        assert list(table.kinds) == ["a"]
        assert datasets.load(Request(str(tmp_path / "my.arff"), "cls", drop=("d",))).dropped
        table = look(tmp_path / "my.arff", head + "\n".join(lines), discrete=("d",))
        assert len(table.frame["d"].cat.categories) == 28


def test_a_column_that_breaks_its_declaration_is_rescued_by_drop(tmp_path: Path) -> None:
    head = HEAD.replace("@attribute a", "@attribute b {u,v}\n@attribute a")
    text = head + "u,1.5,A\nw,2.5,B\nv,x,A\n"
    path = tmp_path / "my.arff"
    table = look(path, text)
    assert not table.kinds
    assert "line 7, column 'b': 'w' is not in the list that the attribute" in str(
        table.refused["b"]
    )
    assert "line 8, column 'a': 'x' is no finite number; correct it" in str(table.refused["a"])
    assert list(look(path, text, drop=("b",)).refused) == ["a"]
    text = text.replace("@data", "@attribute c real\n@data").replace("A\n", "A,1\n")
    made = look(path, text.replace("B\n", "B,2\n"), drop=("a", "b"))
    assert (list(made.kinds), made.refused) == (["c"], {})


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        (r"'it\'s',A", "it's"),
        (r'"say \"so\"",A', 'say "so"'),
        (r"'50\% off, now',A", "50% off, now"),
        (r"'9\9 \8\٣',A", "99 8٣"),
        (r"'a\\b\tc\u00e9\101',A", "a\\b\tcéA"),
        ("'',A", ""),
        ("50%,A", "50%"),
        ("50% off,A % a word", "50% off"),
        ("dark blue,A", "dark blue"),
        ("'dark blue' A", "dark blue"),
        ("a\\b,A", "a\\b"),
        ("{0 'dark blue', 1 A}", "dark blue"),
    ],
)
def test_texts_are_the_files_own(text: str, cells: str) -> None:
    content = HEAD.replace("a real", "a string") + text
    raw = arff_text.read(content.encode(), "f")
    assert list(raw.columns["a"]) == [cells]
    assert list(raw.columns["cls"]) == ["A"]


@pytest.mark.slow
def test_beside_liac_arff() -> None:
    """Files written by liac-arff, with values of all kinds: each cell is what its reader makes."""
    rng = random.Random(0)
    texts = ["u", "w w", "it's", '"', "50%", "a,b", "\\", "é", " v", "?", "a\tb", "1.50"]
    for _ in range(60):
        attributes: list[tuple[str, str | list[str]]] = [("cls", ["n", "p"])]
        for i in range(rng.randint(1, 4)):
            kind = rng.choice(["NUMERIC", "REAL", "INTEGER", "STRING", rng.sample(texts[:-1], 5)])
            attributes.append((rng.choice(["a", "b c", "d-"]) + str(i), kind))
        rows = [[_cell(kind, rng) for _, kind in attributes] for _ in range(rng.randint(1, 20))]
        text = arff.dumps({"relation": "r", "attributes": attributes, "data": rows})
        expected = arff.loads(text.replace(" INTEGER", " REAL"))
        raw = arff_text.read(text.encode(), "f")
        assert list(raw.columns) == [name for name, _ in expected["attributes"]]
        for number, cells in enumerate(raw.columns.values()):
            read = pd.Series(cells).astype(object)
            own = pd.Series([row[number] for row in expected["data"]], dtype=object)
            assert read.where(read.notna(), None).tolist() == own.tolist(), text
        known = datasets.table.read_table("f", raw, "file", Request("f", "cls"))
        assert len(known.frame) == len(rows)


def _cell(kind: str | list[str], rng: random.Random) -> object:
    if rng.random() < 0.1:
        return None
    if isinstance(kind, list):
        return rng.choice(kind)
    if kind == "STRING":
        return rng.choice(["u", "w w", "it's", '"', "50%", "a,b", "\\", "é", "x\ty"])
    return rng.choice([1.0, -2.0, 0.125, 1e300]) if kind == "INTEGER" else rng.gauss(0, 1)


def test_missing_is_told_from_a_question_mark_in_quotes() -> None:
    raw = arff_text.read((HEAD.replace("a real", "a string") + "?,A\n'?',A\n,A\n").encode(), "f")
    assert np.asarray(raw.columns["a"].codes >= 0).tolist() == [False, True, False]
    assert MISSING_TEXTS == ("", "?")


def test_a_question_mark_in_quotes_is_told_and_may_be_a_level(tmp_path: Path) -> None:
    """It is a value to WEKA, whose tokens in quotes are words, while some write gaps so."""
    path = tmp_path / "my.arff"
    rows = [f"{each},{i}.5,{'AB'[i % 2]}" for i, each in enumerate(["u", "'?'", "v", "?"] * 5)]
    head = "@relation r\n@attribute a {u,v,'?'}\n@attribute b real\n@attribute c {A,B}\n@data\n"
    path.write_text(head + "\n".join(rows) + "\n")
    table = datasets.load(Request(str(path), "c"))
    assert [*table.cells("a").categories] == ["u", "v"]
    (note,) = [each for each in table.notes if "in quotes" in each]
    assert "stands for a missing value, in 'a' (5 cells); `missing_texts: {only: [NA]}`" in note
    asked = datasets.load(Request(str(path), "c", missing_texts=("NA",)))
    assert {*asked.cells("a").categories} == {"u", "v", "?"}
    assert asked.cells("a").isna().sum() == 5
    assert not any("in quotes" in each for each in asked.notes)
