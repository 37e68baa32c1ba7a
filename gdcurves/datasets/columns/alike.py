"""Texts that look the same, or nearly so: labels of a target and levels of inputs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from gdcurves.datasets.columns.texts import Column
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.written import spelling

HOW = (
    "differ by case, blanks, a final stop, zeros that end a number, the form of dashes or quotes,"
    " or what cannot be seen"
)
"""What hardly tells two texts apart."""

_COMMA = re.compile(r"-?[0-9]+,[0-9]+")  # decimals, as half the world writes them
MOST_ALIKE = 3  # groups of texts that are shown


def by_look(texts: Sequence[str]) -> list[list[str]]:
    """All of some texts, those together that look the same, or nearly so."""
    numbers = {text: _number(text) for text in texts}
    pointed = {
        text: n for text, n in numbers.items() if ("." in text or "," in text) and n - n == 0
    }
    decimals = {*pointed.values()}
    looks: dict[str, list[str]] = {}
    for text in texts:
        number = numbers[text]
        whole = number in decimals and text == f"{number:.0f}"  # 1.50 is 1.5, and 1,0 is 1
        look = str(number) if whole or text in pointed else spelling.look(text)
        looks.setdefault(look, []).append(text)
    return list(looks.values())


def _number(text: str) -> float:
    """What a text is as a number, with a comma before decimals too; NaN if it is none."""
    return spelling.number(text.replace(",", ".") if _COMMA.fullmatch(text) else text)


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
