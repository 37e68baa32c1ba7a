"""Markdown from docstrings and JSON schemas, for scripts/reference.py."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

_CODE = re.compile(r"(`[^`]*`)")
_TYPES = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "`true`, `false`",
}


def escaped(text: str) -> str:
    """Return text for a cell of a table, in which nothing but code is markup."""
    return _CODE.sub(_bars, _literal(" ".join(text.split()))).replace("|", "\\|")


def _bars(code: re.Match[str]) -> str:
    """Code of a cell; with bars, which end cells, as HTML."""
    if "|" not in code[0]:
        return code[0]
    return f"<code>{html.escape(code[0][1:-1]).replace('|', '&#124;')}</code>"


def _literal(text: str) -> str:
    """Text in which < and * are no markup, where it is no code."""
    parts = _CODE.split(text)
    for i in range(0, len(parts), 2):
        parts[i] = parts[i].replace("<", "&lt;").replace("*", "\\*")
    return "".join(parts)


def prose(text: str) -> Iterator[str]:
    """Paragraphs of a docstring in a line each; what is indented stays a block, as YAML."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        lines = paragraph.splitlines()
        if lines and all(line.startswith("    ") for line in lines):
            yield "\n".join(["```yaml", *(line[4:] for line in lines), "```"])
        elif lines:
            yield _literal(" ".join(line.strip() for line in lines))


def rows(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    written = [head, ["---"] * len(head), *lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in written)


def values(schema: dict[str, Any], named: Collection[str] = ()) -> str:
    """Say in a few words which values the JSON schema of a key takes.

    Objects of these names have a place in the page, under their names.
    """
    return ", or ".join(dict.fromkeys(_values(schema, named)))


def _values(schema: dict[str, Any], named: Collection[str]) -> Iterator[str]:
    for word in ("anyOf", "oneOf"):
        for each in schema.get(word, ()):
            yield from _values(each, named)
    if "const" in schema:
        yield f"`{schema['const']}`"
    elif "enum" in schema:
        yield ", ".join(f"`{each}`" for each in schema["enum"] if each is not None)
    elif "$ref" in schema:
        yield _object(schema, named) or "mapping"
    elif "type" in schema:
        kinds = schema["type"]
        for kind in [kinds] if isinstance(kinds, str) else kinds:
            if kind in ("array", "object"):
                inner = schema.get("items" if kind == "array" else "additionalProperties")
                what = _object(inner, named) if isinstance(inner, dict) else ""
                yield ("list" if kind == "array" else "mapping") + (f" of {what}" if what else "")
            elif kind != "null":
                yield _TYPES[kind] + _limits(schema)


def _object(schema: dict[str, Any], named: Collection[str]) -> str:
    """The object that a schema refers to, linked; nothing if it has no place."""
    name = schema.get("$ref", "").rpartition("/")[2]
    return f"[{name}](#{name.lower()})" if name in named else ""


def _limits(schema: dict[str, Any]) -> str:
    """The least and the largest number, where there are any."""
    least, above = schema.get("minimum"), schema.get("exclusiveMinimum")
    most, below = schema.get("maximum"), schema.get("exclusiveMaximum")
    said = [
        f"{sign} {each:,}"
        for sign, each in (("≥", least), (">", above), ("≤", most), ("<", below))
        if each is not None
    ]
    return f" {', '.join(said).replace('<', '&lt;')}" if said else ""


def default(value: Any) -> str:
    """Return what stands for a key that is left out, as a config has it; nothing for none."""
    if value in (None, [], ()) or isinstance(value, dict):
        return ""
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    texts = value if isinstance(value, list) else [value]
    return ", ".join('`""`' if each == "" else f"`{each}`" for each in texts)
