"""The limits of curves."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from gdcurves.report.tables import beside_each_other, by_experiment, line

if TYPE_CHECKING:
    import pandas as pd


def limits(table: pd.DataFrame, without: dict[str, str], width: int) -> RenderableType:
    """Show limits: one table for error, one for log loss; what has none, and why.

    Parameters
    ----------
    table, without
        As `limits.table.complete` returns them.
    width
        Of the terminal, in characters.
    """
    parts: list[RenderableType] = []
    for column, title in (("error", "Error"), ("logloss", "Log loss, nats per row")):
        parts.append(Text(f"\n{title}, for m to infinity; bayes is the best possible rule:"))
        lines = by_experiment(table[table[column].notna()], partial(_five, column))
        parts += beside_each_other("experiment", lines, width)
    parts += [line(f"No limit for {name}: {why}") for name, why in without.items()]
    return Group(*parts)


def _five(column: str, row: Mapping[Hashable, Any]) -> str:
    return f"{row[column]:.5f}"
