"""Links of Markdown pages, and the anchors that they may lead to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

FENCED = re.compile(r"^( *)(```+).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(`+).+?\1", re.DOTALL)
LINK = re.compile(r"(?P<before>\]\()(?P<to>[^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)
_ELSEWHERE = re.compile(r"[a-z]+:")


@dataclass(frozen=True)
class Link:
    """A link to a file beside the page, or to a place in it.

    Attributes
    ----------
    path
        As written, relative to the page; empty for the page itself.
    anchor
        The place in it, empty for its beginning.
    """

    path: str
    anchor: str


def links(text: str) -> Iterator[Link]:
    """Links of a page that stay in the repository."""
    for found in LINK.finditer(_CODE.sub("", FENCED.sub("", text))):
        if not _ELSEWHERE.match(found["to"]):
            path, _, anchor = found["to"].partition("#")
            yield Link(path, anchor)


def anchors(text: str) -> set[str]:
    """Anchors of the headings of a page, as GitHub makes them."""
    count: Counter[str] = Counter()
    found = set()
    for heading in _HEADING.findall(FENCED.sub("", text)):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", plain.replace("\\", "").lower()).replace(" ", "-")
        found.add(f"{slug}-{count[slug]}" if count[slug] else slug)
        count[slug] += 1
    return found
