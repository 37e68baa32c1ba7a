"""The classifiers as estimators of scikit-learn."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from rules import fitted, scores
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.utils.estimator_checks import check_estimator

import gdcurves.sklearn as ours
from gdcurves.fitters import REGISTRY
from gdcurves.fitters.estimator import Estimator
from gdcurves.fitters.logistic_regression import LogisticRegression

X, Y = load_iris(return_X_y=True)


def test_there_is_one_for_each_of_our_own() -> None:
    own = {each.__name__ for each in REGISTRY.values() if each is not Estimator}
    assert {*ours.classes()} == own
    assert own > {"NaiveBayes", "LogisticRegression", "PenalisedLogistic", "LDA", "Majority"}
    with pytest.raises(AttributeError, match="no attribute 'Forest'"):
        _ = ours.Forest


# Those for discrete inputs alone do not take the checks' data, and the fewest errors take long.
@pytest.mark.parametrize("name", sorted(ours.classes().keys() - {"Tree", "ZeroOne"}))
@pytest.mark.slow
def test_it_is_an_estimator(name: str) -> None:
    check_estimator(ours.classes()[name](), on_skip=None)


def test_gaussian_naive_bayes_is_scikit_learns() -> None:
    made = ours.NaiveBayes(variance="per_class", epsilon=0.0, prior="empirical", rescale=False).fit(
        X, Y
    )
    other = GaussianNB(var_smoothing=0.0).fit(X, Y)
    np.testing.assert_allclose(made.predict_proba(X), other.predict_proba(X), atol=1e-9)


def test_discrete_columns_are_counted_as_in_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 3, (80, 2)).astype(float) * 10
    y = np.array(["b", "a"])[(x[:, 0] + rng.normal(0, 9, 80) > 9).astype(int)]
    made = ours.NaiveBayes(discrete="all", prior="empirical").fit(x, y)
    other = CategoricalNB().fit(x / 10, y)
    np.testing.assert_allclose(made.predict_proba(x), other.predict_proba(x / 10), atol=1e-9)
    assert list(made.classes_) == ["a", "b"]
    with pytest.raises(ValueError, match="column 1 of X: no training row has the level 5"):
        made.predict([[0, 5]])


def test_rescaling_is_over_the_training_rows() -> None:
    low, span = X.min(axis=0), np.ptp(X, axis=0)
    made = ours.LDA(prior="empirical", epsilon=1e-3).fit(X, Y)
    plain = ours.LDA(prior="empirical", epsilon=1e-3, rescale=False).fit((X - low) / span, Y)
    far = X * 1.5
    np.testing.assert_allclose(
        made.predict_proba(far), plain.predict_proba((far - low) / span), atol=1e-9
    )
    exact = ours.LDA(prior="empirical", epsilon=0.0).fit(X, Y)
    other = LinearDiscriminantAnalysis(solver="lsqr").fit(X, Y)
    np.testing.assert_allclose(exact.predict_proba(X), other.predict_proba(X), atol=1e-9)


def test_scores_are_those_of_the_fitter_and_draws_are_of_the_seed() -> None:
    rows = [*range(50, 150)]
    fit = fitted(LogisticRegression(), X[rows], Y[rows] - 1)
    made = ours.LogisticRegression(rescale=False).fit(X[rows], Y[rows])
    np.testing.assert_allclose(made.decision_function(X), scores(fit, X)[:, 0], rtol=1e-6)
    separable = slice(0, 100)
    drawn = [
        ours.LogisticRegression(random_state=seed).fit(X[separable], Y[separable])
        for seed in (1, 1, 2)
    ]
    first, again, other = (each.decision_function(X) for each in drawn)
    assert (first == again).all()
    assert (first != other).any()
    assert set(np.unique(drawn[0].predict_proba(X))) == {0.0, 1.0}


def test_parameters_are_the_options() -> None:
    made = ours.PenalisedLogistic(penalty="l1", strength=2.0)
    assert made.get_params() == {
        **{"penalty": "l1", "strength": 2.0, "standardise": True},
        **{"discrete": (), "rescale": True, "random_state": None},
    }
    copy = pickle.loads(pickle.dumps(clone(made).fit(X, Y)))
    assert copy.score(X, Y) == made.fit(X, Y).score(X, Y) > 0.9
    with pytest.raises(ValueError, match=r"^strength: found -1.0; write a number above 0, or cv$"):
        ours.PenalisedLogistic(strength=-1.0).fit(X, Y)
    with pytest.raises(ValueError, match="LDA takes continuous inputs; see `discrete`"):
        ours.LDA(discrete=[0]).fit(X, Y)
    with pytest.raises(ValueError, match="discrete: no column 7 in X"):
        ours.NaiveBayes(discrete=[7]).fit(X, Y)
    with pytest.raises(TypeError, match="tree"):
        ours.NaiveBayes(tree=1)


def test_an_order_alone_is_no_probability() -> None:
    for made, has in ((ours.LeastSquares(), False), (ours.LDA(), True)):
        for each in (made, made.fit(X, Y)):
            assert hasattr(each, "predict_proba") == has
            assert hasattr(each, "decision_function")
        assert made.score(X, Y) > 0.8


def test_classifiers_of_two_classes_or_of_levels_say_so() -> None:
    with pytest.raises(ValueError, match="Only binary classification is supported: ZeroOne tells"):
        ours.ZeroOne().fit(X, Y)
    made = ours.ZeroOne().fit(X[:100, :2], Y[:100])
    assert made.score(X[:100, :2], Y[:100]) == 1.0
    with pytest.raises(ValueError, match="Tree takes discrete inputs; see `discrete`"):
        ours.Tree().fit(X, Y)
    assert ours.Tree(discrete="all").fit(X.round(), Y).score(X.round(), Y) > 0.9
