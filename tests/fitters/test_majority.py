"""The largest class, against scikit-learn's DummyClassifier and the rule's own words."""

from __future__ import annotations

import numpy as np
import pytest
from rules import fitted, predictions, scores
from sklearn.dummy import DummyClassifier

from gdcurves import scoring
from gdcurves.fitters import Batch
from gdcurves.fitters.majority import Majority
from gdcurves.scoring.measures import chosen
from gdcurves.scoring.pool import collect


@pytest.mark.parametrize("levels", [(), (3, 2)], ids=["continuous", "discrete"])
@pytest.mark.parametrize("n", [(3, 5), (5, 3), (4, 4), (2, 6, 6), (0, 3, 2), (1, 0, 7)])
def test_largest_class_and_probabilities(n: tuple[int, ...], levels: tuple[int, ...]) -> None:
    k, y = len(n), np.repeat(np.arange(len(n)), n)
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, (len(y), 2)) if levels else rng.normal(size=(len(y), 2))
    fit = fitted(Majority(), x, y, levels, k)
    theirs = DummyClassifier().fit(x, y).predict(x)
    assert predictions(fit, x, levels).tolist() == theirs.tolist()
    log_odds = scores(fit, x, levels)
    p = np.exp(np.pad(log_odds, ((0, 0), (1, 0))))
    p /= p.sum(axis=1, keepdims=True)
    expected = (np.array(n) + 1) / (sum(n) + k)
    assert p == pytest.approx(np.tile(expected, (len(x), 1)), rel=1e-12)


def test_measures_of_it() -> None:
    """The error is the share of the others, the scores order nothing."""
    y = np.repeat([0, 1], [30, 20])
    x = np.random.default_rng(1).normal(size=(50, 3))
    training = np.array([np.r_[0:10, 30:35], np.r_[0:5, 30:40]])
    fit = Majority().fit(Batch(x[training], y[training], (0, 0, 0), 2), np.random.default_rng(0))
    measures = chosen(["error", "balanced_error", "auc"])
    values = scoring.score(collect(x, y, (0, 0, 0), 2), fit, training, measures).values
    assert values["errors"].tolist() == [15, 25]
    assert values["balanced_error"].tolist() == [0.5, 0.5]
    assert values["auc"].tolist() == [0.5, 0.5]
