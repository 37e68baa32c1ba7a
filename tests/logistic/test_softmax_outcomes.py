"""Overlap, separable, quasi-separable for three classes and more: against linear programs.

The programs are in the K weight vectors themselves: a matrix W of K x q numbers, with the margins
<w_y - w_k, x> of each training row over each other class k.
"""

from __future__ import annotations

import numpy as np
import pytest
from rules import fitted, predictions
from scipy.optimize import linprog
from scipy.special import expit, softmax

from gdcurves import splits
from gdcurves.fitters import Batch, Fit
from gdcurves.fitters.features import design
from gdcurves.fitters.hybrid import Hybrid
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.logistic.certificates import Outcome
from gdcurves.logistic.limit import decide
from gdcurves.simulators import NAMED


def margins_of(features: np.ndarray, y: np.ndarray, k: int) -> np.ndarray:
    """Coefficients of the margins in the entries of W, shape (m (K - 1), K q)."""
    rows = []
    for row, own in zip(features, y, strict=True):
        for other in range(k):
            if other != own:
                coefficients = np.zeros((k, len(row)))
                coefficients[own], coefficients[other] = row, -row
                rows.append(coefficients.ravel())
    return np.array(rows)


def programmed_part(margins: np.ndarray) -> np.ndarray:
    """Margins that some W makes positive while it makes none negative, shape (m (K - 1),).

    Maximises sum_i s_i, margin_i >= s_i, 0 <= s_i <= 1: all that can be are 1 at once.
    """
    n_rows, n_weights = margins.shape
    for method in ("highs-ds", "highs-ipm"):  # the simplex method gives up on a few tiny problems
        solution = linprog(
            np.r_[np.zeros(n_weights), -np.ones(n_rows)],
            A_ub=np.hstack([-margins, np.eye(n_rows)]),
            b_ub=np.zeros(n_rows),
            bounds=[(None, None)] * n_weights + [(0, 1)] * n_rows,
            method=method,
        )
        if solution.status == 0:
            part: np.ndarray = solution.x[n_weights:] > 0.5
            assert np.abs(solution.x[n_weights:] - part).max() < 1e-6
            return part
    raise AssertionError("no linear program method solved it")


def expected_outcome(part: np.ndarray) -> Outcome:
    if part.all():
        return Outcome.SEPARABLE
    return Outcome.QUASI if part.any() else Outcome.OVERLAP


def grid_sets(
    seed: int, n_sets: int, m: int, levels: tuple[int, ...], k: int
) -> tuple[np.ndarray, np.ndarray]:
    """Training sets of small whole numbers, with classes that follow the first one more or less."""
    rng = np.random.default_rng([seed, m, k, *levels])
    x = np.stack([rng.integers(0, n, (n_sets, m)) for n in levels], axis=2)
    noise = rng.choice([0.1, 0.5, 3.0], (n_sets, 1)) * rng.normal(size=(n_sets, m))
    y = np.clip(np.round(x[:, :, 0] * (k - 1) / (levels[0] - 1) + noise), 0, k - 1).astype(int)
    y[:, :k] = np.arange(k)
    return x.astype(float), y


CASES = [
    (3, (3, 3), 8, False, 80),
    (3, (3, 3), 14, False, 80),
    (3, (3, 2, 3), 18, False, 50),
    (3, (3, 2), 12, True, 60),
    (3, (3, 3, 2), 20, True, 40),
    (4, (4, 3), 16, False, 50),
]


@pytest.mark.slow
@pytest.mark.parametrize(("k", "levels", "m", "coded", "n_sets"), CASES)
def test_small_sets_against_linear_programs(
    k: int, levels: tuple[int, ...], m: int, coded: bool, n_sets: int
) -> None:
    """The verdict, which margins are held at zero, and what the drawn rules do to the rows."""
    x, y = grid_sets(0, n_sets, m, levels, k)
    inputs = x.astype(np.int32) if coded else x
    one = Batch(inputs, y, levels if coded else (0,) * inputs.shape[2], k)
    goal = LogisticRegression().likelihood(one)
    limit = decide(goal.rows, None, k - 1)
    fit = LogisticRegression(draws=2).fit(one, np.random.default_rng(0))
    features = design(inputs, levels if coded else ())
    seen = set()
    for b in range(n_sets):
        part = programmed_part(margins_of(features[b], y[b], k))
        outcome = expected_outcome(part)
        seen.add(outcome)
        assert limit.outcome[b] == outcome
        assert fit.diagnostics.outcome is not None
        assert fit.diagnostics.outcome[b] == outcome
        if outcome == Outcome.QUASI:
            assert np.array_equal(limit.boundary[b], ~part)
        check_rules(fit, b, features[b], y[b], part)
    assert len(seen) >= 2
    assert fit.diagnostics.outcome is not None
    assert fit.sampled is not None
    assert np.array_equal(fit.sampled, fit.diagnostics.outcome != Outcome.OVERLAP)


def check_rules(fit: Fit, b: int, features: np.ndarray, y: np.ndarray, part: np.ndarray) -> None:
    """Strictly on their own side, held, or at the maximum of what competes on the boundary."""
    k = fit.rules.weights.shape[2] + 1
    margins = margins_of(features, y, k)
    for rule in range(len(fit.rules.weights)):
        finite = np.vstack([np.zeros(features.shape[1]), fit.rules.weights[rule, b]])
        if part.all():
            assert (margins @ finite.ravel() > 0).all()
            continue
        if part.any():
            assert fit.rules.direction is not None
            leading = np.vstack([np.zeros(features.shape[1]), fit.rules.direction[rule, b]])
            infinite = margins @ leading.ravel()
            assert (infinite[part] > 1e-9).all()
            assert np.abs(infinite[~part]).max() < 1e-10
        # Only the classes whose margins are held compete; there the likelihood has its maximum.
        competes = np.ones((len(y), k), dtype=bool)
        competes[~np.eye(k, dtype=bool)[y]] = ~part
        joint = np.where(competes, features @ finite.T, -np.inf)
        residual = np.eye(k)[y] - softmax(joint, axis=1)
        scale = np.maximum(np.abs(features).max(axis=0), 1.0)
        np.testing.assert_allclose(residual.T @ features / scale, 0.0, atol=1e-8)


def test_three_classes_in_a_row_on_a_line() -> None:
    """By hand: thresholds that touch at one point or at two, or cross."""
    x = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])[:, None]
    touching = np.array([0.0, 1.0, 1.0, 3.0, 4.0, 5.0])[:, None]
    for rows, y, outcome in (
        (x, [0, 0, 1, 1, 2, 2], Outcome.SEPARABLE),
        # Scores are affine: the middle class wins between the thresholds, from any names.
        (x, [2, 2, 0, 0, 1, 1], Outcome.SEPARABLE),
        (touching, [0, 0, 1, 1, 2, 2], Outcome.QUASI),
        (x, [0, 1, 0, 1, 2, 2], Outcome.QUASI),  # two classes cross, the third lies apart
        (x, [0, 1, 2, 0, 1, 2], Outcome.OVERLAP),
        (x, [0, 1, 1, 2, 2, 0], Outcome.OVERLAP),  # 0 is on both sides of each: all scores equal
    ):
        fit = fitted(LogisticRegression(), rows, np.array(y), (), 3)
        assert fit.diagnostics.outcome is not None
        part = programmed_part(margins_of(design(rows, ()), np.array(y), 3))
        assert expected_outcome(part) == outcome, y
        assert fit.diagnostics.outcome.tolist() == [outcome], y


@pytest.mark.slow
@pytest.mark.parametrize("fitter", [LogisticRegression(), Hybrid(epsilon=0.1)])
@pytest.mark.parametrize("absent", [0, 1, 2])
def test_absent_classes_are_never_predicted(
    fitter: LogisticRegression | Hybrid, absent: int
) -> None:
    """In overlapping, quasi-separable and separable training sets; the others are as if alone."""
    rng = np.random.default_rng(absent)
    present = np.setdiff1d(np.arange(3), absent)
    x, y = grid_sets(1, 40, 10, (3, 3), 2)
    test = rng.uniform(-5, 8, (40, 2))
    seen = set()
    for b in range(40):
        two = fitted(fitter, x[b], y[b])
        three = fitted(fitter, x[b], present[y[b]], (), 3)
        assert two.diagnostics.outcome is not None
        assert np.array_equal(two.diagnostics.outcome, three.diagnostics.outcome)
        seen.add(int(two.diagnostics.outcome[0]))
        assert np.array_equal(predictions(three, test), present[predictions(two, test)])
    assert len(seen) == 3


# Certificates of overlap where a maximum lies far out.


@pytest.mark.slow
@pytest.mark.parametrize(("m", "least"), [(100, 20), (150, 45)])
def test_training_sets_of_unequal_covariances(m: int, least: int) -> None:
    """Most of them are separable at m = 100, and the maxima of the others lie far out."""
    n_sets = 150
    law = NAMED["cu_full"]
    x = law.draw((m // 2, m // 2), splits.generator(0, "cu_full", m), n_sets)
    y = np.repeat([0, 1], m // 2)
    signed = design(x, ()) * np.where(y == 1, 1.0, -1.0)[:, None]
    limit = decide(signed)
    overlap = 0
    for b in range(n_sets):
        part = programmed_part(signed[b] / np.linalg.norm(signed[b], axis=1, keepdims=True))
        assert limit.outcome[b] == expected_outcome(part)
        if part.all():
            assert (signed[b] @ limit.direction[b] > 0).all()
        else:
            overlap += 1
            gradient = expit(-(signed[b] @ limit.weights[b])) @ signed[b]
            assert np.abs(gradient).max() < 1e-10
    assert overlap >= least


@pytest.mark.slow
def test_three_normal_classes_near_the_edge() -> None:
    """Inputs of any size: what a direction holds is a tie to the scores' absolute tolerance."""
    rng = np.random.default_rng(0)
    n_sets, m = 80, 36
    y = np.arange(m) % 3
    centres = 1.7 * np.array([[1.0, 0.0], [-0.5, 0.75**0.5], [-0.5, -(0.75**0.5)]])
    x = rng.normal(centres[y], 1.0, (n_sets, m, 2)) * rng.choice([1e-4, 1.0, 1e6], (n_sets, 1, 1))
    one = Batch(x, np.tile(y, (n_sets, 1)), (0,) * x.shape[2], 3)
    fit = LogisticRegression().fit(one, rng)
    assert fit.diagnostics.outcome is not None
    for b in range(n_sets):
        columns = design(x[b] / np.abs(x[b]).max(), ())
        part = programmed_part(margins_of(columns, y, 3))
        assert fit.diagnostics.outcome[b] == expected_outcome(part)
        check_rules(fit, b, design(x[b], ()), y, part)
    assert 15 < (fit.diagnostics.outcome == Outcome.OVERLAP).sum() < 65


@pytest.mark.parametrize("size", [10, 10**3, 10**5])
def test_separable_by_construction(size: int) -> None:
    """Whole numbers on two sides of a plane with whole coefficients, down to margins of 1."""
    rng = np.random.default_rng(size)
    n_sets, m, d = 60, 30, 4
    x = rng.integers(-size, size + 1, (n_sets, m, d))
    normal = rng.integers(-9, 10, (n_sets, d))
    normal[:, 0] = 1
    # The first input moves every row next to the plane: a margin of 1 to 3 either way.
    y = rng.integers(0, 2, (n_sets, m))
    y[:, :2] = [0, 1]
    wanted = np.where(y == 1, 1, -1) * rng.integers(1, 4, (n_sets, m))
    x[:, :, 0] += wanted - np.einsum("bmd,bd->bm", x, normal)
    assert np.array_equal(np.einsum("bmd,bd->bm", x, normal) > 0, y == 1)
    signed = design(x, ()) * np.where(y == 1, 1.0, -1.0)[:, :, None]
    limit = decide(signed.astype(float))
    assert (limit.outcome == Outcome.SEPARABLE).all()
    for b in range(n_sets):
        assert (signed[b] @ limit.direction[b] > 0).all()
