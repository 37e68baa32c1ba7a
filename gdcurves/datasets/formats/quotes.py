"""Where quotes stand in delimited text, and whether all readers take them alike."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np

Content = bytes | Path
"""The text itself, or a regular file that holds it."""

PIECE = 1 << 20
"""Bytes looked at in one go, few enough to stay near the processor."""

MARK = b"\xef\xbb\xbf"
"""What may stand before a text that is UTF-8."""

_QUOTE, _RETURN, _ZERO = b'"\r0'


def opened(content: Content) -> BinaryIO:
    """Open the text, or the file that holds it."""
    return io.BytesIO(content) if isinstance(content, bytes) else content.open("rb")


def whole(content: Content) -> bytes:
    """All of the text."""
    return content if isinstance(content, bytes) else content.read_bytes()


def size(content: Content) -> int:
    """Bytes of the text."""
    return len(content) if isinstance(content, bytes) else content.stat().st_size


def first_lines(content: Content, n_lines: int) -> Content:
    """So many lines of the text; all of it where quotes may hold line ends."""
    with opened(content) as stream:
        lines = list(islice(stream, n_lines))
    some = b"".join(lines)
    return some if b'"' not in some else content


def plain_quotes(content: Content, separator: str) -> int | None:
    """Count quotes; None where readers may differ about a text, or it holds zero bytes.

    Readers agree on quotes around whole cells, and on two for one within them. They do not on text
    before or after such a cell, on quotes within bare cells, on one that nobody closes, and, where
    a text is read in blocks, on CR as a part of a cell.
    """
    n_quotes = 0
    beside = np.zeros(256, dtype=bool)  # what may stand before a cell's quotes and after them
    beside[[_QUOTE, *b"\r\n", *separator.encode()]] = True
    for window in _windows(content):
        if window.find(b"\0") >= 0:
            return None
        if n_quotes % 2 == 0 and window.find(b'"', 1, -1) < 0:
            continue
        codes = np.frombuffer(window, dtype=np.uint8)
        quotes = np.flatnonzero(codes[1:-1] == _QUOTE) + 1
        opening = (np.arange(len(quotes)) + n_quotes) % 2 == 0
        if not beside[codes[quotes + np.where(opening, -1, 1)]].all():
            return None
        if b"\r" in window:
            returns = np.flatnonzero(codes[1:-1] == _RETURN) + 1
            if ((np.searchsorted(quotes, returns) + n_quotes) % 2).any():
                return None
        n_quotes += len(quotes)
    return n_quotes if n_quotes % 2 == 0 else None


def pads(content: Content) -> bool:
    """Tell whether a zero stands before another digit and after none, nor after a point."""
    inside = np.zeros(256, dtype=bool)  # what may stand before a zero within a number
    inside[[*b"0123456789."]] = True
    digit = np.zeros(256, dtype=bool)
    digit[[*b"0123456789"]] = True
    for window in _windows(content):
        codes = np.frombuffer(window, dtype=np.uint8)
        zeros = np.flatnonzero(codes[1:-1] == _ZERO) + 1
        zeros = zeros[digit[codes[zeros + 1]]]
        if not inside[codes[zeros - 1]].all():
            return True
    return False


def _windows(content: Content) -> Iterator[bytes]:
    """The text in pieces, without its mark; each has a byte before and one after those it is of.

    Line ends stand before the first byte and after the last.
    """
    with opened(content) as stream:
        kept = b"\n" + stream.read(len(MARK)).removeprefix(MARK)
        while piece := stream.read(PIECE):
            window = kept + piece
            yield window
            kept = window[-2:]
    yield kept + b"\n"
