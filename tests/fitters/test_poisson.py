"""Poisson densities against scipy's, reference limits and curves, and what they need."""

from __future__ import annotations

import csv
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from conftest import Call, Ended
from pydantic import ValidationError
from rules import fitted, predictions, scores
from scipy.stats import poisson

from gdcurves.fitters import Batch
from gdcurves.fitters.features import Layout
from gdcurves.fitters.generative import Statistics
from gdcurves.fitters.naive_bayes import NaiveBayes


def counts(k: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(25) % k)
    return rng.poisson(1.0 + 2.0 * y[:, None], (25, 3)).astype(float), y


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("laplace", [0.0, 1.0, 0.5])
def test_scores_are_those_of_poisson_laws(k: int, laplace: float) -> None:
    x, y = counts(k)
    n = np.bincount(y)
    rates = np.stack([x[y == c].sum(axis=0) for c in range(k)]) + laplace
    rates /= n[:, None] + laplace
    assert (rates > 0).all()
    test = np.random.default_rng(1).poisson(3.0, (40, 3)).astype(float)
    joint = poisson.logpmf(test[:, None], rates).sum(axis=2)
    joint += np.log((n + laplace) / (25 + k * laplace))
    fit = fitted(NaiveBayes(density="poisson", laplace=laplace), x, y, k=k)
    np.testing.assert_allclose(scores(fit, test), joint[:, 1:] - joint[:, :1], rtol=1e-10)


def test_counts_and_levels_are_independent() -> None:
    x, y = counts(3)
    both = np.column_stack([x[:, 0] % 3, x])
    levels = (3, 0, 0, 0)
    options: Any = {"density": "poisson", "prior": "equal"}
    of_both = scores(fitted(NaiveBayes(**options), both, y, levels, 3), both, levels)
    of_counts = scores(fitted(NaiveBayes(**options), x, y, (), 3), x)
    of_levels = fitted(NaiveBayes(prior="equal"), both[:, :1].astype(np.int32), y, (3,), 3)
    alone = scores(of_levels, both[:, :1].astype(np.int32), (3,))
    np.testing.assert_allclose(of_both, of_counts + alone, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("unit", [1.0, 0.1])
def test_a_rate_of_zero_decides_as_in_the_limit(unit: float) -> None:
    """Also of amounts that are no whole numbers, measured from a row of another class."""
    x, y = counts(3, seed=2)
    x, y = np.vstack([[[3.0, 2.0, 4.0]], x]) * unit, np.r_[2, y]
    x[y == 0, 0] = 0.0
    x[y == 1, 1:] = 0.0
    test = np.random.default_rng(3).poisson(2.0, (60, 3)) * unit
    zero, tiny = (
        fitted(NaiveBayes(density="poisson", laplace=each), x, y, k=3) for each in (0.0, 1e-90)
    )
    assert zero.rules.direction is not None
    assert zero.rules.direction[0, 0].tolist() == [[0, 1, -1, -1], [0, 1, 0, 0]]
    np.testing.assert_array_equal(predictions(zero, test), predictions(tiny, test))


def test_absent_classes_are_never_predicted() -> None:
    x, y = counts(3)
    y[y == 1] = 2
    for laplace in (0.0, 1.0):
        fit = fitted(NaiveBayes(density="poisson", laplace=laplace), x, y, k=3)
        assert 1 not in predictions(fit, x)


def cells(rates: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Counts (u, d) that have nearly all the mass, and their probabilities in each class."""
    most = poisson.isf(1e-14, np.max(rates, axis=0)).astype(int) + 12
    x = np.indices(most + 1).reshape(len(most), -1).T
    return x, np.column_stack([poisson.pmf(x, each).prod(axis=1) for each in rates])


def test_reference_limits(shared: Path) -> None:
    checked = 0
    with (shared / "reference/theory/poisson_limits.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["fitter"] == "naive_bayes_poisson"]
    for row in rows:
        rates = [np.array(row[f"rates_class{k}"].split(), float) for k in (1, 2)]
        d = len(rates[0])
        prior = float(row["prior_class2"])
        nothing = np.zeros((1, d))
        law: Any = SimpleNamespace(
            statistics=Statistics(
                Layout.of((0,) * d),
                np.array([[1 - prior, prior]]),
                np.zeros((1, 2, 0)),
                nothing,
                np.stack(rates)[None],
                nothing,
                nothing,
            )
        )
        x, p = cells(rates)
        fit = NaiveBayes(density="poisson").population(law)
        log_odds = scores(fit, x)[:, 0]
        weighted = p * [1 - prior, prior]
        error = weighted[log_odds > 1e-10, 0].sum() + weighted[log_odds <= 1e-10, 1].sum()
        loss = weighted[:, 0] @ np.logaddexp(0, log_odds)
        loss += weighted[:, 1] @ np.logaddexp(0, -log_odds)
        assert error == pytest.approx(float(row["error"]), abs=1e-10)
        assert loss == pytest.approx(float(row["logloss"]), abs=1e-10)
        checked += 1
    assert checked == 12


@pytest.mark.slow
def test_reference_curves(shared: Path) -> None:
    """Exact errors of rules from 300 sets of ours, within four standard errors of both."""
    with (shared / "reference/theory/poisson_curves.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["fitter"] == "naive_bayes_poisson"]
    fitter, rng = NaiveBayes(density="poisson", prior="equal"), np.random.default_rng(0)
    for row in rows:
        rates = [np.array(row[f"rates_class{k}"].split(), float) for k in (1, 2)]
        m, d = int(row["m"]), len(rates[0])
        if m not in (10, 50):
            continue
        y = np.tile(np.arange(m) % 2, (300, 1))
        drawn = rng.poisson(np.stack(rates)[y]).astype(float)
        weights = fitter.fit(Batch(drawn, y, (0,) * d, 2), rng).rules.weights[0, :, 0]
        x, p = cells(rates)
        positive = np.column_stack([np.ones(len(x)), x]) @ weights.T > 1e-10
        errors = 0.5 * (p[:, 0] @ positive + p[:, 1] @ ~positive)
        se = np.hypot(errors.std() / np.sqrt(300), float(row["error_se"]))
        assert errors.mean() == pytest.approx(float(row["error_mean"]), abs=4 * se)


@pytest.mark.slow
def test_what_it_needs(call: Call) -> None:
    """Inputs as they are, of which none is below zero; and no variance."""
    rows = "".join(f"{i},{i % 5}.5,{i % 2}\n" for i in range(30))
    Path("my.csv").write_text(f"a,b,y\n{rows}")

    def run(experiment: str) -> Ended:
        Path("my.yaml").write_text(
            "splits: 3\nsizes: [4]\nfitters: [{type: naive_bayes, density: poisson}]\n"
            f"experiments: [{{name: a, {experiment}}}]\n"
        )
        return call("run", "--config", "my.yaml", "--jobs", "1")

    for experiment, said in (
        ("data: my.csv, target: y", "write 'rescale: none'"),
        ("simulate: ce_diag", "takes no inputs below zero"),
    ):
        ended = run(experiment)
        assert ended.code == 2
        assert said in ended.err
    assert run("data: my.csv, target: y, rescale: none").code == 0
    with pytest.raises(ValidationError, match="leave this out"):
        NaiveBayes(density="poisson", variance="per_class")
