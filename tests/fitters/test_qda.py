"""A covariance for each class: other packages, and classes without one of their own."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rules import fitted, predictions, scores
from scipy.stats import multivariate_normal
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

from gdcurves.fitters import Batch
from gdcurves.fitters.lda import LDA
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.fitters.qda import QDA
from gdcurves.scoring import score
from gdcurves.scoring.pool import collect
from gdcurves.simulators import SimulationConfig

BY_HAND: Any = {"prior": "empirical", "epsilon": 0.0}


def test_reference_values(shared: Path) -> None:
    cases = json.loads((shared / "reference/theory/qda.json").read_text())
    assert len(cases) == 9
    for case in cases:
        x, y, test = (np.array(case[key], float) for key in ("x", "y", "test"))
        expected = np.array(case["scores_against_first"])
        fitter = QDA(prior=case["prior"], ddof=case["ddof"], epsilon=case["epsilon"])
        fit = fitted(fitter, x, y.astype(int), k=expected.shape[1] + 1)
        np.testing.assert_allclose(scores(fit, test), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_scores_are_those_of_scikit_learn(load: Any) -> None:
    """Its covariances have the divisor n_y from version 1.9 on, n_y - 1 before."""
    x, y = load(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(y))[:120]
    reference = QuadraticDiscriminantAnalysis(store_covariance=True).fit(x[rows], y[rows])
    own = x[rows][y[rows] == 0]
    ddof = int(np.allclose(reference.covariance_[0], np.cov(own.T)))
    expected = reference.decision_function(x)
    log_odds = scores(fitted(QDA(**BY_HAND, ddof=ddof), x[rows], y[rows], k=3), x)
    np.testing.assert_allclose(log_odds, expected[:, 1:] - expected[:, :1], rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("epsilon", [0.0, 0.3])
@pytest.mark.parametrize("ddof", [0, 1, 5])
def test_classes_without_a_covariance_take_the_shared_one(epsilon: float, ddof: int) -> None:
    """One of rows enough, one of too few, one on a line, one constant in an input."""
    rng = np.random.default_rng(3)
    n = (9, 3, 8, 7)
    y = np.repeat(np.arange(4), n)
    x = rng.normal(size=(len(y), 3)) + y[:, None] + 100.0
    x[y == 2, 2] = 3.0 * x[y == 2, 1]
    x[y == 3, 0] = 100.1
    test = rng.normal(size=(20, 3)) + 101.0
    centred = [x[y == k] - x[y == k].mean(axis=0) for k in range(4)]
    pooled = sum(each.T @ each for each in centred) / (len(y) - 4 * ddof) + epsilon * np.eye(3)
    joint = np.empty((20, 4))
    for k, each in enumerate(centred):
        own = each.T @ each / max(n[k] - ddof, 1) + epsilon * np.eye(3)
        if n[k] <= ddof or (epsilon == 0 and k > 0):
            own = pooled
        law = multivariate_normal(x[y == k].mean(axis=0), own)
        joint[:, k] = law.logpdf(test) + np.log(n[k] / len(y))
    fit = fitted(QDA(prior="empirical", epsilon=epsilon, ddof=ddof), x, y, k=4)
    np.testing.assert_allclose(scores(fit, test), joint[:, 1:] - joint[:, :1], rtol=1e-8, atol=1e-8)
    assert fit.diagnostics.degenerate is not None
    assert fit.diagnostics.degenerate.tolist() == [epsilon == 0 or ddof == 5]


@pytest.mark.parametrize("k", [2, 3])
def test_where_no_class_has_a_covariance_it_is_lda(k: int) -> None:
    """Also beside sets that have one, measured from elsewhere, and without one of the classes."""
    rng = np.random.default_rng(k)
    y = np.tile(np.arange(8) % k, (3, 1))
    y[1] = np.where(y[1] == k - 1, 0, y[1]) if k > 2 else y[1]
    x = rng.normal(size=(3, 8, 5)) + y[:, :, None]
    x[2] *= 0
    x[2, :, 0] = y[2]
    test = rng.normal(size=(30, 5))
    wide = Batch(x, y, (0,) * 5, k, centre=np.full(5, 2.0))
    fit = QDA(epsilon=0.0).fit(wide, rng)
    assert fit.diagnostics.degenerate is not None
    assert fit.diagnostics.degenerate.all()
    for b in range(3):
        alone, linear = (fitted(each(epsilon=0.0), x[b], y[b], k=k) for each in (QDA, LDA))
        np.testing.assert_array_equal(predictions(alone, test), predictions(linear, test))
        np.testing.assert_allclose(
            alone.rules.weights[..., :6], linear.rules.weights, rtol=1e-9, atol=1e-9
        )
        assert not alone.rules.weights[..., 6:].any()
        moved = fit.rules.weights[0, b, :, :6].copy()
        moved[:, 0] -= 2.0 * moved[:, 1:].sum(axis=1)
        np.testing.assert_allclose(moved, linear.rules.weights[0, 0], rtol=1e-9, atol=1e-9)


def test_absent_classes_and_many_sets_at_once() -> None:
    rng = np.random.default_rng(5)
    y = np.array([rng.permutation(np.arange(24) % 3) for _ in range(6)])
    y[::2] = np.where(y[::2] == 1, 2, y[::2])
    x, test = rng.normal(size=(6, 24, 4)), rng.normal(size=(50, 4))
    together = QDA(epsilon=0.0).fit(Batch(x, y, (0,) * 4, 3), rng)
    assert together.diagnostics.degenerate is not None
    assert not together.diagnostics.degenerate.any()
    for b in range(6):
        one = fitted(QDA(epsilon=0.0), x[b], y[b], k=3)
        np.testing.assert_allclose(together.rules.weights[:, b], one.rules.weights[:, 0], rtol=1e-9)
        assert set(predictions(one, test)) <= set(y[b].tolist())


def test_one_input_is_naive_bayes_with_own_variances() -> None:
    rng = np.random.default_rng(6)
    y = np.arange(20) % 3
    x, test = rng.normal(size=(20, 1)) * (1 + y[:, None]), rng.normal(size=(30, 1))
    options: Any = {"ddof": 1, "epsilon": 1e-3, "prior": "smoothed"}
    naive = scores(fitted(NaiveBayes(variance="per_class", **options), x, y, k=3), test)
    np.testing.assert_allclose(scores(fitted(QDA(**options), x, y, k=3), test), naive, rtol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("law", "m"), [("cu_full", 16), ("cu_full", 50), ("ce_full", 100)])
def test_reference_curves(shared: Path, law: str, m: int) -> None:
    """Within four standard errors, of theirs and of 300 sets of ours together."""
    with (shared / "reference/theory/qda_curves.csv").open() as file:
        theirs = {(r["law"], r["fitter"], r["m"]): r for r in csv.DictReader(file)}
    rows = 2000 + m // 2
    config = SimulationConfig.model_validate({"name": law, "rows": [rows, rows], "draw": "each"})
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], rows)
    training = np.r_[: m // 2, rows : rows + m // 2]
    errors: dict[str, list[float]] = {"qda": [], "lda": []}
    for x in config.law.draw((rows, rows), rng, 300):
        pool = collect(x, y, (0,) * x.shape[1], 2)
        own = Batch(x[training][None], y[training][None], (0,) * x.shape[1], 2, centre=pool.centre)
        for name, fitter in (("qda", QDA()), ("lda", LDA())):
            values = score(pool, fitter.fit(own, rng), training[None]).values
            errors[name].append(values["errors"][0] / 4000)
    for name, ours in errors.items():
        expected = theirs[law, name, str(m)]
        se = np.hypot(np.std(ours) / np.sqrt(300), float(expected["error_se"]))
        assert np.mean(ours) == pytest.approx(float(expected["error_mean"]), abs=4 * se)
