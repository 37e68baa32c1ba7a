"""How a command tells what it has to: in words, as JSON, or with next to none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from gdcurves.report.told import Told

AsJson = Annotated[
    bool,
    typer.Option("--json", help="Print JSON, an object a line; gdcurves schema has its schema."),
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print the answer alone, if there is one, and errors.")
]
Say = Callable[[str], None]


def show(message: Told) -> None:
    """Print an object of JSON in a line."""
    typer.echo(message.model_dump_json())


def silent(line: str) -> None:
    """Say nothing."""
