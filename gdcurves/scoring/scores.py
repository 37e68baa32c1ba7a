"""Measures of fitted rules on the rows outside their training sets.

A linear rule is applied once to all rows; what the training rows contribute is read off the same
scores and subtracted, so no test set is gathered and no tie is decided twice. Measures that look at
a whole test set, and rules of any other kind, take the test rows of one training set after another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.fitters.batch import Fit
from gdcurves.fitters.diagnostics import Diagnostics
from gdcurves.fitters.rules import FunctionRules, LinearRules, Rules
from gdcurves.logistic.certificates import Outcome
from gdcurves.scoring import linear
from gdcurves.scoring.judged import Judged
from gdcurves.scoring.measures import Measure, SumMeasure, Tally, WholeMeasure, chosen
from gdcurves.scoring.measures.base import NEEDS
from gdcurves.scoring.pool import Pool


@dataclass(frozen=True)
class Scores:
    """Results of a batch of training sets on the rows outside them.

    Attributes
    ----------
    n_train, n_test
        Number of training and of test rows.
    values
        By column of the raw rows, shape (B,): a mean over the rules of a training set; NaN where
        there is none.
    diagnostics
        What the fit says of itself.
    """

    n_train: int
    n_test: int
    values: Mapping[str, FloatArray]
    diagnostics: Diagnostics

    @property
    def n_sets(self) -> int:
        """Number B of training sets."""
        return len(next(iter(self.values.values())))


def score(
    pool: Pool, fit: Fit[Rules], training: IntArray, measures: Sequence[Measure] = chosen()
) -> Scores:
    """Measure the rules of `fit` on all rows but the training rows (B, m) of their training set."""
    n_sets, n_train = training.shape
    unbounded, hard = certainty(fit, n_sets)
    values = _values(pool, fit.rules, training, measures, unbounded, hard)
    for measure in measures:
        if measure.halfway:
            halfway = values[measure.halfway_column] = np.full(n_sets, np.nan)
            if fit.halfway is not None:
                some = fit.sampled
                assert some is not None, "rules half-way belong to sampled ones"
                theirs = (pool.of_sets(some), fit.halfway, training[some], [measure])
                halfway[some] = _values(*theirs, unbounded[some], None)[measure.column]
    return Scores(n_train, pool.n_rows - n_train, values, fit.diagnostics)


def able(measures: Sequence[Measure], rules: Rules) -> list[Measure]:
    """Those of the measures that need no more than the rules give."""
    return [each for each in measures if NEEDS.index(each.needs) <= NEEDS.index(rules.gives)]


def certainty(fit: Fit[Rules], n_sets: int) -> tuple[BoolArray, BoolArray | None]:
    """Training sets whose likelihood has no finite maximum, and those with probabilities 0 and 1.

    Shapes (B,); None where nobody looked.
    """
    outcome = fit.diagnostics.outcome
    if outcome is None:
        return np.zeros(n_sets, dtype=bool), None
    return outcome != Outcome.OVERLAP, outcome == Outcome.SEPARABLE


def _values(
    pool: Pool,
    rules: Rules,
    training: IntArray,
    measures: Sequence[Measure],
    unbounded: BoolArray,
    hard: BoolArray | None,
) -> dict[str, FloatArray]:
    """Value of each training set by each measure, shape (B,), under the measure's column."""
    given = able(measures, rules)
    normalised = any(each.needs == "probabilities" for each in given)
    values = {each.column: np.full(len(training), np.nan) for each in measures}
    n_classes = pool.n_classes
    sums = {
        each: np.zeros(
            (each.n_sums, n_classes if each.by_class else 1, rules.n_draws * rules.n_sets)
        )
        for each in given
        if isinstance(each, SumMeasure)
    }
    if isinstance(rules, LinearRules):
        one_by_one: list[Measure] = [each for each in given if isinstance(each, WholeMeasure)]
        linear.add_sums(sums, pool, rules, training, normalised, hard)
        whole_normalised = any(each.needs == "probabilities" for each in one_by_one)
        tests = linear.tests(pool, rules, training, whole_normalised, hard)
    else:
        one_by_one = given
        tests = _function_tests(pool, rules, training, normalised)
    for b, (judged, y) in enumerate(tests if one_by_one else ()):
        for each in one_by_one:
            if isinstance(each, WholeMeasure):
                values[each.column][b] = each.of_rows(judged, y).mean()
            elif isinstance(each, SumMeasure):
                sums[each][..., b :: rules.n_sets] = _of_rows(each, judged, y, n_classes)
    n_of_class = pool.class_totals(training)
    for measure, total in sums.items():
        by_draw = total.reshape(*total.shape[:2], rules.n_draws, rules.n_sets)
        tally = Tally(by_draw, pool.n_rows - training.shape[1], n_of_class, unbounded)
        values[measure.column] = measure.of_tally(tally)
    return values


def _function_tests(
    pool: Pool, rules: FunctionRules, training: IntArray, normalised: bool
) -> Iterator[tuple[Judged, IntArray]]:
    """The test rows of each training set, judged (n, R), and their classes (n,)."""
    for b, rows in enumerate(training):
        test = np.delete(np.arange(pool.n_rows), rows)
        log_p = rules.score(b, pool.inputs(b, test))  # (R, n, K)
        yield Judged.by_log_probabilities(log_p.transpose(2, 1, 0), normalised), pool.y[test]


def _of_rows(measure: SumMeasure, judged: Judged, y: IntArray, n_classes: int) -> FloatArray:
    """Sums over rows (n, R) of classes y (n,): shape (S, K, R), or (S, 1, R)."""
    sums = np.zeros((measure.n_sums, n_classes if measure.by_class else 1, judged.scores.shape[-1]))
    for k in range(n_classes):
        for total, values in zip(sums, measure.terms(judged.only(y == k), k), strict=True):
            if values is not None:
                total[k if measure.by_class else 0] += values.sum(axis=0)
    return sums
