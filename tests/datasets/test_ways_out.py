"""What refuses a file names a way out of it: whoever takes that way comes through.

A case is a file, what is said of it, the words of the refusal, and the ways that these name: the
part of the message that names a way, and the options, keys or file that make it.
"""

from __future__ import annotations

import gzip
import io
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import Call

from gdcurves import config, datasets, plan
from gdcurves.cli.drafting import Drafting
from gdcurves.cli.names import names
from gdcurves.errors import UserError
from gdcurves.fitters import REGISTRY, Needs
from gdcurves.fitters.majority import Majority
from gdcurves.plan import loading
from gdcurves.words import quoted

N = 40
CONTENT = "content"
"""In place of an option: the file, put right."""


def rows(
    header: str = "a,b,y",
    of: Callable[[int], str] = lambda i: f"{i * 37 % 101}.25,{'uvw'[i % 3]},{'np'[i % 2]}",
    n: int = N,
) -> str:
    return "\n".join([header, *map(of, range(n))]) + "\n"


ROWS = rows()
SOME_NOTES = rows(of=lambda i: f"{i * 37 % 101}.25,u,{'np'[i // 3 % 2]},{'' if i % 3 else 'note'}")
"""The header has one cell less than the rows."""


def cells(of: Callable[[int], str], **options: Any) -> str:
    """A column of cells, b, between a number and a class."""
    return rows(of=lambda i: f"{i * 37 % 101}.25,{of(i)},{'np'[i % 2]}", **options)


def book(**sheets: str) -> bytes:
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, text in sheets.items():
        sheet = made.create_sheet(name)
        for line in text.splitlines():
            sheet.append([float(each) if "." in each else each for each in line.split(",")])
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


def parquet(**columns: Any) -> bytes:
    sink = pa.BufferOutputStream()
    made = {"a": [i / 4 for i in range(N)], "y": ["n", "p"] * (N // 2), **columns}
    pq.write_table(pa.table(made), sink)
    return sink.getvalue().to_pybytes()


def arff(b: str = "{u,v}", row: str = "{i}.5,u,{y}", beside: str = "") -> str:
    head = f"@relation r\n@attribute a numeric\n@attribute b {b}\n@attribute y {{n,p}}{beside}\n"
    return f"{head}@data\n" + "".join(row.format(i=i, y="np"[i % 2]) + "\n" for i in range(N))


@dataclass(frozen=True)
class Case:
    """A refusal, and the ways out that it names.

    Attributes
    ----------
    said
        Words of the message.
    ways
        By the words that name each: what is to be given beside `given`, None for what is taken
        back, and `CONTENT` for another file.
    content
        The file, under the name `my` and its ending.
    given
        What is asked of it.
    """

    said: str
    ways: Mapping[str, Mapping[str, Any]]
    content: str | bytes = ROWS
    ending: str = ".csv"
    given: Mapping[str, Any] = field(default_factory=dict)


def written(folder: Path, content: str | bytes, ending: str) -> Path:
    path = folder / f"my{ending}"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def come_through(text: str, path: Path) -> None:
    """Make all that a run of a config needs."""
    problems, missing = loading.load(plan.make(config.load_text(text, path)), "packaged", None)
    assert problems
    assert not missing


def drafted(folder: Path, case: Case, way: Mapping[str, Any]) -> None:
    """Do with data what `run --data` does, and check the config that it runs."""
    asked: dict[str, Any] = {"target": "y", **case.given, **way}
    content, ending = asked.pop(CONTENT, case.content), asked.pop("ending", case.ending)
    data = asked.pop("data", None) or str(written(folder, content, ending))
    several = {key: [asked[key]] for key in ("missing", "groups") if asked.get(key)}
    made = Drafting(data, **asked | several).made
    if made.refusal is not None:
        raise made.refusal
    come_through(made.text, folder / "made.yaml")


def configured(folder: Path, case: Case, way: Mapping[str, Any]) -> None:
    """Do with a config, in YAML, what a run of it does; raises UserError."""
    keys: dict[str, Any] = {"target": "y", "sizes": "[2, 4]", "inputs": "all"} | {**case.given}
    keys |= way
    content, ending = keys.pop(CONTENT, case.content), keys.pop("ending", case.ending)
    path, fitters = written(folder, content, ending), keys.pop("fitters", "[{type: majority}]")
    lines = [f"    {key}: {each}\n" for key, each in keys.items() if each is not None]
    text = (
        f"splits: 2\nfitters: {fitters}\nexperiments:\n  - name: e\n    data: {path}\n"
        + "".join(lines)
    )
    come_through(text, folder / "my.yaml")


def check(use: Callable[[Path, Case, Mapping[str, Any]], None], folder: Path, case: Case) -> None:
    """See the refusal, in one line, then take each of the ways that it names."""
    with pytest.raises(UserError) as caught:
        use(folder, case, {})
    message = str(caught.value)
    assert case.said in message
    assert "\n" not in message
    assert case.ways
    for words, way in case.ways.items():
        assert words in message
        use(folder, case, way)


DROP: dict[str, Any] = {"drop": ["b"]}
LEVELS: dict[str, Any] = {"discrete": ["b"]}
GOOD: dict[str, Any] = {CONTENT: ROWS}
TEXTS = rows("a,b,y", lambda i: f"{i}.25,s{i // 2},{'np'[i % 2]}", 2200)

FILES = {
    "empty": Case("is empty", {"begin with a line of column names": GOOD}, ""),
    "no rows": Case("holds no data rows", {"add rows": GOOD}, "a,b,y\n"),
    "names": Case(
        "column 'b' appears twice, as columns 2 and 3",
        {"rename one of them": GOOD, "name the column under 'drop' (--drop)": DROP},
        rows("a,b,b,y", lambda i: f"{i},1.5,{i}.25,{'np'[i % 2]}"),
    ),
    "names in a sheet": Case(
        "column 'b' appears twice, as columns 2 and 3",
        {"name the column under 'drop' (--drop)": DROP},
        book(First=rows("a,b,b,y", lambda i: f"{i}.5,1.5,{i}.25,{'np'[i % 2]}")),
        ".xlsx",
    ),
    "no header": Case(
        "no column 'y' for the target; choose from 0.25, 1.5, n",
        {
            "or if they are a row, write a line of column names above it": {
                CONTENT: rows(of=lambda i: f"{i}.25,1.5,{'np'[i % 2]}")},
            "or give --no-header": {"no_header": True, "target": "c3"},
        },
        rows("0.25,1.5,n", lambda i: f"{i}.25,1.5,{'np'[i % 2]}"),
    ),
    "no header, twice": Case(
        "no column 'y' for the target; choose from 1.5, column 2, n",
        {
            "or if they are a row, write a line of column names above it": {
                CONTENT: rows(of=lambda i: f"{i}.25,1.5,{'np'[i % 2]}")},
            "or give --no-header": {"no_header": True, "target": "c3"},
        },
        rows("1.5,1.5,n", lambda i: f"{i}.25,1.5,{'np'[i % 2]}"),
    ),
    "title": Case(
        "line 2: 3 cells, but the header names 1 column",
        {"take out what stands above the line of column names": GOOD},
        f"Results of May\n{rows('2024,2025,y')}",  # which may be data
    ),
    "no name": Case(
        "column 2 of 3 has no name",
        {
            "write one into the header": GOOD,
            "it is called 'column 2'; or name the column under 'drop'": {"drop": ["column 2"]},
        },
        rows("a,,y"),
    ),
    "no name at the end": Case(
        "column 4 of 4 has no name",
        {
            "write one into the header": {CONTENT: SOME_NOTES.replace("a,b,y", "a,b,y,note")},
            "it is called 'column 4'; or name the column under 'drop'": {"drop": ["column 4"]},
        },
        SOME_NOTES,
    ),
    "json": Case("is JSON", {"save it as CSV": GOOD}, '[{"a": 1.5, "b": "u", "y": "n"}]\n'),
    "json lines": Case("is JSON", {"save it as CSV": GOOD}, '{"a": 1.5, "b": "u", "y": "n"}\n' * N),
    "libsvm": Case(
        "is in the format of LIBSVM",
        {"save it as CSV": GOOD},
        "".join(f"{'+-'[i % 2]}1 1:{i}.5 3:-{i}e-3\n" for i in range(N)),
    ),
    "html": Case(
        "is HTML or XML",
        {"save it as CSV": GOOD, "or .xlsx": {CONTENT: book(one=ROWS), "ending": ".xlsx"}},
        "<!DOCTYPE html>\n<table><tr><td>a</td></tr></table>\n",
    ),
    "cells": Case(
        "line 42: 4 cells, but the header names 3 columns",
        {
            "correct one of them": GOOD,
            "put a cell that holds the separator in double quotes": {
                CONTENT: f'{ROWS}1.5,"u,v",n\n'
            },
        },
        f"{ROWS}1.5,u,v,n\n",
    ),
    "cells between blanks": Case(
        "line 42: 4 cells, but the header names 3 columns",
        {
            "put a cell that holds blanks in double quotes": {
                CONTENT: ROWS.replace(",", " ") + '1.5 "u v" n\n'
            },
        },
        ROWS.replace(",", " ") + "1.5 u v n\n",
        ".txt",
    ),
    "quote between blanks": Case(
        "line 42: a separator expected after",
        {"is a quote open, or one too many?": {CONTENT: ROWS.replace(",", " ") + "1.5 v n\n"}},
        ROWS.replace(",", " ") + '1.5 "u"v n\n',
        ".txt",
    ),
    "row names": Case(
        "line 2: 4 cells, but the header names 3 columns",
        {"',' before the header if first cells name rows": {
            CONTENT: rows(",a,b,y", lambda i: f"r{i},{i}.5,u,{'np'[i % 2]}")
        }},
        rows("a,b,y", lambda i: f"r{i},{i}.5,u,{'np'[i % 2]}"),
    ),
    "repeated row names": Case(
        "no names of rows, since 's0' repeats",
        {"name all columns in the header": {
            CONTENT: rows("z a y", lambda i: f"s{i % 3} {i}.5 {'np'[i % 2]}")
        }},
        rows("a y", lambda i: f"s{i % 3} {i}.5 {'np'[i % 2]}"),
        ".txt",
    ),
    "quote": Case(
        "',' expected after '\"'", {"is a quote open, or one too many?": GOOD},
        f'{ROWS}1.5,"u"v,n\n',
    ),
    "latin-1": Case(
        "is not UTF-8 text (byte 0xe4)",
        {
            "save the file as UTF-8": {CONTENT: ROWS.replace("u", "ä")},
            "--encoding cp1252": {"encoding": "cp1252"},
        },
        ROWS.replace("u", "ä").encode("cp1252"),
    ),
    "UTF-8 all along": Case(
        "is UTF-8 text, from which cp1252 would make other letters",
        {"leave out the encoding (--encoding)": {"encoding": None}},
        ROWS.replace("u", "ä"),
        given={"encoding": "cp1252"},
    ),
    "utf-16": Case(
        "holds zero bytes",
        {"--encoding utf-16-le": {"encoding": "utf-16-le"}, "save the file as UTF-8": GOOD},
        ROWS.encode("utf-16-le"),
    ),
    "no utf-16": Case(
        "is not utf-16 text", {"name another encoding": {"encoding": "utf-8"}},
        given={"encoding": "utf-16"},
    ),
    "encoding": Case(
        "encoding 'utf-88': there is none of this name", {"utf-8": {"encoding": "utf-8"}},
        given={"encoding": "utf-88"},
    ),
    "ending": Case("cannot tell its format", {"should end in .arff, .csv": {"ending": ".csv"}},
                   ending=".lst"),
    "gzip": Case(
        "is gzip, but only a part of it or damaged",
        {"get the file once more": {CONTENT: gzip.compress(ROWS.encode())}},
        gzip.compress(ROWS.encode())[:-20], ".csv.gz",
    ),
    "sheets": Case("has no sheets", {"leave out the sheet": {"sheet": None}},
                   given={"sheet": "one"}),
    "text": Case("is no text", {"leave out the encoding": {"encoding": None}}, parquet(),
                 ".parquet", {"encoding": "utf-8"}),
    "sheet": Case("no sheet 'to'", {"did you mean 'two'?": {"sheet": "two"}},
                  book(one=ROWS, two=ROWS), ".xlsx", {"sheet": "to"}),
    "empty sheet": Case(
        "sheet 'one': is empty",
        {
            "begin with a row of column names": {CONTENT: book(one=ROWS)},
            "--sheet 'two'": {"sheet": "two"},
        },
        book(one="", two=ROWS), ".xlsx",
    ),
    "book": Case(
        "not readable as .xlsx",
        {"save it as .xlsx": {CONTENT: book(one=ROWS)}, "as CSV": {**GOOD, "ending": ".csv"}},
        ROWS, ".xlsx",
    ),
    "parquet": Case(
        "not readable as Parquet",
        {
            "get the file once more": {CONTENT: parquet()},
            "write it as CSV": {**GOOD, "ending": ".csv"},
        },
        ROWS, ".parquet",
    ),
    "no header, texts": Case(
        "no column 'y' for the target; choose from u, column 2, n",
        {"or give --no-header (`no_header: true`)": {"no_header": True, "target": "c3"}},
        rows("u,u,n", lambda i: f"{'uv'[i % 2]},{'uvw'[i % 3]},{'np'[i % 2]}"),
    ),
    "no names": Case(
        "says itself what its columns are called",
        {"leave out no_header": {"no_header": False}}, parquet(), ".parquet", {"no_header": True},
    ),
    "lists": Case(
        "column 'b': is of type list",
        {
            "write numbers or texts": {CONTENT: parquet(b=["u", "v"] * (N // 2))},
            "leave the column out of the file": {CONTENT: parquet()},
            "name the column under 'drop'": DROP,
        },
        parquet(b=[[i] for i in range(N)]), ".parquet",
    ),
}  # fmt: skip

ARFF = {
    "empty": Case("is empty", {"begin with @relation": {CONTENT: arff()}}, "\n"),
    "no columns": Case(
        "holds no columns", {"write @attribute NAME TYPE": {CONTENT: arff()}},
        "@relation r\n@data\n1\n",
    ),
    "no rows": Case("holds no data rows", {"add @data and rows": {CONTENT: arff()}},
                    "@relation r\n@attribute a numeric\n"),
    "no data": Case("holds no data rows", {"add rows": {CONTENT: arff()}},
                    "@relation r\n@attribute a numeric\n@attribute y {n,p}\n@data\n"),
    "parts": Case("the parts of the file do not follow",
                  {"write @attribute NAME TYPE": {CONTENT: arff()}},
                  arff().replace("@attribute a", "@column a")),
    "names": Case("two attributes have the same name", {"rename one 'a'": {CONTENT: arff()}},
                  arff().replace("@attribute b", "@attribute a")),
    "type": Case(
        "write @attribute NAME TYPE", {"numeric, string, date": {CONTENT: arff("string")}},
        arff("float"),
    ),
    "relational": Case(
        "attribute 'b' is relational", {"write its columns as attributes": {CONTENT: arff()}},
        arff("relational"),
    ),
    "weighted": Case("attribute 'b' has a weight, {2}", {"take the weights out": {CONTENT: arff()}},
                     arff("{u,v} {2}")),
    "row": Case(
        "has more or fewer values (4) than there are attributes (3)",
        {
            "correct one of them": {CONTENT: arff()},
            "put a value with blanks or commas in quotes": {
                CONTENT: arff("{u,'a,b'}", "{i}.5,'a,b',{y}")
            },
        },
        arff("{u,'a,b'}", "{i}.5,a,b,{y}"),
    ),
    "weight": Case("the row has a weight, {2}", {"take them out": {CONTENT: arff()}},
                   arff(row="{i}.5,u,{y},{{2}}")),
    "sparse": Case("a sparse row is {NUMBER VALUE", {"numbers begin at 0": {
        CONTENT: arff(row="{{0 {i}.5, 2 {y}}}")}}, arff(row="{{1 {i}.5, 3 {y}}}")),
    "quote": Case("a quote that is open", {"put the whole value in quotes": {
        CONTENT: arff("string", "{i}.5,'it is',{y}")}}, arff("string", "{i}.5,'it is,{y}")),
    "undeclared": Case(
        "'w' is not in the list that the attribute declares",
        {
            "add it there": {CONTENT: arff("{u,w}", "{i}.5,w,{y}")},
            "correct it": {CONTENT: arff("{u,v}", "{i}.5,u,{y}")},
            "name the column under 'drop'": DROP,
        },
        arff("{u,v}", "{i}.5,w,{y}"),
    ),
}  # fmt: skip

ONE = cells(lambda i: "x7" if i == 4 else f"{i * i}")
POINTS = cells(lambda i: f'"{i * 7 % 9 + 1},{i:03d}"')
MANY = rows("a,b,y", lambda i: f"{i * 37 % 101}.25,u,{i * 3}.5")

COLUMNS = {
    "no target": Case(
        "which column is to be predicted?",
        {"Name it as target; there are a, b, y": {"target": "y"}},
        given={"target": None},
    ),
    "target": Case("no column 'Y' for the target", {"did you mean 'y'?": {"target": "y"}},
                   given={"target": "Y"}),
    "role": Case("no column 'c', named under 'drop'", {"choose from a, b, y": DROP},
                 given={"drop": ["c"]}),
    "target's role": Case(
        "column 'y' is the target and stands under 'drop' too", {"take it out": {"drop": None}},
        given={"drop": ["y"]},
    ),
    "roles": Case("column 'b' stands twice under", {"name it once": {"discrete": None}},
                  given={**DROP, **LEVELS}),
    "no inputs": Case(
        "no inputs are left beside the target 'y'; left out is column 'a' (as the experiment asks)",
        {
            "add columns": {CONTENT: rows("a,b,c,y", lambda i: f"{i},u,{i}.5,{'np'[i % 2]}")},
            "name some under 'continuous'": {"drop": ["b"], "continuous": ["a"]},
            "or 'discrete'": {"drop": ["a"], "discrete": ["b"]},
        },
        given={"drop": ["a", "b"]},
    ),
    "ids alone": Case(
        "no inputs are left beside the target 'y'; left out is column 'id'",
        {"name some under 'continuous'": {"continuous": ["id"]}},
        rows("id,y", lambda i: f"{i},{'np'[i % 2]}"),
    ),
    "a text": Case(
        "line 6, column 'b': 'x7' is no number, and 39 of 40 cells are",
        {
            "correct it": {CONTENT: ONE.replace("x7", "7")},
            "add it to 'missing_texts'": {"missing_text": ["x7"]},
            "'drop'": DROP,
            "'discrete'": LEVELS,
        },
        ONE,
    ),
    "asked numbers": Case(
        "'u' is no finite number",
        {
            "correct it": {CONTENT: cells(lambda i: f"{i}.5")},
            "add it to 'missing_texts'": {"missing_text": ["u"],
                CONTENT: cells(lambda i: "u" if i == 0 else f"{i}.5")},
            "take the column out of 'continuous'": {"continuous": None},
        },
        given={"continuous": ["b"]},
    ),
    "infinite": Case(
        "column 'b': inf is no finite number",
        {
            "correct it": {CONTENT: cells(lambda i: f"{i}.5")},
            "add it to 'missing_texts'": {"missing_text": ["inf"]},
            "leave the cell empty": {CONTENT: cells(lambda i: "" if i == 3 else f"{i}.5")},
            "name the column under 'drop'": DROP,
        },
        cells(lambda i: "inf" if i == 3 else f"{i}.5"),
    ),
    "too large": Case(
        "column 'b': inf is no finite number ('1e400' is larger than any that is)",
        {
            "correct it": {CONTENT: cells(lambda i: f"{i}.5")},
            "add it to 'missing_texts'": {"missing_text": ["1e400"]},
            "leave the cell empty": {CONTENT: cells(lambda i: "" if i == 3 else f"{i}.5")},
            "or name the column under 'drop'": DROP,
        },
        cells(lambda i: "1e400" if i == 3 else f"{i}.5"),
    ),
    "some per cent": Case(
        "look like numbers, such as '0%', but not all in one way",
        {
            "with '%' in all cells": {CONTENT: cells(lambda i: f"{i}%")},
            "or in none": {CONTENT: cells(lambda i: f"{i}")},
            "under 'drop'": DROP,
            "under 'discrete'": LEVELS,
        },
        cells(lambda i: f"{i}" if i % 9 == 8 else f"{i}%"),
    ),
    "few per cent": Case(
        "'8%' is no number, and 36 of 40 cells are",
        {
            "with '%' in all cells": {CONTENT: cells(lambda i: f"{i}%")},
            "or in none": {CONTENT: cells(lambda i: f"{i}")},
            "under 'drop'": DROP,
            "'discrete'": LEVELS,
        },
        cells(lambda i: f"{i}%" if i % 9 == 8 else f"{i}"),
    ),
    "dates": Case(
        "dates or times such as '2020-01-01'",
        {
            "make numbers of them": {CONTENT: cells(lambda i: f"{i + 0.5}")},
            "'drop'": DROP,
            "'discrete'": LEVELS,
        },
        cells(lambda i: f"2020-01-{i % 9 + 1:02d}"),
    ),
    "texts": Case("holds 1,100 different texts such as 's0'",
                  {"'drop'": DROP, "'discrete'": LEVELS}, TEXTS),
    "groups": Case(
        "holds 1,100 different texts such as 's0'",
        {
            "--groups patient": {"groups": "patient"},
            "'drop'": {"drop": ["patient"]},
            "'discrete'": {"discrete": ["patient"]},
        },
        TEXTS.replace("a,b,y", "a,patient,y"),
    ),
    "thousands": Case(
        "may be 1.000 (--decimal ,) or 1000 (--thousands ,)",
        {
            "--decimal ,": {"decimal": ","},
            "--thousands ,": {"thousands": ","},
            "'drop'": DROP,
            "'discrete'": LEVELS,
        },
        rows("b;y", lambda i: f"{i * 7 % 9 + 1},{i:03d};{'np'[i % 2]}").replace(";y", ";a;y", 1)
        .replace(";n", ";u;n").replace(";p", ";v;p"),
    ),
}  # fmt: skip

GAPS = (
    *("1,2,3,4,5,6,", "3,5,6,1,2,3,", ",2,3,4,5,6,", "2,,3,4,5,6,", "3,2,,4,5,6,", "4,5,3,,5,6,"),
    "7,2,9,4,,6,",
)

TARGETS = {
    "numbers": Case(
        "the target holds 40 different numbers",
        {
            "--threshold median": {"threshold": "median"},
            "or a number": {"threshold": "60"},
            "--threshold none": {"threshold": "none"},
        },
        MANY,
    ),
    "one class": Case(
        "makes 1 class; give between 2 and 127, or another target",
        {"another target": {"target": "b"}},
        ROWS.replace(",p", ",n"),
    ),
    "classes": Case(
        "makes 200 classes; give between 2 and 127",
        {"--threshold median": {"threshold": "median"}},
        rows("a,b,y", lambda i: f"{i * 37 % 101}.25,u,{i % 200}.5", 800),
        given={"threshold": "none"},
    ),
    "labels, threshold": Case(
        "'n' is no finite number",
        {
            "leave out the threshold if the target holds labels": {"threshold": None},
            "correct it": {CONTENT: MANY},
        },
        given={"threshold": "median"},
    ),
    "high": Case(
        "is of class '> 900'",
        {"give a `threshold` (--threshold) from 0.5 on that is below 117.5": {"threshold": "0.5"}},
        MANY, given={"threshold": "900"},
    ),
    "median at the top": Case(
        "is of class '> 9'",
        {"give a `threshold` (--threshold) from 1 on that is below 9": {"threshold": "8.5"}},
        rows(of=lambda i: f"{i * 37 % 101}.25,{'uvw'[i % 3]},{1 if i % 5 == 0 else 9}"),
        given={"threshold": "median"},
    ),
    "one number": Case(
        "all of its values are 9",
        {"name another target (--target)": {"target": "b", "threshold": None}},
        rows(of=lambda i: f"{i * 37 % 101}.25,{'uvw'[i % 3]},9"), given={"threshold": "median"},
    ),
    "empty target": Case(
        "no row of data set 'my'", {"name another target": {"target": "b"}},
        rows("a,b,y", lambda i: f"{i}.5,{'uv'[i % 2]},"),
    ),
    "numbers in two ways": Case(
        "may be 1.000 (--decimal ,) or 1000 (--thousands ,)",
        {
            "--decimal ,": {"decimal": ","},
            "--thousands ,": {"thousands": ","},
            "leave out the threshold": {"threshold": None},
        },
        rows("b;y", lambda i: f"{'uvw'[i % 3]};{i % 9 + 1},{i % 9:03d}"),
        given={"threshold": "median"},
    ),
    "incomplete": Case(
        "`missing: error` refuses",
        {
            "fill it in": {CONTENT: ROWS},
            "drop the column": DROP,
            "change `missing`": {"missing": "level"},
        },
        cells(lambda i: "" if i == 3 else "uvw"[i % 3]), given={"missing": "error"},
    ),
    "rows": Case("has 2 complete rows", {"add some": {CONTENT: ROWS}}, rows(n=2)),
    "complete rows": Case(
        "has 2 complete rows",
        {"add some": {CONTENT: ROWS}, "--missing mean,level": {"missing": "mean,level"}},
        rows("a,b,c,d,e,f,y", lambda i: GAPS[i] + "np"[i % 2], 7),
    ),
    "incomplete class": Case(
        "no complete row of data set 'my'",
        {
            "change `classes`": {CONTENT: ROWS},
            "how `missing` values are treated": {"missing": "mean"},
        },
        f"{ROWS},u,q\n",
    ),
    "group": Case("has 2 groups", {"add some": {CONTENT: cells(lambda i: f"s{i % 5}")}},
                  cells(lambda i: f"s{i % 2}"), given={"groups": "b"}),
    "strata": Case(
        "--stratified and --groups exclude each other",
        {"give one of them": {"groups": None}, "--stratified": {"stratified": False}},
        cells(lambda i: f"s{i % 5}"), given={"groups": "b", "stratified": True},
    ),
    "large": Case("--sizes 40: there are 40 rows", {"write 39 or less": {"sizes": "2,39"}},
                  given={"sizes": "2,40"}),
    "sizes": Case("--sizes 2;4",
                  {"a,b,...": {"sizes": "2,4"}, "START:STOP:STEP": {"sizes": "2:9:3"}},
                  given={"sizes": "2;4"}),
    "order": Case("--sizes 4,2", {"in order, from 2 on": {"sizes": "2,4"}}, given={"sizes": "4,2"}),
    "fitter": Case("--fitters lad: no such classifier", {"did you mean 'lda'?": {"fitters": "lda"}},
                   given={"fitters": "lad", **DROP}),
    "one class named": Case(
        "--classes: found 1 of them", {"write two classes or more": {"classes": "n,p"}},
        given={"classes": "n"},
    ),
    "classes named": Case(
        "has no label 'N'", {"did you mean 'n'?": {"classes": '{a: [n], b: "p"}'}},
        given={"classes": "N,p"},
    ),
    "classes and threshold": Case(
        "--classes and --threshold exclude each other",
        {"give one of them": {"threshold": None}, "--threshold": {"classes": None}},
        rows(of=lambda i: f"{i * 37 % 101}.25,u,{i % 2}"),
        given={"classes": "0,1", "threshold": "median"},
    ),
    "no fitter": Case(
        "--fitters: a name is missing",
        {
            "as naive_bayes,penalised_logistic,majority": {
                "fitters": "naive_bayes,penalised_logistic,majority"
            },
            "leave it out": {"fitters": None},
        },
        given={"fitters": ","},
    ),
    "twice": Case("lda stands there twice", {"name it once": {"fitters": "lda"}},
                  given={"fitters": "lda,lda", **DROP}),
    "paper": Case("--fitters paper stands alone", {"paper": {"fitters": "paper"}},
                  given={"fitters": "paper,lda"}),
    "marks": Case(
        "--decimal , and --thousands , exclude each other",
        {"--decimal": {"thousands": None}, "--thousands": {"decimal": None}},
        given={"decimal": ",", "thousands": ","},
    ),
    "rule": Case("--missing men", {"did you mean 'mean'?": {"missing": "mean"}},
                 given={"missing": "men"}),
    "rules": Case("these exclude each other", {"give one of them": {"missing": "mean"}},
                  given={"missing": "mean,error"}),
    "threshold": Case("--threshold mean", {"median": {"threshold": "median"},
                      "a number": {"threshold": "9"}, "none": {"threshold": "none"}}, MANY,
                      given={"threshold": "mean"}),
    "figure": Case("--figure learning: no such figure",
                   {"did you mean 'learning_curves'?": {"figure": "learning_curves"}},
                   given={"figure": "learning"}),
    "kinds": Case("takes continuous inputs",
                  {"leave out the fitter": {"fitters": "majority"},
                   "name the discrete ones under 'drop'": DROP},
                  given={"fitters": "lda"}),
}  # fmt: skip

SPAN = rows(of=lambda i: f"{1e7 + i / 8},{'uvw'[i % 3]},{'np'[i % 2]}")
LARGE = rows(of=lambda i: f"{i}e60,{'uvw'[i % 3]},{'np'[i % 2]}")
CLASSES = {"classes": "{n: [n], p: [p]}"}
GROUPED = cells(lambda i: f"s{i % 5}")

CONFIGURED = {
    "inputs": Case(
        "has no continuous inputs; all are discrete",
        {
            "write 'inputs: discrete'": {"inputs": "discrete"},
            "name columns under 'continuous'": {
                CONTENT: rows(of=lambda i: f"{i % 2},u,{'np'[i % 2]}"), "continuous": "[a]"
            },
        },
        rows(of=lambda i: f"{'uvw'[i % 3]},u,{'np'[i % 2]}"), given={"inputs": "continuous"},
    ),
    "incomplete": Case(
        "no row of data set 'my'",
        {
            "see `missing` for other ways": {"missing": "{continuous: mean}"},
            "name columns under 'drop'": {"drop": "[a]", "continuous": None},
        },
        rows(of=lambda i: f",{'uvw'[i % 3]},{'np'[i % 2]}").replace("\n,", "\n1.5,", 1)
        .replace(",n", ",", 1),
        given={"continuous": "[a]"},
    ),
    "twice": Case("the label 'n' stands here 2 times", {"give it to one class": CLASSES},
                  given={"classes": "{n: [n], p: [n, p]}"}),
    "twice in two ways": Case(
        "label '1' is given twice",
        {"give it to one class": {"classes": "{n: ['1'], p: ['2']}"}},
        ROWS.replace(",n", ",1").replace(",p", ",2"),
        given={"classes": "{n: ['1'], p: ['1.0', '2']}"},
    ),
    "label": Case("has no label 'N'", {"did you mean 'n'?": CLASSES},
                  given={"classes": "{n: [N], p: [p]}"}),
    "empty class": Case(
        "is of class 'q'",
        {
            "change `classes`": {"classes": "[n, p]"},
            "how `missing` values are treated": {"missing": "{continuous: mean}"},
            "'a' is missing in all of its rows (--drop a keeps these": {"drop": "[a]"},
        },
        f"{ROWS},u,q\n",
    ),
    "empty class of what may be missing": Case(
        "is of class 'NA'",
        {
            "lack one input or another (--missing mean,level keeps them": {
                "missing": "{continuous: mean, discrete: level}"
            },
            "if 'NA' stands for no value, --missing-text NA says so": {"missing_texts": "[NA]"},
        },
        f"{ROWS},u,NA\n1.5,,NA\n",
    ),
    "many classes": Case(
        "makes 130 classes",
        {
            "give between 2 and 127 as `classes`": {"classes": "{low: [c0, c1], high: [c2, c3]}"},
            "where the labels are numbers `threshold: median`": {
                CONTENT: rows(of=lambda i: f"{i}.5,u,{i % 130}", n=260), "threshold": "median"
            },
        },
        rows(of=lambda i: f"{i}.5,u,c{i % 130}", n=260),
    ),
    "size": Case("is too large: e has 40 rows", {"write 39 or less": {"sizes": "[2, 39]"}},
                 given={"sizes": "[2, 40]"}),
    "groups": Case(
        "e has 2 groups by 'b'",
        {"name another column": {"groups": "a"}, "leave this out": {"groups": None}},
        cells(lambda i: f"s{i % 2}"), given={"groups": "b"},
    ),
    "a group too many": Case("is too large: e has 5 groups", {"write 4 or less": {"sizes": "[4]"}},
                             GROUPED, given={"groups": "b", "sizes": "[5]"}),
    "stratified groups": Case(
        "training sets are drawn by 'groups', whose rows may be of any class",
        {"leave out 'groups'": {"groups": None}, "or this": {"stratified": "false"}},
        GROUPED, given={"groups": "b", "stratified": "true"},
    ),
    "strata": Case("2 rows of 2 classes are too few", {"leave this out": {"stratified": None,
                   CONTENT: rows(n=3)}}, rows(n=2), given={"stratified": "true", "sizes": "[2]"}),
    "stratum": Case(
        "means 19 training rows of each of 2 classes, and class 'p' of e has 3",
        {"write a size from 2 to 7": {"sizes": "[2, 7]"}},
        rows(of=lambda i: f"{i}.5,u,{'np'[i < 3]}"),
        given={"sizes": "[2, 39]", "stratified": "true"},
    ),
    "steps": Case(
        "as size 4 does", {"write multiples of 2": {"sizes": "[4, 6]"}},
        given={"sizes": "[4, 5]", "stratified": "true"},
    ),
    "far": Case(
        "takes inputs up to 10,000 spans from zero",
        {
            "choose another `rescale`": {"rescale": "train"},
            "measure it from a nearer zero": {CONTENT: ROWS},
        },
        SPAN, given={"rescale": "none"},
    ),
    "huge": Case(
        "`rescale: none` takes numbers up to 1e+50",
        {"choose another `rescale`": {"rescale": "dataset"}, "change the unit": {CONTENT: ROWS}},
        LARGE, given={"rescale": "none"},
    ),
    "kinds": Case(
        "fitter 'lda' takes continuous inputs, and e has continuous and discrete ones",
        {
            "leave out the fitter": {"fitters": "[{type: majority}]"},
            "name the discrete ones under 'drop'": {"drop": "[b]"},
            "'inputs: continuous' to the experiment": {"inputs": "continuous"},
            "to the fitter": {
                "fitters": "[{type: majority}, {type: lda, inputs: continuous}]"
            },
        },
        given={"fitters": "[{type: majority}, {type: lda}]"},
    ),
    "only": Case(
        "'NA' is no number, and 39 of 40 cells are",
        {"add it to 'missing_texts'": {"missing_texts": "{only: ['', NA]}"}},
        cells(lambda i: "NA" if i == 3 else f"{i * i}"), given={"missing_texts": "{only: ['']}"},
    ),
    "marks": Case(
        "stands before decimals already", {"leave out one of the two": {"thousands": None}},
        given={"decimal": "','", "thousands": "','"},
    ),
}  # fmt: skip

DRAFTED = {
    f"{kind}: {name}": case
    for kind, cases in {"file": FILES, "arff": ARFF, "column": COLUMNS, "target": TARGETS}.items()
    for name, case in cases.items()
}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "case"), DRAFTED.items(), ids=DRAFTED)
def test_ways_out_of_a_draft(tmp_path: Path, name: str, case: Case) -> None:
    if name.startswith("arff"):
        case = replace(case, ending=".arff")
    check(drafted, tmp_path, case)


@pytest.mark.slow
@pytest.mark.parametrize("case", CONFIGURED.values(), ids=CONFIGURED)
def test_ways_out_of_a_config(tmp_path: Path, case: Case) -> None:
    check(configured, tmp_path, case)


NEEDY = {"fitters": "[{type: majority}, {type: needy}]"}
WITHOUT = {"fitters": "[{type: majority}]"}
NEGATIVE = rows(of=lambda i: f"{i - 20}.5,{i},{'np'[i % 2]}")
NEEDS = {
    "rescaled": (
        Needs(scale="rescaled"),
        Case(
            "takes inputs that are rescaled to [0, 1]",
            {"write 'rescale: train'": {"rescale": "train"}},
            given={"rescale": "none"},
        ),
    ),
    "as they are": (
        Needs(scale="as_is"),
        Case("takes inputs as they are", {"write 'rescale: none'": {"rescale": "none"}}),
    ),
    "below zero": (
        Needs(non_negative=True),
        Case(
            "takes no inputs below zero",
            {"leave these inputs out": {"drop": "[a]"}, "or the fitter": WITHOUT},
            NEGATIVE,
            given={"rescale": "none"},
        ),
    ),
    "classes": (
        Needs(most_classes=2),
        Case(
            "tells 2 classes apart, and e has 3",
            {"name 2 of them": {"classes": "[n, p]"}, "leave the fitter out": WITHOUT},
            rows(of=lambda i: f"{i}.5,{i},{'npq'[i % 3]}"),
        ),
    ),
    "rows": (
        Needs(rows_of_class=1),
        Case(
            "needs 1 training row of every class",
            {"'stratified: true'": {"stratified": "true"}},
        ),
    ),
    "size": (
        Needs(rows_of_class=2),
        Case(
            "size 2 gives each of 2 classes 1 row",
            {"write 4 or more": {"sizes": "[4]"}},
            given={"stratified": "true"},
        ),
    ),
    "groups": (
        Needs(rows_of_class=1),
        Case(
            "needs 1 training row of every class, which training sets drawn by 'groups' may lack",
            {
                "leave the fitter out": WITHOUT,
                "write 'stratified: true' in place of 'groups'": {
                    "groups": None,
                    "stratified": "true",
                },
            },
            GROUPED,
            given={"groups": "b"},
        ),
    ),
}


@pytest.mark.parametrize(("needs", "case"), NEEDS.values(), ids=NEEDS)
def test_ways_out_for_what_classifiers_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, needs: Needs, case: Case
) -> None:
    needy = type("Needy", (Majority,), {"needs": needs})
    monkeypatch.setitem(REGISTRY, "needy", needy)
    check(configured, tmp_path, replace(case, given={**NEEDY, **case.given}))


def refusal(use: Callable[[], object]) -> str:
    with pytest.raises(UserError) as caught:
        use()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_parts_of_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()

    def use(name: str = "") -> datasets.Table:
        return datasets.load(datasets.Request(str(folder / name), "y"))

    assert "is a folder without Parquet files; name a file in it" in refusal(use)
    (folder / "my.csv").write_text(ROWS)
    assert "name a file in it" in refusal(use)
    assert len(use("my.csv").frame) == N
    (folder / "1.parquet").write_bytes(parquet(b=[1.5] * N))
    (folder / "2.parquet").write_bytes(parquet(c=[1.5] * N))
    said = refusal(use)
    assert "1.parquet and 2.parquet differ in column 'b', and are no parts of one table" in said
    assert "name one of the files" in said
    assert len(use("1.parquet").frame) == N
    (folder / "2.parquet").write_bytes(parquet(b=[[1]] * N))
    assert "are no parts of one table: " in (said := refusal(use))
    assert "; name one of them" in said
    assert len(use("1.parquet").frame) == N


def test_files_of_the_catalogue(tmp_path: Path) -> None:
    def use(**options: object) -> datasets.Table:
        request = datasets.Request("contact-lenses", **options)  # type: ignore[arg-type]
        return datasets.load(request, data_dir=folder)

    folder = tmp_path / "none"
    assert "no such folder; is its name spelled as here?" in refusal(use)
    folder.mkdir()
    shipped = use()
    for key in ("encoding", "sheet"):
        assert f"is no file; leave out the {key}" in refusal(lambda: use(**{key: "x"}))  # noqa: B023
    path = folder / "contact-lenses.csv"
    header, *lines = shipped.frame.to_csv(index=False).splitlines()
    first, *others = header.split(",")
    path.write_text("\n".join([",".join(["other", *others]), *lines]))
    said = refusal(use)
    assert f"no column {first!r}, which data set 'contact-lenses' needs" in said
    assert "rename the column that is meant, or give the file's own name as data" in said
    assert len(datasets.load(datasets.Request(str(path), shipped.target)).frame) == len(lines)
    path.write_text("\n".join([header, *lines]))
    assert use().sha256 == shipped.sha256
    (folder / "contact-lenses.txt").write_text(path.read_text())
    assert "all hold 'contact-lenses'; keep one of them" in refusal(use)
    path.unlink()
    assert use().sha256 == shipped.sha256
    wanted = "holds none of the data sets lymph; files are named after them, such as lymph.arff"
    assert wanted in refusal(lambda: datasets.check_folder(folder, ["lymph"]))
    (folder / "lymph.arff").touch()
    datasets.check_folder(folder, ["lymph"])


def test_a_file_needs_no_copy(tmp_path: Path) -> None:
    path = str(written(tmp_path, ROWS, ".csv"))
    assert "this is a file, and needs no copy; use it as it is" in refusal(
        lambda: datasets.fetch(path)
    )
    assert len(datasets.load(datasets.Request(path, "y")).frame) == N
    absent = str(tmp_path / "My.csv")
    assert "no such file; is its name spelled as here?" in refusal(
        lambda: datasets.load(datasets.Request(absent, "y"))
    )


NAMES = ["b", "the b", "b, in EUR", '"b"', "b's", 'the "b", too', "b  c", "b\nc"]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_what_run_says_to_go_on_without(tmp_path: Path, call: Call, name: str) -> None:
    """The options and the command that it names are taken as they stand."""
    within = name.replace('"', '""')
    dates = cells(lambda i: f"2020-01-{i % 9 + 1:02d}", header=f'a,"{within}",y')
    path = written(tmp_path, dates, ".csv")
    with pytest.raises(UserError) as caught:
        Drafting(str(path), "y").document()
    named = re.search(r"to go on without: (.*); or start .*: (gd.*)", str(caught.value))
    assert named is not None
    without, command = named.groups()
    option, column = shlex.split(without)
    assert option == "--drop"
    shown = " ".join(name.splitlines())
    assert list(Drafting(str(path), "y", drop=[column]).made.table.dropped) == [shown]
    assert "\n" not in str(caught.value)
    _, *words = shlex.split(command)
    ended = call(*words)
    assert ended.code == 0, ended.err
    checked = call("config", "check", "my.yaml")
    assert checked.code == 0, checked.err


@pytest.mark.parametrize("option", ["drop", "discrete"])
def test_a_name_with_a_comma(tmp_path: Path, option: str) -> None:
    path = str(written(tmp_path, rows('a,"b, in EUR",y'), ".csv"))
    asked: dict[str, Any] = {option: ["b, in EUR"]}
    said = refusal(lambda: Drafting(path, "y", **asked).made)
    assert f"no column 'b', named under '{option}'" in said
    words = shlex.split(said.partition("a name that holds a comma stands in double quotes: ")[2])
    assert words == [f"--{option}", '"b, in EUR"']
    assert Drafting(path, "y", **{option: [words[1]]}).made.refusal is None


def test_names_between_commas() -> None:
    for name in NAMES:
        assert names([f"a, {quoted(name)} ,c", "d"]) == ["a", name, "c", "d"]
    assert names(["", "a,", 'b"c,"d']) == ["", "a", "", 'b"c', '"d']
