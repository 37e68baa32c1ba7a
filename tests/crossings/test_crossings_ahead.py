"""What more labelled rows would change: differences whose course is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from answers import table
from test_crossings import around, noise, paired

from gdcurves.crossings.ahead import rows_for_verdict, zero_ahead
from gdcurves.crossings.interval import Spread
from gdcurves.report.crossings import sentences
from gdcurves.trends import Trend

M = np.array([4, 8, 16, 20, 25, 32])


def trend(loss: np.ndarray) -> Trend:
    known = Trend.of(M, loss, np.diag(np.full(len(M), 1e-8)))
    assert known is not None
    assert known.fits
    return known


@pytest.mark.parametrize("at", [40.0, 60.0])
def test_two_power_laws_cross_about_where_they_do(at: float) -> None:
    """0.1 + 0.8 / m against a flat curve through its value at the crossing."""
    falling, flat = 0.1 + 0.8 / M, np.full(len(M), 0.1 + 0.8 / at)
    ahead = zero_ahead(falling[-1] - flat[-1], 1e-4, trend(falling), trend(flat))
    assert ahead.low < at < ahead.high
    assert ahead.m == pytest.approx(at, rel=0.15)
    other = zero_ahead(flat[-1] - falling[-1], 1e-4, trend(flat), trend(falling))
    assert (other.m, other.low, other.high) == pytest.approx((ahead.m, ahead.low, ahead.high))


def test_what_does_not_shrink_has_no_zero_ahead() -> None:
    falling, flat = 0.1 + 0.8 / M, np.full(len(M), 0.3)
    ahead = zero_ahead(falling[-1] - flat[-1], 1e-4, trend(falling), trend(flat))
    assert (ahead.m, ahead.low, ahead.high) == (np.inf, np.inf, np.inf)


def test_a_difference_that_is_zero_within_its_error_may_be_so_at_once() -> None:
    falling = 0.1 + 0.8 / M
    ahead = zero_ahead(0.001, 0.01, trend(falling), trend(falling))
    assert ahead.low == 32


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
    assert "as the two curves are foreseen to go on, it is zero near m = 7" in said(*line)
    assert " more rows." in said(*line)
    grows = -0.02 * np.log(M)
    assert said(*grows).endswith("No sign that up to 3 times as many rows change the order.")
    rises = 0.1 * np.log(M)  # no learning curve
    assert said(*rises).endswith("cannot be told from these curves.")
    known = table("e", paired(around(0.3 + 0.1 * np.log(M), noise(60, 0)), flat, m=M), 0)
    one, two = next(sentences(known)), next(sentences(known, guessing={known["fitter_b"][0]}))
    assert one.startswith(two)  # without what more rows would change
    assert two.endswith("for other data of this kind no verdict.")
    assert one != two
    steady = said(*np.full(6, 0.02), spread=0.05)
    assert "change the order. If it stays so, about " in steady
    assert steady.endswith(" more labelled rows would give a verdict; there are 100.")
    # Nothing is said to change where nothing is established.
    assert said(*np.full(6, 1e-5), spread=0.05).endswith("no verdict.")
