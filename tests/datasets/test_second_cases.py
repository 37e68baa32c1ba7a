"""Files as people have them: cases of public reports by their numbers, and others of the kind."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import Call

from gdcurves import config, datasets, plan
from gdcurves.datasets import Request, Table
from gdcurves.datasets.formats import delimited
from gdcurves.errors import UserError
from gdcurves.plan import draft, loading
from gdcurves.problems.problem import Problem, build


def look(path: Path, content: str | bytes, target: str = "y", **options: object) -> Table:
    """Read a file that is written first."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return datasets.look(Request(str(path), target, **options))  # type: ignore[arg-type]


def rows(cells: list[str], header: str = "a,b,y") -> str:
    """Write a column of cells between a number and a class."""
    lines = [f"{i}.25,{cell},{'np'[i % 2]}" for i, cell in enumerate(cells)]
    return "\n".join([header, *lines]) + "\n"


# s1


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ('"kind', r"line 12: ',' expected after '\"' \(the row begins in line 4\)"),
        ('"the other" pipe', r"my\.csv, line 4: ',' expected after '\"'"),
        ('"kind""', r"my\.csv, line 12: ',' expected after '\"'"),
    ],
)
def test_case_s1_a_quote_that_nobody_closes(tmp_path: Path, cell: str, said: str) -> None:
    cells = ["pipe"] * 20
    cells[2] = cells[10] = cell
    with pytest.raises(UserError, match=said):
        look(tmp_path / "my.csv", rows(cells))


@pytest.mark.parametrize("cell", ['"5\\" pipe"', '"pipe 5\\""', '"\\"pipe\\""'])
def test_case_s1_a_quote_after_a_backslash(tmp_path: Path, cell: str) -> None:
    """As MySQL writes it."""
    cells = ["pipe"] * 20
    cells[2] = cell
    with pytest.raises(UserError, match=r"in CSV, a quote within a cell is written twice: \"\" in"):
        look(tmp_path / "my.csv", rows(cells))
    cells[2] = cell.replace('\\"', '""')
    assert cell[1:-1].replace("\\", "") in {*look(tmp_path / "my.csv", rows(cells)).frame["b"]}
    cells[2] = '"the other" pipe'
    with pytest.raises(UserError, match=r"one too many\?$"):
        look(tmp_path / "my.csv", rows(cells))


def test_case_s1_a_quote_within_a_bare_cell_is_a_part_of_it(tmp_path: Path) -> None:
    table = look(tmp_path / "my.csv", rows(['5" pipe', "pipe", '6" pipe'] * 7))
    assert table.frame["b"].value_counts().to_dict() == {'5" pipe': 7, "pipe": 7, '6" pipe': 7}


@pytest.mark.parametrize("between", [0, 1, 5])
def test_case_s1_rows_in_quotes_are_told(tmp_path: Path, between: int) -> None:
    """Where an inch mark happens to close the quote, the file is well-formed, and read so."""
    cells = ["pipe"] * 20
    cells[2], cells[3 + between] = '"pipe', '5"'
    (note,) = look(tmp_path / "my.csv", rows(cells)).notes
    assert f"line {5 + between}, column 'b': a cell in quotes ends here and holds" in note
    assert f"holds {between + 2} lines, each of which looks like a row" in note
    cells[2], cells[3 + between] = '"well, this is\na text of lines"', '"and\nanother"'
    assert not look(tmp_path / "my.csv", rows(cells)).notes


# s2


@pytest.mark.slow
@pytest.mark.parametrize("shift", [0, 1, 2])
def test_case_s2_a_line_break_at_the_end_of_a_block(tmp_path: Path, shift: int) -> None:
    """Arrow reads blocks of one MiB, and lost the LF after a CR that ended one."""
    block = 1 << 20
    row = b'0.5,"one\r\ntwo",n\r\n0.25,"one\r\ntwo",p\r\n'
    content = b"x,t,y\r\n" + row * (block // len(row) - 2)
    before = b'0.,"one'
    padding = block - 1 - len(content) - len(before) + shift
    content += b"0." + b"5" * padding + before[2:] + b'\r\ntwo",n\r\n' + row * 40
    assert shift or content[block - 1 : block + 1] == b"\r\n"
    table = look(tmp_path / "my.csv", content)
    assert list(table.frame["t"].cat.categories) == ["one\r\ntwo"]
    assert len(table.frame) == content.count(b"one")


# s3

PEOPLE = pd.DataFrame({"x": [i * 37 % 101 / 4 for i in range(60)], "y": ["well", "sick"] * 30})
GAPS = [i + i // 7 for i in range(60)]


@pytest.mark.parametrize(
    ("index", "stored"),
    [
        (pd.Index(GAPS), "__index_level_0__"),
        (pd.Index(GAPS, name="visit"), "visit"),
        (pd.Index([f"p{i % 7}" for i in range(60)], name="who"), "who"),
    ],
)
def test_case_s3_an_index_that_pandas_stores(tmp_path: Path, index: pd.Index, stored: str) -> None:
    PEOPLE.set_axis(index).to_parquet(tmp_path / "my.parquet")
    request = Request(str(tmp_path / "my.parquet"), "y")
    table = datasets.load(request)
    assert table.dropped == {stored: "an index that pandas has stored"}
    assert list(table.kinds) == ["x"]
    asked = datasets.load(Request(request.data, "y", discrete=(stored,)))
    assert asked.kinds == {"x": "continuous", stored: "discrete"}
    PEOPLE.to_parquet(tmp_path / "my.parquet")
    assert not datasets.load(request).dropped


@pytest.mark.parametrize("quoted", [False, True])
@pytest.mark.parametrize("names", [GAPS, [f"Mazda {i % 9}" for i in range(60)]])
def test_case_s3_a_first_column_without_a_name(
    tmp_path: Path, names: list[object], quoted: bool
) -> None:
    """What pandas' to_csv and R's write.csv write."""
    path = tmp_path / "my.csv"
    PEOPLE.set_axis(names).to_csv(path)
    text = path.read_text()
    if quoted:
        text = text.replace(",x,y", '"","x","y"', 1)
    table = look(path, text)
    assert table.dropped == {
        "column 1": "first and without a name, as numbers and names of rows are"
    }
    assert list(table.kinds) == ["x"]
    assert list(look(path, text, discrete=("column 1",)).kinds) == ["column 1", "x"]
    pd.read_csv(path).to_csv(path)  # now there are two
    assert set(look(path, path.read_bytes()).dropped) == {"column 1", "Unnamed: 0"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "cells", "left_out"),
    [
        ("Unnamed: 0", GAPS, True),
        ("Unnamed: 0", [i % 30 for i in range(60)], True),  # two tables, one below the other
        ("index", GAPS, True),
        ("level_0", [i // 2 for i in range(60)], True),
        ("...1", GAPS, True),
        ("X", GAPS, True),
        ("V1", GAPS, True),
        ("rownames", GAPS, True),
        ("row_id", GAPS[::-1], True),
        ("ID", [i * 17 % 61 for i in range(60)], True),
        ("PassengerId", GAPS, True),
        ("Obs.", GAPS, True),
        ("SAMPLE NO", GAPS[::-1], True),
        ("SampleNumber", GAPS, True),
        ("Case #", GAPS, True),
        ("obs", [i * 17 % 31 for i in range(60)], False),
        ("sample", GAPS, False),
        ("noise", GAPS, False),
        ("customer_id", [i * 17 % 61 for i in range(60)], True),
        ("customer_id", [i * 17 % 31 for i in range(60)], False),
        ("PATIENTID", GAPS[::-1], True),
        ("id_patient", GAPS[::-1], True),
        ("USUBJID", [i * 17 % 61 for i in range(60)], True),
        ("Participant No.", [i * 17 % 61 for i in range(60)], True),
        ("OBJECTID", [i * 17 % 61 for i in range(60)], True),
        ("ID.1", GAPS[::-1], True),
        ("N\u00b0", GAPS[::-1], True),
        ("PATIENTID", [i * 17 % 31 for i in range(60)], False),
        ("patient", [i // 2 for i in range(60)], False),
        ("IDEAL", GAPS, False),
        ("X", [i * 17 % 61 for i in range(60)], False),
        ("X", [i / 2 for i in range(60)], False),
        ("id", [i / 2 for i in range(60)], False),
        ("index", [i * 17 % 31 for i in range(60)], False),
        ("acid", GAPS, False),
        ("paid", GAPS, False),
        ("age", GAPS, False),
    ],
)
@pytest.mark.parametrize("ending", ["csv", "parquet", "arff"])
def test_case_s3_row_numbers(
    tmp_path: Path, name: str, cells: list[float], left_out: bool, ending: str
) -> None:
    frame = pd.DataFrame({name: cells, **PEOPLE})
    path = tmp_path / f"my.{ending}"
    if ending == "parquet":
        frame.to_parquet(path)
    else:
        text = frame.to_csv(index=False)
        if ending == "arff":
            head = f"@relation r\n@attribute '{name}' real\n@attribute x real\n"
            head += "@attribute y {sick,well}\n@data\n"
            text = head + text.partition("\n")[2]
        path.write_text(text)
    table = datasets.load(Request(str(path), "y"))
    assert (name in table.dropped) == left_out
    assert list(table.kinds) == ([] if left_out else [name]) + ["x"]
    assert name in datasets.load(Request(str(path), "y", continuous=(name,))).kinds


@pytest.mark.parametrize("start", [-3, 0, 1, 1000])
@pytest.mark.parametrize("step", [1, 17])
def test_case_s3_a_run_of_whole_numbers_is_told(tmp_path: Path, start: int, step: int) -> None:
    numbers = [start + i * step % 60 for i in range(60)]
    told = f"column 'b': holds each number from {start} to {start + 59} once, as numbers of rows do"
    for cells, n_notes in ((numbers, 1), ([*numbers[:-1], numbers[0]], 0), ([*numbers, 99999], 0)):
        table = look(tmp_path / "my.csv", rows([str(each) for each in cells]))
        assert table.kinds["b"] == "continuous"
        assert sum(told in each for each in table.notes) == n_notes


# s9


@pytest.mark.slow
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(
    "levels",
    [
        ["9007199254740992", "9007199254740993", "9007199254740994"],
        ["01", "1", "001"],
        ["-9007199254740993", "-9007199254740992"],
        ["123456789012345678901", "123456789012345678902"],
    ],
)
def test_case_s9_levels_and_labels_are_the_files_own(
    tmp_path: Path, levels: list[str], late: bool
) -> None:
    """Late: what is few in the first rows goes on, and the other way round."""
    n = 100_000 if late else 60
    cells = [levels[i % len(levels)] for i in range(n)]
    path = tmp_path / "my.csv"
    table = look(path, rows(cells))
    assert table.kinds["b"] == "discrete"
    assert table.frame["b"].value_counts().to_dict() == pd.Series(cells).value_counts().to_dict()
    table = datasets.look(Request(str(path), "b"))
    assert set(table.labels) == set(levels)


@pytest.mark.parametrize("kind", [pa.int64(), pa.uint64(), pa.decimal128(30, 0)])
def test_case_s9_whole_numbers_of_parquet(tmp_path: Path, kind: pa.DataType) -> None:
    labels = [2**53, 2**53 + 1, 2**53 + 2] * 20
    numbers = pa.array(labels).cast(kind)
    path = tmp_path / "my.parquet"
    pq.write_table(pa.table({"x": PEOPLE["x"], "k": numbers, "y": numbers}), path)
    table = datasets.load(Request(str(path), "y"))
    assert table.labels == ("9007199254740992", "9007199254740993", "9007199254740994")
    if not pa.types.is_decimal(kind):  # of which the kind is declared
        assert table.kinds["k"] == "discrete"
        assert (table.frame["k"] == table.frame["y"]).all()
    coded = numbers.dictionary_encode()
    pq.write_table(pa.table({"x": PEOPLE["x"], "y": coded}), path)
    assert datasets.load(Request(str(path), "y")).labels == table.labels


@pytest.mark.parametrize("coded", [False, True])
def test_case_s9_labels_that_are_long_decimals(tmp_path: Path, coded: bool) -> None:
    labels = ["90071992547409.92", "90071992547409.93", "90071992547409.94"]
    assert len({*map(float, labels)}) < 3
    numbers = pa.array([Decimal(each) for each in labels * 20])
    numbers = numbers.dictionary_encode() if coded else numbers
    path = tmp_path / "my.parquet"
    pq.write_table(pa.table({"x": PEOPLE["x"], "k": numbers, "y": numbers}), path)
    table = datasets.load(Request(str(path), "y", discrete=("k",)))
    assert table.labels == tuple(labels)
    assert table.frame["k"].tolist() == labels * 20
    pq.write_table(pa.table({"k": numbers, "y": PEOPLE["y"]}), path)
    table = datasets.load(Request(str(path), "y", continuous=("k",)))
    assert table.frame["k"].tolist() == [*map(float, labels)] * 20


@pytest.mark.parametrize("places", [1, 3, 12])
@pytest.mark.parametrize("coded", [False, True])
def test_decimals_of_parquet_are_the_floats_of_their_digits(
    tmp_path: Path, places: int, coded: bool
) -> None:
    digits = np.random.default_rng(places).integers(-(10**13), 10**13, 500).tolist()
    cells = [None if i % 7 == 0 else Decimal(each).scaleb(-places) for i, each in enumerate(digits)]
    numbers = pa.array(cells)
    path = tmp_path / "my.parquet"
    table = {"x": numbers.dictionary_encode() if coded else numbers, "y": ["n", "p"] * 250}
    pq.write_table(pa.table(table), path)
    read = datasets.load(Request(str(path), "y")).frame["x"]
    assert read.tolist()[1:7] == [float(str(each)) for each in cells[1:7]]
    known = [each for each in cells if each is not None]
    assert read.dropna().tolist() == [float(str(each)) for each in known]


def test_case_s9_labels_of_a_declared_number(tmp_path: Path) -> None:
    labels = ["9007199254740992", "9007199254740993", "1.50"]
    text = "@relation r\n@attribute a real\n@attribute b real\n@attribute y numeric\n@data\n"
    lines = [f"{i}.25,7,{labels[i % 3]}" for i in range(30)]
    for more in ("", "% a word\n"):  # either reader of ARFF
        table = look(tmp_path / "my.arff", text + more + "\n".join(lines) + "\n")
        assert set(table.labels) == set(labels)


def test_padded_numbers_that_are_many_are_told(tmp_path: Path) -> None:
    cells = [f"{i * 37 % 101:03d}" for i in range(60)]
    path = tmp_path / "my.csv"
    table = look(path, rows(cells))
    (note,) = table.notes
    assert "line 2, column 'b': whole numbers begin with zeros, such as '000', and are read" in note
    assert table.kinds["b"] == "continuous"
    table = look(path, rows(cells), discrete=("b",))
    assert not table.notes
    assert set(table.frame["b"]) == set(cells)


@pytest.mark.parametrize("n", [12, 30])
def test_case_s9_padded_codes_that_repeat_are_levels(tmp_path: Path, n: int) -> None:
    cells = [f"{i * 7 % n:05d}" for i in range(2 * n)]
    path = tmp_path / "my.csv"
    table = look(path, rows(cells))
    assert table.kinds["b"] == "discrete"
    assert set(table.frame["b"]) == set(cells)
    said = "whole numbers begin with zeros, such as '00000', and are read as levels, as codes are"
    assert any(said in note for note in table.notes)
    asked = look(path, rows(cells), continuous=("b",))
    assert asked.kinds["b"] == "continuous"
    assert not any("begin with zeros" in note for note in asked.notes)
    assert set(asked.frame["b"]) == {int(each) for each in cells}


# s12


def configured(tmp_path: Path, missing_texts: object) -> Problem:
    """Read numbers, levels and labels with gaps of two spellings as a config asks."""
    lines = [
        ",".join(
            [
                {0: "", 3: "NA"}.get(i % 13, f"{i}.5"),
                {2: ""}.get(i % 9, "uvv"[i % 3]),
                {1: "", 4: "NA"}.get(i % 11, "np"[i % 2]),
            ]
        )
        for i in range(90)
    ]
    (tmp_path / "my.csv").write_text("\n".join(["a,b,y", *lines]) + "\n")
    given = f"missing_texts: {json.dumps(missing_texts)}, continuous: [a]"
    (tmp_path / "my.yaml").write_text(
        f"splits: 2\nsizes: [4]\nfitters: [{{type: naive_bayes}}]\n"
        f"experiments: [{{name: e, data: my.csv, target: y, {given}}}]\n"
    )
    problems, _ = loading.load(plan.make(config.load(tmp_path / "my.yaml")), "packaged", None)
    made = problems["e"]
    assert isinstance(made, Problem)
    return made


def test_case_s12_texts_of_ones_own_are_more_not_others(tmp_path: Path) -> None:
    made = configured(tmp_path, ["NA"])
    assert made.classes == ("n", "p")
    assert made.levels == (0, 2)
    assert not made.provenance.notes
    gaps = sum(i % 13 in (0, 3) or i % 9 == 2 or i % 11 in (1, 4) for i in range(90))
    assert (made.provenance.rows_used, made.provenance.rows_missing) == (90 - gaps, gaps)


def test_case_s12_only_these_texts_with_a_note_of_others(tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    lines = [f"{i}.5,{['', 'u', 'v'][i % 3]},{['', 'n', 'p'][i % 3]}" for i in range(30)]
    path.write_text("\n".join(["a,b,y", *lines]) + "\n")
    table = datasets.load(Request(str(path), "y", missing_texts=("NA",)))
    made = build("e", table, "all")
    assert made.classes == ("", "n", "p")
    notes = " ".join(made.provenance.notes)
    assert "column 'b': 10 of 30 cells hold '', taken for a level of its own" in notes
    assert "column 'y': '' counts as a class; name it under 'missing_texts' (" in notes
    path.write_text(path.read_text().replace(",p\n", ",null\n"))
    table = datasets.load(Request(str(path), "y", missing_texts=("NA",)))
    notes = " ".join(build("e", table, "all").provenance.notes)
    assert "column 'y': '' and 'null' count as classes; name them under 'missing_texts' (" in notes


def test_case_s12_empty_cells_that_are_a_level_are_counted(call: Call, tmp_path: Path) -> None:
    """Also where it is said that the column holds levels, which does not say that."""
    lines = [f"{i}.5,{['', ' ', 'u', 'v'][i % 4]},{'np'[i % 2]}" for i in range(60)]
    (tmp_path / "my.csv").write_text("\n".join(["a,b,y", *lines]) + "\n")
    told = "line 2, column 'b': 30 of 60 cells are empty, and count as a level of their own; add ''"
    for only, n_notes in (("[unknown]", 1), ("[unknown, '']", 0)):
        (tmp_path / "my.yaml").write_text(
            "splits: 2\nsizes: [4]\nfitters: [{type: naive_bayes}]\nexperiments:\n  - {name: e,"
            f" data: my.csv, target: y, missing_texts: {{only: {only}}}, discrete: [b]}}\n"
        )
        for command in (["config", "check"], ["run", "--fresh", "--config"]):
            said = call(*command, "my.yaml")
            assert said.code == 0
            assert (said.out + said.err).count(told) == n_notes


@pytest.mark.parametrize(
    ("code", "gap", "number"),
    [
        ("-999", "", "{}"),
        ("-999.0", "NA", "{}"),
        ("-999,00", "", "{}"),
        ("$-999.00", "NA", "${}"),
        ("-9.99e2", "none", "{}"),
        ("-999.0 %", "", "{} %"),
    ],
)
@pytest.mark.parametrize("ending", ["csv", "parquet", "xlsx"])
def test_case_s12_a_number_that_is_missing_is_so_however_it_is_written(
    tmp_path: Path, code: str, gap: str, number: str, ending: str
) -> None:
    mark = "," if "," in code else "."
    cells = [
        code if i % 9 == 0 else gap if i == 4 else number.format(i / 4).replace(".", mark)
        for i in range(60)
    ]
    frame = pd.DataFrame({"a": cells, "y": ["n", "p"] * 30})
    path = tmp_path / f"my.{ending}"
    if ending == "csv":
        frame.to_csv(path, index=False, sep=";")
    elif ending == "parquet":
        frame.to_parquet(path)
    else:
        frame.to_excel(path, index=False)
    named = ("a",) if ending == "parquet" else ()  # whose texts are levels else
    missing = ("", "?", "none", "-999")
    table = datasets.load(Request(str(path), "y", missing_texts=missing, continuous=named))
    expected = [np.nan if i % 9 == 0 or i == 4 else i / 4 for i in range(60)]
    np.testing.assert_array_equal(table.frame["a"], expected)
    assert not any("stands far outside" in note for note in table.notes)


# s13


@pytest.mark.parametrize(
    ("unit", "options", "n_notes"),
    [
        (1e-4, "rescale: none", 1),
        (1.0, "rescale: none", 0),
        (1e4, "rescale: none", 0),
        (1e-4, "rescale: train", 0),
        (1e-4, "rescale: dataset", 0),
    ],
)
def test_case_s13_units_that_decide_are_told(
    tmp_path: Path, unit: float, options: str, n_notes: int
) -> None:
    z = np.random.default_rng(0).normal(size=(60, 2)) * unit
    lines = [f"{a!r},{b!r},{'np'[a + b > 0]}" for a, b in z.tolist()]
    (tmp_path / "my.csv").write_text("\n".join(["a,b,y", *lines]) + "\n")
    (tmp_path / "my.yaml").write_text(
        "splits: 2\nsizes: [4]\n"
        "fitters: [{type: naive_bayes}, {type: lda, epsilon: 0}, {type: logistic_regression}]\n"
        f"experiments: [{{name: e, data: my.csv, target: y, {options}}}]\n"
    )
    problems, _ = loading.load(plan.make(config.load(tmp_path / "my.yaml")), "packaged", None)
    notes = loading.notes(problems)
    assert len(notes) == n_notes
    for note in notes:
        assert "within classes is" in note
        assert "(epsilon 0.001 of naive_bayes) is not small beside it" in note


# s7


def test_case_s7_a_row_beside_data(tmp_path: Path) -> None:
    """WEKA reads it; it was lost without a word."""
    head = "@relation r\n@attribute a real\n@attribute y {n,p}\n@data"
    lines = "".join(f"{i}.5,{'np'[i % 2]}\n" for i in range(8))
    table = look(tmp_path / "my.arff", f"{head} 9.25,n\n{lines}")
    assert table.frame["a"].tolist() == [9.25, *(i + 0.5 for i in range(8))]
    assert len(look(tmp_path / "my.arff", f"{head} % rows\n{lines}").frame) == 8


@pytest.mark.parametrize(("text", "options"), [("'?'", {}), ("NA", {"missing_texts": ("", "NA")})])
def test_case_s7_a_missing_value_need_not_be_declared(
    tmp_path: Path, text: str, options: dict[str, object]
) -> None:
    head = "@relation r\n@attribute a real\n@attribute k {u,v}\n@attribute y {n,p}\n@data\n"
    lines = [f"{i}.5,{text if i == 4 else 'uv'[i % 2]},{'np'[i % 2]}\n" for i in range(8)]
    table = look(tmp_path / "my.arff", head + "".join(lines), **options)
    assert table.refusal is None
    assert table.kinds["k"] == "discrete"
    assert table.frame["k"].isna().tolist() == [i == 4 for i in range(8)]
    table = look(tmp_path / "my.arff", head + "".join(lines).replace(text, "w"), **options)
    assert "'w' is not in the list that the attribute declares" in str(table.refusal)


# s8


def test_case_s8_drop_rescues_from_any_column(tmp_path: Path) -> None:
    columns: dict[str, object] = {
        "x": PEOPLE["x"],
        "dates": np.array(["2020-01-01"] * 60, "M8[s]"),
        "lists": [[i] for i in range(60)],
        "structs": [{"a": i} for i in range(60)],
        "maps": pa.array([[("a", 1)]] * 60, pa.map_(pa.string(), pa.int64())),
        "bytes": [b"\xff"] * 60,
        "infinite": [np.inf] * 60,
        "y": PEOPLE["y"],
    }
    path = tmp_path / "my.parquet"
    pq.write_table(pa.table(columns), path)
    odd = [*columns][1:-1]
    looked = datasets.look(Request(str(path), "y"))
    assert sorted(looked.refused) == sorted(odd)
    assert list(looked.kinds) == ["x"]
    assert all("name the column under 'drop'" in str(each) for each in looked.refused.values())
    assert list(datasets.load(Request(str(path), "y", drop=tuple(odd))).kinds) == ["x"]
    made = draft.make(Request(str(path), "y"), None)
    assert f"drop: [{', '.join(looked.refused)}]" in made.text
    assert made.problem.features == ("x",)


def test_case_s8_drop_rescues_from_a_column_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "my.parquet"
    frame = {"x": PEOPLE["x"], "noise": np.random.default_rng(0).random(60), "y": PEOPLE["y"]}
    pq.write_table(pa.table(frame), path, compression="zstd", use_dictionary=False)
    content = bytearray(path.read_bytes())
    chunk = pq.ParquetFile(path).metadata.row_group(0).column(1)
    for i in range(chunk.data_page_offset, chunk.data_page_offset + chunk.total_compressed_size):
        content[i] = 0xFF
    path.write_bytes(content)
    looked = datasets.look(Request(str(path), "y"))
    assert "column 'noise': cannot be read: " in str(looked.refused["noise"])
    table = datasets.load(Request(str(path), "y", drop=("noise",)))
    assert table.frame["x"].tolist() == PEOPLE["x"].tolist()


# s14


@pytest.mark.parametrize("end", [",", ",,", ", ,"])
def test_case_s14_an_empty_last_column_without_a_name(tmp_path: Path, end: str) -> None:
    lines = [f"{i}.5,{'np'[i % 2]}{end}" for i in range(20)]
    table = look(tmp_path / "my.csv", "\n".join([f"x,y{end}", *lines]))
    assert list(table.kinds) == ["x"]
    assert len(table.frame) == 20
    assert set(table.dropped.values()) == {"neither a name nor a value in any row"}
    assert len(table.dropped) == end.count(",")


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("n_empty", [1, 2])
@pytest.mark.parametrize("careful", [False, True])
def test_case_s14_rows_that_end_with_a_separator(
    tmp_path: Path, separator: str, n_empty: int, careful: bool
) -> None:
    """As a program writes that ends each cell of a row so, but not its header."""
    lines = [f"{i}.5{separator}{i % 3}{separator}{'np'[i % 2]}" for i in range(150)]
    header = separator.join(["x", '"k\n1"', "y"])
    plain = look(tmp_path / "my.csv", "\n".join([header, *lines]))
    end = separator * n_empty
    ended = "\n".join(["\ufeff", header, *[line + end for line in lines]])
    how = None if careful else delimited.plain_quotes
    with mock.patch.object(delimited, "plain_quotes", side_effect=how, return_value=None):
        table = look(tmp_path / "my.csv", ended)
        assert table.kinds == plain.kinds
        assert all(table.frame[name].equals(plain.frame[name]) for name in plain.frame)
        assert table.dropped == dict.fromkeys(
            [f"column {4 + i}" for i in range(n_empty)], "neither a name nor a value in any row"
        )
        assert table.location(0).endswith("line 4")
        for line, last in ((153, "0"), (153, "?"), (8, "u")):
            rows = ended.split("\n")
            rows[line - 1] += last
            content = "\n".join(rows)
            named = f"column {3 + n_empty}"
            filled = look(tmp_path / "my.csv", content)
            if last == "?":  # no value, as nothing is
                assert filled.dropped == table.dropped
                continue
            said = str(filled.refusal)
            assert f"{named} of {3 + n_empty} has no name; write one into the header" in said
            assert f"it is called '{named}'; or name the column under 'drop'" in said
            rescued = look(tmp_path / "my.csv", content, drop=(named,))
            assert rescued.refusal is None
            assert rescued.sha256 == plain.sha256


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("n_empty", [1, 2])
@pytest.mark.parametrize("n", [20, 150])
def test_case_s14_a_header_alone_that_ends_with_a_separator(
    tmp_path: Path, separator: str, n_empty: int, n: int
) -> None:
    lines = [f"{i}.5{separator}{i % 3}{separator}{'np'[i % 2]}" for i in range(n)]
    header = separator.join(["x", '"k\n1"', "y"])
    path = tmp_path / "my.csv"
    plain = look(path, "\n".join([header, *lines]))
    for end in (separator, f" {separator} "):
        ended = "\ufeff" + header + end * n_empty
        table = look(path, "\r\n".join([ended, *lines, ""]))
        assert table.sha256 == plain.sha256
        assert table.location(0).endswith("line 3")
    filled = [*lines[:-1], lines[-1] + separator * n_empty + "7"]
    with pytest.raises(UserError, match=r"line 3: 3 cells, but the header names . columns"):
        look(path, "\n".join([header + separator * n_empty, *filled]))
    unnamed = header.replace("x", "", 1)
    assert look(path, "\n".join([unnamed, *lines])).dropped.keys() == {"column 1"}


def test_case_s14_a_folder_of_parts_is_one_table(tmp_path: Path) -> None:
    """As Spark leaves them: parts, marks of success, checksums, and nothing for an empty part."""
    frame = pd.DataFrame({"x": np.arange(60) / 4, "k": range(60), "y": ["n", "p"] * 30})
    folder = tmp_path / "my.parquet"
    folder.mkdir()
    (folder / "_SUCCESS").touch()
    (folder / "_metadata.parquet").write_bytes(b"no part")
    (folder / ".part-0.parquet.crc").write_bytes(b"crc")
    for i, rows_of_part in enumerate([frame[:10], frame[:0], frame[10:45], frame[45:]]):
        rows_of_part.to_parquet(folder / f"part-{i}.parquet")
    frame.to_parquet(tmp_path / "whole.parquet")
    table = datasets.load(Request(str(folder), "y"))
    whole = datasets.load(Request(str(tmp_path / "whole.parquet"), "y"))
    assert (table.sha256, len(table.frame)) == (whole.sha256, 60)
    assert table.location(12).endswith("my.parquet, part-2.parquet, data row 3")
    frame[:5].assign(x=None).to_parquet(folder / "part-4.parquet")
    assert int(datasets.load(Request(str(folder), "y")).frame["x"].isna().sum()) == 5
    frame[:5].rename(columns={"x": "z"}).to_parquet(folder / "part-5.parquet")
    with pytest.raises(
        UserError, match=r"part-0\.parquet and part-5\.parquet differ in column 'x'"
    ):
        datasets.load(Request(str(folder), "y"))
    (folder / "part-5.parquet").unlink()
    frame[:5].assign(x="u").to_parquet(folder / "part-6.parquet")
    with pytest.raises(UserError, match=r"part-6\.parquet, data row 1, column 'x': 'u' is no numb"):
        datasets.load(Request(str(folder), "y"))
    assert datasets.load(Request(str(folder), "y", drop=("x",))).dropped.keys() == {"x"}
    frame[:5].assign(x=[[1]] * 5).to_parquet(folder / "part-6.parquet")
    with pytest.raises(UserError, match="its Parquet files are no parts of one table: "):
        datasets.load(Request(str(folder), "y"))


@pytest.mark.parametrize("ending", ["parquet", "pq", "csv"])
def test_case_s14_parts_that_differ_in_what_is_dropped(tmp_path: Path, ending: str) -> None:
    folder = tmp_path / "my"
    folder.mkdir()
    for i, part in enumerate([PEOPLE[:20], PEOPLE[20:].assign(z=1.5), PEOPLE[:0].assign(v="u")]):
        path = folder / f"{i}.{ending}"
        part.to_csv(path, index=False) if ending == "csv" else part.to_parquet(path, index=False)
    if ending == "csv":
        path.write_text("x,v,y\n0.5,u,sick\n")
    with pytest.raises(UserError, match=r"differ in column '[vz]'"):
        datasets.load(Request(str(folder), "y"))
    for more in ("", "_note.txt"):
        if more:
            (folder / more).write_text("hidden")
        table = datasets.load(Request(str(folder), "y", drop=("z", "v")))
        assert table.dropped.keys() == {"z", "v"}
        assert table.frame["x"].tolist()[:60] == PEOPLE["x"].tolist()
        assert len(table.notes) == 1
    (folder / "more.tsv").write_text("x\ty\n1\tsick\n")
    (folder / "README").write_text("no data")
    table = datasets.load(Request(str(folder), "y", drop=("z", "v")))
    told = "1 file with other endings than its parts is not read: more.tsv"
    assert [told in note for note in table.notes] == [False, True]


def test_case_s14_parts_of_which_one_has_an_index(tmp_path: Path) -> None:
    for first in ("a", "c"):
        folder = tmp_path / first
        folder.mkdir()
        PEOPLE[:20].set_axis(GAPS[40:]).to_parquet(folder / f"{first}.parquet")
        PEOPLE[20:].to_parquet(folder / "b.parquet", index=False)
        table = datasets.load(Request(str(folder), "y"))
        assert table.dropped == {"__index_level_0__": "an index that pandas has stored"}
        assert sorted(table.frame["x"]) == sorted(PEOPLE["x"])


def test_case_s14_a_folder_of_one_text_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "my").mkdir()
    request = Request(str(tmp_path / "my"), "y")
    for name in (".a.csv", "a.csv"):
        (tmp_path / "my" / name).write_text("x,y\n1,n\n")  # hidden, or one alone
        with pytest.raises(UserError, match="is a folder without Parquet files; name a file in it"):
            datasets.load(request)


def test_case_s14_folders_that_name_a_column(tmp_path: Path) -> None:
    for i, place in enumerate("uv"):
        folder = tmp_path / "my" / f"place={place}"
        folder.mkdir(parents=True)
        PEOPLE[i * 30 : i * 30 + 30].to_parquet(folder / "0.parquet")
    table = datasets.load(Request(str(tmp_path / "my"), "y"))
    assert table.kinds == {"x": "continuous", "place": "discrete"}
    assert table.frame["place"].value_counts().to_dict() == {"u": 30, "v": 30}
