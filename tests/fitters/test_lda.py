"""Discriminant analysis with a full covariance: naive Bayes inside it, limits and symmetries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules import fitted, predictions, scores
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from gdcurves.fitters import Batch
from gdcurves.fitters.lda import LDA
from gdcurves.fitters.naive_bayes import NaiveBayes

# Residuals of four rows in three features, and of eight, with zero sums and zero products.
CONTRASTS = {
    4: np.array([[1, 1, 1, 1], [1, 1, -1, -1], [1, -1, 1, -1], [1, -1, -1, 1]])[1:].T,
    8: np.array([[1, 1, 1, 1, -1, -1, -1, -1], [1, 1, -1, -1] * 2, [1, -1] * 4]).T,
}
GRID = np.random.default_rng(1).uniform(-20, 20, (50, 3))
small = st.integers(-9, 9)


@st.composite
def diagonal(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int]:
    """Classes with any means and scales, whose scatter within the classes is exactly diagonal."""
    k = draw(st.integers(2, 4))
    rows, y = [], []
    for c in range(k):
        mean = draw(st.tuples(small, small, small))
        scale = draw(st.tuples(*[st.integers(1, 9)] * 3))
        residual = CONTRASTS[draw(st.sampled_from([4, 8]))] * scale
        rows.append(residual + mean)
        y += [c] * len(residual)
    return np.vstack(rows).astype(float), np.array(y), k


@pytest.mark.slow
@settings(max_examples=80)
@given(
    diagonal(),
    st.sampled_from([0.0, 1e-3, 2.0]),
    st.sampled_from([0, 1, 3]),
    st.sampled_from(["smoothed", "empirical", "equal"]),
)
def test_without_covariances_it_is_naive_bayes_with_shared_variances(
    rows: tuple[np.ndarray, np.ndarray, int], epsilon: float, ddof: int, prior: Any
) -> None:
    x, y, k = rows
    options: dict[str, Any] = {"epsilon": epsilon, "ddof": ddof, "prior": prior}
    full = scores(fitted(LDA(**options), x, y, (), k), GRID)
    naive = scores(fitted(NaiveBayes(**options), x, y, (), k), GRID)
    np.testing.assert_allclose(full, naive, rtol=1e-9, atol=1e-9 * (1 + np.abs(naive).max()))


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("ddof", [0, 1])
def test_scores_are_those_of_scikit_learn(k: int, ddof: int) -> None:
    """Classes of equal size; its covariance has the divisor m, that of ddof = 1 is m - K."""
    rng = np.random.default_rng([k, ddof])
    y = rng.permutation(np.arange(60) % k)
    x = rng.normal(y[:, None], 1.0, (60, 4)) @ rng.normal(size=(4, 4))
    reference = LinearDiscriminantAnalysis(solver="lsqr", priors=np.full(k, 1 / k)).fit(x, y)
    test = rng.normal(size=(30, 4))
    joint = np.atleast_2d(reference.decision_function(test))
    expected = joint.reshape(30, -1)
    if k > 2:
        expected = expected[:, 1:] - expected[:, :1]
    log_odds = scores(fitted(LDA(epsilon=0.0, ddof=ddof, prior="equal"), x, y, (), k), test)
    np.testing.assert_allclose(log_odds, expected * (60 - ddof * k) / 60, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize(("m", "d", "k"), [(4, 6, 2), (6, 6, 3), (9, 12, 4), (12, 4, 2)])
def test_epsilon_zero_is_the_limit(m: int, d: int, k: int) -> None:
    """Scores are direction / epsilon + weights, up to a multiple of epsilon."""
    rng = np.random.default_rng([m, d, k])
    y = np.arange(m) % k
    x, test = rng.normal(y[:, None], 1.0, (m, d)), rng.normal(size=(40, d))
    zero = fitted(LDA(epsilon=0.0, prior="equal"), x, y, (), k)
    assert zero.diagnostics.degenerate is not None
    assert zero.diagnostics.degenerate.tolist() == [m - k < d]
    tiny = fitted(LDA(epsilon=1e-8, prior="equal"), x, y, (), k)
    if m - k < d:
        assert zero.rules.direction is not None
        np.testing.assert_allclose(
            1e-8 * tiny.rules.weights,
            zero.rules.direction,
            rtol=1e-5,
            atol=1e-6 * np.abs(zero.rules.direction).max(),
        )
        assert tiny.diagnostics.degenerate is not None
        assert not tiny.diagnostics.degenerate.any()
    else:
        assert zero.rules.direction is None or not zero.rules.direction.any()
        np.testing.assert_allclose(tiny.rules.weights, zero.rules.weights, rtol=1e-5, atol=1e-6)
    assert np.array_equal(predictions(zero, test), predictions(tiny, test))


@pytest.mark.parametrize("epsilon", [1e-4, 1e-5])
def test_the_finite_part_of_the_limit(epsilon: float) -> None:
    """A plane of variance in five dimensions, and means that differ within it and outside."""
    rng = np.random.default_rng(0)
    rotation = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    y = np.arange(12) % 3
    x = np.zeros((12, 5))
    x[:, :2] = rng.normal(size=(12, 2))
    inside = np.array([[0, 0], [1, 2], [-1, 1]])
    x[:, :2] += inside[y]
    x[:, 2] = y == 2  # only the third class lies outside the plane
    x = x @ rotation
    zero = fitted(LDA(epsilon=0.0), x, y, (), 3)
    tiny = fitted(LDA(epsilon=epsilon), x, y, (), 3)
    assert zero.rules.direction is not None
    assert not zero.rules.direction[
        0, 0, 0
    ].any()  # between the first two classes nothing is infinite
    assert zero.rules.direction[0, 0, 1].any()
    np.testing.assert_allclose(
        tiny.rules.weights,
        zero.rules.direction / epsilon + zero.rules.weights,
        rtol=1e-9,
        atol=1e3 * epsilon,
    )
    plane = x @ rotation.T
    alone = fitted(LDA(epsilon=0.0), plane[:, :2], y, (), 3)
    within = np.pad(GRID[:, :2], ((0, 0), (0, 3)))
    features = np.column_stack([np.ones(len(within)), within @ rotation])
    np.testing.assert_allclose(
        features @ zero.rules.weights[0, 0, 0],
        scores(alone, GRID[:, :2])[:, 0],
        rtol=1e-8,
        atol=1e-8,
    )


def test_a_constant_feature_tells_nothing() -> None:
    rng = np.random.default_rng(3)
    y = np.arange(20) % 2
    x = np.column_stack([rng.normal(y[:, None], 1.0, (20, 2)), np.full(20, 0.3)])
    fit = fitted(LDA(epsilon=0.0), x, y)
    assert fit.diagnostics.degenerate is not None
    assert fit.diagnostics.degenerate.tolist() == [True]
    alone = fitted(LDA(epsilon=0.0), x[:, :2], y)
    assert alone.diagnostics.degenerate is not None
    assert alone.diagnostics.degenerate.tolist() == [False]
    np.testing.assert_allclose(scores(fit, GRID), scores(alone, GRID[:, :2]), rtol=1e-8)


@pytest.mark.parametrize("epsilon", [0.0, 1e-3])
def test_maps_and_orders_that_change_nothing(epsilon: float) -> None:
    """Affine maps for epsilon = 0; order of rows, features and classes for any."""
    rng = np.random.default_rng(4)
    y = rng.permutation(np.arange(30) % 3)
    x, test = rng.normal(y[:, None], 1.0, (30, 4)), rng.normal(size=(20, 4))
    before = scores(fitted(LDA(epsilon=epsilon), x, y, (), 3), test)
    rows, columns, called = rng.permutation(30), rng.permutation(4), np.array([1, 2, 0])
    moved = fitted(LDA(epsilon=epsilon), x[rows][:, columns], called[y[rows]], (), 3)
    after = np.pad(scores(moved, test[:, columns]), ((0, 0), (1, 0)))[:, called]
    np.testing.assert_allclose((after - after[:, :1])[:, 1:], before, rtol=1e-8, atol=1e-9)
    if epsilon == 0.0:
        map_, shift = rng.normal(size=(4, 4)), 100 * rng.normal(size=4)
        mapped = fitted(LDA(epsilon=0.0), x @ map_ + shift, y, (), 3)
        np.testing.assert_allclose(scores(mapped, test @ map_ + shift), before, rtol=1e-6)


def test_absent_classes_and_many_sets_at_once() -> None:
    rng = np.random.default_rng(5)
    y = np.array([rng.permutation(np.arange(12) % 3) for _ in range(6)])
    y[::2] = np.where(y[::2] == 1, 2, y[::2])
    x, test = rng.normal(size=(6, 12, 4)), rng.normal(size=(50, 4))
    for epsilon in (0.0, 0.5):
        together = LDA(epsilon=epsilon).fit(Batch(x, y, (0,) * x.shape[2], 3), rng)
        for b in range(6):
            one = fitted(LDA(epsilon=epsilon), x[b], y[b], (), 3)
            np.testing.assert_allclose(
                together.rules.weights[:, b], one.rules.weights[:, 0], rtol=1e-9
            )
            classes = set(predictions(one, test))
            assert classes <= set(y[b].tolist())
