"""Naive Bayes and nearest centroid against other packages, limits and symmetries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from rules import fitted, predictions, scores
from scipy.stats import norm
from sklearn.naive_bayes import CategoricalNB
from sklearn.neighbors import NearestCentroid as Reference

from gdcurves.fitters import REGISTRY, Batch
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.fitters.nearest_centroid import NearestCentroid


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def log_prior_ratios(y: np.ndarray, laplace: float, k: int) -> np.ndarray:
    n = np.bincount(y, minlength=k)
    log_prior = np.log((n + laplace) / (len(y) + k * laplace))
    return log_prior[1:] - log_prior[0]


@pytest.mark.parametrize("laplace", [1.0, 0.5, 2.0])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_discrete_naive_bayes_is_scikit_learns_but_for_the_prior(
    laplace: float, n_classes: int, rng: np.random.Generator
) -> None:
    """Levels that no training row has count in the denominators and have a probability."""
    levels = (2, 3, 7, 1)
    x = np.column_stack([rng.integers(0, k, 25) for k in levels]).astype(np.int32)
    y = rng.permutation(np.arange(25) % n_classes)
    everything = np.indices(levels).reshape(4, -1).T.astype(np.int32)
    x[x[:, 2] == 6, 2] = 0  # no training row has the last level
    reference = CategoricalNB(
        alpha=laplace, min_categories=np.array(levels), class_prior=np.full(n_classes, 1.0)
    ).fit(x, y)
    joint = reference.predict_joint_log_proba(everything)
    expected = joint[:, 1:] - joint[:, :1] + log_prior_ratios(y, laplace, n_classes)
    fit = fitted(NaiveBayes(laplace=laplace), x, y, levels, n_classes)
    np.testing.assert_allclose(scores(fit, everything, levels), expected, rtol=1e-10, atol=1e-12)


def test_case_20_a_level_that_no_training_row_has() -> None:
    """Case 20: its probability is l / (n + l levels) in each class."""
    x = np.array([[0], [0], [1], [1], [1]], dtype=np.int32)
    y = np.array([0, 0, 1, 1, 1])
    fit = fitted(NaiveBayes(), x, y, (4,))
    expected = np.log((1 / 7) / (1 / 6)) + np.log((4 / 7) / (3 / 7))  # prior (n + 1) / (m + 2)
    assert scores(fit, np.array([[3]]), (4,))[0, 0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.0, 1e-3, 0.5])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_gaussian_naive_bayes_is_a_product_of_normal_densities(
    epsilon: float, n_classes: int, rng: np.random.Generator
) -> None:
    y = rng.permutation(np.repeat(np.arange(n_classes), np.arange(3, 3 + n_classes)))
    x = rng.normal(y[:, None], [0.1, 1.0, 3.0], (len(y), 3))
    test = rng.normal(0, 3, (20, 3))
    means = np.array([x[y == k].mean(axis=0) for k in range(n_classes)])
    deviation = np.sqrt(((x - means[y]) ** 2).mean(axis=0) + epsilon)
    densities = norm.logpdf(test[:, None], means, deviation).sum(axis=2)
    expected = densities[:, 1:] - densities[:, :1] + log_prior_ratios(y, 1.0, n_classes)
    fit = fitted(NaiveBayes(epsilon=epsilon), x, y, (), n_classes)
    np.testing.assert_allclose(scores(fit, test), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_nearest_centroid_is_scikit_learns(n_classes: int, rng: np.random.Generator) -> None:
    y = rng.permutation(np.repeat(np.arange(n_classes), np.arange(2, 2 + n_classes)))
    x = rng.random((len(y), 5))
    test = rng.random((300, 5))
    fit = fitted(NearestCentroid(), x, y, (), n_classes)
    reference = Reference().fit(x, y)
    assert np.array_equal(predictions(fit, test), reference.predict(test))
    squared = ((test[:, None] - reference.centroids_) ** 2).sum(axis=2)
    np.testing.assert_allclose(scores(fit, test), (squared[:, :1] - squared[:, 1:]) / 2, atol=1e-12)


def test_many_training_sets_at_once_are_what_each_is_alone(rng: np.random.Generator) -> None:
    x, y = rng.random((7, 12, 4)), np.array([rng.permutation(np.arange(12) % 3) for _ in range(7)])
    for fitter in (NaiveBayes(), NearestCentroid()):
        together = fitter.fit(Batch(x, y, (0,) * x.shape[2], 3), rng)
        for b in range(7):
            alone = fitted(fitter, x[b], y[b], (), 3)
            np.testing.assert_allclose(
                together.rules.weights[:, b], alone.rules.weights[:, 0], rtol=1e-12
            )


# m = 2, and features that do not vary (case 14).


@pytest.mark.parametrize("epsilon", [1e-3, 0.0])
def test_two_rows_make_the_nearer_one_win(epsilon: float, rng: np.random.Generator) -> None:
    x, y = rng.random((2, 6)), np.array([0, 1])
    test = rng.random((200, 6))
    nearer = ((test[:, None] - x) ** 2).sum(axis=2).argmin(axis=1)
    fit = fitted(NaiveBayes(epsilon=epsilon), x, y)
    assert np.array_equal(predictions(fit, test), nearer)
    assert np.array_equal(predictions(fitted(NearestCentroid(), x, y), test), nearer)


@pytest.mark.parametrize("epsilon", [1e-3, 0.0])
@pytest.mark.parametrize("value", [0.0, 0.5, 0.1, 1 / 3])
def test_case_14_features_that_are_constant_in_training_tell_nothing(
    epsilon: float, value: float, rng: np.random.Generator
) -> None:
    y = np.array([0, 0, 0, 1, 1, 1, 1, 1, 1, 1])
    x = np.full((10, 2), value)
    fit = fitted(NaiveBayes(epsilon=epsilon), x, y)
    prior = log_prior_ratios(y, 1.0, 2)
    np.testing.assert_allclose(scores(fit, rng.random((5, 2))), np.tile(prior, (5, 1)), rtol=1e-9)
    # Beside another feature they change nothing.
    informative = rng.random((10, 1))
    test = rng.random((5, 1))
    alone = scores(fitted(NaiveBayes(epsilon=epsilon), informative, y), test)
    beside = fitted(NaiveBayes(epsilon=epsilon), np.hstack([informative, x]), y)
    both = scores(beside, np.hstack([test, rng.random((5, 2))]))
    np.testing.assert_allclose(both, alone, rtol=1e-9)


# Limits: zero stands for what ever smaller positive values tend to.


@pytest.mark.parametrize("seed", range(10))
def test_laplace_zero_is_the_limit(seed: int) -> None:
    """As many zero counts decide first, then the rest; all levels of four features are asked."""
    rng = np.random.default_rng(seed)
    levels = (2, 3, 4, 3)
    x = np.column_stack([rng.integers(0, k, 8) for k in levels]).astype(np.int32)
    y = rng.permutation([0, 0, 0, 1, 1, 2, 2, 2])
    test = np.indices(levels).reshape(4, -1).T.astype(np.int32)
    zero = fitted(NaiveBayes(laplace=0.0), x, y, levels, 3)
    tiny = fitted(NaiveBayes(laplace=1e-30), x, y, levels, 3)
    assert tiny.rules.direction is None
    # Rows that are tied in the limit are not for 1e-30; ties are told by the log-odds.
    gap = np.sort(np.pad(scores(tiny, test, levels), ((0, 0), (1, 0))), axis=1)
    clear = gap[:, -1] - gap[:, -2] > 1e-6
    assert clear.mean() > 0.5
    assert np.array_equal(
        predictions(zero, test, levels)[clear], predictions(tiny, test, levels)[clear]
    )


def test_epsilon_zero_is_the_limit(rng: np.random.Generator) -> None:
    """A feature that is constant within classes decides; where it is level, the others do."""
    y = np.array([0, 0, 0, 1, 1, 1])
    x = np.column_stack([np.where(y == 1, 0.7, 0.1), rng.random(6), np.full(6, 0.1)])
    zero, tiny = (fitted(NaiveBayes(epsilon=e), x, y) for e in (0.0, 1e-13))
    test = rng.random((200, 3))
    expected = (test[:, 0] > 0.4).astype(int)
    assert np.array_equal(predictions(zero, test), expected)
    assert np.array_equal(predictions(tiny, test), expected)
    test[:, 0] = 0.4  # as far from 0.1 as from 0.7
    others = fitted(NaiveBayes(epsilon=0.0), x[:, 1:2], y)
    assert np.array_equal(predictions(zero, test), predictions(others, test[:, 1:2]))


def test_a_class_without_training_rows_is_never_predicted(rng: np.random.Generator) -> None:
    y = np.array([0, 0, 2, 2])
    continuous = rng.random((4, 3))
    discrete = rng.integers(0, 2, (4, 3)).astype(np.int32)
    all_rows = np.indices((2, 2, 2)).reshape(3, -1).T.astype(np.int32)
    for fitter in (NaiveBayes(), NaiveBayes(epsilon=0.0, laplace=0.0), NearestCentroid()):
        classes = predictions(fitted(fitter, continuous, y, (), 3), rng.random((50, 3)))
        assert set(classes) <= {0, 2}
    for laplace in (1.0, 0.0):
        fit = fitted(NaiveBayes(laplace=laplace), discrete, y, (2, 2, 2), 3)
        assert set(predictions(fit, all_rows, (2, 2, 2))) <= {0, 2}
    # The classes that are there are told apart as if there were no third.
    two = fitted(NearestCentroid(), continuous, y // 2)
    test = rng.random((50, 3))
    three = fitted(NearestCentroid(), continuous, y, (), 3)
    assert np.array_equal(predictions(three, test), 2 * predictions(two, test))


# Symmetries.

value = st.integers(-20, 20)


@st.composite
def training(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of two to four features and three classes, each of which is there."""
    d = draw(st.integers(2, 4))
    rows = draw(st.lists(st.lists(value, min_size=d, max_size=d), min_size=5, max_size=12))
    y = draw(st.lists(st.integers(0, 2), min_size=len(rows) - 3, max_size=len(rows) - 3))
    return np.array(rows, dtype=float), np.array([0, 1, 2, *y])


def spread(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Whether each feature varies within a class."""
    varies: np.ndarray = np.any([np.ptp(x[y == k], axis=0) > 0 for k in np.unique(y)], axis=0)
    return varies


GRID = np.random.default_rng(1).uniform(-20, 20, (30, 4))


@pytest.mark.slow
@settings(max_examples=60, derandomize=True)
@given(training(), st.floats(1e-6, 1e6), st.floats(-100, 100))
def test_scale_and_origin_of_a_feature_do_not_matter(
    rows: tuple[np.ndarray, np.ndarray], factor: float, shift: float
) -> None:
    x, y = rows
    assume(spread(x, y).all())
    test = GRID[:, : x.shape[1]]
    fitter = NaiveBayes(epsilon=0.0)
    before = scores(fitted(fitter, x, y, (), 3), test)
    change = np.ones(x.shape[1])
    change[0] = factor
    after = scores(fitted(fitter, x * change + shift * change, y, (), 3), (test + shift) * change)
    np.testing.assert_allclose(after, before, rtol=1e-6, atol=1e-6)


@pytest.mark.slow
@settings(max_examples=60, derandomize=True)
@given(training(), st.randoms(use_true_random=False), st.sampled_from(["naive", "zero", "centre"]))
def test_order_of_rows_features_and_classes_does_not_matter(
    rows: tuple[np.ndarray, np.ndarray], random: Any, which: str
) -> None:
    x, y = rows
    fitter = {
        "naive": NaiveBayes(),
        "zero": NaiveBayes(epsilon=0.0),
        "centre": NearestCentroid(),
    }[which]
    assume(which != "zero" or spread(x, y).all())
    test = GRID[:, : x.shape[1]]
    before = np.pad(scores(fitted(fitter, x, y, (), 3), test), ((0, 0), (1, 0)))

    row_order = random.sample(range(len(y)), len(y))
    feature_order = random.sample(range(x.shape[1]), x.shape[1])
    class_order = np.array(random.sample(range(3), 3))  # class k is called class_order[k]
    moved = fitted(fitter, x[row_order][:, feature_order], class_order[y[row_order]], (), 3)
    after = np.pad(scores(moved, test[:, feature_order]), ((0, 0), (1, 0)))[:, class_order]
    np.testing.assert_allclose(
        after - after[:, :1], before, rtol=1e-7, atol=1e-7 * np.abs(before).max()
    )


@pytest.mark.slow
@settings(max_examples=60, derandomize=True)
@given(training(), st.randoms(use_true_random=False), st.sampled_from([0.0, 1.0]))
def test_names_of_levels_do_not_matter(
    rows: tuple[np.ndarray, np.ndarray], random: Any, laplace: float
) -> None:
    """And neither does the order of rows, features and classes with discrete inputs."""
    x, y = (rows[0] % 3).astype(np.int32), rows[1]
    d = x.shape[1]
    levels = (3,) * d
    test = np.indices(levels).reshape(d, -1).T.astype(np.int32)
    before = predictions(fitted(NaiveBayes(laplace=laplace), x, y, levels, 3), test, levels)

    renamed = np.array(random.sample(range(3), 3), dtype=np.int32)
    feature_order = random.sample(range(d), d)
    row_order = random.sample(range(len(y)), len(y))
    moved = fitted(
        NaiveBayes(laplace=laplace),
        renamed[x[row_order][:, feature_order]],
        y[row_order],
        levels,
        3,
    )
    after = predictions(moved, renamed[test[:, feature_order]], levels)
    assert np.array_equal(after, before)


def test_options_are_checked() -> None:
    for options in ({"laplace": -1.0}, {"epsilon": float("nan")}, {"variance": "own"}, {"l": 1.0}):
        with pytest.raises(ValidationError):
            REGISTRY["naive_bayes"].model_validate(options)
    for name, each in REGISTRY.items():
        assert name == "sklearn" or each.model_validate({}) == each()
        assert each.needs.kinds <= {"continuous", "discrete"}
        assert "\n" not in each.summary


@pytest.mark.parametrize(
    ("name", "key", "value", "said"),
    [
        ("naive_bayes", "epsilon", 1e-300, "found 1e-300; write 0, or 1e-100 or more"),
        ("naive_bayes", "laplace", 1e-101, "found 1e-101; write 0, or 1e-100 or more"),
        ("lda", "epsilon", 5e-324, "found 5e-324; write 0, or 1e-100 or more"),
        ("hybrid", "laplace", 1e-300, r"greater than or equal to 0\.0{99}1 "),
        ("hybrid", "laplace", 0.0, r"greater than or equal to 0\.0{99}1 "),
    ],
)
def test_case_k_tiny_addends_are_refused_with_what_to_write(
    name: str, key: str, value: float, said: str
) -> None:
    with pytest.raises(ValidationError, match=said):
        REGISTRY[name].model_validate({key: value})
    assert getattr(REGISTRY[name].model_validate({key: 1e-100}), key) == 1e-100
