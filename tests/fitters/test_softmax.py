"""The softmax of K scores: the likelihood's derivatives, scikit-learn's maxima, symmetries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from rules import fitted, scores
from scipy.special import log_softmax, softmax
from sklearn.linear_model import LogisticRegression as Reference

from gdcurves.fitters import Batch
from gdcurves.fitters.features import design
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.logistic import margins
from gdcurves.logistic.certificates import Outcome
from gdcurves.logistic.limit import decide
from gdcurves.logistic.simplex import corners, others


def random_sets(seed: int, n_sets: int, m: int, d: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Training sets of which most overlap, shapes (B, m, d) and (B, m)."""
    rng = np.random.default_rng(seed)
    y = np.array([rng.permutation(np.arange(m) % k) for _ in range(n_sets)])
    return rng.normal(y[:, :, None] * 0.5, 1.0, (n_sets, m, d)), y


@pytest.mark.slow
@pytest.mark.parametrize(("k", "m", "d"), [(2, 30, 3), (3, 45, 3), (3, 60, 6), (5, 80, 2)])
def test_maxima_are_those_of_scikit_learn(k: int, m: int, d: int) -> None:
    x, y = random_sets(k, 25, m, d, k)
    fit = LogisticRegression().fit(Batch(x, y, (0,) * x.shape[2], k), np.random.default_rng(0))
    assert fit.diagnostics.outcome is not None
    compared = np.flatnonzero(fit.diagnostics.outcome == Outcome.OVERLAP)
    assert len(compared) >= 20
    for b in compared:
        reference = Reference(C=np.inf, solver="newton-cholesky", tol=1e-12, max_iter=200)
        reference.fit(x[b], y[b])
        weights = np.column_stack([reference.intercept_, reference.coef_])
        if k > 2:
            weights = weights[1:] - weights[:1]
        np.testing.assert_allclose(fit.rules.weights[0, b], weights, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize("levels", [(), (3, 0, 2)])
def test_the_gradient_vanishes_at_the_maximum(k: int, levels: tuple[int, ...]) -> None:
    """Of the likelihood as it is written in textbooks; one-hot columns have many maxima."""
    x, y = random_sets(10 + k, 30, 90, 3, k)
    if levels:
        x[:, :, 0] = np.digitize(x[:, :, 0], [0.5, 1.0])
        x[:, :, 2] = x[:, :, 2] > 0.5
    fit = LogisticRegression().fit(Batch(x, y, levels, k), np.random.default_rng(0))
    assert fit.diagnostics.outcome is not None
    overlap = np.flatnonzero(fit.diagnostics.outcome == Outcome.OVERLAP)
    assert len(overlap) >= 20
    features = design(x, levels)
    joint = np.pad(
        np.einsum("bmq,bkq->bmk", features, fit.rules.weights[0]), ((0, 0), (0, 0), (1, 0))
    )
    residual = np.eye(k)[y] - softmax(joint, axis=2)
    gradient = np.einsum("bmk,bmq->bkq", residual, features)
    np.testing.assert_allclose(gradient[overlap], 0.0, atol=1e-9)


@pytest.mark.parametrize("levels", [(3,), (3, 2)])
def test_of_several_maxima_the_one_of_least_norm(levels: tuple[int, ...]) -> None:
    """Score matrices with columns that sum to zero over the classes; q weights for each class."""
    rng = np.random.default_rng(5)
    x = np.stack([rng.integers(0, n, 80) for n in levels], axis=1).astype(np.int32)
    y = rng.integers(0, 3, 80)
    fit = fitted(LogisticRegression(), x, y, levels, 3)
    assert fit.diagnostics.outcome is not None
    assert fit.diagnostics.outcome.tolist() == [Outcome.OVERLAP]
    matrix = np.vstack([np.zeros(fit.rules.weights.shape[3]), fit.rules.weights[0, 0]])
    matrix -= matrix.mean(axis=0)
    features = design(x, levels)
    # Least norm: no part outside the span of the feature vectors.
    outside = matrix - matrix @ np.linalg.pinv(features) @ features
    np.testing.assert_allclose(outside, 0.0, atol=1e-10)


# K = 2 has formulas of its own; they are those of the softmax.


@settings(max_examples=50)
@given(
    hnp.arrays(float, (2, 12), elements=st.floats(-40, 40)),
    hnp.arrays(float, (2, 12), elements=st.sampled_from([0.0, 1.0, 2.5])),
    st.sampled_from([1, 2, 3]),
)
def test_shares_and_loglik_are_those_of_the_softmax(
    margin: np.ndarray, often: np.ndarray, n_others: int
) -> None:
    """A class that does not count has no share; a training row counts as often as its rows."""
    by_row = margin.reshape(2, -1, n_others)
    row_often = often.reshape(2, -1, n_others)
    row_often = np.where(row_often > 0, row_often.max(axis=2, keepdims=True), 0.0)
    often = row_often.reshape(margin.shape)
    counted = row_often > 0
    joint = np.concatenate([np.zeros((*by_row.shape[:2], 1)), -by_row], axis=2)
    joint[:, :, 1:][~counted] = -np.inf
    log_p = log_softmax(joint, axis=2)
    shares = margins.shares(margin, often, n_others).reshape(by_row.shape)
    np.testing.assert_allclose(shares[counted], np.exp(log_p[:, :, 1:])[counted], rtol=1e-12)
    expected = (margins.of_rows(often, n_others) * log_p[:, :, 0]).sum(axis=1)
    value = margins.loglik(margin, often, n_others)
    np.testing.assert_allclose(value, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("n_others", [1, 2, 3])
def test_derivatives(n_others: int) -> None:
    """Shares are minus the slopes of the log-likelihood; the information is minus its curvature."""
    rng = np.random.default_rng(n_others)
    rows, w = rng.normal(size=(1, 12, 4)), rng.normal(size=4)
    often = np.repeat(rng.choice([1.0, 3.0], (1, 12 // n_others)), n_others, axis=1)

    def slope(w: np.ndarray) -> np.ndarray:
        share = margins.shares((rows @ w), often, n_others)
        gradient: np.ndarray = ((often * share)[:, :, None] * rows).sum(axis=1)[0]
        return gradient

    h = 1e-5
    values = [
        [margins.loglik(rows @ (w + side * h * e), often, n_others)[0] for side in (-1, 1)]
        for e in np.eye(4)
    ]
    np.testing.assert_allclose([(b - a) / (2 * h) for a, b in values], slope(w), rtol=1e-7)
    slopes = np.array([(slope(w - h * e) - slope(w + h * e)) / (2 * h) for e in np.eye(4)])
    share = margins.shares(rows @ w, often, n_others)
    information = margins.information(rows, share, often, n_others)[0]
    np.testing.assert_allclose(information, slopes, rtol=1e-6, atol=1e-7)
    change = 1e-6 * rng.normal(size=(1, 12))
    after = margins.shares(rows @ w + change, often, n_others)
    np.testing.assert_allclose(margins.moved(share, change, n_others), after, rtol=1e-10)


def test_no_training_set_at_all() -> None:
    none = np.zeros((0, 6))
    assert margins.shares(none, none, 2).shape == (0, 6)
    assert margins.loglik(none, none, 3).shape == (0,)
    assert margins.moved(none, none, 2).shape == (0, 6)


def test_corners_prefer_no_class() -> None:
    for k in (2, 3, 4, 7):
        corner = corners(k)
        distances = np.linalg.norm(corner[:, None] - corner, axis=2)
        np.testing.assert_allclose(distances, 1 - np.eye(k), atol=1e-15)
        np.testing.assert_allclose(corner.sum(axis=0), 0.0, atol=1e-15)
        assert [sorted([*row, c]) for c, row in enumerate(others(k).tolist())] == [
            list(range(k))
        ] * k
    assert np.array_equal(corners(2), [[-0.5], [0.5]])


def test_two_classes_are_signed_rows() -> None:
    """The stacked rows of the softmax for K = 2 are the rows with the sign of their class."""
    x, y = random_sets(0, 20, 15, 3, 2)
    goal = LogisticRegression().likelihood(Batch(x, y, (0,) * x.shape[2], 2))
    signed = design(x, ()) * np.where(y == 1, 1.0, -1.0)[:, :, None]
    assert np.array_equal(goal.rows, signed)
    limit = decide(signed)
    fit = LogisticRegression().fit(Batch(x, y, (0,) * x.shape[2], 2), np.random.default_rng(0))
    overlap = limit.outcome == Outcome.OVERLAP
    assert np.array_equal(fit.diagnostics.outcome, limit.outcome)
    assert np.array_equal(fit.rules.weights[0, overlap, 0], limit.weights[overlap])


@pytest.mark.parametrize("k", [3, 4])
def test_two_of_more_classes_are_two_classes(k: int) -> None:
    """Training sets without the other classes."""
    x, y = random_sets(1, 20, 20, 3, 2)
    two = LogisticRegression().fit(Batch(x, y, (0,) * x.shape[2], 2), np.random.default_rng(0))
    more = LogisticRegression().fit(Batch(x, y * (k - 1), (), k), np.random.default_rng(0))
    assert two.diagnostics.outcome is not None
    assert np.array_equal(two.diagnostics.outcome, more.diagnostics.outcome)
    overlap = two.diagnostics.outcome == Outcome.OVERLAP
    assert overlap.sum() > 10
    np.testing.assert_allclose(
        more.rules.weights[0, overlap, -1], two.rules.weights[0, overlap, 0], rtol=1e-9
    )


def test_order_of_rows_features_and_classes_does_not_matter() -> None:
    rng = np.random.default_rng(2)
    for seed in range(10):
        x, y = (each[0] for each in random_sets(seed, 1, 40, 3, 3))
        plain = fitted(LogisticRegression(), x, y, (), 3)
        called = rng.permutation(3)  # class k is called called[k]
        rows, columns = rng.permutation(40), rng.permutation(3)
        moved = fitted(LogisticRegression(), x[rows][:, columns], called[y[rows]], (), 3)
        assert plain.diagnostics.outcome is not None
        assert np.array_equal(plain.diagnostics.outcome, moved.diagnostics.outcome)
        if plain.diagnostics.outcome[0] != Outcome.OVERLAP:
            continue
        before = np.pad(scores(plain, x), ((0, 0), (1, 0)))
        after = np.pad(scores(moved, x[:, columns]), ((0, 0), (1, 0)))[:, called]
        np.testing.assert_allclose(after - after[:, :1], before, atol=1e-8)
