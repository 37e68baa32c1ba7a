"""Measures of fitted rules on the rows outside their training sets.

A linear rule is applied once to all rows; what the training rows contribute is read off the same
scores and subtracted, so no test set is gathered and no tie is decided twice. Measures that look at
whole test sets, and what is asked of every row, take all rows as judged by some rules at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.fitters.batch import Fit
from gdcurves.fitters.diagnostics import Diagnostics
from gdcurves.fitters.rules import LinearRules, Rules
from gdcurves.logistic.certificates import Outcome
from gdcurves.scoring import linear
from gdcurves.scoring.judged import Judged
from gdcurves.scoring.judgements import judgements, tested
from gdcurves.scoring.leave_one_out import of_sums
from gdcurves.scoring.measures import Measure, SumMeasure, Tally, WholeMeasure, chosen
from gdcurves.scoring.measures.base import NEEDS
from gdcurves.scoring.pool import Pool


@dataclass(frozen=True)
class Scores:
    """Results of a batch of training sets on the rows outside them.

    Attributes
    ----------
    n_train, n_test
        Number of training and of test rows, of all training sets or of each, shape (B,); of test
        rows infinite where the law itself judges.
    values
        By column of the raw rows, shape (B,): a mean over the rules of a training set; NaN where
        there is none.
    diagnostics
        What the fit says of itself.
    gaps
        By name of the measure, shape (B, G): value of a training set less what it is without each
        unit of rows; zero for training units, and where there is no value without the unit; of no
        meaning for training sets that have no finite value. Empty unless asked for, and without
        the measures that the rules do not give anything for.
    """

    n_train: int | IntArray
    n_test: int | IntArray | FloatArray
    values: Mapping[str, FloatArray]
    diagnostics: Diagnostics
    gaps: Mapping[str, FloatArray] = field(default_factory=dict)

    @property
    def n_sets(self) -> int:
        """Number B of training sets."""
        return len(next(iter(self.values.values())))

    @classmethod
    def together(cls, parts: Sequence[tuple[IntArray, Scores]]) -> Scores:
        """Results of all training sets from those of parts of them, with their numbers (B',)."""
        if len(parts) == 1:
            return parts[0][1]
        sets = np.argsort(np.concatenate([numbers for numbers, _ in parts]))
        each = [scores for _, scores in parts]

        def joined(values: Iterable[NDArray[Any] | int]) -> NDArray[Any]:
            counts = zip(values, each, strict=True)
            whole = [
                np.full(scores.n_sets, one) if isinstance(one, int) else one
                for one, scores in counts
            ]
            return np.concatenate(whole)[sets]

        first = each[0]
        return cls(
            joined(one.n_train for one in each),
            joined(one.n_test for one in each),
            {name: joined(one.values[name] for one in each) for name in first.values},
            Diagnostics.together([one.diagnostics for one in each], sets),
            {name: joined(one.gaps[name] for one in each) for name in first.gaps},
        )


def score(
    pool: Pool,
    fit: Fit[Rules],
    training: IntArray,
    measures: Sequence[Measure] = chosen(),
    by_row: bool = False,
) -> Scores:
    """Measure the rules of `fit` on all rows but those of their training set.

    Parameters
    ----------
    pool
        The rows, of one data set if gaps are asked for.
    fit
        Rules of B training sets.
    training
        Their rows, shape (B, m).
    measures
        What is counted.
    by_row
        Whether gaps are asked for.
    """
    n_sets, n_train = training.shape
    unbounded, hard = certainty(fit, n_sets)
    gaps: dict[str, FloatArray] | None = {} if by_row else None
    values = _values(pool, fit.rules, training, measures, unbounded, hard, gaps)

    def of_some(rules: Rules, some: BoolArray, measure: Measure) -> FloatArray:
        theirs = (pool.of_sets(some), rules, training[some], [measure])
        return _values(*theirs, unbounded[some], None)[measure.column]

    put_halfway(values, fit, measures, of_some)
    return Scores(n_train, pool.n_rows - n_train, values, fit.diagnostics, gaps or {})


def put_halfway(
    values: dict[str, FloatArray],
    fit: Fit[Rules],
    measures: Sequence[Measure],
    of_some: Callable[[Rules, BoolArray, Measure], FloatArray],
) -> None:
    """Add the values of rules half-way along their chains, NaN for sets that have none.

    Parameters
    ----------
    values
        What is added to: by column, shape (B,).
    fit
        The rules.
    measures
        What is measured of them.
    of_some
        Measures rules of P training sets, of which it is told which, (B,): shape (P,).
    """
    for measure in measures:
        if measure.halfway:
            halfway = values[measure.halfway_column] = np.full(fit.rules.n_sets, np.nan)
            if fit.halfway is not None:
                assert fit.sampled is not None, "rules half-way belong to sampled ones"
                halfway[fit.sampled] = of_some(fit.halfway, fit.sampled, measure)


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
    gaps: dict[str, FloatArray] | None = None,
) -> dict[str, FloatArray]:
    """Value of each training set by each measure, shape (B,), under the measure's column.

    Fills in the gaps (B, G) of each measure that rules have a value of, if they are asked for.
    """
    given = [each for each in measures if NEEDS.index(each.needs) <= NEEDS.index(rules.gives)]
    if gaps is not None:
        gaps |= {each.name: np.zeros((len(training), pool.units.n)) for each in given}
        if pool.units.n - pool.units.among(training).max() < 2:
            gaps = None
    values = {each.column: np.full(len(training), np.nan) for each in measures}
    summed: dict[SumMeasure, FloatArray] = {}
    by_row: Sequence[Measure] = given
    if gaps is None:
        summed, by_row = _sums(pool, rules, training, given, unbounded, hard)
    normalised = any(each.needs == "probabilities" for each in by_row)
    for sets, judged in judgements(pool, rules, normalised, hard) if by_row else ():
        tests = tested(training[sets], pool.n_rows)
        of_class = (
            () if gaps is None else [judged.only(each.rows) for each in pool.membership.classes]
        )
        for each in by_row:
            if isinstance(each, WholeMeasure):
                values[each.column][sets] = _of_whole(each, judged, pool, tests, sets, gaps)
            elif isinstance(each, SumMeasure) and gaps is not None:
                values[each.column][sets], gaps[each.name][sets] = of_sums(
                    each, of_class, pool, training[sets], tests, unbounded[sets]
                )
            elif isinstance(each, SumMeasure):  # one training set at a time
                test, y = judged.only(tests[0]), pool.y[tests[0]]
                summed[each][..., sets.start] = _of_rows(each, test, y, pool.n_classes)
    n_of_class = pool.class_totals(training)
    for measure, total in summed.items():
        tally = Tally(total, pool.n_rows - training.shape[1], n_of_class, unbounded)
        values[measure.column] = measure.of_tally(tally)
    return values


def _sums(
    pool: Pool,
    rules: Rules,
    training: IntArray,
    measures: Sequence[Measure],
    unbounded: BoolArray,
    hard: BoolArray | None,
) -> tuple[dict[SumMeasure, FloatArray], Sequence[Measure]]:
    """Sums of the measures that are made of them, (S, K, R, B), and what is left to look at by row.

    Linear rules need no look at single rows for them; those of other rules are zero yet.
    """
    summed = [each for each in measures if isinstance(each, SumMeasure)]
    if isinstance(rules, LinearRules):
        sums = linear.sums(summed, pool, rules, training, unbounded, hard)
        return sums, [each for each in measures if isinstance(each, WholeMeasure)]
    no_sums = {each: each.no_sums(pool.n_classes, rules.n_draws, rules.n_sets) for each in summed}
    return no_sums, measures


def _of_whole(
    measure: WholeMeasure,
    judged: Judged,
    pool: Pool,
    tested: BoolArray,
    sets: slice,
    gaps: dict[str, FloatArray] | None,
) -> FloatArray:
    """Values (B',) of some training sets; where gaps are asked for, they are filled in."""
    if gaps is None:
        return measure.of_sets(judged, pool.y, tested)
    values, of_each = measure.leave_one_out(judged, pool.y, tested, pool.units)
    there = pool.units.marked(tested) & ~np.isnan(of_each)
    gaps[measure.name][sets] = np.where(there, of_each, 0.0)
    return values


def _of_rows(measure: SumMeasure, judged: Judged, y: IntArray, n_classes: int) -> FloatArray:
    """Sums over rows (n, R) of classes y (n,): shape (S, K, R), or (S, 1, R)."""
    sums = measure.no_sums(n_classes, judged.scores.shape[-1], 1)[..., 0]
    for k in range(n_classes):
        for total, values in zip(sums, measure.terms(judged.only(y == k), k), strict=True):
            if values is not None:
                total[k if measure.by_class else 0] += np.asarray(values).sum(axis=0)
    return sums


def sums_over_rows(measure: SumMeasure, judged: Judged, weights: FloatArray) -> FloatArray:
    """Sums over rows (n, R) that count for each class by `weights` (n, K): as `_of_rows` has them.

    Shape (S, K, R), or (S, 1, R).
    """
    n_classes = weights.shape[1]
    sums = measure.no_sums(n_classes, judged.scores.shape[-1], 1)[..., 0]
    for k in range(n_classes):
        for total, values in zip(sums, measure.terms(judged, k), strict=True):
            if values is not None:
                total[k if measure.by_class else 0] += weights[:, k] @ np.asarray(values)
    return sums
