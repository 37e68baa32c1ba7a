"""ARFF text, dense or sparse."""

from __future__ import annotations

import re
from typing import Any

from gdcurves.datasets.raw import Raw, check_names, check_rows
from gdcurves.datasets.spec import Kind
from gdcurves.errors import UserError

# The reader would cut decimals off in columns declared as integers.
_INTEGER = re.compile(r"^(\s*@attribute\s+.*\S)\s+integer\s*$", re.IGNORECASE | re.MULTILINE)

_ADVICE = {
    "BadAttributeType": "attributes are numeric, string, or a list of values in braces; make"
    " numbers of dates",
    "BadNumericalValue": "a value is no number where numbers are declared",
    "BadNominalValue": "a value is not in the list that its attribute declares",
    "BadDataFormat": "the row has more or fewer values than there are attributes",
    "BadLayout": "the parts of the file do not follow each other as in ARFF",
    "BadAttributeName": "two attributes have the same name; rename one of them",
}


def read(content: bytes, origin: str) -> Raw:
    """Read ARFF text; kinds and the order of labels are those declared.

    Raises
    ------
    UserError
        The text is not UTF-8 or not ARFF, or a value is not of its attribute's declared type.
    """
    attributes, rows = _load(_text(content, origin), origin)
    names = [name.strip() for name, _ in attributes]
    check_names(names, origin)
    check_rows(len(rows), origin)
    raw = Raw.of_rows(names, rows, origin)
    kinds: dict[str, Kind] = {}
    labels: dict[str, tuple[str, ...]] = {}
    for name, (_, declared) in zip(names, attributes, strict=True):
        if isinstance(declared, list):
            kinds[name] = "discrete"
            labels[name] = tuple(declared)
        elif declared.upper() != "STRING":
            kinds[name] = "continuous"
    return Raw(raw.columns, origin, raw.place, kinds, labels)


def _text(content: bytes, origin: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UserError(
            f"{origin}, line {line}: is not UTF-8 text (byte {content[error.start]:#04x}); save the"
            " file as UTF-8"
        ) from error


def _load(text: str, origin: str) -> tuple[list[Any], list[Any]]:
    import arff

    if not text.strip():
        raise UserError(f"{origin}: is empty; it should begin with @relation")
    try:
        content = arff.load(_INTEGER.sub(r"\1 REAL", text))
    except arff.ArffException as error:
        # The exceptions' own text can fail to format; class and line say as much.
        kind = type(error).__name__
        advice = f": {_ADVICE[kind]}" if kind in _ADVICE else ""
        raise UserError(
            f"{origin}, line {error.line}: not readable as ARFF ({kind}){advice}"
        ) from error
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
        # What the reader lets through of its own parts.
        kind = type(error).__name__
        raise UserError(f"{origin}: not readable as ARFF ({kind}); write it as CSV") from error
    return content["attributes"], content["data"]
