"""The comparison with published curves, on values made by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from gdcurves import published

THEIRS = pd.DataFrame(
    {
        "experiment": ["a", "a", "b"],
        "m": [2, 4, 2],
        "naive_bayes_error": [0.3, 0.2, 0.1],
        "logistic_regression_error": [0.4, 0.3, 0.2],
    }
)


def curves(*points: tuple[str, str, int, float, float]) -> pd.DataFrame:
    columns = ["experiment", "fitter", "m", "error_mean", "error_se"]
    return pd.DataFrame(points, columns=columns).assign(n_splits=250)


def test_a_point_agrees_up_to_three_combined_standard_errors_and_the_reading_error() -> None:
    # 250 splits against 1000: the combined error is 0.01 * sqrt(1 + 1 / 4).
    limit = 3 * 0.01 * np.sqrt(1.25) + 2e-4
    for excess, agrees in ((-1e-6, True), (1e-6, False)):
        for sign in (-1, 1):
            ours = curves(("a", "naive_bayes", 4, 0.2 + sign * (limit + excess), 0.01))
            (row,) = published.compare(ours, THEIRS).itertuples()
            assert row.se == pytest.approx(0.01 * np.sqrt(1.25), rel=1e-12)
            assert row.difference == pytest.approx(sign * (limit + excess), rel=1e-9)
            assert bool(row.agrees) is agrees


def test_only_points_that_both_have_are_compared_with_the_curve_of_the_same_classifier() -> None:
    ours = curves(
        ("a", "logistic_regression", 2, 0.41, 0.01),
        ("a", "logistic_regression", 3, 0.41, 0.01),
        ("a", "nearest_centroid", 2, 0.31, 0.01),
        ("a", "logistic_regression_newton", 4, 0.31, 0.01),
        ("a", "something_else", 2, 0.31, 0.01),
        ("c", "naive_bayes", 2, 0.31, 0.01),
    )
    compared = published.compare(ours, THEIRS)
    assert compared[["fitter", "m", "published"]].to_numpy().tolist() == [
        ["logistic_regression", 2, 0.4],
        ["nearest_centroid", 2, 0.3],
        ["logistic_regression_newton", 4, 0.3],
    ]


def test_summary_counts_and_finds_the_largest_deviation() -> None:
    ours = curves(
        ("a", "naive_bayes", 2, 0.31, 0.01),
        ("a", "naive_bayes", 4, 0.12, 0.01),
        ("b", "naive_bayes", 2, 0.1, 0.01),
    )
    summary = published.summarise(published.compare(ours, THEIRS))
    assert summary.drop(columns="largest").to_numpy().tolist() == [
        ["a", "naive_bayes", 2, 1, 4],
        ["b", "naive_bayes", 1, 1, 2],
    ]
    np.testing.assert_allclose(summary["largest"], [-0.08, 0.0], atol=1e-12)


def test_other_figures_have_no_published_values() -> None:
    assert published.values("learning_curves") is None
