"""Curves of a run, their limits, and what Theorem 4 and Proposition 2 promise; G beside them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from gdcurves.arrays import FloatArray
from gdcurves.errors import UserError
from gdcurves.plots.learning_curves import BAND, means, notes, warning, x_label
from gdcurves.plots.quantities import Quantity, looks, measures, numbers, panel, table
from gdcurves.plots.sheet import Curve, Panel, Sheet
from gdcurves.plots.styles import Style
from gdcurves.scoring.measures import MEASURES
from gdcurves.theory import columns

if TYPE_CHECKING:
    from gdcurves.store.files import Run

BOUNDS = {
    columns.THEOREM4_BOUND: (
        "Theorem 4's bound for naive Bayes",
        Style("#0b2545", (1.0, 1.2), width=0.9, layer=1),
    ),
    columns.PROPOSITION2_BOUND: (
        "Proposition 2's bound for logistic regression",
        Style("#d55e00", (1.0, 1.2), width=0.9, layer=1),
    ),
}
HIGHEST = 0.6  # of what is drawn of a bound: what is above says nothing
BEST = ("best_linear", "logistic_regression")  # whose limit Proposition 2 is about, as it is known
EXPLAINED = (
    "Bounds have the constants of their proofs, and are drawn where they are below"
    f" {HIGHEST:g}; an experiment without one has none there. G(τ): share of rows that the limit of"
    " naive Bayes classifies rightly by log odds of at most τn, which Theorem 4 adds to its error."
)


def sheets(run: Run) -> tuple[Sheet]:
    """Show two panels for every experiment: its errors with bounds on them, and G.

    Raises UserError where no theory is known of the run's laws or data, or no errors.
    """
    if MEASURES["error"] not in measures(run):
        raise UserError(f"{run.folder}: bounds are on the error, which was not measured")
    known = pd.DataFrame(columns=list(columns.COLUMNS)) if run.theory is None else run.theory
    of_run = [_own(run, known, name) for name in run.manifest["experiments"]]
    if all(own.empty for own in of_run):
        raise UserError(
            f"{run.folder}: no theory is known of its laws or data; compute it first:"
            f" gdcurves theory --config {run.manifest['name']}.yaml --out {run.folder}"
        )
    panels = [
        each
        for name, own in zip(run.manifest["experiments"], of_run, strict=True)
        for each in (_errors(run, name, own), _g(run, name, own))
    ]
    return (
        Sheet(
            stem="figure_theory",
            title="",
            subtitle="",
            warning=warning(run.manifest),
            panels=tuple(panels),
            columns=2,
            band=f"{means(table(run))}; {BAND}",
            notes=(*notes(run.manifest, table(run)), EXPLAINED),
        ),
    )


def _own(run: Run, known: pd.DataFrame, name: str) -> pd.DataFrame:
    """The theory of an experiment, if it is that of the law or data of the run."""
    law = run.manifest["experiments"][name].get("sha256")
    own: pd.DataFrame = known[(known["experiment"] == name) & (known["law"] == law)]
    return own


def _errors(run: Run, name: str, own: pd.DataFrame) -> Panel:
    drawn = panel(run, name, Quantity.mean_of(MEASURES["error"]), name)
    if not drawn.curves:
        return drawn
    curves = (*drawn.curves, *_bounds(run, name, own))
    m = np.unique(np.concatenate([curve.m for curve in curves]))
    limits = (replace(each, m=m, y=np.full(len(m), each.y[0])) for each in drawn.asymptotes)
    return replace(
        drawn,
        curves=curves,
        asymptotes=tuple(limits),
        y_label="test error",
        x_label=x_label(run, name, log_m=True),
        log_m=True,
    )


def _bounds(run: Run, name: str, own: pd.DataFrame) -> Iterator[Curve]:
    """Yield a curve for each bound that is below `HIGHEST` somewhere."""
    rows = own[own["quantity"] == columns.THEOREM4_BOUND]
    for _, one in rows.groupby("fitter", sort=False):
        yield from _bound(columns.THEOREM4_BOUND, numbers(one, "argument"), numbers(one, "value"))
        break  # it does not depend on what smooths
    limit = _limit(run, name)
    rows = own[own["quantity"] == columns.PROPOSITION2_BOUND]
    for _, one in rows.groupby("fitter", sort=False):
        y = limit + numbers(one, "argument")
        yield from _bound(columns.PROPOSITION2_BOUND, numbers(one, "value"), y)
        break


def _bound(quantity: str, m: FloatArray, y: FloatArray) -> Iterator[Curve]:
    """Yield the curve of a bound `y` (k,) at `m` (k,)."""
    order = np.argsort(m)
    m, y = m[order], y[order]
    shown = y <= HIGHEST
    if shown.any():
        yield Curve(*BOUNDS[quantity], m[shown], y[shown])


def _limit(run: Run, name: str) -> float:
    """The least error of a linear rule, or where logistic regression tends to; NaN for none."""
    if run.limits is None:
        return float("nan")
    law = run.manifest["experiments"][name].get("sha256")
    known = run.limits[(run.limits["experiment"] == name) & (run.limits["law"] == law)]
    errors = dict(zip(known["fitter"], numbers(known, "error"), strict=True))
    return next((float(errors[each]) for each in BEST if each in errors), float("nan"))


def _g(run: Run, name: str, own: pd.DataFrame) -> Panel:
    look_of = looks(run)
    rows = own[own["quantity"] == columns.G]
    curves = tuple(
        Curve(*look_of[str(fitter)], numbers(one, "argument"), numbers(one, "value"))
        for fitter, one in rows.groupby("fitter", sort=False)
        if fitter in look_of
    )
    return Panel(
        name,
        title="",
        y_label="G(τ)",
        x_label="τ",
        curves=curves,
        note="" if curves else "G is not known",
        y_range=(0.0, 1.0),
    )
