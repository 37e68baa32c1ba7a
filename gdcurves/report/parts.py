"""What a report says, without the looks of a terminal: paragraphs and grids of cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

WIDE = 10_000  # characters: where a page can be moved sideways, tables are not cut in two


@dataclass(frozen=True)
class Grid:
    """Titles of columns, and lines with a cell for each of them; the first names the line."""

    titles: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


Part = str | Grid


def parts(said: Iterable[RenderableType]) -> Iterator[Part]:
    """Give what the functions of this package say as paragraphs and grids; empty lines go."""
    for each in said:
        if isinstance(each, Table):
            yield _grid(each)
        elif isinstance(each, Group):
            yield from parts(each.renderables)
        elif text := _text(each).strip():
            yield text


def _grid(table: Table) -> Grid:
    cells = ([_text(cell).replace("\n", "") for cell in column.cells] for column in table.columns)
    titles = (_text(column.header).replace("\n", "") for column in table.columns)
    return Grid(tuple(titles), tuple(zip(*cells, strict=True)))


def _text(said: RenderableType) -> str:
    return said.plain if isinstance(said, Text) else str(said)
