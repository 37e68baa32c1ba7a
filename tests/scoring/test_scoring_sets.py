"""Rules with a data set each: scored together they have the scores that each has alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gdcurves import scoring, splits
from gdcurves.fitters import Batch, Diagnostics, Fit, LinearRules
from gdcurves.fitters.hybrid import Hybrid
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.logistic.certificates import Outcome
from gdcurves.scoring.pool import collect

N_SETS, N_ROWS, M = 12, 60, 24
QUADRATIC: dict[str, Any] = {"variance": "per_class", "ddof": 1}


def alone(fit: Fit, which: int | np.ndarray) -> Fit:
    """The fit of some of the training sets."""
    these = np.atleast_1d(which)
    said = vars(fit.diagnostics).items()
    own = {name: None if value is None else value[these] for name, value in said}
    sampled = None if fit.sampled is None else fit.sampled[these]
    halfway = None
    if fit.halfway is not None and sampled is not None and sampled.any():
        halfway = some(fit.halfway, np.cumsum(fit.sampled)[these][sampled] - 1)
    return Fit(some(fit.rules, these), Diagnostics(**own), sampled, halfway)


def some(rules: LinearRules, these: np.ndarray) -> LinearRules:
    direction = None if rules.direction is None else rules.direction[:, these]
    return replace(rules, weights=rules.weights[:, these], direction=direction)


@pytest.mark.slow
@pytest.mark.parametrize("levels", [(0, 0), (3, 2), (0, 3)])
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
    codes = rng.integers(0, [count or 9 for count in levels], (N_SETS, N_ROWS, 2))
    x = codes.astype(np.int32 if all(levels) else np.float64)
    x[::2, :, 0] = y  # half of the sets are separable
    training = splits.training_sets(y, [M], range(N_SETS), 0, "e", stratified=True)[M]

    pool = collect(x, y, levels, k)
    batch = Batch(pool.rows(x, training), y[training], levels, k, ("a", "b"), pool.centre)
    fit = fitter.fit(batch, rng)
    together = scoring.score(pool, fit, training)
    if fit.diagnostics.outcome is not None:
        assert {Outcome.OVERLAP, Outcome.SEPARABLE} <= set(fit.diagnostics.outcome.tolist())
        assert np.array_equal(np.isnan(together.values["errors_halfway"]), ~fit.sampled)
    for s in range(N_SETS):
        own = replace(collect(x[s], y, levels, k), centre=pool.centre)
        expected = scoring.score(own, alone(fit, s), training[[s]])
        for name in ("errors", "errors_halfway", "logloss"):
            value = together.values[name][[s]]
            np.testing.assert_allclose(value, expected.values[name], rtol=1e-9, atol=1e-12)
    # And so have those of some of the sets.
    few = np.arange(N_SETS) % 3 > 0
    part = scoring.score(pool.of_sets(few), alone(fit, np.flatnonzero(few)), training[few])
    for name in ("errors", "errors_halfway", "logloss"):
        np.testing.assert_allclose(
            part.values[name], together.values[name][few], rtol=1e-9, atol=1e-12
        )
