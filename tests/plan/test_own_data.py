"""Data of one's own: what is read, how it is understood, and what becomes of it."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gdcurves import datasets
from gdcurves.config.reading import Missing
from gdcurves.datasets import Request, Table
from gdcurves.datasets.columns.order import row_order
from gdcurves.errors import UserError
from gdcurves.problems.problem import build

CSV = """id,age,dose,sex,note,empty,bp,diagnosis
p1,50.5,1,m,ok,,120,sick
p2,61,2,f,ok,,130,well
p3,?,1,f,ok,,125,sick
p4,44,3,m, ?,,118,well
p5,39,3,f,ok,,141,NA
p6,58,2,m,ok,,133,None
p7,52,1,m,bad,,127,sick
p8,47,2,f,bad,,139,well
p9,66,3,m,bad,,122,NA
p10,31,1,m,bad,,135,None
p11,35,1,m,bad,,136,None
"""


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    path = tmp_path / "my.csv"
    path.write_text(CSV)
    return path


def load(path: Path, target: str | None = "diagnosis", **options: object) -> Table:
    return datasets.load(Request(str(path), target, **options))  # type: ignore[arg-type]


def test_kinds_are_inferred_by_the_stated_rule(csv: Path) -> None:
    table = load(csv)
    assert table.kinds == {
        "age": "continuous",  # a number that is not whole
        "dose": "continuous",  # more than two whole numbers
        "sex": "discrete",
        "note": "discrete",
        "bp": "continuous",
    }
    assert table.dropped == {"id": "another text in every row", "empty": "no value in any row"}
    assert table.declared == frozenset()
    assert list(table.frame.columns) == [*table.kinds, "diagnosis"]


def test_request_overrides_and_is_remembered(csv: Path) -> None:
    table = load(csv, continuous=("age",), discrete=("dose", "bp", "id"), drop=("sex",))
    assert table.kinds["age"] == "continuous"
    assert table.kinds["dose"] == table.kinds["bp"] == table.kinds["id"] == "discrete"
    assert table.dropped["sex"] == "as the experiment asks"
    assert table.declared == {"age", "dose", "bp", "id"}


def test_case_25a_both_question_marks_are_missing(csv: Path) -> None:
    """Case 25a: cells "?" and " ?" are missing, by a list that can be replaced."""
    frame = load(csv).frame
    assert np.isnan(frame["age"][2])
    assert pd.isna(frame["note"][3])
    other = load(csv, missing_texts=("bad",), discrete=("age",)).frame
    assert other["age"][2] == "?"
    assert other["note"][3] == "?"
    assert other["note"].isna().sum() == 5


def test_case_25b_labels_that_look_like_missing_values(csv: Path) -> None:
    """Case 25b: "NA" and "None" are labels of the target."""
    table = load(csv)
    assert table.labels == ("NA", "None", "sick", "well")
    assert table.frame["diagnosis"].value_counts().to_dict() == {
        "sick": 3,
        "well": 3,
        "None": 3,
        "NA": 2,
    }
    assert build("e", table, "all").classes == ("NA", "None", "sick", "well")


def test_labels_are_texts_as_written(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x,y\n1.5,true\n2,False\n3,007\n4,7\n5,1.0\n6,nan\n7,1e3\n8,2020-01-01\n")
    assert set(load(path, "y").labels) == {
        "true", "False", "007", "7", "1", "nan", "1e3", "2020-01-01",
    }  # fmt: skip


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet", "arff", "arff.gz"])
def test_formats_give_the_same_problem(tmp_path: Path, ending: str) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=40).round(3),
            "colour": rng.choice(["red", "dark blue"], 40),
            "label": rng.choice(["b", "a"], 40),
        }
    )
    frame.loc[3, "size"] = np.nan
    frame.loc[5, "colour"] = None
    path = tmp_path / f"some.{ending}"
    if ending == "parquet":
        frame.to_parquet(path)
    else:
        text = frame.to_csv(index=False)
        if "arff" in ending:
            rows = frame.astype(object).where(frame.notna(), "?")
            lines = [f"{a},'{b}',{c}".replace("'?'", "?") for a, b, c in rows.to_numpy()]
            text = "@relation r\n@attribute size real\n@attribute colour {red,'dark blue'}\n"
            text += "@attribute label {b,a}\n@data\n" + "\n".join(lines) + "\n"
        data = text.encode()
        path.write_bytes(gzip.compress(data) if ending.endswith("gz") else data)
    expected = build("e", load(_csv(tmp_path / "plain.csv", frame), "label"), "all")
    table = load(path, "label")
    made = build("e", table, "all", [("a", ["a"]), ("b", ["b"])])
    assert np.array_equal(made.x, expected.x)
    assert np.array_equal(made.y, expected.y)
    assert made.levels == expected.levels == (0, 2)
    assert made.provenance.sha256 == expected.provenance.sha256
    # The source's order of labels where it declares one, else the natural one.
    assert table.labels == (("b", "a") if "arff" in ending else ("a", "b"))
    assert table.declared == (frozenset() if "csv" in ending else {"size", "colour"})


def _csv(path: Path, frame: pd.DataFrame) -> Path:
    frame.to_csv(path, index=False)
    return path


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("line", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_dialects(tmp_path: Path, separator: str, line: str, mark: str) -> None:
    rows = ["a b,c", '1.5,"x', 'y"', " 2 , ?", "-0.0,z", ""]
    text = mark + line.join(rows).replace(",", separator)
    path = tmp_path / "d.csv"
    path.write_bytes(text.encode())
    frame = load(path, "c", continuous=("a b",)).frame
    assert frame["a b"].tolist() == [1.5, 2.0, 0.0]
    assert not np.signbit(frame["a b"][2])
    assert frame["c"].isna().tolist() == [False, True, False]


def test_sparse_arff(tmp_path: Path) -> None:
    path = tmp_path / "s.arff"
    path.write_text(
        "@relation s\n@attribute a numeric\n@attribute b {x,y}\n@attribute c {n,p}\n@data\n"
        "{0 2.5, 2 p}\n{1 y}\n{}\n"
    )
    assert load(path, "c").frame.to_numpy().tolist() == [
        [2.5, "x", "p"],
        [0.0, "y", "n"],
        [0.0, "x", "n"],
    ]


def test_problem_of_both_kinds(csv: Path) -> None:
    made = build("e", load(csv, missing_texts=("",), discrete=("age",)), "all")
    assert made.kinds == "all"
    made = build("e", load(csv), "all")
    assert made.features == ("age", "dose", "sex", "note", "bp")
    assert made.levels == (0, 0, 2, 2, 0)
    assert made.x.dtype == np.float64
    assert made.provenance.rows_missing == 2
    only = build("e", load(csv), "discrete")
    assert (only.x.dtype, only.levels) == (np.int32, (2, 2))
    assert build("e", load(csv), "continuous").levels == (0, 0, 0)


def test_missing_values_kept(csv: Path) -> None:
    """`level` makes one more level, the last; `mean` leaves the place for a mean."""
    made = build("e", load(csv), "all", missing=Missing(continuous="mean", discrete="level"))
    assert made.provenance.rows_missing == 0
    assert made.provenance.cells_filled == 2
    assert made.levels == (0, 0, 2, 3, 0)
    note = made.x[:, 3]
    assert (note == 2).sum() == 1
    assert np.isnan(made.x[:, 0]).sum() == 1
    half = build("e", load(csv), "all", missing=Missing(discrete="level"))
    assert (half.provenance.rows_missing, half.provenance.cells_filled) == (1, 1)


def test_missing_values_refused(csv: Path) -> None:
    with pytest.raises(UserError, match=r"my\.csv, line 4, column 'age': a value is missing"):
        build("e", load(csv), "all", missing=Missing(continuous="error"))


def test_rescaling(csv: Path) -> None:
    table = load(csv)
    raw = build("e", table, "continuous", rescale="none")
    assert (raw.x[:, 0].min(), raw.x[:, 2].max()) == (31.0, 141.0)
    base = build("e", table, "continuous", rescale="train")
    assert (base.rescale, base.x.min(), base.x.max()) == ("train", 0.0, 1.0)


def test_inputs_far_from_zero_are_refused_unless_rescaled(tmp_path: Path) -> None:
    """Beside their distance from zero, rounding would hide on which side of a plane rows are."""
    path = tmp_path / "far.csv"
    path.write_text("a,y\n" + "".join(f"{1e7 + i / 4},{'uv'[i % 2]}\n" for i in range(40)))
    table = load(path, "y")
    with pytest.raises(
        UserError, match=r"'a' of .* spans 9\.75 and reaches 1e\+07.*another `rescale`"
    ):
        build("e", table, "continuous", rescale="none")
    assert build("e", table, "continuous", rescale="train").x.max() == 1.0


def test_target_of_a_catalogue_data_set_can_be_another() -> None:
    table = datasets.load(Request("adult", "sex", drop=("class",)))
    assert table.labels == ("Female", "Male")
    assert "class" not in table.kinds
    assert "class" in datasets.load(Request("adult", "sex")).kinds


def test_numbers_that_stand_for_missing_values(tmp_path: Path) -> None:
    path = tmp_path / "n.csv"
    path.write_text("a,b\n1.5,x\n-999,y\n2.5,x\n")
    pd.read_csv(path).to_parquet(tmp_path / "n.parquet")
    for each in (path, tmp_path / "n.parquet"):
        frame = load(each, "b", missing_texts=("-999",)).frame
        assert frame["a"].isna().tolist() == [False, True, False]


keys = st.lists(
    st.lists(st.sampled_from([0.0, 1.0, 2.5, np.nan]), min_size=5, max_size=5),
    min_size=1,
    max_size=4,
)


@given(keys)
def test_row_order_is_that_of_lexsort(columns: list[list[float]]) -> None:
    arrays = [np.array(column) for column in columns]
    expected = np.lexsort(arrays[::-1])
    for array in arrays:
        assert np.array_equal(array[row_order(arrays)], array[expected], equal_nan=True)


@pytest.mark.slow
@settings(max_examples=50)
@given(st.permutations(range(11)))
def test_order_of_rows_is_no_difference(order: list[int]) -> None:
    header, *rows = CSV.splitlines()
    from gdcurves.datasets.formats import delimited
    from gdcurves.datasets.table import read_table

    request = Request("my.csv", "diagnosis")
    first, second = (
        read_table(
            "f",
            delimited.read("\n".join([header, *some]).encode(), "f", ("", "?")),
            "file",
            request,
        )
        for some in (rows, [rows[i] for i in order])
    )
    assert first.sha256 == second.sha256
    one, two = build("e", first, "all"), build("e", second, "all")
    assert np.array_equal(one.x, two.x)
    assert np.array_equal(one.y, two.y)
