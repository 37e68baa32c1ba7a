"""All rows of a pool judged by rules of any kind, some training sets at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.fitters.rules import FunctionRules, LinearRules, Rules
from gdcurves.scoring.judged import Judged
from gdcurves.scoring.linear import columns
from gdcurves.scoring.pool import Pool

# Scores held at a time.
MOST_SCORES = 2**21
# Numbers of feature vectors and scores made at a time, so that they stay in a second-level cache.
BLOCK = 2**17


def judgements(
    pool: Pool, rules: Rules, normalised: bool, hard: BoolArray | None
) -> Iterator[tuple[slice, Judged]]:
    """Yield which of the training sets, and the n rows as judged by their rules, (n, R B').

    Parameters
    ----------
    pool
        The rows.
    rules
        R rules for each of the B training sets.
    normalised
        Whether probabilities are asked for.
    hard
        Training sets whose probabilities are 0 and 1, shape (B,), or None.
    """
    if isinstance(rules, FunctionRules):
        every = np.arange(pool.n_rows)
        for b in range(rules.n_sets):
            log_p = rules.score(b, pool.inputs(b, every))  # (R, n, K)
            judged = Judged.by_log_probabilities(log_p.transpose(2, 1, 0), normalised)
            yield slice(b, b + 1), judged
        return
    n_draws, n_sets, n_contrasts, _ = rules.weights.shape
    at_once = max(1, MOST_SCORES // (pool.n_rows * n_draws * n_contrasts))
    for first in range(0, n_sets, at_once):
        sets = slice(first, min(first + at_once, n_sets))
        some = pool.of_sets(sets)
        of_distinct = _of_distinct(some, rules, sets, normalised, hard)
        entry = some.entries(np.tile(np.arange(pool.n_rows), (sets.stop - first, 1)))
        if (entry == np.arange(pool.n_rows)).all():
            yield sets, of_distinct
        else:
            entry = np.tile(entry, (n_draws, 1)).T
            yield sets, of_distinct.at(entry, np.arange(entry.shape[1]))


def tested(training: IntArray, n: int) -> BoolArray:
    """Which of n rows, or of n units, are not in the `training` sets (B, m), shape (B, n)."""
    tested = np.ones((len(training), n), dtype=bool)
    np.put_along_axis(tested, training, False, axis=1)
    return tested


def _of_distinct(
    pool: Pool, rules: LinearRules, sets: slice, normalised: bool, hard: BoolArray | None
) -> Judged:
    """Judge the distinct inputs, (u, R B')."""

    def scores(of_rules: FloatArray) -> FloatArray:
        matrices = columns(of_rules[:, sets])
        n_contrasts, n_columns, n_rules = matrices.shape
        scores = np.empty((n_contrasts, pool.n_distinct, n_rules))
        height = max(1, BLOCK // (n_columns + n_contrasts * n_rules))
        for first in range(0, pool.n_distinct, height):
            block = slice(first, first + height)
            scores[:, block] = pool.scores(block, matrices, rules.feature_map)
        return scores

    return Judged.of(
        scores(rules.weights),
        None if rules.direction is None else scores(rules.direction),
        normalised,
        None if hard is None else np.tile(hard[sets], rules.n_draws),
    )
