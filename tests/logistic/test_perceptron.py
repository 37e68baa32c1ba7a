"""The perceptron against scikit-learn's."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron

from gdcurves.logistic import perceptron


@pytest.mark.parametrize("passes", [1, 2, 5, 30])
@pytest.mark.slow
def test_what_it_separates_is_what_scikit_learns_does(passes: int) -> None:
    """Rows in their order, from 0, step 1; some sets separable, some hardly, some not."""
    rng = np.random.default_rng(3)
    x = np.concatenate([np.ones((200, 12, 1)), rng.random((200, 12, 4))], axis=2)
    y = rng.random((200, 12)) < 1 / (1 + np.exp(-8 * (x[:, :, 1] - x[:, :, 2])))
    y[:, 0], y[:, 1] = True, False
    theirs = []
    for features, labels in zip(x, y, strict=True):
        reference = Perceptron(fit_intercept=False, shuffle=False, tol=None, max_iter=passes)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # as it stops where it is told
            reference.fit(features, labels)
        theirs.append(bool((reference.predict(features) == labels).all()))
    rows = x * np.where(y, 1.0, -1.0)[:, :, None]
    ours = perceptron.separates(rows, passes)
    np.testing.assert_array_equal(ours, theirs)
    assert 0 < ours.sum() < len(ours)


def test_a_row_on_the_plane_is_not_separated() -> None:
    """Two rows that are opposite are never both on one side, and a null row is on none."""
    opposite = np.array([[[1.0, 2.0], [-1.0, -2.0]]])
    null = np.array([[[1.0, 2.0], [0.0, 0.0]]])
    assert not perceptron.separates(opposite, 50).any()
    assert not perceptron.separates(null, 50).any()
    assert perceptron.separates(opposite[:, :1], 1).all()
