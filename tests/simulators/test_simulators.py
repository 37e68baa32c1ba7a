"""Laws: exact cells and moments, and draws."""

from __future__ import annotations

import csv
from typing import Any

import numpy as np
import pytest

from gdcurves.errors import UserError
from gdcurves.simulators import NAMED, Bernoulli

# Covariance matrices as printed in Xue & Titterington, section 3.5, and the means above them.
PRINTED = {
    "bu_diag": (
        [[0.2, 0.3, 0.4, 0.5], [0.6, 0.7, 0.8, 0.9]],
        [np.diag([0.16, 0.21, 0.24, 0.25]), np.diag([0.24, 0.21, 0.16, 0.09])],
    ),
    "bu_block": (
        [[0.2, 0.3, 0.4, 0.5], [0.6, 0.6, 0.8, 0.6]],
        [
            [[0.16, 0.08, 0, 0], [0.08, 0.21, 0, 0], [0, 0, 0.24, 0.12], [0, 0, 0.12, 0.25]],
            [[0.24, 0.12, 0, 0], [0.12, 0.24, 0, 0], [0, 0, 0.16, 0.08], [0, 0, 0.08, 0.24]],
        ],
    ),
    "bu_full": (
        [[0.2, 0.3, 0.4, 0.5], [0.6, 0.6, 0.5, 0.4]],
        [
            [
                [0.16, 0.08, 0.08, 0.08],
                [0.08, 0.21, 0.04, 0.04],
                [0.08, 0.04, 0.24, 0.04],
                [0.08, 0.04, 0.04, 0.25],
            ],
            [
                [0.24, 0.12, 0.12, 0.12],
                [0.12, 0.24, 0.06, 0.06],
                [0.12, 0.06, 0.25, 0.06],
                [0.12, 0.06, 0.06, 0.24],
            ],
        ],
    ),
}

MEANS = np.array([0.2, 0.3, 0.4, 0.5])  # of the first class in all Bernoulli laws

# Two classes whose trees differ, one with a chain that is listed against its order.
CHAIN = [
    {
        "a": {"given": "b", "if_1": 0.9, "if_0": 0.25},
        "b": {"given": "c", "if_1": 0.3, "if_0": 0.8},
        "c": 0.6,
    },
    {"a": 0.0, "b": {"given": "a", "if_1": 0.5, "if_0": 1.0}, "c": 0.125},
]


def enumerated(x: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means and covariances of features x (n, d) with probabilities p (n,)."""
    mean = p @ x
    return mean, (x - mean).T @ ((x - mean) * p[:, None])


def printed(name: str) -> tuple[Any, Any]:
    """Means and covariances of a law in the paper; None where it prints none."""
    if name in PRINTED:
        return PRINTED[name]
    if name[:2] == "be":  # equal covariances: those of the first class in section 3.5
        return [MEANS, 1 - MEANS], [PRINTED[f"bu{name[2:]}"][1][0]] * 2
    off_diagonal = np.abs(np.sign(PRINTED[f"bu{name[2:]}"][1][0])) * (1 - np.eye(4)) / 4
    variances = [np.ones(4), np.array([0.25, 0.75, 1.25, 1.75]) if name[1] == "u" else np.ones(4)]
    return [[1.5, 0, 0.5, 0], [-1.5, 0, -0.5, 0]], [off_diagonal + np.diag(v) for v in variances]


@pytest.mark.parametrize("name", NAMED)
def test_moments_are_those_of_the_paper(name):
    for computed, expected in zip(NAMED[name].moments(), printed(name), strict=True):
        np.testing.assert_allclose(computed, expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize("name", [name for name in NAMED if name[0] == "b"])
def test_cells_are_those_of_the_reference(shared, name):
    with (shared / "reference" / "bernoulli_cells.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["setting"] == name]
    if not rows:
        pytest.skip("the reference does not hold this law")
    x, p = NAMED[name].cells()
    assert x.tolist() == [[int(row[f"x{i}"]) for i in range(1, 5)] for row in rows]
    expected = [[float(row["p_class1"]), float(row["p_class2"])] for row in rows]
    np.testing.assert_allclose(p, expected, rtol=1e-11)


def test_trees_that_differ_by_class():
    law = Bernoulli.model_validate(CHAIN)
    x, p = law.cells()
    np.testing.assert_allclose(p.sum(axis=0), 1, rtol=1e-15)
    # P(a = 1, b = 0, c = 1) by hand: 0.6 * 0.7 * 0.25, and 0 as a is never 1 in the second class
    np.testing.assert_allclose(p[x.tolist().index([1, 0, 1])], [0.105, 0], rtol=1e-15)
    np.testing.assert_allclose(p[x.tolist().index([0, 1, 1])], [0.6 * 0.3 * 0.1, 0.125], rtol=1e-14)
    for k, (mean, covariance) in enumerate(zip(*law.moments(), strict=True)):
        for computed, expected in zip((mean, covariance), enumerated(x, p[:, k]), strict=True):
            np.testing.assert_allclose(computed, expected, rtol=0, atol=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize("law", [*NAMED.values(), Bernoulli.model_validate(CHAIN)])
def test_draws_follow_the_law(law):
    n_sets, n_per_class = 40, (1500, 1000)
    x = law.draw(n_per_class, np.random.default_rng(1), n_sets)
    assert x.shape == (n_sets, 2500, len(law.features))
    assert x.dtype == (np.int32 if law.levels[0] else np.float64)
    start = 0
    for n, mean, covariance in zip(n_per_class, *law.moments(), strict=True):
        rows = x[:, start : start + n].reshape(n * n_sets, -1)
        start += n
        variance = np.diag(covariance)
        se = np.sqrt(variance / len(rows)) + 1e-12
        assert np.abs((rows.mean(axis=0) - mean) / se).max() < 4.5
        products = (rows - mean)[:, :, None] * (rows - mean)[:, None, :]
        se = products.std(axis=0) / np.sqrt(len(rows)) + 1e-12
        assert np.abs((products.mean(axis=0) - covariance) / se).max() < 4.5


def test_bernoulli_draws_have_the_frequencies_of_the_cells():
    law = Bernoulli.model_validate(CHAIN)
    x = law.draw((60000, 60000), np.random.default_rng(2), 1)[0]
    _, p = law.cells()
    for k in range(2):
        counts = np.bincount(x[k * 60000 :][:60000] @ [1, 2, 4], minlength=8)
        possible = p[:, k] > 0
        assert counts[~possible].sum() == 0
        expected = 60000 * p[possible, k]
        assert ((counts[possible] - expected) ** 2 / expected).sum() < 30  # chi-square, 7 at most


@pytest.mark.parametrize("name", ["cu_full", "bu_full"])
def test_draws_repeat_and_do_not_depend_on_the_number_of_sets(name):
    def draw(seed: int, n_sets: int) -> np.ndarray:
        return np.asarray(NAMED[name].draw((3, 5), np.random.default_rng(seed), n_sets))

    np.testing.assert_array_equal(draw(1, 4), draw(1, 4))
    np.testing.assert_array_equal(draw(1, 4)[:2], draw(1, 2))
    assert (draw(1, 1) != draw(2, 1)).any()


def test_many_features_are_drawn_but_not_enumerated():
    chain = {f"x{i}": {"given": f"x{i - 1}", "if_1": 0.9, "if_0": 0.2} for i in range(1, 40)}
    law = Bernoulli.model_validate([{"x0": 0.5, **chain}] * 3)
    x = law.draw((0, 20000, 0), np.random.default_rng(3), 1)[0]
    means, covariances = law.moments()
    assert abs(x[:, -1].mean() - means[1, -1]) < 4 * np.sqrt(covariances[1, -1, -1] / 20000)
    # the chain's stationary probability, 0.2 / (0.2 + 0.1), and correlation 0.7 per step
    assert means[1, -1] == pytest.approx(2 / 3, abs=1e-6)
    assert covariances[1, -1, -2] == pytest.approx(0.7 * 2 / 9, abs=1e-6)
    with pytest.raises(UserError, match="a Bernoulli law of 40 features has too many cells"):
        law.cells()
