"""The area under the curve of true against false positives (ROC)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.scoring.judged import Judged
from gdcurves.scoring.measures.base import WholeMeasure
from gdcurves.scoring.odds import odds
from gdcurves.scoring.pairs import add_up, in_order, within_units
from gdcurves.units import Units

if TYPE_CHECKING:
    import pandas as pd


class Auc(WholeMeasure):
    """How well scores order the test rows: mean over the pairs of classes that occur there.

    Of two classes it is the share of the pairs of a row of each that are in the right order, ties
    counted as half. For more than two, Hand & Till (2001), Machine Learning 45: for each pair of
    classes the mean of two such shares, by the probability of either of them. Rules without
    probabilities are taken as if their scores were log odds.

    NaN where the test rows are of one class.
    """

    name = "auc"
    label = "AUC"
    needs = "scores"
    better = "higher"
    column = "auc"
    largest_difference = 1.0
    further: ClassVar[tuple[str, ...]] = ("auc_undefined",)

    def of_sets(self, judged: Judged, y: IntArray, tested: BoolArray) -> FloatArray:
        """Value of each training set, a mean over its rules, (B,); see `WholeMeasure`."""
        total, n_areas = np.zeros((2, judged.predicted.shape[1]))
        for ranking in _rankings(judged, y, tested):
            total += ranking.shares.sum(axis=1)
            n_areas += ranking.there.sum(axis=1)
        with np.errstate(invalid="ignore"):  # rows of one class
            values = total / n_areas
        return np.asarray(values.reshape(-1, len(tested)).mean(axis=0))

    def leave_one_out(
        self, judged: Judged, y: IntArray, tested: BoolArray, units: Units
    ) -> tuple[FloatArray, FloatArray]:
        """Values, (B,), and what they lose without each unit, (B, G); see `WholeMeasure`."""
        n_rules = judged.predicted.shape[1]
        # Number and sum of all areas; of each unit, what they change by without it.
        n_areas, total = np.zeros((2, n_rules))
        n_change, change = np.zeros((2, n_rules, units.n))
        for ranking in _rankings(judged, y, tested):
            n_areas += ranking.there.sum(axis=1)
            total += ranking.shares.sum(axis=1)
            fewer, less = ranking.changes(units)
            n_change += fewer
            change += less
        with np.errstate(invalid="ignore", divide="ignore"):
            values = total / n_areas
            gaps = values[:, None] - (total[:, None] + change) / (n_areas[:, None] + n_change)
        by_set = gaps.reshape(-1, len(tested), units.n).mean(axis=0)
        return values.reshape(-1, len(tested)).mean(axis=0), by_set

    def summary(self, rows: pd.DataFrame) -> Mapping[str, float]:
        """Moments over the splits that have a value, and the share of the others."""
        undefined = float(np.mean(np.isnan(self.values(rows))))
        return {**super().summary(rows), "auc_undefined": undefined}


def _rankings(judged: Judged, y: IntArray, tested: BoolArray) -> Iterator[_Ranking]:
    """Yield that of each class, against all others; of two classes, of class 1 alone."""
    n_classes = len(judged.scores) + 1
    tests = np.tile(tested, (judged.predicted.shape[1] // len(tested), 1))
    for k, scores in enumerate(odds(judged), start=1 if n_classes == 2 else 0):
        own, other = np.flatnonzero(y == k), np.flatnonzero(y != k)
        label = y[other] - (y[other] > k)
        yield _Ranking(
            (own, other), (scores[:, own], scores[:, other]), tests, label, n_classes - 1
        )


@dataclass(frozen=True, eq=False)
class _Ranking:
    """Rows of a class, n of them, and n' of L others, in the order of R rules' scores of the class.

    Attributes
    ----------
    rows
        Their numbers, shapes (n,) and (n',).
    scores
        Shapes (R, n) and (R, n').
    tests
        Which of all rows count, shape (R, n + n').
    label
        Which of the other classes the others are of, shape (n',).
    n_labels
        Number L of these.
    """

    rows: tuple[IntArray, IntArray]
    scores: tuple[FloatArray, FloatArray]
    tests: BoolArray
    label: IntArray
    n_labels: int

    @cached_property
    def _tested(self) -> tuple[BoolArray, BoolArray]:
        """Which of the rows count, shapes (R, n) and (R, n')."""
        own, other = self.rows
        return self.tests[:, own], self.tests[:, other]

    @cached_property
    def _in_order(self) -> tuple[FloatArray, FloatArray]:
        """How many pairs that are in order each row is in, shapes (R, n, L) and (R, n')."""
        return in_order(*self.scores, *self._tested, self.label, self.n_labels)

    @cached_property
    def _numbers(self) -> tuple[FloatArray, FloatArray]:
        """How many rows count, of the class and of each other one, shapes (R, 1) and (R, L)."""
        own, other = self._tested
        of_label = np.zeros((len(other), self.n_labels))
        add_up(of_label, other, self.label)
        return own.sum(axis=1, dtype=np.float64, keepdims=True), of_label

    @cached_property
    def _n_pairs(self) -> FloatArray:
        """Number of pairs with the rows of each other class, shape (R, L)."""
        own, other = self._numbers
        return own * other

    @property
    def there(self) -> BoolArray:
        """Whether both classes occur, shape (R, L)."""
        return self._n_pairs > 0

    @cached_property
    def _total(self) -> FloatArray:
        """Number of pairs that are in order, shape (R, L)."""
        return np.asarray(self._in_order[0].sum(axis=1))

    @cached_property
    def shares(self) -> FloatArray:
        """The same as a share of all pairs, zero where there is none, shape (R, L)."""
        return np.asarray(self._total / np.maximum(self._n_pairs, 1))

    def changes(self, units: Units) -> tuple[FloatArray, FloatArray]:
        """What the number and the sum of the shares lose without each of G units, (R, G) each."""
        if units.n == len(units.of_row):
            return self._of_rows()
        of_own, of_other = (units.of_row[rows] for rows in self.rows)
        cell = of_other * self.n_labels + self.label
        cells = of_own[:, None] * self.n_labels + np.arange(self.n_labels)
        n_own, n_other, lost = (
            np.zeros((len(self.tests), units.n, each)) for each in (1, self.n_labels, self.n_labels)
        )
        (own, other), (of_each, of_others) = self._tested, self._in_order
        for total, values, of in (
            (n_own, own, of_own),
            (n_other, other, cell),
            (lost, of_others, cell),
            (lost, of_each.reshape(len(lost), -1), cells.ravel()),
        ):
            add_up(total.reshape(len(total), -1), values, of)
        where = (of_own, of_other), units.n
        lost -= within_units(*self.scores, self._tested, *where, self.label, self.n_labels)
        of_class, of_label = (each[:, None] for each in self._numbers)
        fewer, less = _changes(
            (of_class - n_own) * (of_label - n_other),
            self._total[:, None] - lost,
            self.there[:, None],
            self.shares[:, None],
        )
        return fewer.sum(axis=2), less.sum(axis=2)

    def _of_rows(self) -> tuple[FloatArray, FloatArray]:
        """As `changes`, without each of the rows."""
        (own, other), (of_own, of_other) = self._tested, self._in_order
        n_own, n_other = self._numbers
        by_own = _changes(
            (n_own[:, None] - own[..., None]) * n_other[:, None],
            self._total[:, None] - of_own,
            self.there[:, None],
            self.shares[:, None],
        )
        label = self.label
        by_other = _changes(  # one of the other classes alone
            n_own * (n_other[:, label] - other),
            self._total[:, label] - of_other,
            self.there[:, label],
            self.shares[:, label],
        )
        result = np.empty((2, *self.tests.shape))
        for total, each, others in zip(result, by_own, by_other, strict=True):
            total[:, self.rows[0]], total[:, self.rows[1]] = each.sum(axis=2), others
        return result[0], result[1]


def _changes(
    n_pairs: FloatArray, left: FloatArray, there: BoolArray, shares: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """By how much numbers of shares and shares change, (...), with fewer pairs of rows (...).

    So many of them are in order as are `left`; before, `there` were pairs at all, and shares.
    """
    still = n_pairs > 0
    share = np.where(still, left / np.maximum(n_pairs, 1), 0.0)
    return still.astype(np.float64) - there, share - shares
