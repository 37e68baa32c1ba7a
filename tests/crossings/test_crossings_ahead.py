"""What more labelled rows would change: differences whose course is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from answers import table
from scipy import stats
from test_crossings import around, noise, paired

from gdcurves.crossings.ahead import rows_for_verdict, zero_ahead
from gdcurves.crossings.interval import Spread
from gdcurves.report.crossings import sentences

M = np.array([4, 8, 16, 20, 25, 32])


def test_a_line_in_log_m_is_drawn_out_exactly() -> None:
    difference = 0.02 * np.log(70 / M)
    ahead = zero_ahead(M, difference, difference[None])
    assert (ahead.m, ahead.low, ahead.high) == pytest.approx((70, 70, 70), rel=1e-12)
    mirrored = zero_ahead(M, -difference, -difference[None])
    assert mirrored.m == pytest.approx(ahead.m, rel=1e-12)


def test_two_sizes_far_apart_are_enough() -> None:
    m = np.array([10, 100])
    ahead = zero_ahead(m, np.array([0.2, 0.1]), np.array([[0.2, 0.1]]))
    assert ahead.m == pytest.approx(1000, rel=1e-12)


def test_what_flattens_crosses_later_than_the_line() -> None:
    # Above its tangents and chords in log m, so the line through the last sizes has its zero first.
    for true in (40.0, 60.0, 200.0):
        difference = 1 / M - 1 / true
        assert M[-1] < zero_ahead(M, difference, difference[None]).m < true


@pytest.mark.parametrize("slope", [0.0, 0.01])
def test_what_does_not_shrink_has_no_zero_ahead(slope: float) -> None:
    difference = 0.1 + slope * np.log(M / 4)
    ahead = zero_ahead(M, difference, difference[None])
    assert (ahead.m, ahead.low, ahead.high) == (np.inf, np.inf, np.inf)


@pytest.mark.slow
def test_the_interval_covers_the_zero_of_a_line_as_often_as_it_says() -> None:
    covered, n_runs = 0, 200
    difference = 0.05 * np.log(70 / M)
    for seed in range(n_runs):
        errors = 0.3 + difference[:, None] + 0.06 * noise(100, seed, nested=0.8)
        read = paired(errors, np.full((len(M), 100), 0.3), m=M)
        (row,) = table("e", read, seed).itertuples()
        covered += row.m_ahead_low <= 70 <= row.m_ahead_high
    low, high = stats.binom(n_runs, 0.95).interval(0.999)
    assert low <= covered <= high


def test_rows_for_a_verdict_bring_the_interval_to_zero() -> None:
    half_width = Spread(100, 0.04, 135, 15).nadeau_bengio()
    low, high = 0.01 - half_width, 0.01 + half_width
    more = rows_for_verdict(150, 0.01, low, high)
    assert more > 0
    n = (150 + more) / 150
    half_width = Spread(100, 0.04 / np.sqrt(n), 135, 15).nadeau_bengio()
    assert half_width == pytest.approx(0.01, abs=1e-15)
    assert rows_for_verdict(150, -0.01, -high, -low) == pytest.approx(more)
    assert rows_for_verdict(150, 0.01, 0.001, 0.019) == 0


def test_words() -> None:
    flat = np.full((len(M), 120), 0.3)

    def said(*difference: float, spread: float = 0.01) -> str:
        read = paired(around(0.3 + np.array(difference), spread * noise(60, 0)), flat, m=M)
        few = replace(read, n_train=np.full(6, 90), n_test=np.full(6, 10))
        return next(sentences(table("e", few, 0)))

    line = 0.1 * np.log(70 / M)
    assert "if it goes on straight in log m, it is zero near m = 70.0 (" in said(*line)
    assert "), 38 more rows." in said(*line)
    slow = 0.1 * np.log(3000 / M)
    assert "too slowly to be zero before 3 times as many rows." in said(*slow, spread=1e-3)
    grows = 0.1 * np.log(M)
    assert said(*grows).endswith("no sign that more rows change the order.")
    steady = said(*np.full(6, 0.02), spread=0.05)
    assert "cannot be told from these curves. If it stays so, about " in steady
    assert steady.endswith(" more labelled rows would give a verdict; there are 100.")
    # Nothing is said to change where nothing is established.
    assert said(*np.full(6, 1e-5), spread=0.05).endswith("no verdict.")
