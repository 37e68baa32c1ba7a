"""The fitted rules of logistic regression: maxima, least norm, and what stands in for them."""

from __future__ import annotations

import numpy as np
import pytest
from rules import pool_of
from scipy.special import expit
from sklearn.linear_model import LogisticRegression as Reference

from gdcurves import datasets, scoring, splits
from gdcurves.datasets import Kind
from gdcurves.fitters import Batch, Fit
from gdcurves.fitters.features import design
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.logistic.certificates import Outcome
from gdcurves.problems import problem


def fitted(x: np.ndarray, y: np.ndarray, levels: tuple[int, ...] = ()) -> Fit:
    return LogisticRegression().fit(Batch(x, y, levels, 2), np.random.default_rng(0))


def overlapping(levels: tuple[int, ...], m: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs (n, m, d) and labels with little to go by, so that most sets overlap."""
    rng = np.random.default_rng([m, n, *levels])
    if levels:
        x = np.stack([rng.integers(0, k, (n, m)) for k in levels], axis=2)
    else:
        x = rng.random((n, m, 3))
    return x, (rng.random((n, m)) < expit(2.0 * x[:, :, 0] - 1.0)).astype(int)


@pytest.mark.slow
@pytest.mark.parametrize(("levels", "m"), [((), 40), ((), 12), ((2, 3, 4), 40), ((2, 2), 15)])
def test_maximum_is_scikit_learns(levels: tuple[int, ...], m: int) -> None:
    """Log-odds to 1e-6, the precision of its solver."""
    x, y = overlapping(levels, m, 25)
    fit = fitted(x, y, levels)
    assert fit.diagnostics.outcome is not None
    overlap = np.flatnonzero(fit.diagnostics.outcome == Outcome.OVERLAP)
    assert len(overlap) > 8
    for b in overlap:
        features = design(x[b], levels)
        reference = Reference(C=np.inf, tol=1e-12, max_iter=10_000, solver="newton-cg")
        reference.fit(features[:, 1:], y[b])
        expected = reference.decision_function(features[:, 1:])
        np.testing.assert_allclose(
            features @ fit.rules.weights[0, b, 0], expected, rtol=1e-6, atol=1e-6
        )


@pytest.mark.parametrize(("levels", "m"), [((), 30), ((2, 3, 4), 40), ((3, 3), 20)])
def test_maximum_is_exact_and_of_least_norm(levels: tuple[int, ...], m: int) -> None:
    """The gradient vanishes; the weights are a combination of the training rows."""
    x, y = overlapping(levels, m, 50)
    fit = fitted(x, y, levels)
    assert fit.diagnostics.outcome is not None
    for b in np.flatnonzero(fit.diagnostics.outcome == Outcome.OVERLAP):
        features = design(x[b], levels)
        w = fit.rules.weights[0, b, 0]
        assert np.abs(features.T @ (y[b] - expit(features @ w))).max() < 1e-12 * m
        np.testing.assert_allclose(np.linalg.pinv(features) @ features @ w, w, atol=1e-9)


def test_a_redundant_column_changes_nothing() -> None:
    """A repeated feature shares its weight; a constant one (case 14) shares the intercept's."""
    x, y = overlapping((), 30, 20)
    constant = np.full((20, 30, 1), 0.1)
    plain = fitted(x, y)
    more = fitted(np.concatenate([x, x[:, :, :1], constant], axis=2), y)
    assert plain.diagnostics.outcome is not None
    assert np.array_equal(plain.diagnostics.outcome, more.diagnostics.outcome)
    overlap = plain.diagnostics.outcome == Outcome.OVERLAP
    assert overlap.sum() > 10
    before, after = plain.rules.weights[0, overlap, 0], more.rules.weights[0, overlap, 0]
    np.testing.assert_allclose(after[:, [1, 4]], before[:, [1, 1]] / 2, rtol=1e-8)
    np.testing.assert_allclose(after[:, 2:4], before[:, 2:], rtol=1e-8)
    np.testing.assert_allclose(after[:, 0] + 0.1 * after[:, 5], before[:, 0], rtol=1e-8)
    np.testing.assert_allclose(after[:, 5], 0.1 * after[:, 0], rtol=1e-8)


def test_exchanged_classes_change_the_sign() -> None:
    x, y = overlapping((2, 3, 4), 40, 30)
    one, other = fitted(x, y, (2, 3, 4)), fitted(x, 1 - y, (2, 3, 4))
    assert one.diagnostics.outcome is not None
    assert other.diagnostics.outcome is not None
    assert np.array_equal(one.diagnostics.outcome, other.diagnostics.outcome)
    overlap = one.diagnostics.outcome == Outcome.OVERLAP
    np.testing.assert_allclose(
        one.rules.weights[:, overlap], -other.rules.weights[:, overlap], rtol=1e-8, atol=1e-10
    )


def test_rows_on_the_hyperplane_are_told_apart_by_the_other_fit() -> None:
    """A level that only the second class has decides; without it, the rest of the rows do.

    Feature a: its level 1 occurs in class 1 alone. Feature b is seen with both classes: of its
    rows with a = 0, level 0 has classes 0, 0, 1 and level 1 has classes 0, 1, 1.
    """
    x = np.array([[0, 0], [0, 0], [0, 0], [0, 1], [0, 1], [0, 1], [1, 0], [1, 1]], dtype=np.int32)
    y = np.array([0, 0, 1, 0, 1, 1, 1, 1])
    fit = fitted(x[None], y[None], (2, 2))
    assert fit.diagnostics.outcome is not None
    assert fit.rules.direction is not None
    assert fit.diagnostics.outcome.tolist() == [Outcome.QUASI]
    features = design(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), (2, 2))
    leading = features @ fit.rules.direction[0, 0, 0]
    assert np.abs(leading[:2]).max() < scoring.TIE / 10
    assert leading[2:].min() > 1e-6
    np.testing.assert_allclose(
        features[:2] @ fit.rules.weights[0, 0, 0], np.log([1 / 2, 2]), rtol=1e-9
    )
    # Scored so: three rows of each kind outside training, of which a third is wrong where a = 0.
    rows = np.vstack([x, [[0, 0], [0, 0], [0, 0], [1, 0], [1, 1]]]).astype(np.int32)
    labels = np.array([*y, 0, 0, 1, 1, 0], dtype=np.int8)
    nowhere = problem.Provenance("", "file", "", "", 0, 0, 0, 0, (), None)
    made = problem.Problem("toy", "discrete", rows, labels, (2, 2), ("a", "b"), ("0", "1"), nowhere)
    scores = scoring.score(pool_of(made), fit, np.arange(8)[None])
    assert scores.values["errors"].tolist() == [2.0]
    assert scores.values["logloss"].tolist() == [np.inf]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "inputs", "sizes", "expected"),
    [
        ("diabetes", "continuous", [8, 23, 59], {Outcome.OVERLAP, Outcome.SEPARABLE}),
        ("breast-cancer", "discrete", [16, 86], {Outcome.QUASI, Outcome.SEPARABLE}),
    ],
)
def test_every_verdict_on_real_data_comes_with_its_proof(
    data: str, inputs: Kind, sizes: list[int], expected: set[Outcome]
) -> None:
    made = problem.build(data, datasets.load(data), inputs)
    seen = set()
    for rows in splits.training_sets(made.y, sizes, range(20), 0, data).values():
        x, y = made.x[rows], made.y[rows]
        fit = fitted(x, y, made.levels)
        assert fit.diagnostics.outcome is not None
        features, sign = design(x, made.levels), np.where(y == 1, 1.0, -1.0)
        for b, outcome in enumerate(fit.diagnostics.outcome):
            seen.add(Outcome(int(outcome)))
            w = fit.rules.weights[0, b, 0]
            residual = y[b] - expit(features[b] @ w)
            if outcome == Outcome.SEPARABLE:
                assert (sign[b] * (features[b] @ w) > 0).all()
                continue
            if outcome == Outcome.QUASI:
                assert fit.rules.direction is not None
                margin = sign[b] * (features[b] @ fit.rules.direction[0, b, 0])
                assert margin.min() > -scoring.TIE / 10
                assert margin.max() > 1e-6
                residual[margin > scoring.TIE] = 0.0
            assert np.abs(features[b].T @ residual).max() < 1e-9
    assert expected <= seen


@pytest.mark.slow
def test_newton_rule_is_where_newtons_method_goes() -> None:
    """Plain Newton steps on quasi-separable sets: their last one, of unit length."""
    x, y = overlapping((3, 3), 14, 200)
    batch = Batch(x, y, (3, 3), 2)
    fit = LogisticRegression(quasi_separable="newton").fit(batch, np.random.default_rng(0))
    assert fit.diagnostics.outcome is not None
    assert fit.rules.direction is not None
    assert fit.sampled is not None
    assert not fit.sampled[fit.diagnostics.outcome == Outcome.QUASI].any()
    quasi = np.flatnonzero(fit.diagnostics.outcome == Outcome.QUASI)
    assert len(quasi) > 20
    for b in quasi:
        features = design(x[b], (3, 3))
        w = np.zeros(features.shape[1])
        for _ in range(14):
            p = expit(features @ w)
            hessian = features.T @ (features * (p * (1 - p))[:, None])
            step = np.linalg.pinv(hessian, rcond=1e-13) @ (features.T @ (y[b] - p))
            w = w + step
        direction = fit.rules.direction[0, b, 0]
        cosine = direction @ step / np.linalg.norm(direction) / np.linalg.norm(step)
        assert cosine > 1 - 1e-4


def test_rules_half_way_are_of_the_sampled_sets_and_separate_too() -> None:
    x, y = overlapping((), 8, 60)
    fit = fitted(x, y)
    assert fit.diagnostics.outcome is not None
    assert fit.sampled is not None
    assert fit.halfway is not None
    assert np.array_equal(fit.sampled, fit.diagnostics.outcome != Outcome.OVERLAP)
    assert 10 < fit.sampled.sum() < 60
    sampled = np.flatnonzero(fit.sampled)
    assert fit.halfway.weights.shape[:2] == (1, len(sampled))
    for number, b in enumerate(sampled):
        if fit.diagnostics.outcome[b] == Outcome.SEPARABLE:
            w = fit.halfway.weights[0, number, 0]
            assert ((design(x[b], ()) @ w > 0) == (y[b] == 1)).all()
            assert not np.allclose(w, fit.rules.weights[0, b, 0])
