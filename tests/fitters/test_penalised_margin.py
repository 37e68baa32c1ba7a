"""The largest margin against reference values, support vector machines and its own optimality."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError
from rules import fitted
from scipy.optimize import nnls
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from gdcurves.fitters import Batch
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.fitters.penalised_logistic import PenalisedLogistic
from gdcurves.logistic.certificates import Outcome
from gdcurves.scoring import score
from gdcurves.scoring.measures import chosen
from gdcurves.scoring.pool import collect

MARGIN = PenalisedLogistic(penalty="margin", standardise=False)

pytestmark = pytest.mark.usefixtures("one_thread")


def made(n: int, d: int, k: int, apart: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % k)
    x = rng.normal(size=(n, d)) + 3.0
    x[:, : min(d, k)] += apart * np.eye(k)[y][:, : min(d, k)]
    return x, y


def test_reference_values(shared: Path) -> None:
    checked = 0
    for case in json.loads((shared / "reference/theory/penalised.json").read_text()):
        expected = case.get("hard_margin")
        if expected is None:
            continue
        fit = fitted(MARGIN, np.array(case["x"], float), np.array(case["y"]))
        weights = fit.rules.weights[0, 0, 0]
        assert weights == pytest.approx([expected["intercept"], *expected["weights"]], abs=1e-6)
        assert 1.0 / np.linalg.norm(weights[1:]) == pytest.approx(expected["margin"], abs=1e-6)
        checked += 1
    assert checked == 2


@pytest.mark.parametrize("standardise", [False, True])
@pytest.mark.parametrize(("n", "d", "apart"), [(30, 2, 9.0), (12, 40, 0.5), (200, 8, 9.0)])
def test_support_vector_machines(n: int, d: int, apart: float, standardise: bool) -> None:
    x, y = made(n, d, 2, apart)
    fitter = PenalisedLogistic(penalty="margin", standardise=standardise)
    fit = fitted(fitter, x, y)
    z = StandardScaler().fit_transform(x) if standardise else x
    machine = SVC(kernel="linear", C=1e7, tol=1e-8).fit(z, y)
    ours = np.column_stack([np.ones(n), x]) @ fit.rules.weights[0, 0, 0]
    assert ours == pytest.approx(machine.decision_function(z), abs=1e-5)
    assert fit.diagnostics.outcome is not None
    assert fit.diagnostics.outcome.tolist() == [Outcome.SEPARABLE]


@pytest.mark.parametrize(("n", "d", "apart"), [(20, 2, 12.0), (15, 30, 0.5), (90, 6, 9.0)])
def test_three_classes_are_optimal(n: int, d: int, apart: float) -> None:
    """Margins are 1 at least, and forces at the rows where they are 1 balance the weights."""
    x, y = made(n, d, 3, apart)
    against = fitted(MARGIN, x, y, k=3).rules.weights[0, 0]
    every = np.concatenate([np.zeros((1, 1 + d)), against])
    every -= every.mean(axis=0)
    scores = np.column_stack([np.ones(n), x]) @ every.T
    margins = scores[np.arange(n), y][:, None] - scores
    margins[np.arange(n), y] = np.inf
    assert margins.min() == pytest.approx(1.0, abs=1e-8)
    row, other = np.nonzero(margins < 1.0 + 1e-6)
    edges = np.eye(3)[y[row]] - np.eye(3)[other]
    signed = np.einsum("sk,sq->skq", edges, np.column_stack([np.ones(len(row)), x[row]]))
    weights = every.copy()
    weights[:, 0] = 0.0
    _, left = nnls(signed.reshape(len(row), -1).T, weights.ravel())
    assert left < 1e-6 * np.linalg.norm(weights)


def test_weak_penalties_tend_to_it() -> None:
    x, y = made(24, 4, 3, 9.0)
    margin = fitted(MARGIN, x, y, k=3).rules.weights[0, 0]
    apart = []
    for strength in (1e-2, 1e-4, 1e-8, 1e-16):
        fitter = PenalisedLogistic(strength=strength, standardise=False)
        weights = fitted(fitter, x, y, k=3).rules.weights[0, 0]
        unit = weights / np.linalg.norm(weights[:, 1:])
        apart.append(np.abs(unit - margin / np.linalg.norm(margin[:, 1:])).max())
    assert np.all(np.diff(apart) < 0)
    # They tend to it as one over the logarithm of the strength.
    assert apart[3] == pytest.approx(apart[2] / 2, rel=0.2)


def test_sets_that_are_not_separable_are_those_of_maximum_likelihood() -> None:
    """Quasi-separable ones too, and sets without a class, in one batch with separable ones."""
    x, y = made(60, 3, 3, 0.5, seed=1)
    quasi = x.copy()
    quasi[:, 0] = y == 0
    wide = x + 40.0 * np.eye(3)[y]
    batch = Batch(np.stack([x, quasi, wide, wide]), np.stack([y, y, y, y % 2]), (0,) * 3, 3)
    ours, theirs = (
        each.fit(batch, np.random.default_rng(0)) for each in (MARGIN, LogisticRegression())
    )
    kinds = [Outcome.OVERLAP, Outcome.QUASI, Outcome.SEPARABLE]
    assert ours.diagnostics.outcome is not None
    assert theirs.diagnostics.outcome is not None
    assert ours.diagnostics.outcome[:3].tolist() == kinds
    assert np.array_equal(ours.diagnostics.outcome, theirs.diagnostics.outcome)
    assert np.array_equal(ours.rules.weights[0, 0], theirs.rules.weights[0, 0])
    assert ours.rules.weights[0, 1] == pytest.approx(theirs.rules.weights[0, 1], abs=1e-9)
    assert ours.sampled is not None
    assert ours.sampled.tolist()[:3] == [False, True, False]
    alone = fitted(MARGIN, wide, y, k=3).rules.weights[0, 0]
    assert ours.rules.weights[0, 2] == pytest.approx(alone, rel=1e-7, abs=1e-9)


@pytest.mark.slow
def test_discrete_inputs_and_a_constant_one() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(30) % 2
    x = np.column_stack([y + rng.integers(0, 2, 30) * 2, np.full(30, 0.3), rng.normal(size=30)])
    fit = fitted(PenalisedLogistic(penalty="margin"), x, y, (4, 0, 0))
    (weights,) = fit.rules.weights[0, 0]
    assert weights[5] == 0.0
    z = np.column_stack([np.eye(4)[x[:, 0].astype(int)], StandardScaler().fit_transform(x[:, 2:])])
    machine = SVC(kernel="linear", C=1e3, tol=1e-7).fit(z, y)
    assert weights[1:5] == pytest.approx(machine.coef_[0, :4], abs=1e-5)


def test_a_margin_has_no_strength() -> None:
    for strength in (1.0, "cv"):
        with pytest.raises(ValidationError, match="leave this out"):
            PenalisedLogistic.model_validate({"penalty": "margin", "strength": strength})
    with pytest.raises(ValidationError, match="positive number, or cv"):
        PenalisedLogistic.model_validate({"strength": None})
    for fitter in (MARGIN, PenalisedLogistic()):
        assert PenalisedLogistic.model_validate(fitter.model_dump()) == fitter


def test_log_loss_is_infinite_and_probabilities_are_0_and_1() -> None:
    x, y = made(200, 2, 2, 3.5)
    pool = collect(x, y, (0, 0), 2)
    training = np.stack([np.r_[np.flatnonzero(y == 0)[:10], np.flatnonzero(y == 1)[:10]]])
    fit = MARGIN.fit(Batch(x[training], y[training], (0, 0), 2), np.random.default_rng(0))
    values = score(pool, fit, training, chosen(["error", "logloss", "brier"])).values
    machine = SVC(kernel="linear", C=1e7).fit(x[training[0]], y[training[0]])
    test = np.setdiff1d(np.arange(200), training)
    wrong = (machine.predict(x[test]) != y[test]).sum()
    assert values["errors"].tolist() == [wrong]
    assert wrong > 0
    assert values["logloss"].tolist() == [np.inf]
    assert values["brier"] == pytest.approx([wrong / len(test)])


def test_classes_that_are_all_but_touching() -> None:
    """The margin asked for is that of a first pair of rows; the others are farther away."""
    rng = np.random.default_rng(1)
    normal = np.array([0.6, 0.8])
    for gap in (1e-2, 1e-4, 1e-6):
        x = rng.normal(size=(40, 2))
        side = np.sign(x @ normal)
        x += side[:, None] * normal
        x[0], x[1] = gap * normal, -gap * normal
        y = (x @ normal > 0).astype(int)
        weights = fitted(MARGIN, x, y).rules.weights[0, 0, 0]
        assert 1.0 / np.linalg.norm(weights[1:]) == pytest.approx(gap, rel=5e-3)
        assert ((np.column_stack([np.ones(40), x]) @ weights > 0) == y).all()
