"""README as a package index shows it, where a link to a file beside it would lead nowhere.

Hatchling calls the hook whenever it builds (`tool.hatch.metadata.hooks` in pyproject.toml).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_BESIDE = r"\((?![a-z]+:|#)(?P<path>[^)\s]+)\)"  # a link to no other site, and not within the page
_PICTURE = re.compile(rf"^!\[[^\]]*\]{_BESIDE}\n+", re.MULTILINE)
_LINK = re.compile(rf"\[(?P<text>(?:\\.|[^\]\\])+)\]{_BESIDE}")
_COMMENT = re.compile(r"^<!--.*-->\n+", re.MULTILINE)
_NOTE = (
    "Paths such as `docs/tutorial.md` are of files in the source archive, where `make docs` makes a"
    " site of the pages, and `make run` and the like are to be typed."
)


class LongDescription(MetadataHookInterface):
    """Puts the text into the metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set what pyproject.toml has as dynamic."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": without_links(text)}


def without_links(text: str) -> str:
    """Name files where a page of Markdown leads to them, and leave its pictures out."""
    title, first, rest = _COMMENT.sub("", _PICTURE.sub("", text)).split("\n\n", 2)
    return _LINK.sub(_named, "\n\n".join([title, first, _NOTE, rest]))


def _named(link: re.Match[str]) -> str:
    path = link["path"].partition("#")[0]
    same = link["text"].replace("\\", "") == path
    return f"`{path}`" if same else f"{link['text']} (`{path}`)"
