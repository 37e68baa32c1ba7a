"""Sums of logarithms by products, against one logarithm for each."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gdcurves.logistic.batched import gram
from gdcurves.scoring.judged import FACTORS, Logs


@pytest.mark.parametrize("n", [0, 1, FACTORS, 10 * FACTORS + 1])
@pytest.mark.parametrize("largest", [1e-12, 1.0, 1000.0])
def test_sum_is_that_of_the_logarithms(n: int, largest: float) -> None:
    numbers = largest * np.random.default_rng(0).random((n, 3))
    exact = [math.fsum(map(math.log1p, column)) for column in numbers.T]
    np.testing.assert_allclose(Logs(numbers).sum(), exact, rtol=1e-13, atol=1e-15 * n)


def test_gram_matrix_with_weights() -> None:
    rng = np.random.default_rng(1)
    rows, weights = rng.standard_normal((2, 50, 40)), rng.random((2, 50))
    weights[:, ::7] = 0.0
    expected = np.einsum("bm,bmi,bmj->bij", weights, rows, rows)
    np.testing.assert_allclose(gram(rows, weights), expected, atol=1e-13 * 50)
