"""Ratios without the own row: downdates against a fit without each row, and what is left out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules import batch, fitted

from gdcurves.fitters.densities import Densities, Terms
from gdcurves.fitters.features import design
from gdcurves.fitters.generative import Statistics
from gdcurves.fitters.hybrid import Hybrid
from gdcurves.fitters.naive_bayes import NaiveBayes

MIXED = (0, 3, 0, 2)  # levels: two numbers and two codes
KINDS: list[dict[str, Any]] = [
    {"variance": "shared", "ddof": 0},
    {"variance": "shared", "ddof": 1},
    {"variance": "per_class", "ddof": 0},
    {"variance": "per_class", "ddof": 1},
    {"variance": "per_class", "ddof": 2},
]


@st.composite
def mixed(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int]:
    """Rows of two numbers and two codes; a class may have one row alone."""
    k = draw(st.integers(2, 3))
    number = st.integers(-9, 9)
    row = st.tuples(number, st.integers(0, 2), number, st.integers(0, 1))
    rows = draw(st.lists(row, min_size=k + 1, max_size=12))
    n_more = len(rows) - k
    y = [*range(k), *draw(st.lists(st.integers(0, k - 1), min_size=n_more, max_size=n_more))]
    return np.array(rows, dtype=float), np.array(y), k


def by_input(terms: Terms, row: np.ndarray) -> np.ndarray:
    """Log density ratios (K - 1, d) of one row, input by input."""
    features = design(row, MIXED)
    origin = np.zeros(len(terms.layout.continuous))
    features = terms.feature_map.vectors(features, terms.layout, origin)
    parts = terms.slopes[0] * features[1:]
    inputs = range(len(row))
    sums = np.stack([parts[:, terms.owner == i].sum(axis=1) for i in inputs], axis=1)
    log_ratios: np.ndarray = terms.intercepts[0] + sums
    return log_ratios


def refitted(
    fitter: Densities, x: np.ndarray, y: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """Ratios (m, K - 1, d) of each row under a fit without it, and whether there is one, (m,)."""
    least = fitter.ddof if fitter.variance == "per_class" else 0
    ratios, enough = np.zeros((len(y), k - 1, x.shape[1])), np.zeros(len(y), dtype=bool)
    for i in range(len(y)):
        kept = np.arange(len(y)) != i
        enough[i] = (y[kept] == y[i]).sum() > least
        if enough[i]:
            others = Statistics.of(batch(x[kept], y[kept], MIXED, k))
            ratios[i] = by_input(fitter.terms(others, np.zeros(2)), x[i])
    return ratios, enough


@pytest.mark.slow
@settings(max_examples=150)
@given(mixed(), st.sampled_from(KINDS), st.sampled_from([0.0, 0.25]), st.sampled_from([1.0, 0.5]))
def test_downdates_are_refits(
    rows: tuple[np.ndarray, np.ndarray, int],
    kind: dict[str, Any],
    epsilon: float,
    laplace: float,
) -> None:
    """Variances of zero and classes of one row included."""
    x, y, k = rows
    fitter = NaiveBayes(**kind, epsilon=epsilon, laplace=laplace)
    one = batch(x, y, MIXED, k)
    ratios, enough = fitter.ratios_without_own_row(one, Statistics.of(one))
    expected, possible = refitted(fitter, x, y, k)
    assert np.array_equal(enough[0], possible)
    np.testing.assert_allclose(ratios[0][possible], expected[possible], rtol=1e-9, atol=1e-9)
    assert np.isfinite(ratios).all()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_downdates_of_many_sets_far_from_the_origin(kind: dict[str, Any], shift: float) -> None:
    """A batch; deviations are a millionth of the numbers, and squares lose as much."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(5, 20, 4))
    x[:, :, 1], x[:, :, 3] = rng.integers(0, 3, (5, 20)), rng.integers(0, 2, (5, 20))
    y = np.array([rng.permutation(np.arange(20) % 3) for _ in range(5)])
    fitter = NaiveBayes(**kind, epsilon=0.0)
    there = x + shift * np.array([1.0, 0.0, 1.0, 0.0])
    many = batch(there[0], y[0], MIXED, 3)
    many = type(many)(there, y, MIXED, 3, many.input_names)
    ratios, enough = fitter.ratios_without_own_row(many, Statistics.of(many))
    assert enough.all()
    for b in range(5):
        expected, _ = refitted(fitter, x[b], y[b], 3)
        np.testing.assert_allclose(ratios[b], expected, rtol=1e-7, atol=1e-7 if shift else 1e-11)


@pytest.mark.parametrize(
    ("kind", "left_out"),
    # Classes of 6, 4, 2 and 1 rows; a class that a row leaves must keep more than ddof of them.
    [(KINDS[0], 1), (KINDS[1], 1), (KINDS[2], 1), (KINDS[3], 3), (KINDS[4], 3)],
)
def test_rows_of_small_classes_are_left_out_and_counted(
    kind: dict[str, Any], left_out: int
) -> None:
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1, 2, 3], [6, 4, 2, 1])
    x = rng.normal(size=(13, 4))
    x[:, 1], x[:, 3] = rng.integers(0, 3, 13), rng.integers(0, 2, 13)
    fit = fitted(Hybrid(**kind, leave_one_out=True), x, y, MIXED, 4)
    assert fit.diagnostics.left_out is not None
    assert fit.diagnostics.left_out.tolist() == [left_out]
    whole = fitted(Hybrid(**kind), x, y, MIXED, 4)
    assert whole.diagnostics.left_out is None


def test_a_row_that_is_left_out_has_no_part_in_theta() -> None:
    """The single row of a class is null in the likelihood, and counts nowhere."""
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1, 2], [15, 1, 15])
    x = rng.normal(y[:, None] / 3, 1.0, (31, 3))
    hybrid = Hybrid(variance="per_class", ddof=1, leave_one_out=True)
    goal = hybrid.likelihood(batch(x, y, (), 3))
    assert goal.multiplicity is not None
    assert np.array_equal(goal.multiplicity.reshape(31, 2), np.repeat(y[:, None] != 1, 2, axis=1))
    assert not goal.rows.reshape(31, 2, -1)[15].any()
    assert goal.rows.reshape(31, 2, -1)[y != 1].any(axis=2).all()
    assert goal.diagnostics.left_out is not None
    assert goal.diagnostics.left_out.tolist() == [1]


def test_too_few_rows_to_leave_any_out() -> None:
    """One row of each class, or one and many: theta's fit takes all rows, and this is counted."""
    rng = np.random.default_rng(2)
    for y in ([0, 1], [0, 0, 0, 0, 1]):
        x = rng.normal(size=(len(y), 2))
        apart = fitted(Hybrid(leave_one_out=True), x, np.array(y))
        whole = fitted(Hybrid(), x, np.array(y))
        assert apart.diagnostics.degenerate is not None
        assert apart.diagnostics.degenerate.tolist() == [True]
        assert apart.diagnostics.left_out is not None
        assert apart.diagnostics.left_out.tolist() == [0]
        assert np.array_equal(apart.rules.weights, whole.rules.weights)
