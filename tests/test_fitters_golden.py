"""Fitters against R: naive Bayes with shared variances or factors, and logistic regression."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden import cases

from gdcurves import scoring
from gdcurves.features import Pool, design
from gdcurves.fitters import Batch, Fit
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.logistic.certificates import Outcome
from gdcurves.problem import Problem, Provenance

RTOL = 1e-9
FITTERS = cases("golden_fitters.json")
STATUS = {
    "overlap": Outcome.OVERLAP,
    "complete": Outcome.SEPARABLE,
    "quasi": Outcome.QUASI,
}
NOWHERE = Provenance("", "", "", 0, 0, 0, 0, (), None)


def columns(case: dict[str, Any], kind: str) -> list[int]:
    return [i for i, each in enumerate(case["feature_kinds"]) if each == kind]


def codes(rows: list[list[Any]], case: dict[str, Any]) -> np.ndarray:
    """Level codes of the factors, shape (n, number of factors)."""
    factors = columns(case, "factor")
    return np.array([[case["levels"][i].index(row[i]) for i in factors] for row in rows], np.int32)


def numbers(rows: list[list[Any]], case: dict[str, Any]) -> np.ndarray:
    """Values of the continuous features, shape (n, number of them)."""
    continuous = columns(case, "cont")
    return np.array([[row[i] for i in continuous] for row in rows], np.float64)


def labels(case: dict[str, Any]) -> np.ndarray:
    return np.array([case["classes"].index(each) for each in case["y_train"]])


def fitted(fitter: Any, x: np.ndarray, y: np.ndarray, levels: tuple[int, ...], k: int) -> Fit:
    fit: Fit = fitter.fit(Batch(x[None], y[None], levels, k), np.random.default_rng(0))
    return fit


def evidence(fitter: NaiveBayes, case: dict[str, Any]) -> np.ndarray:
    """Log-likelihood ratios against the first class without the prior, shape (n_test, K - 1).

    Naive Bayes is a product over features, so continuous features and factors are fitted apart.
    """
    y, n_classes = labels(case), len(case["classes"])
    n = np.bincount(y, minlength=n_classes)
    log_prior = np.log((n + fitter.laplace) / (len(y) + n_classes * fitter.laplace))
    total = np.zeros((len(case["X_test"]), n_classes - 1))
    factor_levels = tuple(len(case["levels"][i]) for i in columns(case, "factor"))
    for values, levels in ((numbers, ()), (codes, factor_levels)):
        train, test = values(case["X_train"], case), values(case["X_test"], case)
        if train.shape[1]:
            fit = fitted(fitter, train, y, levels, n_classes)
            assert fit.direction is None or not fit.direction.any()
            total += design(test, levels) @ fit.weights[0, 0].T - (log_prior[1:] - log_prior[0])
    return total


def shared_variance(case: dict[str, Any]) -> dict[str, float]:
    """Kinds of naive Bayes among the expected values that the project has, with their Laplace l."""
    prefix = "gauss_pooled_m" if columns(case, "cont") else ""
    if not columns(case, "factor"):
        return {prefix: 0.0}
    prefix += "_factor_l" if prefix else "factor_l"
    found = [name for name in case["expected"]["naive_bayes"] if name.startswith(prefix)]
    return {name: float(name.removeprefix(prefix)) for name in found}


@pytest.mark.parametrize(("folder", "case"), FITTERS)
def test_naive_bayes(folder: Path, case: dict[str, Any]) -> None:
    kinds = shared_variance(case)
    assert kinds
    for kind, laplace in kinds.items():
        expected = case["expected"]["naive_bayes"][kind]
        fitter = NaiveBayes(laplace=laplace, epsilon=0.0)
        if not expected["defined"]:
            # A probability of zero: held as a part of the rule that decides before the rest.
            levels = tuple(len(each) for each in case["levels"] if each)
            fit = fitted(fitter, codes(case["X_train"], case), labels(case), levels, 2)
            assert fit.direction is not None
            continue
        prior = expected["prior_empirical"]
        likelihood = np.array(prior["log_joint_test"]) - prior["log_prior"]
        ratios = likelihood[:, 1:] - likelihood[:, :1]
        # A difference of large log-likelihoods carries their rounding.
        noise = 8 * np.finfo(float).eps * np.abs(likelihood).max()
        np.testing.assert_allclose(evidence(fitter, case), ratios, rtol=RTOL, atol=RTOL + noise)


def coded_for_regression(case: dict[str, Any]) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
    """Training and test inputs: factors one-hot coded by the fitter unless numbers stand beside."""
    train, test = case["X_train"], case["X_test"]
    factors = columns(case, "factor")
    sizes = tuple(len(case["levels"][i]) for i in factors)
    if len(factors) == case["n_features"]:
        return codes(train, case), codes(test, case), sizes
    both = []
    for rows in (train, test):
        contrasts = [
            (codes(rows, case)[:, [j]] == np.arange(1, size)).astype(float)
            for j, size in enumerate(sizes)
        ]
        both.append(np.hstack([numbers(rows, case), *contrasts]))
    return both[0], both[1], ()


@pytest.mark.parametrize(("folder", "case"), FITTERS)
def test_logistic_regression(folder: Path, case: dict[str, Any]) -> None:
    if len(case["classes"]) > 2:
        pytest.skip("logistic regression here is for two classes")
    train, test, levels = coded_for_regression(case)
    y = labels(case)
    fit = fitted(LogisticRegression(), train, y, levels, 2)
    assert fit.outcome is not None
    assert fit.outcome.tolist() == [STATUS[case["expected"]["separation"]["status"]]]
    if fit.outcome[0] != Outcome.OVERLAP:
        return
    expected = case["expected"]["logistic"]
    weights = fit.weights[0, 0, 0]
    log_odds = design(test, levels) @ weights
    np.testing.assert_allclose(log_odds, expected["log_odds_test"], rtol=RTOL, atol=RTOL)
    margins = (design(train, levels) @ weights) * np.where(y == 1, 1.0, -1.0)
    loglik = -np.logaddexp(0.0, -margins).sum()
    assert loglik == pytest.approx(expected["loglik"], rel=RTOL)


@pytest.mark.parametrize(("folder", "case"), cases("golden_separability.json"))
def test_separability(folder: Path, case: dict[str, Any]) -> None:
    x, y = np.array(case["X_train"], np.float64), np.array(case["y_train"])
    fit = fitted(LogisticRegression(), x, y, (), 2)
    assert fit.outcome is not None
    assert fit.outcome.tolist() == [STATUS[case["status"]]]
    assert (fit.outcome[0] == Outcome.OVERLAP) == case["lr_mle_exists"]
    signed = design(x, ()) * np.where(y == 1, 1.0, -1.0)[:, None]
    rule = fit.weights if fit.direction is None else fit.direction
    margins = signed @ rule[0, 0, 0]
    if case["status"] == "complete":
        assert (margins > 0).all()
    if case["status"] == "quasi":
        assert (margins > -scoring.TIE).all()
        assert (margins > 1e-6).any()


def setting(folder: Path, name: str) -> Problem:
    """A simulated data set as a problem; numbers on their own scale. Group 1 is the first class."""
    table = np.loadtxt(folder / "datasets" / f"{name}.csv", delimiter=",", skiprows=1)
    assert np.array_equal(table[:, 0], np.arange(1, len(table) + 1))
    x, y = table[:, 2:], (table[:, 1] - 1).astype(np.int8)
    features = tuple(f"x{i + 1}" for i in range(x.shape[1]))
    if name.startswith("b"):
        levels = (2,) * x.shape[1]
        return Problem(
            name, "discrete", x.astype(np.int32), y, levels, features, ("1", "2"), NOWHERE
        )
    return Problem(name, "continuous", x, y, (), features, ("1", "2"), NOWHERE)


@pytest.mark.parametrize(("folder", "case"), cases("golden_splits.json", "splits"))
def test_split(folder: Path, case: dict[str, Any]) -> None:
    problem = setting(folder, case["setting"])
    pool = Pool.of(problem)
    rows = np.array([case["train_rows"]]) - 1
    batch = Batch(problem.x[rows], problem.y[rows], problem.levels, 2)
    naive_bayes = "NB" if problem.levels else "LDA"
    for fitter, metric in (
        (NaiveBayes(epsilon=0.0), naive_bayes),
        (LogisticRegression(), "LR"),
    ):
        fit = fitter.fit(batch, np.random.default_rng(0))
        scores = scoring.score(pool, fit, rows)
        expected = case["metrics"][metric]
        if fit.outcome is not None:
            assert (fit.outcome[0] == Outcome.OVERLAP) == case["LR_mle_exists"]
            assert (expected is not None) == case["LR_mle_exists"]
        if expected is None:
            assert scores.logloss.tolist() == [np.inf]
            continue
        assert scores.errors.tolist() == [expected["errors"]]
        total = scores.logloss[0] * scores.n_test
        assert total == pytest.approx(expected["LL_sum"], rel=RTOL)
