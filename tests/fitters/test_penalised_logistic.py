"""Logistic regression with a penalty, against reference values, scikit-learn and its gradient."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError
from rules import batch, fitted
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from gdcurves.fitters import Batch
from gdcurves.fitters.penalised_logistic import PenalisedLogistic

pytestmark = pytest.mark.usefixtures("one_thread")


def made(
    n: int, d: int, k: int, seed: int = 0, apart: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    x = rng.normal(size=(n, d)) * rng.uniform(0.5, 3, d) + rng.normal(size=d)
    x[:, : min(d, k)] += apart * np.eye(k)[y][:, : min(d, k)]
    return x, y


def theirs(x: np.ndarray, y: np.ndarray, strength: float) -> np.ndarray:
    """Weights against the first class (K - 1, 1 + d) of scikit-learn for columns as given."""
    few = x.shape[1] < 100
    model = LogisticRegression(
        C=1 / strength,
        tol=1e-9 if few else 1e-10,
        solver="newton-cholesky" if few else "newton-cg",
        max_iter=2000,
    )
    model.fit(x, y)
    weights = np.column_stack([model.intercept_, model.coef_])
    return weights if len(weights) == 1 else weights[1:] - weights[0]


def gradient(
    x: np.ndarray, y: np.ndarray, k: int, weights: np.ndarray, strength: float
) -> np.ndarray:
    """Of the objective by all K classes' weights that sum to zero, from those against the first."""
    every = np.concatenate([np.zeros((1, weights.shape[1])), weights])
    every -= every.mean(axis=0)
    ones = np.column_stack([np.ones(len(x)), x])
    scores = ones @ every.T
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    penalty = strength * every
    penalty[:, 0] = 0.0
    # For two classes the penalty is on the one difference: twice as strong in these coordinates.
    return (p - np.eye(k)[y]).T @ ones + penalty * (2 if k == 2 else 1)


def test_reference_values(shared: Path) -> None:
    checked = 0
    for case in json.loads((shared / "reference/theory/penalised.json").read_text()):
        x, y = np.array(case["x"], float), np.array(case["y"])
        for fit in case["fits"]:
            if fit["penalty"] != "l2":
                continue
            ours = fitted(PenalisedLogistic(strength=fit["strength"], standardise=False), x, y)
            expected = [fit["intercept"], *fit["weights"]]
            assert ours.rules.weights[0, 0, 0] == pytest.approx(expected, abs=1e-6, rel=1e-6)
            checked += 1
    assert checked >= 9


@pytest.mark.slow
@pytest.mark.parametrize("standardise", [False, True])
@pytest.mark.parametrize("strength", [1e-3, 1.0, 50.0])
@pytest.mark.parametrize("k", [2, 3, 4])
def test_scikit_learn(k: int, strength: float, standardise: bool) -> None:
    for n, d in ((60, 4), (24, 40)):
        x, y = made(n, d, k)
        fit = fitted(PenalisedLogistic(strength=strength, standardise=standardise), x, y, k=k)
        (ours,) = fit.rules.weights[0]
        scaler = StandardScaler(with_mean=standardise, with_std=standardise).fit(x)
        z = scaler.transform(x)
        expected = theirs(z, y, strength)
        inputs = np.column_stack([np.ones(n), x])
        assert inputs @ ours.T == pytest.approx(
            np.column_stack([np.ones(n), z]) @ expected.T, abs=2e-4
        )
        scale = scaler.scale_ if standardise else np.ones(d)
        mean = scaler.mean_ if standardise else np.zeros(d)
        standard = ours[:, 1:] * scale
        intercepts = ours[:, 0] + ours[:, 1:] @ mean
        slope = gradient(z, y, k, np.column_stack([intercepts, standard]), strength)
        assert np.abs(slope).max() < 1e-8


def test_a_constant_column_has_no_weight() -> None:
    x, y = made(30, 3, 2)
    with_one = np.insert(x, 1, 1 / 3, axis=1)
    for standardise in (False, True):
        fitter = PenalisedLogistic(standardise=standardise)
        ours, same = (fitted(fitter, each, y).rules.weights[0, 0, 0] for each in (with_one, x))
        assert ours[2] == 0.0
        assert np.delete(ours, 2) == pytest.approx(same, rel=1e-9)


def test_discrete_inputs_are_one_hot_and_not_standardised() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(80) % 3
    codes = np.column_stack([(y + rng.integers(0, 2, 80)) % 3, rng.integers(0, 4, 80)])
    number = rng.normal(size=80) * 5 + y
    x = np.column_stack([codes, number])
    fit = fitted(PenalisedLogistic(strength=0.5), x, y, (3, 4, 0), 3)
    one_hot = OneHotEncoder(categories=[range(3), range(4)], sparse_output=False)
    z = np.column_stack([one_hot.fit_transform(codes), (number - number.mean()) / number.std()])
    expected = theirs(z, y, 0.5)
    expected[:, -1] /= number.std()
    expected[:, 0] -= expected[:, -1] * number.mean()
    assert fit.rules.weights[0, 0] == pytest.approx(expected, abs=1e-5)


def test_a_batch_is_its_sets_one_by_one() -> None:
    """Absent classes and separable sets among them; problems leave the batch at their own time."""
    rng = np.random.default_rng(1)
    x, y = made(200, 5, 3, apart=3.0)
    rows = np.array([rng.permutation(200)[:20] for _ in range(12)])
    rows[3] = np.flatnonzero(y != 1)[:20]
    rows[7] = np.flatnonzero(y != 0)[:20]
    fitter = PenalisedLogistic(strength=1e-4)
    together = fitter.fit(Batch(x[rows], y[rows], (0,) * 5, 3), rng).rules
    for b, training in enumerate(rows):
        alone = fitter.fit(batch(x[training], y[training], k=3), rng).rules
        assert together.weights[:, b] == pytest.approx(alone.weights[:, 0], rel=1e-7, abs=1e-9)
    assert together.direction is not None
    assert np.flatnonzero(together.direction.any(axis=(0, 2, 3))).tolist() == [3, 7]
    two = fitted(fitter, x[rows[3]], np.where(y[rows[3]] == 2, 1, 0)).rules.weights[0, 0, 0]
    assert together.weights[0, 3, 1] == pytest.approx(two, rel=1e-9)


def test_many_more_columns_than_rows() -> None:
    x, y = made(40, 3000, 3)
    fit = fitted(PenalisedLogistic(), x, y, k=3)
    z = StandardScaler().fit_transform(x)
    expected = np.column_stack([np.ones(40), z]) @ theirs(z, y, 1.0).T
    (weights,) = fit.rules.weights[0]
    assert np.column_stack([np.ones(40), x]) @ weights.T == pytest.approx(expected, abs=1e-6)
    intercepts = weights[:, 0] + weights[:, 1:] @ x.mean(axis=0)
    standard = np.column_stack([intercepts, weights[:, 1:] * x.std(axis=0)])
    assert np.abs(gradient(z, y, 3, standard, 1.0)).max() < 1e-8


def test_strength_and_penalty_are_checked() -> None:
    for wrong in (0, -1, float("inf"), float("nan"), "much"):
        with pytest.raises(ValidationError):
            PenalisedLogistic.model_validate({"strength": wrong})
    with pytest.raises(ValidationError):
        PenalisedLogistic.model_validate({"penalty": "l3"})
