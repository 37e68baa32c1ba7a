"""ARFF text, dense or sparse."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np

from gdcurves.datasets.formats.arrow_text import Arrow, known_columns
from gdcurves.datasets.raw import Raw, by_number, check_names
from gdcurves.datasets.spec import Kind
from gdcurves.errors import UserError

# The reader would cut decimals off in columns declared as integers.
_INTEGER = re.compile(r"^(\s*@attribute\s+.*\S)\s+integer\s*$", re.IGNORECASE | re.MULTILINE)

_NUMBERS = re.compile(
    r"^(?P<before>\s*@attribute\s+(?P<name>'[^'\n]*'|\"[^\"\n]*\"|\S+))\s+(numeric|real|integer)\s*$",
    re.IGNORECASE | re.MULTILINE,
)

_ROW_BESIDE = re.compile(r"^([ \t]*@data)[ \t]+([^\s%].*)$", re.IGNORECASE | re.MULTILINE)
_DATA = re.compile(r"^ *@data.*\n", re.IGNORECASE | re.MULTILINE)
# Anything but a line's end and printable ASCII without blanks, quotes, braces, % and backslashes.
_NOT_PLAIN = re.compile(rb"[^\n!#$&(-\[\]-z|~]")

_ADVICE = {
    "BadAttributeType": "attributes are numeric, string, or a list of values in braces; make"
    " numbers of dates",
    "BadNumericalValue": "a value is no number where numbers are declared",
    "BadNominalValue": "a value is not in the list that its attribute declares",
    "BadDataFormat": "the row has more or fewer values than there are attributes",
    "BadLayout": "the parts of the file do not follow each other as in ARFF",
    "BadAttributeName": "two attributes have the same name; rename one of them",
    "BadAttributeFormat": "an attribute has no name or no type; write @attribute NAME TYPE",
}


def read(content: bytes, origin: str, as_text: Collection[str] = ()) -> Raw:
    """Read ARFF text; kinds and the order of labels are those declared.

    Numbers of the columns in `as_text` stay as they are written.

    Raises
    ------
    UserError
        The text is not UTF-8 or not ARFF, or a value is not of its attribute's declared type.
    """
    text = _ROW_BESIDE.sub(r"\1\n\2", _text(content, origin), count=1)
    if as_text:
        text = _NUMBERS.sub(lambda each: _declared_text(each, as_text), text)
    raw, declarations = _read_plain(text, origin) or _read_any(text, origin)
    kinds: dict[str, Kind] = {}
    labels: dict[str, tuple[str, ...]] = {}
    for name, declared in zip(raw.columns, declarations, strict=True):
        if isinstance(declared, list):
            kinds[name] = "discrete"
            labels[name] = tuple(declared)
        elif _is_number(declared):
            kinds[name] = "continuous"
    return replace(raw, kinds=kinds, labels=labels)


def _declared_text(attribute: re.Match[str], as_text: Collection[str]) -> str:
    """Return a declaration of numbers as one of texts, if it is of a column that counts as text."""
    name = attribute["name"].strip("'\"").strip()
    return f"{attribute['before']} string" if name in as_text else attribute[0]


Declarations = list[str | list[str]]
"""Types of the attributes, or their values."""


def _read_any(text: str, origin: str) -> tuple[Raw, Declarations]:
    attributes, rows = _parsed(text, origin)
    names = [name.strip() for name, _ in attributes]
    return Raw.of_rows(names, rows, origin), [declared for _, declared in attributes]


def _read_plain(text: str, origin: str) -> tuple[Raw, Declarations] | None:
    """Read rows of plain words, as most files have, ten times as fast; None if not all are."""
    heading = _DATA.search(text)
    if heading is None:
        return None
    rows = text[heading.end() :].encode().replace(b"\r\n", b"\n").replace(b", ", b",")
    if not rows.strip() or _NOT_PLAIN.search(rows):
        return None
    attributes, _ = _parsed(text[: heading.end()], origin)
    names = [name.strip() for name, _ in attributes]
    check_names(names, origin)
    declarations = [declared for _, declared in attributes]
    is_number = {f"c{i}": _is_number(declared) for i, declared in enumerate(declarations)}
    content = ",".join(is_number).encode() + b"\n" + rows
    cells = known_columns(content, Arrow(",", ("", "?"), quoted=False), is_number)
    if cells is None:
        return None
    for declared, column in zip(declarations, cells, strict=True):
        if isinstance(column, np.ndarray) or not isinstance(declared, list):
            continue
        if not {*column.categories} <= {*declared}:
            return None
    return Raw(dict(zip(names, cells, strict=True)), origin, by_number), declarations


def _is_number(declared: str | list[str]) -> bool:
    return not isinstance(declared, list) and declared != "STRING"


def _text(content: bytes, origin: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UserError(
            f"{origin}, line {line}: is not UTF-8 text (byte {content[error.start]:#04x}); save the"
            " file as UTF-8"
        ) from error


def _parsed(text: str, origin: str) -> tuple[list[Any], list[Any]]:
    import arff

    if not text.strip():
        raise UserError(f"{origin}: is empty; it should begin with @relation")
    try:
        content = arff.load(_INTEGER.sub(r"\1 REAL", text))
    except arff.ArffException as error:
        # The exceptions' own text can fail to format; class and line say as much.
        advice = _ADVICE.get(type(error).__name__, "the line cannot be understood")
        raise UserError(f"{origin}, line {error.line}: not readable as ARFF: {advice}") from error
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
        # What the reader lets through of its own parts.
        raise UserError(f"{origin}: not readable as ARFF; write it as CSV") from error
    return content["attributes"], content["data"]
