"""Texts that look the same, or nearly so: labels of a target and levels of inputs."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

import numpy as np

from gdcurves.datasets.columns.texts import Column
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.written import spelling

HOW = (
    "differ by case, blanks or hyphens, a stop or comma at the end, zeros that a number does not"
    " need, its + or e, the form of dashes or quotes, or what cannot be seen"
)
"""What hardly tells two texts apart."""

_BETWEEN = re.compile(r"(?<=[^\W\d])[\s_-]+(?=\w)|(?<=\w)[\s_-]+(?=[^\W\d])")  # words, not numbers
_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")  # decimals, as half the world writes them
MOST_ALIKE = 3  # groups of texts that are shown


def by_look(texts: Sequence[str]) -> list[list[str]]:
    """All of some texts, those together that look the same, or nearly so, or are one number."""
    looks: dict[str | Decimal, list[str]] = {}
    of_words: dict[str, str | Decimal] = {}
    for text in texts:
        look = _look(text)
        words, n = _BETWEEN.subn(" ", spelling.composed(text).casefold().strip())
        if n:  # blanks, hyphens or underscores
            look = of_words.setdefault(words, look)
        looks.setdefault(look, []).append(text)
    return list(looks.values())


def _look(text: str) -> str | Decimal:
    """The number that a text is, with a comma before decimals too; else what it looks like."""
    seen = spelling.look(text)
    plain = seen.replace(",", ".") if _COMMA.fullmatch(seen) else seen
    return Decimal(plain) if math.isfinite(spelling.number(plain)) else seen


def shown(texts: Sequence[str]) -> str | None:
    """Name those of some texts that look alike; None where there are none."""
    alike = [each for each in by_look(texts) if len(each) > 1]
    named = [" and ".join(_apart(each)) for each in alike[:MOST_ALIKE]]
    more = [f"{len(alike) - MOST_ALIKE} more"] * (len(alike) > MOST_ALIKE)
    return ", ".join([*named, *more]) or None


def doubt(inputs: Mapping[str, Column], origin: str) -> Iterator[Remark]:
    """Name the discrete inputs in which levels look alike, and those."""
    named = [f"{name!r} ({said})" for name, each in inputs.items() if (said := _levels(each))]
    if named:
        yield Remark(
            About.ALIKE,
            f"{origin}: levels {HOW}, in ",
            tuple(named),
            "; each is a level of its own, so write those alike that mean the same",
        )


def _levels(column: Column) -> str | None:
    if isinstance(column.cells, np.ndarray):
        return None
    return shown(list(dict.fromkeys(each.strip() for each in column.texts.written)))


def _apart(texts: Sequence[str]) -> list[str]:
    """Texts in quotes, with escapes where eyes could not tell them apart."""
    same = len({spelling.composed(text) for text in texts}) < len(texts)
    return [ascii(text) if same else repr(text) for text in texts]
