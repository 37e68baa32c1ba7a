"""How curves go on: power laws whose course is known."""

from __future__ import annotations

import numpy as np
import pytest

from gdcurves import trends
from gdcurves.trends import Trend

M = np.array([2, 3, 5, 8, 13, 21, 34, 55, 90])


def trend(loss: np.ndarray, se: float = 1e-4) -> Trend:
    known = Trend.of(M, loss, np.diag(np.full(len(M), se**2)))
    assert known is not None
    return known


@pytest.mark.parametrize("c", [0.4, 0.7, 1.0])
@pytest.mark.parametrize("asymptote", [0.02, 0.2])
def test_a_power_law_goes_on_as_one(c: float, asymptote: float) -> None:
    known = trend(asymptote + 0.5 * M**-c)
    value, low, high = known.loss(np.array([2.0, 4.0]))
    expected = asymptote + 0.5 * np.array([180.0, 360.0]) ** -c
    stays = asymptote + 0.5 * 90**-c - expected
    assert known.fits
    # A third of what it changes, or within what a curve of its form is taken to be off.
    assert (np.abs(value - expected) < np.maximum(stays / 3, 0.02 * expected)).all()
    assert ((low < expected) & (expected < high)).all()


def test_a_curve_that_speeds_up_is_followed() -> None:
    loss = 0.5 - 0.02 * M**0.5  # to zero at m = 625
    value, low, high = trend(loss).loss(np.array([2.0]))
    assert value[0] == pytest.approx(0.5 - 0.02 * 180**0.5, abs=0.03)
    assert low[0] < 0.5 - 0.02 * 180**0.5 < high[0]


def test_ahead_no_curve_falls_faster_than_the_power_law_without_an_asymptote() -> None:
    """However it speeds up: the fall that there is, 0.02 * 0.5 * 90^0.5 for a unit of log m."""
    loss = 0.5 - 0.02 * M**0.5
    slope = 0.02 * 0.5 * 90**0.5
    value, low, _ = trend(loss).loss(np.array([4.0]))
    assert value[0] == pytest.approx(loss[-1] * 4 ** -(slope / loss[-1]), rel=0.05)
    assert value[0] > 0.5 - 0.02 * 360**0.5
    assert low[0] > 0


def test_a_flat_curve_stays() -> None:
    known = trend(np.full(len(M), 0.3))
    value, _, _ = known.loss(np.array([4.0]))
    assert known.fits
    assert value[0] == pytest.approx(0.3, abs=0.005)
    assert known.fall_ends(2.0)[1] < 0.01


def test_curves_that_rise_or_bend_are_not_of_the_form() -> None:
    assert not trend(0.2 + 0.03 * np.log(M)).fits
    hump = 0.3 + 0.1 * np.exp(-((np.log(M / 30)) ** 2))
    assert not trend(hump).fits
    # With less known of it, it may be.
    assert trend(hump, se=0.1).fits


def test_too_few_sizes() -> None:
    assert Trend.of(M[:2], np.array([0.3, 0.2]), np.eye(2)) is None


def test_means_that_go_together_tell_more_of_the_fall_than_of_the_loss() -> None:
    """Noise that is common to all sizes moves the curve, and leaves its fall as it is."""
    loss = 0.1 + 0.5 * M**-0.7
    own = np.diag(np.full(len(M), 1e-8))
    common = Trend.of(M, loss, own + 0.02**2)
    apart = Trend.of(M, loss, own + 0.02**2 * np.eye(len(M)))
    assert common is not None
    assert apart is not None
    assert common.deviation == pytest.approx(0.02, rel=0.1)
    widths = [np.subtract(*each.fall_ends(2.0)) for each in (common, apart)]
    assert abs(widths[0]) < abs(widths[1]) * 0.7


def test_reached_is_where_a_line_in_log_m_is() -> None:
    assert trends.reached(1 - np.log(trends.RATIOS), 0.0) == pytest.approx(np.e)
    assert trends.reached(np.full(len(trends.RATIOS), 0.2), 0.1) == np.inf
    assert trends.reached(np.full(len(trends.RATIOS), 0.1), 0.1) == 1


def test_quantiles_of_one_normal_law() -> None:
    low, median, high = trends._quantiles(np.array([[2.0]]), np.array([[0.5]]), np.array([1.0]))
    assert median[0] == pytest.approx(2.0)
    assert (low[0], high[0]) == pytest.approx((2 - 0.5 * 1.959964, 2 + 0.5 * 1.959964))


def test_samples_of_a_law_stray_as_a_random_walk_in_log_m() -> None:
    """The nearest mean on 20 rows of each of two normal classes, over 200 such samples.

    It strays half as much as the two classifiers of which the constant is the middle.
    """
    rng = np.random.default_rng(2)
    m = np.array([8, 16, 32])
    walk = 0.3**2 * trends.STRAYING * np.array([[2, 1, 0], [1, 1, 0], [0, 0, 0]])
    np.testing.assert_allclose(trends.straying(m, 0.3), walk)
    curves = np.array([_nearest_mean(rng.normal(size=(2, 20, 20)), m, rng) for _ in range(200)])
    of_two, of_one = (curves[:, :2] - curves[:, 2:]).var(axis=0) / curves[:, 2].var()
    assert of_one == pytest.approx(trends.STRAYING / 2, rel=0.3)
    assert of_two == pytest.approx(2 * of_one, rel=0.2)


def _nearest_mean(x: np.ndarray, m: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Mean errors (k,) over 400 splits of the rows x (2, n, d) of two classes, 0.45 apart."""
    x[1] += 0.45
    order = np.argsort(rng.random((2, 400, x.shape[1])), axis=-1)
    rows = np.stack([of_class[each] for of_class, each in zip(x, order, strict=True)])
    errors = []
    for n in m // 2:
        low, high = rows[:, :, :n].mean(axis=2)  # (400, d)
        score = np.einsum("ksnd,sd->ksn", rows[:, :, n:] - ((low + high) / 2)[:, None], high - low)
        errors.append(((score[0] > 0).mean() + (score[1] <= 0).mean()) / 2)
    return np.array(errors)


def test_nothing_is_known_of_a_loss_without_a_deviation() -> None:
    """As with one test row: what is foreseen is the same, and may be anything."""
    m = np.array([4, 8, 16, 32, 64])
    trend = Trend.of(m, 0.1 + 0.8 / m**0.5, np.eye(5) * 1e-6)
    assert trend is not None
    ratio = np.array([2.0, 4.0])
    middle, _, _ = trend.loss(ratio)
    for deviation in (np.inf, np.nan):
        value, low, high = trend.elsewhere(deviation).loss(ratio)
        assert value == pytest.approx(middle, abs=1e-3)
        assert low.tolist() == [0, 0]
        assert np.isinf(high).all()
        low, high = trend.elsewhere(deviation).loss(trends.RATIOS)[1:]
        assert (trends.reached(low, 0.15), trends.reached(high, 0.15)) == (1.0, np.inf)
