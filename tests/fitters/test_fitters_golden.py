"""Fitters against R, on the cases that come with its values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden import cases, setting
from rules import pool_of
from scipy.special import softmax

from gdcurves import scoring
from gdcurves.fitters import Batch, Fit
from gdcurves.fitters.features import Layout, design
from gdcurves.fitters.hybrid import Hybrid
from gdcurves.fitters.lda import LDA
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.logistic.certificates import Outcome

RTOL = 1e-9
FITTERS = cases("golden_fitters.json")
STATUS = {
    "overlap": Outcome.OVERLAP,
    "complete": Outcome.SEPARABLE,
    "quasi": Outcome.QUASI,
}


def levels(case: dict[str, Any]) -> tuple[int, ...]:
    """Number of levels of each feature, 0 for a continuous one."""
    return tuple(0 if each is None else len(each) for each in case["levels"])


def coded(rows: list[list[Any]], case: dict[str, Any]) -> np.ndarray:
    """Inputs, shape (n, d): numbers, and codes of factors."""
    values = [
        [
            value if known is None else known.index(value)
            for value, known in zip(row, case["levels"], strict=True)
        ]
        for row in rows
    ]
    return np.array(values, np.int32 if all(case["levels"]) else np.float64)


def labels(case: dict[str, Any]) -> np.ndarray:
    return np.array([case["classes"].index(each) for each in case["y_train"]])


def fitted(fitter: Any, case: dict[str, Any]) -> Fit:
    x, y = coded(case["X_train"], case), labels(case)
    names = tuple(f"x{i + 1}" for i in range(x.shape[1]))
    centre = x[:, [known is None for known in case["levels"]]].mean(axis=0)
    batch = Batch(x[None], y[None], levels(case), len(case["classes"]), names, centre)
    fit: Fit = fitter.fit(batch, np.random.default_rng(0))
    return fit


def log_odds(fit: Fit, case: dict[str, Any], rows: str = "X_test") -> np.ndarray:
    """Scores of rows of the case against the first class, shape (n, K - 1)."""
    train, x = coded(case["X_train"], case), coded(case[rows], case)
    layout = Layout.of(levels(case))
    origin = train[:, layout.continuous].mean(axis=0)
    vectors = fit.rules.feature_map.vectors(design(x, levels(case)), layout, origin)
    return vectors @ fit.rules.weights[0, 0].T


VARIANCES: dict[str, dict[str, Any]] = {
    "class_n1": {"variance": "per_class", "ddof": 1},
    "class_n": {"variance": "per_class", "ddof": 0},
    "pooled_m": {"variance": "shared", "ddof": 0},
    "pooled_mK": {"variance": "shared", "ddof": 1},
}


def options(kind: str) -> dict[str, Any]:
    """Options of naive Bayes for one of R's kinds: gauss_VAR, factor_lL, or both joined."""
    keywords: dict[str, Any] = {"epsilon": 0.0, "laplace": 1.0}
    for part in kind.replace("_factor", " factor").split():
        if part.startswith("gauss_"):
            keywords |= VARIANCES[part.removeprefix("gauss_")]
        else:
            keywords["laplace"] = float(part.removeprefix("factor_l"))
    return keywords


@pytest.mark.parametrize(("folder", "case"), FITTERS)
def test_naive_bayes(folder: Path, case: dict[str, Any]) -> None:
    for kind, expected in case["expected"]["naive_bayes"].items():
        chosen = options(kind)
        fit = fitted(NaiveBayes(**chosen, prior="empirical"), case)
        assert fit.diagnostics.degenerate is not None
        if not expected["defined"]:
            # A zero probability decides before the rest; a variance that cannot be had is counted.
            infinite = fit.rules.direction is not None and fit.rules.direction.any()
            assert infinite or fit.diagnostics.degenerate.all()
            continue
        assert fit.rules.direction is None or not fit.rules.direction.any()
        priors = {"empirical": expected["prior_empirical"]}
        if chosen["laplace"] == 1.0:
            priors["smoothed"] = expected["prior_laplace1"]
        for prior, values in priors.items():
            scores = log_odds(fitted(NaiveBayes(**chosen, prior=prior), case), case)
            joint = np.array(values["log_joint_test"])
            # A difference of large log-likelihoods carries their rounding.
            noise = 8 * np.finfo(float).eps * np.abs(joint).max()
            np.testing.assert_allclose(
                scores, joint[:, 1:] - joint[:, :1], rtol=RTOL, atol=RTOL + noise
            )


@pytest.mark.parametrize(("folder", "case"), FITTERS)
def test_logistic_regression(folder: Path, case: dict[str, Any]) -> None:
    fit = fitted(LogisticRegression(), case)
    assert fit.diagnostics.outcome is not None
    if "multinomial_logistic" in case["expected"]:
        expected = case["expected"]["multinomial_logistic"]
        weights = np.array(expected["coef"])
        assert fit.diagnostics.outcome.tolist() == [Outcome.OVERLAP]
        np.testing.assert_allclose(fit.rules.weights[0, 0], weights, rtol=RTOL, atol=RTOL)
        posterior = softmax(np.pad(log_odds(fit, case), ((0, 0), (1, 0))), axis=1)
        np.testing.assert_allclose(posterior, expected["posterior_test"], rtol=RTOL, atol=RTOL)
        return
    assert fit.diagnostics.outcome.tolist() == [STATUS[case["expected"]["separation"]["status"]]]
    if fit.diagnostics.outcome[0] != Outcome.OVERLAP:
        return
    expected = case["expected"]["logistic"]
    np.testing.assert_allclose(
        log_odds(fit, case)[:, 0], expected["log_odds_test"], rtol=RTOL, atol=RTOL
    )
    margins = log_odds(fit, case, "X_train")[:, 0] * np.where(labels(case) == 1, 1.0, -1.0)
    loglik = -np.logaddexp(0.0, -margins).sum()
    assert loglik == pytest.approx(expected["loglik"], rel=RTOL)


def having(key: str) -> list[Any]:
    """The cases with expected values of a kind; those that are skipped stay."""
    return [each for each in FITTERS if not each.values[1] or key in each.values[1]["expected"]]


@pytest.mark.parametrize(("folder", "case"), having("lda_full"))
@pytest.mark.parametrize(("ddof", "suffix"), [(1, ""), (0, "_mle")])
def test_lda(folder: Path, case: dict[str, Any], ddof: int, suffix: str) -> None:
    fit = fitted(LDA(ddof=ddof, epsilon=0.0, prior="empirical"), case)
    posterior = softmax(np.pad(log_odds(fit, case), ((0, 0), (1, 0))), axis=1)
    expected = case["expected"]["lda_full"]
    np.testing.assert_allclose(posterior, expected[f"posterior_test{suffix}"], rtol=1e-8)
    if len(case["classes"]) == 2:
        np.testing.assert_allclose(
            log_odds(fit, case)[:, 0], expected[f"log_odds_test{suffix}"], rtol=RTOL, atol=RTOL
        )


@pytest.mark.parametrize(("folder", "case"), having("hybrid"))
@pytest.mark.parametrize("how", ["in_sample", "leave_one_out"])
def test_hybrid(folder: Path, case: dict[str, Any], how: str) -> None:
    """R's ratios are of the second class; theta here has the first one's offset."""
    hybrids = case["expected"]["hybrid"]
    h1 = hybrids["h1"]
    numbers = range(1, 1 + h1 + hybrids["h2"])
    for kind, expected in hybrids.items():
        if not kind.startswith("gauss_"):
            continue
        fitter = Hybrid(
            blocks=(tuple(numbers[:h1]), tuple(numbers[h1:])),
            leave_one_out=how == "leave_one_out",
            normalised=True,
            **options(kind),
        )
        fit = fitted(fitter, case)
        assert fit.diagnostics.theta is not None
        theta = np.array(expected[how]["theta"]) * [-1, 1, 1]
        np.testing.assert_allclose(fit.diagnostics.theta[0], theta, rtol=RTOL, atol=RTOL)
        np.testing.assert_allclose(
            log_odds(fit, case)[:, 0], expected[how]["log_odds_test"], rtol=RTOL, atol=RTOL
        )


@pytest.mark.parametrize(("folder", "case"), cases("golden_separability.json"))
def test_separability(folder: Path, case: dict[str, Any]) -> None:
    x, y = np.array(case["X_train"], np.float64), np.array(case["y_train"])
    fit = LogisticRegression().fit(
        Batch(x[None], y[None], (0,) * x.shape[1], 2), np.random.default_rng(0)
    )
    assert fit.diagnostics.outcome is not None
    assert fit.diagnostics.outcome.tolist() == [STATUS[case["status"]]]
    assert (fit.diagnostics.outcome[0] == Outcome.OVERLAP) == case["lr_mle_exists"]
    signed = design(x, ()) * np.where(y == 1, 1.0, -1.0)[:, None]
    rule = fit.rules.weights if fit.rules.direction is None else fit.rules.direction
    margins = signed @ rule[0, 0, 0]
    if case["status"] == "complete":
        assert (margins > 0).all()
    if case["status"] == "quasi":
        assert (margins > -scoring.TIE).all()
        assert (margins > 1e-6).any()


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "case"), cases("golden_splits.json", "splits"))
def test_split(folder: Path, case: dict[str, Any]) -> None:
    problem = setting(folder, case["setting"])
    pool = pool_of(problem)
    rows = np.array([case["train_rows"]]) - 1
    batch = Batch(
        problem.x[rows], problem.y[rows], problem.levels, 2, problem.features, pool.centre
    )
    own: dict[str, Any] = {"variance": "per_class", "ddof": 1, "epsilon": 0.0}
    fitters = {
        "NB": NaiveBayes(**own),
        "LR": LogisticRegression(),
        "HYB": Hybrid(**own, normalised=True),
    }
    if not problem.levels:
        fitters["LDA"] = NaiveBayes(epsilon=0.0)
    for metric, fitter in fitters.items():
        fit = fitter.fit(batch, np.random.default_rng(0))
        scores = scoring.score(pool, fit, rows)
        expected = case["metrics"][metric]
        if fit.diagnostics.outcome is not None:
            exists = case[f"{metric}_mle_exists"]
            assert (fit.diagnostics.outcome[0] == Outcome.OVERLAP) == exists
            assert (expected is not None) == exists
        if expected is None:
            assert scores.values["logloss"].tolist() == [np.inf]
            continue
        assert scores.values["errors"].tolist() == [expected["errors"]]
        total = scores.values["logloss"][0] * scores.n_test
        assert total == pytest.approx(expected["LL_sum"], rel=RTOL)
        if fit.diagnostics.theta is not None:
            np.testing.assert_allclose(
                fit.diagnostics.theta[0], case["HYB_theta"], rtol=RTOL, atol=RTOL
            )
