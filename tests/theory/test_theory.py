"""What the papers prove, with numbers, against the reference values and other ways to them."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from gdcurves import plan
from gdcurves.config import load_text
from gdcurves.errors import UserError
from gdcurves.fitters.lda import LDA
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.fitters.nearest_centroid import NearestCentroid
from gdcurves.fitters.qda import QDA
from gdcurves.limits.normals import TwoNormals
from gdcurves.limits.spread import Matrices
from gdcurves.theory import efron, guarantees
from gdcurves.theory.asked import Asked
from gdcurves.theory.estimates import OfBits, OfNormals, Sampling, Within, rows_needed
from gdcurves.theory.table import Theory, of_plan

TOLERANCE = 1e-9


def read(shared: Path, name: str) -> list[dict[str, str]]:
    with (shared / "reference" / "theory" / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def theory(simulate: str, fitters: str = "[{type: naive_bayes}]", **asked: Any) -> Theory:
    """The theory of one experiment that is named law."""
    text = f"sizes: [8]\nexperiments: [{{name: law, simulate: {simulate}}}]\nfitters: {fitters}\n"
    return of_plan(plan.make(load_text(text, Path("one.yaml"))), {}, Asked(**asked))


def values(found: Theory, quantity: str, fitter: str | None = None) -> dict[float, float]:
    """Values of a quantity by their arguments."""
    rows = found.table[found.table["quantity"] == quantity]
    rows = rows if fitter is None else rows[rows["fitter"] == fitter]
    return {float(row.argument): float(row.value) for row in rows.itertuples()}


def laws(rows: list[dict[str, str]]) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Laws of g_tau.csv as `simulate` values, and their rows."""
    for key in dict.fromkeys((r["law"], r["pT_or_Delta"], r["pF"], r["n"]) for r in rows):
        _, strength, other, n = key
        own = [r for r in rows if (r["law"], r["pT_or_Delta"], r["pF"], r["n"]) == key]
        kind = f"p: [{other}, {strength}]" if other else f"normal: {{total: {strength}}}"
        yield f"{{blocks: [{{features: {n}, {kind}}}]}}", own


@pytest.mark.slow
def test_alpha_and_g_of_laws(shared: Path) -> None:
    for simulate, rows in laws(read(shared, "g_tau.csv")):
        taus = tuple(float(row["tau"]) for row in rows)
        found = theory(simulate, tau=taus, m=(10,), epsilon1=(0.45,))
        alpha = values(found, "alpha")
        reference = [float(rows[0][f"alpha_{name}"]) for name in "FT"]
        assert [alpha[1], alpha[2]] == pytest.approx(reference, rel=0, abs=TOLERANCE)
        known = {float(row["tau"]): float(row["G"]) for row in rows}
        assert values(found, "G") == pytest.approx(known, rel=0, abs=TOLERANCE)


@pytest.mark.parametrize(
    ("simulate", "fitters", "scores"),
    [
        ("cu_diag", "[{type: naive_bayes, variance: per_class, epsilon: 0}]", "per_class"),
        ("cu_full", "[{type: naive_bayes}]", "shared"),
    ],
)
def test_g_of_normal_laws_is_the_share_of_drawn_rows(simulate, fitters, scores) -> None:
    found = theory(simulate, fitters, tau=(0.0, 0.3, 2.0))
    (experiment,) = plan.make(
        load_text(
            f"sizes: [8]\nexperiments: [{{name: law, simulate: {simulate}}}]\nfitters: {fitters}\n",
            Path("one.yaml"),
        )
    ).experiments
    assert experiment.simulation is not None
    n = 200_000
    x = experiment.simulation.law.draw([n, n], np.random.default_rng(1), 1)[0]
    means, covariances = experiment.simulation.law.moments()  # type: ignore[attr-defined]
    variances = np.diagonal(covariances, axis1=1, axis2=2)
    if scores == "shared":
        variances = np.broadcast_to(variances.mean(axis=0), variances.shape)
    first, second = (
        multivariate_normal(mean, np.diag(variance)).logpdf(x)
        for mean, variance in zip(means, variances, strict=True)
    )
    right = np.where(np.arange(2 * n) < n, first - second, second - first)
    for tau, value in values(found, "G").items():
        share = ((right >= 0) & (right <= 4 * tau)).mean()
        assert value == pytest.approx(share, abs=4 * math.sqrt(0.25 / (2 * n)))
    alpha = values(found, "alpha")
    assert alpha[1] == pytest.approx(right[:n].mean() / 4, rel=0.01)
    assert alpha[2] == pytest.approx(right[n:].mean() / 4, rel=0.01)


def test_zero_probabilities_are_never_near_zero() -> None:
    cells = "{cells: [{'00': .2, '01': .3}, {'01': .1, '11': .4}]}"
    found = theory(cells, tau=(0.0, 100.0))
    # In the cell 01 the log odds are finite: log(.2 * 1 / (1 * .6)).
    assert values(found, "G") == pytest.approx({0.0: 0.0, 100.0: 0.3})
    assert values(found, "alpha")[2] == math.inf
    assert "never occurs" in found.without["law, Theorem 4 of naive_bayes"]


@pytest.mark.slow
def test_lemma_3(shared: Path) -> None:
    for row in read(shared, "lemma3.csv"):
        n, epsilon, delta, pi = int(row["n"]), *(float(row[k]) for k in ("eps1", "delta", "pi"))
        p = np.repeat([[float(row["pF"])], [float(row["pT"])]], n, axis=1)
        assert guarantees.lemma3(epsilon, delta, n, min(pi, 1 - pi)) == int(row["m_bound"])
        for laplace in (0, 1):
            sampling, bits = Sampling(pi, False, laplace), OfBits.of(p, laplace)
            exact = int(row[f"m_exact_l{laplace}"])
            assert rows_needed(sampling, bits, epsilon, delta) == exact
            m = 200 + laplace
            success = Within(sampling, bits, epsilon, m).probability(m)
            known = float(row[f"success_m{m}_l{laplace}"])
            assert success == pytest.approx(known, rel=0, abs=1e-12)
        normals = OfNormals.of(np.ones((2, n)))
        needed = rows_needed(Sampling(0.5, True, None), normals, epsilon, delta)
        assert needed == int(row["m_gaussian_unit_variance"])


@pytest.mark.parametrize("stratified", [False, True])
def test_lemma_3_of_drawn_rows(stratified: bool) -> None:
    """Estimates of three unlike normal features from many training sets."""
    rng = np.random.default_rng(3)
    m, epsilon, share, sets = 60, 0.35, 0.4, 20_000
    variances = np.array([0.5, 1.0, 2.0])
    x = rng.standard_normal((sets, m, 3)) * np.sqrt(variances)
    if stratified:
        y = np.broadcast_to(np.arange(m) % 2, (sets, m))
    else:
        y = (rng.random((sets, m)) < share).astype(int)
    n = np.stack([(y == k).sum(axis=1) for k in range(2)], axis=1)
    means = np.stack([np.einsum("sm,smd->sd", y == k, x) for k in range(2)], axis=1)
    means /= n[:, :, None]
    residual = x - np.take_along_axis(means, y[:, :, None], axis=1)
    near = (np.abs(means) <= epsilon).all(axis=(1, 2))
    near &= (np.abs((residual**2).mean(axis=1) - variances) <= epsilon).all(axis=1)
    if not stratified:
        near &= np.abs(n[:, 1] / m - share) <= epsilon
    sampling = Sampling(0.5 if stratified else share, stratified, None if stratified else 0.0)
    estimates = OfNormals.of(np.stack([variances, variances]))
    probability = Within(sampling, estimates, epsilon, m).probability(m)
    assert near.mean() == pytest.approx(probability, abs=4 * math.sqrt(0.25 / sets))


def test_lemma_3_is_refused_where_estimates_vary_together() -> None:
    for simulate in ("be_block", "ce_full"):
        found = theory(simulate)
        assert "dependent" in found.without["law, Lemma 3 of naive_bayes"]
        assert not values(found, "lemma3_exact")
    assert values(theory("be_block"), "lemma3_bound")


def test_theorem_4(shared: Path) -> None:
    rows = read(shared, "theorem4.csv")
    for n in dict.fromkeys(row["n"] for row in rows):
        own = [row for row in rows if row["n"] == n]
        simulate = f"{{blocks: [{{features: {n}, p: [.3, .7]}}]}}"
        found = theory(simulate, m=tuple(int(row["m"]) for row in own), epsilon1=(0.45,))
        known = {float(r["m"]): float(r["G_tau"]) + float(r["error_inf"]) for r in own}
        assert values(found, "theorem4_bound") == pytest.approx(known, rel=0, abs=TOLERANCE)
        for row in own:
            epsilon = guarantees.least_epsilon(int(row["m"]), 0.05, int(n), 0.5)
            tau = guarantees.tau_of(epsilon, int(n), 0.3, 0.5)
            assert (epsilon, tau) == pytest.approx(
                (float(row["eps1"]), float(row["tau"])), rel=1e-9
            )
    assert math.isnan(guarantees.least_epsilon(10, 0.05, 10, 0.5))


def test_proposition_2(shared: Path) -> None:
    for row in read(shared, "proposition2.csv"):
        epsilon, n, delta = float(row["eps0"]), int(row["n"]), float(row["delta"])
        simulate = f"{{blocks: [{{features: {n}, p: [.3, .7]}}]}}"
        found = theory(simulate, epsilon0=(epsilon,), delta=delta, m=(10,), epsilon1=(0.45,))
        (rows,) = values(found, "proposition2_bound").values()
        assert rows == pytest.approx(float(row["m_sufficient_vc_n_plus_1"]), rel=TOLERANCE)


FITTERS = {
    "lr": LogisticRegression(),
    "nda": LDA(),
    "nb": NaiveBayes(),
    "nc": NearestCentroid(),
}


@pytest.mark.slow
def test_efron(shared: Path) -> None:
    for row in read(shared, "efron_are.csv"):
        delta, share = float(row["delta"]), float(row["pi1"])
        p, spread = int(row["p"]), int(row["spread"])
        mean = np.where(np.arange(p) < spread, delta / math.sqrt(spread) / 2, 0.0)
        shares = np.array([1 - share, share])
        identity = Matrices(np.broadcast_to(np.eye(p), (2, p, p)))
        law = TwoNormals(("x",) * p, np.stack([-mean, mean]), identity, shares, shares)
        for stratified, suffix in ((False, ""), (True, "_stratified")):
            for name, fitter in FITTERS.items():
                known = float(row[f"c_{name}{suffix}"])
                if math.isnan(known):
                    with pytest.raises(UserError):
                        efron.constant(fitter, law, stratified)
                    continue
                found = efron.constant(fitter, law, stratified)
                assert found == pytest.approx(known, rel=TOLERANCE)


def constants(simulate: str, stratified: bool = False) -> Theory:
    fitters = "[{type: naive_bayes}, {type: logistic_regression}, {type: lda}]"
    text = (
        f"sizes: [8]\nfitters: {fitters}\nexperiments:\n"
        f"  - {{name: law, simulate: {simulate}, stratified: {str(stratified).lower()}}}\n"
    )
    return of_plan(plan.make(load_text(text, Path("one.yaml"))), {}, Asked(tau=(0.1,), m=(10,)))


def test_efficiencies_by_a_config(shared: Path) -> None:
    (row,) = (
        row
        for row in read(shared, "efron_are.csv")
        if (row["delta"], row["pi1"], row["p"], row["spread"]) == ("2", "0.5", "5", "5")
    )
    for stratified, suffix in ((False, ""), (True, "_stratified")):
        found = constants("{blocks: [{features: 5, normal: {total: 2}}]}", stratified)
        for name, fitter in (("nb", "naive_bayes"), ("nda", "lda")):
            (ratio,) = values(found, "efficiency", fitter).values()
            assert ratio == pytest.approx(float(row[f"are_lr_{name}{suffix}"]), abs=TOLERANCE)
    # Correlated features: lda and logistic regression know of no axes, naive Bayes has no limit.
    found = constants("{blocks: [{features: 5, normal: {shift: 1, correlation: .3}}]}")
    assert list(found.table[found.table["quantity"] == "efficiency"]["fitter"]) == ["lda"]
    assert "dependent" in found.without["law, constant of naive_bayes"]


@pytest.mark.slow
@pytest.mark.parametrize("fitter", [QDA(epsilon=0), NaiveBayes(variance="per_class", epsilon=0)])
def test_variances_of_each_class_by_simulation(fitter: QDA | NaiveBayes) -> None:
    """The excess error of fitted rules, by the variance of their log odds at points."""
    from gdcurves.fitters.batch import Batch

    rng = np.random.default_rng(5)
    m, sets, share = 1500, 3000, 0.3
    mean = np.array([[-0.8, -0.3], [0.8, 0.3]])
    law = TwoNormals(
        ("a", "b"),
        mean,
        Matrices(np.broadcast_to(np.eye(2), (2, 2, 2))),
        np.array([1 - share, share]),
        np.array([1 - share, share]),
    )
    # Points where the Bayes rule is undecided, as rows of the first class are there.
    apart = mean[1] - mean[0]
    size = float(np.linalg.norm(apart))
    z = np.linspace(-6, 6, 121)
    weight = np.exp(-0.5 * z**2) / np.exp(-0.5 * z**2).sum()
    across = np.array([-apart[1], apart[0]]) / size
    x = -apart * math.log(share / (1 - share)) / size**2 + z[:, None] * across
    total = np.zeros(len(z))
    for _ in range(sets // 300):
        y = (rng.random((300, m)) < share).astype(np.int8)
        rows = rng.standard_normal((300, m, 2)) + mean[y.astype(int)]
        rules = fitter.fit(Batch(rows, y, (0, 0), 2), rng).rules
        features = np.concatenate([np.ones((len(x), 1)), x], axis=1)
        vectors = rules.feature_map.vectors(features, Batch(rows, y, (0, 0), 2).layout, np.zeros(2))
        total += ((rules.weights[0, :, 0] @ vectors.T) ** 2).sum(axis=0)
    variance = float(weight @ total) / sets * m
    found = efron.Boundary(law, False).constant(variance)
    assert efron.constant(fitter, law, False) == pytest.approx(found, rel=0.05)


def test_three_classes_are_refused() -> None:
    means = "{means: [[0], [1], [2]], covariances: [[1]]}"
    found = theory(f"{{gaussian: {means}, rows: 300}}")
    assert found.table.empty
    assert "two classes" in found.without["law"]


def test_a_family_of_many_features_is_quick() -> None:
    simulate = "{blocks: [{features: 1/2, normal: {shift: 1}}, {features: 1/2, normal: {shift: 0}}]"
    found = theory(f"{simulate}, n: [16, 4096]}}", tau=(0.1,))
    assert set(found.table["experiment"]) == {"law-n16", "law-n4096"}
