"""Overlap, separable, quasi-separable: against enumeration, linear programs and the definitions.

Rows are signed: a row of the second class as it is, one of the first multiplied by -1.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.special import expit

from gdcurves import datasets, splits
from gdcurves.fitters import Batch
from gdcurves.fitters.features import design
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.logistic.certificates import Outcome
from gdcurves.logistic.kinds import Limit
from gdcurves.logistic.limit import decide
from gdcurves.problems import problem

# ----------------------------------------------------------------------------------------------
# Exact, in whole numbers: all labelled multisets of points of a small grid.
#
# The cone of the vectors with no margin below zero is spanned by its extreme rays (and the vectors
# with all margins zero). On the grid {0, ..., g}^2 a ray is orthogonal to two rows (1, a, b) that
# are linearly independent, or, where all points lie on a line, can be chosen as u . (x - p) with u
# and p differences and points of the grid. All of these are among the whole numbers
# |w_0| <= 2 g^2, |w_1|, |w_2| <= g. So a row can be separated strictly from the wrong side by a
# vector of the cone exactly if one of these vectors does it.
# ----------------------------------------------------------------------------------------------


def grid_vectors(g: int) -> np.ndarray:
    sides = np.indices((4 * g * g + 1, 2 * g + 1, 2 * g + 1)).reshape(3, -1).T
    return sides - [2 * g * g, g, g]


def labelled_multisets(g: int, m: int) -> np.ndarray:
    """All multisets of m labelled points of {0, ..., g}^2 as signed rows, shape (N, m, 3)."""
    points = np.indices((g + 1, g + 1)).reshape(2, -1).T
    kinds = np.concatenate([design(points, ()), -design(points, ())])
    chosen = np.array(list(combinations_with_replacement(range(len(kinds)), m)))
    return kinds[chosen]


def exact_part(rows: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Rows that some vector of the cone separates strictly, shape (N, m)."""
    part = np.zeros(rows.shape[:2], dtype=bool)
    for start in range(0, len(rows), 200):
        margins = rows[start : start + 200] @ vectors.T
        inside = (margins >= 0).all(axis=1)
        part[start : start + 200] = ((margins > 0) & inside[:, None, :]).any(axis=2)
    return part


def check(rows: np.ndarray, part: np.ndarray) -> None:
    """Compare `decide` with the largest separable part of each problem, and its certificates."""
    limit = decide(rows)
    expected = np.where(
        part.all(axis=1),
        Outcome.SEPARABLE,
        np.where(part.any(axis=1), Outcome.QUASI, Outcome.OVERLAP),
    )
    wrong = np.flatnonzero(limit.outcome != expected)
    assert not len(wrong), f"outcome {limit.outcome[wrong[0]]} of {rows[wrong[0]].tolist()}"
    quasi = expected == Outcome.QUASI
    assert np.array_equal(limit.boundary[quasi], ~part[quasi])
    check_certificates(rows, limit)


def check_certificates(rows: np.ndarray, limit: Limit) -> None:
    """What the outcome of each problem promises about its direction and its weights."""
    length = np.linalg.norm(rows, axis=2)
    for b, outcome in enumerate(limit.outcome):
        a = rows[b]
        size = length[b] * max(np.linalg.norm(limit.direction[b]), 1e-300)
        margins = a @ limit.direction[b] / size
        residuals = expit(-(a @ limit.weights[b]))
        if outcome == Outcome.SEPARABLE:
            assert (margins > 0).all()
        elif outcome == Outcome.QUASI:
            boundary = limit.boundary[b]
            assert np.abs(margins[boundary]).max() < 1e-10
            assert margins[~boundary].min() > 1e-9
            residuals = np.where(boundary, residuals, 0.0)
            check_gradient(a, residuals)
        else:
            assert outcome == Outcome.OVERLAP
            assert not limit.direction[b].any()
            check_gradient(a, residuals)


def check_gradient(rows: np.ndarray, residuals: np.ndarray) -> None:
    """At the maximum the rows, weighted with the residuals, cancel column by column."""
    scale = residuals @ np.abs(rows)
    assert (np.abs(residuals @ rows) <= 1e-11 * scale + 1e-300).all()


@pytest.mark.parametrize(("g", "m"), [(1, 2), (1, 3), (1, 4), (1, 5), (2, 2), (2, 3)])
def test_all_small_sets_on_a_grid(g: int, m: int) -> None:
    rows = labelled_multisets(g, m)
    check(rows, exact_part(rows, grid_vectors(g)))


@pytest.mark.slow
@pytest.mark.parametrize(("g", "m"), [(1, 7), (1, 12), (2, 5), (2, 9), (2, 14)])
def test_random_sets_on_a_grid(g: int, m: int) -> None:
    rng = np.random.default_rng([g, m])
    x = rng.integers(0, g + 1, (500, m, 2))
    # A slope in the labels, so that all three outcomes occur at every m.
    y = np.where(rng.random((500, m)) < expit(4.0 * (x[:, :, 0] - g / 2)), 1.0, -1.0)
    rows = design(x, ()) * y[:, :, None]
    check(rows, exact_part(rows, grid_vectors(g)))


# ----------------------------------------------------------------------------------------------
# Linear programs: three or more features, one-hot codes.
# ----------------------------------------------------------------------------------------------


def maximum(objective: np.ndarray, rows: np.ndarray, slack: np.ndarray) -> float:
    """Maximise <objective, (w, t)> over <w, a_i> >= slack_i t, |w_j| <= 1, 0 <= t <= 1."""
    n_weights = rows.shape[1]
    for method in ("highs-ds", "highs-ipm"):  # the simplex method gives up on a few tiny problems
        solution = linprog(
            -objective,
            A_ub=np.hstack([-rows, slack[:, None]]),
            b_ub=np.zeros(len(rows)),
            bounds=[(-1, 1)] * n_weights + [(0, 1)],
            method=method,
        )
        if solution.status == 0:
            return float(-solution.fun)
    raise AssertionError("no linear program method solved it")


def programmed_part(rows: np.ndarray) -> np.ndarray:
    """Rows that a vector of the cone separates strictly, shape (m,), by up to m + 2 programs.

    Rows are whole numbers, so the optima that are not 0 are far from it.
    """
    m, n_weights = rows.shape
    width = maximum(np.append(np.zeros(n_weights), 1.0), rows, np.ones(m))
    if width > 1e-6:
        return np.ones(m, dtype=bool)
    none = np.zeros(m)
    if maximum(np.append(rows.sum(axis=0), 0.0), rows, none) < 1e-6:
        return np.zeros(m, dtype=bool)
    return np.array([maximum(np.append(each, 0.0), rows, none) > 1e-6 for each in rows])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("levels", "m", "coded"),
    [
        ((2, 2, 2), 6, False),
        ((3, 3, 3), 7, False),
        ((3, 3, 3), 10, False),
        ((3, 3, 3, 3), 9, False),
        ((2, 2, 2), 9, True),
        ((3, 2, 4), 8, True),
        ((3, 2, 4), 14, True),
        ((2, 3, 2, 3), 20, True),
    ],
)
def test_random_sets_against_linear_programs(levels: tuple[int, ...], m: int, coded: bool) -> None:
    rng = np.random.default_rng([*levels, m, coded])
    n_sets = 60
    x = np.stack([rng.integers(0, k, (n_sets, m)) for k in levels], axis=2)
    slope = rng.choice([0.0, 2.0, 5.0], (n_sets, 1)) * (x[:, :, 0] - (levels[0] - 1) / 2)
    y = np.where(rng.random((n_sets, m)) < expit(slope), 1.0, -1.0)
    rows = design(x, levels if coded else ()) * y[:, :, None]
    check(rows, np.array([programmed_part(each) for each in rows]))


@pytest.mark.slow
def test_enumeration_agrees_with_linear_programs() -> None:
    rows = labelled_multisets(1, 4)[::7]
    expected = np.array([programmed_part(each) for each in rows])
    assert np.array_equal(exact_part(rows, grid_vectors(1)), expected)


# ----------------------------------------------------------------------------------------------
# Scales (case 18), sizes, and sets on the edge.
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scales",
    [
        (1.0, 1e4, 1e-4),
        (1e-3, 1e3, 1.0),
        (1e6, 1e6, 1e6),
        (1e6, 1.0, 1e-6),
        (1e9, 1e-9, 1.0),
        (1e14, 1e14, 1e-14),
    ],
)
def test_scales_of_columns_do_not_matter(scales: tuple[float, ...]) -> None:
    """The outcome is that of the columns on one scale, and so are the fitted log-odds."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 3, (300, 9, 3)).astype(float)
    slope = rng.choice([0.0, 2.0, 5.0], (300, 1)) * (x[:, :, 0] - 1.0)
    y = np.where(rng.random((300, 9)) < expit(slope), 1.0, -1.0)[:, :, None]
    plain, scaled = decide(design(x, ()) * y), decide(design(x * scales, ()) * y)
    assert np.array_equal(plain.outcome, scaled.outcome)
    assert len(np.unique(plain.outcome)) == 3
    overlap = plain.outcome == Outcome.OVERLAP
    full = np.linalg.matrix_rank(design(x, ())) == 4
    factors = np.array([1.0, *scales])
    np.testing.assert_allclose(
        (scaled.weights * factors)[overlap & full],
        plain.weights[overlap & full],
        rtol=1e-6,
        atol=1e-9,
    )


def test_case_16_separable_without_slack() -> None:
    """Case 16: -2 and -1 against 1 and 2; and gaps that are a millionth of the range."""
    for x in ([-2.0, -1.0, 1.0, 2.0], [0.0, 0.5, 0.500001, 1.0], [0.0, 1e-6, 2e-6, 1.0]):
        rows = design(np.array(x)[None, :, None], ()) * np.array([-1, -1, 1, 1])[None, :, None]
        limit = decide(rows)
        assert limit.outcome.tolist() == [Outcome.SEPARABLE]
        check_certificates(rows, limit)


@pytest.mark.parametrize("gap", [1e-2, 1e-4, 1e-6])
def test_on_either_side_of_separability(gap: float) -> None:
    """Two rows that touch (quasi-separable), miss each other, or cross by a small gap."""
    for middle, outcome in (
        ((0.5, 0.5), Outcome.QUASI),
        ((0.5, 0.5 + gap), Outcome.SEPARABLE),
        ((0.5 + gap, 0.5), Outcome.OVERLAP),
    ):
        x = np.array([0.0, 0.2, *middle, 0.7, 1.0])
        y = np.array([-1, -1, -1, 1, 1, 1])
        rows = (design(x[:, None], ()) * y[:, None])[None]
        limit = decide(rows)
        assert limit.outcome.tolist() == [outcome]
        check_certificates(rows, limit)


def test_a_batch_gives_what_each_set_gives_alone() -> None:
    rng = np.random.default_rng(1)
    x = rng.integers(0, 3, (60, 8, 3))
    rows = design(x, (3, 3, 3)) * rng.choice([-1.0, 1.0], (60, 8, 1))
    together = decide(rows)
    for b in range(60):
        alone = decide(rows[[b]])
        assert alone.outcome[0] == together.outcome[b]
        assert np.array_equal(alone.boundary[0], together.boundary[b])
        np.testing.assert_allclose(together.weights[b], alone.weights[0], atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("m", "d"), [(30, 4), (60, 8), (150, 64), (40, 60)])
def test_continuous_inputs_near_the_edge(m: int, d: int) -> None:
    """Sizes about the number of weights, where separability goes over into overlap."""
    rng = np.random.default_rng([m, d])
    x = rng.random((40, m, d))
    margin = (x - 0.5).sum(axis=2) * 3.0
    y = np.where(rng.random((40, m)) < expit(margin), 1.0, -1.0)
    rows = design(x, ()) * y[:, :, None]
    limit = decide(rows)
    check_certificates(rows, limit)
    for b in range(0, 40, 4):
        separable = maximum(np.append(np.zeros(d + 1), 1.0), rows[b], np.ones(m)) > 1e-7
        assert (limit.outcome[b] == Outcome.SEPARABLE) == separable


# ----------------------------------------------------------------------------------------------
# Properties.
# ----------------------------------------------------------------------------------------------


@st.composite
def signed_rows(draw: st.DrawFn) -> np.ndarray:
    """One problem of up to ten rows of small whole numbers, with the intercept first."""
    d = draw(st.integers(1, 4))
    m = draw(st.integers(2, 10))
    row = st.lists(st.integers(-2, 2), min_size=d, max_size=d)
    x = np.array(draw(st.lists(row, min_size=m, max_size=m)))
    sign = np.array(draw(st.lists(st.sampled_from([-1, 1]), min_size=m, max_size=m)))
    return np.asarray(design(x, ()) * sign[:, None], dtype=float)


@pytest.mark.slow
@settings(max_examples=200, derandomize=True)
@given(signed_rows())
def test_every_verdict_comes_with_its_proof(rows: np.ndarray) -> None:
    """A hyperplane that separates; a gradient of zero; or both, for the two parts of the rows."""
    check_certificates(rows[None], decide(rows[None]))


@pytest.mark.slow
@settings(max_examples=100, derandomize=True)
@given(signed_rows(), st.randoms(use_true_random=False))
def test_order_and_names_do_not_matter(rows: np.ndarray, random: object) -> None:
    """Rows and features in another order, and the classes exchanged."""
    m, q = rows.shape
    row_order = random.sample(range(m), m)  # type: ignore[attr-defined]
    feature_order = [0, *random.sample(range(1, q), q - 1)]  # type: ignore[attr-defined]
    moved = -rows[row_order][:, feature_order]
    before, after = decide(rows[None]), decide(moved[None])
    assert before.outcome[0] == after.outcome[0]
    assert np.array_equal(before.boundary[0][row_order], after.boundary[0])
    # Exchanged classes change the sign of all weights.
    np.testing.assert_allclose(
        -before.weights[0][feature_order], after.weights[0], rtol=1e-6, atol=1e-8
    )


@pytest.mark.slow
@pytest.mark.parametrize(("m", "split"), [(26, 13), (23, 300), (20, 490), (17, 144)])
def test_maxima_beyond_rounding_are_decided(shared: Path, m: int, split: int) -> None:
    """Adult rows with large capital gains: the smallest residuals are about 1e-40."""
    table = datasets.load("adult", data_dir=shared / "data")
    adult = problem.build(
        "adult-continuous", table, "continuous", [("F", ("<=50K",)), ("T", (">50K",))]
    )
    y = np.asarray(adult.y)
    one = range(split, split + 1)
    training = splits.training_sets(y, [m], one, 0, "adult-continuous")[m][0]
    sign = np.where(y[training] == 1, 1.0, -1.0)
    rows = design(adult.x[training], ()) * sign[:, None]
    limit = decide(rows[None])
    assert limit.outcome[0] in (Outcome.OVERLAP, Outcome.QUASI)
    counted = limit.boundary[0] if limit.outcome[0] == Outcome.QUASI else np.ones(m, dtype=bool)
    gradient = expit(-(rows @ limit.weights[0]))[counted] @ rows[counted]
    assert np.abs(gradient).max() < 1e-12


def overlaps_in_one_dimension(x: np.ndarray, y: np.ndarray) -> bool:
    """Whether no threshold has the classes on its two sides, shared points included."""
    first, second = x[y == 0], x[y == 1]
    return first.max() > second.min() and second.max() > first.min()


@pytest.mark.slow
@pytest.mark.parametrize("factor", [1.0, 30.0, 1e3, 1e5])
def test_one_row_far_outside_the_others(factor: float) -> None:
    """The exact verdict is known on a line; the others' coordinates are squeezed together."""
    rng = np.random.default_rng(int(factor))
    x = rng.integers(0, 10, (400, 6)).astype(float)
    x[:, 0] = 10 * factor
    y = rng.integers(0, 2, (400, 6))
    y[:, 1:3] = [0, 1]
    low, high = x.min(axis=1, keepdims=True), x.max(axis=1, keepdims=True)
    x = (x - low) / (high - low)
    sign = np.where(y == 1, 1.0, -1.0)
    limit = decide(np.stack([np.ones_like(x), x], axis=2) * sign[:, :, None])
    exact = np.array([overlaps_in_one_dimension(a, b) for a, b in zip(x, y, strict=True)])
    assert 50 < exact.sum() < 390
    assert np.array_equal(limit.outcome == Outcome.OVERLAP, exact)
    assert np.isfinite(limit.direction).all()


def test_rows_closer_than_rounding_allows_end_in_a_verdict() -> None:
    """No crash where the Hessian is singular to the last bit."""
    for gap in (1e-6, 3e-9, 1e-11, 1e-13):
        x, y = np.array([0.0, 0.5, 0.5 + gap, 1.0]), np.array([0, 0, 1, 1])
        fit = LogisticRegression().fit(
            Batch(x[None, :, None], y[None], (0,), 2), np.random.default_rng(0)
        )
        assert fit.diagnostics.outcome is not None
        assert gap < 1e-8 or fit.diagnostics.outcome[0] == Outcome.SEPARABLE
        assert np.isfinite(fit.rules.weights).all()
