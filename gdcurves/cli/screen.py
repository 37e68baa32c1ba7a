"""Lines that break between words where the terminal ends, and nowhere else."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from typing import Literal

import typer

from gdcurves.words import visible

INDENT = 14
"""Blanks before what goes on; as many as before the words of a description."""


def width(err: bool = False) -> int | None:
    """Characters in a line of the terminal, or as COLUMNS says; None where there is no end."""
    stream = sys.stderr if err else sys.stdout
    if os.environ.get("COLUMNS", "").isdecimal() or (stream is not None and stream.isatty()):
        return shutil.get_terminal_size().columns
    return None


def wrapped(text: str, room: int | None) -> str:
    """Break a text between words where it is longer than the room.

    What a terminal would obey, as names may hold it, is shown by escapes.
    """
    text = visible(text)
    if room is None or len(text) <= room:
        return text
    indent = " " * min(INDENT, room // 4)
    lines = textwrap.wrap(
        text, room, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines)


def markup() -> Literal["rich"] | None:
    """How help is shown: in boxes on a terminal, as plain text where a program reads it."""
    return "rich" if sys.stdout is not None and sys.stdout.isatty() else None


def echo(text: str, err: bool = False) -> None:
    """Write a text, broken between words."""
    typer.echo(wrapped(text, width(err)), err=err)
