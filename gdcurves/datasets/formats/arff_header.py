"""What stands before the rows of ARFF: names and types of attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from gdcurves.datasets.formats.arff_words import CUTS, QUOTED, unquoted, values
from gdcurves.errors import UserError

Line = tuple[int, str]
"""Number of a line, from 1, and its text."""

_LIST = rf"\{{(?:{QUOTED}|[^'\"{{}}])*+\}}"
_ATTRIBUTE = tuple(
    re.compile(
        rf"@attribute\s+(?P<name>{name})(?P<type>numeric|real|integer|string|date|relational|{_LIST})"
        r"(?P<more>|[\s\[(].*)",
        re.IGNORECASE,
    )
    for name in (
        rf"(?:{QUOTED}|[^\s'\"]\S*)\s+",
        r"[^\s'\"{]+(?=\{)",  # a list of values may begin beside a name
    )
)
_RANGE = re.compile(r"[\[(][^\[\](){}]*[\])]?")
_WEIGHT = re.compile(r"\{\s*[-+.\deE]+\s*\}")


@dataclass(frozen=True)
class Attribute:
    """One column as it is declared.

    Attributes
    ----------
    name
        Without quotes.
    kind
        "text" is a string or a date.
    values
        Those of a nominal one, as they stand in its list.
    """

    name: str
    kind: Literal["number", "text", "nominal"]
    values: tuple[str, ...] = ()


def unreadable(origin: str, number: int, advice: str) -> UserError:
    """Return the error for a line that is none of ARFF's."""
    return UserError(f"{origin}, line {number}: not readable as ARFF: {advice}")


def attributes(lines: Iterator[Line], origin: str) -> tuple[list[Attribute], Line]:
    """Read up to the line of `@data`; what stands beside that, and its number, come too.

    Raises
    ------
    UserError
        A line is of another kind or type, or an attribute has a weight.
    """
    declared: dict[str, Attribute] = {}
    for number, line in lines:
        text = line.strip()
        word = text.split(None, 1)[0].lower() if text else ""
        if not word or word.startswith("%") or word == "@relation":
            continue
        if word.startswith("@data"):
            return list(declared.values()), (number, text[len("@data") :])
        if word != "@attribute":
            raise unreadable(
                origin,
                number,
                "the parts of the file do not follow each other as in ARFF; write @attribute NAME"
                " TYPE for each column, then a line with @data, then the rows",
            )
        each = _attribute(text, origin, number)
        if each.name in declared:
            raise unreadable(
                origin, number, f"two attributes have the same name; rename one {each.name!r}"
            )
        declared[each.name] = each
    raise UserError(f"{origin}: holds no data rows, only column names; add @data and rows")


def _attribute(line: str, origin: str, number: int) -> Attribute:
    match = next(
        (
            match
            for cut in CUTS
            for pattern in _ATTRIBUTE
            if (match := pattern.fullmatch(cut(line))) and _is_sound(match)
        ),
        None,
    )
    if match is None:
        raise unreadable(
            origin,
            number,
            "write @attribute NAME TYPE; attributes are numeric, string, date, or a list of values"
            " in braces",
        )
    name, declared = unquoted(match["name"].strip()).strip(), match["type"].lower()
    if declared == "relational":
        raise unreadable(
            origin,
            number,
            f"attribute {name!r} is relational, a table within each row, which has no place here;"
            " write its columns as attributes of their own",
        )
    if _WEIGHT.fullmatch(match["more"].strip()):
        raise unreadable(
            origin,
            number,
            f"attribute {name!r} has a weight, {match['more'].strip()}, and weights have no place"
            " here; take the weights out",
        )
    if match["type"].startswith("{"):
        listed = values(match["type"][1:-1]) or []
        return Attribute(name, "nominal", tuple(unquoted(each) for each in listed))
    return Attribute(name, "text" if declared in ("string", "date") else "number")


def _is_sound(match: re.Match[str]) -> bool:
    """Whether what follows a type is what may."""
    declared, more = match["type"].lower(), match["more"].strip()
    if not more or _WEIGHT.fullmatch(more) or declared in ("date", "relational"):
        return True
    return declared in ("numeric", "real", "integer") and bool(_RANGE.fullmatch(more))
