"""A figure as SVG within a page, once for wide screens and paper, once for telephones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from markupsafe import Markup

from gdcurves.plots import render
from gdcurves.plots.paper import LONE, TEXT, WIDTH, Paper
from gdcurves.plots.sheet import Sheet, description

MOST = 600_000  # characters of the pictures of a run
NARROW = 3.2  # inches, of a telephone
LARGER = 1.2  # times the text there, as the picture may be shown smaller
POINTS = 72  # an inch

# What XML, and so HTML, has no place for: control characters, and halves of a pair.
_UNFIT = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_DECIMALS = re.compile(r"-?\d+\.\d{3,}")
_NUMBERS = frozenset({"d", "x", "y", "cx", "cy", "width", "height", "points", "transform"})
_REFERENCE = re.compile(r"url\(#")


@dataclass(frozen=True)
class Picture:
    """A sheet as drawn: `wide` and `narrow` are SVG; `width` of the wide one, in inches."""

    wide: Markup
    narrow: Markup
    width: float


def picture(sheet: Sheet, name: str) -> Picture:
    """Draw a sheet; `name`, a word, tells its parts from those of other pictures of a page."""
    width = LONE if sheet.inside else WIDTH
    return Picture(
        _drawn(sheet, Paper(width), f"{name}-wide"),
        _drawn(replace(sheet, columns=1), Paper(NARROW, None, TEXT * LARGER), f"{name}-narrow"),
        width,
    )


def _drawn(sheet: Sheet, paper: Paper, name: str) -> Markup:
    with render.settings():
        return inline(render.svg(render.render(sheet, paper), sheet), name, description(sheet))


def inline(svg: str, name: str, words: str) -> Markup:
    """SVG as a part of HTML.

    The names of its parts begin with `name`, styles for the whole page and what is told of the file
    go, and numbers are as exact as a screen is. A screen reader reads the `words`.
    """
    root = ElementTree.fromstring(fit(svg))
    for parent in [*root.iter()]:
        for child in [*parent]:
            if _local(child.tag) in ("metadata", "style", "title", "desc"):
                parent.remove(child)
    for element in root.iter():
        element.tag = _local(element.tag)
        element.attrib = dict(_attributes(element, name))
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    root.attrib |= {"role": "img", "aria-label": fit(words), "class": name.rpartition("-")[2]}
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def fit(text: str) -> str:
    """Put a replacement character where a text has one that a page cannot have."""
    return _UNFIT.sub("\ufffd", text)


def _attributes(element: Element, name: str) -> Iterator[tuple[str, str]]:
    for key, value in element.attrib.items():
        local = _local(key)
        if local == "id":
            yield local, f"{name}-{value}"
        elif local == "href":
            yield local, f"#{name}-{value.removeprefix('#')}"
        else:
            if local in _NUMBERS:
                value = _DECIMALS.sub(lambda number: f"{float(number[0]):.2f}", value)
            yield local, _REFERENCE.sub(f"url(#{name}-", value)


def _local(name: str) -> str:
    """A name without its namespace, which HTML does not write."""
    return name.rpartition("}")[2]
