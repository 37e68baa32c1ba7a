"""Text that fits: measured and broken into lines before it is drawn."""

from __future__ import annotations

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

# STIX comes with matplotlib and is as narrow as the paper's Times; the second font has the rest.
FAMILY = ["STIXGeneral", "DejaVu Sans"]
SPACING = 1.2  # of lines, to be given to matplotlib, whose default varies with its version


def width(text: str, size: float) -> float:
    """Measure the width of one line of text of `size` pt, in inches."""
    font = FontProperties(family=FAMILY[0], size=size)
    return float(text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]) / 72


def line_height(size: float) -> float:
    """Give the distance between two lines of text of `size` pt, in inches."""
    return SPACING * size / 72


def wrap(text: str, room: float, size: float) -> list[str]:
    """Break text of `size` pt into lines of at most `room` inches, at spaces where it can."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if width(longer, size) <= room:
            lines[-1:] = [longer]
        else:
            lines += _pieces(word, room, size)
    return lines


def shorten(lines: list[str], most: int) -> list[str]:
    """Keep at most `most` lines; an ellipsis ends the last one where some are left out."""
    return lines if len(lines) <= most else [*lines[: most - 1], f"{lines[most - 1][:-1]}…"]


def _pieces(word: str, room: float, size: float) -> list[str]:
    """Cut a word into pieces that fit if it does not fit itself."""
    pieces = [""]
    for letter in word:
        if pieces[-1] and width(pieces[-1] + letter, size) > room:
            pieces.append("")
        pieces[-1] += letter
    return pieces
