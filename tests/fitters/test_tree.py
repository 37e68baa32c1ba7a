"""Trees against reference values, plain loops, a search through all trees and scikit-learn."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rules import batch, fitted, predictions, scores, vectors
from sklearn.linear_model import LogisticRegression as Penalised

from gdcurves.fitters import Batch
from gdcurves.fitters.chow_liu import information, trees
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.fitters.tree import Tables, Tree
from gdcurves.limits.populations import populations
from gdcurves.logistic.certificates import Outcome
from gdcurves.scoring import score
from gdcurves.scoring.pool import collect
from gdcurves.simulators import SimulationConfig

JOINT, TWIN = Tree(), Tree(objective="conditional")


def everything(levels: tuple[int, ...]) -> np.ndarray:
    """All rows, the first input fastest."""
    return np.indices(levels[::-1]).reshape(len(levels), -1)[::-1].T.astype(np.int32)


def made(n: int, levels: tuple[int, ...], k: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Inputs that depend on the class and on their neighbours."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % k)
    x = np.zeros((n, len(levels)), dtype=np.int32)
    for i, levels_i in enumerate(levels):
        before = x[:, i - 1] if i else 0
        x[:, i] = (rng.integers(0, levels_i, n) * (rng.random(n) < 0.6) + before + y) % levels_i
    return x, y


def in_loops(
    x: np.ndarray, y: np.ndarray, levels: tuple[int, ...], k: int, laplace: float
) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Log joint probabilities of all rows (n, K), conditional information, and the tree."""
    d, m = len(levels), len(y)
    worth = np.zeros((d, d))
    for i, j in itertools.combinations(range(d), 2):
        for u, v, c in itertools.product(range(levels[i]), range(levels[j]), range(k)):
            both = ((x[:, i] == u) & (x[:, j] == v) & (y == c)).mean()
            if both:
                one, other = ((x[:, at] == w) & (y == c) for at, w in ((i, u), (j, v)))
                worth[i, j] += both * np.log(both * (y == c).mean() / (one.mean() * other.mean()))
        worth[j, i] = worth[i, j]
    parents = [-1] * d
    best = -1.0
    for chosen in itertools.combinations(itertools.combinations(range(d), 2), d - 1):
        total = sum(worth[pair] for pair in chosen)
        if total > best + 1e-12 and (found := rooted(chosen, d)):
            best, parents = total, found
    rows = everything(levels)
    joint = np.zeros((len(rows), k))
    for c in range(k):
        own = x[y == c]
        joint[:, c] = np.log((len(own) + laplace) / (m + k * laplace))
        for i, parent in enumerate(parents):
            for row, values in enumerate(rows):
                given = own if parent < 0 else own[own[:, parent] == values[parent]]
                count = (given[:, i] == values[i]).sum()
                joint[row, c] += np.log((count + laplace) / (len(given) + laplace * levels[i]))
    return joint, worth, parents


def rooted(pairs: Any, d: int) -> list[int] | None:
    """Parents in the tree of these pairs, the first input its root; None where it is none."""
    parents = [-1] * d
    reached = [0]
    for node in reached:
        for pair in pairs:
            if node in pair:
                (other,) = set(pair) - {node}
                if other not in reached:
                    parents[other] = node
                    reached.append(other)
    return parents if len(reached) == d else None


def test_reference_samples(shared: Path) -> None:
    cases = json.loads((shared / "reference/theory/tan.json").read_text())
    assert len(cases) == 8
    for case in cases:
        sample = case["sample"]
        x, y = np.array(sample["x"], dtype=np.int32), np.array(sample["y"])
        levels = (2,) * x.shape[1]
        (tables,) = Tables.parts(batch(x, y, levels))
        worth = information(tables.n, tables.counts, tables.layout)[0]
        np.testing.assert_allclose(worth, sample["cmi"], atol=1e-10)
        assert tables.parents[0].tolist() == sample["parents"]
        ours = scores(fitted(JOINT, x, y, levels), everything(levels), levels)[:, 0]
        np.testing.assert_allclose(ours, sample["scores_all_cells"], rtol=1e-9, atol=1e-9)


def test_reference_limits(shared: Path) -> None:
    fitters = {"naive_bayes": NaiveBayes(), "tan": JOINT, "tan_conditional": TWIN}
    fitters |= {"logistic_regression": LogisticRegression()}
    for case in json.loads((shared / "reference/theory/tan.json").read_text()):
        d = len(case["parents"])
        law = [
            {
                f"x{i}": each
                if isinstance(each, float)
                else {"given": f"x{each[0]}", "if_1": each[1], "if_0": each[2]}
                for i, each in enumerate(tree)
            }
            for tree in case["trees"]
        ]
        second = round(1000 * case["prior_class2"])
        config = SimulationConfig.model_validate(
            {"bernoulli": law, "rows": [1000 - second, second]}
        )
        (exact,) = populations(config, stratified=False)
        of_law = exact.statistics
        counts = of_law.n[:, :, None, None] * exact.second_moments[None, :, 1:, 1:]
        worth = information(of_law.n, counts, of_law.layout)
        np.testing.assert_allclose(worth[0], case["cmi"], atol=1e-10)
        assert trees(worth)[0].tolist() == case["parents"]
        assert d == len(worth[0])
        assert exact.bayes().error == pytest.approx(case["bayes_error"], abs=1e-10)
        for name, fitter in fitters.items():
            risk = exact.risk(fitter.population(exact))
            assert risk.error == pytest.approx(case[f"{name}_error"], abs=1e-9)
            assert risk.logloss == pytest.approx(case[f"{name}_logloss"], abs=1e-9)


@pytest.mark.parametrize(("levels", "k"), [((2, 3, 2, 4), 3), ((3, 2, 2), 2), ((4,), 2)])
@pytest.mark.parametrize("laplace", [1.0, 0.3])
def test_the_same_in_loops(levels: tuple[int, ...], k: int, laplace: float) -> None:
    """Every tree is tried; 40 rows leave some pairs of levels without any."""
    x, y = made(40, levels, k)
    joint, worth, parents = in_loops(x, y, levels, k, laplace)
    (tables,) = Tables.parts(batch(x, y, levels, k))
    np.testing.assert_allclose(information(tables.n, tables.counts, tables.layout)[0], worth)
    assert tables.parents[0].tolist() == parents
    fit = fitted(Tree(laplace=laplace), x, y, levels, k)
    ours = scores(fit, everything(levels), levels)
    np.testing.assert_allclose(ours, joint[:, 1:] - joint[:, :1], rtol=1e-10, atol=1e-10)


def test_ties_go_to_the_first_pair() -> None:
    """Equal up to rounding, whatever came before in the search."""
    worth = np.zeros((3, 4, 4))
    worth[1] = 0.3 + 1e-16 * np.arange(16).reshape(4, 4)
    worth[2, 0, 3] = worth[2, 1, 2] = worth[2, 1, 3] = worth[2, 2, 3] = 1.0
    worth[2, 0, 1] = 0.5
    worth = np.maximum(worth, worth.transpose(0, 2, 1))
    assert trees(worth).tolist() == [[-1, 0, 0, 0], [-1, 0, 0, 0], [-1, 3, 1, 0]]


def test_a_probability_of_zero_decides_as_in_the_limit() -> None:
    levels = (2, 3, 2, 2)
    x, y = made(16, levels, 3, seed=4)
    test = everything(levels)
    zero, tiny = (fitted(Tree(laplace=each), x, y, levels, 3) for each in (0.0, 1e-90))
    assert zero.rules.direction is not None
    assert np.array_equal(predictions(zero, test, levels), predictions(tiny, test, levels))


def test_absent_classes_and_many_sets_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also some at a time."""
    levels = (2, 3, 2, 2)
    x, y = map(np.array, zip(*(made(30, levels, 3, seed) for seed in range(6)), strict=True))
    y[::2] = np.where(y[::2] == 1, 2, y[::2])
    test, rng = everything(levels), np.random.default_rng(0)
    whole = Batch(x, y, levels, 3)
    for fitter in (JOINT, Tree(laplace=0.0), Tree(prior="empirical")):
        together = fitter.fit(whole, rng)
        for b in range(6):
            one = fitted(fitter, x[b], y[b], levels, 3)
            np.testing.assert_allclose(
                together.rules.weights[:, b], one.rules.weights[:, 0], atol=1e-12
            )
            if fitter is not JOINT:
                assert set(predictions(one, test, levels)) <= set(y[b].tolist())
    monkeypatch.setattr("gdcurves.fitters.tree.SLICE_ENTRIES", 1000)
    slices = Tree(laplace=0.0).fit(whole, rng)
    for ours, theirs in (
        (slices.rules.weights, Tree(laplace=0.0).fit(whole, rng).rules.weights),
        (slices.rules.direction, Tree(laplace=0.0).fit(whole, rng).rules.direction),
    ):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize(("levels", "k"), [((2, 3, 2), 2), ((2, 2, 3, 2), 3)])
def test_the_twin_maximises_the_conditional_likelihood(levels: tuple[int, ...], k: int) -> None:
    """It is scikit-learn's logistic regression on the entries of the tables."""
    x, y = made(300, levels, k, seed=1)
    (tables,) = Tables.parts(batch(x, y, levels, k))
    entries = [
        np.eye(levels[i])[x[:, i]]
        if parent < 0
        else np.eye(levels[i] * levels[parent])[x[:, i] * levels[parent] + x[:, parent]]
        for i, parent in enumerate(tables.parents[0])
    ]
    columns = np.column_stack(entries)
    fit = fitted(TWIN, x, y, levels, k)
    assert fit.diagnostics.outcome is not None
    assert fit.diagnostics.outcome.tolist() == [Outcome.OVERLAP]
    reference = Penalised(C=1e8, tol=1e-10, max_iter=10_000).fit(columns, y)
    expected = reference.decision_function(columns).reshape(len(y), -1)
    if k > 2:
        expected = expected[:, 1:] - expected[:, :1]
    np.testing.assert_allclose(scores(fit, x, levels), expected, atol=2e-4)


def test_the_twin_of_inputs_that_are_in_no_pair_is_logistic_regression() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 4, (80, 1)).astype(np.int32), rng.integers(0, 3, 80)
    ours, theirs = (fitted(each, x, y, (4,), 3) for each in (TWIN, LogisticRegression()))
    test = everything((4,))
    np.testing.assert_allclose(scores(ours, test, (4,)), scores(theirs, test, (4,)), atol=1e-8)


def test_the_twin_draws_what_separates() -> None:
    """Trees of different shapes in one batch, and a set without one of the classes."""
    levels = (2, 3, 2, 4)
    x, y = map(np.array, zip(*(made(12, levels, 3, seed) for seed in range(8)), strict=True))
    y[3] = np.where(y[3] == 1, 0, y[3])
    fit = Tree(objective="conditional", draws=3).fit(
        Batch(x, y, levels, 3), np.random.default_rng(0)
    )
    assert fit.diagnostics.outcome is not None
    separable = fit.diagnostics.outcome == Outcome.SEPARABLE
    assert separable.sum() >= 3
    for b in np.flatnonzero(separable):
        features = vectors(fit, x[b], levels)
        log_odds = np.pad(
            features @ fit.rules.weights[:, b].transpose(0, 2, 1), ((0, 0), (0, 0), (1, 0))
        )
        if b != 3:
            assert (log_odds.argmax(axis=2) == y[b]).all()


@pytest.mark.parametrize("fitter", [JOINT, TWIN, Tree(laplace=0.0)], ids=["joint", "twin", "zero"])
def test_scored_rows_are_those_of_the_rules(fitter: Tree) -> None:
    """Of one data set, and of one for each training set."""
    levels, m = (2, 3, 2, 4), 30
    x, y = made(200, levels, 3, seed=2)
    training = np.stack([np.random.default_rng(b).permutation(200)[:m] for b in range(4)])
    fit = fitter.fit(Batch(x[training], y[training], levels, 3), np.random.default_rng(0))
    errors = []
    for b, rows in enumerate(training):
        features = vectors(fit, x, levels)
        values = np.pad(features @ fit.rules.weights[0, b].T, ((0, 0), (1, 0)))
        if fit.rules.direction is not None:
            leading = np.pad(features @ fit.rules.direction[0, b].T, ((0, 0), (1, 0)))
            values[leading < leading.max(axis=1, keepdims=True) - 1e-10] = -np.inf
        wrong = (values >= values.max(axis=1, keepdims=True) - 1e-10).argmax(axis=1) != y
        errors.append(wrong.sum() - wrong[rows].sum())
    pool = collect(x, y, levels, 3)
    assert score(pool, fit, training).values["errors"].tolist() == errors
    of_sets = collect(np.stack([x] * 4), y, levels, 3)
    assert score(of_sets, fit, training).values["errors"].tolist() == errors
