"""Variances that are zero or cannot be had: one stated rule, and a count of who needed it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules import fitted, predictions, scores
from scipy.stats import norm

from gdcurves.fitters import Batch
from gdcurves.fitters.hybrid import Hybrid
from gdcurves.fitters.naive_bayes import NaiveBayes

GRID = np.random.default_rng(1).uniform(-12, 12, (30, 2))
small = st.integers(-3, 3)


def options(ddof: int, epsilon: float) -> dict[str, Any]:
    return {"variance": "per_class", "ddof": ddof, "epsilon": epsilon, "prior": "equal"}


@st.composite
def rows(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int]:
    """Two features of few values, in classes of one row or more."""
    k = draw(st.integers(2, 3))
    x = draw(st.lists(st.tuples(small, small), min_size=k, max_size=9))
    n_more = len(x) - k
    y = [*range(k), *draw(st.lists(st.integers(0, k - 1), min_size=n_more, max_size=n_more))]
    return np.array(x, dtype=float), np.array(y), k


def by_the_rule(
    x: np.ndarray, y: np.ndarray, k: int, ddof: int, epsilon: float
) -> tuple[np.ndarray, bool]:
    """Log densities on the grid (n, K), and whether some variance was replaced; in plain loops."""
    joint, replaced = np.zeros((len(GRID), k)), False
    for i in range(2):
        residual = np.concatenate([x[y == c, i] - x[y == c, i].mean() for c in range(k)])
        divisor = len(y) - ddof * k
        shared = (residual**2).sum() / (divisor if divisor > 0 else 1) + epsilon
        for c in range(k):
            of_class = x[y == c, i]
            n = len(of_class)
            own = 0.0
            if n > ddof:
                own = ((of_class - of_class.mean()) ** 2).sum() / (n - ddof) + epsilon
            if own < 1e-12:
                own, replaced = shared, True
            if own > 1e-12:
                joint[:, c] += norm.logpdf(GRID[:, i], of_class.mean(), np.sqrt(own))
    return joint, replaced


@pytest.mark.slow
@settings(max_examples=150)
@given(rows(), st.sampled_from([0, 1, 2]), st.sampled_from([0.0, 0.5]))
def test_a_class_without_a_variance_of_its_own_takes_the_shared_one(
    drawn: tuple[np.ndarray, np.ndarray, int], ddof: int, epsilon: float
) -> None:
    x, y, k = drawn
    fit = fitted(NaiveBayes(**options(ddof, epsilon)), x, y, (), k)
    joint, replaced = by_the_rule(x, y, k, ddof, epsilon)
    assert fit.diagnostics.degenerate is not None
    assert fit.diagnostics.degenerate.tolist() == [replaced]
    varies = all(any(np.ptp(x[y == c, i]) > 0 for c in range(k)) for i in range(2))
    if varies or epsilon:  # else a shared variance is zero, too
        np.testing.assert_allclose(
            scores(fit, GRID), joint[:, 1:] - joint[:, :1], rtol=1e-9, atol=1e-9
        )


def test_which_sets_of_a_batch_needed_the_rule() -> None:
    """One row in a class; a feature that does not vary in one class, or in none; and neither."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(4, 8, 2)), np.tile(np.arange(8) % 2, (4, 1))
    y[0] = [0] * 7 + [1]
    x[1, y[1] == 0, 1] = 0.1
    x[2, :, 1] = 0.1
    for fitter in (NaiveBayes(**options(1, 0.0)), Hybrid(variance="per_class", ddof=1, epsilon=0)):
        fit = fitter.fit(Batch(x, y, (0,) * x.shape[2], 2, ("a", "b")), rng)
        assert fit.diagnostics.degenerate is not None
        assert fit.diagnostics.degenerate.tolist() == [True, True, True, False]
    fit = NaiveBayes(epsilon=0.0).fit(Batch(x, y, (0,) * x.shape[2], 2), rng)
    assert fit.diagnostics.degenerate is not None
    assert fit.diagnostics.degenerate.tolist() == [False, False, True, False]
    # An added epsilon leaves no variance at zero; a single row still has none of its own.
    fit = NaiveBayes(**options(1, 0.1)).fit(Batch(x, y, (0,) * x.shape[2], 2), rng)
    assert fit.diagnostics.degenerate is not None
    assert fit.diagnostics.degenerate.tolist() == [True, False, False, False]


@pytest.mark.parametrize("variance", ["shared", "per_class"])
@pytest.mark.parametrize("value", [0.0, 0.1, -1e6 / 3])
def test_a_constant_feature_has_no_part(variance: Any, value: float) -> None:
    """Neither in naive Bayes nor in a hybrid, with its rows left out in turn or not."""
    rng = np.random.default_rng(2)
    y = np.arange(30) % 2
    x = rng.normal(y[:, None], 1.0, (30, 2))
    with_constant = np.column_stack([x, np.full(30, value)])
    test = np.column_stack([GRID, rng.normal(size=30)])
    kind = {"variance": variance, "ddof": 1, "epsilon": 0.0}
    for one, other in (
        (NaiveBayes(**kind), NaiveBayes(**kind)),
        (Hybrid(**kind, blocks=((1,), (2, 3))), Hybrid(**kind, blocks=((1,), (2,)))),
        (
            Hybrid(**kind, blocks=((1,), (2, 3)), leave_one_out=True),
            Hybrid(**kind, blocks=((1,), (2,)), leave_one_out=True),
        ),
    ):
        beside, alone = fitted(one, with_constant, y), fitted(other, x, y)
        assert beside.diagnostics.degenerate is not None
        assert beside.diagnostics.degenerate.tolist() == [True]
        assert alone.diagnostics.degenerate is not None
        assert alone.diagnostics.degenerate.tolist() == [False]
        np.testing.assert_allclose(scores(beside, test), scores(alone, GRID), rtol=1e-8)


def test_a_feature_that_tells_the_classes_apart_by_itself() -> None:
    """Constant in each class, but not the same: naive Bayes decides by it, whatever the rest."""
    rng = np.random.default_rng(3)
    y = np.arange(12) % 3
    x = np.column_stack([rng.normal(size=12), 1.0 + y])
    test = np.column_stack([GRID[:, 0], rng.choice([0.9, 2.1, 3.2], 30)])
    expected = np.round(test[:, 1]).astype(int) - 1
    for variance in ("shared", "per_class"):
        fit = fitted(NaiveBayes(variance=variance, ddof=0, epsilon=0.0), x, y, (), 3)
        assert fit.diagnostics.degenerate is not None
        assert fit.diagnostics.degenerate.tolist() == [True]
        assert np.array_equal(predictions(fit, test), expected)
