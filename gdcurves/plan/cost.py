"""About how long a split takes, and so how many of them a run of own data has.

The time is told by a fixed model and not by a clock, so that the same command gives the same
numbers everywhere. Its terms are counts of operations, from the sizes of the data alone; each has a
time of its own, measured on one core of a server of 2023 with one BLAS thread. Only the power of
ten matters: twice the time is half the splits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gdcurves.fitters import Fitter
from gdcurves.fitters.features import Layout
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.fitters.penalised_logistic import PenalisedLogistic
from gdcurves.problems.problem import Problem

SPLITS = (1000, 700, 500, 300, 200, 150, 100, 70, 50)
MOST_SECONDS = 80.0  # of CPU time, for all splits; more only where the fewest take longer
CHUNK_SECONDS = 4.0  # what is lost by Ctrl-C, and between two moves of the bar
FEWEST_CHUNKS, MOST_CHUNKS = 8, 40  # for two cores to be busy; as sums are stored for each

# Seconds for each operation.
PREPARED = 6e-9  # number of a training row rescaled
PASSED = 8e-9  # number of a training row, for a class, in a fit that is a formula
MULTIPLIED = 1e-10  # number of a scored row times a weight
JUDGED = 6e-8  # score of a class on a row: what measures make of it
RANKED = 4e-9  # comparison of two scores in a sort
CURVED = 1.5e-10  # product of two numbers of a training row, in a matrix of second derivatives
SOLVED = 1.5e-10  # operation in the solution of its equations
CALLED = 2e-5  # anything at all

NEWTON_STEPS = 8
# What a search for the strength takes, in steps for one strength without folds.
CV_STEPS = 30
# What a hyperplane drawn at random takes, in such steps.
DRAW_STEPS = 60


@dataclass(frozen=True)
class Shape:
    """What the time depends on: numbers of rows, inputs, columns of the design, and classes."""

    n_rows: int
    n_inputs: int
    n_columns: int
    n_classes: int

    @classmethod
    def of(cls, problem: Problem) -> Shape:
        """Shape of a problem."""
        columns = Layout.of(problem.levels).n_columns
        return cls(len(problem.y), len(problem.levels), columns, len(problem.classes))


@dataclass(frozen=True)
class Effort:
    """Number of splits, and of those that are computed and stored at a time."""

    splits: int
    chunk: int


def effort(
    shape: Shape,
    sizes: Sequence[int],
    fitters: Sequence[Fitter],
    measures: Sequence[str],
) -> Effort:
    """As many splits as take little time, in chunks of seconds."""
    each = seconds(shape, sizes, fitters, measures)
    splits = next((n for n in SPLITS if n * each <= MOST_SECONDS), SPLITS[-1])
    chunk = min(max(1, int(CHUNK_SECONDS / each)), math.ceil(splits / FEWEST_CHUNKS))
    return Effort(splits, max(chunk, math.ceil(splits / MOST_CHUNKS)))


def seconds(
    shape: Shape, sizes: Sequence[int], fitters: Sequence[Fitter], measures: Sequence[str]
) -> float:
    """CPU time of one split: all fitters at all training sizes m, and their scores."""
    scored = _scored(shape, "auc" in measures)
    return sum(
        PREPARED * m * shape.n_inputs
        + sum(CALLED + _fitted(fitter, m, shape) + scored for fitter in fitters)
        for m in sizes
    )


def _fitted(fitter: Fitter, m: int, shape: Shape) -> float:
    """Seconds that a fit to m rows takes."""
    q, n_classes = shape.n_columns, shape.n_classes
    formula = PASSED * m * q * n_classes
    if not isinstance(fitter, PenalisedLogistic | LogisticRegression):
        return formula
    rank = min(q, m)  # directions without rows have no weight
    pairs = n_classes * (n_classes - 1) // 2
    solved = ((n_classes - 1) * rank) ** 3 / 3
    step = CURVED * m * rank**2 * pairs + SOLVED * solved + PASSED * m * n_classes
    if isinstance(fitter, LogisticRegression):
        return formula + DRAW_STEPS * step
    return formula + (CV_STEPS if fitter.strength == "cv" else NEWTON_STEPS) * step


def _scored(shape: Shape, ranked: bool) -> float:
    """Seconds that the scores of a rule on all rows take, and what is made of them."""
    n, n_classes = shape.n_rows, shape.n_classes
    multiplied = MULTIPLIED * n * shape.n_columns * (n_classes - 1)
    orders = 1 if n_classes == 2 else n_classes  # a ranking for each class
    sorted_ = RANKED * n * math.log2(n) * orders if ranked else 0.0
    return multiplied + JUDGED * n * n_classes + sorted_
