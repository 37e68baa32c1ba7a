"""Linear rules applied to the rows of a pool: one product for many rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.fitters.rules import LinearRules
from gdcurves.scoring.judged import Judged, Logs
from gdcurves.scoring.measures import SumMeasure
from gdcurves.scoring.pool import Pool

# Scores held at a time, so that they stay in a second-level cache.
BLOCK_SCORES = 65_536


def sums(
    measures: Sequence[SumMeasure],
    pool: Pool,
    rules: LinearRules,
    training: IntArray,
    unbounded: BoolArray,
    hard: BoolArray | None,
) -> dict[SumMeasure, FloatArray]:
    """What the test rows of each training set add to measures: all rows, less training rows.

    Parameters
    ----------
    measures
        Those that the rules give something for.
    pool
        The rows.
    rules
        R rules for each of the B training sets.
    training
        Training rows, shape (B, m).
    unbounded
        Training sets whose likelihood has no finite maximum, shape (B,).
    hard
        Training sets whose probabilities are 0 and 1, shape (B,), or None.

    Returns
    -------
    Sums by measure, shape (S, K, R, B) or (S, 1, R, B). Nothing is summed of a measure that is
    known to be infinite.
    """
    shape = (rules.n_draws, rules.n_sets)
    totals = {each: each.no_sums(pool.n_classes, *shape) for each in measures}
    # Training sets that need the same of their rules together: most need little.
    leads = rules.leads
    for kind in product((False, True), repeat=2):
        sets = np.flatnonzero((leads == kind[0]) & (unbounded == kind[1]))
        asked = [each for each in measures if not (kind[1] and each.endless)]
        if not len(sets) or not asked:
            continue
        part = {each: each.no_sums(pool.n_classes, shape[0], len(sets)) for each in asked}
        theirs = None if hard is None else hard[sets]
        _add(part, pool.of_sets(sets), rules.some(sets), training[sets], theirs)
        for measure, total in part.items():
            totals[measure][..., sets] = total
    return totals


def _add(
    sums: Mapping[SumMeasure, FloatArray],
    pool: Pool,
    rules: LinearRules,
    training: IntArray,
    hard: BoolArray | None,
) -> None:
    """Add what the test rows of each training set add to sums (S, K, R, B) or (S, 1, R, B)."""
    n_draws, n_sets, n_contrasts, _ = rules.weights.shape
    n_rules, n_classes = n_draws * n_sets, n_contrasts + 1
    by_rule = {each: total.reshape(*total.shape[:2], n_rules) for each, total in sums.items()}
    normalised = any(each.needs == "probabilities" for each in sums)
    weights = columns(rules.weights)
    direction = None if rules.direction is None else columns(rules.direction)
    hard_rules = None if hard is None else np.tile(hard, n_draws)

    # Pairs of a training row and a rule that saw it, in the order in which rows are scored.
    position = pool.position[pool.entries(training).ravel()]
    order = np.argsort(position, kind="stable")
    position = position[order]
    label = pool.y[training].ravel()[order]
    of_set = np.repeat(np.arange(n_sets), training.shape[1])[order]
    rule = of_set[:, None] + n_sets * np.arange(n_draws)
    seen_scores = np.empty((n_contrasts, *rule.shape))
    seen_direction = None if direction is None else np.empty_like(seen_scores)

    height = max(1, BLOCK_SCORES // (n_rules * n_contrasts))
    for run, classes in pool.runs:
        for first in range(run.start, run.stop, height):
            stop = min(first + height, run.stop)
            block = pool.order[first:stop]
            pairs = slice(*np.searchsorted(position, [first, stop]))
            at = (slice(None), position[pairs, None] - first, rule[pairs])
            scores = pool.scores(block, weights, rules.feature_map)
            # Read off, never computed again: another order of operations would round otherwise.
            seen_scores[:, pairs] = scores[at]
            leading = None
            if seen_direction is not None and direction is not None:
                leading = pool.scores(block, direction, rules.feature_map)
                seen_direction[:, pairs] = leading[at]
            judged = Judged.of(scores, leading, normalised, hard_rules)
            for k in classes:
                for total, values in _terms(by_rule, judged, k):
                    total += pool.total(block, k, values)
    seen_hard = None if hard_rules is None else hard_rules[rule]
    seen = Judged.of(seen_scores, seen_direction, normalised, seen_hard)
    for k in range(n_classes):
        mine = label == k
        of_rule = rule[mine].ravel()
        for total, values in _terms(by_rule, seen.only(mine), k):
            total -= np.bincount(of_rule, np.asarray(values).ravel(), minlength=n_rules)


def _terms(
    sums: Mapping[SumMeasure, FloatArray], judged: Judged, k: int
) -> Iterator[tuple[FloatArray, FloatArray | BoolArray | Logs]]:
    """Sums (R B,) and what h rows of class k add to them (h, R B)."""
    for measure, total in sums.items():
        for number, values in enumerate(measure.terms(judged, k)):
            if values is not None:
                yield total[number, k if measure.by_class else 0], values


def columns(rules: FloatArray) -> FloatArray:
    """Rules (R, B, K - 1, q) as a matrix for each contrast, a column for each: (K - 1, q, R B)."""
    _, _, n_contrasts, n_features = rules.shape
    return np.ascontiguousarray(rules.reshape(-1, n_contrasts, n_features).transpose(1, 2, 0))
