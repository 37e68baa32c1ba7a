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

import numpy as np

from gdcurves.fitters import Fitter
from gdcurves.fitters.discriminative import Discriminative
from gdcurves.fitters.estimator import Estimator
from gdcurves.fitters.features import Layout
from gdcurves.fitters.penalised_logistic import PenalisedLogistic
from gdcurves.fitters.zero_one import ZeroOne
from gdcurves.problems.problem import Problem

SPLITS = (1000, 700, 500, 300, 200, 150, 100, 70, 50)
MOST_SECONDS = 80.0  # of CPU time, for all splits; more only where the fewest take longer
LONG_SECONDS = 240.0  # worth a word
CHUNK_SECONDS = 4.0  # what is lost by Ctrl-C, and between two moves of the bar
FEWEST_CHUNKS, MOST_CHUNKS = 8, 50  # for two cores to be busy; as sums are stored for each

# The same where units have different numbers of rows.
UNEQUAL_SECONDS, UNEQUAL_CHUNKS = 20.0, 4

# What pairs of classes may take, or a part of all: they cost as much in a small chunk as in a large
# one.
PAIRS_SECONDS, PAIRS_PART = 20.0, 0.25

# Seconds for each operation, memory traffic and all.
PREPARED = 1e-8  # a number of a training row, gathered and rescaled
PASSED = 1e-8  # a number of a training row, for a class, in a fit that is a formula
STEPPED = 5.5e-8  # the same in the Newton steps to the minimum of a penalised likelihood
SOLVED = 5e-7  # an entry of the matrix of second derivatives, in the same steps
LABELLED = 1.0  # a search for the fewest training errors, of a set that is not separable
DRAWN = 5e-7  # a training row against a class, for a weight, in a hyperplane drawn at random
TOUCHED = 2e-9  # a number of a scored row
MULTIPLIED = 1e-10  # the same times a weight
JUDGED = 1.2e-7  # a class on a scored row: what measures make of it
RANKED = 8e-9  # a comparison of two scores in a sort
CALLED = 1e-4  # a fit and its scores, however small
PAIRED = 6e-4  # a pair of classes in a batch of rules: their AUC, however few rules and rows
# The same where training sets of one number of rows are few: what a batch of them takes whole.
BATCHED = 5e-3
SEARCHED = 18e-3  # with a search for the strength, more
# Classes of scikit-learn: a forest of a hundred trees, which few are slower than.
FOREIGN = 0.25  # a fit to few rows, and its scores of them
FOREIGN_NUMBER = 1e-6  # a number of a training row, more
FOREIGN_ROW = 1e-5  # a row that is scored

CV_FITS = 6  # what the search for the strength takes, in fits of one strength
# Training sets are taken for separable up to so many rows for a column.
SEPARABLE_ROWS = 10
TOGETHER = 100  # splits that may share a batch, about


@dataclass(frozen=True)
class Shape:
    """What the time depends on: numbers of rows, inputs, columns of the design, and classes.

    Training sets are drawn by units: mean and standard deviation of their numbers of rows.
    """

    n_rows: int
    n_inputs: int
    n_columns: int
    n_classes: int
    unit_mean: float = 1.0
    unit_deviation: float = 0.0

    @classmethod
    def of(cls, problem: Problem) -> Shape:
        """Shape of a problem."""
        columns = Layout.of(problem.levels).n_columns
        counts = (len(problem.y), len(problem.levels), columns, len(problem.classes))
        sizes = problem.units.sizes
        return cls(*counts, float(sizes.mean()), float(sizes.std()))

    def batches(self, m: int) -> float:
        """How many batches a training set of m units takes: a part of one that others share.

        Those with the same number of rows make a batch; the numbers are taken to be normal.
        """
        n_units = self.n_rows / self.unit_mean
        deviation = self.unit_deviation * math.sqrt(m * (1 - m / n_units))
        if deviation == 0.0:
            return 0.0
        numbers = np.arange(-math.ceil(4 * deviation), math.ceil(4 * deviation) + 1)
        share = np.exp(-((numbers / deviation) ** 2) / 2)
        occurs = 1 - (1 - share / share.sum()) ** TOGETHER
        return float(occurs.sum() / TOGETHER)


@dataclass(frozen=True)
class Effort:
    """What a run does.

    Attributes
    ----------
    splits
        Number of splits.
    chunk
        How many of them are computed and stored at a time.
    seconds
        CPU time of all of them, roughly.
    """

    splits: int
    chunk: int
    seconds: float

    @property
    def words(self) -> str:
        """How long it takes, where that is more than two minutes on two cores; else empty."""
        if self.seconds < LONG_SECONDS:
            return ""
        return (
            f"the fewest splits, {self.splits}, take about {self.seconds / 60:.0f} minutes of CPU"
            " time by a rough model; fewer or smaller 'sizes' in a config take less"
        )


def effort(
    shape: Shape,
    sizes: Sequence[int],
    fitters: Sequence[Fitter],
    measures: Sequence[str],
) -> Effort:
    """As many splits as take little time, in chunks of seconds."""
    each = seconds(shape, sizes, fitters, measures)
    splits = next((n for n in SPLITS if n * each <= MOST_SECONDS), SPLITS[-1])
    # Training sets of one number of rows are fitted together: the more at a time, the faster.
    most, fewest = CHUNK_SECONDS, FEWEST_CHUNKS
    if shape.unit_deviation > 0:
        most, fewest = UNEQUAL_SECONDS, UNEQUAL_CHUNKS
    pairs = _paired(shape, measures) * len(sizes) * len(fitters)
    for_pairs = max(PAIRS_SECONDS, PAIRS_PART * splits * each)
    n_chunks = min(MOST_CHUNKS, max(UNEQUAL_CHUNKS, int(for_pairs / max(pairs, 1e-9))))
    chunk = min(max(1, int(most / each)), math.ceil(splits / min(fewest, n_chunks)))
    chunk = max(chunk, math.ceil(splits / n_chunks))
    return Effort(splits, chunk, splits * each + math.ceil(splits / chunk) * pairs)


def _paired(shape: Shape, measures: Sequence[str]) -> float:
    """Seconds that the pairs of more than two classes take in a batch."""
    n_classes = shape.n_classes
    return PAIRED * n_classes * (n_classes - 1) if "auc" in measures and n_classes > 2 else 0.0


def seconds(
    shape: Shape, sizes: Sequence[int], fitters: Sequence[Fitter], measures: Sequence[str]
) -> float:
    """CPU time of one split: all fitters at all training sizes m, and their scores."""
    scored = _scored(shape, "auc" in measures)
    total = 0.0
    for m in sizes:
        n_rows, batches = round(m * shape.unit_mean), shape.batches(m)
        total += PREPARED * n_rows * shape.n_inputs
        for fitter in fitters:
            total += CALLED + _fitted(fitter, n_rows, shape) + scored + batches * _alone(fitter)
    return total


def _alone(fitter: Fitter) -> float:
    """Seconds that a batch takes, however few training sets it has."""
    searched = isinstance(fitter, PenalisedLogistic) and fitter.strength == "cv"
    return BATCHED + SEARCHED * searched


def _fitted(fitter: Fitter, m: int, shape: Shape) -> float:
    """Seconds that a fit to m rows takes."""
    q, n_classes = shape.n_columns, shape.n_classes
    if isinstance(fitter, Estimator):
        return FOREIGN + FOREIGN_NUMBER * m * q + FOREIGN_ROW * shape.n_rows
    numbers = m * q * n_classes
    n_weights = (n_classes - 1) * min(q, m)  # directions without rows have none
    steps = CALLED + STEPPED * numbers + SOLVED * n_weights**2
    if isinstance(fitter, PenalisedLogistic):
        return steps * (CV_FITS if fitter.strength == "cv" else 1)
    if isinstance(fitter, ZeroOne):
        return LABELLED
    if isinstance(fitter, Discriminative):
        rows = min(m, SEPARABLE_ROWS * q) * (n_classes - 1)
        return steps + DRAWN * rows * n_weights
    return PASSED * numbers


def _scored(shape: Shape, ranked: bool) -> float:
    """Seconds that the scores of a rule on all rows take, and what is made of them."""
    n, n_classes = shape.n_rows, shape.n_classes
    products = n * shape.n_columns * (TOUCHED + MULTIPLIED * (n_classes - 1))
    orders = 1 if n_classes == 2 else n_classes  # a ranking for each class
    sorted_ = RANKED * n * math.log2(n) * orders if ranked else 0.0
    return products + JUDGED * n * n_classes + sorted_
