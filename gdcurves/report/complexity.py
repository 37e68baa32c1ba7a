"""How many training rows it takes to come near the limits of curves."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from gdcurves.complexity.table import GROWTH
from gdcurves.report.tables import beside_each_other, by_experiment

if TYPE_CHECKING:
    import pandas as pd


def tables(table: pd.DataFrame, width: int) -> RenderableType:
    """Show the rows needed, a line for each experiment, fitters beside each other.

    Parameters
    ----------
    table
        As in complexity.csv.
    width
        Of the terminal, in characters.
    """
    points = table[table["kind"] != GROWTH]
    within = table["within"].iloc[0] if len(table) else 0.0
    title = Text(f"Training rows needed to come within {within:g} of the limit, 95 % interval:")
    lines = by_experiment(points, _cell)
    return Group(title, *beside_each_other("experiment", lines, width))


def _cell(row: Mapping[Hashable, Any]) -> str:
    match row["kind"]:
        case "reached":
            high = "" if row["m_high"] == float("inf") else number(row["m_high"])
            return f"{number(row['m_needed'])} ({number(row['m_low'])}-{high})"
        case "below_first":
            return f"< {row['m_first']:,.0f}"
        case "not_reached":
            return f"> {row['m_last']:,.0f}"
        case _:
            return "no limit"


def number(m: float) -> str:
    """Rows, with a decimal where they are few."""
    return f"{m:.1f}" if m < 100 else f"{m:.0f}"


def sentences(table: pd.DataFrame) -> Iterator[str]:
    """Say how the rows needed grow in families, a sentence for each fitter."""
    for row in table[table["kind"] == GROWTH].to_dict("records"):
        slope, low, high = (row[f"slope{end}"] for end in ("", "_low", "_high"))
        each, least, most = (row[f"per_ln_n{end}"] for end in ("", "_low", "_high"))
        yield (
            f"{row['experiment']}: the rows that {row['fitter']} needs grow as n to the power"
            f" {slope:.2f} ({low:.2f} to {high:.2f}), or by {each:.1f} ({least:.1f} to {most:.1f})"
            " for each factor of e in n."
        )
