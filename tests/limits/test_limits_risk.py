"""Errors and log losses of quadratic rules against R, scipy's distributions and quadrature."""

from __future__ import annotations

import csv
import itertools
from pathlib import Path

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import ndtr

from gdcurves.limits.contour import SOFTPLUS, STEP, nodes
from gdcurves.limits.quadratic import DiagonalForm, Quadratic, diagonal, log_ratio
from gdcurves.limits.risk import below_zero, expected_loss, risk
from gdcurves.simulators import NAMED

HALF = np.full(2, 0.5)


def reference(shared: Path, setting: str, method: str) -> tuple[float, float]:
    with (shared / "reference" / "population.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if (row["setting"], row["method"]) == (setting, method):
                return float(row["ER"]), float(row["LL_per_obs"])
    raise LookupError(setting, method)


def rule_of(method: str, means: np.ndarray, covariances: np.ndarray) -> Quadratic:
    variances = np.array([np.diag(np.diag(each)) for each in covariances])
    shared = np.array([variances.mean(axis=0)] * 2)
    of = {"BAYES": covariances, "NB": variances, "LDA": shared}
    return log_ratio(means, of[method])


def softplus(s: np.ndarray) -> np.ndarray:
    return np.logaddexp(0, s)


def random_form(rng: np.random.Generator, d: int) -> DiagonalForm:
    """Coefficients of very different sizes, about half of the probability on each side."""
    a = rng.normal(size=d) * 10 ** rng.uniform(-9, 2, size=d) * (rng.random(d) < 0.8)
    g = rng.normal(size=d) * 10 ** rng.uniform(-5, 2, size=d)
    form = DiagonalForm(0.0, g, a)
    return DiagonalForm(-form.mean + np.sqrt(form.variance) * rng.normal(), g, a)


@pytest.mark.parametrize("setting", ["ce_diag", "ce_full", "cu_diag", "cu_block"])
@pytest.mark.parametrize("method", ["BAYES", "NB", "LDA"])
def test_population_values_of_the_reference(shared, setting, method):
    means, covariances = NAMED[setting].moments()
    result = risk(rule_of(method, means, covariances), means, covariances, HALF)
    error, logloss = reference(shared, setting, method)
    assert result.error == pytest.approx(error, abs=1e-12)
    assert result.logloss == pytest.approx(logloss, abs=1e-11)
    assert max(result.error_accuracy, result.logloss_accuracy) < 1e-14


@pytest.mark.parametrize("distance", [0.1, 1.0, 4.0, 30.0])
@pytest.mark.parametrize("d", [1, 5])
def test_bayes_error_of_equal_covariances(distance, d):
    means = np.zeros((2, d))
    means[1, 0] = distance
    covariances = np.array([np.eye(d)] * 2)
    result = risk(log_ratio(means, covariances), means, covariances, HALF)
    assert result.error == pytest.approx(ndtr(-distance / 2), rel=1e-12)


@pytest.mark.parametrize("z", [0.0, 1.0, 10.0, 35.0])
@pytest.mark.parametrize("curvature", [1e-9, -1e-9, 1e-16])
def test_small_probabilities_and_small_curvatures(z, curvature):
    """The contour integral where s is normal, or nearly: z + slope * N(0, 1)."""
    linear = DiagonalForm(5 * z, np.array([3.0, 4.0]), np.zeros(2))
    assert nodes(linear, STEP).sum == pytest.approx(ndtr(-z), rel=1e-12)
    bent = DiagonalForm(5 * z, np.array([3.0, 4.0]), np.full(2, curvature))
    assert below_zero(bent)[0] == pytest.approx(ndtr(-z), rel=1e-5)
    assert expected_loss(bent)[0] == pytest.approx(expected_loss(linear)[0], rel=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_sums_of_squares(seed):
    """Non-central chi-square and F distributions."""
    rng = np.random.default_rng(seed)
    d, shift = int(rng.integers(1, 6)), 10 ** rng.uniform(-2, 1)
    delta, scale = rng.normal(size=d) * shift, 10 ** rng.uniform(-3, 3)
    n = delta @ delta
    q = stats.ncx2.ppf(rng.uniform(0.001, 0.999), d, n)
    form = DiagonalForm(scale * (n - q), 2 * scale * delta, np.full(d, scale))
    assert below_zero(form)[0] == pytest.approx(stats.ncx2.cdf(q, d, n), abs=1e-12)
    assert below_zero(-form)[0] == pytest.approx(stats.ncx2.sf(q, d, n), abs=1e-12)
    m, n, x = int(rng.integers(1, 5)), int(rng.integers(1, 5)), 10 ** rng.uniform(-2, 2)
    form = DiagonalForm(0.0, np.zeros(m + n), np.r_[np.full(m, 1 / m), np.full(n, -x / n)])
    assert below_zero(form)[0] == pytest.approx(stats.f.cdf(x, m, n), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_forms_in_two_variables_by_quadrature(seed):
    """Normal probabilities of the second variable, integrated over the first."""
    rng = np.random.default_rng(seed)
    (a1, a2), (g1, g2), c = rng.normal(size=2), rng.normal(size=2), rng.normal()

    def given(z: float) -> float:
        """P(form < 0) given the first variable."""
        rest = c + g1 * z + a1 * z**2
        discriminant = g2**2 - 4 * a2 * rest
        if discriminant <= 0:
            return float(rest < 0)
        low, high = np.sort((-g2 + np.array([-1, 1]) * np.sqrt(discriminant)) / (2 * a2))
        between = float(ndtr(high) - ndtr(low))
        return between if a2 > 0 else 1 - between

    kinks = np.roots([-4 * a2 * a1, -4 * a2 * g1, g2**2 - 4 * a2 * c])
    edges = np.sort(np.r_[-9, 9, kinks[np.isreal(kinks)].real])
    expected = sum(
        integrate.quad(
            lambda z: given(z) * stats.norm.pdf(z), low, high, epsabs=1e-12, epsrel=1e-12, limit=500
        )[0]
        for low, high in itertools.pairwise(edges)
    )
    form = DiagonalForm(c, np.array([g1, g2]), np.array([a1, a2]))
    assert below_zero(form)[0] == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(
    ("c", "g", "a"), [(1.0, 2.0, 0.0), (0.3, 1.0, -0.5), (-3.0, 0.0, 2.0), (4.0, -3.0, 0.6)]
)
def test_log_loss_by_quadrature(c, g, a):
    form = DiagonalForm(c, np.array([g]), np.array([a]))
    z = np.linspace(-12, 12, 4801)  # the trapezoidal rule is exact to rounding here
    values = softplus(-(c + g * z + a * z**2)) * stats.norm.pdf(z)
    assert expected_loss(form)[0] == pytest.approx(values.sum() * 0.005, abs=1e-12)
    assert expected_loss(form)[1] < 1e-13


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_large_samples_agree(seed):
    rng = np.random.default_rng(seed)
    d = int(rng.integers(2, 6))
    roots = rng.normal(size=(2, d, d))
    means, covariances = rng.normal(size=(2, d)), roots @ roots.transpose(0, 2, 1)
    A = rng.normal(size=(d, d))
    rule = Quadratic(float(rng.normal()), rng.normal(size=d), (A + A.T) / 4)
    priors = np.array([0.3, 0.7])
    result = risk(rule, means, covariances, priors)
    n = 400_000
    x = [m + rng.standard_normal((n, d)) @ root.T for m, root in zip(means, roots, strict=True)]
    wrong = [rule(x[0]) > 0, rule(x[1]) <= 0]
    losses = [softplus(rule(x[0])), softplus(-rule(x[1]))]
    for exact, samples in ((result.error, wrong), (result.logloss, losses)):
        mean = sum(p * each.mean() for p, each in zip(priors, samples, strict=True))
        variance = sum(p**2 * each.var() / n for p, each in zip(priors, samples, strict=True))
        assert abs(mean - exact) < 4.5 * np.sqrt(variance)


@pytest.mark.parametrize("seed", range(3))
def test_maps_of_x_change_nothing(seed):
    rng = np.random.default_rng(seed)
    means, covariances = NAMED["cu_full"].moments()
    T, shift = rng.normal(size=(4, 4)), rng.normal(size=4)
    moved = risk(
        log_ratio(means @ T.T + shift, T @ covariances @ T.T),
        means @ T.T + shift,
        T @ covariances @ T.T,
        HALF,
    )
    still = risk(log_ratio(means, covariances), means, covariances, HALF)
    assert moved.error == pytest.approx(still.error, abs=1e-11)
    assert moved.logloss == pytest.approx(still.logloss, abs=1e-11)


@pytest.mark.slow
def test_coefficients_of_all_sizes_are_integrated_to_rounding():
    rng = np.random.default_rng(7)
    for _ in range(200):
        form = random_form(rng, int(rng.integers(1, 7)))
        (p, p_error), (q, q_error) = below_zero(form), below_zero(-form)
        assert p + q == pytest.approx(1, abs=1e-13)
        loss, loss_error = expected_loss(form)
        # log(1 + exp(-s)) - log(1 + exp(s)) = -s
        assert loss - expected_loss(-form)[0] == pytest.approx(-form.mean, rel=1e-10, abs=1e-13)
        assert max(p_error, q_error) < 1e-12
        assert loss_error < 1e-12 * (1 + loss)


def test_wide_scores_lose_their_negative_part():
    """For a wide s, log(1 + exp(-s)) is nearly max(0, -s): by pi^2 / 6 of the density at 0."""
    sd = 1e3
    form = DiagonalForm(0.5 * sd, np.array([sd]), np.zeros(1))
    negative = sd * (stats.norm.pdf(0.5) - 0.5 * ndtr(-0.5))
    density = stats.norm.pdf(0.5) / sd
    assert expected_loss(form)[0] == pytest.approx(negative + np.pi**2 / 6 * density, abs=1e-8)


@pytest.mark.parametrize("mean", [50.0, 600.0])
def test_log_loss_of_scores_that_are_all_large(mean):
    """There log(1 + exp(-s)) is exp(-s), whose expectation for normal s is known."""
    form = DiagonalForm(mean, np.array([0.6, 0.8]), np.zeros(2))
    assert expected_loss(form)[0] == pytest.approx(np.exp(0.5 - mean), rel=1e-11, abs=0)


def test_forms_of_one_sign():
    square = DiagonalForm(0.0, np.zeros(3), np.array([1.0, 2.0, 0.0]))
    assert (below_zero(square)[0], below_zero(-square)[0]) == (0.0, 1.0)
    touching = DiagonalForm(1.0, np.array([2.0]), np.array([1.0]))  # (z + 1)^2
    assert below_zero(touching)[0] == 0.0
    # rounding in a form that does not depend on some direction must not give it a sign there
    rng = np.random.default_rng(0)
    v = rng.normal(size=5)
    form, _ = diagonal(Quadratic(0.0, np.zeros(5), np.outer(v, v)))
    assert below_zero(form) == (0.0, 0.0)


@pytest.mark.parametrize(("c", "error"), [(0.0, 0.7), (1e-11, 0.7), (0.5, 0.3), (-0.5, 0.7)])
def test_constant_scores(c, error):
    """All rows go to one class; a tie to the first."""
    means, covariances = NAMED["cu_diag"].moments()
    rule = Quadratic(c, np.zeros(4), np.zeros((4, 4)))
    result = risk(rule, means, covariances, np.array([0.3, 0.7]))
    loss = 0.3 * softplus(np.array(c)) + 0.7 * softplus(np.array(-c))
    assert (result.error, result.logloss) == (error, pytest.approx(loss, abs=1e-14))


def test_log_ratio_of_some_features_is_that_of_their_marginal_laws():
    means, covariances = NAMED["cu_full"].moments()
    x = np.random.default_rng(0).normal(size=(7, 4))
    some = [3, 1]
    expected = [
        stats.multivariate_normal(means[k, some], covariances[k][np.ix_(some, some)]).logpdf(
            x[:, some]
        )
        for k in range(2)
    ]
    np.testing.assert_allclose(
        log_ratio(means, covariances, some)(x), expected[1] - expected[0], atol=1e-13
    )


def test_the_kernel_of_the_log_loss_far_up_the_plane():
    u = np.array([0.25 + 0.5j, 0.3 + 3j])
    plain = np.pi / (u * np.sin(np.pi * u))
    np.testing.assert_allclose(np.exp(SOFTPLUS.log(u)), plain, rtol=1e-14)
    assert np.isfinite(SOFTPLUS.log(np.array([0.5 + 1e6j]))).all()
