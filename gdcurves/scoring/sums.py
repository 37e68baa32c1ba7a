"""Sums over splits for every row: what the delete-one jackknife of a mean over splits needs.

Two classifiers are compared on the test rows of each split. D is the difference of their values
there, or the value of one alone, mean over J splits U; without test row i it is D - gap. Nothing
else is kept of a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.scoring.judgements import tested_rows
from gdcurves.scoring.measures import Measure
from gdcurves.scoring.scores import Scores

# Of a row, over the splits that test it; deviations are D - U. Linear ones come first.
LINEAR = ("tests", "deviations", "gaps")
QUANTITIES = (*LINEAR, "squared_deviations", "squared_gaps", "products")


@dataclass(frozen=True, eq=False)
class RowSums:
    """Sums for every row, or for every block of rows.

    Attributes
    ----------
    n_splits
        Number J of splits that have a value, of both classifiers if there are two.
    mean
        U; 0 without any.
    values
        Shape (6, n) by `QUANTITIES`, or (3, n') by `LINEAR` for n' blocks of rows.
    """

    n_splits: int
    mean: float
    values: FloatArray

    @classmethod
    def of(cls, difference: FloatArray, gaps: FloatArray, tested: BoolArray) -> RowSums:
        """Add up over B splits.

        Parameters
        ----------
        difference
            D, shape (B,); not finite where a classifier has no value.
        gaps
            D less what it is without row i, shape (B, n).
        tested
            Which rows each split tests, shape (B, n).
        """
        there = np.isfinite(difference)
        if not there.any():
            return cls(0, 0.0, np.zeros((len(QUANTITIES), gaps.shape[1])))
        difference, tested = difference[there], tested[there].astype(np.float64)
        gaps = np.where(tested > 0, gaps[there], 0.0)
        mean = float(difference.mean())
        off = difference - mean
        values = [
            tested.sum(axis=0),
            off @ tested,
            gaps.sum(axis=0),
            off**2 @ tested,
            (gaps**2).sum(axis=0),
            off @ gaps,
        ]
        return cls(len(difference), mean, np.array(values))

    def about(self, mean: float) -> RowSums:
        """The same sums with deviations from another mean."""
        by = self.mean - mean
        values = self.values.copy()
        tests, deviations, gaps = self.values[: len(LINEAR)]
        values[1] += by * tests
        if len(values) > len(LINEAR):
            values[3] += 2.0 * by * deviations + by**2 * tests
            values[5] += by * gaps
        return RowSums(self.n_splits, mean, values)

    def blocks(self, block: IntArray, n_blocks: int) -> RowSums:
        """Add the linear ones up over the rows of each block; `block` (n,) are its numbers."""
        values = [np.bincount(block, each, n_blocks) for each in self.values[: len(LINEAR)]]
        return RowSums(self.n_splits, self.mean, np.array(values))


def together(parts: Sequence[RowSums]) -> RowSums:
    """Sums over the splits of several parts, at least one."""
    return reduce(_both, parts)


def _both(a: RowSums, b: RowSums) -> RowSums:
    n = a.n_splits + b.n_splits
    mean = (a.n_splits * a.mean + b.n_splits * b.mean) / n if n else 0.0
    return RowSums(n, mean, a.about(mean).values + b.about(mean).values)


def of_classifiers(
    scores: Mapping[str, Scores], training: IntArray, measures: Sequence[Measure]
) -> dict[tuple[str, str, str], RowSums]:
    """Sums for all classifiers, and all pairs of them in their order.

    By measure and the names of both, the second of which is "" for a classifier alone.

    Parameters
    ----------
    scores
        Of each classifier, one at least, on the same B training sets, with its gaps.
    training
        Rows of the training sets, shape (B, m).
    measures
        Those that are compared; classifiers that lack gaps are left out.
    """
    sums = {}
    n_rows = training.shape[1] + next(iter(scores.values())).n_test
    tested = tested_rows(training, n_rows)
    for measure in measures:
        known = {
            name: (
                measure.value(each.values[measure.column], each.n_test),
                each.gaps[measure.name],
            )
            for name, each in scores.items()
            if measure.name in each.gaps
        }
        for name, (value, gap) in known.items():
            sums[measure.name, name, ""] = RowSums.of(value, gap, tested)
        for a, b in combinations(known, 2):
            (value_a, gap_a), (value_b, gap_b) = known[a], known[b]
            with np.errstate(invalid="ignore"):  # both may be infinite
                difference, gap = value_a - value_b, gap_a - gap_b
            sums[measure.name, a, b] = RowSums.of(difference, gap, tested)
    return sums
