"""Axis ranges and line breaking."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gdcurves.plots.axes import Axis, automatic, fixed
from gdcurves.plots.text import shorten, width, wrap

errors = st.lists(st.floats(0, 1), min_size=1, max_size=6).map(np.array)


@pytest.mark.parametrize(
    ("values", "low", "high", "intervals", "ticks"),
    [
        ([], 0, 60, 5, [0, 20, 40, 60]),
        ([], 0, 25, 5, [0, 5, 10, 15, 20, 25]),
        ([0.3], 0.25, 0.5, 7, [0.25, 0.3, 0.35, 0.4, 0.45, 0.5]),
        ([0.18, np.nan], 0.2, 0.5, 7, [0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5]),
        ([-0.05], 0.0, 0.4, 7, [0.0, 0.1, 0.2, 0.3, 0.4]),
    ],
)
def test_fixed_axes_have_round_ticks(
    values: list[float], low: float, high: float, intervals: int, ticks: list[float]
) -> None:
    axis = fixed(np.array(values), low, high, intervals)
    np.testing.assert_allclose(axis.ticks, ticks, atol=1e-12)
    assert axis.high == high
    assert axis.low == low or axis.low < min(values)


def test_labels_have_the_decimals_of_the_step() -> None:
    assert Axis(0.2, 0.35, 0.05).labels == ["0.20", "0.25", "0.30", "0.35"]
    assert Axis(0.0, 0.4, 0.2).labels == ["0.0", "0.2", "0.4"]
    assert Axis(0, 200, 100).labels == ["0", "100", "200"]
    assert Axis(-0.1, 0.01, 0.005).labels == ["0.000", "0.005", "0.010"]


@given(errors)
def test_automatic_axes_hold_the_values_and_end_on_ticks(values: np.ndarray) -> None:
    axis = automatic(values, 6)
    slack = 1e-5 * axis.step
    assert axis.low - slack <= values.min()
    assert values.max() <= axis.high + slack
    assert 2 <= len(axis.ticks) <= 9
    np.testing.assert_allclose(axis.ticks[[0, -1]], [axis.low, axis.high], atol=1e-9)


@given(errors, st.floats(0, 0.4), st.floats(0.5, 1))
def test_fixed_axes_move_only_the_ends_that_values_pass(
    values: np.ndarray, low: float, high: float
) -> None:
    axis = fixed(values, low, high, 7)
    assert (axis.low == low) if values.min() >= low else (axis.low < values.min())
    assert (axis.high == high) if values.max() <= high else (axis.high > values.max())


def test_without_values_there_is_still_an_axis() -> None:
    assert automatic(np.array([np.nan]), 5) == Axis(0.0, 1.0, 0.2)
    assert automatic(np.array([0.0]), 5).low == 0.0


@settings(max_examples=50, deadline=None)
@given(st.text("ab cdW_", min_size=1, max_size=80))
def test_wrapped_lines_fit_and_lose_nothing(text: str) -> None:
    lines = wrap(text, 0.5, 8)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(width(line, 8) <= 0.5 for line in lines)


def test_shortened_text_ends_with_an_ellipsis() -> None:
    assert shorten(["one", "two"], 2) == ["one", "two"]
    assert shorten(["one", "two", "three"], 2) == ["one", "tw…"]
