"""Crossings in words, and as tables for the terminal."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Group, RenderableType
from rich.text import Text

from gdcurves.crossings.crossing import LEAST_SPLITS
from gdcurves.report.tables import plain
from gdcurves.scoring.measures import MEASURES, Measure
from gdcurves.words import counted, roughly, spans, spelt

if TYPE_CHECKING:
    import pandas as pd

FEW = 3  # pairs of curves that a summary puts into sentences
MANY = 100  # times the rows that there are, and more than anyone will label
FAR = 3  # times the largest size; nothing is said of what is farther off
WIDE = 100  # characters that have room for intervals of differences
NO_ROOM = (
    f"\nThe 95 % intervals of a less b need {WIDE} characters in a line; they are in crossings.csv:"
    " low_last, high_last."
)
ROUNDING = 1e-12  # what a mean of differences that cancel may differ from zero
KEY = (
    "Where the mean {label} curves cross on these data, with a 95 % interval, and which is better"
    " below and above; at the largest m, the {label} of a less that of b, and which is better on"
    " other data of this kind: a verdict if the 95 % interval for that excludes zero."
)
HEAD = (
    "Which is better on these data, where that changes, and what holds for other data of this kind;"
    " 95 % intervals in brackets:"
)
ERROR = MEASURES["error"]
ROWS: Mapping[str, str] = {}  # of experiments whose sizes count rows
_PAIR = ["experiment", "fitter_a", "fitter_b"]


def summary(
    crossings: pd.DataFrame,
    width: int,
    measure: Measure = ERROR,
    comparisons: pd.DataFrame | None = None,
    units: Mapping[str, str] = ROWS,
    guessing: Collection[str] = (),
) -> RenderableType:
    """Sentences for a few pairs of curves, else tables for a terminal so many characters wide."""
    if len(crossings.groupby(_PAIR)) > FEW:
        return tables(crossings, width, measure)
    said = sentences(crossings, measure, comparisons, units, guessing)
    return Group(Text(HEAD), *map(Text, said))


def sentences(
    crossings: pd.DataFrame,
    measure: Measure = ERROR,
    comparisons: pd.DataFrame | None = None,
    units: Mapping[str, str] = ROWS,
    guessing: Collection[str] = (),
) -> Iterator[str]:
    """Say of every pair where its curves cross, and which fitter is better on other data.

    Parameters
    ----------
    crossings, measure
        As in crossings.csv, and by which measure.
    comparisons
        As in comparisons.csv; nothing is said of other sizes than the largest without it.
    units
        What the sizes of each experiment count, "row" or "group"; rows unless given.
    guessing
        Names of fitters that always answer the largest class: what more rows change of their order
        nobody asks.
    """
    known = {}
    if comparisons is not None:
        of_measure = comparisons[comparisons["measure"] == measure.name]
        known = dict(iter(of_measure.groupby(_PAIR, sort=False)))
    for pair, rows in crossings.groupby(_PAIR, sort=False):
        experiment, a, b = pair
        published = rows["published_m"].iloc[0]
        theirs = f" Published: m = {published.replace(' ', ', ')}." if published else ""
        elsewhere = _elsewhere(known[pair]) if pair in known else ""
        unit = units.get(str(experiment), "row")
        asked = a not in guessing and b not in guessing
        last = _last(rows.iloc[0], measure, unit if asked else None)
        yield f"{experiment}, {a} and {b}: {_crossings(rows)} {last}{elsewhere}{theirs}"


def _elsewhere(rows: pd.DataFrame) -> str:
    """Say at which sizes but the largest one a fitter is better on other data."""
    others = rows[rows["m"] < rows["m"].max()]
    parts = []
    every = others["m"].tolist()
    for better, at in others[others["better"] != ""].groupby("better", sort=False):
        parts.append(f"{better} at {len(at)} (m = {spans(at['m'].tolist(), every)})")
    if not parts:
        return ""
    smaller = counted(len(others), "smaller size")
    return f" Of the {smaller}, for other data of this kind: {', '.join(parts)}."


def tables(crossings: pd.DataFrame, width: int, measure: Measure = ERROR) -> RenderableType:
    """Show a table for every pair of fitters, with a line for every crossing."""
    parts: list[RenderableType] = [Text(KEY.format(label=measure.label))]
    for (a, b), pair in crossings.groupby(["fitter_a", "fitter_b"], sort=False):
        table = plain()
        published = int((pair["published_m"] != "").any())
        table.add_column("experiment", no_wrap=True)
        for column in ("crossing", *["published"] * published, "better"):
            table.add_column(column, overflow="fold")
        table.add_column("m", justify="right")
        table.add_column("a less b")
        table.add_column("verdict")
        for _, row in pair.iterrows():
            table.add_row(
                row["experiment"],
                _where(row),
                *[row["published_m"]] * published,
                _which(row),
                f"{row['m_last']:,}",
                _difference(row, width >= WIDE),
                _letters(row).get(row["better_last"], "none"),
            )
        parts += [Text(f"\n{a} (a), {b} (b)"), table]
    if width < WIDE and (crossings["n_splits"] > 1).any():
        parts.append(Text(NO_ROOM))
    return Group(*parts)


def _crossings(rows: pd.DataFrame) -> str:
    """Say where the curves of a pair cross, or why that is not said."""
    first = rows.iloc[0]
    sizes = f"m = {first['m_first']:,}"
    if first["m_last"] > first["m_first"]:
        sizes += f" to {first['m_last']:,}"
    if first["kind"] == "crosses":
        stretches = [
            f"{row['better_below']}{' is better' * (number == 0)} up to m = {_m(row['m'])}"
            f" ({_m(row['m_low'])} to {_m(row['m_high'])})"
            for number, (_, row) in enumerate(rows.iterrows())
        ]
        return f"{', then '.join(stretches)}, then {rows.iloc[-1]['better_above']}."
    if first["kind"] == "does_not_cross":
        return f"no crossing in {sizes}, {first['better_below']} is better at every size."
    if first["kind"] == "equal":
        return f"the same errors in every split, {sizes}."
    known = first["n_a_better"] + first["n_b_better"]
    if first["kind"] == "better_from":
        better = first["better_above"]
        return (
            f"no crossing in {sizes}, {better} is better at {known} of"
            f" {counted(first['n_sizes'], 'size')}, the first of them m = {first['m']:,.0f}, and no"
            " worse on average from there on."
        )
    if not known:
        why = f"that takes {LEAST_SPLITS} splits, and there are {first['n_splits']}"
        return (
            f"cannot tell which is better at any size, {sizes};"
            f" {why if _too_few(first) else 'more splits may tell'}."
        )
    better = first["fitter_a"] if first["n_a_better"] else first["fitter_b"]
    return (
        f"cannot tell whether they cross in {sizes}; {better} is better at {known} of"
        f" {counted(first['n_sizes'], 'size')}, and more splits may tell at the others."
    )


def _last(row: pd.Series[Any], measure: Measure, unit: str | None) -> str:
    """Say which fitter is better at the largest size, and what more units, if any, would change."""
    at = f"At m = {row['m_last']:,}, the largest size,"
    if row["kind"] == "equal":
        return f"{at} there is nothing to choose."
    if abs(row["difference_last"]) < ROUNDING:
        return f"{at} the mean {measure.label}s are equal."
    sign = int(np.sign(row["difference_last"]))
    lower = measure.better == "lower"
    ahead = row["fitter_a"] if (sign < 0) == lower else row["fitter_b"]
    less = f"{sign * row['difference_last']:z.3f} {'less' if lower else 'more'} {measure.label}"
    by = f"{sign * row['difference_last']:z.3f}"
    if row["n_splits"] < 2:
        return f"{at} {ahead} has {less} in the one split, which gives no verdict."
    ends = " to ".join(
        spelt(end) for end in sorted((sign * row["low_last"], sign * row["high_last"]))
    )
    if row["better_last"]:
        said = f"{at} {ahead} is better by {by} ({ends}), for other data of this kind too"
        return f"{said}; larger sizes were not run.{_more(row, unit)}"
    said = f"{at} {ahead} has {less} ({ends}), for other data of this kind no verdict."
    return f"{said}{_more(row, unit)}"


def _more(row: pd.Series[Any], unit: str | None) -> str:
    """Say what more labelled rows, or groups of them, would change, as far as the curves tell."""
    if unit is None:
        return ""
    low, high = row["m_ahead_low"], row["m_ahead_high"]
    said = ""
    if np.isfinite(high) and row["m_ahead"] > FAR * row["m_last"]:
        said = f" It shrinks, but too slowly to be zero before {FAR} times as many {unit}s."
    elif np.isfinite(high):
        end = f"to {_m(high)}" if high <= MANY * row["m_last"] else "or more"
        said = (
            " It shrinks: as the two curves are foreseen to go on, it is zero near m ="
            f" {_m(row['m_ahead'])} ({_m(low)} {end}),"
            f" {roughly(row['m_ahead'] - row['m_last'])} more {unit}s."
        )
    elif low > FAR * row["m_last"]:
        said = f" No sign that up to {FAR} times as many {unit}s change the order."
    elif np.isinf(high):
        said = f" Whether more {unit}s change the order cannot be told from these curves."
    wanted, rows = row["rows_for_verdict"], row["rows"]
    if np.isfinite(high) or not wanted > 0:
        return said
    if wanted > MANY * rows:
        return (
            f"{said} If it stays so, {MANY} times as many labelled {unit}s would give no verdict."
        )
    return (
        f"{said} If it stays so, about {roughly(wanted)} more labelled {unit}s would give a"
        f" verdict; there are {rows:,}."
    )


def _where(row: pd.Series[Any]) -> str:
    if row["kind"] == "crosses":
        return f"{_m(row['m'])} ({_m(row['m_low'])}-{_m(row['m_high'])})"
    if row["kind"] in ("does_not_cross", "better_from"):
        return "none"
    if row["kind"] == "cannot_tell" and _too_few(row):
        return f"needs {LEAST_SPLITS} splits"
    return str(row["kind"]).replace("_", " ")


def _too_few(row: pd.Series[Any]) -> bool:
    """Whether no size has the splits from which it is told which fitter is better there."""
    known = row["n_a_better"] + row["n_b_better"]
    return bool(row["n_splits"] < LEAST_SPLITS and not known)


def _which(row: pd.Series[Any]) -> str:
    """Name the better fitter by its letter; where it is not known at all sizes, at how many."""
    letters = _letters(row)
    if row["kind"] == "crosses":
        return f"{letters[row['better_below']]}, then {letters[row['better_above']]}"
    if row["kind"] == "does_not_cross":
        return letters[row["better_below"]]
    if row["kind"] == "better_from":
        return f"{letters[row['better_above']]} from {row['m']:,.0f}"
    letter = "a" if row["n_a_better"] else "b"
    known = row["n_a_better"] + row["n_b_better"]
    return f"{letter} {known}/{row['n_sizes']}" if known else ""


def _letters(row: pd.Series[Any]) -> dict[str, str]:
    return {row["fitter_a"]: "a", row["fitter_b"]: "b"}


def _difference(row: pd.Series[Any], interval: bool) -> str:
    difference = f"{row['difference_last']:+z.3f}"
    if not interval or row["n_splits"] < 2:
        return difference
    return f"{difference} ({row['low_last']:+z.3f} to {row['high_last']:+z.3f})"


def _m(value: float) -> str:
    """Spell a size between sizes."""
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}"
