"""Words of a line of ARFF: values, the separators between them, quotes and comments."""

from __future__ import annotations

import re
from collections.abc import Callable

QUOTED = r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\""

# A comment begins where a word could; WEKA has it begin within words too.
_CODE = re.compile(rf"(?:{QUOTED}|[^%'\"]|(?<=[^\s,'\"{{}}])%)*+")
_CODE_OF_WEKA = re.compile(rf"(?:{QUOTED}|[^%'\"])*+")
_NOT_BARE = re.compile("['\"{}]")
_CELL = re.compile(rf"\s*+({QUOTED}|[^,'\"{{}}]*+)\s*+(,|$)")
_WORD = re.compile(rf"[\s,]*({QUOTED}|[^\s,'\"{{}}]+)(?=[\s,]|$)")
_PAIR = re.compile(rf"\s*(\d+)\s+({QUOTED}|[^\s,'\"{{}}]+)\s*(,|$)")
_ESCAPE = re.compile(r"\\([0-7]{1,3}|u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}

Cut = Callable[[str], str]
"""Takes the comment off a line's end."""


def _cut_by(code: re.Pattern[str]) -> Cut:
    def cut(line: str) -> str:
        if "%" not in line:
            return line.strip()
        match = code.match(line)
        end = match.end() if match else 0
        return (line[:end] if line.startswith("%", end) else line).strip()

    return cut


CUTS: tuple[Cut, ...] = (_cut_by(_CODE), _cut_by(_CODE_OF_WEKA))
"""First the way in which "50%" is a word, then WEKA's, in which it is 50 and a comment."""


def values(text: str, n: int | None = None) -> list[str] | None:
    """Split what stands between commas, or, where that makes no `n` values, blanks.

    Quotes stay, and a comma after the last value says nothing. Without `n`, blanks separate where
    there is no comma. None where quotes or braces stand within a value, or there are no `n`.
    """
    cells = _cells(text) if _NOT_BARE.search(text) else [cell.strip() for cell in text.split(",")]
    if cells is None:
        return None
    while cells and not cells[-1] and len(cells) != n:
        cells.pop()
    if len(cells) == n or (n is None and len(cells) > 1):
        return cells
    words = [match[1] for match in _WORD.finditer(text)]
    is_whole = "" not in cells and not _rest(text)
    return words if is_whole and n in (None, len(words)) else None


def _cells(text: str) -> list[str] | None:
    """What stands between commas; nothing if words in quotes stand beside others."""
    cells = []
    end, separator = 0, ","
    while separator:
        match = _CELL.match(text, end)
        if match is None:
            return None if _rest(text) else []
        cell, separator = match.groups()
        cells.append(cell.rstrip())
        end = match.end()
    return cells


def _rest(text: str) -> str:
    """What is neither a word nor a separator."""
    return _WORD.sub("", text).strip(" \t,")


def pairs(text: str) -> dict[int, str] | None:
    """Numbers of values and the values of a sparse row; None where it is none."""
    words: dict[int, str] = {}
    end, text = 0, text.strip().removesuffix(",")
    while end < len(text):
        match = _PAIR.match(text, end)
        if match is None or int(match[1]) in words:
            return None
        words[int(match[1])] = match[2]
        end = match.end()
    return words


def unquoted(word: str) -> str:
    """Return what a word stands for, without its quotes and escapes."""
    if word[:1] not in ("'", '"'):
        return word
    return _ESCAPE.sub(_meant, word[1:-1]) if "\\" in word else word[1:-1]


def _meant(escape: re.Match[str]) -> str:
    code = escape[1]
    if code[0] == "u" and len(code) > 1:
        return chr(int(code[1:], 16))
    is_octal = set(code) <= set("01234567")
    return chr(int(code, 8)) if is_octal else _ESCAPED.get(code, code)
