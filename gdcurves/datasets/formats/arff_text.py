"""ARFF text, dense or sparse, as WEKA reads it and a little beyond."""

from __future__ import annotations

import io
import re
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.config.reading import MISSING_TEXTS
from gdcurves.datasets.columns.cells import is_missing
from gdcurves.datasets.formats.arff_header import Attribute, Line, attributes, unreadable
from gdcurves.datasets.formats.arff_words import CUTS, pairs, unquoted, values
from gdcurves.datasets.formats.arrow_text import Arrow, known_columns
from gdcurves.datasets.formats.encoding import not_utf8
from gdcurves.datasets.raw import Raw, categorical, check_names, check_rows
from gdcurves.datasets.spec import Kind
from gdcurves.datasets.written import spelling
from gdcurves.errors import UserError
from gdcurves.words import counted, first_of

if TYPE_CHECKING:
    from gdcurves.datasets.raw import Cells

FEW = 3  # columns that a note names
_DATA = re.compile(r"^[ \t]*@data[ \t]*(\n|\r\n)", re.IGNORECASE | re.MULTILINE)
# Anything but a line's end and printable ASCII without blanks, quotes, braces, % and backslashes.
_NOT_PLAIN = re.compile(rb"[^\n!#$&(-\[\]-z|~]")
_WEIGHT = re.compile(r"(,|\s|\})\s*(\{\s*[-+.\deE]+\s*\})$")

Row = Sequence[str | None]
"""Values of a row, without quotes; None where one is missing."""


def read(
    content: bytes,
    origin: str,
    as_text: Collection[str] = (),
    missing: Collection[str] = MISSING_TEXTS,
) -> Raw:
    """Read ARFF text; kinds and the order of labels are those declared.

    Numbers of the columns in `as_text` stay as they are written. Dates are texts. A value that a
    nominal attribute does not declare breaks its column, see `Raw.broken`. A question mark in
    quotes is a text; where it is one of `missing`, which stand for missing values, a note says so.

    Raises
    ------
    UserError
        The text is not UTF-8 or not ARFF, or has weights or relational attributes.
    """
    text = _text(content, origin)
    if not text.strip():
        raise UserError(f"{origin}: is empty; it should begin with @relation")
    lines = _lines(text)
    declared, beside = attributes(lines, origin)
    if not declared:
        raise UserError(f"{origin}: holds no columns; write @attribute NAME TYPE for each")
    check_names([each.name for each in declared], origin)
    is_number = {each.name: each.kind == "number" and each.name not in as_text for each in declared}
    cells = _read_plain(text, declared, is_number) or _read_any(
        _rows(lines, beside, declared, origin), declared, is_number
    )
    check_rows(len(cells[0]), origin)
    raw = Raw(
        dict(zip(is_number, cells, strict=True)),
        origin,
        lambda row: f"line {_line_of(text, row)}",
        _kinds(declared, is_number),
        {each.name: each.values for each in declared if each.kind == "nominal"},
    )
    notes = tuple(_quoted_marks(raw)) if "?" in missing else ()
    return replace(raw, broken=dict(_undeclared(raw, missing)), notes=notes)


def _kinds(declared: Sequence[Attribute], is_number: Mapping[str, bool]) -> dict[str, Kind]:
    return {
        each.name: "discrete" if each.kind == "nominal" else "continuous"
        for each in declared
        if each.kind == "nominal" or is_number[each.name]
    }


def _quoted_marks(raw: Raw) -> Iterator[str]:
    """Say where a question mark stands in quotes: WEKA takes it for a text, others write it so."""
    marks = {
        name: n
        for name, cells in raw.columns.items()
        if not isinstance(cells, np.ndarray) and (n := int(np.sum(cells == "?")))
    }
    if marks:
        named = first_of([f"{name!r} ({counted(n, 'cell')})" for name, n in marks.items()], FEW)
        yield (
            f"{raw.origin}: '?' in quotes, which is a text to WEKA, stands for a missing value, in"
            f" {', '.join(named)}; `missing_texts: {{only: [NA]}}` in a config makes it one"
        )


def _undeclared(raw: Raw, missing: Collection[str]) -> Iterator[tuple[str, UserError]]:
    """Columns that hold values which their attributes do not declare, and that are not missing."""
    for name, known in raw.labels.items():
        cells = raw.columns[name]
        if isinstance(cells, np.ndarray):
            continue
        for code, text in enumerate(cells.categories):
            if text not in known and not is_missing(text, missing):
                yield (
                    name,
                    raw.where(name).error(
                        int(np.argmax(cells.codes == code)),
                        f"{text!r} is not in the list that the attribute declares; add it there, or"
                        " correct it",
                    ),
                )
                break


def _read_plain(
    text: str, declared: Sequence[Attribute], is_number: Mapping[str, bool]
) -> list[Cells] | None:
    """Read rows of plain words, as most files have, ten times as fast; None if not all are."""
    heading = _DATA.search(text)
    if heading is None:
        return None
    rows = text[heading.end() :].encode().replace(b"\r\n", b"\n").replace(b", ", b",")
    if not rows.strip() or _NOT_PLAIN.search(rows):
        return None
    numbered = {f"c{i}": each for i, each in enumerate(is_number.values())}
    content = ",".join(numbered).encode() + b"\n" + rows
    cells = known_columns(content, Arrow(",", ("", "?"), quoted=False), numbered)
    if cells is None:
        return None
    for each, column in zip(declared, cells, strict=True):
        given = set() if isinstance(column, np.ndarray) else {*column.categories}
        if each.kind == "nominal" and not given <= {*each.values}:
            return None
    return cells


def _read_any(
    rows: Iterator[Row], declared: Sequence[Attribute], is_number: Mapping[str, bool]
) -> list[Cells]:
    """Collect rows of any words; numbers of which one is none stay texts."""
    codes = [array("i") for _ in declared]
    texts: list[dict[str, int]] = [{} for _ in declared]
    for row in rows:
        for known, column, value in zip(texts, codes, row, strict=True):
            column.append(-1 if value is None else known.setdefault(value, len(known)))
    return [
        _cells(np.frombuffer(column, dtype=np.intc), list(known), number)
        for column, known, number in zip(codes, texts, is_number.values(), strict=True)
    ]


def _cells(codes: np.ndarray, texts: list[str], number: bool) -> Cells:
    if number and not np.isnan(numbers := spelling.numbers(texts)).any():
        return np.asarray(np.append(numbers, np.nan)[codes] + 0.0)
    return categorical(codes, texts)


def _lines(text: str) -> Iterator[Line]:
    return enumerate(io.StringIO(text, newline=None), start=1)


def _line_of(text: str, row: int) -> int:
    """Number of the line in which a row stands."""
    lines = _lines(text)
    _, beside = attributes(lines, "")
    numbers = (number for number, line in _data_lines(lines, beside))
    return next(number for i, number in enumerate(numbers) if i == row)


def _data_lines(lines: Iterator[Line], beside: Line) -> Iterator[Line]:
    """Lines that are neither empty nor a comment, of which one may stand beside `@data`."""
    for number, line in (beside, *lines):
        text = line.strip()
        if text and not text.startswith("%"):
            yield number, text


def _rows(
    lines: Iterator[Line], beside: Line, declared: Sequence[Attribute], origin: str
) -> Iterator[Row]:
    """Values of each row; raises UserError where a line is none."""
    for number, line in _data_lines(lines, beside):
        cuts = CUTS if "%" in line else CUTS[:1]
        possible = [row for cut in cuts if (row := _row(cut(line), declared)) is not None]
        if len(possible) > 1 and not _fits(possible[0], declared):
            possible.reverse()
        if not possible:
            raise unreadable(origin, number, _advice(CUTS[0](line), len(declared)))
        yield possible[0]


def _row(text: str, declared: Sequence[Attribute]) -> Row | None:
    if text.startswith("{"):
        inner = text[1:-1]
        given = pairs(inner) if text.endswith("}") else None
        if given is None or max(given, default=0) >= len(declared):
            return None
        return [
            _value(given[i]) if i in given else _left_out(each) for i, each in enumerate(declared)
        ]
    words = values(text, len(declared))
    return None if words is None else [_value(word) for word in words]


def _value(word: str) -> str | None:
    return None if word in ("", "?") else unquoted(word)


def _left_out(attribute: Attribute) -> str | None:
    """What a sparse row means where it says nothing: zero, or the first of the values declared."""
    if attribute.kind == "number":
        return "0"
    return attribute.values[0] if attribute.values else None


def _fits(row: Row, declared: Sequence[Attribute]) -> bool:
    """Whether values are of the types that are declared."""
    given = [(value, each) for value, each in zip(row, declared, strict=True) if value is not None]
    numbers = spelling.numbers([value for value, each in given if each.kind == "number"])
    listed = all(value in each.values for value, each in given if each.kind == "nominal")
    return listed and not np.isnan(numbers).any()


def _advice(text: str, n: int) -> str:
    """Say what is wrong with a row."""
    if (weight := _WEIGHT.search(text)) is not None:
        return f"the row has a weight, {weight[2]}, and weights have no place here; take them out"
    if text.startswith("{"):
        return "a sparse row is {NUMBER VALUE, NUMBER VALUE, ...}, and numbers begin at 0"
    words = values(text)
    if words is None:
        return "a value with quotes, braces or a quote that is open; put the whole value in quotes"
    return (
        f"the row has more or fewer values ({len(words)}) than there are attributes ({n}); correct"
        " one of them, or put a value with blanks or commas in quotes"
    )


def _text(content: bytes, origin: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise not_utf8(line, content[error.start], origin) from error
