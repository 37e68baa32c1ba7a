"""Least squares against scikit-learn's regression, and where it is discriminant analysis."""

from __future__ import annotations

import numpy as np
import pytest
from rules import fitted, predictions, scores
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression

from gdcurves.fitters import Batch
from gdcurves.fitters.lda import LDA
from gdcurves.fitters.least_squares import LeastSquares

SHAPES = {"many rows": (30, 4, 3), "few rows": (12, 40, 3), "two classes": (25, 5, 2)}


def made(n: int, d: int, k: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % k)
    return rng.normal(size=(n, d)) + y[:, None] + 50.0, y


@pytest.mark.parametrize(("n", "d", "k"), SHAPES.values(), ids=SHAPES)
def test_scores_are_those_of_a_regression_on_indicators(n: int, d: int, k: int) -> None:
    """Also one of least norm, beside an input that is constant."""
    x, y = made(n, d, k)
    x[:, 1] = 0.1
    test, _ = made(20, d, k, seed=1)
    expected = LinearRegression().fit(x, np.eye(k)[y]).predict(test)
    fit = fitted(LeastSquares(), x, y, k=k)
    assert fit.rules.gives == "scores"
    np.testing.assert_allclose(scores(fit, test), expected[:, 1:] - expected[:, :1], atol=1e-9)


def test_levels_are_coded_one_hot() -> None:
    rng = np.random.default_rng(0)
    levels = (3, 0, 4)
    x = np.column_stack([rng.integers(0, 3, 40), rng.normal(size=40), rng.integers(0, 4, 40)])
    y = rng.integers(0, 3, 40)
    columns = np.column_stack(
        [np.eye(3)[x[:, 0].astype(int)], x[:, 1], np.eye(4)[x[:, 2].astype(int)]]
    )
    expected = LinearRegression().fit(columns, np.eye(3)[y]).predict(columns)
    log_odds = scores(fitted(LeastSquares(), x, y, levels, 3), x, levels)
    np.testing.assert_allclose(log_odds, expected[:, 1:] - expected[:, :1], atol=1e-10)


def test_two_classes_of_one_size_are_told_apart_as_by_lda() -> None:
    x, y = made(40, 4, 2)
    ours = fitted(LeastSquares(), x, y).rules.weights[0, 0, 0]
    theirs = fitted(LDA(epsilon=0.0), x, y).rules.weights[0, 0, 0]
    np.testing.assert_allclose(ours / ours[1], theirs / theirs[1], rtol=1e-8)


def test_absent_classes_and_many_sets_at_once() -> None:
    x, y = load_iris(return_X_y=True)
    rng = np.random.default_rng(0)
    rows = np.stack([rng.permutation(150)[:20] for _ in range(4)])
    labels = y[rows]
    labels[1:3] = np.where(labels[1:3] == 1, 2, labels[1:3])
    together = LeastSquares().fit(Batch(x[rows], labels, (0,) * 4, 3), rng)
    for b in range(4):
        one = fitted(LeastSquares(), x[rows[b]], labels[b], k=3)
        np.testing.assert_allclose(together.rules.weights[:, b], one.rules.weights[:, 0], rtol=1e-9)
        assert set(predictions(one, x)) <= set(labels[b].tolist())
