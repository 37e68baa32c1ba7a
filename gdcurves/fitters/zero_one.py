"""The least number of training errors: the other classifier that Ng & Jordan (2001) speak of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.fitters import dichotomies, error_program
from gdcurves.fitters.base import Fitter
from gdcurves.fitters.batch import Batch, Fit, LinearFit
from gdcurves.fitters.diagnostics import Diagnostics
from gdcurves.fitters.needs import Needs
from gdcurves.fitters.rules import LinearRules
from gdcurves.logistic import programs
from gdcurves.logistic.certificates import Outcome
from gdcurves.logistic.limit import decide

# Choices of points up to which all labellings are found; about a second.
MOST_WORK = 50_000
# Trajectories from the centre of a cone to the draw, and to the one half-way.
STOPS = (5, 10)


class ZeroOne(Fitter):
    """Two classes, told apart by the sign of b + <w, x> with the fewest errors on training rows.

    Section 3 of the paper names it as what discriminative learning stands for, and intractable.
    A separable set has none, and is proved to be separable. Elsewhere all labellings of the fewest
    errors are enumerated where that is a search through at most 50,000 choices of points (all sets
    of up to 67 different rows of 3 numbers, say); one of these labellings is drawn, each as likely
    as the other, and the hyperplane is drawn uniformly from all that give it, as in
    `LogisticRegression`. Larger sets are a mixed-integer program of SciPy's HiGHS, and the
    hyperplane is the solver's; so it is where a cone is too narrow to be proved one.

    A set of which the solver has not proved in time that no hyperplane errs less is counted as
    `undecided`; what is computed with a limit that is reached may differ from machine to machine.
    The solver sees no hyperplane that comes nearer to a row than about 1/10,000 of the spread. Sets
    with a hyperplane of the solver's count as `degenerate`.

    Attributes
    ----------
    limit
        Seconds after which the solver stops.
    """

    summary: ClassVar[str] = "least training error: exact, or a mixed-integer program"
    needs: ClassVar[Needs] = Needs(most_classes=2)
    undecided: ClassVar[str] = (
        "the solver had not proved that no hyperplane makes fewer training errors when its time was"
        " up; raise 'limit'"
    )

    limit: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 10.0

    def fit(self, batch: Batch, rng: np.random.Generator) -> LinearFit:
        """Fit every training set of the batch."""
        design, labels = batch.design, batch.y == 1
        outcome = decide(_signed(design, labels)).outcome
        weights = np.zeros((design.shape[0], design.shape[2]))
        by_solver = np.zeros(len(labels), dtype=bool)
        for b in np.flatnonzero(outcome != Outcome.SEPARABLE):
            points = _Points.of(design[b], labels[b])
            if dichotomies.work(points.coordinates) <= MOST_WORK:
                errors, least = dichotomies.cheapest(points.coordinates, points.cost)
                labels[b] = least[rng.integers(len(least))][points.of_row]
                if outcome[b] == Outcome.UNDECIDED:
                    outcome[b] = Outcome.OVERLAP if errors else Outcome.SEPARABLE
                continue
            cheapest = error_program.cheapest(points.coordinates, points.cost, self.limit)
            weights[b], by_solver[b] = points.outside(cheapest.weights), True
            if not cheapest.proved:
                outcome[b] = Outcome.UNDECIDED
        halfway = weights.copy()
        left = np.flatnonzero(~by_solver)
        rows = _signed(design[left], labels[left])
        labelled = decide(rows)
        for cone in labelled.cones:
            sets = left[cone.problems]
            halfway[sets], weights[sets] = cone.sample(STOPS, rng)
        sampled = ~by_solver
        for i in np.flatnonzero(labelled.outcome != Outcome.SEPARABLE):
            b = left[i]
            _, weights[b], _ = programs.largest_separable_part(rows[i])
            by_solver[b], sampled[b] = True, False
            if not (rows[i] @ weights[b] > 0).all():
                outcome[b] = Outcome.UNDECIDED
        return Fit(
            LinearRules(weights[None, :, None], gives="scores"),
            Diagnostics(outcome=outcome, degenerate=by_solver),
            sampled,
            LinearRules(halfway[None, sampled, None], gives="scores") if sampled.any() else None,
        )


def _signed(design: FloatArray, labels: BoolArray) -> FloatArray:
    """Rows (B, m, q) that a vector has a positive product with where it labels them so (B, m)."""
    return np.where(labels, 1.0, -1.0)[:, :, None] * design


@dataclass(frozen=True, eq=False)
class _Points:
    """The different rows of a training set.

    Attributes
    ----------
    scaled
        Their features but the first, in units of the range of each, shape (n, q - 1).
    lowest, width
        Of the features, shape (q - 1,).
    of_row
        Which point each training row is, shape (m,).
    cost
        Errors that the labels 0 and 1 make there, shape (n, 2).
    """

    scaled: FloatArray
    lowest: FloatArray
    width: FloatArray
    of_row: IntArray
    cost: IntArray

    @classmethod
    def of(cls, design: FloatArray, labels: BoolArray) -> _Points:
        """Those of feature vectors (m, q) with their labels (m,)."""
        lowest = design[:, 1:].min(axis=0)
        width = np.ptp(design[:, 1:], axis=0)
        width[width == 0] = 1.0
        points, of_row = np.unique(design[:, 1:], axis=0, return_inverse=True)
        of_one, of_both = np.bincount(of_row, labels), np.bincount(of_row)
        cost = np.column_stack([of_one, of_both - of_one]).astype(np.int64)
        return cls((points - lowest) / width, lowest, width, of_row, cost)

    @cached_property
    def coordinates(self) -> FloatArray:
        """The points in the space that they span, shape (n, r)."""
        return dichotomies.coordinates(self.scaled)

    def outside(self, weights: FloatArray) -> FloatArray:
        """Weights (q,) of feature vectors from those of the coordinates, `weights` (1 + r,)."""
        whole = np.concatenate([np.ones((len(self.scaled), 1)), self.scaled], axis=1)
        to_coordinates = np.linalg.lstsq(whole, self.coordinates, rcond=None)[0]
        made: FloatArray = to_coordinates @ weights[1:]
        made[0] += weights[0]
        made[1:] /= self.width
        made[0] -= made[1:] @ self.lowest
        return made
