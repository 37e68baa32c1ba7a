"""Work on several things of which a refused one does not stop the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import typer

from gdcurves.errors import UserError

Item = TypeVar("Item")


def each(items: Sequence[Item], work: Callable[[Item], None]) -> None:
    """Do something with every item; exit code 1 where some were refused.

    Raises UserError if the only one is refused.
    """
    if refused(items, work):
        raise typer.Exit(1)


def refused(items: Sequence[Item], work: Callable[[Item], None]) -> bool:
    """Do something with every item; says whether some were refused.

    Raises UserError if the only one is.
    """
    some = False
    for item in items:
        try:
            work(item)
        except UserError as error:
            if len(items) == 1:
                raise
            typer.echo(f"Error: {error}", err=True)
            some = True
    return some
