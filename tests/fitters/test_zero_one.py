"""The least number of training errors: reference values, uniform draws, and the solver's."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rules import fitted, scores
from scipy.stats import chisquare

from gdcurves.fitters import Batch, dichotomies, error_program, zero_one
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.fitters.zero_one import ZeroOne
from gdcurves.logistic.certificates import Outcome


def noisy(n: int, d: int, seed: int, noise: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    return x, (x[:, 0] + noise * rng.normal(size=n) > 0).astype(int)


def different(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates of the different rows, and what labels cost there."""
    points, of_row = np.unique(x, axis=0, return_inverse=True)
    of_one, of_both = np.bincount(of_row, y).astype(int), np.bincount(of_row)
    return dichotomies.coordinates(points), np.column_stack([of_one, of_both - of_one])


def cases(shared: Path) -> Any:
    for case in json.loads((shared / "reference/theory/zero_one.json").read_text()):
        x = np.array(case["x"], float)
        yield x.reshape(len(case["y"]), -1), np.array(case["y"]), case


@pytest.mark.slow
def test_reference_values(shared: Path) -> None:
    """The least errors, how many labellings have them, and how many labellings there are."""
    checked = 0
    for x, y, case in cases(shared):
        points, cost = different(x, y)
        least, labellings = dichotomies.cheapest(points, cost)
        assert least == case["errors"]
        assert len(labellings) == case["optimal_dichotomies"]
        assert len(dichotomies.cheapest(points, 0 * cost)[1]) == case["dichotomies"]
        errors = ((scores(fitted(ZeroOne(), x, y), x)[:, 0] > 1e-10) != y).sum()
        assert errors == case["errors"]
        checked += 1
    assert checked == 90


def test_labellings_of_cells_are_threshold_functions() -> None:
    """Of two, three and four bits there are 14, 104 and 1882 (Muroga, 1971)."""
    for d, number in ((1, 4), (2, 14), (3, 104), (4, 1882)):
        cells = np.array(list(itertools.product([0.0, 1.0], repeat=d)))
        points = dichotomies.coordinates(cells)
        _, labellings = dichotomies.cheapest(points, np.zeros((2**d, 2), dtype=int))
        assert len(labellings) == number


def test_labellings_in_general_position_are_counted_by_cover() -> None:
    for n, r, number in ((12, 1, 24), (12, 2, 134), (9, 3, 186), (5, 4, 32)):
        points = dichotomies.coordinates(np.random.default_rng(n).normal(size=(n, r)))
        assert len(dichotomies.cheapest(points, np.zeros((n, 2), dtype=int))[1]) == number


@pytest.mark.slow
def test_labellings_are_drawn_uniformly(shared: Path) -> None:
    """Chi-square at one percent, of the set with the most that have the fewest errors."""
    x, y, case = max(cases(shared), key=lambda each: each[2]["optimal_dichotomies"])
    n = 40 * case["optimal_dichotomies"]
    batch = Batch(np.tile(x, (n, 1, 1)), np.tile(y, (n, 1)), (0,) * x.shape[1], 2)
    weights = ZeroOne().fit(batch, np.random.default_rng(0)).rules.weights[0, :, 0]
    labels = np.column_stack([np.ones(len(x)), x]) @ weights.T > 0
    assert ((y != labels.T).sum(axis=1) == case["errors"]).all()
    drawn, counts = np.unique(labels, axis=1, return_counts=True)
    assert drawn.shape[1] == case["optimal_dichotomies"] > 4
    assert chisquare(counts).pvalue > 0.01


@pytest.mark.slow
def test_hyperplanes_are_drawn_uniformly_from_a_cone() -> None:
    """In one dimension the angle of (b, w) is uniform in a sector, half of it beside each point."""
    x, y = np.array([[0.0], [1.0], [1.0], [3.0]]), np.array([0, 0, 1, 1])
    n = 1000
    batch = Batch(np.tile(x, (n, 1, 1)), np.tile(y, (n, 1)), (0,), 2)
    fit = ZeroOne().fit(batch, np.random.default_rng(0))
    assert fit.diagnostics.outcome is not None
    assert (fit.diagnostics.outcome == Outcome.QUASI).all()
    assert fit.sampled is not None
    assert fit.sampled.all()
    b, w = fit.rules.weights[0, :, 0].T
    threshold = -b / w
    assert ((threshold > 0) & (threshold < 3)).all()
    # The middle point has either label: thresholds from 0 to 1, or from 1 to 3.
    for low, high in ((0.0, 1.0), (1.0, 3.0)):
        here = np.arctan(threshold[(threshold > low) & (threshold < high)])
        assert len(here) == pytest.approx(n / 2, abs=4 * np.sqrt(n / 4))
        share = (here - np.arctan(low)) / (np.arctan(high) - np.arctan(low))
        assert chisquare(np.histogram(share, bins=10, range=(0, 1))[0]).pvalue > 0.01


def test_separable_sets_are_those_of_logistic_regression() -> None:
    x, y = noisy(12, 8, 0)
    batch = Batch(np.tile(x, (300, 1, 1)), np.tile(y, (300, 1)), (0,) * 8, 2)
    ours, theirs = (
        each.fit(batch, np.random.default_rng(0)) for each in (ZeroOne(), LogisticRegression())
    )
    assert ours.diagnostics.outcome is not None
    assert (ours.diagnostics.outcome == Outcome.SEPARABLE).all()
    means = [each.rules.weights[0, :, 0].mean(axis=0) for each in (ours, theirs)]
    np.testing.assert_allclose(*means, atol=0.08)
    assert (y == (np.column_stack([np.ones(12), x]) @ ours.rules.weights[0, :, 0].T > 0).T).all()


@pytest.mark.slow
@pytest.mark.parametrize(("n", "d", "noise"), [(20, 2, 0.3), (20, 3, 1.0), (16, 4, 0.5)])
def test_the_program_errs_as_little_as_the_best_labelling(n: int, d: int, noise: float) -> None:
    for seed in range(3):
        x, y = noisy(n, d, seed, noise)
        x[:3] = x[3:6]  # some rows twice, of either class
        points, cost = different(x, y)
        found = error_program.cheapest(points, cost, 60.0)
        assert found.proved
        assert found.cost == dichotomies.cheapest(points, cost)[0]


def test_the_solvers_hyperplane_where_there_is_no_enumeration(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Inputs of any scale and coded levels; nothing is written by the solver's library."""
    monkeypatch.setattr(zero_one, "MOST_WORK", 0)
    x, y = noisy(18, 2, 5, 3.0)
    x = np.column_stack([100.0 + 1e-3 * x, np.full(18, 7.0), np.arange(18) % 3])
    levels = (0, 0, 0, 3)
    fit = fitted(ZeroOne(), x, y, levels)
    columns = np.column_stack([x[:, :2], np.eye(3)[x[:, 3].astype(int)]])
    scaled = (columns - columns.min(axis=0)) / np.ptp(columns, axis=0)
    least, _ = dichotomies.cheapest(*different(scaled, y))
    assert ((scores(fit, x, levels)[:, 0] > 1e-10) != y).sum() == least > 0
    assert fit.diagnostics.degenerate is not None
    assert fit.diagnostics.degenerate.tolist() == [True]
    assert fit.halfway is None
    assert capfd.readouterr().out == ""


def test_sets_that_are_not_solved_in_time_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zero_one, "MOST_WORK", 0)
    x, y = noisy(60, 5, 1, 3.0)
    fit = fitted(ZeroOne(limit=0.05), x, y)
    assert fit.diagnostics.outcome is not None
    assert fit.diagnostics.outcome.tolist() == [Outcome.UNDECIDED]
    assert np.isfinite(fit.rules.weights).all()
    errors = ((scores(fit, x)[:, 0] > 1e-10) != y).sum()
    assert errors <= min(y.sum(), (1 - y).sum())


def test_sets_of_all_kinds_in_one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also rows that are all the same; what is drawn half-way belongs to those that are drawn."""
    monkeypatch.setattr(zero_one, "MOST_WORK", 200)
    sets = [noisy(20, 2, 0, 0.01), noisy(20, 2, 3), noisy(20, 3, 3, 3.0)]
    x = np.zeros((5, 20, 3))
    y = np.tile(np.arange(20) % 2, (5, 1))
    for b, (of_set, classes) in enumerate(sets):
        x[b, :, : of_set.shape[1]], y[b] = of_set, classes
    x[4] = 0.3
    y[4, :11] = 1
    fit = ZeroOne().fit(Batch(x, y, (0,) * 3, 2), np.random.default_rng(0))
    assert fit.diagnostics.degenerate is not None
    assert fit.diagnostics.degenerate.tolist() == [False, False, True, False, False]
    assert fit.sampled is not None
    assert (fit.sampled == ~fit.diagnostics.degenerate).all()
    assert fit.halfway is not None
    assert fit.halfway.weights.shape == (1, 4, 1, 4)
    predicted = np.einsum("bmq,bq->bm", Batch(x, y, (0,) * 3, 2).design, fit.rules.weights[0, :, 0])
    errors = ((predicted > 1e-10) != y).sum(axis=1)
    assert errors[0] == 0
    assert errors[1] == dichotomies.cheapest(*different(sets[1][0], y[1]))[0] > 0
    assert errors[2] == dichotomies.cheapest(*different(sets[2][0], y[2]))[0] > 0
    assert errors[4] == min(y[4].sum(), 20 - y[4].sum())
