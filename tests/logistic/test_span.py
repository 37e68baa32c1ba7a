"""The span of rows and the rest, against numpy's singular values."""

from __future__ import annotations

import numpy as np
import pytest

from gdcurves.fitters.features import design
from gdcurves.logistic import batched

EPS = 1e-12


def one_hot(rng: np.random.Generator) -> np.ndarray:
    """Signed rows of levels: each input's columns add up to the intercept, some are null."""
    rows = design(rng.integers(0, 4, (6, 40, 5)), (4, 5, 4, 6, 4))
    return rows * rng.choice([-1.0, 1.0], (6, 40, 1))


def held(rng: np.random.Generator) -> np.ndarray:
    """The same with most rows null, as many as the problem's number, and none left in the first."""
    rows = one_hot(rng)
    for b, each in enumerate(rows):
        each[b * 5 :] = 0.0
    return rows


def full(rng: np.random.Generator) -> np.ndarray:
    return rng.standard_normal((6, 40, 7)) * 10.0 ** rng.integers(-3, 4, 7)


def nearly_dependent(rng: np.random.Generator) -> np.ndarray:
    """A column that is a sum of two others but for a part in a thousand million."""
    rows = rng.standard_normal((6, 40, 7))
    rows[:, :, 3] = rows[:, :, 0] + rows[:, :, 5] + 1e-9 * rows[:, :, 3]
    return rows


def wide(rng: np.random.Generator) -> np.ndarray:
    return rng.standard_normal((6, 5, 12))


@pytest.mark.parametrize("make", [one_hot, held, full, nearly_dependent, wide])
def test_bases_are_orthonormal_and_share_the_space(make) -> None:  # type: ignore[no-untyped-def]
    rows = make(np.random.default_rng(0))
    span, rest = batched.span_and_rest(rows)
    for own, mine, others in zip(rows, span, rest, strict=True):
        rank = np.linalg.matrix_rank(own, rtol=batched.RANK_TOLERANCE)
        both = np.hstack([mine, others])
        assert (mine.any(axis=0).sum(), others.any(axis=0).sum()) == (rank, own.shape[1] - rank)
        np.testing.assert_allclose(both @ both.T, np.eye(own.shape[1]), atol=EPS)
        np.testing.assert_allclose(own @ others, 0.0, atol=EPS * np.abs(own).max())


def test_levels_need_no_singular_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(batched, "_by_singular_values")
    for make in (one_hot, held):
        batched.span_and_rest(make(np.random.default_rng(1)))
    with pytest.raises(NameError):
        batched.span_and_rest(nearly_dependent(np.random.default_rng(1)))


@pytest.mark.parametrize("q", [1, 16, 17, 100])
def test_inverse_of_a_triangle(q: int) -> None:
    lower = np.tril(np.random.default_rng(2).standard_normal((3, q, q)), -1) / q + np.eye(q)
    np.testing.assert_allclose(batched.inverse_of_lower(lower), np.linalg.inv(lower), atol=1e-13)
