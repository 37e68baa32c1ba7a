"""Feature maps against plain loops over pairs of inputs."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest

from gdcurves.fitters.features import Layout, design
from gdcurves.fitters.maps import LINEAR, PRODUCTS, SQUARES, FeatureMap

PAIRS = {
    LINEAR: lambda c: [],
    SQUARES: lambda c: [(i, i) for i in range(c)],
    PRODUCTS: lambda c: list(combinations_with_replacement(range(c), 2)),
}


@pytest.mark.parametrize("feature_map", PAIRS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("levels", [(0, 0, 0), (0, 3, 0, 2, 0, 0), (0,)])
def test_vectors_are_those_of_the_definition(
    feature_map: FeatureMap, levels: tuple[int, ...]
) -> None:
    rng = np.random.default_rng(0)
    x = np.array([[rng.integers(n) if n else rng.normal() for n in levels] for _ in range(7)])
    layout = Layout.of(levels)
    centre = rng.normal(size=len(layout.continuous))
    vectors = feature_map.vectors(design(x, levels), layout, centre)
    pairs = PAIRS[feature_map](len(centre))
    assert vectors.shape == (7, layout.n_columns + len(pairs))
    for row, vector in zip(x, vectors, strict=True):
        numbers = row[layout.continuous] - (centre if pairs else 0.0)
        expected = design(row, levels)
        expected[layout.starts[layout.continuous]] = numbers
        np.testing.assert_array_equal(vector[: layout.n_columns], expected)
        np.testing.assert_array_equal(
            vector[layout.n_columns :], [numbers[i] * numbers[j] for i, j in pairs]
        )


@pytest.mark.parametrize("feature_map", PAIRS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("c", [1, 2, 5])
def test_every_product_is_where_its_position_says(feature_map: FeatureMap, c: int) -> None:
    i, j = feature_map.pairs(c)
    assert list(zip(i.tolist(), j.tolist(), strict=True)) == PAIRS[feature_map](c)
    assert feature_map.position(i, j, c).tolist() == list(range(len(i)))
    assert feature_map.position(j, i, c).tolist() == list(range(len(i)))


@pytest.mark.parametrize("feature_map", PAIRS, ids=lambda each: type(each).__name__)
def test_a_form_has_the_values_of_its_rule(feature_map: FeatureMap) -> None:
    rng = np.random.default_rng(1)
    c, x = 4, rng.normal(size=(20, 4))
    weights = rng.normal(size=1 + c + len(PAIRS[feature_map](c)))
    a, b, A = feature_map.form(weights, c)
    assert np.array_equal(A, A.T)
    vectors = feature_map.vectors(design(x, (0,) * c), Layout.of((0,) * c), np.zeros(c))
    values = a + x @ b + np.einsum("ni,ij,nj->n", x, A, x)
    np.testing.assert_allclose(vectors @ weights, values, rtol=1e-12)
