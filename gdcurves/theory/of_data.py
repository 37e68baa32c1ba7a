"""alpha and G on data, with naive Bayes fitted to all rows in place of its population version."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.errors import UserError
from gdcurves.fitters.batch import Batch
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.problems.problem import Problem
from gdcurves.theory import columns
from gdcurves.theory.odds import AtPoints, infinite_where


def log_odds(problem: Problem, fitter: NaiveBayes) -> AtPoints:
    """Log odds of all rows, by a fit to them; means stand for missing values.

    Raises UserError unless there are two classes.
    """
    if len(problem.classes) != 2:
        raise UserError(
            f"the theory is that of two classes, and there are {len(problem.classes)}; choose two"
            " of them with 'classes' in a config, or cut a number with --threshold"
        )
    batch = Batch(_filled(problem)[None], np.asarray(problem.y)[None], problem.levels, 2)
    rules = fitter.fit(batch, np.random.default_rng(0)).rules
    features = batch.vectors(rules.feature_map)[0]
    scores = features @ rules.weights[0, 0, 0]
    direction = None if rules.direction is None else features @ rules.direction[0, 0, 0]
    of_class = np.asarray(problem.y)[:, None] == np.arange(2)
    return AtPoints(infinite_where(scores, direction), of_class.astype(float), len(scores))


def _filled(problem: Problem) -> Any:
    """The inputs (n, d), with means of all rows for missing values."""
    x = np.asarray(problem.x)
    gaps = np.isnan(x)
    return np.where(gaps, np.nanmean(x, axis=0), x) if gaps.any() else x


def rows(
    problem: Problem, name: str, fitter: NaiveBayes, tau: FloatArray
) -> Iterator[dict[str, Any]]:
    """Yield rows of theory.csv for values of tau (t,); `name` is the fitter's."""
    odds = log_odds(problem, fitter)
    n = len(problem.features)
    common = {"experiment": problem.name, "fitter": name, "n": n}
    for number, sign, mean in zip((1, 2), (-1, 1), odds.mean, strict=True):
        value = float(sign * mean / n)
        accuracy = abs(value) * float(np.finfo(float).eps) * len(problem.y)
        yield {
            **common,
            "quantity": columns.ALPHA,
            "argument": number,
            "value": value,
            "accuracy": accuracy,
        }
    for at, value in zip(tau.tolist(), odds.near_zero(tau * n).tolist(), strict=True):
        yield {**common, "quantity": columns.G, "argument": at, "value": value, "accuracy": 0.0}
