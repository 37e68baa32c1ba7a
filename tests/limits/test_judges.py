"""Rules judged under their law: closed forms, quadrature, sums by hand, and many test rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import ndtr

from gdcurves.errors import UserError
from gdcurves.fitters import REGISTRY, Batch
from gdcurves.fitters.batch import Fit
from gdcurves.fitters.diagnostics import Diagnostics
from gdcurves.fitters.features import Layout, design
from gdcurves.fitters.maps import LEVEL_PAIRS, PRODUCTS, SQUARES
from gdcurves.fitters.rules import FunctionRules, LinearRules
from gdcurves.limits import judges
from gdcurves.limits.judge import Judge
from gdcurves.limits.normal_scores import expected_softplus, softplus_derivatives
from gdcurves.logistic.certificates import Outcome
from gdcurves.problems import fresh
from gdcurves.scoring.judged import Judged
from gdcurves.scoring.measures import chosen
from gdcurves.simulators import SimulationConfig

MEASURES = chosen(["error", "logloss", "balanced_error"])
NORMAL = {
    "gaussian": {
        "means": [[0.3, -1.0], [1.0, 0.4]],
        "covariances": [[[1.0, 0.3], [0.3, 0.5]], [[2.0, -0.4], [-0.4, 1.5]]],
    },
    "rows": [300, 700],
}
BLOCKS = {
    "blocks": [
        {"features": 3, "normal": {"shift": 0.84, "correlation": 0.25}},
        {"features": 2, "normal": {"total": 1.0}},
    ]
}
JOINT = {
    "cells": [
        {"00": 0.16, "10": 0.01, "01": 0.03, "11": 0.21},
        {"00": 0.08, "10": 0.13, "01": 0.24, "11": 0.14},
    ]
}
COUNTS = {"poisson": [{"a": 2, "b": 1}, {"a": 5, "b": 2}], "rows": [200, 800]}


def simulation(law: dict[str, Any]) -> SimulationConfig:
    return SimulationConfig.model_validate({**law, "test": "law"})


def values(judge: Judge, rules: Any, measures: Any = MEASURES) -> dict[str, float]:
    scores = judge.score(Fit(rules), 10, measures)
    assert np.isinf(scores.n_test).all()
    return {each.column: float(scores.values[each.column][0]) for each in measures}


def linear(*weights: float) -> LinearRules:
    return LinearRules(np.array(weights)[None, None, None])


@pytest.mark.parametrize("deviation", [0.0, 1e-3, 0.7, 3.99, 4.01, 30.0, 1e4])
@pytest.mark.parametrize("mean", [-60.0, -3.0, 0.0, 0.4, 80.0])
def test_log_loss_of_a_normal_score_by_quadrature(mean: float, deviation: float) -> None:
    found = expected_softplus(np.array([mean]), np.array([deviation]))[0]
    if deviation == 0:
        assert found == pytest.approx(np.logaddexp(0, mean), rel=1e-13)
        return
    z = np.array([-12.0, *np.clip((np.arange(-40, 41) - mean) / deviation, -12, 12), 12.0])
    expected = sum(
        integrate.fixed_quad(
            lambda t: np.logaddexp(0, mean + deviation * t) * stats.norm.pdf(t), a, b, n=60
        )[0]
        for a, b in zip(np.sort(z)[:-1], np.sort(z)[1:], strict=True)
    )
    assert found == pytest.approx(expected, rel=1e-11, abs=1e-11)


def test_derivatives_of_the_expected_loss() -> None:
    """By the mean of the score, each is the slope of the one before."""
    h = 1e-4
    for mean, deviation in ((0.3, 0.8), (-2.0, 5.0), (1.0, 40.0)):
        at = softplus_derivatives(mean, deviation)
        low, high = (softplus_derivatives(mean + side, deviation) for side in (-h, h))
        np.testing.assert_allclose(at[1:], (high - low)[:-1] / (2 * h), atol=1e-7)
        assert at[0] == pytest.approx(
            expected_softplus(np.array([mean]), np.array([deviation]))[0], abs=1e-12
        )


@pytest.mark.parametrize("law", [NORMAL, BLOCKS])
def test_linear_rules_on_normal_classes(law: dict[str, Any]) -> None:
    one = simulation(law)
    judge = judges.judge(one)
    d = len(one.law.features)
    w = np.random.default_rng(0).normal(size=d + 1)
    big = one.law.draw([200_000, 200_000], np.random.default_rng(1), 1)[0]
    halves = big[:200_000], big[200_000:]
    if law is NORMAL:
        means, covariances = one.law.moments()
    else:
        r = np.zeros((5, 5))
        r[:3, :3] = 0.25
        covariances = [r + np.diag(1 - np.diag(r))] * 2
        shift = np.array([0.84] * 3 + [1 / np.sqrt(2)] * 2)
        means = [-shift / 2, shift / 2]
    z = [
        (w[0] + w[1:] @ mean) / np.sqrt(w[1:] @ covariance @ w[1:])
        for mean, covariance in zip(means, covariances, strict=True)
    ]
    wrong = np.array([ndtr(z[0]), ndtr(-z[1])])
    found = values(judge, linear(*w))
    assert found["errors"] == pytest.approx(one.shares @ wrong, abs=1e-13)
    assert found["balanced_error"] == pytest.approx(wrong.mean(), abs=1e-13)
    scores = [w[0] + half @ w[1:] for half in halves]
    losses = [np.logaddexp(0, scores[0]), np.logaddexp(0, -scores[1])]
    se = np.sqrt(sum(p**2 * e.var() / len(e) for p, e in zip(one.shares, losses, strict=True)))
    mean = sum(p * e.mean() for p, e in zip(one.shares, losses, strict=True))
    assert abs(found["logloss"] - mean) < 4 * se


def test_what_counts_infinitely_more_decides_first() -> None:
    """A direction that tells rows apart; one that excludes a class; one that says nothing."""
    judge = judges.judge(simulation(NORMAL))
    w, other = np.array([0.2, 1.0, -0.5]), np.array([-0.1, 0.3, 0.8])

    def told(*direction: float) -> dict[str, float]:
        rules = linear(*w)
        rules = LinearRules(rules.weights, np.array(direction)[None, None, None])
        return values(judge, rules)

    alone = values(judge, linear(*other))
    assert told(*other)["errors"] == alone["errors"]
    assert told(*other)["logloss"] == np.inf
    assert told(-1e6, 0, 0)["errors"] == pytest.approx(0.7)  # always the first class
    assert told(1e6, 0, 0)["errors"] == pytest.approx(0.3)
    assert told(0, 0, 0) == values(judge, linear(*w))
    # A rule that is the same for all rows: ties go to the first class.
    assert values(judge, linear(0, 0, 0))["errors"] == pytest.approx(0.7)
    assert values(judge, linear(0, 0, 0))["logloss"] == pytest.approx(np.log(2))


def test_no_log_loss_without_a_finite_maximum() -> None:
    judge = judges.judge(simulation(NORMAL))
    fit = Fit(linear(0, 1, 1), Diagnostics(outcome=np.array([Outcome.SEPARABLE])))
    assert judge.score(fit, 10, MEASURES).values["logloss"][0] == np.inf
    assert judge.score(fit, 10, MEASURES).values["errors"][0] < 0.5


def test_sums_over_cells_by_hand() -> None:
    """A rule for x2 = 1 against x2 = 0, of which each cell is known."""
    judge = judges.judge(simulation(JOINT))
    rule = linear(0, 0, 0, -1.0, 2.0)  # one-hot: x1 says nothing
    found = values(judge, rule, chosen(["error", "logloss", "balanced_error", "brier"]))
    assert found["errors"] == pytest.approx(0.03 + 0.21 + 0.08 + 0.13, abs=1e-14)
    shares = 0.41, 0.59
    assert found["balanced_error"] == pytest.approx((0.24 / 0.41 + 0.21 / 0.59) / 2, abs=1e-14)
    low, high = 1 / (1 + np.exp(1.0)), 1 / (1 + np.exp(-2.0))  # P(second class)
    losses = (
        -(0.16 + 0.01) * np.log(1 - low)
        - (0.03 + 0.21) * np.log(1 - high)
        - (0.08 + 0.13) * np.log(low)
        - (0.24 + 0.14) * np.log(high)
    )
    assert found["logloss"] == pytest.approx(losses, abs=1e-14)
    brier = 0.17 * low**2 + 0.24 * high**2 + 0.21 * (1 - low) ** 2 + 0.38 * (1 - high) ** 2
    assert found["brier"] == pytest.approx(brier, abs=1e-14)
    assert judge.shares == pytest.approx(shares)
    # The same rule as a function of codes.
    log_p = np.array([np.log([1 - low, low]), np.log([1 - high, high])])
    function = FunctionRules(lambda b, x: log_p[x[:, 1]][None], n_draws=1, n_sets=1)
    again = values(judge, function, chosen(["error", "logloss", "balanced_error", "brier"]))
    assert again["errors"] == found["errors"]
    for name in ("logloss", "brier"):
        assert again[name] == pytest.approx(found[name], abs=1e-14)


@pytest.mark.parametrize("feature_map", [SQUARES, PRODUCTS])
def test_quadratic_rules_of_one_normal_feature(feature_map: Any) -> None:
    """A + b x + c x^2 > 0 between or beyond two roots; squares are measured from the centre."""
    law = {
        "gaussian": {"means": [[0.0], [1.5]], "covariances": [[[1.0]], [[2.5]]]},
        "rows": [600, 400],
    }
    judge = judges.judge(simulation(law))
    (centre,) = judge.centre
    assert centre == pytest.approx(0.6)
    a, b, c = -1.0, 0.4, 0.7
    roots = centre + np.sort(np.roots([c, b, a]))
    inside = [
        stats.norm(mean, np.sqrt(variance)).cdf(roots) for mean, variance in ((0, 1), (1.5, 2.5))
    ]
    wrong = [1 - (inside[0][1] - inside[0][0]), inside[1][1] - inside[1][0]]
    found = values(judge, LinearRules(np.array([a, b, c])[None, None, None], None, feature_map))
    assert found["errors"] == pytest.approx(0.6 * wrong[0] + 0.4 * wrong[1], abs=1e-12)
    x = np.linspace(-25, 25, 200_001)
    score = a + b * (x - centre) + c * (x - centre) ** 2
    density = stats.norm(0, 1).pdf(x), stats.norm(1.5, np.sqrt(2.5)).pdf(x)
    losses = 0.6 * density[0] * np.logaddexp(0, score) + 0.4 * density[1] * np.logaddexp(0, -score)
    assert found["logloss"] == pytest.approx(np.trapezoid(losses, x), abs=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("law", [NORMAL, BLOCKS, JOINT, COUNTS, {"name": "bu_full"}])
def test_fitted_rules_have_the_errors_of_many_test_rows(law: dict[str, Any]) -> None:
    one = simulation(law)
    judge = judges.judge(one)
    n = np.round(one.shares * 60_000).astype(int)
    y = np.repeat([0, 1], n)
    x = one.law.draw(n.tolist(), np.random.default_rng(5), 1)[0]
    names = {"naive_bayes": {}, "logistic_regression": {}}
    if 0 in one.law.levels:
        names["lda"] = {}
    fitters = [REGISTRY[name](**options) for name, options in names.items()]
    fitters.append(REGISTRY["naive_bayes"](variance="per_class"))
    for m, drawn in fresh.draw(one, [6, 40], range(4), 1, "e"):
        batch = Batch(drawn.x, drawn.y, one.law.levels, 2, one.law.features, judge.centre)
        for fitter in fitters:
            fit = fitter.fit(batch, np.random.default_rng(0))
            errors = judge.score(fit, m, MEASURES).values["errors"]
            layout = Layout.of(one.law.levels)
            rows = fit.rules.feature_map.vectors(design(x, one.law.levels), layout, judge.centre)
            scores = np.einsum("nq,bkq->knb", rows, fit.rules.weights[0])
            leading = fit.rules.direction
            leading = None if leading is None else np.einsum("nq,bkq->knb", rows, leading[0])
            sampled = (Judged.of(scores, leading).predicted != y[:, None]).mean(axis=0)
            assert (np.abs(errors - sampled) < 4.5 * np.sqrt(errors / len(y)) + 1e-6).all()


def test_many_bits_are_judged_by_test_rows() -> None:
    one = simulation({"blocks": [{"features": 20, "p": [0.4, 0.6]}], "rows": 2000})
    judge = judges.judge(one).of(1, "e", range(3))
    weights = np.concatenate([[0.0], np.tile([-1.0, 1.0], 20)])
    rules = LinearRules(np.tile(weights, (1, 3, 1, 1)))
    scores = judge.score(Fit(rules), 10, MEASURES)
    assert (scores.n_test == 2000).all()
    # More than half of the bits say the second class; a tie is the first's.
    wrong = stats.binom(20, 0.4).sf(10), stats.binom(20, 0.6).cdf(10)
    errors = scores.values["errors"] / 2000
    assert len(set(errors)) == 3
    assert (np.abs(errors - np.mean(wrong)) < 4.5 * np.sqrt(np.mean(wrong) / 2000)).all()
    # The same rule with products that say nothing.
    pairs = np.zeros(LEVEL_PAIRS.n_products(Layout.of(one.law.levels)))
    longer = np.concatenate([weights, pairs])
    more = LinearRules(np.tile(longer, (1, 3, 1, 1)), None, LEVEL_PAIRS)
    again = judge.score(Fit(more), 10, MEASURES).values["errors"]
    assert (again == scores.values["errors"]).all()
    some = judge.of_sets(np.array([False, True, False]))
    alone = some.score(Fit(LinearRules(weights[None, None, None])), 10, MEASURES)
    assert alone.values["errors"][0] == scores.values["errors"][1]


@pytest.mark.parametrize(
    ("law", "words"),
    [
        (
            {"gaussian": {"means": [[0], [1], [2]], "covariances": [[1]]}, "rows": 300},
            "3 normal classes are not known exactly",
        ),
        (
            {"blocks": [{"features": 2, "p": [0.1, 0.2]}, {"features": 1, "normal": {"shift": 1}}]},
            "both normal features and bits",
        ),
        ({"poisson": [{c: 1000 for c in "abc"}, {c: 900 for c in "abc"}]}, "too many to sum over"),
    ],
)
def test_what_cannot_be_judged_is_refused(law: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError, match=words):
        judges.judge(simulation(law))
