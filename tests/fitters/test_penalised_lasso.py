"""Logistic regression with a penalty on absolute weights: its optimality, and scikit-learn's."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from rules import batch, fitted
from sklearn.linear_model import Lasso, LogisticRegression
from sklearn.metrics import log_loss
from sklearn.preprocessing import StandardScaler

from gdcurves.fitters import Batch
from gdcurves.fitters.penalised_logistic import PenalisedLogistic
from gdcurves.logistic.folds import Folds, assigned
from gdcurves.logistic.lasso import FOLD_TOLERANCE, class_weights, held_out, minimise
from gdcurves.logistic.path import STRENGTHS
from gdcurves.logistic.penalised import Problems
from gdcurves.logistic.shrinkage import shrunk

pytestmark = pytest.mark.usefixtures("one_thread")


def made(
    n: int, d: int, k: int, seed: int = 0, apart: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % k)
    x = rng.normal(size=(n, d)) + rng.normal(size=d)
    x[:, : min(d, k)] += apart * np.eye(k)[y][:, : min(d, k)]
    return x, y


def excess(x: np.ndarray, y: np.ndarray, k: int, v: np.ndarray, strength: float) -> float:
    """By how much the conditions of a minimum are missed at v (K - 1, 1 + d)."""
    weights = class_weights(v)
    inputs = np.column_stack([np.ones(len(x)), x])
    scores = inputs @ weights.T
    if k == 2:
        scores = np.column_stack([np.zeros(len(x)), scores])
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    slopes = ((p - np.eye(k)[y]).T @ inputs)[-len(weights) :]
    w, slope = weights[:, 1:], slopes[:, 1:]
    zero = np.abs(w) < 1e-8
    beyond = np.maximum(np.abs(slope) - strength, 0.0)
    missed = np.where(zero, beyond, np.abs(slope + strength * np.sign(w)))
    return float(max(missed.max(), np.abs(slopes[:, 0]).max()))


def test_reference_values(shared: Path) -> None:
    checked = 0
    for case in json.loads((shared / "reference/theory/penalised.json").read_text()):
        x, y = np.array(case["x"], float), np.array(case["y"])
        for fit in case["fits"]:
            if fit["penalty"] != "l1":
                continue
            fitter = PenalisedLogistic(penalty="l1", strength=fit["strength"], standardise=False)
            ours = fitted(fitter, x, y).rules.weights[0, 0, 0]
            expected = np.array([fit["intercept"], *fit["weights"]])
            assert ours == pytest.approx(expected, abs=1e-6)
            assert np.array_equal(ours[1:] == 0, np.abs(expected[1:]) < 1e-12)
            checked += 1
    assert checked >= 12


@pytest.mark.slow
@pytest.mark.parametrize("strength", [1e-3, 0.3, 5.0, 1e3])
@pytest.mark.parametrize(("n", "d", "k"), [(40, 6, 2), (20, 30, 2), (60, 5, 3), (60, 5, 4)])
def test_the_conditions_of_a_minimum_hold(n: int, d: int, k: int, strength: float) -> None:
    x, y = made(n, d, k)
    v = minimise(Problems.of(x[None], y[None], np.array([strength]), k))[0]
    assert excess(x, y, k, v, strength) < 1e-7 * n


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("strength", [0.5, 3.0])
def test_scikit_learn(k: int, strength: float) -> None:
    x, y = made(60, 5, k, apart=1.5)
    x[:, 1] *= 30.0
    fitter = PenalisedLogistic(penalty="l1", strength=strength)
    ours = np.column_stack([np.ones(60), x]) @ fitted(fitter, x, y, k=k).rules.weights[0, 0].T
    z = StandardScaler().fit_transform(x)
    model = LogisticRegression(
        l1_ratio=1.0, C=1 / strength, solver="saga", tol=1e-9, max_iter=100_000
    )
    log_odds = np.log(model.fit(z, y).predict_proba(z))
    assert ours == pytest.approx(log_odds[:, 1:] - log_odds[:, :1], abs=1e-4)


@pytest.mark.slow
def test_many_more_columns_than_rows() -> None:
    for k in (2, 3):
        x, y = made(20, 300, k, apart=3.0)
        for strength in (0.01, 2.0):
            v = minimise(Problems.of(x[None], y[None], np.array([strength]), k))[0]
            assert excess(x, y, k, v, strength) < 1e-5
            assert (v[:, 1:] != 0).any(axis=0).sum() <= 20 * (k - 1)


def test_a_batch_is_its_sets_one_by_one() -> None:
    rng = np.random.default_rng(1)
    x, y = made(200, 5, 3, apart=3.0)
    rows = np.array([rng.permutation(200)[:20] for _ in range(8)])
    rows[3] = np.flatnonzero(y != 1)[:20]
    fitter = PenalisedLogistic(penalty="l1", strength=0.2)
    together = fitter.fit(Batch(x[rows], y[rows], (0,) * 5, 3), rng).rules
    for b, training in enumerate(rows):
        alone = fitter.fit(batch(x[training], y[training], k=3), rng).rules
        assert together.weights[:, b] == pytest.approx(alone.weights[:, 0], rel=1e-6, abs=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize(("k", "m", "d"), [(2, 40, 6), (2, 500, 4), (3, 45, 5)])
def test_held_out_losses_and_the_strength_chosen(k: int, m: int, d: int) -> None:
    x, y = made(m, d, k, seed=m, apart=2.0)
    fold, n_folds = assigned(y[None], k, np.random.default_rng(0))
    losses, _ = held_out(Folds.of(x[None], y[None], fold, k), STRENGTHS)
    for strength, loss in zip(STRENGTHS, losses[:, 0], strict=True):
        expected = 0.0
        for f in range(n_folds[0]):
            out = fold[0] == f
            rest = Problems.of(x[None, ~out], y[None, ~out], np.array([strength]), k)
            held = Problems.of(x[None, out], y[None, out], np.array([strength]), k)
            expected += held.at(minimise(rest)[:, None]).losses.sum()
        assert loss == pytest.approx(expected, rel=2 * FOLD_TOLERANCE)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    chosen = fitted(PenalisedLogistic(penalty="l1", strength="cv"), x, y, k=k).rules.weights
    theirs = []
    for strength in STRENGTHS[2:6]:
        model = LogisticRegression(
            l1_ratio=1.0, C=1 / strength, solver="saga", tol=1e-4, max_iter=200_000
        )
        p = np.zeros((m, k))
        for f in range(n_folds[0]):
            out = fold[0] == f
            p[out] = model.fit(z[~out], y[~out]).predict_proba(z[out])
        theirs.append(log_loss(y, p))
    best = STRENGTHS[2 + int(np.argmin(theirs))]
    same = fitted(PenalisedLogistic(penalty="l1", strength=best), x, y, k=k).rules.weights
    assert chosen == pytest.approx(same, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("alpha", [1e-3, 0.1, 10.0])
def test_quadratic_functions(alpha: float) -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(4, 30, 8)) * rng.uniform(0.1, 10, 8)
    t = x[:, :, :2].sum(axis=2) + rng.normal(size=(4, 30))
    ours = shrunk(
        x.transpose(0, 2, 1) @ x, np.einsum("bmq,bm->bq", x, t), np.full((4, 8), 30 * alpha)
    )
    for b in range(4):
        model = Lasso(alpha=alpha, fit_intercept=False, tol=1e-14, max_iter=1_000_000)
        expected = model.fit(x[b], t[b]).coef_
        assert ours[b] == pytest.approx(expected, abs=1e-6)
        assert np.array_equal(ours[b] == 0, expected == 0)


def test_nothing_pulls_at_a_weight() -> None:
    ours = shrunk(np.eye(3)[None], np.zeros((1, 3)), np.array([[0.0, 1.0, 1.0]]))
    assert np.array_equal(ours, np.zeros((1, 3)))
