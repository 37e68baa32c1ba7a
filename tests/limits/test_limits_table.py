"""The table of limits: R's population values, closed cases, and the Bayes rule as a bound."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import integrate
from scipy.special import ndtr
from sklearn.linear_model import LinearRegression

import gdcurves.limits.populations
from gdcurves import config, plan
from gdcurves.fitters import REGISTRY, LinearFit
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.fitters.nearest_centroid import NearestCentroid
from gdcurves.fitters.population import Population
from gdcurves.limits.populations import POPULATIONS, populations
from gdcurves.limits.table import table
from gdcurves.simulators import Gaussian

METHODS = {
    "BAYES": "bayes",
    "NB": "naive_bayes",
    "LDA": "naive_bayes_shared",
    "LR": "logistic_regression",
    "HYB": "hybrid",
}
ALL = """\
  - {type: naive_bayes, variance: per_class, epsilon: 0}
  - type: logistic_regression
  - {type: hybrid, variance: per_class, epsilon: 0}
"""
CONTINUOUS = (
    ALL
    + """\
  - {type: naive_bayes, name: naive_bayes_shared, epsilon: 0}
  - {type: hybrid, name: hybrid_shared, epsilon: 0}
  - {type: lda, epsilon: 0}
  - type: nearest_centroid
"""
)

Limits = Callable[..., pd.DataFrame]


@pytest.fixture
def limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Limits:
    """Limits of experiments that stand under `simulate` as given, with the fitters as index.

    Points for three normal classes are fewer than usual.
    """
    monkeypatch.setattr(gdcurves.limits.populations, "CLOUD_SIZE", 2**10)

    def limits(simulate: str, fitters: str = CONTINUOUS, stratified: bool = False) -> pd.DataFrame:
        path = tmp_path / "my.yaml"
        path.write_text(
            f"sizes: [10]\nfitters:\n{fitters}experiments:\n"
            f"- {{name: one, stratified: {str(stratified).lower()}, simulate: {simulate}}}\n"
        )
        rows, without = table(plan.make(config.load(path)))
        assert not without
        return rows.set_index("fitter")

    return limits


@pytest.fixture(scope="module")
def shipped() -> pd.DataFrame:
    rows, without = table(plan.make(config.load(config.find("xue_titterington.yaml"))))
    assert not without
    return rows.set_index(["experiment", "fitter"])


def read(shared: Path, name: str) -> list[dict[str, str]]:
    with (shared / "reference" / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
def test_population_values_of_the_reference(shared: Path, shipped: pd.DataFrame) -> None:
    """1e-9 for sums over cells, 1e-6 for integrals; where R's theta is estimated, its own error."""
    values = read(shared, "population.csv")
    assert len(values) == 36
    for row in values:
        ours = shipped.loc[(row["setting"], METHODS[row["method"]])]
        error, logloss = float(row["ER"]), float(row["LL_per_obs"])
        if row["how"].startswith("theta from"):
            # From 2e6 rows: the loss is larger by half a chi-square with 3 degrees of freedom.
            assert ours["logloss"] < logloss < ours["logloss"] + 13 / 2e6
            assert ours["error"] == pytest.approx(error, abs=1e-5)
            continue
        exact = 1e-9 if row["how"].startswith("enumeration") else 1e-6
        assert ours["error"] == pytest.approx(error, abs=exact)
        assert ours["logloss"] == pytest.approx(logloss, abs=exact)


@pytest.mark.slow
def test_population_parameters_of_the_reference(shared: Path, shipped: pd.DataFrame) -> None:
    """Theta has R's signs; the weights of logistic regression are those of the second class."""
    planned = plan.make(config.load(config.find("xue_titterington.yaml")))
    experiments = {each.name: each for each in planned.experiments}
    values = read(shared, "population_parameters.csv")
    assert len(values) == 64
    for name in {row["setting"] for row in values}:
        here = {row["parameter"]: row for row in values if row["setting"] == name}
        simulation = experiments[name].simulation
        assert simulation is not None
        (exact,) = populations(simulation, stratified=True)
        weights = -LogisticRegression().population(exact).rules.weights[0, 0, 0]
        if name.startswith("b"):  # one-hot codes of two levels against the level 0
            low, high = weights[1::2], weights[2::2]
            weights = np.array([weights[0] + low.sum(), *(high - low)])
        expected = [float(here[f"LR_b{i}"]["value"]) for i in range(5)]
        np.testing.assert_allclose(weights, expected, atol=1e-8)
        thetas = [float(here[f"HYB_theta{i}"]["value"]) for i in range(3)]
        sampled = here["HYB_theta0"]["approximate"] != "no"
        ours = [shipped.loc[(name, "hybrid"), f"theta{i}"] for i in range(3)]
        np.testing.assert_allclose(ours, thetas, atol=0.05 if sampled else 1e-8)


@pytest.mark.slow
def test_the_bayes_rule_is_the_best(shipped: pd.DataFrame) -> None:
    for name, rows in shipped.groupby(level="experiment"):
        bayes = rows.loc[(name, "bayes")]
        assert (rows["error"] >= bayes["error"] - 1e-12).all()
        assert (rows["logloss"] >= bayes["logloss"] - 1e-12).all()
        assert (rows[["error_se", "logloss_se"]] < 1e-13).all(axis=None)
    assert len(shipped) == 6 * 6 + 6 * 4


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("stratified", [False, True])
def test_the_bayes_rule_is_the_best_for_any_law(
    limits: Limits, seed: int, stratified: bool
) -> None:
    """Two normal classes of any covariances and priors; Bernoulli trees of two and three classes.

    The Bayes rule knows the classes' shares among the test rows, as the fitters may not.
    """
    rng = np.random.default_rng(seed)
    roots, means = rng.normal(size=(2, 3, 3)), rng.normal(size=(2, 3))
    covariances = (roots @ roots.transpose(0, 2, 1) + 0.1 * np.eye(3)).round(6).tolist()
    gaussian = f"{{gaussian: {{means: {means.tolist()}, covariances: {covariances}}}"
    p = rng.uniform(0.05, 0.95, (3, 4)).round(6)
    trees = [
        f"{{a: {a}, b: {{given: a, if_1: {b}, if_0: {c}}}, c: {{given: b, if_1: {d}, if_0: {a}}}}}"
        for a, b, c, d in p
    ]
    for law, fitters in (
        (f"{gaussian}, rows: [300, 100]}}", CONTINUOUS),
        (f"{{bernoulli: [{', '.join(trees[:2])}], rows: [100, 300]}}", ALL),
        (f"{{bernoulli: [{', '.join(trees)}], rows: [100, 300, 200]}}", ALL),
    ):
        rows = limits(law, fitters, stratified)
        bayes = rows.loc["bayes"]
        assert (rows["error"] >= bayes["error"] - 1e-12).all()
        assert (rows["logloss"] >= bayes["logloss"] - 1e-12).all()
        assert rows["error"].between(0, 1).all()
        if not stratified:
            # Theta minimises over a set that naive Bayes is in.
            assert rows.loc["hybrid", "logloss"] <= rows.loc["naive_bayes", "logloss"] + 1e-12
            assert bayes["error"] <= 1 / 4 + 1e-12 if "gaussian" in law else True


@pytest.mark.slow
@pytest.mark.parametrize("stratified", [False, True])
def test_unequal_priors_on_a_line(limits: Limits, stratified: bool) -> None:
    """N(0, 1) and N(2, 1), one row in four of the second; strata make the training priors equal."""
    law = "{gaussian: {means: [[0], [2]], covariances: [[1]]}, rows: [300, 100]}"
    rows = limits(law, stratified=stratified)
    best = 1 + np.log(3) / 2
    errors = {cut: 0.75 * ndtr(-cut) + 0.25 * ndtr(cut - 2) for cut in (best, 1.0)}
    for name, row in rows.iterrows():
        fair = stratified or name == "nearest_centroid"
        cut = 1.0 if fair and name != "bayes" else best
        assert row["error"] == pytest.approx(errors[cut], abs=1e-12), name
    x = np.linspace(-12, 14, 20001)
    density = np.exp(-0.5 * (x - np.array([[0.0], [2.0]])) ** 2) / np.sqrt(2 * np.pi)
    odds = 2 * x - 2 + (0.0 if stratified else np.log(1 / 3))
    losses = 0.75 * density[0] * np.logaddexp(0, odds) + 0.25 * density[1] * np.logaddexp(0, -odds)
    for name in ("naive_bayes", "logistic_regression", "hybrid", "lda"):
        expected = integrate.trapezoid(losses, x)
        assert rows.loc[name, "logloss"] == pytest.approx(expected, abs=1e-10), name


@pytest.mark.slow
@pytest.mark.parametrize("radius", [0.5, 1.5, 3.0])
def test_three_classes_at_equal_distances(limits: Limits, radius: float) -> None:
    """Error of phase-shift keying with three phases (Craig, 1991): an integral over an angle."""
    angles = 2 * np.pi * np.arange(3) / 3
    means = (radius * np.column_stack([np.cos(angles), np.sin(angles)])).tolist()
    rows = limits(f"{{gaussian: {{means: {means}, covariances: [[1, 0], [0, 1]]}}, rows: 300}}")
    expected = integrate.quad(
        lambda t: np.exp(-0.5 * (radius * np.sin(np.pi / 3) / np.sin(t)) ** 2) / np.pi,
        *(0, 2 * np.pi / 3),
    )[0]
    assert (rows["method"] == "quasi-Monte Carlo").all()
    assert (rows["error_se"].between(1e-8, 3e-3)).all()
    for name, row in rows.iterrows():
        assert abs(row["error"] - expected) < 4 * row["error_se"], name
        if name != "nearest_centroid":  # its covariance is the identity, and so is the law's
            assert row["logloss"] == pytest.approx(rows.loc["bayes", "logloss"], abs=1e-3)


@pytest.mark.slow
def test_two_of_three_classes_are_the_same(limits: Limits) -> None:
    """Told from the third as one class; nobody tells them apart, which costs log 2 a row."""
    two = limits(
        "{gaussian: {means: [[0, 1], [2, 1]], covariances: [[1, 0], [0, 1]]}, rows: [200, 100]}"
    )
    three = limits(
        "{gaussian: {means: [[0, 1], [0, 1], [2, 1]], covariances: [[1, 0], [0, 1]]}, rows: 300}"
    )
    right = 2 * ndtr(1) / 3  # rows of one of the two alike, and of the third
    for name, row in three.iterrows():
        if name == "nearest_centroid":
            continue
        logloss = two.loc[name, "logloss"] + 2 / 3 * np.log(2)
        assert abs(row["logloss"] - logloss) < 4 * row["logloss_se"] + 1e-6, name
        assert abs(1 - right - row["error"]) < 4 * row["error_se"] + 1e-4, name


def test_probabilities_of_zero_and_one(limits: Limits, tmp_path: Path) -> None:
    """What one feature tells with certainty; a hybrid has no limit there, and this is said."""
    without_hybrid = "".join(line for line in ALL.splitlines(keepends=True) if "hybrid" not in line)
    certain = limits("{bernoulli: [{a: 0, b: 0.5}, {a: 1, b: 0.5}]}", without_hybrid)
    np.testing.assert_allclose(certain[["error", "logloss"]], 0.0, atol=1e-14)
    # a = 1 is of the second class for sure; a = 0 is of it with probability 1/3, whatever b.
    half = limits("{bernoulli: [{a: 0, b: 0.5}, {a: 0.5, b: 0.5}]}", without_hybrid)
    entropy = -(np.log(1 / 3) / 3 + 2 * np.log(2 / 3) / 3)
    np.testing.assert_allclose(half["error"], 0.25, atol=1e-12)
    np.testing.assert_allclose(
        half.loc[["bayes", "naive_bayes"], "logloss"], 0.75 * entropy, atol=1e-12
    )
    path = tmp_path / "my.yaml"
    rows, without = table(plan.make(config.load(path)))
    path.write_text(path.read_text().replace(without_hybrid, ALL))
    rows, without = table(plan.make(config.load(path)))
    assert set(rows["fitter"]) == {"bayes", "naive_bayes", "logistic_regression"}
    assert without == {"one, hybrid": "a hybrid has no limit where a probability is 0 or 1"}


@pytest.mark.slow
def test_classes_too_far_apart_have_no_limit_of_logistic_regression(tmp_path: Path) -> None:
    path = tmp_path / "my.yaml"
    path.write_text(
        "sizes: [10]\nfitters: [{type: naive_bayes}, {type: logistic_regression}]\n"
        "experiments:\n- name: one\n"
        "  simulate: {gaussian: {means: [[-20], [20]], covariances: [[1]]}}\n"
    )
    rows, without = table(plan.make(config.load(path)))
    assert list(rows["fitter"]) == ["bayes", "naive_bayes"]
    assert list(without) == ["one, logistic_regression"]


def test_a_law_of_which_no_limits_are_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "my.yaml"
    path.write_text(
        "sizes: [10]\nfitters: [{type: naive_bayes}]\nexperiments:\n"
        "- {name: normal, simulate: ce_diag}\n- {name: binary, simulate: be_diag}\n"
    )
    monkeypatch.delitem(POPULATIONS, Gaussian)
    rows, without = table(plan.make(config.load(path)))
    assert set(rows["experiment"]) == {"binary"}
    assert without == {"normal": "limits of such a law are not known"}


def test_scores_that_are_no_probabilities_have_no_log_loss_in_the_limit(
    limits: Limits, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Ordered(NearestCentroid):
        def population(self, law: Population) -> LinearFit:
            fit = super().population(law)
            return replace(fit, rules=replace(fit.rules, gives="scores"))

    monkeypatch.setitem(REGISTRY, "ordered", Ordered)
    rows = limits("ce_diag", "  - type: ordered\n  - type: nearest_centroid\n")
    assert rows.loc["ordered", "error"] == rows.loc["nearest_centroid", "error"]
    assert np.isnan(rows.loc["ordered", ["logloss", "logloss_se"]].astype(float)).all()
    assert np.isfinite(rows.loc["nearest_centroid", "logloss"])


def test_the_largest_class_in_the_limit(limits: Limits) -> None:
    """It errs on the rows of the others; its log loss is the entropy of the classes."""
    for law, p in (
        ("gaussian: {means: [[0], [2]], covariances: [[1]]}, rows: [100, 300]", [0.25, 0.75]),
        ("bernoulli: [{a: 0.2}, {a: 0.6}, {a: 0.7}], rows: [200, 200, 100]", [0.4, 0.4, 0.2]),
    ):
        row = limits(f"{{{law}}}", "  - type: majority\n").loc["majority"]
        assert row["error"] == pytest.approx(1 - max(p), abs=1e-12)
        assert row["logloss"] == pytest.approx(-np.dot(p, np.log(p)), rel=1e-9)


def test_a_penalty_is_gone_in_the_limit(limits: Limits) -> None:
    fitters = "  - type: logistic_regression\n  - {type: penalised_logistic, strength: cv}\n"
    rows = limits("{bernoulli: [{a: 0.2, b: 0.5}, {a: 0.6, b: 0.1}], rows: [100, 300]}", fitters)
    without = rows.loc["logistic_regression", ["error", "logloss"]]
    assert (rows.loc["penalised_logistic", ["error", "logloss"]] == without).all()
    assert without["error"] < 0.25


def test_a_covariance_for_each_class_is_right_for_normal_classes(limits: Limits) -> None:
    """Two of them, and three; with shared ones qda is lda."""
    own = "covariances: [[[1, 0.5], [0.5, 2]], [[3, -1], [-1, 1]]]"
    fitters = "  - {type: qda, epsilon: 0, prior: smoothed}\n  - {type: lda, epsilon: 0}\n"
    rows = limits(f"{{gaussian: {{means: [[0, 0], [1, 2]], {own}}}, rows: [100, 300]}}", fitters)
    risk = rows[["error", "logloss"]].astype(float)
    np.testing.assert_allclose(risk.loc["qda"], risk.loc["bayes"], atol=1e-10)
    assert risk.loc["lda", "error"] > risk.loc["bayes", "error"] + 0.005
    three = "{means: [[0, 0], [1, 2], [3, 0]], covariances: [[1, 0.5], [0.5, 2]]}"
    rows = limits(f"{{gaussian: {three}, rows: [100, 300, 200]}}", fitters)
    risk = rows[["error", "logloss"]].astype(float)
    np.testing.assert_allclose(risk.loc["qda"], risk.loc["bayes"], atol=1e-10)
    np.testing.assert_allclose(risk.loc["lda"], risk.loc["bayes"], atol=1e-10)


def test_least_squares_is_discriminant_analysis_in_the_limit(limits: Limits) -> None:
    """Where two classes are equally likely."""
    own = "covariances: [[[1, 0.5], [0.5, 2]], [[3, -1], [-1, 1]]]"
    fitters = "  - type: least_squares\n  - {type: lda, epsilon: 0}\n"
    rows = limits(f"{{gaussian: {{means: [[0, 0], [1, 2]], {own}}}, rows: [100, 100]}}", fitters)
    assert rows.loc["least_squares", "error"] == pytest.approx(rows.loc["lda", "error"], abs=1e-12)
    assert np.isnan(rows.loc["least_squares", "logloss"])


def test_least_squares_of_bits_in_the_limit(limits: Limits) -> None:
    """A regression on all cells, weighted by their probabilities."""
    law = "[{a: 0.2, b: {given: a, if_1: 0.9, if_0: 0.3}}, {a: 0.6, b: 0.1}, {a: 0.5, b: 0.8}]"
    row = limits(f"{{bernoulli: {law}, rows: [100, 300, 200]}}", "  - type: least_squares\n").loc[
        "least_squares"
    ]
    cells = np.array([[0, 0], [1, 0], [0, 1], [1, 1]])
    given = np.array([[0.56, 0.02, 0.24, 0.18], [0.36, 0.54, 0.04, 0.06], [0.1, 0.1, 0.4, 0.4]]).T
    joint = given * [1 / 6, 3 / 6, 2 / 6]
    x = np.repeat(cells, 3, axis=0)
    model = LinearRegression().fit(x, np.tile(np.eye(3), (4, 1)), joint.ravel())
    chosen = model.predict(cells).argmax(axis=1)
    assert row["error"] == pytest.approx(1 - joint[np.arange(4), chosen].sum(), abs=1e-12)
