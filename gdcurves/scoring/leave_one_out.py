"""What measures that are made of sums are without each of the test rows."""

from __future__ import annotations

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.scoring.judged import Judged
from gdcurves.scoring.measures import SumMeasure, Tally
from gdcurves.scoring.pool import Pool


def of_sums(
    measure: SumMeasure,
    judged: Judged,
    pool: Pool,
    training: IntArray,
    tested: BoolArray,
    unbounded: BoolArray,
) -> FloatArray:
    """Value of each training set less what it is without each test row.

    Shape (B, n). Zero for rows that are not tested, of no meaning where the value is infinite.

    Parameters
    ----------
    measure
        One that is made of sums.
    judged
        The n rows by R rules for each training set, (n, R B).
    pool
        Rows of one data set, n of them.
    training
        Rows of the B training sets, two fewer than n at most, shape (B, m).
    tested
        Which rows each of them is tested on, shape (B, n).
    unbounded
        Training sets whose likelihood has no finite maximum, shape (B,).
    """
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
    return np.where(tested, result, 0.0)


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
