"""Numbers as people write them: what is read, what is shown, and what has to be settled."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import Call
from hypothesis import given
from hypothesis import strategies as st

from gdcurves import config, datasets, plan
from gdcurves.datasets import Request, Table
from gdcurves.datasets.columns import outlying
from gdcurves.datasets.written import writings
from gdcurves.errors import UserError
from gdcurves.plan import loading

SHARED = Path(__file__).resolve().parents[3] / "shared" / "cases" / "second"


def look(path: Path, *columns: Sequence[str], **options: object) -> Table:
    """Read columns `a`, `b` and so on beside a target `y`, between semicolons."""
    names = [*"abcdef"[: len(columns)], "y"]
    labels = ["np"[i % 2] for i in range(len(columns[0]))]
    lines = [";".join(row) for row in (names, *zip(*columns, labels, strict=True))]
    path.write_text("\n".join(lines) + "\n")
    return datasets.look(Request(str(path), "y", **options))  # type: ignore[arg-type]


def spelt(written: str, n: int = 12) -> list[str]:
    """Cells after the pattern of one, whose first digit is replaced."""
    return [written.replace("#", str(i % 9 + 1), 1).replace("#", str(i % 7)) for i in range(n)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("#,#5", lambda i, j: i + j / 10 + 0.05),
        ("-#,#5", lambda i, j: -(i + j / 10 + 0.05)),
        ("#,#5-", lambda i, j: -(i + j / 10 + 0.05)),
        ("#.23#,5-", lambda i, j: -(i * 1000 + 230 + j + 0.5)),
        ("\u2212#,5", lambda i, j: -(i + 0.5)),
        ("#,#5e+03", lambda i, j: float(f"{i}.{j}5e3")),
        ("0,#", lambda i, j: i / 10),
        ("0,#00", lambda i, j: i / 10),
        ("#.234,#", lambda i, j: i * 1000 + 234 + j / 10),
        ("#,234.#", lambda i, j: i * 1000 + 234 + j / 10),
        ("#,234,#00", lambda i, j: i * 1_000_000 + 234_000 + j * 100),
        ("#.234.#00", lambda i, j: i * 1_000_000 + 234_000 + j * 100),
        ("#,23,#00", lambda i, j: i * 100_000 + 23_000 + j * 100),
        ("\u20b9#4,10,23,#00.5", lambda i, j: i * 100_000_000 + 41_023_000.5 + j * 100),
        ("# 23#", lambda i, j: i * 1000 + 230 + j),
        ("#\u00a023#", lambda i, j: i * 1000 + 230 + j),
        ("#\u202f23#,5", lambda i, j: i * 1000 + 230 + j + 0.5),
        ("#'23#", lambda i, j: i * 1000 + 230 + j),
        ("#\u201923#.5", lambda i, j: i * 1000 + 230 + j + 0.5),
        ("#4.#%", lambda i, j: i * 10 + 4 + j / 10),
        ("#4,# %", lambda i, j: i * 10 + 4 + j / 10),
        ("$#.#5", lambda i, j: i + j / 10 + 0.05),
        ("-$#,999.#5", lambda i, j: -(i * 1000 + 999 + j / 10 + 0.05)),
        ("($#,999.#5)", lambda i, j: -(i * 1000 + 999 + j / 10 + 0.05)),
        ("\u20ac #.999,#0", lambda i, j: i * 1000 + 999 + j / 10),
        ("#.999,#0 \u20ac", lambda i, j: i * 1000 + 999 + j / 10),
        ("CHF #'999.#0", lambda i, j: i * 1000 + 999 + j / 10),
        ("#,#0 EUR", lambda i, j: i + j / 10),
        ("US$#.#0", lambda i, j: i + j / 10),
        ("# #99 kr", lambda i, j: i * 1000 + j * 100 + 99),
        ("#\u00b7#5", lambda i, j: i + j / 10 + 0.05),
        ("#,23#\u00b75", lambda i, j: i * 1000 + 230 + j + 0.5),
        ("#\u00b723#", lambda i, j: i + 0.23 + j / 1000),
        ("'#'23#.5", lambda i, j: i * 1000 + 230 + j + 0.5),
        ("- #.#5", lambda i, j: -(i + j / 10 + 0.05)),
        ("\u2013#.#5", lambda i, j: -(i + j / 10 + 0.05)),
        ("\u2010#.#5", lambda i, j: -(i + j / 10 + 0.05)),
        ("$(#,999.#5)", lambda i, j: -(i * 1000 + 999 + j / 10 + 0.05)),
        ("$ (#.#5)", lambda i, j: -(i + j / 10 + 0.05)),
        ("(#.#5)%", lambda i, j: -(i + j / 10 + 0.05)),
        ("(#.#5 %)", lambda i, j: -(i + j / 10 + 0.05)),
        ("%#,#5", lambda i, j: i + j / 10 + 0.05),
        ("#9#,-", lambda i, j: i * 100 + 90 + j),
        ("CHF #'90#.\u2014", lambda i, j: i * 1000 + 900 + j),
        ("Rs. #,90,00#/-", lambda i, j: i * 100_000 + 90_000 + j),
        ("#,990,99#\u5186", lambda i, j: i * 1_000_000 + 990_990 + j),
        ("\uffe5#,99#.5", lambda i, j: i * 1000 + 990 + j + 0.5),
        ("#.90#,5 TL", lambda i, j: i * 1000 + 900 + j + 0.5),
        ("#\u066c99#\u066b5", lambda i, j: i * 1000 + 990 + j + 0.5),
        ("#,99#e+02", lambda i, j: i * 100 + 99 + j / 10),
        ("#.99#D+02", lambda i, j: i * 100 + 99 + j / 10),
    ],
)  # fmt: skip
def test_case_s15_a_column_that_is_numbers_in_one_way(
    tmp_path: Path, written: str, values: Callable[[int, int], float]
) -> None:
    cells = spelt(written)
    table = look(tmp_path / "my.csv", cells)
    assert table.kinds == {"a": "continuous"}
    expected = [values(i % 9 + 1, i % 7) for i in range(12)]
    np.testing.assert_allclose(table.frame["a"], expected, rtol=1e-12)
    (note,) = table.notes
    shown = "a" and cells[0].strip()
    assert f"my.csv: read as numbers: 'a' ({shown!r} as " in note
    assert not look(tmp_path / "my.csv", cells, continuous=("a",)).notes  # who names it knows
    asked = look(tmp_path / "my.csv", cells, discrete=("a",))
    assert set(asked.frame["a"].cat.categories) == set(cells)


@pytest.mark.parametrize(
    "cells",
    [
        ["1,5", "2.5", "3,5", "4,25"],
        ["$1.5", "\u20ac2.5", "$3.5", "$4.5"],
        ["1,23,4", "1,5", "2,5", "3,5"],
        ["1,5", "2,5", "3,5", "red"],
        ["1 23", "1 24", "1 25", "1 26"],
        ["1.23.456", "2.34.567", "3.45.678", "1.2"],  # versions
        ["1,23,456", "2,34.567", "3,45,678", "4,5"],
        ["1.234,5.6", "1.234,5", "2.345,6", "3,5"],
        ["+-1,5", "2,5", "3,5", "4,5"],
        ["1,5 kg", "2,5 kg", "3,5 kg", "4,5 kg"],
        ["1\u00b72\u00b73", "2\u00b75", "3\u00b75", "4\u00b75"],
        ["01,234.5", "2,345.5", "3,456.5", "4,567.5"],
        ["1'234 567", "2'345 678", "3'456 789", "4'567 890"],
        ["1,234 567", "1 234,567", "9,345 678", "8,456 789"],
    ],
)
def test_case_s15_no_column_is_read_in_two_ways(tmp_path: Path, cells: list[str]) -> None:
    """Cells written in several ways, or in none, are texts still; a quarter of them suffices."""
    table = look(tmp_path / "my.csv", cells * 3)
    assert table.kinds == {"a": "discrete"}
    assert set(table.frame["a"].cat.categories) == set(cells)


def test_an_accounts_zero_is_no_level(tmp_path: Path) -> None:
    """$- is Excel's zero, and numbers in brackets beside it are numbers that are told."""
    cells = ["$1.50", "$(2.50)", "$-", "$4.25", "($5.75)", "$7.00"] * 5
    cells = [cell.replace(".", f".{i}") for i, cell in enumerate(cells)]
    table = look(tmp_path / "my.csv", cells)
    assert "but not all in one way; the others: '$-' (line 4)" in str(table.refused["a"])
    zeros = [cell.replace("$-", "$0") for cell in cells]
    assert look(tmp_path / "my.csv", zeros).frame["a"][2] == 0


def test_a_raised_point_stands_beside_no_other(tmp_path: Path) -> None:
    table = look(tmp_path / "my.csv", ["1.5", "2\u00b75", "3.5", "4.5"] * 3)
    assert "line 3, column 'a': '2\u00b75' is no number" in str(table.refused["a"])


def test_a_unit_that_the_note_names_is_taken_out_and_numbers_are_read(tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    (note,) = look(path, [f"{i % 20},5 mm" for i in range(60)]).notes
    unit = re.search("without '(.*)'; take that out of the cells", note)
    assert unit is not None
    path.write_text(path.read_text().replace(f" {unit[1]}", ""))
    table = datasets.look(Request(str(path), "y"))
    np.testing.assert_array_equal(table.frame["a"], np.arange(60) % 20 + 0.5)


LATE = [f"{i},234" for i in range(1, 10)]


def test_case_s15_two_ways_are_refused_with_what_settles_them(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    table = look(path, LATE)
    message = (
        "line 2, column 'a': '1,234' may be 1.234 (--decimal ,) or 1234 (--thousands ,); give one"
        " of them, as a key of the experiment in a config, or name the column under 'drop' ("
    )
    assert message in str(table.refused["a"])
    with pytest.raises(UserError, match=r"may be 1\.234"):
        datasets.load(Request(str(path), "y", continuous=("a",)))
    for given_, factor in (("--decimal ,", 1), ("--thousands ,", 1000), ("--decimal .", 1000)):
        drafted = call("config", "init", "my.csv", "--target", "y", *given_.split())
        assert drafted.code == 0
        (tmp_path / "my.yaml").write_text(drafted.out)
        problems, _ = loading.load(plan.make(config.load(tmp_path / "my.yaml")), "packaged", None)
        assert problems["my"].features == ("a",)
        mark = "," if factor == 1 else "."
        assert f'    decimal: "{mark}" # ' in drafted.out
        table = datasets.load(Request(str(path), "y", decimal=mark))
        assert table.frame["a"].tolist() == [factor * float(f"{i}.234") for i in range(1, 10)]
    for key in ("decimal: ','", "thousands: '.'"):
        (tmp_path / "my.yaml").write_text(
            "splits: 2\nsizes: [4]\nfitters: [{type: naive_bayes}]\nexperiments:\n"
            f"  - {{name: e, data: my.csv, target: y, rescale: none, {key}}}\n"
        )
        problems, _ = loading.load(plan.make(config.load(tmp_path / "my.yaml")), "packaged", None)
        assert float(np.max(problems["e"].x)) == 9.234  # type: ignore[union-attr]
    assert call("config", "init", "my.csv", "--target", "y", "--drop", "a").code == 2


@pytest.mark.parametrize(
    ("others", "mark"),
    [
        ([["0,5"] * 9], ","),
        ([["1.5"] * 9], "."),
        ([["94.7%"] * 9], "."),
        ([["1.000.000"] * 9], ","),
        ([[*["1,234"] * 8, "1,2"]], ","),
        ([["1.5"] * 9, ["1,5"] * 9], None),
        ([["1.234"] * 9], None),
        ([["17"] * 9], None),
        ([["1 000"] * 9], None),
        ([["1.000.000,5"] * 9, ["1,25"] * 9], ","),
    ],
)
def test_case_s15_one_column_settles_the_file(
    tmp_path: Path, others: list[list[str]], mark: str | None
) -> None:
    values = {",": [float(f"{i}.234") for i in range(1, 10)]}
    values["."] = [1000 * value for value in values[","]]
    for columns in ((LATE, *others), (*others, LATE)):
        table = look(tmp_path / "my.csv", *columns)
        name = "a" if columns[0] is LATE else "abc"[len(others)]
        assert table.decimal == mark
        assert (name in table.refused) == (mark is None)
        if mark is not None:
            np.testing.assert_allclose(table.frame[name], values[mark], rtol=1e-12)


@pytest.mark.parametrize("large", [False, True])
def test_case_s15_points_between_thousands_look_like_decimals(tmp_path: Path, large: bool) -> None:
    """1.500 beside decimal commas is 1500, although every reader takes it for a number."""
    n = 300 if large else 12
    thousands = [f"{i // 10 + 1}.{i % 10}00" if i % 3 else str(900 + i % 100) for i in range(n)]
    settled = look(tmp_path / "my.csv", [f"{i % 50},5" for i in range(n)], thousands)
    assert settled.frame["b"].tolist() == [float(cell.replace(".", "")) for cell in thousands]
    assert "'b' ('1.100' as 1100)" in settled.notes[0]
    alone = look(tmp_path / "my.csv", thousands)
    assert "'1.100' may be 1.100 (--decimal .) or 1100 (--thousands .); g" in str(
        alone.refused["a"]
    )
    plain = look(tmp_path / "my.csv", thousands, decimal=".")
    assert plain.frame["a"].tolist() == [float(cell) for cell in thousands]
    for cells in (thousands[1:3] * n, [f"{cell[:-2]}15" for cell in thousands]):
        assert not look(tmp_path / "my.csv", cells).refused  # all scaled alike, or of decimals
    beside = look(
        tmp_path / "my.csv", [f"{i % 50},5" for i in range(n)], [f"{i}.25" for i in range(n)]
    )
    assert beside.frame["b"].tolist() == [i + 0.25 for i in range(n)]


def test_case_s15_a_column_is_judged_whole(tmp_path: Path) -> None:
    cells = [f"{i % 900 + 1},234" for i in range(3000)]
    assert look(tmp_path / "my.csv", cells).refused
    for last, value in (("1,5", 1.234), ("1,000,000", 1234.0), ("0,123", 1.234)):
        table = look(tmp_path / "my.csv", [*cells, last])
        assert table.frame["a"][0] == value
    refused = look(tmp_path / "my.csv", [*cells, "red"]).refused["a"]
    assert "3,000 of 3,001 cells look like numbers, such as '1,234', but not all" in str(refused)
    assert "; the others: 'red' (line 3002); " in str(refused)
    mixed = look(tmp_path / "my.csv", [f"{i},5" if i % 9 else f"{i}.25" for i in range(40)])
    assert "40 of 40 cells look like numbers, such as '1,5', but not all" in str(mixed.refused["a"])


def test_case_s15_gaps_and_thresholds(tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    table = look(path, [*spelt("#,#5"), "NA", "", "-"])
    assert np.isnan(table.frame["a"][12:]).all()
    assert any("'NA' or '-' among numbers is taken for a missing value" in n for n in table.notes)
    path.write_text("\n".join(["y;a", *(f"{i},5;{i % 5},5" for i in range(30))]) + "\n")
    table = datasets.load(Request(str(path), "y", numeric_target=True))
    assert table.frame["y"].tolist() == [i + 0.5 for i in range(30)]


def test_case_s15_the_two_files(tmp_path: Path) -> None:
    """The same numbers with decimal commas and with points are the same table."""
    if not SHARED.is_dir():
        pytest.skip("no reference folder")
    comma, point = (
        datasets.load(Request(str(SHARED / f"dc_{name}.csv"), "g")) for name in ("comma", "point")
    )
    assert comma.sha256 == point.sha256
    assert comma.kinds == {"x": "continuous"}
    assert "read as numbers: 'x' ('1,29' as 1.29)" in comma.notes[0]
    assert not point.notes


SETTINGS = {
    "United States": (",", ".", "\n", csv.QUOTE_MINIMAL, "utf-8"),
    "Germany": (";", ",", "\r\n", csv.QUOTE_MINIMAL, "utf-8-sig"),
    "France": (";", ",", "\r\n", csv.QUOTE_ALL, "utf-8"),
    "Switzerland": (";", ".", "\r\n", csv.QUOTE_MINIMAL, "utf-8-sig"),
    "tabs, as copied in Sweden": ("\t", ",", "\n", csv.QUOTE_MINIMAL, "utf-8-sig"),
}


def excel(frame: pd.DataFrame, setting: str) -> bytes:
    """What Excel saves of a table under the settings of a country."""
    separator, mark, end, quoting, encoding = SETTINGS[setting]
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator, quoting=quoting, lineterminator=end)
    writer.writerow(frame.columns)
    for row in frame.itertuples(index=False):
        texts = ["" if cell != cell else str(cell) for cell in row]
        numbers = [isinstance(cell, float) for cell in row]
        writer.writerow(
            text.replace(".", mark) if number else text
            for text, number in zip(texts, numbers, strict=True)
        )
    return stream.getvalue().encode(encoding)


@pytest.mark.slow
def test_case_s15_five_countries_give_the_same_curves(call: Call, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "weight": rng.normal(70, 12, 60).round(1),
            "ratio": rng.normal(0, 1e-3, 60),
            "share": rng.choice([0.0, 0.25, 1.0], 60),
            "visits": rng.integers(0, 40, 60),
            "Gr\u00f6\u00dfe": rng.choice(["klein", "gro\u00df", "sehr gro\u00df"], 60),
            "y": rng.choice(["no", "yes"], 60),
        }
    )
    frame.loc[[3, 17], "ratio"] = np.nan
    frame["weight"] += 5 * (frame["y"] == "yes")
    made = {}
    for number, setting in enumerate(SETTINGS):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "my.csv").write_bytes(excel(frame, setting))
        command = [
            "run",
            "--data",
            f"{number}/my.csv",
            "--target",
            "y",
            "--splits",
            "3",
            "--sizes",
            "8,30",
        ]
        ended = call(*command, "--jobs", "1", "--out", f"results/{number}")
        assert ended.code == 0
        assert ("read as numbers: " in ended.out) == (SETTINGS[setting][1] == ",")
        folder = tmp_path / "results" / str(number)
        made[setting] = [(folder / name).read_bytes() for name in ("curves.csv", "comparisons.csv")]
    assert all(each == made["United States"] for each in made.values())


numbers = st.floats(-1e15, 1e15).map(lambda value: round(value, 3))


@given(st.lists(numbers, min_size=1, max_size=6), st.sampled_from([".,", ",.", ". ", ", ", ".'"]))
def test_numbers_of_any_size_are_read_as_they_are_written(values: list[float], marks: str) -> None:
    """Written by Python with commas between thousands, then with other marks."""
    mark, group = marks
    texts = [f"{value:,.3f}".translate(str.maketrans({",": group, ".": mark})) for value in values]
    read = writings.written(texts)
    assert read is not None
    assert mark in read.marks
    assert [float(writings.plainly(text, mark)) for text in texts] == values


# s18


@pytest.mark.slow
@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["0", "1"], "discrete"),
        (["1", "2"], "discrete"),
        (["7"], "discrete"),
        (["1", "2", "3"], "continuous"),
        ([str(i) for i in range(1, 11)], "continuous"),
        ([str(i) for i in range(11)], "continuous"),
        ([str(i) for i in range(12)], "continuous"),
        (["0.5", "1.5"], "continuous"),
        (["1,0", "2,0", "3,0"], "continuous"),
        (["1", "2", "3", "NA"], "continuous"),
        (["01", "02", "03"], "discrete"),
        (["a", "b", "c"], "discrete"),
    ],
)
def test_case_s18_two_whole_numbers_are_levels_and_more_are_numbers(
    tmp_path: Path, values: list[str], kind: str
) -> None:
    path = tmp_path / "my.csv"
    cells = values * 12
    table = look(path, cells)
    assert table.kinds == {"a": kind}
    scores = [note for note in table.notes if "are read as numbers" in note or "is read" in note]
    n = len({value for value in values if value != "NA"})
    assert bool(scores) == (kind == "continuous" and 3 <= n <= 11)
    assert look(path, cells, discrete=("a",)).kinds == {"a": "discrete"}
    assert not look(path, cells, discrete=("a",)).notes


def test_case_s18_scores_from_0_and_from_1(tmp_path: Path) -> None:
    if not SHARED.is_dir():
        pytest.skip("no reference folder")
    table = datasets.load(Request(str(SHARED / "nrs.csv"), "g"))
    assert table.kinds == dict.fromkeys(["pain_0_10", "nps_1_10", "sat_1_5"], "continuous")
    assert table.notes == (
        f"file {SHARED / 'nrs.csv'}: 3 columns of whole numbers from 0 to 10 are read as numbers:"
        " pain_0_10, nps_1_10, sat_1_5; if they hold codes, say so under 'discrete' (--discrete)",
    )


@pytest.mark.parametrize(("largest", "noted"), [("4000", False), ("4001", True), ("400", True)])
def test_amounts_in_classes_are_no_codes(tmp_path: Path, largest: str, noted: bool) -> None:
    unit = int(largest) // 400 * 100
    cells = [*(str(unit * i) for i in (1, 2, 3)), largest] * 15
    table = look(tmp_path / "my.csv", cells)
    assert table.kinds == {"a": "continuous"}
    assert bool(table.notes) == noted


def test_case_s18_many_columns_are_one_line(call: Call, tmp_path: Path) -> None:
    names = [f"A{i}" for i in range(1, 27)]
    cells = np.random.default_rng(0).integers(1, 7, (60, 26)).astype(str).tolist()
    rows = [[*row, "np"[i % 2]] for i, row in enumerate(cells)]
    path = tmp_path / "my.csv"
    path.write_text("\n".join(",".join(row) for row in [[*names, "y"], *rows]) + "\n")
    said = (
        "my.csv: 26 columns of whole numbers from 1 to 6 are read as numbers: A1, A2, A3, A4, A5, "
    )
    (note,) = datasets.load(Request(str(path), "y")).notes
    assert f"{said}21 others; if they hold codes, say so under 'discrete'" in note
    shown = call("datasets", "show", "my.csv", "--target", "y")
    assert f"{said}{', '.join(names[5:])}; if they hold" in shown.out


# Codes among numbers


@pytest.mark.parametrize(
    ("code", "cells", "told"),
    [
        ("-999", [f"{i % 18}" for i in range(60)], True),
        ("-999.0", [f"{i % 50}.5" for i in range(60)], True),
        ("9.97e36", [f"{i % 50}.5" for i in range(60)], True),
        ("1e20", [f"{i}.5" for i in range(60)], True),
        ("99", [f"{i % 5}" for i in range(60)], True),
        ("-12345", [f"{i % 50}.5" for i in range(60)], True),
        ("-12345", [f"{i % 5000}.5" for i in range(0, 6000, 100)], False),
        ("99", [f"{i % 95}" for i in range(60)], False),
        ("-999", [f"{i * 50}" for i in range(60)], False),
        ("70", [f"{i}.5" for i in range(60)], False),
    ],
)
def test_codes_far_outside_are_told(
    tmp_path: Path, code: str, cells: list[str], told: bool
) -> None:
    """With them named as missing, the column is as if they were empty."""
    path = tmp_path / "my.csv"
    coded, empty = ([*cells[:30], text, *cells[30:], text] for text in (code, ""))
    notes = [note for note in look(path, coded).notes if "stands far outside" in note]
    assert len(notes) == told
    if told:
        named = notes[0].partition("column 'a': ")[2].partition(" in 2 cells")[0]
        read = look(path, coded, missing_texts=("", "?", named))
        assert not [note for note in read.notes if "stands far outside" in note]
        assert read.sha256 == look(path, empty).sha256


SCALES = [
    ([0, 1], [9], True),
    ([1, 2], [8, 9], True),
    ([1, 2, 3, 4, 5], [8, 9], True),
    ([1, 2, 3], [7, 8, 9], True),
    ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [77, 88, 99], True),
    ([1, 2, 3, 4, 5, 6, 7], [777, 888], True),
    ([2, 4], [9], False),  # no scale
    ([0, 1, 2, 3, 4, 5], [7], False),  # counts
    ([0, 1, 2, 3, 4, 5, 6], [9], False),
    ([0, 1, 2, 4], [8], False),
    ([1, 2, 3, 4, 5, 6, 7, 8, 9], [], False),
    ([1, 2, 4], [6], False),
]


@pytest.mark.parametrize(("scale", "last", "told"), SCALES)
@pytest.mark.parametrize("repeat", [True, False])
def test_codes_after_a_scale_are_told(
    scale: list[int], last: list[int], told: bool, repeat: bool
) -> None:
    values = np.array([*scale * 20, *last * (4 if repeat else 1)], dtype=float)
    found = outlying.codes(np.random.default_rng(0).permutation(values)).tolist()
    assert found == (last if told and repeat else [])


@pytest.mark.parametrize(
    ("scale", "codes", "told"),
    [
        ([1, 2, 3, 4, 5], [-9], True),
        ([1, 2, 3, 4, 5], [-9, -8], True),
        ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [-9, -8, -7], True),
        ([0, 1, 2, 3], [-77], True),
        ([1, 2, 3, 4, 5], [-9, 8], True),
        ([1, 2, 3, 4, 5], [-9, 88], True),
        ([1, 2, 3, 4, 5], [-1], False),  # may be one of the scale
        ([1, 2, 3, 4, 5], [-6], False),
        ([1, 3, 4, 6], [-9], False),  # no scale
        ([-1, 0, 1], [-9], False),
    ],
)
@pytest.mark.parametrize("repeat", [True, False])
def test_codes_below_a_scale_are_told(
    scale: list[int], codes: list[int], told: bool, repeat: bool
) -> None:
    values = np.array([*scale * 20, *codes * (4 if repeat else 1)], dtype=float)
    found = outlying.codes(np.random.default_rng(0).permutation(values)).tolist()
    assert found == (codes if told and repeat else [])


@pytest.mark.parametrize(
    ("low", "high", "found"),
    [
        ([-999], [999], [-999, 999]),
        ([-9999], [999], [-9999, 999]),
        ([-999, -99], [99, 999], [-999, -99, 99, 999]),
        ([-999], [1e20], [-999, 1e20]),
        ([-999], [60], [-999]),
        ([-999], [1500], []),  # neither end is far from the other
        ([-70], [70], []),
    ],
)
def test_codes_at_both_ends_are_told(
    low: list[float], high: list[float], found: list[float]
) -> None:
    values = np.array([*low * 3, *(i % 50 + 0.5 for i in range(100)), *high * 3])
    assert outlying.codes(values).tolist() == found


@pytest.mark.slow
def test_all_codes_are_missing_by_the_options_that_are_named(call: Call, tmp_path: Path) -> None:
    cells = [f"{i % 50}.5" for i in range(60)]
    look(tmp_path / "my.csv", [*cells, "-999", "999"])
    drafted = call("config", "init", "my.csv", "--target", "y")
    (note,) = [line for line in drafted.err.splitlines() if "stands far outside" in line]
    options = re.findall("--missing-text [^ ]+", note)
    assert options == ["--missing-text -999", "--missing-text 999"]
    words = " ".join(options).split()
    again = call("config", "init", "my.csv", "--target", "y", *words)
    assert (again.code, "stands far" in again.err) == (0, False)
    assert '    missing_texts: ["", "?", "-999", "999"] #' in again.out


def test_numbers_of_heavy_tails_hold_no_codes() -> None:
    rng = np.random.default_rng(0)
    for draw in (rng.normal, rng.standard_cauchy, rng.lognormal, rng.exponential):
        assert not any(len(outlying.codes(draw(size=500))) for _ in range(50))


@pytest.mark.parametrize(
    ("pattern", "unit"),
    [
        ("-{}.25 kg", "without 'kg'"),
        ("{}k", "without 'k'"),
        ("ABC {},5", "without 'ABC'"),
        ("{} mm Hg", "without 'mm Hg'"),
        ("{}.5 °C", "without '°C'"),
    ],
)
def test_case_s15_a_unit_is_named_with_what_to_do(tmp_path: Path, pattern: str, unit: str) -> None:
    """Where such a column is read as texts, has too many of them, and is said to be numbers."""
    path = tmp_path / "my.csv"
    asked = f"1.234,5, and {unit}; take that out of the cells"
    for n in (60, 1200):
        cells = enumerate(pattern.format(i) for i in range(n))
        path.write_text("a;b;y\n" + "".join(f"{a};{i}.5;{'np'[i % 2]}\n" for i, a in cells))
        table = datasets.look(Request(str(path), "y"))
        (said,) = [*map(str, table.refused.values()), *table.notes]
        assert asked in said
        assert ("if texts are meant" in said) == (n == 60)
    with pytest.raises(UserError, match=re.escape(asked)):
        datasets.look(Request(str(path), "y", continuous=("a",)))
    for bare in ("inf", "u"):  # no number with something beside it
        path.write_text("a;b;y\n" + f"1;2;n\n{bare};2;p\n" * 9)
        with pytest.raises(UserError, match="is no finite number") as caught:
            datasets.look(Request(str(path), "y", continuous=("a",)))
        assert "without" not in str(caught.value)
    path.write_text("a;b;y\n" + "".join(f"{i},5 €;{i}.5;{'np'[i % 2]}\n" for i in range(60)))
    assert not any("without" in each for each in datasets.look(Request(str(path), "y")).notes)
