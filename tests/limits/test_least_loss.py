"""Population logistic regression and hybrids against R and identities; points for K classes."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from gdcurves.limits import least_loss
from gdcurves.limits.points import points
from gdcurves.limits.quadratic import Quadratic, log_ratio, weighted_sum
from gdcurves.limits.risk import risk
from gdcurves.simulators import NAMED

HALF = np.full(2, 0.5)
# Efron (1975): asymptotic relative efficiency of logistic regression, by the distance of the means.
EFRON = {1: 0.995, 1.5: 0.968, 2: 0.899, 2.5: 0.786, 3: 0.641, 3.5: 0.486, 4: 0.343}


def reference(shared: Path, setting: str, method: str) -> tuple[np.ndarray, float, float]:
    """Parameters, error and log loss; the parameters for scores of the second class."""
    folder = shared / "reference"
    with (folder / "population_parameters.csv").open(encoding="utf-8") as file:
        values = [
            float(row["value"])
            for row in csv.DictReader(file)
            if row["setting"] == setting and row["parameter"].startswith(method)
        ]
    with (folder / "population.csv").open(encoding="utf-8") as file:
        rows = {(row["setting"], row["method"]): row for row in csv.DictReader(file)}
    row = rows[setting, method]
    theta = -np.array(values)  # the reference's scores are those of the first class
    if method == "HYB":  # and so are its log ratios; theta there is 2 for each block, not 1
        theta *= [1, -0.5, -0.5]
    return theta, float(row["ER"]), float(row["LL_per_obs"])


def features(d: int) -> list[Quadratic]:
    return [Quadratic(0.0, np.eye(d)[i], np.zeros((d, d))) for i in range(d)]


def blocks(means: np.ndarray, covariances: np.ndarray) -> list[Quadratic]:
    """Log ratios of naive Bayes on x1, x2 and on x3, x4."""
    variances = np.array([np.diag(np.diag(each)) for each in covariances])
    return [log_ratio(means, variances, some) for some in ([0, 1], [2, 3])]


def scores(method: str, means: np.ndarray, covariances: np.ndarray) -> Sequence[Quadratic]:
    return features(4) if method == "LR" else blocks(means, covariances)


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["ce_diag", "ce_full", "cu_diag", "cu_block"])
@pytest.mark.parametrize("method", ["LR", "HYB"])
def test_population_values_of_the_reference(shared, setting, method):
    means, covariances = NAMED[setting].moments()
    limit = least_loss.fit(scores(method, means, covariances), means, covariances, HALF)
    exact = risk(limit.rule, means, covariances, HALF)
    theta, error, logloss = reference(shared, setting, method)
    assert np.abs(limit.loss.gradient).max() < 1e-11
    assert exact.logloss == pytest.approx(limit.loss.value, abs=1e-14)
    if method == "HYB" and setting.startswith("cu"):
        # The reference's theta comes from a sample of 2e6 rows: its loss is larger, by half a
        # chi-square with 3 degrees of freedom over the number of rows.
        z = (theta - limit.theta) @ limit.loss.hessian @ (theta - limit.theta) * 2e6
        assert z < 25
        assert limit.loss.value < logloss < limit.loss.value + 13 / 2e6
        assert exact.error == pytest.approx(error, abs=1e-5)
    else:
        np.testing.assert_allclose(limit.theta, theta, rtol=0, atol=1e-10)
        assert exact.error == pytest.approx(error, abs=1e-12)
        assert exact.logloss == pytest.approx(logloss, abs=1e-12)


@pytest.mark.parametrize("setting", ["ce_diag", "ce_block", "ce_full"])
def test_logistic_regression_is_the_bayes_rule_for_equal_covariances(setting):
    means, covariances = NAMED[setting].moments()
    priors = np.array([0.2, 0.8])
    limit = least_loss.fit(features(4), means, covariances, priors)
    bayes = log_ratio(means, covariances)
    expected = [bayes.c + np.log(0.8 / 0.2), *bayes.b]
    np.testing.assert_allclose(limit.theta, expected, rtol=0, atol=1e-9)


def test_hybrid_is_naive_bayes_where_features_are_independent():
    means, covariances = NAMED["cu_diag"].moments()
    limit = least_loss.fit(blocks(means, covariances), means, covariances, np.array([0.1, 0.9]))
    np.testing.assert_allclose(limit.theta, [np.log(9), 1, 1], rtol=0, atol=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("distance", EFRON)
def test_efficiency_of_logistic_regression(distance):
    """Efron's formula (1 + D^2 / 4) A with A = 4 E p(1 - p), where the Hessian holds E p(1 - p)."""
    means, covariances = np.array([[0.0], [distance]]), np.ones((2, 1, 1))
    limit = least_loss.fit(features(1), means, covariances, HALF)
    efficiency = (1 + distance**2 / 4) * 4 * limit.loss.hessian[0, 0]
    assert efficiency == pytest.approx(EFRON[distance], abs=5.1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("theta", [[0.0, 0.0, 0.0], [3.0, 1.5, -0.5], [-4.0, 2.0, 1.0]])
def test_derivatives(theta, sign):
    means, covariances = NAMED["cu_full"].moments()
    one = Quadratic(1.0, np.zeros(4), np.zeros((4, 4)))
    terms = [
        each.standardised(means[1], covariances[1]) for each in [one, *blocks(means, covariances)]
    ]
    at = least_loss.expected_loss(np.array(theta), terms, sign)
    h = 1e-4
    around = [
        [least_loss.expected_loss(theta + side * h * e, terms, sign) for side in (-1, 1)]
        for e in np.eye(3)
    ]
    slopes = [(high.value - low.value) / (2 * h) for low, high in around]
    np.testing.assert_allclose(at.gradient, slopes, rtol=1e-6, atol=1e-9)
    slopes = [(high.gradient - low.gradient) / (2 * h) for low, high in around]
    np.testing.assert_allclose(at.hessian, slopes, rtol=1e-6, atol=1e-9)
    x = np.random.default_rng(1).standard_normal((400_000, 4))
    losses = np.logaddexp(0, -sign * weighted_sum(theta, terms)(x))
    assert abs(losses.mean() - at.value) <= 4.5 * losses.std() / np.sqrt(len(x)) + 1e-12


def test_maps_of_x_change_nothing():
    means, covariances = NAMED["cu_full"].moments()
    rng = np.random.default_rng(0)
    T, shift = rng.normal(size=(4, 4)), 100 * rng.normal(size=4)
    still = least_loss.fit(features(4), means, covariances, HALF)
    moved = least_loss.fit(features(4), means @ T.T + shift, T @ covariances @ T.T, HALF)
    assert moved.loss.value == pytest.approx(still.loss.value, abs=1e-12)
    np.testing.assert_allclose(T.T @ moved.theta[1:], still.theta[1:], rtol=1e-8)


def test_redundant_scores_share_their_weight():
    means, covariances = NAMED["cu_block"].moments()
    first, second = blocks(means, covariances)
    plain = least_loss.fit([first, second], means, covariances, HALF)
    twice = least_loss.fit([first, second, first], means, covariances, HALF)
    assert twice.loss.value == pytest.approx(plain.loss.value, abs=1e-14)
    np.testing.assert_allclose(
        twice.theta, plain.theta[[0, 1, 2, 1]] * [1, 0.5, 1, 0.5], atol=1e-10
    )


def test_points_stand_for_three_classes():
    rng = np.random.default_rng(0)
    roots = rng.normal(size=(3, 2, 2))
    means, covariances = rng.normal(size=(3, 2)), roots @ roots.transpose(0, 2, 1)
    n, scrambles = 2**12, 16
    x = np.array([points(means, covariances, n, rng) for _ in range(scrambles)])
    assert x.shape == (scrambles, 3, n, 2)
    assert (x[0] != x[1]).all()
    np.testing.assert_allclose(x.mean(axis=(0, 2)), means, atol=1e-3)
    for k in range(3):
        rows = (x[:, k] - means[k]).reshape(-1, 2)
        np.testing.assert_allclose(rows.T @ rows / len(rows), covariances[k], atol=5e-3)
    # the risk of the first two classes' Bayes rule, which is known
    rule = log_ratio(means[:2], covariances[:2])
    exact = risk(rule, means[:2], covariances[:2], HALF)
    losses = np.logaddexp(0, np.stack([rule(x[:, 0]), -rule(x[:, 1])])).mean(axis=(0, 2))
    se = losses.std(ddof=1) / np.sqrt(scrambles)
    assert abs(losses.mean() - exact.logloss) < 5 * se
    assert se < 0.1 * np.sqrt(exact.logloss / n / scrambles)  # far below that of random rows
    with pytest.raises(ValueError, match="100 is no power of two"):
        points(means, covariances, 100, rng)
