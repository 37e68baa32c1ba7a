"""Hybrids: naive Bayes and logistic regression inside them, and their likelihood for K classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rules import batch, fitted, scores, vectors
from scipy.special import log_softmax
from scipy.stats import norm

from gdcurves.fitters.hybrid import Hybrid
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.logistic.certificates import Outcome
from gdcurves.logistic.simplex import corners

MIXED = (0, 3, 0, 2)  # levels: two numbers and two codes
VARIANCES: list[dict[str, Any]] = [
    {"variance": "shared", "ddof": 0},
    {"variance": "per_class", "ddof": 1},
]


@st.composite
def mixed(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int]:
    """Rows of two numbers and two codes, of two to four classes with two rows or more each."""
    k = draw(st.integers(2, 4))
    number = st.integers(-9, 9)
    row = st.tuples(number, st.integers(0, 2), number, st.integers(0, 1))
    rows = draw(st.lists(row, min_size=2 * k, max_size=16))
    extra = st.integers(0, k - 1)
    y = [*range(k), *range(k)]
    y += draw(st.lists(extra, min_size=len(rows) - len(y), max_size=len(rows) - len(y)))
    return np.array(rows, dtype=float), np.array(y), k


def random_mixed(seed: int, k: int, n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Rows that overlap, as a rule, with classes that the features tell something of."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    numbers = rng.normal(y[:, None] / 2, 1.0, (n, 2))
    code = (rng.integers(0, 3, n) + (rng.random(n) < 0.3) * y) % 3
    bit = rng.random(n) < 0.3 + 0.4 * y / k
    return np.column_stack([numbers[:, 0], code, numbers[:, 1], bit]), y


def overlapping(fit: Any) -> bool:
    return bool(fit.diagnostics.outcome[0] == Outcome.OVERLAP)


@pytest.mark.slow
@settings(max_examples=60)
@given(mixed(), st.sampled_from(VARIANCES), st.sampled_from([0.0, 0.1]))
def test_naive_bayes_is_the_hybrid_with_exponents_of_one(
    rows: tuple[np.ndarray, np.ndarray, int], options: dict[str, Any], epsilon: float
) -> None:
    """Offsets are then the log prior ratios; theta reports these and the exponents."""
    x, y, k = rows
    options = options | {"epsilon": epsilon}
    # A shared variance of zero has an infinite part, which a hybrid leaves out.
    assume(epsilon or all(any(np.ptp(x[y == c, i]) for c in range(k)) for i in (0, 2)))
    goal = Hybrid(**options, blocks=((1, 4), ("x3", 2))).likelihood(batch(x, y, MIXED, k))
    log_prior = np.log(np.bincount(y, minlength=k) / len(y))
    corner = corners(k)
    offsets = np.linalg.solve(corner[1:] - corner[0], log_prior[1:] - log_prior[0])
    v = np.concatenate([offsets, [1.0, 1.0]])
    expected = fitted(NaiveBayes(**options, prior="empirical"), x, y, MIXED, k)
    assert expected.rules.direction is None
    assert expected.rules.feature_map == goal.feature_map
    weights = goal.to_rules(v[None, None])[0, 0]
    size = np.abs(expected.rules.weights).max()
    np.testing.assert_allclose(weights, expected.rules.weights[0, 0], rtol=1e-12, atol=1e-12 * size)
    assert goal.to_theta is not None
    theta = [*(log_prior[:-1] - log_prior[-1]), 1.0, 1.0]
    np.testing.assert_allclose(goal.to_theta(v[None])[0], theta, atol=1e-12)


def log_densities(x: np.ndarray, y: np.ndarray, k: int, own: bool) -> np.ndarray:
    """Of the mixed rows, each input in each class, shape (n, K, 4): by the definitions."""
    log_p = np.zeros((len(x), k, 4))
    for i in (0, 2):
        residual = x[:, i] - np.array([x[y == c, i].mean() for c in range(k)])[y]
        for c in range(k):
            deviation = x[y == c, i].std(ddof=1) if own else np.sqrt(np.mean(residual**2))
            log_p[:, c, i] = norm.logpdf(x[:, i], x[y == c, i].mean(), deviation)
    for i in (1, 3):
        for c in range(k):
            counts = np.bincount(x[y == c, i].astype(int), minlength=MIXED[i]) + 1.0
            log_p[:, c, i] = np.log(counts / counts.sum())[x[:, i].astype(int)]
    return log_p


@pytest.mark.slow
@pytest.mark.parametrize("options", VARIANCES)
@pytest.mark.parametrize("k", [2, 3, 4])
def test_theta_maximises_the_conditional_likelihood(k: int, options: dict[str, Any]) -> None:
    """Fujino et al.: exp(mu_y) prod_r p(x^r | y)^lambda_r, one mu at zero; scores of the rules."""
    n_overlapping = 0
    for seed in range(8):
        x, y = random_mixed(seed, k)
        fit = fitted(Hybrid(**options, epsilon=0.0, blocks=((1, 2), (3,), (4,))), x, y, MIXED, k)
        if not overlapping(fit):
            continue
        n_overlapping += 1
        assert fit.diagnostics.theta is not None
        mu, exponents = (
            np.append(fit.diagnostics.theta[0, : k - 1], 0.0),
            fit.diagnostics.theta[0, k - 1 :],
        )
        log_p = log_densities(x, y, k, options["variance"] == "per_class")
        by_block = np.stack([log_p[..., :2].sum(axis=2), log_p[..., 2], log_p[..., 3]], axis=2)
        joint = mu + by_block @ exponents
        np.testing.assert_allclose(scores(fit, x, MIXED), joint[:, 1:] - joint[:, :1], atol=1e-9)
        residual = np.eye(k)[y] - np.exp(log_softmax(joint, axis=1))
        gradient = [*residual.sum(axis=0), *np.einsum("nk,nkr->r", residual, by_block)]
        np.testing.assert_allclose(gradient, 0.0, atol=1e-8)
    assert n_overlapping >= 6


@pytest.mark.parametrize("seed", range(5))
def test_one_block_for_each_input_is_logistic_regression(seed: int) -> None:
    """With shared variances and two levels, a log ratio is an affine function of its input."""
    x, y = random_mixed(seed, 2)
    x = x[:, [0, 2, 3]]
    levels = (0, 0, 2)
    hybrid = fitted(Hybrid(epsilon=0.0, blocks=((1,), (2,), (3,))), x, y, levels)
    logistic = fitted(LogisticRegression(), x, y, levels)
    assert overlapping(hybrid)
    assert overlapping(logistic)
    np.testing.assert_allclose(scores(hybrid, x, levels), scores(logistic, x, levels), atol=1e-8)


@pytest.mark.slow
@settings(max_examples=40)
@given(mixed(), st.sampled_from(VARIANCES), st.booleans())
def test_normalised_only_rescales_theta(
    rows: tuple[np.ndarray, np.ndarray, int], options: dict[str, Any], leave_one_out: bool
) -> None:
    """For overlapping, separable and quasi-separable training sets alike."""
    x, y, k = rows
    plain, scaled = (
        fitted(
            Hybrid(**options, leave_one_out=leave_one_out, blocks=((2,), (1, 3, 4)), normalised=n),
            *(x, y, MIXED, k),
        )
        for n in (False, True)
    )
    assert np.array_equal(plain.rules.weights, scaled.rules.weights)
    assert (plain.rules.direction is None) == (scaled.rules.direction is None)
    if plain.rules.direction is not None:
        assert np.array_equal(plain.rules.direction, scaled.rules.direction)
    assert plain.diagnostics.theta is not None
    assert np.array_equal(
        plain.diagnostics.theta * [*[1.0] * (k - 1), 1.0, 3.0], scaled.diagnostics.theta
    )


@pytest.mark.parametrize("options", VARIANCES)
@pytest.mark.parametrize("leave_one_out", [False, True])
def test_order_of_inputs_blocks_and_classes_does_not_matter(
    options: dict[str, Any], leave_one_out: bool
) -> None:
    options = options | {"leave_one_out": leave_one_out, "epsilon": 0.0}
    x, y = random_mixed(1, 3)
    plain = fitted(Hybrid(**options, blocks=((1, 2), (3, 4))), x, y, MIXED, 3)
    named = fitted(Hybrid(**options, blocks=(("x1", 2), ("x3", "x4"))), x, y, MIXED, 3)
    halves = fitted(Hybrid(**options), x, y, MIXED, 3)
    assert overlapping(plain)
    for same in (named, halves):
        assert np.array_equal(plain.rules.weights, same.rules.weights)
    order = [2, 0, 3, 1]  # inputs; blocks exchanged: x3, x4 come first
    levels = tuple(MIXED[i] for i in order)
    called = np.array([2, 0, 1])  # class k is called called[k]
    fitter = Hybrid(**options, blocks=((1, 3), (4, 2)))
    moved = fitted(fitter, x[:, order], called[y], levels, 3)
    before = np.pad(scores(plain, x, MIXED), ((0, 0), (1, 0)))
    after = np.pad(scores(moved, x[:, order], levels), ((0, 0), (1, 0)))[:, called]
    np.testing.assert_allclose(after - after[:, :1], before, atol=1e-8)
    assert plain.diagnostics.theta is not None
    assert moved.diagnostics.theta is not None
    np.testing.assert_allclose(
        moved.diagnostics.theta[0, [3, 2]], plain.diagnostics.theta[0, 2:], rtol=1e-9
    )


@pytest.mark.parametrize("k", [2, 3])
def test_theta_is_infinite_where_the_ratios_separate(k: int) -> None:
    """Classes far apart; only the sign of an exponent that grows is known."""
    x, y = random_mixed(0, k)
    x[:, 0] += 100.0 * y
    fit = fitted(Hybrid(), x, y, MIXED, k)
    assert fit.diagnostics.outcome is not None
    assert fit.diagnostics.outcome.tolist() == [Outcome.SEPARABLE]
    assert fit.diagnostics.theta is not None
    assert np.isinf(fit.diagnostics.theta).all()
    assert fit.diagnostics.theta[0, k - 1] == np.inf  # of the block that has the first input
    joint = np.pad(vectors(fit, x, MIXED) @ fit.rules.weights[0, 0].T, ((0, 0), (1, 0)))
    assert np.array_equal(joint.argmax(axis=1), y)


def test_theta_of_a_quasi_separable_set_is_infinite_in_the_direction_only() -> None:
    """Rows of both classes at x1 = 0, others on their sides; x2 is balanced there and beyond."""
    x = np.array([[-1, 0], [-2, 1], [0, 0], [0, 1], [0, 0], [0, 1], [1, 1], [2, 0]], dtype=float)
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    fit = fitted(Hybrid(variance="shared", epsilon=0.0, blocks=((1,), (2,))), x, y)
    assert fit.diagnostics.outcome is not None
    assert fit.diagnostics.outcome.tolist() == [Outcome.QUASI]
    assert fit.diagnostics.theta is not None
    assert fit.diagnostics.theta[0, 1] == np.inf
    assert np.isfinite(fit.diagnostics.theta[0, [0, 2]]).all()
    assert fit.diagnostics.theta[0, 0] == pytest.approx(0.0, abs=1e-9)
