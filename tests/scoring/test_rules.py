"""Rules of other kinds: linear in all products, and linear in nothing; against scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from others import Neighbour, Quadratic
from rules import pool_of
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.metrics import log_loss
from sklearn.neighbors import KNeighborsClassifier

from gdcurves import scoring, splits
from gdcurves.fitters import Batch, Fit, Fitter, FunctionRules
from gdcurves.problems.problem import Problem, Provenance
from gdcurves.scoring.pool import collect
from gdcurves.scoring.preparation import Preparation

N, M, SETS = 150, 60, 8
NOWHERE = Provenance("d", "file", "s", "0", N, N, 0, 0, (), None)


def problem(k: int, rescale: Any = "none", gaps: bool = False) -> Problem:
    """Rows of k classes whose covariances differ."""
    rng = np.random.default_rng(k)
    y = np.sort(np.arange(N) % k)
    mix = rng.normal(size=(k, 3, 3))
    x = np.einsum("nij,nj->ni", mix[y], rng.normal(size=(N, 3))) + y[:, None] * [0.7, -0.4, 0.0]
    x += [0.0, 5.0, -2.0]
    if gaps:
        x[rng.random((N, 3)) < [0.2, 0.0, 0.3]] = np.nan
    names, classes = ("a", "b", "c"), tuple("rst"[:k])
    return Problem("p", "continuous", x, y, (0, 0, 0), names, classes, NOWHERE, rescale)


def sets_of(made: Problem) -> np.ndarray:
    return splits.training_sets(made.y, [M], range(SETS), 0, "e", stratified=True)[M]


def scored(made: Problem, fitter: Fitter, training: np.ndarray) -> scoring.Scores:
    preparation = Preparation.of(made)
    x, prepared = preparation.prepare(preparation.pool.rows(made.x, training))
    K = len(made.classes)
    batch = Batch(x, made.y[training], made.levels, K, made.features, preparation.centre)
    fit = prepared.rewrite(fitter.fit(batch, np.random.default_rng(0)))
    return scoring.score(preparation.pool, fit, training)


def rest(made: Problem, rows: np.ndarray) -> np.ndarray:
    return np.setdiff1d(np.arange(len(made.y)), rows)


@pytest.mark.parametrize("k", [2, 3])
def test_quadratic_discriminants_are_those_of_scikit_learn(k: int) -> None:
    made = problem(k)
    training = sets_of(made)
    scores = scored(made, Quadratic(), training)
    for b, rows in enumerate(training):
        theirs = QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.0)
        test = rest(made, rows)
        # Their covariance has the divisor n, as ours.
        theirs.fit(made.x[rows], made.y[rows])
        wrong = (theirs.predict(made.x[test]) != made.y[test]).sum()
        assert scores.values["errors"][b] == wrong
        expected = log_loss(made.y[test], theirs.predict_proba(made.x[test]))
        assert scores.values["logloss"][b] == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("k", [2, 3])
def test_nearest_neighbours_are_those_of_scikit_learn(k: int) -> None:
    made = problem(k)
    training = sets_of(made)
    scores = scored(made, Neighbour(), training)
    for b, rows in enumerate(training):
        theirs = KNeighborsClassifier(1).fit(made.x[rows], made.y[rows])
        test = rest(made, rows)
        wrong = (theirs.predict(made.x[test]) != made.y[test]).sum()
        assert scores.values["errors"][b] == wrong


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("rescale", ["train", "none"])
@pytest.mark.parametrize("fitter", [Quadratic(ridge=0.05), Neighbour()], ids=["map", "function"])
def test_as_if_every_row_had_been_prepared(fitter: Fitter, rescale: str, gaps: bool) -> None:
    """Rescaled and filled by each training set's rows: as if all rows had been, before the fit."""
    made = problem(3, rescale, gaps)
    training = sets_of(made)
    scores = scored(made, fitter, training)
    for b, rows in enumerate(training):
        x = np.where(np.isnan(made.x), np.nanmean(made.x[rows], axis=0), made.x)
        if rescale == "train":
            low = x[rows].min(axis=0)
            x = (x - low) / (x[rows].max(axis=0) - low)
        pool = collect(x, made.y, made.levels, 3)
        batch = Batch(x[None, rows], made.y[None, rows], made.levels, 3, centre=pool.centre)
        expected = scoring.score(
            pool, fitter.fit(batch, np.random.default_rng(0)), rows[None]
        ).values
        assert scores.values["errors"][b] == expected["errors"][0]
        assert scores.values["logloss"][b] == pytest.approx(expected["logloss"][0], rel=1e-8)


@pytest.mark.parametrize("fitter", [Quadratic(ridge=0.05), Neighbour()], ids=["map", "function"])
def test_a_data_set_for_each_training_set(fitter: Fitter) -> None:
    made = problem(2)
    rng = np.random.default_rng(4)
    many = made.x + rng.normal(size=(SETS, N, 3))
    training = sets_of(made)
    pool = collect(many, made.y, made.levels, 2)
    batch = Batch(pool.rows(many, training), made.y[training], made.levels, 2, centre=pool.centre)
    together = scoring.score(pool, fitter.fit(batch, rng), training).values
    for b, rows in enumerate(training):
        own = collect(many[b], made.y, made.levels, 2)
        one = Batch(many[None, b, rows], made.y[None, rows], made.levels, 2, centre=own.centre)
        alone = scoring.score(own, fitter.fit(one, rng), rows[None]).values
        assert together["errors"][b] == alone["errors"][0]
        assert together["logloss"][b] == pytest.approx(alone["logloss"][0], rel=1e-8)


def test_impossible_classes_and_several_draws() -> None:
    """Class 0 is impossible for one row, class 2 for another: infinite losses, no warnings."""
    made = problem(3)
    log_p = np.log(np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]]))

    def score(b: int, x: np.ndarray) -> np.ndarray:
        return np.repeat(log_p[:, None], len(x), axis=1)

    training = np.arange(N - 2)[None]
    fit = Fit(FunctionRules(score, 2, 1))
    scores = scoring.score(pool_of(made), fit, training)
    assert made.y[-2:].tolist() == [2, 2]
    assert scores.values["errors"].tolist() == [
        1.0
    ]  # two errors of the one rule, none of the other
    assert scores.values["logloss"][0] == pytest.approx(-(np.log(0.2) + np.log(0.8)) / 2)
    log_p[0, 2] = -np.inf
    assert np.isinf(scoring.score(pool_of(made), fit, training).values["logloss"][0])
    log_p[0] = [-np.inf, -np.inf, 0.0]
    value = scoring.score(pool_of(made), fit, training).values
    assert value["errors"].tolist() == [0.0]
    assert value["logloss"][0] == pytest.approx(-np.log(0.8) / 2)
    log_p[0] = -np.inf
    with pytest.raises(ValueError, match="not finite for any class"):
        scoring.score(pool_of(made), fit, training)
