"""Text with blanks between cells, as R's write.table writes it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gdcurves.datasets.formats.quotes import MARK, Content, whole

# A cell in quotes, blanks at the ends of a line, blanks between cells.
_PARTS = re.compile(
    rb'(?<!\S)(?P<quoted>"(?:\\"|""|[^"])*+")'
    rb"|(?P<edge>(?:\A|(?<=[\r\n]))[ \t]+|[ \t]+(?=[\r\n]|\Z))"
    rb"|(?P<gap>[ \t]+)"
)


def separate(lines: Sequence[str]) -> bool:
    """Tell whether blanks separate the cells of a header and of the first row.

    A row may have one cell more, its name.
    """
    header, row = (tabbed(line.strip().encode()).count(b"\t") for line in (*lines, *lines[:1])[:2])
    return header > 0 and row in (header, header + 1)


def tabbed(content: Content) -> bytes:
    """Write one tab for the blanks between cells, and quotes within a cell twice.

    Lines stay as they are, also those within quotes.
    """
    return _PARTS.sub(_rewritten, whole(content).removeprefix(MARK))


def _rewritten(part: re.Match[bytes]) -> bytes:
    if part["quoted"] is not None:
        return part["quoted"].replace(b'\\"', b'""')
    return b"" if part["edge"] is not None else b"\t"
