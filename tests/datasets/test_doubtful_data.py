"""Columns that may be misunderstood: what is said of them, where, and how to silence it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from conftest import Call
from hypothesis import given
from hypothesis import strategies as st

from gdcurves import datasets
from gdcurves.datasets import CATALOGUE, Request, Table
from gdcurves.datasets.formats import delimited
from gdcurves.datasets.written import spelling
from gdcurves.errors import UserError
from gdcurves.problems.problem import build

TWELVE = range(12)


def look(path: Path, cells: Sequence[object], **options: object) -> Table:
    """Read a column `a` beside an input `b` and a target `y`, separated by tabs."""
    rows = [f"{cell}\t{i}.5\t{'np'[i % 2]}" for i, cell in enumerate(cells)]
    path.write_text("\n".join(["a\tb\ty", *rows]) + "\n")
    return datasets.look(Request(str(path), "y", **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cells", "note"),
    [
        ([f"{i} kg" for i in TWELVE], ", line 2, column 'a': 12 of 12 cells look like numbers, s"),
        ([f"{i},5 kg" for i in TWELVE], "such as '0,5 kg', and are read as texts; numbers are wri"),
        (["10 kg", "20 kg", "30 kg"] * 4, "column 'a': 12 of 12 cells look like numbers, such as"),
        (["3", "4", "5", "no answer"] * 3, "9 of 12 cells look like numbers, such as '3', and"),
        (["3", "4", "5"] * 4, ": 1 column of whole numbers from 3 to 5 is read as numbers: a;"),
        (
            ["x", "x", *(f"1.{i},5" for i in range(100, 110)), "?", "n/a"],
            ", line 4, column 'a': 10 of 13 cells look like numbers, such as '1.100,5', and are"
            " read as texts; the others: 'x' (line 2), 'n/a' (line 15); numbers are written with a",
        ),
        (
            ["x", "y", "NA", "x", "y", " NA", "x", "-"],
            ", line 4, column 'a': 3 of 8 cells hold 'NA' or '-', taken for a level of its own; add"
            " it to 'missing_texts' (--missing-text) if it stands for a missing value, or name",
        ),
        ([f"{i}-{i + 9}" for i in TWELVE] * 2, "24 of 24 cells hold several numbers, such as '0-"),
        ([12 - i for i in TWELVE], ", column 'a': holds each number from 1 to 12 once, as number"),
        ([7 + i for i in TWELVE], ", column 'a': holds each number from 7 to 18 once, as numb"),
        ([20240131 - i for i in TWELVE], "the numbers look like dates, such as 20240131; name it"),
    ],
)  # fmt: skip
def test_columns_that_may_be_misunderstood(tmp_path: Path, cells: list[object], note: str) -> None:
    path = tmp_path / "my.csv"
    (said,) = look(path, cells).notes
    assert said.startswith(f"file {path}")
    assert note in said
    assert "\n" not in said
    for key in ("drop", "discrete"):  # who names the column knows
        assert not look(path, cells, **{key: ("a",)}).notes


@pytest.mark.parametrize(
    "cells",
    [
        [f"{i}.5" for i in TWELVE],
        [7 + 2 * i for i in TWELVE],
        [20240000 + 2 * i for i in TWELVE],
        [20240101.5 + i for i in TWELVE],
        [1, *(1.5 + i for i in range(10)), 12],
        [f"C{i % 11}" for i in range(24)],
        [f"{i}{'abc'[i % 3]}" for i in TWELVE] * 2,
        [f"R{i}-{i + 9}" for i in TWELVE] * 2,
        [f"192.168.0.{i}" for i in TWELVE] * 2,
        [f"item{i}" for i in TWELVE] * 2,
        ["10 kg", "20 kg"] * 6,  # levels as good as 10 and 20 would be
        ["1", "2"] * 6,
        ["01", "02", "03"] * 4,  # codes
        [i % 12 for i in range(48)],  # more than scores
        ["red", "blue", "1,5"] * 4,
        ["+", "-"] * 6,
        ["none", "Na", "NAN0"] * 4,
        [*(f"p{i}" for i in TWELVE), "NA"],  # left out, with another text in every row
    ],
)
def test_columns_that_are_as_they_seem(tmp_path: Path, cells: list[object]) -> None:
    table = look(tmp_path / "my.csv", cells)
    assert not table.notes
    assert not table.refused


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (
            [*(f"{i}.5" for i in TWELVE), "n/a?", "unknown", "n/a?", "12,5", "-", "none"],
            ", line 14, column 'a': 'n/a?' is no number, and 12 of 18 cells are; no numbers either:"
            " 'unknown' (line 15), '12,5' (line 17), '-' (line 18), 1 other text; numbers are writ",
        ),
        (["0.5", "1.5", "2.5", "o/a"] * 3, ", line 5, column 'a': 'o/a' is no number, and 9 of 12"),
        (
            ["2024-01-31", "unknown", "3-Jan-2024", "31.01.2024 10:00"] * 3,
            ", line 2, column 'a': dates or times such as '2024-01-31' in 9 of 12 cells have",
        ),
        (
            [f"{day:02d}JAN2024" for day in TWELVE],
            ", line 2, column 'a': dates or times such as '00JAN2024' in 12 of 12 cells have",
        ),
        (
            ["31DEC2023:23:59:59", "01JAN2024:00:00:00"] * 6,
            ", line 2, column 'a': dates or times such as '31DEC2023:23:59:59' in 12 of 12",
        ),
        (
            [f"19{49 + i // 6}-{2 * (i % 6) + 1:02d}" for i in TWELVE],
            ", line 2, column 'a': dates or times such as '1949-01' in 12 of 12",
        ),
        (
            [f"{1974 + i // 4}Q{i % 4 + 1}" for i in TWELVE],
            ", line 2, column 'a': dates or times such as '1974Q1' in 12 of 12",
        ),
        (
            ["Jan 2004", "Sept-05", "2005 May"] * 4,
            ", line 2, column 'a': dates or times such as 'Jan 2004' in 12 of 12",
        ),
    ],
)
def test_columns_of_no_certain_kind_are_refused(
    tmp_path: Path, cells: list[object], message: str
) -> None:
    path = tmp_path / "my.csv"
    table = look(path, cells)
    assert message in str(table.refused["a"])
    assert list(table.kinds) == ["b"]
    with pytest.raises(UserError, match="column 'a'"):
        datasets.load(Request(str(path), "y"))
    assert look(path, cells, discrete=("a",)).kinds["a"] == "discrete"


def test_case_s18_infinity_is_no_score(tmp_path: Path) -> None:
    table = look(tmp_path / "my.csv", ["1", "2000", "3000", "1e400"] * 5)
    assert "column 'a': inf is no finite number" in str(table.refused["a"])
    assert not table.notes


@pytest.mark.parametrize(
    ("labels", "n_notes"),
    [(["1,5", "2,5"], 1), (["1.5", "2"], 1), (["1", "2"], 0), (["<5", "1.5"], 0)],
)
def test_numbers_as_classes(tmp_path: Path, labels: list[str], n_notes: int) -> None:
    path = tmp_path / "my.csv"
    path.write_text("b;y\n" + "".join(f"{i}.5;{labels[i % 2]}\n" for i in TWELVE))
    table = datasets.load(Request(str(path), "y"))
    assert len(build("e", table, "all").provenance.notes) == n_notes
    given = [(label, [label]) for label in labels]
    assert not build("e", table, "all", given).provenance.notes


@pytest.mark.slow
def test_nothing_of_the_package_is_doubtful() -> None:
    for spec in CATALOGUE.values():
        if spec.packaged_from is not None:
            table = datasets.look(spec.name)
            assert not table.notes
            assert not table.refused


numbers = st.integers(0, 10**9).map(lambda n: n / 100)


@given(numbers, st.sampled_from(["", "%", " kg", " €", "°C"]), st.sampled_from(["", "$", "CHF "]))
def test_numbers_in_another_way_of_writing(value: float, after: str, before: str) -> None:
    english = f"{value:,.2f}"
    german = english.replace(",", " ").replace(".", ",").replace(" ", ".")
    swiss, french = english.replace(",", "'"), english.replace(",", "\u202f").replace(".", ",")
    for text in (english, german, swiss, french):
        assert spelling.numbers_otherwise([f"{before}{text}{after}"]).tolist() == [value]


@pytest.fixture
def doubtful(tmp_path: Path) -> Path:
    """Numbers with their unit, and with them a column of dates."""
    path = tmp_path / "my.csv"
    rows = [
        f"{i % 20},5 kg;{i % 2};2024-01-{i % 30 + 1:02d};{'npp'[(i + i // 30) % 3]}"
        for i in range(60)
    ]
    path.write_text("\n".join(["size;b;day;y", *rows]) + "\n")
    return path


NOTE = "file my.csv, line 2, column 'size': 60 of 60 cells look like numbers, such as '0,5 kg', and"
DATES = "file my.csv, line 2, column 'day': dates or times such as '2024-01-01' in 60 of 60 cells"


@pytest.mark.slow
def test_every_command_says_so(call: Call, doubtful: Path) -> None:
    shown = call("datasets", "show", "my.csv", "--target", "y")
    assert (shown.code, shown.err) == (0, "")
    assert f"  note        {NOTE}" in shown.out
    assert f"  unclear     {DATES}" in shown.out

    refused = call("run", "--data", "my.csv", "--target", "y")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith(f"Error: {DATES}")
    assert "without it: gdcurves config init my.csv --target y --out my.yaml\n" in refused.err

    drafted = call("config", "init", "my.csv", "--target", "y")
    assert drafted.code == 0
    assert f"# note: {NOTE}" in drafted.out
    assert f"# left out: {DATES}" in drafted.out
    assert "    drop: [day]\n" in drafted.out
    assert [line[:66] for line in drafted.err.splitlines()] == [
        f"Note: {text}"[:66] for text in (f"left out: {DATES}", NOTE)
    ]
    config = doubtful.with_suffix(".yaml")
    config.write_text(drafted.out)
    checked = call("config", "check", "my.yaml")
    assert checked.out.startswith("my.yaml: no mistakes; 1 experiment, ")  # the config names it
    config.write_text(drafted.out.replace("    discrete: [size, b]\n", ""))
    checked = call("config", "check", "my.yaml")
    assert (checked.code, checked.err) == (0, "")
    assert checked.out.startswith(f"Note: {NOTE}")
    ran = call("run", "--config", "my.yaml", "--splits", "2", "--jobs", "1")
    assert ran.code == 0
    assert f"Note: {NOTE}" in ran.err

    doubtful.write_text(doubtful.read_text().replace("day", "size2").replace("2024-01-", "7."))
    ran = call("run", "--data", "my.csv", "--target", "y", "--splits", "2", "--jobs", "1")
    assert f"  note        {NOTE}" in ran.out


@pytest.mark.parametrize("n", [9, 40])
def test_a_quote_anywhere_changes_no_other_column(tmp_path: Path, n: int) -> None:
    """Not even where the fast reader gives way to the careful one."""
    rows = [f"{i},{i}.25,{i % 7},{'np'[i % 2]}" for i in range(n)]
    tables = []
    for name, header in (("plain", "k,a,c,y"), ("quoted", 'k,"a","c",y'), ("odd", 'k, "a",c,y')):
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join([header, *rows]) + "\n")
        tables.append(datasets.look(Request(str(path), "y")))
    for table in tables[1:]:
        assert table.kinds == tables[0].kinds
        assert table.sha256 == tables[0].sha256
        assert len(table.notes) == len(tables[0].notes)
    assert any("'k': holds each number" in note for note in tables[0].notes) == (n > 10)


def test_numbers_in_another_way_of_writing_that_all_differ_are_told(tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    path.write_text("\n".join(["a;y", *(f"{i},5 kg;{'np'[i % 2]}" for i in range(30))]) + "\n")
    with pytest.raises(UserError, match=r"'a': 30 of 30 cells look like .*; no inputs are left"):
        datasets.load(Request(str(path), "y"))


@pytest.mark.parametrize(("n", "remark"), [(1, "1 row, too few"), (2, "2 rows, "), (3, None)])
def test_a_class_of_hardly_any_row_is_named(tmp_path: Path, n: int, remark: str | None) -> None:
    path = tmp_path / "my.csv"
    rows = [f"{i}.5,{'rare' if i < n else 'np'[i % 2]}" for i in range(30)]
    path.write_text("\n".join(["a,y", *rows]) + "\n")
    notes = build("e", datasets.load(Request(str(path), "y")), "all", None, None).provenance.notes
    assert [f"class 'rare' has {remark}" in note for note in notes] == [True] * (remark is not None)


@pytest.mark.parametrize(
    ("declared", "n_notes"), [("{NA,x}", 0), ("string", 1)], ids=["nominal", "string"]
)
def test_levels_that_the_source_declares(tmp_path: Path, declared: str, n_notes: int) -> None:
    path = tmp_path / "my.arff"
    rows = "".join(f"{['NA', 'x'][i % 2]},{'np'[i % 3 % 2]}\n" for i in TWELVE)
    path.write_text(f"@relation r\n@attribute a {declared}\n@attribute y {{n,p}}\n@data\n{rows}")
    assert len(datasets.look(Request(str(path), "y")).notes) == n_notes


def gaps(path: Path, text: str, labels: str, other: str = "blue") -> None:
    """Write numbers in `a` and `b`, texts in `c`, each of the former with one text for gaps."""
    rows = [
        f"{text if i % 5 == 1 else f'{i}.5'}\t{text if i % 5 == 2 else i}"
        f"\t{text if i % 5 == 3 else other}\t{labels.split()[i % 2]}"
        for i in range(40)
    ]
    path.write_text("\n".join(["a\tb\tc\ty", *rows]) + "\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        *["NA", "N/A", "n/a", "null", "nan", "NaN", "None", "-", "--", ".", ".a", ".A", "._", ".."],
        *["missing", "\u2014", "#NV", "1.#QNAN"],
    ],
)
def test_case_s17_gaps_in_numbers(call: Call, tmp_path: Path, text: str) -> None:
    """They are taken for what they are, as if the cells were empty; in texts they are levels."""
    path = tmp_path / "my.csv"
    gaps(path, text, "n p")
    note = f"file my.csv: {text!r} among numbers is taken for a missing value, in 'a', 'b'; name a"
    other = f"column 'c': 8 of 40 cells hold {text!r}, taken for a level of its own; add it to"
    quick = ("--sizes", "6", "--fitters", "naive_bayes,majority", "--splits", "2", "--jobs", "1")
    ran = call("run", "--data", "my.csv", "--target", "y", *quick)
    assert ran.code == 0
    drafted = call("config", "init", "my.csv", "--target", "y")
    for said in (ran.out, drafted.out, drafted.err):
        assert note in said
        assert other in said
    assert '    missing_texts: ["", "?"] #' in drafted.out
    assert "drop:" not in drafted.out
    (tmp_path / "my.yaml").write_text(drafted.out)
    assert call("config", "check", "my.yaml").out.startswith("my.yaml: no mistakes")
    written = datasets.load(Request("my.csv", "y", missing_texts=("", "?", text)))
    assert datasets.load(Request("my.csv", "y", drop=("c",))).sha256 == (
        datasets.load(Request("my.csv", "y", missing_texts=("", "?", text), drop=("c",))).sha256
    )
    gaps(path, "", "n p")
    assert written.sha256 == datasets.load(Request("my.csv", "y")).sha256
    assert list(written.kinds.values()) == ["continuous", "continuous", "discrete"]


def test_case_s17_gaps_in_few_numbers(tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    table = look(path, ["0", "1", "null"] * 4)
    assert table.frame["a"].value_counts().to_dict() == {"0": 4, "1": 4}
    assert "'null' among numbers is taken for a missing value, in 'a'; name" in table.notes[0]
    asked = look(path, ["0", "1", "null"] * 4, discrete=("a",))
    assert list(asked.frame["a"].cat.categories) == ["0", "1", "null"]
    only = look(path, ["0", "1", "null"] * 4, missing_texts=("?",))
    assert list(only.frame["a"].cat.categories) == ["0", "1", "null"]


@pytest.mark.slow
def test_gaps_among_numbers_that_are_classes(call: Call, tmp_path: Path) -> None:
    """Rows without a class are left out, as an empty cell there does; `classes` makes it one."""
    path = tmp_path / "my.csv"
    cells = ["0", "1", "NA", "1", "0"] * 8
    path.write_text("x,y\n" + "".join(f"{i % 7 + i / 100},{c}\n" for i, c in enumerate(cells)))
    ran = call(
        *("run", "--data", "my.csv", "--target", "y", "--splits", "2", "--sizes", "6"),
        *("--fitters", "naive_bayes,majority", "--jobs", "1"),
    )
    assert ran.code == 0
    note = "file my.csv: 'NA' among numbers is taken for a missing value, in 'y'; list the labels"
    assert note in ran.out
    assert "counts as a class" not in ran.out
    drafted = call("config", "init", "my.csv", "--target", "y")
    assert '    classes: ["0", "1"]' in drafted.out
    (tmp_path / "empty.csv").write_text(path.read_text().replace("NA", ""))
    assert datasets.load(Request("my.csv", "y")).sha256 == (
        datasets.load(Request("empty.csv", "y")).sha256
    )
    again = ("--classes", "0,1,NA", "--splits", "2", "--sizes", "6", "--jobs", "1", "--fresh")
    kept = call("run", "--data", "my.csv", "--target", "y", *again)
    assert kept.code == 0
    assert "among numbers" not in kept.out
    assert re.search(r"^my +40 +0 ", kept.out, re.MULTILINE)
    only = datasets.load(Request("my.csv", "y", missing_texts=("?",)))
    assert only.labels == ("0", "1", "NA")


@pytest.mark.parametrize("labels", [("TRUE", "FALSE"), ("T", "F"), ("true", "false")])
def test_gaps_beside_true_and_false(tmp_path: Path, labels: tuple[str, str]) -> None:
    """As R writes logical values; beside other labels, NA is one."""
    path = tmp_path / "my.csv"
    rows = [f"{i / 7},{[*labels, 'NA'][i % 3]}" for i in range(60)]
    path.write_text("\n".join(["x,y", *rows]) + "\n")
    table = datasets.load(Request(str(path), "y"))
    assert set(table.labels) == set(labels)
    assert int(table.frame["y"].isna().sum()) == 20
    assert "'NA' among true and false is taken for a missing value, in 'y'" in table.notes[0]
    path.write_text(path.read_text().replace(labels[1], "maybe"))
    assert set(datasets.load(Request(str(path), "y")).labels) == {labels[0], "maybe", "NA"}


def test_one_number_and_a_gap_are_two_classes(tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    path.write_text("x,y\n" + "".join(f"{i / 7},{'1' if i % 2 else 'NA'}\n" for i in range(20)))
    assert datasets.load(Request(str(path), "y")).labels == ("1", "NA")


def test_gaps_in_all_inputs_beside_what_stays_unclear(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    gaps(path, "NA", "n p", other="2024-01-31")
    shown = call("datasets", "show", "my.csv", "--target", "y")
    assert shown.out.count("  unclear     file my.csv, line ") == 1
    drafted = call("config", "init", "my.csv", "--target", "y")
    assert "    continuous: [a, b]\n" in drafted.out
    assert "    drop: [c]\n" in drafted.out
    path.write_text(path.read_text().replace("NA", "2024-01-31"))
    for command in (["config", "init"], ["run", "--data"]):
        ended = call(*command, "my.csv", "--target", "y")
        assert (ended.code, ended.out) == (2, "")


@pytest.mark.slow
def test_case_s17_gaps_spelt_like_a_label(call: Call, tmp_path: Path) -> None:
    """Labels stay what they are, with a note, and gaps among numbers are gaps."""
    gaps(tmp_path / "my.csv", "NA", "NA p")
    shown = call("run", "--data", "my.csv", "--target", "y", "--splits", "2", "--jobs", "1")
    assert "column 'y': 'NA' counts as a class; name it under 'missing_texts' (" in shown.out
    drafted = call("config", "init", "my.csv", "--target", "y")
    assert "    classes: [NA, p]\n" in drafted.out
    assert '    missing_texts: ["", "?"] #' in drafted.out
    assert "    continuous: [a, b]\n" in drafted.out
    (tmp_path / "my.yaml").write_text(drafted.out)
    assert call("config", "check", "my.yaml").code == 0


def test_gaps_with_another_text_are_not_guessed(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    gaps(path, "NA", "n p")
    path.write_text(path.read_text().replace("NA", "unknown", 1))  # in `a`
    drafted = call("config", "init", "my.csv", "--target", "y")
    assert "among numbers is taken for a missing value, in 'b'; name" in drafted.out
    assert "# left out: file my.csv, line 3, column 'a': 'unknown' is no number" in drafted.out
    assert "    drop: [a]\n" in drafted.out
    path.write_text(path.read_text().replace("NA", "unknown"))
    drafted = call("config", "init", "my.csv", "--target", "y")
    assert '    missing_texts: ["", "?"] #' in drafted.out
    assert "    drop: [a, b]\n" in drafted.out


STEPS = np.random.default_rng(7).integers(1, 6, 40)


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (1000 + np.cumsum(STEPS), "whole numbers that grow from row to row, from 1"),
        (5000 - np.cumsum(STEPS), "whole numbers that fall from row to row, from 4"),
        (np.arange(1790, 2010, 10), "grow from row to row, from 1790 to 2000, as numbers of rows"),
        (np.sort(np.random.default_rng(1).lognormal(9, 2, 40).astype(int)), ""),  # measured
        (np.repeat(1000 + np.cumsum(STEPS), STEPS), ""),
        (np.random.default_rng(2).permutation(1000 + np.cumsum(STEPS)), ""),
        (1000.5 + np.cumsum(STEPS), ""),
    ],
)
def test_numbers_that_count_rows_are_told_by_both_readers(
    tmp_path: Path, cells: np.ndarray, said: str
) -> None:
    """They are inputs all the same."""
    path = tmp_path / "my.csv"
    table = look(path, cells.tolist())
    assert table.kinds["a"] == "continuous"
    notes = [note for note in table.notes if "from row to row" in note]
    assert [said in note for note in notes] == [True] * bool(said)
    with mock.patch.object(delimited, "plain_quotes", return_value=None):
        careful = look(path, cells.tolist())
    assert (careful.notes, careful.sha256) == (table.notes, table.sha256)
    for key in ("drop", "continuous"):
        assert not look(path, cells.tolist(), **{key: ("a",)}).notes


def test_a_number_far_outside_beside_a_target_without_a_value(tmp_path: Path) -> None:
    """Whether it stands for a class cannot be asked, and the file is refused for its target."""
    path = tmp_path / "my.csv"
    cells = [999 if i % 9 == 0 else i % 7 + 0.5 for i in range(40)]
    path.write_text("x,y\n" + "".join(f"{each},\n" for each in cells))
    table = datasets.load(Request(str(path), "y"))
    assert table.labels == ()
    assert any("999 in 5 cells stands far outside" in note for note in table.notes)


def test_seasons_and_names_like_months_are_levels(tmp_path: Path) -> None:
    seasons = [f"20{i:02d}-{i + 1:02d}" for i in range(6)] * 2
    assert look(tmp_path / "my.csv", seasons).kinds["a"] == "discrete"
    assert look(tmp_path / "my.csv", ["Mary-12", "Marathon 2004"] * 6).kinds["a"] == "discrete"


def test_what_is_said_of_one_column_is_not_said_of_others(tmp_path: Path) -> None:
    """Codes and numbers that begin with zeros, and rows that are numbered and those that grow."""
    path = tmp_path / "my.csv"
    rows = [f"{i % 12:03d},{i:04d},{i + 1900},{i * i + 50 * i},{'np'[i % 2]}" for i in range(60)]
    path.write_text("\n".join(["state,rate,year,people,y", *rows]) + "\n")
    notes = datasets.look(Request(str(path), "y")).notes
    (codes,) = (note for note in notes if "are read as levels" in note)
    (numbers,) = (note for note in notes if "are read as numbers; if they are codes" in note)
    (each,) = (note for note in notes if "holds each number" in note)
    (grow,) = (note for note in notes if "from row to row" in note)
    columns = ("state", "rate", "year", "people")
    for said, of in zip((codes, numbers, each, grow), columns, strict=True):
        assert [name for name in columns if repr(name) in said] == [of]


def test_numbers_of_most_rows_stand_outside_nothing(tmp_path: Path) -> None:
    cells = [0 if i % 5 else 98 + i % 3 / 2 for i in range(60)]
    assert not any("outside" in note for note in look(tmp_path / "my.csv", cells).notes)
    few = [0 if i % 5 == 0 else 98 + i % 3 / 2 for i in range(60)]
    assert any("0 in 12 cells stands" in note for note in look(tmp_path / "my.csv", few).notes)


@pytest.mark.parametrize(
    ("name", "is_told"),
    [
        *((name, True) for name in ("Postal Code", "zip_code", "PLZ", "AirlineID", "Código IBGE")),
        *((name, False) for name in ("barcode", "video", "income")),
    ],
)
def test_names_that_speak_of_codes(tmp_path: Path, name: str, is_told: bool) -> None:
    path = tmp_path / "my.csv"
    rows = [f"{1000 + i * 7919 % 89},{'np'[i % 2]}" for i in range(120)]
    path.write_text("\n".join([f"{name},y", *rows]) + "\n")
    table = datasets.look(Request(str(path), "y"))
    assert table.kinds == {name: "continuous"}
    told = f"is read as numbers: {name}; if it holds codes, say so under 'discrete'"
    assert any(told in note for note in table.notes) == is_told
    assert not datasets.look(Request(str(path), "y", continuous=(name,))).notes


@pytest.mark.parametrize(
    ("least", "is_told"), [(356938035643809, True), (9_000_000_000, True), (90_000, False)]
)
def test_long_numbers_that_never_repeat(tmp_path: Path, least: int, is_told: bool) -> None:
    """As those of telephones are; not sums of money, of which some have a digit less."""
    path = tmp_path / "my.csv"
    numbers = [least + i * 7919 % 104729 for i in range(60)]
    for cells, told in ((numbers, is_told), ([*numbers[1:], 123_456_789], False)):
        rows = [f"{cell},{i % 7}.5,{'np'[i % 2]}" for i, cell in enumerate(cells)]
        path.write_text("\n".join(["Mobile,x,y", *rows]) + "\n")
        table = datasets.look(Request(str(path), "y"))
        assert table.kinds["Mobile"] == "continuous"
        assert any("digits, as numbers of telephones" in note for note in table.notes) == told


def test_scores_and_codes_have_a_line_each(tmp_path: Path) -> None:
    """A key of samples that repeats, beside scores from 1 to 10."""
    path = tmp_path / "my.csv"
    rows = [f"{1000 + i * 37 % 89},{i % 10 + 1},{'np'[i // 3 % 2]}" for i in range(120)]
    path.write_text("\n".join(["ID,V1,y", *rows]) + "\n")
    notes = datasets.look(Request(str(path), "y")).notes
    scores, codes = (note for note in notes if "read as numbers" in note)
    assert "1 column of whole numbers from 1 to 10 is read as numbers: V1;" in scores
    assert "under a name that speaks of codes is read as numbers: ID;" in codes
    assert "--drop" in codes


@pytest.mark.parametrize("name", ["identifier", "Case identifier", "patientIdentifier"])
def test_identifiers_are_no_inputs(tmp_path: Path, name: str) -> None:
    path = tmp_path / "my.csv"
    rows = [f"{i * 7919 % 104729},{i}.5,{'np'[i % 2]}" for i in range(60)]
    path.write_text("\n".join([f"{name},x,y", *rows]) + "\n")
    table = datasets.look(Request(str(path), "y"))
    assert (list(table.kinds), list(table.dropped)) == (["x"], [name])


def test_marks_of_missing_values_alone_are_no_value(tmp_path: Path) -> None:
    """As R writes a column of nothing but NA, and pandas one of dates."""
    for text in ("NA", "NaT"):
        table = look(tmp_path / "my.csv", [text] * 12)
        assert (table.dropped, table.notes) == ({"a": "no value in any row"}, ())
    assert look(tmp_path / "my.csv", ["NA"] * 12, discrete=("a",)).kinds["a"] == "discrete"


@pytest.mark.parametrize(
    ("name", "is_told"),
    [
        *((name, True) for name in ("En No", "Permit No.", "pidnum", "AtomicNumber", "DocketNr")),
        *((name, False) for name in ("casino", "domino", "income", "number of rooms")),
    ],
)
def test_names_of_numbers_of_cases(tmp_path: Path, name: str, is_told: bool) -> None:
    """Of whole numbers that never repeat, in no order; they are inputs all the same."""
    path = tmp_path / "my.csv"
    cells = [i * 7919 % 104729 for i in range(60)]
    for values, of in ((cells, is_told), ([*cells[1:], cells[1]], False)):
        rows = [f"{value},{i % 7}.5,{'np'[i % 2]}" for i, value in enumerate(values)]
        path.write_text("\n".join([f"{name},x,y", *rows]) + "\n")
        table = datasets.look(Request(str(path), "y"))
        assert table.kinds == {name: "continuous", "x": "continuous"}
        assert any("whole numbers that never repeat" in note for note in table.notes) == of
    assert not datasets.look(Request(str(path), "y", drop=(name,))).notes


@pytest.mark.parametrize("named", ["999", "999.0", "9.99e2"])
@pytest.mark.parametrize(
    ("written", "point", "beside"),
    [("999.0", ".", "50.5"), ("999.00", ".", "NA"), ("9.99e+2", ".", "NA"), ("999,0", ",", "50,5")],
)
def test_a_code_is_the_number_that_it_is_however_written(
    tmp_path: Path, named: str, written: str, point: str, beside: str
) -> None:
    """As numbers, 999 is 999.0, also in a column that is read as texts: with NA, or with commas."""
    cells = [f"{40 + i * 37 % 19 / 4}".replace(".", point) for i in range(60)]
    for row in (3, 18, 33):
        cells[row] = written
    cells[7] = beside
    path = tmp_path / "my.csv"
    lines = [f"{cell};{i}.25;{'np'[i // 2 % 2]}" for i, cell in enumerate(cells)]
    path.write_text("\n".join(["b;a;y", *lines]) + "\n")
    asked = Request(str(path), "y", missing_texts=("", "?", named))
    column = datasets.load(asked).frame["b"].to_numpy()
    gaps = {3, 18, 33} | ({7} if beside == "NA" else set())
    assert set(np.flatnonzero(np.isnan(column))) == gaps
    assert np.nanmax(column) < 60


def test_a_code_with_zeros_in_front_is_what_is_written(tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    lines = [f"{['01', '02', '1', '2'][i % 4]},{i}.25,{'np'[i // 3 % 2]}" for i in range(40)]
    path.write_text("\n".join(["b,a,y", *lines]) + "\n")
    table = datasets.load(Request(str(path), "y", missing_texts=("", "?", "1"), discrete=("b",)))
    assert list(table.frame["b"].cat.categories) == ["01", "02", "2"]


@pytest.mark.parametrize("text", ["1.0", "1"])
def test_a_level_of_a_number_is_missing_however_written(tmp_path: Path, text: str) -> None:
    path = tmp_path / "my.csv"
    lines = [f"{i % 3},{i}.25,{'np'[i // 3 % 2]}" for i in range(40)]
    path.write_text("\n".join(["b,a,y", *lines]) + "\n")
    table = datasets.load(Request(str(path), "y", missing_texts=("", "?", text), discrete=("b",)))
    assert list(table.frame["b"].cat.categories) == ["0", "2"]


def test_numbers_of_rows_of_any_size_are_told_in_short(tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    path.write_text("b,y\n" + "".join(f"{i}e300,{'np'[i // 3 % 2]}\n" for i in range(1, 60)))
    (note,) = [each for each in datasets.load(Request(str(path), "y")).notes if "grow" in each]
    assert "from 1e+300 to 5.9e+301, as" in note
