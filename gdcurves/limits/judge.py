"""What judges fitted rules under the law that their training rows are drawn from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.fitters.batch import Fit
from gdcurves.fitters.rules import Rules
from gdcurves.scoring.measures import Measure, SumMeasure, Tally
from gdcurves.scoring.measures.base import NEEDS
from gdcurves.scoring.scores import Scores, certainty, put_halfway


class Judge(ABC):
    """Judges rules by the probabilities of their errors, or by test rows where there are too many.

    Attributes
    ----------
    n_test
        Number of test rows; infinite where the law itself judges.
    measures
        Names of the measures that it knows; None for all that are sums over rows.
    """

    n_test: float = np.inf
    measures: ClassVar[frozenset[str] | None] = None

    @property
    @abstractmethod
    def shares(self) -> FloatArray:
        """Probabilities of the classes, or their numbers of test rows, shape (K,)."""

    @property
    @abstractmethod
    def centre(self) -> FloatArray:
        """Where maps with products measure the continuous inputs from, shape (c,)."""

    @property
    def n_numbers(self) -> int:
        """How many numbers it keeps for each split."""
        return 0

    def of(self, seed: int, experiment: str, numbers: Sequence[int] | range) -> Judge:
        """The judge of the rules of some splits, by their numbers (S,)."""
        return self

    def of_sets(self, which: BoolArray) -> Judge:
        """The judge of those training sets `which` (B,) tells."""
        return self

    @abstractmethod
    def sums(
        self, rules: Rules, measures: Sequence[SumMeasure], hard: BoolArray | None
    ) -> Mapping[SumMeasure, FloatArray]:
        """What test rows add to each measure in the mean, see `Tally`: shape (S, K or 1, R, B).

        `hard` (B,) tells which rules' probabilities are 0 and 1, None that none's are.
        """

    def score(self, fit: Fit[Rules], n_train: int, measures: Sequence[Measure]) -> Scores:
        """Results of the rules of B training sets of `n_train` rows."""
        n_sets = fit.rules.n_sets
        unbounded, hard = certainty(fit, n_sets)
        values = self._values(fit.rules, measures, unbounded, hard)

        def of_some(rules: Rules, some: BoolArray, measure: Measure) -> FloatArray:
            there = self.of_sets(some)._values(rules, [measure], unbounded[some], None)
            return there[measure.column]

        put_halfway(values, fit, measures, of_some)
        return Scores(n_train, np.full(n_sets, self.n_test), values, fit.diagnostics)

    def _values(
        self,
        rules: Rules,
        measures: Sequence[Measure],
        unbounded: BoolArray,
        hard: BoolArray | None,
    ) -> dict[str, FloatArray]:
        """Value of each training set by each measure, shape (B,), under the measure's column."""
        values = {each.column: np.full(rules.n_sets, np.nan) for each in measures}
        given = [
            each
            for each in measures
            if isinstance(each, SumMeasure) and NEEDS.index(each.needs) <= NEEDS.index(rules.gives)
        ]
        exact = np.isinf(self.n_test)
        of_class: Any = np.repeat(self.shares[:, None], rules.n_sets, axis=1)
        for measure, sums in self.sums(rules, given, hard).items():
            n_test: Any = 1.0 if exact else self.n_test
            tally = Tally(sums, n_test, of_class, unbounded, 0.0 if exact else 1.0)
            values[measure.column] = measure.of_tally(tally)
        return values
