"""Measures for several classes, tied scores, rules at a limit and test rows of one class."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from others import Neighbour
from sklearn.metrics import balanced_accuracy_score, brier_score_loss, roc_auc_score

from gdcurves import curves, scoring
from gdcurves.fitters import Batch, Diagnostics, Fit, Fitter, FunctionRules, LinearRules
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.logistic.certificates import Outcome
from gdcurves.scoring.judged import Judged
from gdcurves.scoring.measures import MEASURES, chosen
from gdcurves.scoring.pool import collect

N, M, SETS = 80, 24, 5
NAMES = ["error", "balanced_error", "auc", "brier"]
AUC = MEASURES["auc"]


def areas(seen: Judged, y: np.ndarray) -> np.ndarray:
    """Area of each rule, all rows being test rows."""
    return AUC.of_sets(seen, y, np.ones((seen.predicted.shape[1], len(y)), dtype=bool))


def classes(n_classes: int) -> np.ndarray:
    return np.sort(np.arange(N) % n_classes)


def inputs(discrete: bool, y: np.ndarray, n_sets: int, rng: np.random.Generator) -> np.ndarray:
    x = rng.normal(size=(n_sets, N, 3)) + y[:, None] * [1.0, -0.7, 0.2]
    return np.clip(x.round() + 2, 0, 3).astype(np.int32) if discrete else x


def probabilities(fit: Fit, b: int, x: np.ndarray, levels: tuple[int, ...]) -> np.ndarray:
    """Of a rule for rows (n, d), shape (R, n, K), rounded so that equal ones are equal."""
    if isinstance(fit.rules, FunctionRules):
        log_p = fit.rules.score(b, x)
    else:
        ones = [np.ones(len(x))]
        for column, count in zip(x.T, levels, strict=True):
            ones += [column == v for v in range(count)] if count else [column]
        scores = np.stack(ones, axis=1) @ fit.rules.weights[:, b].transpose(0, 2, 1)
        log_p = np.concatenate([np.zeros((*scores.shape[:2], 1)), scores], axis=2)
    p = np.exp(log_p - log_p.max(axis=2, keepdims=True))
    return (p / p.sum(axis=2, keepdims=True)).round(12)


@pytest.mark.slow
@pytest.mark.parametrize("pool_of_sets", [False, True])
@pytest.mark.parametrize("discrete", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("fitter", [NaiveBayes(), Neighbour()], ids=["linear", "function"])
def test_of_scikit_learn(
    fitter: Fitter, n_classes: int, discrete: bool, pool_of_sets: bool
) -> None:
    rng = np.random.default_rng(n_classes)
    y = classes(n_classes)
    levels = (4, 4, 4) if discrete else (0, 0, 0)
    x = inputs(discrete, y, SETS if pool_of_sets else 1, rng)
    pool = collect(x if pool_of_sets else x[0], y, levels, n_classes)
    training = np.array([rng.permutation(N)[:M] for _ in range(SETS)])
    rows = pool.rows(x if pool_of_sets else x[0], training)
    fit = fitter.fit(Batch(rows, y[training], levels, n_classes), rng)
    values = scoring.score(pool, fit, training, chosen(NAMES)).values
    for b in range(SETS):
        test = np.setdiff1d(np.arange(N), training[b])
        (p,) = probabilities(fit, b, x[b if pool_of_sets else 0][test], levels)
        true = y[test]
        balanced = 1 - balanced_accuracy_score(true, p.argmax(axis=1))
        assert values["balanced_error"][b] == pytest.approx(balanced, rel=1e-12)
        area = (
            roc_auc_score(true, p[:, 1])
            if n_classes == 2
            else roc_auc_score(true, p, multi_class="ovo")
        )
        assert values["auc"][b] == pytest.approx(area, rel=1e-12)
        brier = brier_score_loss(true, p[:, 1] if n_classes == 2 else p)
        assert values["brier"][b] == pytest.approx(brier, rel=1e-9)


def judged(scores: np.ndarray, direction: np.ndarray | None = None, **more: object) -> Judged:
    """Of one rule, from scores (n, K - 1) against class 0."""
    of, first = (None if each is None else each.T[:, :, None] for each in (scores, direction))
    assert of is not None
    return Judged.of(of, first, **more)  # type: ignore[arg-type]


def share(own: list[tuple[float, float]], other: list[tuple[float, float]]) -> float:
    """Pairs in the right order, by tuples."""
    return float(np.mean([(a > b) + 0.5 * (a == b) for a in own for b in other]))


def test_scores_that_differ_by_rounding_are_tied() -> None:
    y = np.array([0, 0, 1, 1])
    near = np.array([[1.0], [0.0], [1.0 - 1e-12], [1e-12]])
    assert areas(judged(near), y) == 0.5
    near[2:] += 1e-9
    assert areas(judged(near), y) == 0.75


def test_probabilities_near_one_are_told_apart() -> None:
    """Where they round to 1 in double precision, by their log odds."""
    y = np.array([0, 1, 1, 2])
    scores = np.array([[50.0, 0.0], [60.0, 0.0], [900.0, 0.0], [0.0, 900.0]])
    assert areas(judged(scores), y) == 1.0
    swapped = np.array([[70.0, 0.0], [60.0, 0.0], [900.0, 0.0], [0.0, 900.0]])
    # Classes 0 and 1: by either probability one pair of two is in order.
    assert areas(judged(swapped), y) == pytest.approx((0.5 + 1 + 1) / 3, rel=1e-15)


def test_a_direction_decides_first_and_the_weights_among_equals() -> None:
    rng = np.random.default_rng(0)
    n = 60
    y = rng.integers(0, 2, n)
    direction, weights = rng.integers(-2, 3, n) * 0.5, rng.integers(-3, 4, n) * 0.1
    noise = rng.normal(size=(n, 2)) * 1e-13
    rows = list(zip(direction, weights, strict=True))
    expected = share(
        [each for each, k in zip(rows, y, strict=True) if k == 1],
        [each for each, k in zip(rows, y, strict=True) if k == 0],
    )
    got = areas(judged(weights[:, None] + noise[:, :1], direction[:, None] + noise[:, 1:]), y)
    assert got == pytest.approx(expected, rel=1e-12)


def test_directions_of_three_classes_are_limits_of_large_factors() -> None:
    """The order of the probabilities is that of finite rules far along the direction."""
    rng = np.random.default_rng(1)
    n = 90
    y = rng.integers(0, 3, n)
    direction = rng.integers(-1, 2, (n, 2)).astype(float)
    weights = rng.normal(size=(n, 2)) + 0.5 * np.eye(3)[y][:, 1:]
    limit = areas(judged(weights, direction), y)
    assert 0.4 < limit < 0.9
    assert limit == pytest.approx(areas(judged(weights + 300 * direction), y), rel=1e-12)


def test_hard_rules_of_three_classes_are_limits_of_large_factors() -> None:
    rng = np.random.default_rng(2)
    n = 60
    y = rng.integers(0, 3, n)
    weights = rng.normal(size=(n, 2)) + 0.5 * np.eye(3)[y][:, 1:]
    hard = areas(judged(weights, hard=np.array([True])), y)
    assert hard == pytest.approx(areas(judged(1e6 * weights), y), rel=1e-12)
    assert hard != pytest.approx(areas(judged(weights), y), rel=1e-6)


def test_rows_do_not_differ_by_a_class_that_no_training_row_had() -> None:
    rng = np.random.default_rng(4)
    y = classes(3)
    x = inputs(False, y, 1, rng)[0]
    training = np.flatnonzero(y < 2)[None, ::5]
    fit = NaiveBayes().fit(Batch(x[training], y[training], (0, 0, 0), 3), rng)
    (value,) = (
        scoring.score(collect(x, y, (0, 0, 0), 3), fit, training, chosen(NAMES))
        .values["auc"]
        .tolist()
    )
    test = np.setdiff1d(np.arange(N), training)
    (p,) = probabilities(fit, 0, x[test], (0, 0, 0))
    p[:, 2] = 0.0
    p /= p.sum(axis=1, keepdims=True)
    assert value == pytest.approx(roc_auc_score(y[test], p, multi_class="ovo"), rel=1e-12)


def test_impossible_classes_of_function_rules() -> None:
    log_p = np.log(np.array([[0.5, 0.5, 1e-9], [0.2, 0.3, 0.5], [1, 1e-9, 1e-9], [0.1, 0.8, 0.1]]))
    log_p[log_p < -20] = -np.inf
    y = np.array([0, 1, 2, 2])
    seen = Judged.by_log_probabilities(log_p.T[:, :, None])
    p = np.where(np.isneginf(log_p), 0.0, np.exp(log_p))
    assert areas(seen, y) == pytest.approx(roc_auc_score(y, p, multi_class="ovo"))
    brier = MEASURES["brier"]
    terms = [brier.terms(seen.only(y == k), k)[0].sum() for k in range(3)]  # type: ignore[attr-defined]
    assert sum(terms) / 4 == pytest.approx(brier_score_loss(y, p), rel=1e-12)


def test_hard_and_excluded_classes_have_probabilities_of_zero_and_one() -> None:
    x, y = np.array([[-2.0], [-1.0], [1.0], [2.0], [3.0], [-3.0]]), np.array([0, 0, 1, 1, 0, 1])
    pool = collect(x, y, (0,), 2)
    training = np.array([[0, 2]])
    weights, direction = np.array([[[[0.0, 0.3]]]]), np.array([[[[0.0, 1.0]]]])
    outcome = np.array([Outcome.SEPARABLE])
    for rules, diagnostics in (
        (LinearRules(weights), Diagnostics(outcome=outcome)),
        (LinearRules(1e4 * weights, direction), Diagnostics()),
    ):
        values = scoring.score(pool, Fit(rules, diagnostics), training, chosen(NAMES)).values
        assert values["errors"] == [2.0]
        assert values["brier"] == [0.5]


def test_test_rows_of_one_class() -> None:
    """No pair has an order, and the absent class has no share of errors."""
    x, y = np.arange(8.0)[:, None], np.array([0, 0, 0, 0, 0, 1, 1, 1])
    pool = collect(x, y, (0,), 2)
    training = np.array([[0, 5, 6, 7], [0, 1, 6, 7]])
    fit = NaiveBayes().fit(Batch(x[training], y[training], (0,), 2), np.random.default_rng(0))
    values = scoring.score(pool, fit, training, chosen(NAMES)).values
    assert np.isnan(values["auc"]).tolist() == [True, False]
    assert values["balanced_error"][0] == values["errors"][0] / 4
    rows = pd.DataFrame({"auc": [*values["auc"], 0.25], "n_test": 4})
    summary = AUC.summary(rows)
    assert summary["auc_undefined"] == pytest.approx(1 / 3)
    assert summary["auc_mean"] == pytest.approx((values["auc"][1] + 0.25) / 2)
    assert "auc_undefined" in curves.columns(chosen(["auc"]))
