"""Rules with a data set each: scored together they have the scores that each has alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gdcurves import scoring, splits
from gdcurves.fitters import Batch, Fit
from gdcurves.fitters.hybrid import Hybrid
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.logistic.certificates import Outcome
from gdcurves.scoring.pool import Pool

N_SETS, N_ROWS, M = 12, 60, 24
QUADRATIC: dict[str, Any] = {"variance": "per_class", "ddof": 1}


def alone(fit: Fit, which: int | np.ndarray) -> Fit:
    """The fit of some of the training sets."""
    these = np.atleast_1d(which)
    some = {
        name: None if (value := getattr(fit, name)) is None else value[these]
        for name in ("outcome", "sampled", "degenerate", "theta", "left_out")
    }
    direction = None if fit.direction is None else fit.direction[:, these]
    halfway = None
    if fit.halfway is not None and fit.sampled is not None and fit.sampled[these].any():
        halfway = alone(fit.halfway, np.cumsum(fit.sampled)[these][fit.sampled[these]] - 1)
    return replace(fit, weights=fit.weights[:, these], direction=direction, halfway=halfway, **some)


@pytest.mark.parametrize("levels", [(), (3, 2), (0, 3)])
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize(
    "fitter",
    [NaiveBayes(**QUADRATIC), LogisticRegression(draws=3), Hybrid(**QUADRATIC, draws=2)],
    ids=lambda each: type(each).__name__,
)
def test_a_pool_for_each_rule(fitter: Any, k: int, levels: tuple[int, ...]) -> None:
    """Some training sets overlap and others are separable, with rules half-way along a chain."""
    rng = np.random.default_rng([k, *levels])
    y = np.sort(np.arange(N_ROWS) % k).astype(np.int8)
    codes = rng.integers(0, [count or 9 for count in levels or (0, 0)], (N_SETS, N_ROWS, 2))
    x = codes.astype(np.int32 if levels and all(levels) else np.float64)
    x[::2, :, 0] = y  # half of the sets are separable
    training = splits.training_sets(y, [M], range(N_SETS), 0, "e", stratified=True)[M]

    pool = Pool.collect(x, y, levels, k)
    batch = Batch(pool.rows(x, training), y[training], levels, k, ("a", "b"), pool.centre)
    fit = fitter.fit(batch, rng)
    together = scoring.score(pool, fit, training)
    if fit.outcome is not None:
        assert {Outcome.OVERLAP, Outcome.SEPARABLE} <= set(fit.outcome.tolist())
        assert np.array_equal(np.isnan(together.errors_halfway), ~fit.sampled)
    for s in range(N_SETS):
        own = replace(Pool.collect(x[s], y, levels, k), centre=pool.centre)
        expected = scoring.score(own, alone(fit, s), training[[s]])
        for name in ("errors", "errors_halfway", "logloss"):
            found = getattr(together, name)[[s]]
            np.testing.assert_allclose(found, getattr(expected, name), rtol=1e-9, atol=1e-12)
    # And so have those of some of the sets.
    some = np.arange(N_SETS) % 3 > 0
    part = scoring.score(pool.of_sets(some), alone(fit, np.flatnonzero(some)), training[some])
    for name in ("errors", "errors_halfway", "logloss"):
        np.testing.assert_allclose(
            getattr(part, name), getattr(together, name)[some], rtol=1e-9, atol=1e-12
        )
