"""YAML text to plain values that remember their lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Never

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

from gdcurves.config.explain import shown
from gdcurves.errors import UserError

Key = str | int

_TAG = "tag:yaml.org,2002:"
_NUMBERS_AND_SUCH = {
    _TAG + "null": "nothing",
    _TAG + "bool": "true or false",
    _TAG + "int": "a whole number",
    _TAG + "float": "a number",
}
# YAML 1.2 knows no 1_0 and no 0b11: they are text, and so no number of anything.
_NUMBER = re.compile(
    r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"
    r"|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)
_NUMBERS = frozenset({_TAG + "int", _TAG + "float"})
# YAML 1.2 knows no dates, "=" or "<<": they are text.
_TEXTS = frozenset(_TAG + name for name in ("str", "timestamp", "value", "merge"))


@dataclass(frozen=True)
class Source:
    """A YAML mapping and where each of its keys stands.

    Attributes
    ----------
    path
        The file, as the user named it.
    data
        The content as dicts, lists, str, int, float, bool and None; keys are always text.
    lines
        The line (from 1) of every key and list item, by the way to it from the top.
    """

    path: Path
    data: dict[str, Any]
    lines: Mapping[tuple[Key, ...], int]

    def line(self, *keys: Key) -> int:
        """Return the line of a key, or of the innermost mapping or list around it."""
        while keys not in self.lines:
            keys = keys[:-1]
        return self.lines[keys]

    def locate(self, *keys: Key) -> str:
        """Return how messages name a place: "ng_jordan.yaml:12: experiments[3].sizes"."""
        return _position(self.path, self.line(*keys), keys)


def read_file(path: Path) -> Source:
    """Read a file that holds one YAML 1.2 mapping.

    Raises
    ------
    UserError
        If the file cannot be read, is not YAML, holds a repeated key or is no mapping.
    """
    return read_text(_text(path), path)


def read_text(text: str, path: Path) -> Source:
    """Read the text of a file; see `read_file`."""
    yaml = YAML(typ="safe", pure=True)
    try:
        root = yaml.compose(text)
    except YAMLError as error:
        raise _syntax_error(path, text, error) from error
    except RecursionError:
        raise _too_deep(path) from None
    if root is None:
        raise UserError(
            f"{path}: the file is empty; for a draft: gdcurves config init DATA --out FILE"
        )
    if not isinstance(root, MappingNode):
        raise UserError(
            f"{path}:{root.start_mark.line + 1}: the file holds no keys; write it as 'key: value'"
        )
    reader = _Reader(path, yaml)
    try:
        return Source(path, reader.value(root, (), ()), reader.lines)
    except RecursionError:
        raise _too_deep(path) from None


def _too_deep(path: Path) -> UserError:
    return UserError(f"{path}: lists or mappings are nested too deep; no config needs that")


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: cannot read the file: {error.strerror}") from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UserError(f"{path}:{line}: this is not UTF-8 text; save the file as UTF-8") from error


def _syntax_error(path: Path, text: str, error: YAMLError) -> UserError:
    """Turn the parser's many-line message into one line that starts with file and line."""
    if isinstance(error, ReaderError):
        line = text.count("\n", 0, error.position) + 1
        return UserError(f"{path}:{line}: a control character stands here; delete it")
    if not isinstance(error, MarkedYAMLError):
        return UserError(f"{path}: not valid YAML: {' '.join(str(error).split())}")
    mark, problem = error.problem_mark, str(error.problem)
    if "unexpected end" in problem:
        mark, problem = error.context_mark, "the quote that opens here is never closed"
    elif "'\\t'" in problem:
        problem = "a tab indents this line; use spaces"
    elif "mapping values are not allowed" in problem:
        problem = (
            "a ': ' cannot stand here; are quotes missing, a line break, or a blank after a ':'"
            " above, or is the line indented too far?"
        )
    elif "could not find expected ':'" in problem:
        mark, problem = error.context_mark, "write 'key: value', with a blank after the colon"
    elif "<block end>" in problem:
        problem = "this line is indented otherwise than those above it; indent them alike"
    elif "node content" in problem:
        problem = f"a value is missing before {problem.rpartition(' ')[2]}; write one"
    elif "cannot start any token" in problem:
        problem = f"a text cannot begin with {problem.split()[2]}; put it in quotes"
    elif "undefined alias" in problem:
        problem = "a text cannot begin with '*'; put it in quotes"
    elif "another document" in problem:
        problem = "'---' starts a second document; keep one in a file"
    return UserError(f"{path}:{mark.line + 1}: not valid YAML: {problem}")


def _position(path: Path, line: int, keys: tuple[Key, ...]) -> str:
    way = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)
    return f"{path}:{line}" + (f": {way.removeprefix('.')}" if way else "")


class _Reader:
    """Turns the parser's nodes into plain values and notes their lines."""

    def __init__(self, path: Path, yaml: YAML) -> None:
        self.path = path
        self.yaml = yaml
        self.lines: dict[tuple[Key, ...], int] = {}

    def value(self, node: Node, keys: tuple[Key, ...], around: tuple[Node, ...]) -> Any:
        """Return the plain value of a node; `around` are the nodes that it is part of."""
        self.lines.setdefault(keys, node.start_mark.line + 1)
        if any(node is outer for outer in around):
            self.fail(node, keys, "an alias that contains itself; write the values out")
        match node:
            case ScalarNode():
                return self.scalar(node, keys)
            case SequenceNode():
                return [
                    self.value(item, (*keys, index), (*around, node))
                    for index, item in enumerate(node.value)
                ]
            case _:
                return self.mapping(node, keys, (*around, node))

    def mapping(
        self, node: Node, keys: tuple[Key, ...], around: tuple[Node, ...]
    ) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, ScalarNode):
                self.fail(key_node, keys, "a key must be text; write it as 'key: value'")
            here = (*keys, key_node.value)
            if key_node.value in result:
                first = self.lines[here]
                self.fail(key_node, here, f"this key is in line {first} already; keep one of them")
            self.lines[here] = key_node.start_mark.line + 1
            result[key_node.value] = self.value(value_node, here, around)
        return result

    def scalar(self, node: ScalarNode, keys: tuple[Key, ...]) -> Any:
        tag = str(node.tag)
        if tag in _TEXTS:
            return node.value
        if tag not in _NUMBERS_AND_SUCH:
            name = tag.replace(_TAG, "!!")
            self.fail(node, keys, f"the tag '{name}' has no meaning here; leave it out")
        try:
            value = self.yaml.constructor.construct_object(node)
        except (ValueError, KeyError):
            what = f"cannot read {shown(node.value)} as {_NUMBERS_AND_SUCH[tag]}"
            self.fail(node, keys, f"{what}; write another value, without a tag")
        return value if tag not in _NUMBERS or _NUMBER.fullmatch(node.value) else node.value

    def fail(self, node: Node, keys: tuple[Key, ...], message: str) -> Never:
        raise UserError(f"{_position(self.path, node.start_mark.line + 1, keys)}: {message}")
