"""Tables drawn at random, written for every reader of data, and what must hold of what is read.

Every row and column has its place, and every label, level and number is the file's own. Files that
are broken make a table of which the former holds too, or one line that says what is wrong.
"""

from __future__ import annotations

import csv
import io
import random
import re
import string
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

from gdcurves.datasets import Request, Table
from gdcurves.datasets.formats import delimited
from gdcurves.datasets.sources import cache, files, one_file, openml, uci
from gdcurves.datasets.table import read_table
from gdcurves.errors import UserError
from gdcurves.problems.problem import build

SECONDS = 60.0
"""How long each reader reads in `make soak`."""
LONGEST = 10.0
"""Seconds of CPU in which any of these small files must be read or refused; a clock is no measure
where other programs run."""

GAPS = {"NA", "N/A", "null", "NaN", "nan", "None", "-", ".", "--"}  # missing values among numbers
WORDS = ["u", "v", "w w", "é", "it's", 'a"b', "a,b", "a;b", "50%", "{c}", "\\", "#", "@data", "%"]
NAMES = ["a", "b b", "größe", "x'", "n.o", "d-1", "q,r", "%", "Zeit", "k_2"]
LARGE = ["9007199254740992", "9007199254740993", "9007199254740994", "-9007199254740993"]


@dataclass(frozen=True)
class Drawn:
    """Columns of texts by name, the last one the target, and which of them are typed numbers."""

    columns: dict[str, list[str]]
    numbers: dict[str, type]

    @property
    def target(self) -> str:
        return list(self.columns)[-1]

    @property
    def rows(self) -> list[list[str]]:
        return [list(row) for row in zip(*self.columns.values(), strict=True)]


def draw(rng: random.Random) -> Drawn:
    """Draw a table; its first column has a number in every row."""
    n = rng.choice([1, 2, 3, 8, 20, 60, 130])
    names = rng.sample(NAMES, rng.randint(2, 6))
    columns: dict[str, list[str]] = {"x": [repr(round(rng.gauss(0, 1), 9)) for _ in range(n)]}
    numbers: dict[str, type] = {"x": float}
    for name in names:
        kind, make = rng.choice(_KINDS[1:] if name == names[-1] else _KINDS)
        one = make(rng)
        cells = [one() for _ in range(n)]
        for i in range(n):
            if rng.random() < rng.choice([0.0, 0.0, 0.1]):
                cells[i] = ""
        if kind is not None:
            numbers[name] = kind
        columns[name] = cells
    return Drawn(columns, numbers)


def _choice(texts: list[str]) -> Callable[[random.Random], Callable[[], str]]:
    def make(rng: random.Random) -> Callable[[], str]:
        some = rng.sample(texts, min(len(texts), rng.randint(1, 5)))
        return lambda: rng.choice(some)

    return make


_KINDS: list[tuple[type | None, Callable[[random.Random], Callable[[], str]]]] = [
    (
        None,
        lambda rng: (
            lambda: rng.choice([repr(round(rng.gauss(0, 9), 4)), "1e3", "-0.5", "NA", "null"])
        ),
    ),
    (
        float,
        lambda rng: lambda: repr(rng.choice([1e300, 1e-300, 0.1, -2.5, round(rng.random(), 9)])),
    ),
    (float, lambda rng: lambda: repr(round(rng.gauss(0, 50), 3) + 0.0)),
    (int, lambda rng: lambda: str(rng.randrange(3))),
    (int, lambda rng: lambda: str(rng.randrange(-500, 500))),
    (int, _choice(LARGE)),
    (None, _choice(["01", "1", "001", "10"])),
    (None, lambda rng: lambda: f"{rng.randrange(300):03d}"),
    (None, _choice(WORDS)),
    (None, _choice([*WORDS, "1", "2.50", "?", " u"])),
    (None, _choice(["ja", "nein", "JA", "ja."])),
    (None, lambda rng: lambda: "".join(rng.sample(string.ascii_letters, 6))),
    (None, lambda rng: lambda: f"20{rng.randrange(10, 24)}-01-{rng.randrange(10, 29)}"),
]

Reading = tuple[bytes, Callable[[bytes], Table]]
"""A file's content, and what reads it, or a content that was broken since."""


def _read(ending: str, content: bytes, request: Request) -> Table:
    raw = one_file.read_content(content, "f", ending, request, {})
    return read_table("f", raw, "file", request)


def _text(
    ending: str,
    careful: bool,
    drawn: Drawn,
    rng: random.Random,
    n_empty: int = 0,
    rows: Callable[[Drawn, random.Random], list[list[str]]] = lambda drawn, _: drawn.rows,
) -> Reading:
    """Rows have so many empty cells more than the header."""
    separator = "\t" if ending == ".tsv" else rng.choice(",,;\t|")
    stream = io.StringIO()
    quoting = rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    line = rng.choice(["\n", "\r\n"])
    writer = csv.writer(stream, delimiter=separator, quoting=quoting, lineterminator=line)
    writer.writerow(drawn.columns)
    writer.writerows([*row, *[""] * n_empty] for row in rows(drawn, rng))
    encoding = rng.choice(["utf-8", "utf-8", "utf-8-sig", "utf-16", "cp1252", "utf-16-le"])
    named = encoding if encoding in ("cp1252", "utf-16-le") else None
    request = Request("f", drawn.target, encoding=named)

    def read(content: bytes) -> Table:
        if not careful:
            return _read(ending, content, request)
        with mock.patch.object(delimited, "plain_quotes", return_value=None):
            return _read(ending, content, request)

    return stream.getvalue().encode(encoding), read


def _ended(careful: bool, drawn: Drawn, rng: random.Random) -> Reading:
    """Delimited text with separators at the ends of rows of which the header knows nothing."""
    n_empty = rng.choice([1, 1, 2])
    content, read_all = _text(".csv", careful, drawn, rng, n_empty)
    ends = [f"column {len(drawn.columns) + 1 + i}" for i in range(n_empty)]

    def read(content: bytes) -> Table:
        table = read_all(content)
        return replace(
            table, dropped={name: why for name, why in table.dropped.items() if name not in ends}
        )

    return content, read


def _with_others(drawn: Drawn, rng: random.Random) -> list[list[str]]:
    """The rows, and among and below them rows that are no data: the first column has numbers."""
    rows, width = drawn.rows, len(drawn.columns)
    others = [list(drawn.columns), ["-----"] * width]
    for _ in range(rng.choice([1, 1, 2, 3])):
        rows.insert(rng.randint(0, len(rows)), rng.choice(others))
    for below in (["Total", *["9.5"] * (width - 1)], ["Source: us", *[""] * (width - 1)]):
        if rng.random() < 0.5:
            rows.append(below)
    return rows


def _typed(drawn: Drawn) -> dict[str, list[Any]]:
    """Columns as typed values; None where a cell is empty."""
    return {
        name: [(drawn.numbers.get(name, str)(cell) if cell else None) for cell in cells]
        for name, cells in drawn.columns.items()
    }


def _xlsx(drawn: Drawn, rng: random.Random) -> Reading:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("data")
    for _ in range(rng.choice([0, 0, 2])):
        sheet.append([])
    sheet.append(list(drawn.columns))
    for row in zip(*_typed(drawn).values(), strict=True):
        sheet.append([str(cell) if str(cell) in LARGE else cell for cell in row])  # as Excel must
    if rng.random() < 0.3:
        book.create_sheet("other").append(["no"])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue(), partial(_read, ".xlsx", request=Request("f", drawn.target))


def _table(drawn: Drawn, rng: random.Random) -> pa.Table:
    arrays = {}
    for name, cells in _typed(drawn).items():
        kind = {int: pa.int64(), float: pa.float64()}.get(drawn.numbers.get(name), pa.string())
        array = pa.array(cells, kind)
        if pa.types.is_string(kind) and rng.random() < 0.5:
            array = rng.choice([array.dictionary_encode(), array.cast(pa.large_string())])
        arrays[name] = array
    return pa.table(arrays)


def _parquet(drawn: Drawn, rng: random.Random) -> Reading:
    sink = io.BytesIO()
    pq.write_table(_table(drawn, rng), sink, row_group_size=rng.choice([1, 7, 1000]))
    return sink.getvalue(), partial(_read, ".parquet", request=Request("f", drawn.target))


def _parts(drawn: Drawn, rng: random.Random) -> Reading:
    """The first part is what is broken."""
    table = _table(drawn, rng)
    cut = rng.randint(0, len(table))
    sinks = [io.BytesIO(), io.BytesIO()]
    for sink, part in zip(sinks, (table[:cut], table[cut:]), strict=True):
        pq.write_table(part, sink)
    first, last = (sink.getvalue() for sink in sinks)

    def read(content: bytes) -> Table:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "0.parquet").write_bytes(content)
            (Path(folder) / "1.parquet").write_bytes(last)
            request = Request(folder, drawn.target)
            return read_table("f", files.read(Path(folder), "f", request), "file", request)

    return first, read


def _arff_text(drawn: Drawn, rng: random.Random) -> str:
    lines = ["@relation r"]
    for name, cells in drawn.columns.items():
        declared = "numeric" if name in drawn.numbers else "string"
        if declared == "string" and rng.random() < 0.5 and any(cells):
            declared = f"{{{', '.join(_quoted(each) for each in sorted({*cells} - {''}))}}}"
        lines.append(f"@attribute {_quoted(name)} {declared}" + rng.choice(["", " % note"]))
    lines.append("@data")
    separator = rng.choice([",", ", ", "\t", " "])
    for row in drawn.rows:
        cells = [_quoted(cell) if cell else "?" for cell in row]
        lines.append(separator.join(cells) + rng.choice(["", "", " % it's one", ","]))
    return rng.choice(["\n", "\r\n"]).join(lines)


def _quoted(text: str) -> str:
    if re.fullmatch(r"[\w.+-]+", text):
        return text
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _arff(drawn: Drawn, rng: random.Random) -> Reading:
    content = _arff_text(drawn, rng).encode()
    return content, partial(_read, ".arff", request=Request("f", drawn.target))


def _openml(drawn: Drawn, rng: random.Random) -> Reading:
    types = {name: "numeric" if name in drawn.numbers else "nominal" for name in drawn.columns}
    about = {
        **{"id": 1, "name": "n", "version": 1, "target": drawn.target, "row_id": [], "ignored": []},
        **{"licence": "", "url": "", "features": None},
    }
    file = rng.choice(["data.arff", "data.parquet"])
    if file == "data.arff":
        content = _arff_text(drawn, rng).encode()
    else:
        content, _ = _parquet(drawn, rng)
        about["features"] = {
            name: {"type": types[name], "values": sorted({*cells})}
            for name, cells in drawn.columns.items()
        }

    def read(content: bytes) -> Table:
        request = Request("openml:1")
        raw = openml.raw(cache.Entry(Path("f"), about, file, content), request)
        return read_table("f", raw, "openml", request)

    return content, read


def _uci(drawn: Drawn, rng: random.Random) -> Reading:
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(drawn.columns)
    writer.writerows(drawn.rows)
    roles = {drawn.target: "Target"}
    kinds = {
        name: "Continuous" if name in drawn.numbers else "Categorical" for name in drawn.columns
    }
    variables = [
        {"name": name + rng.choice(["", " "]), "role": roles.get(name, "Feature"), "type": kind}
        for name, kind in kinds.items()
    ]
    about = {"uci_id": 1, "name": "n", "url": "", "variables": variables}

    def read(content: bytes) -> Table:
        request = Request("uci:1")
        raw = uci.raw(cache.Entry(Path("f"), about, "data.csv", content), request)
        return read_table("f", raw, "uci", request)

    return stream.getvalue().encode(), read


def _piped(drawn: Drawn, rng: random.Random) -> Reading:
    content, _ = rng.choice([_xlsx, _parquet, _arff, partial(_text, ".csv", False)])(drawn, rng)
    if not content.startswith((b"PK", b"PAR1")) and not _is_utf8(content):
        content, _ = _uci(drawn, rng)

    def read(content: bytes) -> Table:
        with mock.patch.object(files, "_piped", return_value=content):
            return files.load(Request("-", drawn.target))

    return content, read


def _is_utf8(content: bytes) -> bool:
    try:
        return b"\0" not in content and bool(content.decode())
    except UnicodeError:
        return False


READERS: dict[str, Callable[[Drawn, random.Random], Reading]] = {
    "csv, the fast reader": partial(_text, ".csv", False),
    "csv, the careful reader": partial(_text, ".csv", True),
    "csv, rows that end empty, the fast reader": partial(_ended, False),
    "csv, rows that end empty, the careful reader": partial(_ended, True),
    "csv, with rows that are no data": partial(_text, ".csv", False, rows=_with_others),
    "the same, the careful reader": partial(_text, ".csv", True, rows=_with_others),
    "tsv": partial(_text, ".tsv", False),
    "txt": partial(_text, ".txt", False),
    "xlsx": _xlsx,
    "parquet": _parquet,
    "a folder of parquet": _parts,
    "arff": _arff,
    "openml": _openml,
    "uci": _uci,
    "standard input": _piped,
}


def fault(reader: str, seed: int) -> str | None:
    """Say what is wrong with what a reader makes of one file, or of the same file broken."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return _fault(reader, seed)


def _fault(reader: str, seed: int) -> str | None:
    rng = random.Random(f"{reader} {seed}")
    drawn = draw(rng)
    content, read = READERS[reader](drawn, rng)
    began = time.process_time()
    try:
        try:
            check(drawn, read(content))
        except UserError as error:
            if "no inputs are left" not in str(error):
                return f"refused: {error}"
        try:
            broken = _broken(content, rng)
            table = read(broken)
        except UserError as error:
            if "\n" in str(error):
                return f"more than one line: {error}"
        else:
            check_rows(table)
    except AssertionError as error:
        return f"differs: {error}"
    except Exception as error:  # none but UserError may come
        return f"{type(error).__name__}: {error}"
    seconds = time.process_time() - began
    return f"took {seconds:.1f} s" if seconds > LONGEST else None


def _broken(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 5])):
        at = rng.randrange(len(changed) + 1)
        piece = rng.choice([b'"', b"'", b"\r", b"\n", b",", b"\0", b"%", b"{", b"\xff", b"9", b""])
        changed[at : at + rng.choice([0, 0, 1, 1, 3])] = piece
    return bytes(
        changed[: rng.choice([len(changed), len(changed), rng.randrange(len(changed) + 1)])]
    )


def check(drawn: Drawn, table: Table) -> None:
    """Fail unless each row, column, label, level and number of a table is that which was drawn."""
    check_rows(table)
    n_rows = len(drawn.rows)
    assert len(table.frame) == n_rows, f"{len(table.frame)} of {n_rows} rows"
    places = [table.target, *table.kinds, *table.dropped, *table.refused]
    assert sorted(places) == sorted(drawn.columns), f"{sorted(places)}"
    for name in (*table.kinds, table.target):
        texts, cells = drawn.columns[name], table.cells(name)
        told = name == table.target or (name in table.declared and table.kinds[name] == "discrete")
        gaps = {"", "?"} | (GAPS if _numeric(texts) and not told else set())
        given = {_level(text) for text in texts if text.strip() not in gaps}
        if not isinstance(cells, np.ndarray):
            assert {*cells.categories} == given, f"{name}: {[*cells.categories]} are not {given}"
        own = cells.tolist() if isinstance(cells, np.ndarray) else [*cells]
        for text, cell in zip(texts, own, strict=True):
            if text.strip() in gaps:
                assert cell != cell, f"{name}: {cell!r} for the gap {text!r}"
            else:
                right = float(text) if isinstance(cells, np.ndarray) else _level(text)
                assert cell == right, f"{name}: {cell!r} for {text!r}"
    assert {*table.labels} == {*table.cells(table.target).categories}


def _level(text: str) -> str:
    whole = re.fullmatch(r"([+-]?\d+)\.0*", text.strip())
    return whole[1] if whole else text.strip()


def _numeric(texts: list[str]) -> bool:
    given = {text.strip() for text in texts} - {"", "?"} - GAPS
    return bool(given) and all(
        re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", text, re.I) for text in given
    )


def check_rows(table: Table) -> None:
    """Fail unless rows used and rows left out are all rows."""
    n_rows = len(table.frame)
    assert n_rows > 0
    assert {*table.frame.columns} == {*table.kinds, table.target}
    try:
        origin = build("e", table, "all").provenance
    except UserError:
        return
    counted = origin.rows_used + origin.rows_missing + origin.rows_other_class
    assert counted == n_rows, f"{counted} of {n_rows} rows are accounted for"


def readers(
    _: Path, seconds: float = SECONDS, names: Iterable[str] = READERS
) -> Iterator[tuple[str, str, bool]]:
    """Let readers read files for some time, sound ones and the same broken."""
    start = int(np.random.default_rng().integers(2**32))
    for reader in names:
        until = time.monotonic() + seconds
        faults = []
        n_files = 0
        while time.monotonic() < until:
            if (each := fault(reader, start + n_files)) is not None:
                faults.append(f"seed {start + n_files}: {each}")
            n_files += 1
        yield (
            f"{reader}: files for {seconds:.0f} s (seeds from {start})",
            f"{n_files:,} files, and each of them broken: {len(faults)} read wrongly, in more than"
            f" {LONGEST:.0f} s of CPU, or with a traceback"
            + "".join(f"; {each}" for each in faults[:3]),
            not faults,
        )
