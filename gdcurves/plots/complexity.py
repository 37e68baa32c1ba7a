"""The rows that fitters need to come near their limits, against the number of features."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from gdcurves.complexity.table import GROWTH, families
from gdcurves.errors import UserError
from gdcurves.plots.learning_curves import in_columns, means, warning
from gdcurves.plots.quantities import looks, numbers, table
from gdcurves.plots.sheet import Asymptote, Curve, Panel, Sheet
from gdcurves.plots.styles import Style

if TYPE_CHECKING:
    from gdcurves.store.files import Run

GUIDE = Style("#9a9a9a", (4.0, 2.0), width=0.8, layer=0)
GUIDES = "slopes 0 and 1: rows that do not grow with n, and that grow as n"
APART = 1.5  # times the nearest curve: where guides stand
BARS = "Bars: 95 % intervals, from resampled splits."


def sheets(run: Run) -> tuple[Sheet]:
    """Show the families of laws of a run, those of one law in one panel.

    Raises UserError where there are none, or no limits.
    """
    if run.complexity is None:
        raise UserError(
            f"{run.folder}: nothing is known of rows needed; compute the limits of the laws first,"
            " by gdcurves limits"
        )
    known = run.complexity
    points = known[(known["kind"] != GROWTH) & known["experiment"].isin(_of(run))]
    groups = _laws(run)
    if points.empty:
        raise UserError(
            f"{run.folder}: no experiment is of a family of laws; give 'n' a list of numbers"
        )
    panels = tuple(_panel(run, points, names) for names in groups.values())
    within = float(points["within"].iloc[0])
    return (
        Sheet(
            stem="figure_complexity",
            title="",
            subtitle="",
            warning=warning(run.manifest),
            panels=panels,
            columns=in_columns(len(panels)),
            band="",
            notes=(
                f"Rows at which the mean curve comes within {within:g} of its own limit;"
                f" {means(table(run))}. {BARS}",
                *_absent(points),
            ),
            inside=len(panels) == 1,
        ),
    )


def _of(run: Run) -> dict[str, str]:
    return families(run.manifest["config"])


def _laws(run: Run) -> dict[str, list[str]]:
    """Names of families whose members have the same laws, by what tells these apart."""
    groups: dict[str, list[str]] = {}
    of = _of(run)
    for each in run.manifest["config"]["experiments"]:
        if each["name"] in of:
            law: dict[str, Any] = {k: v for k, v in each["simulate"].items() if k != "n"}
            names = groups.setdefault(json.dumps(law, sort_keys=True), [])
            if of[each["name"]] not in names:
                names.append(of[each["name"]])
    return groups


def _panel(run: Run, points: pd.DataFrame, names: list[str]) -> Panel:
    of = points["experiment"].map(_of(run))
    own = points[of.isin(names)]
    curves = tuple(_curves(run, own, of))
    return Panel(
        ", ".join(names),
        title="" if len(_laws(run)) == 1 else ", ".join(names),
        y_label="training rows needed (log scale)",
        x_label="features n (log scale)",
        curves=curves,
        asymptotes=tuple(_guides(curves)),
        log_m=True,
        log_y=True,
        barred=True,
        note="" if curves else "no limit is reached between measured sizes",
    )


def _curves(run: Run, own: pd.DataFrame, of: pd.Series[Any]) -> Iterator[Curve]:
    look_of = looks(run)
    several = own.groupby("fitter", sort=False)["experiment"]
    for fitter, rows in own.groupby("fitter", sort=False):
        label, style = look_of[str(fitter)]
        for family, members in rows.groupby(of.loc[rows.index], sort=False):
            ordered = members.sort_values("n")
            reached = ordered["kind"] == "reached"
            if not reached.any():
                continue
            lone = several.get_group(fitter).map(_of(run)).nunique() == 1
            n, m, low, high = (
                numbers(ordered[reached], name) for name in ("n", "m_needed", "m_low", "m_high")
            )
            last = numbers(ordered[reached], "m_last")
            band = (low, np.minimum(high, last))
            yield Curve(label if lone else f"{label}, {family}", style, n, m, band)


def _guides(curves: tuple[Curve, ...]) -> Iterator[Asymptote]:
    """Lines of slopes 0 and 1, below the curve that grows least, above the one that grows most."""
    several = [curve for curve in curves if len(curve.m) > 1]
    if not several:
        return
    ends = np.concatenate([curve.m for curve in curves])
    n = np.array([ends.min(), ends.max()])
    by_slope = sorted(several, key=_slope)
    least, most = by_slope[0], by_slope[-1]
    yield Asymptote(GUIDES, GUIDE, n, np.full(2, least.y.min() / APART))
    yield Asymptote(GUIDES, GUIDE, n, n * (most.y / most.m).max() * APART)


def _slope(curve: Curve) -> float:
    x, y = np.log(curve.m), np.log(curve.y)
    return float(np.polyfit(x, y, 1)[0])


def _absent(points: pd.DataFrame) -> Iterator[str]:
    """Name the points that are not drawn, and why."""
    for kind, why in (
        ("below_first", "already within it at the first size"),
        ("not_reached", "not within it at the last size"),
        ("no_limit", "no limit is known"),
    ):
        rows = points[points["kind"] == kind]
        if len(rows):
            named = ", ".join(f"{row.fitter} of {row.experiment}" for row in rows.itertuples())
            yield f"Not drawn, as {why}: {named}."
