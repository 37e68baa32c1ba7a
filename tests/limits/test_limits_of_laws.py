"""Limits and best linear rules of laws in cells, of counts and in blocks: values from elsewhere."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import optimize
from scipy.special import ndtr

from gdcurves import config, plan
from gdcurves.errors import UserError
from gdcurves.fitters import REGISTRY
from gdcurves.limits.best_linear import best_linear
from gdcurves.limits.populations import Exact, populations
from gdcurves.limits.table import complete
from gdcurves.limits.weighted import AllCells
from gdcurves.simulators import SimulationConfig

TWO_BLOCKS = [
    {"features": "1/2", "normal": {"shift": 0.84, "correlation": 0.25}},
    {"features": "1/2", "normal": {"total": 2.5}},
]


def exact(law: dict[str, Any]) -> Exact:
    (one,) = populations(SimulationConfig.model_validate(law), stratified=False)
    return one


def limit(law: Exact, fitter: str, **options: Any) -> tuple[float, float]:
    risk = law.risk(REGISTRY[fitter](**options).population(law))
    return risk.error, risk.logloss


def cells(joint: np.ndarray) -> dict[str, Any]:
    """P(x, class), the first feature fastest."""
    d = int(np.log2(len(joint)))
    names = ["".join(str(i >> j & 1) for j in range(d)) for i in range(2**d)]
    return {
        "cells": [
            {name: float(p) for name, p in zip(names, column, strict=True) if p > 0}
            for column in np.asarray(joint).T
        ]
    }


def read(shared: Path, name: str) -> list[dict[str, str]]:
    with (shared / "reference" / "theory" / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_law_on_which_the_likeliest_rule_is_the_worst(shared: Path) -> None:
    text = (shared / "reference" / "theory" / "proposition1.json").read_text(encoding="utf-8")
    for case in json.loads(text):
        law = exact(cells(np.array(case["joint"])))
        assert law.bayes().error == pytest.approx(case["bayes"], abs=1e-12)
        found = *limit(law, "logistic_regression"), *limit(law, "naive_bayes")
        expected = case["lr"], case["lr_ll"], case["nb"], case["nb_ll"]
        assert found == pytest.approx(expected, abs=1e-9)
        best = best_linear(law)
        assert (best.error, best.gap) == (pytest.approx(case["best_linear"], abs=1e-12), 0.0)


def test_a_separable_law(shared: Path) -> None:
    text = (shared / "reference" / "theory" / "separable_law.json").read_text(encoding="utf-8")
    case = json.loads(text)
    y, p = np.array(case["y"]), np.array(case["p_x"])
    law = exact(cells(np.column_stack([p * (1 - y), p * y])))
    expected = case["naive_bayes_limit_error"]
    assert limit(law, "naive_bayes")[0] == pytest.approx(expected, abs=1e-12)
    assert limit(law, "logistic_regression") == (0.0, 0.0)
    assert best_linear(law).error == case["best_linear"]


@pytest.mark.slow
def test_counts(shared: Path) -> None:
    fitters = {
        "logistic_regression": ("logistic_regression", {}),
        "lda": ("lda", {"epsilon": 0}),
        "naive_bayes_shared": ("naive_bayes", {"epsilon": 0}),
        "naive_bayes_per_class": ("naive_bayes", {"epsilon": 0, "variance": "per_class"}),
        "nearest_centroid": ("nearest_centroid", {}),
    }
    done = 0
    for row in read(shared, "poisson_limits.csv"):
        rates = [
            {f"x{i}": float(each) for i, each in enumerate(row[key].split())}
            for key in ("rates_class1", "rates_class2")
        ]
        share = float(row["prior_class2"])
        if len(rates[0]) > 2 or row["fitter"] not in {*fitters, "bayes"}:
            continue
        law = exact({"poisson": rates, "rows": [round(1000 * (1 - share)), round(1000 * share)]})
        if row["fitter"] == "bayes":
            found = law.bayes().error, law.bayes().logloss
            assert best_linear(law).error == pytest.approx(found[0], abs=1e-12)
        else:
            name, options = fitters[row["fitter"]]
            found = limit(law, name, **options)
        assert found == pytest.approx((float(row["error"]), float(row["logloss"])), abs=1e-10)
        done += 1
    assert done > 20


def test_blocks_of_normal_features(shared: Path) -> None:
    """Limits at many n; and at small ones those of the same law as matrices."""
    known = {(row["fitter"], int(row["n"])): row for row in read(shared, "complexity_needed.csv")}
    names = {"naive_bayes": "naive_bayes", "lr": "logistic_regression"}
    for (fitter, n), row in known.items():
        if row["family"] == "two_blocks":
            law = exact({"blocks": TWO_BLOCKS, "n": n})
            error, _ = limit(law, names[fitter])
            assert error == pytest.approx(float(row["limit"]), abs=1e-9)
    blocks = exact({"blocks": TWO_BLOCKS, "n": 6, "rows": [300, 100]})
    dense = np.eye(6)
    dense[:3, :3] += 0.25 * (1 - np.eye(3))
    shift = np.array([0.84] * 3 + [2.5 / np.sqrt(3)] * 3) / 2
    gaussian = {"means": [(-shift).tolist(), shift.tolist()], "covariances": dense.tolist()}
    plain = exact({"gaussian": gaussian, "rows": [300, 100]})
    for name in ("naive_bayes", "logistic_regression", "lda", "hybrid", "nearest_centroid"):
        assert limit(blocks, name) == pytest.approx(limit(plain, name), abs=1e-13)
    assert blocks.bayes().logloss == pytest.approx(plain.bayes().logloss, abs=1e-13)
    assert best_linear(blocks).error == pytest.approx(blocks.bayes().error, abs=1e-13)


def test_many_features_take_little_memory() -> None:
    law = exact({"blocks": TWO_BLOCKS, "n": 50_000})
    fair = limit(law, "logistic_regression")
    assert fair == pytest.approx((law.bayes().error, law.bayes().logloss), abs=1e-12)
    (sized,) = populations(
        SimulationConfig.model_validate({"blocks": TWO_BLOCKS, "n": 50_000}), stratified=False
    )
    with pytest.raises(UserError, match="50,000 features is too large"):
        limit(sized, "lda")


def test_many_bits(shared: Path) -> None:
    """Few bits by all their cells; many as the file has them."""
    blocks = [{"features": "1/2", "p": [0.4, 0.6]}, {"features": "1/2", "p": [0.1, 0.1]}]
    for row in read(shared, "growth_needed.csv"):
        if row["family"] == "half_relevant_half_rare" and int(row["n"]) <= 1024:
            law = exact({"blocks": blocks, "n": int(row["n"])})
            found = limit(law, "naive_bayes")[0]
            assert found == pytest.approx(float(row["limit"]), abs=1e-8, rel=1e-6)
            assert limit(law, "logistic_regression")[0] == pytest.approx(found, rel=1e-9)
            assert best_linear(law).error == pytest.approx(law.bayes().error)
    from gdcurves.limits.counts import ManyBits

    one = SimulationConfig.model_validate({"blocks": blocks, "n": 8, "rows": [100, 300]})
    counted = ManyBits(one.law, np.array([0.5, 0.5]), one.shares)
    plain = AllCells.of(one.law, np.array([0.5, 0.5]), one.shares)
    np.testing.assert_allclose(counted.second_moments, plain.second_moments, atol=1e-14)
    for name in ("naive_bayes", "logistic_regression"):
        assert limit(counted, name) == pytest.approx(limit(plain, name), abs=1e-10)
    assert counted.bayes().logloss == pytest.approx(plain.bayes().logloss, abs=1e-13)


def test_best_linear_rules_of_the_reference(shared: Path) -> None:
    for row in read(shared, "best_linear.csv"):
        best = best_linear(exact({"name": row["law"]}))
        assert best.error == pytest.approx(float(row["best_linear"]), abs=1e-9)
        assert best.gap == 0


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_best_linear_rule_of_two_normal_classes_by_descent(seed: int) -> None:
    rng = np.random.default_rng(seed)
    roots, means = rng.normal(size=(2, 3, 3)), rng.normal(size=(2, 3))
    covariances = roots @ roots.transpose(0, 2, 1) + 0.1 * np.eye(3)
    covariances = (covariances + covariances.transpose(0, 2, 1)) / 2
    gaussian = {"means": means.tolist(), "covariances": covariances.tolist()}
    law = exact({"gaussian": gaussian, "rows": [200, 300]})
    best = best_linear(law)

    def error(w: np.ndarray) -> float:
        z = (w[0] + means @ w[1:]) / np.sqrt(np.einsum("i,kij,j->k", w[1:], covariances, w[1:]))
        return float(0.4 * ndtr(z[0]) + 0.6 * ndtr(-z[1]))

    assert error(best.weights) == pytest.approx(best.error, abs=1e-12)
    starts = rng.normal(size=(12, 4))
    found = min(optimize.minimize(error, start, tol=1e-12).fun for start in starts)
    assert best.error <= found + 1e-9


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_best_linear_rule_of_bits_by_trying_all(seed: int) -> None:
    """All labelings of eight cells that a linear program can separate."""
    joint = np.random.default_rng(seed).dirichlet(np.ones(16)).reshape(8, 2)
    best = best_linear(exact(cells(joint)))
    x = np.column_stack([np.ones(8), np.arange(8)[:, None] >> np.arange(3) & 1])
    errors = []
    for labels in np.arange(256)[:, None] >> np.arange(8) & 1:
        signed = np.where(labels == 1, 1.0, -1.0)[:, None] * x
        bounds = [(None, None)] * 4
        if optimize.linprog(np.zeros(4), -signed, -np.ones(8), bounds=bounds).status == 0:
            errors.append(joint[np.arange(8), 1 - labels].sum())
    assert len(errors) == 104  # threshold functions of three bits
    assert best.error == pytest.approx(min(errors), abs=1e-12)
    second = x @ best.weights > 0
    assert joint[np.arange(8), 1 - second.astype(int)].sum() == pytest.approx(best.error)


def test_weights_and_best_rules_in_the_table(tmp_path: Path) -> None:
    path = tmp_path / "my.yaml"
    path.write_text(
        "sizes: [10]\nfitters: [{type: logistic_regression}, {type: naive_bayes, epsilon: 0}]\n"
        "experiments:\n- name: normal\n"
        "  simulate: {gaussian: {means: [[0], [2]], covariances: [[1]]}, rows: [300, 100]}\n"
        "- {name: bits, simulate: {bernoulli: [{a: 0.2}, {a: 0.6}]}}\n"
    )
    rows, without = complete(plan.make(config.load(path)))
    assert not without
    rows = rows.set_index(["experiment", "fitter"])
    cut = [-2 - np.log(3), 2.0]
    for fitter in ("logistic_regression", "naive_bayes"):
        assert rows.loc[("normal", fitter), ["weight0", "weight1"]].tolist() == pytest.approx(cut)
        odds = [np.log(0.4 / 0.8), np.log(0.6 * 0.8 / 0.4 / 0.2)]
        assert rows.loc[("bits", fitter), ["weight0", "weight1"]].tolist() == pytest.approx(odds)
    best = rows.xs("best_linear", level="fitter")
    assert best["error"].tolist() == pytest.approx(rows.xs("bayes", level=1)["error"].tolist())
    assert (best["gap"] == 0).all()
    offset, slope = rows.loc[("normal", "best_linear"), ["weight0", "weight1"]]
    assert offset / slope == pytest.approx(cut[0] / cut[1])
    assert isinstance(rows, pd.DataFrame)
