"""Crossings of curves whose differences are known, by algebra and by simulation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from answers import table
from scipy import stats

from gdcurves.arrays import FloatArray
from gdcurves.crossings import bootstrap, crossing
from gdcurves.crossings.interval import Spread
from gdcurves.crossings.paired import Paired

M = np.array([2, 8, 14, 20, 26, 32])


def paired(*errors: FloatArray, m: FloatArray = M, names: str = "abc") -> Paired:
    """Errors (k, J) of some fitters."""
    n_train, n_test = m.astype(np.int64), 200 - m.astype(np.int64)
    return Paired(tuple(names[: len(errors)]), n_train, np.stack(errors), n_train, n_test)


def noise(n_splits: int, seed: int, k: int = len(M), nested: float = 0.5) -> FloatArray:
    """Noise (k, J) that is alike at neighbouring sizes, with unit variance."""
    apart = np.abs(np.subtract.outer(np.arange(k), np.arange(k)))
    root = np.linalg.cholesky(nested**apart)
    return root @ np.random.default_rng(seed).standard_normal((k, n_splits))


def around(mean: FloatArray, spread: FloatArray) -> FloatArray:
    """Errors (k, 2 J) whose means are exactly `mean`."""
    return mean[:, None] + np.concatenate([spread, -spread], axis=1)


def test_a_line_crosses_zero_where_algebra_says() -> None:
    for at in (9.25, 20.0, 25.9):
        difference = 0.01 * (at - M)
        read = paired(around(0.3 + difference, 0.01 * noise(60, 0)), np.full((len(M), 120), 0.3))
        (row,) = table("e", read, 0).itertuples()
        assert row.kind == "crosses"
        assert row.m == pytest.approx(at, rel=1e-9)
        assert row.m_low < at < row.m_high
        assert (row.better_below, row.better_above) == ("b", "a")
        assert (row.n_a_better + row.n_b_better, row.n_sizes) in ((5, 6), (6, 6))
        assert row.difference_last == pytest.approx(difference[-1], rel=1e-9)


def test_swapped_fitters_mirror_everything() -> None:
    a = around(0.3 - 0.004 * (M - 17.0), 0.02 * noise(50, 1))
    b = around(np.full(len(M), 0.3), 0.02 * noise(50, 2))
    (one,), (other,) = (
        table("e", each, 3).itertuples() for each in (paired(a, b), paired(b, a, names="ba"))
    )
    same = ("kind", "m", "m_low", "m_high", "better_below", "better_above", "better_last")
    assert [getattr(one, name) for name in same] == [getattr(other, name) for name in same]
    assert (one.n_a_better, one.n_b_better) == (other.n_b_better, other.n_a_better)
    assert one.difference_last == pytest.approx(-other.difference_last, rel=1e-12)
    assert one.low_last == pytest.approx(-other.high_last, rel=1e-12)


def test_a_curve_and_itself_are_equal() -> None:
    errors = 0.3 + 0.05 * noise(50, 0)
    (row,) = table("e", paired(errors, errors), 0).itertuples()
    assert row.kind == "equal"
    assert np.isnan(row.m)
    assert row.better_last == ""


def test_two_crossings_are_two_rows() -> None:
    difference = np.array([-0.03, 0.02, 0.03, 0.03, 0.01, -0.02])
    read = paired(around(0.3 + difference, 0.01 * noise(60, 4)), np.full((len(M), 120), 0.3))
    first, second = table("e", read, 0).itertuples()
    # By proportion: 3 parts of 5 on the way from 2 to 8, one of 3 from 26 to 32.
    assert (first.m, second.m) == pytest.approx((5.6, 28.0), rel=1e-9)
    assert (first.better_below, first.better_above) == ("a", "b")
    assert (second.better_below, second.better_above) == ("b", "a")


def test_what_is_not_established_is_not_said() -> None:
    above = paired(around(np.full(6, 0.33), 0.01 * noise(60, 5)), np.full((6, 120), 0.3))
    (row,) = table("e", above, 0).itertuples()
    assert (row.kind, row.better_below, row.better_above) == ("does_not_cross", "b", "b")

    mean = np.array([0.3003, 0.2997, 0.3003, 0.33, 0.33, 0.33])
    (row,) = table("e", paired(around(mean, 0.01 * noise(60, 5)), above.values[1]), 0).itertuples()
    assert (row.kind, row.better_below, row.better_above) == ("better_from", "", "b")
    assert (row.m, row.n_b_better) == (M[3], 3)
    mean[4] = 0.2997
    (row,) = table("e", paired(around(mean, 0.01 * noise(60, 5)), above.values[1]), 0).itertuples()
    assert (row.kind, row.better_above, row.n_b_better) == ("cannot_tell", "", 2)

    few = paired(*(each[:, : crossing.LEAST_SPLITS - 1] for each in above.values))
    (row,) = table("e", few, 0).itertuples()
    assert (row.kind, row.n_b_better) == ("cannot_tell", 0)


def test_one_split_gives_no_interval() -> None:
    (row,) = table("e", paired(np.full((6, 1), 0.2), np.full((6, 1), 0.3)), 0).itertuples()
    assert (row.kind, row.better_last) == ("cannot_tell", "")
    assert row.difference_last == pytest.approx(-0.1)
    assert np.isnan([row.low_last, row.high_last]).all()


def test_of_several_zeros_the_one_with_least_area_on_the_wrong_side() -> None:
    m = np.array([0.0, 1, 2, 3, 4, 5])
    # Falls at 1.5, rises at 2.5, falls at 4.5; above zero after the first: 2 of area, below: 0.25.
    assert crossing.zero(m, np.array([1.0, 1, -1, 1, 1, -1])) == pytest.approx(4.5)
    assert crossing.zero(m, np.array([1.0, 1, -1, 1, -1, -1])) == pytest.approx(1.5)
    assert crossing.zeros(m, np.array([1.0, 1, -1, 0, 1, -1])) == pytest.approx([1.5, 3, 4.5])


def test_interval_of_curves_that_cross_once_has_the_quantiles_of_where_they_do() -> None:
    rng = np.random.default_rng(6)
    m = np.arange(0.0, 60.0, 5.0)
    curves = rng.uniform(0.01, 0.03, (1001, 1)) * (rng.normal(28, 5, (1001, 1)) - m)
    ends = np.array([1, *[0] * (len(m) - 2), -1])
    (only,) = crossing.crossings(m, curves.mean(axis=0), curves, ends)
    assert (only.before, only.after, only.sign) == (0, 55, 1)
    assert only.m == pytest.approx(np.interp(0.0, -curves.mean(axis=0), m))
    roots = np.sort([np.interp(0.0, -curve, m) for curve in curves])
    assert roots[24] <= only.low <= roots[26]
    assert roots[974] <= only.high <= roots[976]


def test_resamples_have_the_covariance_of_the_mean() -> None:
    errors = 0.3 + 0.1 * np.stack([noise(300, 7), noise(300, 8)])
    means = bootstrap.resampled(errors, np.random.default_rng(0))
    assert means.shape == (bootstrap.N_RESAMPLES, 2, len(M))
    flat = means.reshape(len(means), -1)
    expected = np.cov(errors.reshape(-1, 300)) / 300
    scale = np.sqrt(np.outer(np.diag(expected), np.diag(expected)))
    np.testing.assert_allclose(np.cov(flat.T) / scale, expected / scale, atol=0.12)
    np.testing.assert_allclose(flat.mean(axis=0), errors.reshape(-1, 300).mean(axis=1), atol=1e-3)


def test_sizes_with_more_splits_keep_their_number() -> None:
    errors = 0.3 + 0.1 * noise(400, 9)[None]
    errors[:, 2:, 100:] = np.nan
    constant = np.where(np.isnan(errors), np.nan, 0.25)
    assert (bootstrap.resampled(constant, np.random.default_rng(0)) == 0.25).all()
    spread = bootstrap.resampled(errors, np.random.default_rng(0)).std(axis=0)[0]
    n = np.array([400, 400, 100, 100, 100, 100])
    # The first hundred and the others are drawn apart, which takes out the difference of their
    # means: little, with one law for both.
    expected = np.nanstd(errors[0], axis=1, ddof=1) / np.sqrt(n)
    np.testing.assert_allclose(spread, expected, rtol=0.08)
    mean, deviation = paired(errors[0], constant[0]).difference(0, 1)
    np.testing.assert_allclose(mean, np.nanmean(errors[0], axis=1) - 0.25, rtol=1e-12)
    np.testing.assert_allclose(deviation, np.nanstd(errors[0], axis=1, ddof=1), rtol=1e-12)


def test_case_29_corrected_interval_against_its_formula() -> None:
    """Nadeau & Bengio's correction for splits of the same rows."""
    # By hand: J = 10, s = 0.02, n_test / n_train = 1 / 9, and 2.262157 is the table's value of
    # Student's t at 0.975 with 9 degrees of freedom. 0.02 * sqrt(0.1 + 0.111111) = 0.00918937.
    assert Spread(10, 0.02, 90, 10).nadeau_bengio() == pytest.approx(0.02078779, abs=1e-8)
    # Without shared rows it is the usual paired interval.
    values = np.random.default_rng(0).normal(size=30)
    usual = stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
    half_width = Spread(30, values.std(ddof=1), 20, 10).half_width()
    assert (values.mean() - half_width, values.mean() + half_width) == pytest.approx(usual)


def test_splits_of_one_data_set_are_not_taken_for_independent() -> None:
    read = paired(0.3 + 0.03 * noise(100, 1), 0.31 + 0.03 * noise(100, 2))
    (shared,), (own,) = (
        table("e", read, 0, independent=independent).itertuples() for independent in (False, True)
    )
    # 32 training rows, 168 test rows.
    ratio = (shared.high_last - shared.low_last) / (own.high_last - own.low_last)
    assert ratio == pytest.approx(np.sqrt((1 / 100 + 168 / 32) * 100), rel=1e-9)


@pytest.mark.slow
def test_curves_without_a_difference_are_seldom_told_apart() -> None:
    apart, crossed = 0, 0
    for seed in range(200):
        read = paired(0.3 + 0.03 * noise(40, seed), 0.3 + 0.03 * noise(40, 1000 + seed))
        (row, *_) = table("e", read, seed).itertuples()
        apart += row.n_a_better + row.n_b_better > 0
        crossed += row.kind == "crosses"
    # 5 % of 200 are told apart at some size, by design.
    low, high = stats.binom(200, 0.05).interval(0.999)
    assert low <= apart <= high
    assert crossed <= 2


@pytest.mark.slow
def test_the_interval_covers_the_crossing_as_often_as_it_says() -> None:
    # Curved, as differences of learning curves are, with a root between two sizes.
    true, n_runs = 17.3, 200
    difference = 0.05 * (true / M - 1)
    piece = np.searchsorted(M, true) - 1
    root = np.interp(0.0, -difference[piece : piece + 2], M[piece : piece + 2])
    covered = 0
    for seed in range(n_runs):
        errors = 0.3 + difference[:, None] + 0.035 * noise(100, seed)
        (row,) = table("e", paired(errors, np.full((len(M), 100), 0.3)), seed).itertuples()
        assert row.kind == "crosses"
        covered += row.m_low <= root <= row.m_high
    low, high = stats.binom(n_runs, 0.95).interval(0.999)
    assert low <= covered <= high


def test_one_data_frame_for_a_table() -> None:
    read = paired(*(0.3 + 0.03 * noise(40, seed) for seed in range(3)))
    crossings = table("e", read, 0)
    assert isinstance(crossings, pd.DataFrame)
    assert crossings[["fitter_a", "fitter_b"]].drop_duplicates().to_numpy().tolist() == [
        ["a", "b"],
        ["a", "c"],
        ["b", "c"],
    ]
