"""Scores against the definition: gather the test rows of every rule, and count."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
from rules import full, pool_of
from scipy.special import logsumexp
from sklearn.preprocessing import OneHotEncoder

from gdcurves import scoring
from gdcurves.fitters import Batch, Diagnostics, Fit, LinearRules
from gdcurves.fitters.features import design
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.logistic.certificates import Outcome
from gdcurves.problems.problem import Problem, Provenance
from gdcurves.scoring import linear

TIE = 1e-10
NOWHERE = Provenance("", "file", "", "", 0, 0, 0, 0, (), None)


def problem(x: np.ndarray, y: np.ndarray, levels: tuple[int, ...], n_classes: int) -> Problem:
    kind = "discrete" if levels else "continuous"
    names = tuple(map(str, range(n_classes)))
    features = tuple(f"x{i}" for i in range(x.shape[1]))
    levels = full(levels, x)
    return Problem("toy", kind, x, y.astype(np.int8), levels, features, names, NOWHERE)


@dataclass(frozen=True)
class Expected:
    """Errors and mean log loss of one training set, by the definition."""

    errors: float
    logloss: float


def by_definition(features: np.ndarray, y: np.ndarray, fit: Fit, rows: np.ndarray) -> Expected:
    """`rows` and every rule of `fit` belong to one training set; plain loops."""
    test = [i for i in range(len(y)) if i not in set(rows.tolist())]
    errors, losses = [], []
    for r in range(len(fit.rules.weights)):
        wrong, loss = 0, 0.0
        for i in test:
            score = [0.0, *(fit.rules.weights[r, 0] @ features[i])]
            level = [0.0] * len(score)
            if fit.rules.direction is not None:
                level = [0.0, *(fit.rules.direction[r, 0] @ features[i])]
            possible = [k for k in range(len(score)) if level[k] >= max(level) - TIE]
            best = max(score[k] for k in possible)
            predicted = next(k for k in possible if score[k] >= best - TIE)
            wrong += predicted != y[i]
            if y[i] in possible:
                loss += logsumexp([score[k] for k in possible]) - score[y[i]]
            else:
                loss = math.inf
        errors.append(wrong)
        losses.append(loss / len(test))
    finite = fit.diagnostics.outcome is None or fit.diagnostics.outcome[0] == Outcome.OVERLAP
    return Expected(float(np.mean(errors)), float(np.mean(losses)) if finite else math.inf)


def compare(made: Problem, fit: Fit, training: np.ndarray) -> None:
    scores = scoring.score(pool_of(made), fit, training)
    features = design(made.x, made.levels)
    assert scores.n_test == len(made.y) - training.shape[1]
    for b, rows in enumerate(training):
        rules, outcome = fit.rules, fit.diagnostics.outcome
        one = Fit(
            LinearRules(
                rules.weights[:, [b]],
                None if rules.direction is None else rules.direction[:, [b]],
            ),
            Diagnostics(outcome=None if outcome is None else outcome[[b]]),
        )
        expected = by_definition(features, made.y, one, rows)
        assert scores.values["errors"][b] == pytest.approx(expected.errors, rel=1e-14)
        assert scores.values["logloss"][b] == pytest.approx(expected.logloss, rel=1e-12)


def random_case(
    rng: np.random.Generator, n_classes: int, discrete: bool
) -> tuple[Problem, np.ndarray]:
    """Forty rows, small whole numbers so that ties abound, and six training sets of nine."""
    n, d = 40, 3
    x = rng.integers(0, 3, (n, d))
    y = rng.integers(0, n_classes, n)
    training = np.array([rng.permutation(n)[:9] for _ in range(6)])
    levels = (3,) * d if discrete else ()
    x = x.astype(np.int32 if discrete else np.float64)
    return problem(x, y, levels, n_classes), training


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("discrete", [False, True])
@pytest.mark.parametrize("with_direction", [False, True])
@pytest.mark.parametrize("n_draws", [1, 3])
def test_scores_are_those_of_the_definition(
    n_classes: int, discrete: bool, with_direction: bool, n_draws: int
) -> None:
    rng = np.random.default_rng([n_classes, discrete, with_direction, n_draws])
    made, training = random_case(rng, n_classes, discrete)
    n_weights = 10 if discrete else 4
    shape = (n_draws, len(training), n_classes - 1, n_weights)
    weights = rng.integers(-2, 3, shape) / 2.0
    weights[:, ::2] += 0.3 * rng.standard_normal(weights[:, ::2].shape)
    # A few scores differ by less than the tolerance: still ties.
    weights[:, 1::2, :, 0] += rng.choice([0.0, 1e-12, -1e-12], weights[:, 1::2, :, 0].shape)
    direction = rng.integers(-1, 2, shape).astype(float) if with_direction else None
    compare(made, Fit(LinearRules(weights, direction)), training)


def test_scores_of_many_rules_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of one distinct row, or all of them at once, give what the definition gives."""
    rng = np.random.default_rng(0)
    made, training = random_case(rng, 3, True)
    weights = rng.integers(-2, 3, (2, 6, 2, 10)) / 2.0
    for block in (1, 50, 10**6):
        monkeypatch.setattr(linear, "BLOCK_SCORES", block)
        compare(made, Fit(LinearRules(weights)), training)


def test_fits_without_a_maximum_have_an_infinite_log_loss() -> None:
    rng = np.random.default_rng(1)
    made, training = random_case(rng, 2, False)
    outcome = np.array([Outcome(k) for k in (1, 2, 3, 4, 1, 2)])
    fit = Fit(LinearRules(rng.standard_normal((2, 6, 1, 4))), Diagnostics(outcome=outcome))
    compare(made, fit, training)
    logloss = scoring.score(pool_of(made), fit, training).values["logloss"]
    assert np.isfinite(logloss).tolist() == [True, False, False, False, True, False]


def test_a_tie_goes_to_the_first_class() -> None:
    """At a discriminant of exactly 0, and where rounding made it 1e-11, the answer is class 0."""
    x = np.array([[0.0], [1.0], [2.0], [3.0]])
    made = problem(x, np.array([0, 1, 0, 1]), (), 2)
    training = np.array([[0, 1]])
    for constant in (0.0, 1e-11, -1e-11):
        fit = Fit(LinearRules(np.array([[[[constant, 0.0]]]])))
        scores = scoring.score(pool_of(made), fit, training)
        assert scores.values["errors"].tolist() == [1.0]  # the test row of class 1
        assert scores.values["logloss"][0] == pytest.approx(math.log(2), abs=1e-10)
    beyond = Fit(LinearRules(np.array([[[[1e-9, 0.0]]]])))
    assert scoring.score(pool_of(made), beyond, training).values["errors"].tolist() == [1.0]
    other = problem(x, np.array([0, 1, 1, 1]), (), 2)
    assert scoring.score(pool_of(other), beyond, training).values["errors"].tolist() == [0.0]
    three = problem(x, np.array([0, 1, 2, 1]), (), 3)
    level = Fit(
        LinearRules(np.array([[[[1.0, 0.0], [1.0, 1e-12]]]]))
    )  # classes 1 and 2 tied, above class 0
    assert scoring.score(pool_of(three), level, training).values["errors"].tolist() == [1.0]


def test_case_2_a_class_absent_from_training() -> None:
    """Sixty rows of three classes, the rare one four times; five rows of the others in training."""
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1, 2], [30, 26, 4])
    x = (rng.integers(0, 4, (60, 5)) + y[:, None] // 2).astype(np.int32)
    made = problem(x, y, (5,) * 5, 3)
    training = np.array([[0, 1, 30, 31, 32], [0, 1, 2, 30, 59]])
    batch = Batch(made.x[training], made.y[training], made.levels, 3)
    fit = NaiveBayes().fit(batch, rng)
    compare(made, fit, training)
    scores = scoring.score(pool_of(made), fit, training)
    # Smoothing gives the absent class a probability: that of l / (l * levels) for each feature.
    assert np.isfinite(scores.values["logloss"]).all()
    n = np.array([2, 3, 0])
    code = made.x[40]
    counts = [
        [(made.x[training[0][made.y[training[0]] == k]][:, i] == code[i]).sum() for i in range(5)]
        for k in range(3)
    ]
    joint = np.log((n + 1) / 8) + np.log((np.array(counts) + 1) / (n[:, None] + 5)).sum(axis=1)
    log_odds = design(code[None], made.levels)[0] @ fit.rules.weights[0, 0].T
    np.testing.assert_allclose(log_odds, joint[1:] - joint[0], rtol=1e-10)
    # Without smoothing it has probability 0, and rows of it are among those tested.
    unsmoothed = NaiveBayes(prior="empirical").fit(batch, rng)
    compare(made, unsmoothed, training)
    assert np.isinf(
        scoring.score(pool_of(made), unsmoothed, training).values["logloss"]
    ).tolist() == [
        True,
        False,
    ]


def test_case_2_a_class_absent_from_training_has_no_mean() -> None:
    """On continuous inputs its probability is 0, and so the log loss infinite where it occurs."""
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1, 2], [30, 26, 4])
    x = rng.normal(y[:, None], 1.0, (60, 3))
    made = problem(x, y, (), 3)
    training = np.array([[0, 1, 30, 31, 32], [0, 1, 2, 30, 59], [0, 30, 57, 58, 59]])
    fit = NaiveBayes().fit(Batch(made.x[training], made.y[training], made.levels, 3), rng)
    compare(made, fit, training)
    scores = scoring.score(pool_of(made), fit, training)
    assert np.isinf(scores.values["logloss"]).tolist() == [True, False, False]
    # All four rare rows are among the errors; each class keeps its own column.
    only_rare = problem(x, np.where(y == 2, 2, 0), (), 3)
    assert scoring.score(pool_of(only_rare), fit, training).values["errors"][0] >= 4


def test_case_3_a_class_absent_from_the_test_rows() -> None:
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1, 2], [30, 28, 2])
    x = rng.normal(y[:, None], 1.0, (60, 2))
    made = problem(x, y, (), 3)
    training = np.array([[0, 1, 30, 31, 58, 59]])
    fit = NaiveBayes().fit(Batch(made.x[training], made.y[training], made.levels, 3), rng)
    compare(made, fit, training)
    scores = scoring.score(pool_of(made), fit, training)
    assert np.isfinite(scores.values["logloss"]).all()
    assert 0 <= scores.values["errors"][0] <= 54


def test_log_loss_is_not_negative() -> None:
    """Rounding of what misfitted training rows cost must not show as a negative log loss."""
    rng = np.random.default_rng(7)
    for _ in range(20):
        y = rng.integers(0, 2, 20)
        x = rng.standard_normal((20, 1))
        x[6:, 0] = np.where(y[6:] == 1, 1, -1) * rng.uniform(1, 2, 14)
        fit = Fit(LinearRules(np.array([[[[0.1, 300.0]]]])))
        scores = scoring.score(pool_of(problem(x, y, (), 2)), fit, np.arange(6)[None])
        assert scores.values["errors"].tolist() == [0.0]
        assert 0.0 <= scores.values["logloss"][0] < 1e-12


def test_one_hot_features_are_those_of_scikit_learn() -> None:
    rng = np.random.default_rng(4)
    levels = (2, 5, 3)
    x = np.column_stack([rng.integers(0, k, 30) for k in levels]).astype(np.int32)
    encoder = OneHotEncoder(categories=[np.arange(k) for k in levels], sparse_output=False)
    expected = np.hstack([np.ones((30, 1)), encoder.fit_transform(x)])
    assert np.array_equal(design(x, levels), expected)
    assert np.array_equal(design(x.reshape(5, 6, 3), levels), expected.reshape(5, 6, 11))


def test_pool_counts_every_row_once() -> None:
    rng = np.random.default_rng(5)
    x = rng.integers(0, 2, (50, 3)).astype(np.int32)
    y = rng.integers(0, 3, 50)
    pool = pool_of(problem(x, y, (2, 2, 2), 3))
    assert len(pool.counts) == 8
    assert np.array_equal(pool.coded[pool.entry].toarray(), design(x, (2, 2, 2)))
    for k in range(3):
        assert np.array_equal(pool.counts[:, k], np.bincount(pool.entry[y == k], minlength=8))
