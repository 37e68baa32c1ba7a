"""What a measure is: what is counted of a rule on the rows that it has not seen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.fitters.rules import Gives
from gdcurves.scoring.judged import Judged, Logs
from gdcurves.scoring.statistics import moments
from gdcurves.units import Units

if TYPE_CHECKING:
    import pandas as pd

NEEDS: tuple[Gives, ...] = get_args(Gives)


class Measure(ABC):
    """A measure; register it in `gdcurves.scoring.measures`.

    Attributes
    ----------
    name
        What configs call it, and how its columns of curves.csv begin.
    label
        What axes and messages call it.
    needs
        What of a rule.
    better
        Whether lower or higher values are better.
    column
        Of the raw rows, where its value for a split stands.
    halfway
        Whether rules that a chain has drawn are measured half-way along it too, as a check of it.
    infinite
        Whether a value may be infinite; means are over the finite ones.
    largest_difference
        What values of two rules can differ by at most; where higher ones are better, the best one,
        which curves tend to.
    endless
        Whether it is infinite for every likelihood without a finite maximum, whatever the rows.
    further, of_sums
        Its columns of curves.csv beside those of `moments`; the latter are about the sum over the
        test rows.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    needs: ClassVar[Gives]
    better: ClassVar[Literal["lower", "higher"]]
    column: ClassVar[str]
    halfway: ClassVar[bool] = False
    infinite: ClassVar[bool] = False
    endless: ClassVar[bool] = False
    largest_difference: ClassVar[float] = np.inf
    further: ClassVar[tuple[str, ...]] = ()
    of_sums: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        """Raise TypeError for a measure whose best value nobody knows."""
        if getattr(cls, "better", "lower") == "higher" and not np.isfinite(cls.largest_difference):
            raise TypeError(f"{cls.__name__}: higher is better, so say its 'largest_difference'")

    @property
    def halfway_column(self) -> str:
        """Column of the raw rows for its value half-way along a chain."""
        return f"{self.column}_halfway"

    @property
    def columns(self) -> tuple[str, ...]:
        """Its columns of the raw rows."""
        return (self.column, self.halfway_column) if self.halfway else (self.column,)

    def values(self, rows: pd.DataFrame) -> FloatArray:
        """Value of each split, shape (J,), from raw rows of one fitter and size."""
        return np.asarray(rows[self.column].to_numpy(dtype=np.float64))

    def value(self, stored: FloatArray, n_test: int | IntArray | FloatArray) -> FloatArray:
        """Values (B,) from what its column holds, `stored` (B,).

        Test sets have `n_test` rows, all so many or each its number (B,).
        """
        return stored

    def summary(self, rows: pd.DataFrame) -> Mapping[str, float]:
        """Its columns of curves.csv from the raw rows of one fitter and size."""
        return moments(self.name, self.values(rows))


@dataclass(frozen=True)
class Tally:
    """Sums over the test rows of B training sets with R rules each.

    Attributes
    ----------
    sums
        Shape (S, K, R, B), or (S, 1, R, B) where classes are summed together.
    n_test
        Number of test rows, of all training sets or of each, shape (B,).
    n_of_class
        Number of test rows of each class, shape (K, B).
    unbounded
        Training sets whose likelihood has no finite maximum, shape (B,).
    row
        What one test row counts; sums below half of it are rounding. Of probabilities none is.
    """

    sums: FloatArray
    n_test: int | IntArray
    n_of_class: IntArray
    unbounded: BoolArray
    row: float = 1.0


class SumMeasure(Measure):
    """A measure that is made of sums over the test rows."""

    n_sums: ClassVar[int] = 1
    by_class: ClassVar[bool] = False

    def no_sums(self, n_classes: int, n_draws: int, n_sets: int) -> FloatArray:
        """Zeros, shape (S, K, R, B), or (S, 1, R, B) where classes are summed together."""
        return np.zeros((self.n_sums, n_classes if self.by_class else 1, n_draws, n_sets))

    @abstractmethod
    def terms(self, judged: Judged, k: int) -> tuple[FloatArray | BoolArray | Logs | None, ...]:
        """What n rows of class k add to each of the S sums of r rules, (n, r); None for nothing."""

    @abstractmethod
    def of_tally(self, tally: Tally) -> FloatArray:
        """What its column holds for each training set, shape (B,)."""


class WholeMeasure(Measure):
    """A measure that looks at all test rows at once, a ranking for instance."""

    @abstractmethod
    def of_sets(self, judged: Judged, y: IntArray, tested: BoolArray) -> FloatArray:
        """Value of each of B training sets, shape (B,), a mean over its R rules.

        NaN where there is none.

        Parameters
        ----------
        judged
            All n rows by R rules for each training set, (n, R B).
        y
            Classes of the rows, shape (n,).
        tested
            Which of them each training set is tested on, shape (B, n).
        """

    @abstractmethod
    def leave_one_out(
        self, judged: Judged, y: IntArray, tested: BoolArray, units: Units
    ) -> tuple[FloatArray, FloatArray]:
        """Value of each training set, (B,), and that less what it is without each unit, (B, G).

        The latter is of no meaning where there is no value, NaN where there is none without the
        unit. `judged`, `y` (n,) and `tested` (B, n) are as in `of_sets`; of the G units of the rows
        all are tested that have a row which is.
        """
