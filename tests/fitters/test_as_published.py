"""Logistic regression as the published curves seem to have it: Newton steps, codes that overlap."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import ValidationError

from gdcurves.fitters import Batch, Fit
from gdcurves.fitters.codings import overlapping
from gdcurves.fitters.features import Layout, design
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.logistic.certificates import Outcome


def fitted(x: np.ndarray, y: np.ndarray, levels: tuple[int, ...], **options: object) -> Fit:
    fitter = LogisticRegression.model_validate(options)
    return fitter.fit(Batch(x, y, levels, 2), np.random.default_rng(0))


def drawn(levels: tuple[int, ...], m: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs (n, m, d) and labels of both classes, with little to go by."""
    rng = np.random.default_rng([m, n, *levels])
    x = np.stack([rng.integers(0, k, (n, m)) if k else rng.random((n, m)) for k in levels], axis=2)
    y = rng.integers(0, 2, (n, m))
    y[:, :2] = 0, 1
    return x, y


def newton(features: np.ndarray, y: np.ndarray, n_steps: int) -> np.ndarray:
    """Steps of iteratively reweighted least squares, of least norm, with a pseudo-inverse."""
    w = np.zeros(features.shape[1])
    for _ in range(n_steps):
        p = 1 / (1 + np.exp(-features @ w))
        hessian = features.T @ (features * (p * (1 - p))[:, None])
        w = w + np.linalg.pinv(hessian, rcond=1e-12, hermitian=True) @ (features.T @ (y - p))
    return w


@pytest.mark.parametrize(("levels", "m"), [((0, 0, 0), 30), ((2, 3, 4), 40), ((0, 3, 2), 25)])
@pytest.mark.parametrize("n_steps", [1, 3, 8])
def test_newtons_iterate(levels: tuple[int, ...], m: int, n_steps: int) -> None:
    x, y = drawn(levels, m, 20)
    fit = fitted(x, y, levels, newton_steps=n_steps)
    overlap = np.flatnonzero(fit.diagnostics.outcome == Outcome.OVERLAP)
    assert len(overlap) > 10
    for b in overlap:
        expected = newton(design(x[b], levels), y[b], n_steps)
        np.testing.assert_allclose(fit.rules.weights[0, b, 0], expected, rtol=1e-6, atol=1e-6)


def test_many_steps_end_in_the_maximum() -> None:
    x, y = drawn((0, 0), 30, 20)
    exact, stopped = (fitted(x, y, (0, 0), **each) for each in ({}, {"newton_steps": 40}))
    assert (exact.diagnostics.outcome == Outcome.OVERLAP).all()
    np.testing.assert_allclose(stopped.rules.weights, exact.rules.weights, rtol=1e-8, atol=1e-8)


def test_separable_sets_are_drawn_as_ever() -> None:
    x = np.linspace(0, 1, 8)[None, :, None]
    y = (x[:, :, 0] > 0.4).astype(int)
    exact = fitted(x, y, (0,))
    for options in ({}, {"separable": "perceptron"}):
        other = fitted(x, y, (0,), newton_steps=8, **options)
        np.testing.assert_array_equal(other.rules.weights, exact.rules.weights)
        assert other.diagnostics.outcome == exact.diagnostics.outcome == Outcome.SEPARABLE


def test_what_a_perceptron_does_not_separate_in_time_keeps_its_iterate() -> None:
    """Two rows far closer to each other than to the origin: thousands of passes."""
    x, y = np.array([[[0.999], [1.0]]]), np.array([[0, 1]])
    few, many = (
        fitted(x, y, (0,), newton_steps=2, separable="perceptron", passes=each)
        for each in (200, 100_000)
    )
    assert few.diagnostics.outcome == Outcome.OVERLAP
    assert many.diagnostics.outcome == Outcome.SEPARABLE
    features = design(x[0], (0,))
    np.testing.assert_allclose(few.rules.weights[0, 0, 0], newton(features, y[0], 2), rtol=1e-4)


def test_a_quasi_separable_set_has_a_finite_rule() -> None:
    """Where the exact limit has an infinite part."""
    x = np.array([[[0], [0], [0], [1]]])
    y = np.array([[0, 1, 0, 1]])
    assert fitted(x, y, (2,)).rules.direction is not None
    fit = fitted(x, y, (2,), newton_steps=8)
    assert fit.rules.direction is None
    assert fit.diagnostics.outcome == Outcome.OVERLAP
    np.testing.assert_allclose(fit.rules.weights[0, 0, 0], newton(design(x[0], (2,)), y[0], 8))


def test_blocks_that_overlap() -> None:
    """Two levels, three, one, a number, two: columns of levels are 1 2, 2 3 4, 4, and 4 5."""
    matrix = overlapping(Layout.of((2, 3, 1, 0, 2)))
    assert matrix.argmax(axis=1).tolist() == [0, 1, 2, 2, 3, 4, 4, 6, 4, 5]
    assert (matrix.sum(axis=1) == 1).all()
    assert overlapping(Layout.of((0, 0))).tolist() == np.eye(3).tolist()


@pytest.mark.parametrize("levels", [(2, 3, 2), (3, 0, 2)])
def test_a_fit_on_overlapping_codes_is_one_on_those_columns(levels: tuple[int, ...]) -> None:
    x, y = drawn(levels, 40, 15)
    fit = fitted(x, y, levels, coding="overlapping")
    overlap = np.flatnonzero(fit.diagnostics.outcome == Outcome.OVERLAP)
    assert len(overlap) > 8
    columns = overlapping(Layout.of(levels))
    for b in overlap:
        expected = columns @ newton(design(x[b], levels) @ columns, y[b], 40)
        np.testing.assert_allclose(fit.rules.weights[0, b, 0], expected, rtol=1e-6, atol=1e-6)


def test_a_perceptron_needs_steps_for_the_rest() -> None:
    with pytest.raises(ValidationError, match="need 'newton_steps'; add it"):
        LogisticRegression(separable="perceptron")
