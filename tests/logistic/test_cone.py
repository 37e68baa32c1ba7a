"""Uniform draws from separating hyperplanes, against laws that are known exactly.

Every test compares thousands of independent draws of one batch; with another seed each of its
comparisons would fail by chance once in ten thousand times.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from gdcurves.fitters import Batch, Fit
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.logistic import cone
from gdcurves.logistic.certificates import Outcome

FALSE_ALARM = 1e-4
TRAJECTORIES = LogisticRegression().trajectories


def draws(rows: np.ndarray, start: np.ndarray, n: int = 3000, seed: int = 0) -> np.ndarray:
    """Unit vectors (n, q) from one cone, after checking that each separates."""
    rows, start = np.asarray(rows, float), np.asarray(start, float)
    assert (rows @ start > 0).all()
    batch = np.repeat(rows[None], n, axis=0), np.repeat(start[None], n, axis=0)
    drawn = cone.sample(*batch, [TRAJECTORIES], np.random.default_rng(seed))[0]
    assert drawn.shape == (n, rows.shape[1])
    np.testing.assert_allclose(np.linalg.norm(drawn, axis=1), 1.0, rtol=1e-12)
    assert (drawn @ rows.T > 0).all()
    return drawn


def follows(values: np.ndarray, law: object) -> None:
    """Kolmogorov-Smirnov, against a distribution or a large sample."""
    compare = stats.ks_2samp if isinstance(law, np.ndarray) else stats.kstest
    against = law if isinstance(law, np.ndarray) else law.cdf  # type: ignore[attr-defined]
    assert compare(values, against).pvalue > FALSE_ALARM


def rotation(q: int, seed: int = 0) -> np.ndarray:
    return stats.special_ortho_group(q, seed=seed).rvs()


def normals(n: int, q: int) -> np.ndarray:
    return np.random.default_rng(99).standard_normal((n, q))


@pytest.mark.slow
@pytest.mark.parametrize("width", [3.0, 1.5, 0.1, 1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("share", [0.5, 0.001])
def test_two_dimensional_cone(width: float, share: float) -> None:
    """The angle is uniform; starts are in the middle and close to a wall, walls of any length."""
    first = 0.3
    rows = np.array(
        [
            [-5.0 * np.sin(first), 5.0 * np.cos(first)],
            [np.sin(first + width), -np.cos(first + width)],
        ]
    )
    angle = first + share * width
    drawn = draws(rows, np.array([np.cos(angle), np.sin(angle)]))
    turned = (np.arctan2(drawn[:, 1], drawn[:, 0]) - first) % (2 * np.pi)
    follows(turned / width, stats.uniform())


@pytest.mark.slow
@pytest.mark.parametrize("q", [3, 8])
def test_positive_orthant(q: int) -> None:
    """The absolute values of a normal vector, normalised; seen in rotated coordinates."""
    turn = rotation(q)
    drawn = draws(turn, turn.T @ np.linspace(1e-3, 1.0, q)) @ turn.T
    assert (drawn > 0).all()
    for k in (0, q // 2, q - 1):
        follows(drawn[:, k] ** 2, stats.beta(0.5, (q - 1) / 2))
    # E z_1 z_2 = 2 / (pi q) for the absolute values of a normal vector of length 1
    product = drawn[:, 0] * drawn[:, 1]
    error = product.std() / np.sqrt(len(product))
    assert abs(product.mean() - 2 / (np.pi * q)) < 4 * error


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e3])
def test_length_of_rows_and_repeated_rows_do_not_matter(scale: float) -> None:
    """Nor do walls that the cone does not touch."""
    rows = np.vstack([np.eye(3), scale * np.eye(3)[:1], np.ones((5, 3)), [[1.0, 2.0, 0.0]]])
    drawn = draws(rows, np.array([1.0, 0.1, 0.01]))
    for k in range(3):
        follows(drawn[:, k] ** 2, stats.beta(0.5, 1.0))


def test_half_space_with_free_directions() -> None:
    """One row in five dimensions: |z_1| along it, plain normal across."""
    turn = rotation(5)
    drawn = draws(turn[:1] * 3.0, turn[0] + 0.5 * turn[1]) @ turn.T
    follows(drawn[:, 0] ** 2, stats.beta(0.5, 2.0))
    for k in range(1, 5):
        follows((drawn[:, k] + 1) / 2, stats.beta(2.0, 2.0))
    # Across: uncorrelated, second moments 1/5.
    moments = drawn.T @ drawn / len(drawn)
    expected = np.eye(5) / 5
    assert np.abs((moments - expected)[1:, 1:]).max() < 4 * np.sqrt(3 / 35 / len(drawn))


def test_wedge_with_free_directions() -> None:
    """Two rows in six dimensions: a uniform angle in their plane, independent of the rest."""
    turn = rotation(6, seed=1)
    rows = np.array([[0.0, 1.0], [np.sin(0.2), -np.cos(0.2)]])
    plane = np.hstack([rows, np.zeros((2, 4))]) @ turn
    drawn = draws(plane, np.array([2.0, 0.1, 1.0, -1.0, 0.0, 2.0]) @ turn) @ turn.T
    angle = np.arctan2(drawn[:, 1], drawn[:, 0])
    follows(angle / 0.2, stats.uniform())
    radius = drawn[:, 0] ** 2 + drawn[:, 1] ** 2
    follows(radius, stats.beta(1.0, 2.0))
    assert abs(stats.spearmanr(angle, radius).statistic) < 4 / np.sqrt(len(drawn))


@pytest.mark.slow
@pytest.mark.parametrize("width", [1e-1, 1e-3, 1e-5])
def test_thin_wedge_with_many_weights(width: float) -> None:
    """Two nearly opposed walls in six dimensions, as many rows as weights, so none is free."""
    rows = np.zeros((6, 6))
    rows[:, 0] = 1.0
    rows[0] = [np.sin(width), -np.cos(width), 0, 0, 0, 0]  # w_2 / w_1 below tan(width)
    rows[1] = [0, 1, 0, 0, 0, 0]
    rows[2:] = rows[1]
    start = np.array([1.0, np.tan(width) / 2, 0.3, 0, 0, 0])
    turn = rotation(6, seed=2)
    drawn = draws(rows @ turn, start @ turn) @ turn.T
    follows(np.arctan2(drawn[:, 1], drawn[:, 0]) / width, stats.uniform())
    follows(drawn[:, 0] ** 2 + drawn[:, 1] ** 2, stats.beta(1.0, 2.0))
    for k in range(2, 6):
        follows((drawn[:, k] + 1) / 2, stats.beta(2.5, 2.5))


def solid_angle(corners: np.ndarray) -> float:
    """Of the triangle with these unit vectors (3, 3): Van Oosterom & Strackee (1983)."""
    a, b, c = corners
    beneath = 1.0 + a @ b + b @ c + c @ a
    return float(2.0 * np.arctan2(abs(np.linalg.det(corners)), beneath))


def triangle_cases() -> list[np.ndarray]:
    """Corners of spherical triangles: regular, random, a thin sliver, two thin corners."""
    triangles = [np.eye(3)]
    rng = np.random.default_rng(3)
    triangles += [rng.standard_normal((3, 3)) for _ in range(4)]
    triangles.append(np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1e-3]]))
    triangles.append(np.array([[1.0, 0.0, 0.0], [1.0, 1e-2, 0.0], [1.0, 1.0, 1e-4]]))
    return [each / np.linalg.norm(each, axis=1)[:, None] for each in triangles]


@pytest.mark.slow
@pytest.mark.parametrize("corners", triangle_cases())
def test_triangle_has_the_area_of_its_parts(corners: np.ndarray) -> None:
    """Six triangles around an inner point are hit in proportion to their solid angles."""
    drawn = draws(np.linalg.inv(corners).T, corners.sum(axis=0))
    weights = drawn @ np.linalg.inv(corners)  # w = sum_k weights_k corner_k
    order = weights.argsort(axis=1) @ [9, 3, 1]
    centre = corners.sum(axis=0) / np.linalg.norm(corners.sum(axis=0))
    counts, areas = [], []
    for i, j, k in [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]:
        # weights_i < weights_j < weights_k: corner k, the middle of j and k, and the centre
        middle = corners[j] + corners[k]
        part = np.array([corners[k], middle / np.linalg.norm(middle), centre])
        counts.append(np.count_nonzero(order == 9 * i + 3 * j + k))
        areas.append(solid_angle(part))
    assert sum(areas) == pytest.approx(solid_angle(corners), rel=1e-6)
    expected = np.array(areas) / sum(areas) * len(drawn)
    assert stats.chisquare(counts, expected).pvalue > FALSE_ALARM


@pytest.mark.slow
def test_cone_against_rejection() -> None:
    """Seven walls in four dimensions, five of which cut the cone: normal vectors that fall in."""
    rng = np.random.default_rng(4)
    axis = np.array([1.0, 0.5, -0.5, 0.2])
    rows = rng.standard_normal((7, 4)) + axis
    rows *= np.sign(rows @ axis)[:, None]
    oracle = normals(400_000, 4)
    oracle = oracle[(oracle @ rows.T > 0).all(axis=1)]
    assert len(oracle) > 3000
    oracle /= np.linalg.norm(oracle, axis=1)[:, None]
    drawn = draws(rows, axis)
    for k in range(4):
        follows(drawn[:, k], oracle[:, k])
    for k in range(7):
        follows(drawn @ rows[k], oracle @ rows[k])


@pytest.mark.slow
@pytest.mark.parametrize(("q", "redundant"), [(6, False), (30, False), (6, True), (12, True)])
def test_ordered_positive_weights(q: int, redundant: bool) -> None:
    """w_1 > ... > w_q > 0, a cone 2^q q! times smaller than the sphere: sorted absolute values."""
    rows = np.eye(q) - np.eye(q, k=1)
    if redundant:  # every pair, not only neighbours
        pairs = np.eye(q)[:, None] - np.eye(q)
        rows = np.vstack([pairs[np.triu_indices(q, 1)], np.eye(q)])
    drawn = draws(rows, np.arange(q, 0, -1.0) ** 3, n=2000)
    oracle = np.sort(np.abs(normals(20_000, q)), axis=1)[:, ::-1]
    oracle /= np.linalg.norm(oracle, axis=1)[:, None]
    for k in (0, 1, q // 2, q - 1):
        follows(drawn[:, k], oracle[:, k])
    follows(drawn[:, 0] - drawn[:, 1], oracle[:, 0] - oracle[:, 1])


def test_ordered_weights_with_a_free_direction() -> None:
    """w_1 > ... > w_q: their sum is free."""
    q = 10
    rows = (np.eye(q) - np.eye(q, k=1))[:-1]
    drawn = draws(rows, np.arange(q, 0, -1.0) + 7.0, n=2000)
    oracle = np.sort(normals(20_000, q), axis=1)[:, ::-1]
    oracle /= np.linalg.norm(oracle, axis=1)[:, None]
    for k in (0, 4, 9):
        follows(drawn[:, k], oracle[:, k])
    follows((drawn.sum(axis=1) / np.sqrt(q) + 1) / 2, stats.beta((q - 1) / 2, (q - 1) / 2))


@pytest.mark.slow
def test_problems_of_a_batch_do_not_mix(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cones of different widths and ranks in one batch, in slices of three problems."""
    monkeypatch.setattr(cone, "SLICE_ENTRIES", 3 * 4 * 4)
    widths = np.tile([1.0, 1e-2, 1e-4], 700)
    rows = np.zeros((len(widths), 4, 3))
    rows[:, 0, :2] = [0.0, 1.0]
    rows[:, 1, 0], rows[:, 1, 1] = np.sin(widths), -np.cos(widths)
    rows[:, 2:] = rows[:, :1]
    rows[::2, 3, 2] = 1.0  # the third weight is positive in every second problem, else free
    rows[::2, 3, :2] = 0.0
    start = np.stack([np.cos(widths / 3), np.sin(widths / 3), np.ones_like(widths)], axis=1)
    drawn = cone.sample(rows, start, [TRAJECTORIES], np.random.default_rng(5))[0]
    assert (np.einsum("bmq,bq->bm", rows, drawn) > 0).all()
    angle = np.arctan2(drawn[:, 1], drawn[:, 0]) / widths
    for width in (1.0, 1e-2, 1e-4):
        follows(angle[widths == width], stats.uniform())
    follows(np.abs(drawn[:, 2]), stats.uniform())  # of a point on the sphere in three dimensions
    assert (drawn[::2, 2] > 0).all()
    assert abs((drawn[1::2, 2] > 0).mean() - 0.5) < 4 * 0.5 / np.sqrt(1050)


@pytest.mark.parametrize("rows", [[[2.0]], [[-1.0], [-3.0]], [[1.0, 0.0], [2.0, 0.0]]])
def test_one_dimensional_cones(rows: list[list[float]]) -> None:
    """A half-line holds one unit vector; with a free direction beside it, a half-circle."""
    drawn = draws(np.array(rows), np.array(rows[0]))
    if drawn.shape[1] == 1:
        assert np.array_equal(drawn, np.full((len(drawn), 1), np.sign(rows[0][0])))
    else:
        follows(np.arctan2(drawn[:, 1], drawn[:, 0]) / np.pi + 0.5, stats.uniform())


# The same through the fitter: separable sets, and the separable part of quasi-separable ones.


def many(x: list[list[float]], y: list[int], seed: int) -> Fit:
    """Fit the same training set 3000 times in one batch."""
    rows = np.repeat(np.array(x)[None], 3000, axis=0), np.repeat(np.array(y)[None], 3000, axis=0)
    return LogisticRegression().fit(
        Batch(*rows, (0,) * rows[0].shape[2], 2), np.random.default_rng(seed)
    )


def test_fitter_draws_uniformly_where_separable() -> None:
    """Rows at -1 and 1: hyperplanes (w_0, w_1) with w_1 > |w_0|, a right angle about (0, 1)."""
    fit = many([[-1.0], [1.0]], [0, 1], seed=6)
    assert (fit.diagnostics.outcome == Outcome.SEPARABLE).all()
    assert fit.rules.direction is None
    angle = np.arctan2(fit.rules.weights[0, :, 0, 1], fit.rules.weights[0, :, 0, 0])
    follows((angle - np.pi / 4) / (np.pi / 2), stats.uniform())


def test_fitter_draws_uniformly_where_quasi_separable() -> None:
    """Two rows of both classes at 0 hold the hyperplane; two others leave it a right angle."""
    fit = many([[0.0, 0.0], [0.0, 0.0], [3.0, 0.0], [0.0, -1.0]], [0, 1, 1, 0], seed=7)
    assert (fit.diagnostics.outcome == Outcome.QUASI).all()
    assert fit.rules.direction is not None
    w = fit.rules.direction[0, :, 0]
    np.testing.assert_allclose(w[:, 0], 0.0, atol=1e-12)
    follows(np.arctan2(w[:, 2], w[:, 1]) / (np.pi / 2), stats.uniform())
    # On the hyperplane the two rows at 0 decide: both classes are as likely.
    np.testing.assert_allclose(fit.rules.weights, 0.0, atol=1e-9)


@pytest.mark.slow
def test_several_draws_of_one_set_are_independent() -> None:
    x = np.array([[[-1.0], [1.0]], [[1.0], [-1.0]]])
    fitter, batch = (
        LogisticRegression(draws=300),
        Batch(x, np.array([[0, 1], [0, 1]]), (0,) * x.shape[2], 2),
    )
    w = fitter.fit(batch, np.random.default_rng(8)).rules.weights
    assert w.shape == (300, 2, 1, 2)
    angle = np.arctan2(w[:, 0, 0, 1], w[:, 0, 0, 0])
    follows((angle - np.pi / 4) / (np.pi / 2), stats.uniform())
    assert abs(np.corrcoef(angle[1:], angle[:-1])[0, 1]) < 4 / np.sqrt(300)


def test_quasi_separable_sets_of_different_ranks_in_one_batch() -> None:
    """The same right angle beside sets whose separable part leaves one direction, or three."""
    kinds = [
        [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, -1.0, 0.0], [3.0, 0.0, 0.0]],
        [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [3.0, 0.0, 0.0]],
        [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 2.0]],
    ]
    x = np.tile(np.array(kinds), (2000, 1, 1))
    y = np.tile([0, 1, 1, 0, 1], (6000, 1))
    fit = LogisticRegression().fit(Batch(x, y, (0,) * x.shape[2], 2), np.random.default_rng(9))
    assert (fit.diagnostics.outcome == Outcome.QUASI).all()
    assert fit.rules.direction is not None
    two, one, three = (fit.rules.direction[0, k::3, 0] for k in range(3))
    np.testing.assert_allclose(fit.rules.direction[0, :, 0, 0], 0.0, atol=1e-12)
    np.testing.assert_allclose(two[:, 3], 0.0, atol=1e-12)
    follows(np.arctan2(two[:, 2], two[:, 1]) / (np.pi / 2), stats.uniform())
    np.testing.assert_allclose(one[:, 2:], 0.0, atol=1e-12)
    assert (one[:, 1] > 0).all()
    three = three[:, 1:] / np.linalg.norm(three, axis=1)[:, None]
    for k in range(3):
        follows(three[:, k], stats.uniform())  # a coordinate on the sphere is uniform
