"""The parts of a figure: axis ranges, lines that coincide, marks, line breaking."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pictures import assert_legible, drawn_line, legend_labels, make_run, render_whole

from gdcurves.plots import learning_curves, render
from gdcurves.plots.axes import Axis, LogAxis, automatic, fixed, logarithmic
from gdcurves.plots.panel import axes_of, strokes, turns
from gdcurves.plots.quantities import Quantity, panel
from gdcurves.plots.sheet import Asymptote, Curve, Marks, Panel, Sheet
from gdcurves.plots.styles import Style
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


@pytest.mark.parametrize(
    ("axis", "labels"),
    [
        (LogAxis(1.8, 149.0), "2 5 10 20 50 100"),
        (LogAxis(1.0, 20.0), "1 2 5 10 20"),
        (LogAxis(1.8, 5e4), "10 100 1000 10000"),
    ],
)
def test_logarithmic_axes_have_few_round_ticks(axis: LogAxis, labels: str) -> None:
    assert axis.labels == labels.split()


@pytest.mark.slow
@given(st.lists(st.integers(1, 10**7), min_size=1).map(np.array))
def test_logarithmic_axes_hold_the_values(values: np.ndarray) -> None:
    axis = logarithmic(values)
    assert axis.low < values.min() <= values.max() < axis.high
    assert len(axis.ticks) <= 9
    assert len(axis.ticks) >= 2 or values.max() < 10 * values.min()


@pytest.mark.parametrize(
    ("m", "wanted"),
    [
        ([2, 3, 4, 6, 9, 14, 20, 29, 43, 63, 92, 135], True),
        (range(2, 60, 3), False),
        ([4, 8, 16, 32], False),
        ([4, 8, 16, 32, 64], True),
        ([7], False),
    ],
)
def test_sizes_equally_spaced_in_logarithm_have_such_an_axis(m: list[int], wanted: bool) -> None:
    assert learning_curves.spread_in_logarithm(np.array(m, dtype=float)) is wanted


def test_without_values_there_is_still_an_axis() -> None:
    assert automatic(np.array([np.nan]), 5) == Axis(0.0, 1.0, 0.2)
    assert automatic(np.array([0.0]), 5).low == 0.0


@settings(max_examples=50)
@given(st.text("ab cdW_", min_size=1, max_size=80))
def test_wrapped_lines_fit_and_lose_nothing(text: str) -> None:
    lines = wrap(text, 0.5, 8)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(width(line, 8) <= 0.5 for line in lines)


def test_shortened_text_ends_with_an_ellipsis() -> None:
    assert shorten(["one", "two"], 2) == ["one", "two"]
    assert shorten(["one", "two", "three"], 2) == ["one", "tw…"]


def asymptote(colour: str, y: float, layer: int = 1) -> Asymptote:
    style = Style(colour, width=0.6, layer=layer)
    return Asymptote(colour, style, np.array([10.0, 20.0]), np.array([y, y / 2]))


def test_limits_take_turns_with_those_that_are_equal_on_paper() -> None:
    asymptotes = [
        asymptote("a", 0.3),
        asymptote("b", 0.2),
        asymptote("c", 0.3001),
        asymptote("d", 0.3, layer=0),
    ]
    taken = [(each.label, turn, of) for each, turn, of in turns(asymptotes, 0.001)]
    assert sorted(taken) == [("a", 0, 2), ("b", 0, 1), ("c", 1, 2), ("d", 0, 1)]
    assert [of for _, _, of in turns(asymptotes, 1e-6)] == [1, 1, 1, 1]


@pytest.mark.parametrize("of", [2, 3, 5])
def test_lines_that_take_turns_cover_the_whole_line_and_never_each_other(of: int) -> None:
    """Each point of a period is on exactly one of the dash patterns."""
    at = np.linspace(0, 100, 997)
    covered = np.zeros(len(at))
    for turn in range(of):
        offset, (on, off) = strokes(Style("black", width=0.6), turn, of)["linestyle"]
        covered += (at + offset) % (on + off) < on
    np.testing.assert_array_equal(covered, 1)
    assert strokes(Style("black"), 0, 1)["linestyle"] == "-"


def test_marks_are_open_markers_on_bars_and_named_once() -> None:
    m = np.array([2.0, 10.0, 20.0])
    curve = Curve("one", Style("black"), m, np.array([0.4, 0.3, 0.2]))
    marks = Marks(
        "curves cross, with 95 % interval",
        m=np.array([5.0, 12.0, 15.0]),
        y=np.array([0.35, 0.28, 0.25]),
        low=np.array([3.0, np.nan, 11.0]),
        high=np.array([33.0, np.nan, np.inf]),
    )
    shown = Panel("an experiment", "a title", "error", curves=(curve,), marks=(marks,))
    sheet = Sheet("figure", "a title", "below it", "", (shown, shown), 2, "", ())
    with render.settings():
        figure = render_whole(sheet)
        assert_legible(figure)
    assert legend_labels(figure) == ["one", "curves cross, with 95 % interval"]
    for axes in figure.axes:
        line = drawn_line(axes, marks.label)
        np.testing.assert_array_equal(line.get_xydata(), np.column_stack([marks.m, marks.y]))
        assert line.get_linestyle() == "None"
        assert line.get_markerfacecolor() == "white"
        (bars,) = axes.collections
        end = axes.get_xlim()[1]
        assert end >= 33
        np.testing.assert_array_equal(
            bars.get_segments(), [[[3, 0.35], [33, 0.35]], [[11, 0.25], [end, 0.25]]]
        )


def test_a_limit_of_zero_leaves_the_axis_at_zero_and_others_are_off_the_frame() -> None:
    m, y = np.array([10.0, 20.0]), np.array([0.3, 0.2])
    curve = Curve("one", Style("black"), m, y)
    for value in (0.0, 0.1):
        shown = Panel("e", "t", "error", (curve,), (asymptote("a", 2 * value),))
        _, axis = axes_of(shown)
        assert (axis.low == 0) if value == 0 else (axis.low < value)


def test_band_between_columns_has_gaps_where_an_end_is_infinite_or_absent(tmp_path: Path) -> None:
    run = make_run(tmp_path, ["pima"], fitters=["lda"], m=[2, 4, 6])
    run.curves["logloss_median"] = [0.5, 0.4, 0.3]
    run.curves["logloss_q10"] = [0.2, 0.1, np.nan]
    run.curves["logloss_q90"] = [np.inf, 0.9, 0.8]
    quantity = Quantity("loss", "logloss_median", "logloss", ends=("logloss_q10", "logloss_q90"))
    (curve,) = panel(run, "pima", quantity, "title").curves
    assert curve.band is not None
    np.testing.assert_array_equal(curve.y, [0.5, 0.4, 0.3])
    np.testing.assert_array_equal(curve.band, [[np.nan, 0.1, np.nan], [np.nan, 0.9, np.nan]])


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([0, 1e-37], ["0", "2e-38", "4e-38", "6e-38", "8e-38", "1.0e-37"]),
        ([-1e-12, 3e-12], ["0", "1e-12", "2e-12", "3e-12"]),
        ([1e-5, 2e-5], ["1.0e-5", "1.2e-5", "1.4e-5", "1.6e-5", "1.8e-5", "2.0e-5"]),
        ([0, 1e300], ["0", "2e299", "4e299", "6e299", "8e299", "1.0e300"]),
        ([1e9, 1e9 + 2], ["1000000000", "1000000001", "1000000002"]),
        ([0, 0.5], ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]),
    ],
)
def test_case_s5_labels_are_short(values: list[float], labels: list[str]) -> None:
    intervals = len(labels) - 1 if min(values) >= 0 else 4
    assert automatic(np.array(values, dtype=float), intervals).labels == [
        each.replace("-", "\N{MINUS SIGN}") for each in labels
    ]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=4))
def test_case_s5_any_finite_values_have_an_axis(values: list[float]) -> None:
    axis = automatic(np.array(values), 5)
    assert np.isfinite([axis.low, axis.high]).all()
    slack = 1e-5 * axis.step
    assert axis.low - slack <= min(values)
    assert axis.high + slack >= max(values)
    for label, tick in zip(axis.labels, axis.ticks, strict=True):
        spelled = float(label.replace("\N{MINUS SIGN}", "-"))
        assert abs(spelled - tick) <= slack + 1e-9 * abs(tick)
