"""What measures of fitted rules are without each of the test rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.fitters.batch import Fit
from gdcurves.fitters.rules import FunctionRules, LinearRules, Rules
from gdcurves.scoring.judged import Judged
from gdcurves.scoring.linear import WHOLE_SCORES, columns
from gdcurves.scoring.measures import Measure, SumMeasure, Tally, WholeMeasure
from gdcurves.scoring.pool import Pool
from gdcurves.scoring.scores import able, certainty


def gaps(
    pool: Pool, fit: Fit[Rules], training: IntArray, measures: Sequence[Measure]
) -> Mapping[str, FloatArray]:
    """Value of each training set less what it is without each row, by name of the measure.

    Shapes (B, n): zero for training rows, and where there is no value without the row; of no
    meaning for training sets that have no finite value. Measures that the rules do not give
    anything for are left out.

    Parameters
    ----------
    pool
        Rows of one data set, n of them.
    fit
        Rules of B training sets.
    training
        Their rows, shape (B, m).
    measures
        Those asked for.
    """
    measures = able(measures, fit.rules)
    result = {each.name: np.zeros((len(training), pool.n_rows)) for each in measures}
    if pool.n_rows - training.shape[1] < 2:
        return result
    unbounded, hard = certainty(fit, len(training))
    normalised = any(each.needs == "probabilities" for each in measures)
    for sets, judged in _judged(pool, fit.rules, len(training), normalised, hard):
        tested = np.ones((len(training[sets]), pool.n_rows), dtype=bool)
        np.put_along_axis(tested, training[sets], False, axis=1)
        for each in measures:
            if isinstance(each, SumMeasure):
                of_each = _of_sums(each, judged, pool, training[sets], tested, unbounded[sets])
            else:
                assert isinstance(each, WholeMeasure)
                of_each = each.gaps(judged, pool.y, tested)
            result[each.name][sets] = np.where(np.isnan(of_each) | ~tested, 0.0, of_each)
    return result


def _judged(
    pool: Pool, rules: Rules, n_sets: int, normalised: bool, hard: BoolArray | None
) -> Iterator[tuple[slice, Judged]]:
    """Yield some training sets at a time, and all rows judged by their rules, (n, R B')."""
    if isinstance(rules, FunctionRules):
        every = np.arange(pool.n_rows)
        for b in range(n_sets):
            log_p = rules.score(b, pool.inputs(b, every))  # (R, n, K)
            judged = Judged.by_log_probabilities(log_p.transpose(2, 1, 0), normalised)
            yield slice(b, b + 1), judged
        return
    n_draws, _, n_contrasts, _ = rules.weights.shape
    at_once = max(1, WHOLE_SCORES // (pool.n_rows * n_draws * n_contrasts))
    for first in range(0, n_sets, at_once):
        sets = slice(first, first + at_once)
        yield sets, _by_linear_rules(pool, rules, sets, normalised, hard)


def _by_linear_rules(
    pool: Pool, rules: LinearRules, sets: slice, normalised: bool, hard: BoolArray | None
) -> Judged:
    weights = columns(rules.weights[:, sets])
    direction = None if rules.direction is None else columns(rules.direction[:, sets])
    judged = Judged.of(
        pool.scores(slice(None), weights, rules.feature_map),
        None if direction is None else pool.scores(slice(None), direction, rules.feature_map),
        normalised,
        None if hard is None else np.tile(hard[sets], rules.n_draws),
    )
    return judged if pool.n_distinct == pool.n_rows else judged.only(pool.entry)


def _of_sums(
    measure: SumMeasure,
    judged: Judged,
    pool: Pool,
    training: IntArray,
    tested: BoolArray,
    unbounded: BoolArray,
) -> FloatArray:
    """Gaps (B, n) of a measure that is made of sums."""
    n_sets, n_classes = len(training), pool.n_classes
    of_class = [np.flatnonzero(pool.y == k) for k in range(n_classes)]
    terms = [_terms(measure, judged, k, of_class[k], tested) for k in range(n_classes)]
    n_kinds = n_classes if measure.by_class else 1
    sums = np.zeros((*terms[0].shape[:2], n_sets, n_kinds)).transpose(0, 3, 1, 2)
    for k, each in enumerate(terms):
        sums[:, k if measure.by_class else 0] += each.sum(axis=3)
    n_test, n_of_class = pool.n_rows - training.shape[1], pool.class_totals(training)
    whole = measure.value(measure.of_tally(Tally(sums, n_test, n_of_class, unbounded)), n_test)
    result = np.zeros(tested.shape)
    for k, each in enumerate(terms):
        n_rows = each.shape[3]
        left = np.repeat(sums[..., None], n_rows, axis=4)
        left[:, k if measure.by_class else 0] -= each
        totals = n_of_class.copy()
        totals[k] = np.maximum(totals[k] - 1, 0)  # of training rows, which are not asked for
        tally = Tally(
            left.reshape(*left.shape[:3], -1),
            n_test - 1,
            np.repeat(totals, n_rows, axis=1),
            np.repeat(unbounded, n_rows),
        )
        without = measure.value(measure.of_tally(tally), n_test - 1).reshape(n_sets, n_rows)
        with np.errstate(invalid="ignore"):  # where the value is infinite
            result[:, of_class[k]] = whole[:, None] - without
    return result


def _terms(
    measure: SumMeasure, judged: Judged, k: int, rows: IntArray, tested: BoolArray
) -> FloatArray:
    """What rows (n_k,) of class k add to the sums, shape (S, R, B, n_k); training rows nothing."""
    here = judged.only(rows)
    n_rules = here.predicted.shape[1]
    terms = np.zeros((measure.n_sums, n_rules, len(rows)))
    for number, values in enumerate(measure.terms(here, k)):
        if values is not None:
            terms[number] = values.T
    by_set = terms.reshape(measure.n_sums, -1, len(tested), len(rows))
    by_set *= tested[:, rows]
    return by_set
