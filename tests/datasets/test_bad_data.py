"""Data that cannot be used: one line that names the place, what is there, and what to do."""

from __future__ import annotations

import contextlib
import gzip
import os
import string
import threading
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gdcurves import datasets
from gdcurves.datasets import Request
from gdcurves.datasets.formats import arff_text, arrow_text, delimited, parquet
from gdcurves.datasets.table import read_table
from gdcurves.errors import UserError
from gdcurves.plan import draft
from gdcurves.problems.problem import build

ROWS = "a,b,y\n" + "".join(f"{i}.5,{'uvw'[i % 3]},{'np'[i % 2]}\n" for i in range(20))
TEXTS = "".join(f"{i}.5,{i}x,{'np'[i % 2]}\n" for i in range(1100))
ARFF = "@relation r\n@attribute a numeric\n@attribute y {n,p}\n@data\n1,n\n2,p\n3,n\n"
ONLY: dict[str, object] = {"missing_texts": ("?",)}  # and no others, not even among numbers
MANY = "".join(f"{i}.5,u,c{i}\n" for i in range(130))


def _used(request: Request) -> None:
    """Do with data what a run of them does."""
    datasets.load(request)
    draft.make(request, None)


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("", {}, "my.csv: is empty; it should begin with a line of column names"),
        ("\n\n", {}, "my.csv: is empty; it should begin with a line of column names"),
        ("a,b,y\n", {}, "my.csv: holds no data rows, only column names; add rows"),
        ("a,b,b,y\n1,2,3,n\n", {}, "column 'b' appears twice, as columns 2 and 3; rename one"),
        ("a,,y\n1,2,n\n", {}, "my.csv: column 2 of 3 has no name; write one into the header"),
        ("a, ,y\n1,2,n\n", {}, "my.csv: column 2 of 3 has no name; write one into the header"),
        ("a,b,y\n1,2,n\n1,2\n", {}, "my.csv, line 3: 2 cells, but the header names 3 columns"),
        ("a,b,y\n1,2,n\n1,2,n,\n", {}, "my.csv, line 3: 4 cells, but the header names 3"),
        ('a,b,y\n1,"2,n\n', {}, "my.csv, line 2: unexpected end of data; is a quote open"),
        ('a,b,y\n1,"2\n3",n\n4,5\n', {}, "my.csv, line 4: 2 cells, but the header names 3"),
        (ROWS.encode("utf-16-le"), {}, "my.csv: holds zero bytes, as UTF-16 without its mark do"),
        (ROWS.encode("utf-16")[:-1], {}, "my.csv: is not utf-16 text; name another encoding"),
        ("a,b,y\n1,ä,n\n".encode("latin-1"), {}, "line 2: is not UTF-8 text (byte 0xe4); save"),
        (b"a,b,y\n1,\0,n\n" + b"\xff", {}, "line 3: is not UTF-8 text (byte 0xff); save the"),
        ("ä,b,y\n1,2,n\n".encode("latin-1"), {}, "line 1: is not UTF-8 text (byte 0xe4); save"),
        (ROWS, {"target": None}, "which column is to be predicted? Name it as target; there are a"),
        (ROWS, {"target": "z"}, "my.csv: no column 'z' for the target; choose from a, b, y"),
        (ROWS, {"drop": ("c",)}, "my.csv: no column 'c', named under 'drop'; choose from a, b, y"),
        (ROWS, {"discrete": ("y",)}, "column 'y' is the target and stands under 'discrete' too"),
        (ROWS, {"drop": ("a",), "continuous": ("a",)}, "column 'a' stands twice under 'contin"),
        (ROWS, {"drop": ("a", "b")}, "target 'y'; left out is column 'a' (as the experiment"),
        (ROWS, {"continuous": ("b",)}, "my.csv, line 2, column 'b': 'u' is no finite number; cor"),
        (ROWS.replace("\n7.5", "\nx7"), {}, "line 9, column 'a': 'x7' is no number, and 19 of"),
        (ROWS.replace("\n7.5", "\nnan"), ONLY, "line 9, column 'a': 'nan' is no number, and 19 of"),
        (ROWS.replace("\n7.5", "\nNA"), ONLY, "line 9, column 'a': 'NA' is no number, and 19 of"),
        (ROWS.replace("\n7.5", "\ninf"), {}, "line 9, column 'a': inf is no finite number"),
        (ROWS.replace("\n7.5", "\n1e999"), {}, "line 9, column 'a': inf is no finite number"),
        ("a,y\n2020-01-01,n\n2020-01-02,p\n", {}, "line 2, column 'a': dates or times such as"),
        ("a,y\n12:30,n\n12:31,p\n", {}, "dates or times such as '12:30' in 2 of 2 cells have no"),
        ("a,b,y\n" + TEXTS + TEXTS, {}, "column 'b': holds 1,100 different texts such as '0x'"),
        (ROWS.replace("p\n", "n\n"), {}, "makes 1 class; give between 2 and 127, or another"),
        (
            ROWS.replace(",p\n", ",\n").replace(",n\n", ",yes\n"),
            {},
            "this one has 1 label: 'yes', and 10 rows without one; if these are a class, write",
        ),
        ("a,b,y\n1,u,n\n2,v,p\n", {}, "has 2 complete rows; add some: two are to learn from, one"),
        ("a,b,y\n" + MANY, {}, "makes 130 classes; give between 2 and 127 as `classes`, or"),
        (ROWS.replace(",p", ",?").replace(",n", ","), {}, "no row of data set 'my' (file "),
        (ROWS, {"missing_texts": ("u", "v", "w")}, None),  # b is left out, a remains
    ],
)  # fmt: skip
def test_csv(
    tmp_path: Path,
    content: str | bytes,
    options: dict[str, object],
    message: str | None,
) -> None:
    path = tmp_path / "my.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    request = Request(str(path), **{"target": "y", **options})  # type: ignore[arg-type]
    if message is None:
        assert draft.make(request, None).problem.features == ("a",)
        return
    with pytest.raises(UserError) as caught:
        _used(request)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "my.arff: is empty; it should begin with @relation"),
        ("@relation r\n@attribute a numeric\n@data\n", "my.arff: holds no data rows, only column"),
        (ARFF.replace("2,p", "two,p"), "line 6, column 'a': 'two' is no finite number; correct it"),
        (ARFF.replace("2,p", "2,q"), "line 6, column 'y': 'q' is not in the list that the attr"),
        (ARFF.replace("2,p", "2"), "line 6: not readable as ARFF: the row has more or fewer"),
        (
            ARFF.replace("a numeric", "a bumeric"),
            "line 2: not readable as ARFF: write @attribute NAME TYPE; attributes are nu",
        ),
        (ARFF.replace("y {n", "a {n"), "ARFF: two attributes have the same name; rename one"),
        (ARFF.replace("a numeric", "'' numeric"), "column 1 of 2 has no name; write one into the"),
        ("a,y\n1,n\n", "my.arff, line 1: not readable as ARFF: the parts of the file"),
        ("@relation r\n@attribute a numeric\n@data\n{7 1}\n", "line 4: not readable as ARFF"),
        (ARFF.replace("1,n", "ä,n").encode("latin-1"), "line 5: is not UTF-8 text (byte 0xe4)"),
        (ARFF.replace("1,n", "1e999,n"), "line 5, column 'a': inf is no finite number"),
    ],
)
def test_arff(tmp_path: Path, content: str | bytes, message: str) -> None:
    path = tmp_path / "my.arff"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(UserError) as caught:
        draft.make(Request(str(path), "y"), None)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "my.parquet"
    bad: list[tuple[bytes | dict[str, object], str]] = [
        (b"", "not readable as Parquet: "),
        (b"PAR1 and more", "not readable as Parquet: "),
        ({"a": [[1], [2]], "y": ["n", "p"]}, "column 'a': is of type list<"),
        (
            {"a": np.array(["2020-01-01"] * 2, "M8[s]"), "y": ["n", "p"]},
            "in 2 of 2 cells have no",
        ),
        ({"a": [1.0, np.inf], "y": ["n", "p"]}, "data row 2, column 'a': inf is no finite number"),
        ({"a": [], "y": []}, "holds no data rows"),
    ]
    for content, message in bad:
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            pq.write_table(pa.table(content), path)
        with pytest.raises(UserError) as caught:
            datasets.load(Request(str(path), "y"))
        assert message in str(caught.value)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)


def test_files_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "d.csv").mkdir()
    (tmp_path / "x.xls").write_bytes(b"PK")
    (tmp_path / "cut.csv.gz").write_bytes(gzip.compress(ROWS.encode())[:-9])
    for name, message in [
        ("d.csv", "is a folder without Parquet files; name a file in it"),
        ("no.csv", "no such file"),
        ("no.xls", "no such file"),
        ("x.xls", "cannot tell its format; its name should end in .arff, .csv, "),
        ("cut.csv.gz", "cannot be read: "),
    ]:
        with pytest.raises(UserError, match=f"^file .*{name}: {message}"):
            datasets.load(Request(str(tmp_path / name), "y"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are POSIX's")
def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "pipe.csv"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_text(ROWS))
    writer.start()
    assert len(datasets.load(Request(str(path), "y")).frame) == 20
    writer.join()


def test_rare_classes_and_constant_columns_are_no_error(tmp_path: Path) -> None:
    """Ten classes of one row each; one row per class; a column of one value."""
    path = tmp_path / "my.csv"
    path.write_text("a,b,c,y\n" + "".join(f"{i}.5,7,k,class{i}\n" for i in range(10)))
    made = draft.make(Request(str(path), "y"), None)
    assert made.problem.classes == tuple(f"class{i}" for i in range(10))
    assert made.problem.levels == (0, 1, 1)
    assert made.sizes[-1] == 8  # two rows are left to test on


def test_more_rows_than_are_there(tmp_path: Path) -> None:
    for n_rows in (3, 4, 10, 1000, 10**6):
        sizes = draft.sizes(n_rows)
        assert sizes[0] == 2
        assert sizes[-1] < n_rows
        assert list(sizes) == sorted(set(sizes))


cell = st.one_of(
    st.sampled_from(["", "?", " ?", "NA", "nan", "inf", "-0.0", "1", "2.5", "1e400", "true", "x"]),
    st.sampled_from(["2020-01-01", '"', '"a"', ' "b"', "0x1f", "1_0", "007", "9" * 400, "\0"]),
    st.text(string.printable, max_size=4),
    st.text(max_size=3),
)
lines = st.lists(st.lists(cell, min_size=1, max_size=4).map(",".join), max_size=12)
grammar = st.one_of(
    st.binary(max_size=60),
    lines.map(lambda rows: "\n".join(["a,b,y", *rows]).encode()),
    st.lists(st.tuples(cell, cell, st.sampled_from("np")), min_size=1, max_size=30).map(
        lambda rows: "\n".join(["a,b,y", *(",".join(row) for row in rows)]).encode()
    ),
    st.text(st.sampled_from('ab,;\t\n\r" ?12.y\ufeff'), max_size=60).map(str.encode),
)


@pytest.mark.slow
@example(b"a,b,y\n\x1c0,x,n\n", False)
@settings(max_examples=300, deadline=5000, suppress_health_check=[HealthCheck.too_slow])
@given(grammar, st.booleans())
def test_fuzz_delimited_text(content: bytes, numeric: bool) -> None:
    """Any bytes make a table or a UserError; never another error or a hang."""
    request = Request("my.csv", "y", numeric_target=numeric)
    as_text = () if numeric else ("y",)
    try:
        raw = delimited.read(content, "f", request.missing_texts, as_text)
        table = read_table("f", raw, "file", request)
    except UserError:
        return
    assert len(table.frame) > 0
    with contextlib.suppress(UserError):
        made = build("e", table, "all", threshold="median" if numeric else None)
        assert np.isfinite(made.x).all()
        assert len(np.unique(made.y)) == len(made.classes)
    assert all(np.isfinite(column.dropna()).all() for _, column in table.frame.items()
               if column.dtype.kind == "f")  # fmt: skip


def test_a_late_text_makes_a_text_of_its_column_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blanks around numbers, and cells without a value, are no texts."""
    monkeypatch.setattr(arrow_text, "_SAMPLE", 30)
    rows = "1.5,2.5,3.5,n\n" * 10
    columns = delimited.read(f"a,b,c,y\n{rows}x, 4.5\t,,p\n".encode(), "f", ("",), ("y",)).columns
    assert list(columns["a"].categories) == ["1.5", "x"]
    assert isinstance(columns["b"], np.ndarray)
    assert isinstance(columns["c"], np.ndarray)
    assert columns["b"].tolist() == [2.5] * 10 + [4.5]
    assert np.isnan(columns["c"]).tolist() == [False] * 10 + [True]


arff_lines = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "@relation r",
                "@attribute a numeric",
                "@attribute y {n,p}",
                "@attribute b string",
                "@attribute 'c d' {'x y', z}",
                "@attribute e integer",
                "@attribute f date",
                "@data",
                "1,n",
                "?,p",
                "{0 1}",
                "{",
                "'",
                "1,n,'x y',3",
                "%",
                "nan,n",
                "1e999,p",
            ]
        ),
        st.text(st.characters(exclude_characters="\n\r"), max_size=12),
    ),
    max_size=14,
).map(lambda rows: "\n".join(rows).encode("utf-8", "replace"))


@pytest.mark.slow
@settings(max_examples=300, deadline=5000)
@given(st.one_of(arff_lines, st.binary(max_size=50)))
def test_fuzz_arff(content: bytes) -> None:
    request = Request("my.arff", "y")
    try:
        table = read_table("f", arff_text.read(content, "f"), "file", request)
    except UserError:
        return
    assert len(table.frame) > 0


number = st.sampled_from(["1", "-0.5", "2e3", "-0.0", "?", "", "inf", "nan", "+1", "1_0", "x"])
word = st.sampled_from(["a", "1.0", "?", "", " a", "a b", "NA", "#", "@data", "é"])
label = st.sampled_from(["n", "p", "n", "p", "?", "", "q"])


@pytest.mark.slow
@settings(max_examples=300, deadline=5000)
@given(
    st.lists(st.tuples(number, word, label), min_size=1, max_size=3), st.sampled_from([",", ", "])
)
def test_fuzz_plain_arff_is_read_as_any(rows: list[tuple[str, str, str]], separator: str) -> None:
    """Where the reader of plain rows takes a text, it reads what the careful one reads."""
    head = "@relation r\n@attribute 'a b' numeric\n@attribute s string\n@attribute y {n,p}\n@data\n"
    content = (head + "\n".join(separator.join(row) for row in rows)).encode()

    def read() -> list[object]:
        try:
            raw = arff_text.read(content, "f")
        except UserError as error:
            return [str(error)]
        cells = {name: pd.Series(each).astype(object) for name, each in raw.columns.items()}
        return [cells, raw.kinds, raw.labels, {key: str(each) for key, each in raw.broken.items()}]

    fast = read()
    with mock.patch.object(arff_text, "_read_plain", return_value=None):
        slow = read()
    assert fast[1:] == slow[1:]
    if len(fast) == 1:
        assert fast == slow
        return
    for name, cells in slow[0].items():  # type: ignore[attr-defined]
        assert cells.equals(fast[0][name])  # type: ignore[index]


@settings(max_examples=100, deadline=5000)
@given(st.data())
def test_fuzz_parquet(data: st.DataObject) -> None:
    """Bytes changed anywhere in a good file."""
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"a": [1.5, 2.5, None], "y": ["n", "p", "n"]}), sink)
    content = bytearray(sink.getvalue().to_pybytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(content)))
    try:
        table = read_table(
            "f",
            parquet.read(bytes(content[:cut] if cut % 3 else content), "f"),
            "file",
            Request("f.parquet", "y"),
        )
    except UserError:
        return
    assert len(table.frame) > 0


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (None, "Name it as target; there are age, diagnosis"),
        ("outcome", "no column 'outcome' for the target; choose from age, diagnosis"),
        ("diagnosi", "did you mean 'diagnosis'?"),
    ],
)
def test_what_may_be_the_target_is_offered(tmp_path: Path, target: str | None, said: str) -> None:
    """No row numbers, keys, names, constants, columns without values or names, nor what groups."""
    path = tmp_path / "my.csv"
    header = ",patient_id,name,const,empty,age,diagnosis,site,x\n"
    row = "{0},{1},Name {0},1,,{2}.5,{3},{4},{2}\n"
    lines = [row.format(i, 1000 - i, i * i % 7, "np"[i % 2], i % 8) for i in range(40)]
    path.write_text(header + "".join(lines))
    with pytest.raises(UserError) as refused:
        datasets.look(Request(str(path), target, groups=("site",), drop=("x",)))
    assert str(refused.value).endswith(said)
