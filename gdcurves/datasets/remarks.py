"""What is to be looked at in data: a line of each kind, the most harmful first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum, auto
from itertools import groupby

from gdcurves.words import first_of

MOST_NAMED = 5
"""Columns that a line names, unless all are wanted."""


class About(IntEnum):
    """What remarks are about, the most harmful first."""

    SOURCE = auto()
    LEAK = auto()
    APART = auto()
    ONE_CLASS = auto()
    NEARLY = auto()
    SPARSE = auto()
    SCATTERED = auto()
    TEXTS = auto()
    BOUNDS = auto()
    SEVERAL = auto()
    LEVELS = auto()
    TARGET = auto()
    GROUPS = auto()
    COPIES = auto()
    TALLIED = auto()
    LABELS = auto()
    MISSING_CLASS = auto()
    RARE_CLASS = auto()
    CODES = auto()
    FAR = auto()
    MISSING_LEVEL = auto()
    ALIKE = auto()
    PADDED = auto()
    ROW_NUMBERS = auto()
    DATES = auto()
    CONSTANT = auto()
    MERGED = auto()
    TRIMMED = auto()
    GAPS = auto()
    POINTS = auto()
    WRITING = auto()
    SCORES = auto()


@dataclass(frozen=True)
class Remark:
    """Something to be looked at.

    Attributes
    ----------
    kind
        What it is about.
    text
        What is said, where it is of one column; else what stands before names.
    names
        The columns, or the classes, that it is about, perhaps each with a word about it.
    rest
        What stands behind the names; None where `text` says all.
    options
        Words of the command line that do what is advised, where these are known.
    holds_if
        Of what makes errors look small: what has to be so for an answer to hold; else empty.
    case
        Which of the things that are said of a kind it says, where there are several.
    """

    kind: About
    text: str
    names: tuple[str, ...] = ()
    rest: str | None = None
    options: tuple[str, ...] = ()
    holds_if: str = ""
    case: str = ""


def lines(remarks: Iterable[Remark], most: int | None = MOST_NAMED) -> tuple[str, ...]:
    """Say all, in a line of each kind that names at most so many columns; None: all of them.

    A kind of which several things are said has a line of each of them, what is about the source
    itself one of each remark.
    """
    ordered = sorted(remarks, key=lambda each: each.kind)
    said: list[str] = []
    for kind, group in groupby(ordered, key=lambda each: each.kind):
        if kind == About.SOURCE:
            said += [each.text for each in group]
            continue
        cases: dict[str, list[Remark]] = {}
        for each in group:
            cases.setdefault(each.case, []).append(each)
        said += [_line(alike, most) for alike in cases.values()]
    return tuple(said)


def _line(alike: list[Remark], most: int | None) -> str:
    first, *others = alike
    if first.rest is not None:
        return f"{first.text}{_named(first.names, most)}{first.rest}"
    names = [name for each in others for name in each.names]
    return f"{first.text}; likewise {_named(names, most)}" if names else first.text


def _named(names: Iterable[str], most: int | None) -> str:
    named = [*names]
    return ", ".join(named if most is None else first_of(named, most))
