"""The blocks of a page of Markdown, with what stands above them; see pages.py."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

FENCE = re.compile(r"(?P<indent> *)```(?P<language>\w*)$")
RULE = re.compile(r"<!-- test: (\w+) -->")
FILE = re.compile(r"^# ([\w.-]+\.(?:yaml|py|sbatch))$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A block of a page: its language, text and line, and the rule above it, if any."""

    language: str
    text: str
    line: int
    rule: str

    @property
    def file(self) -> str | None:
        """Name of the file that it is; None if it is none."""
        found = FILE.search("\n".join(self.text.splitlines()[:2]))
        return None if found is None else found[1]


def blocks(text: str) -> Iterator[Block]:
    """Blocks of a page, in their order."""
    lines = text.splitlines()
    rule, i = "", 0
    while i < len(lines):
        start, fence = i, FENCE.match(lines[i])
        if fence:
            indent = len(fence["indent"])
            i = next(j for j in range(i + 1, len(lines)) if lines[j] == f"{fence['indent']}```")
            content = [line[indent:] for line in lines[start + 1 : i]]
            yield Block(fence["language"], "\n".join(content), start + 2, rule)
        elif lines[i].startswith("    ") and not "".join(lines[i - 1 : i]).strip():
            while i + 1 < len(lines) and lines[i + 1].startswith("    "):
                i += 1
            content = [line[4:] for line in lines[start : i + 1]]
            yield Block("sh", "\n".join(content), start + 1, rule)
        said = RULE.fullmatch(lines[i])
        rule = said[1] if said else rule if not lines[i] else ""
        i += 1
