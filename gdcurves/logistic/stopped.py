"""Logistic regression as a program of its time fits it: a few Newton steps, and no certificate.

What the published curves of Ng & Jordan (2001) follow, see results/README.md. Where a set is taken
as separable, the limit of the likelihood is a draw from the separating hyperplanes, as in `limit`;
everywhere else Newton's iterate stays, whatever the likelihood tends to.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.logistic import perceptron
from gdcurves.logistic.certificates import Outcome
from gdcurves.logistic.kinds import Cone, Limit
from gdcurves.logistic.limit import undamped


def stopped(
    limit: Limit, rows: FloatArray, n_others: int, n_steps: int, passes: int | None = None
) -> Limit:
    """Take limits for what `n_steps` undamped Newton steps from 0 leave of them.

    Parameters
    ----------
    limit
        Of every problem, as `limit.decide` finds it.
    rows
        Signed rows, shape (B, m, q); `n_others` of them for each training row.
    n_steps
        Newton steps.
    passes
        A set is taken as separable only if a perceptron separates it in so many passes; None: where
        that is certified.

    Returns
    -------
    Outcomes are those that are acted on: separable, or overlapping for all other problems.
    """
    taken: BoolArray = limit.outcome == Outcome.SEPARABLE
    if passes is not None:
        some = np.flatnonzero(taken)
        taken[some] = perceptron.separates(rows[some], passes)
    weights = np.zeros_like(limit.weights)
    weights[~taken] = undamped(rows[~taken], n_others, n_steps)
    return Limit(
        np.where(taken, Outcome.SEPARABLE, Outcome.OVERLAP).astype(np.int8),
        weights,
        np.where(taken[:, None], limit.direction, 0.0),
        np.zeros_like(limit.boundary),
        [_some(each, taken[each.problems]) for each in limit.cones if taken[each.problems].any()],
    )


def _some(cone: Cone, chosen: BoolArray) -> Cone:
    """The chosen (C,) of a cone's problems."""
    basis = None if cone.basis is None else cone.basis[chosen]
    return replace(
        cone,
        problems=cone.problems[chosen],
        rows=cone.rows[chosen],
        start=cone.start[chosen],
        basis=basis,
    )
