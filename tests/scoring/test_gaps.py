"""What measures are without each test row, against scikit-learn on the rows that are left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import log_loss, recall_score, roc_auc_score

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.fitters import REGISTRY, Batch, FunctionRules
from gdcurves.fitters.batch import Fit
from gdcurves.scoring import pairs as ordered
from gdcurves.scoring.measures import MEASURES, chosen
from gdcurves.scoring.pool import Pool, collect
from gdcurves.scoring.scores import score
from gdcurves.units import Units

Value = Callable[[IntArray, FloatArray], float]


def area(y: IntArray, p: FloatArray) -> float:
    p = p.round(12)  # rows with the same inputs are tied
    there = np.unique(y)
    if len(there) < 2:
        return np.nan
    if p.shape[1] == 2:
        return float(roc_auc_score(y, p[:, 1]))
    areas = []
    for k in there:
        for j in there:
            if j != k:
                some = np.isin(y, (j, k))
                areas.append(roc_auc_score(y[some] == k, p[some, k]))
    return float(np.mean(areas))


def brier(y: IntArray, p: FloatArray) -> float:
    total = ((p - np.eye(p.shape[1])[y]) ** 2).sum(axis=1).mean()
    return float(total / 2 if p.shape[1] == 2 else total)


def balanced(y: IntArray, p: FloatArray) -> float:
    there = np.unique(y)
    return 1.0 - float(recall_score(y, p.argmax(axis=1), labels=there, average="macro"))


EXPECTED: dict[str, Value] = {
    "error": lambda y, p: float(np.mean(p.argmax(axis=1) != y)),
    "balanced_error": balanced,
    "auc": area,
    "brier": brier,
    "logloss": lambda y, p: float(log_loss(y, p, labels=range(p.shape[1]))),
}


def problem(K: int, discrete: bool) -> tuple[Pool, Fit, IntArray, Callable[[int], FloatArray]]:
    """Thirty rows of K classes, naive Bayes from six training sets, and its probabilities."""
    rng = np.random.default_rng(K)
    # Of the last class there is one test row, or two.
    y = np.sort(np.concatenate([[K - 1] * 4, rng.integers(K - 1, size=26)]))
    if discrete:
        x = (rng.random((30, 4)) < 0.2 + 0.5 * (y == 1)[:, None]).astype(np.int8)
        levels = (2,) * 4
    else:
        x, levels = rng.normal(size=(30, 4)) + 0.7 * y[:, None], (0,) * 4
    pool = collect(x, y, levels, K)
    training = np.array(
        [[*rng.permutation(26)[: 12 - n], *(26 + rng.permutation(4)[:n])] for n in (2, 3) * 3]
    )
    batch = Batch(x[training], y[training], levels, K, tuple("abcd"), np.zeros(4))
    fit = REGISTRY["naive_bayes"]().fit(batch, rng)
    weights = fit.rules.weights[0]
    design = np.column_stack([np.ones(30), *([x] if not discrete else _one_hot(x))])

    def probabilities(b: int) -> FloatArray:
        scores = np.column_stack([np.zeros(30), design @ weights[b].T])
        p = np.exp(scores - scores.max(axis=1, keepdims=True))
        return p / p.sum(axis=1, keepdims=True)

    return pool, fit, training, probabilities


def gaps_of(pool: Pool, fit: Fit, training: IntArray, name: str) -> FloatArray:
    return score(pool, fit, training, chosen([name]), by_row=True).gaps[name]


def _one_hot(x: IntArray) -> Iterator[FloatArray]:
    for column in x.T:
        yield (column[:, None] == np.arange(2)).astype(float)


@pytest.mark.slow
@pytest.mark.parametrize("discrete", [False, True])
@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_row_less_is_what_scikit_learn_says(name: str, K: int, discrete: bool) -> None:
    pool, fit, training, probabilities = problem(K, discrete)
    gaps = gaps_of(pool, fit, training, name)
    measure = MEASURES[name]
    values = score(pool, fit, training, [measure]).values[measure.column]
    found = measure.value(values, 18)
    for b, rows in enumerate(training):
        p = probabilities(b)
        test = np.setdiff1d(np.arange(30), rows)
        assert found[b] == pytest.approx(EXPECTED[name](pool.y[test], p[test]), abs=1e-12)
        assert np.all(gaps[b, rows] == 0)
        for i in test:
            left = test[test != i]
            without = EXPECTED[name](pool.y[left], p[left])
            gap = 0.0 if np.isnan(without) else found[b] - without
            assert gaps[b, i] == pytest.approx(gap, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize(("name", "many"), [("auc", 1), *((name, 100) for name in EXPECTED)])
def test_a_group_less_is_what_scikit_learn_says(
    name: str, K: int, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nine groups of one to nine rows, of one class or several; their pairs sorted, or listed."""
    monkeypatch.setattr(ordered, "MANY_PAIRS", many)
    pool, _, _, _ = problem(K, discrete=False)
    rng = np.random.default_rng(1)
    sizes = np.array([9, 5, 4, 4, 3, 2, 1, 1, 1])
    units = Units.groups(rng.permutation(np.repeat(np.arange(9), sizes)))
    pool = replace(pool, units=units)
    drawn = np.array([rng.permutation(9)[:4] for _ in range(20)])
    held = [set(pool.y[np.isin(units.of_row, each)]) for each in drawn]
    drawn = drawn[[len(classes) == K for classes in held]]
    design = np.column_stack([np.ones(30), pool.x])
    n_compared = 0
    for _, training in units.by_number_of_rows(drawn):
        y = pool.y[training]
        batch = Batch(pool.x[training], y, (0,) * 4, K, tuple("abcd"), np.zeros(4))
        fit = REGISTRY["naive_bayes"]().fit(batch, rng)
        gaps = gaps_of(pool, fit, training, name)
        assert gaps.shape == (len(training), 9)
        for b, rows in enumerate(training):
            p = np.exp(np.column_stack([np.zeros(30), design @ fit.rules.weights[0, b].T]))
            p /= p.sum(axis=1, keepdims=True)
            test = np.setdiff1d(np.arange(30), rows)
            whole = EXPECTED[name](pool.y[test], p[test])
            for unit in range(9) if np.isfinite(whole) else ():
                left = test[units.of_row[test] != unit]
                without = EXPECTED[name](pool.y[left], p[left])
                gap = 0.0 if np.isnan(without) else whole - without
                assert gaps[b, unit] == pytest.approx(gap, abs=1e-10)
                n_compared += 1
    assert n_compared > 50


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_rules_of_any_kind_have_the_same(name: str) -> None:
    pool, fit, training, probabilities = problem(3, discrete=False)
    order = {tuple(row): i for i, row in enumerate(pool.x.tolist())}

    def log_p(b: int, x: FloatArray) -> FloatArray:
        return np.log(probabilities(b)[[order[tuple(row)] for row in x.tolist()]])[None]

    any_kind = Fit(FunctionRules(log_p, 1, len(training)))
    linear = gaps_of(pool, fit, training, name)
    assert gaps_of(pool, any_kind, training, name) == pytest.approx(linear, abs=1e-12)


def test_pairs_in_order_of_one_rule_and_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ties, scores that are infinite and rows that do not count, against all pairs."""
    rng = np.random.default_rng(0)
    own, other = (rng.integers(4, size=(7, n)).astype(float) for n in (30, 20))
    own[0, :3], other[0, :3] = [-np.inf, np.inf, 2 + 5e-11], [np.inf, -np.inf, 2]
    there = rng.random((7, 30)) < 0.7, rng.random((7, 20)) < 0.7
    gap = np.clip(own, -9, 9)[:, :, None] - np.clip(other, -9, 9)[:, None, :]
    pairs = np.where(np.abs(gap) <= 1e-10, 0.5, gap > 0) * there[0][..., None] * there[1][:, None]
    for label in (np.zeros(20, dtype=int), rng.integers(3, size=20)):
        by_label = pairs @ np.eye(label.max() + 1)[label]
        for many in (10, 1000):
            monkeypatch.setattr(ordered, "MANY_ROWS", many)
            of_own, of_other = ordered.in_order(own, other, *there, label, label.max() + 1)
            assert np.array_equal(of_own, by_label)
            assert np.array_equal(of_other, pairs.sum(axis=1))


def test_one_test_row_leaves_nothing() -> None:
    pool, fit, _, _ = problem(2, discrete=False)
    training = np.array([np.delete(np.arange(30), i) for i in range(6)])
    for name in ("error", "auc"):
        assert np.all(gaps_of(pool, fit, training, name) == 0)
