"""Splits that have training rows of their own, drawn from a law that judges the rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from gdcurves import splits
from gdcurves.arrays import IntArray
from gdcurves.fitters import Batch
from gdcurves.fitters.features import Layout
from gdcurves.limits.judge import Judge
from gdcurves.plan.experiment import NamedFitter
from gdcurves.problems import fresh
from gdcurves.problems.series import Series
from gdcurves.scoring import Scores
from gdcurves.scoring.measures import Measure

AT_ONCE = 2**23  # numbers of training rows in memory, and of test rows where there are any


def scored(
    series: Series,
    judge: Judge,
    fitters: Sequence[NamedFitter],
    n_splits: Mapping[int, int],
    start: int,
    seed: int,
    stratified: bool,
    measures: Sequence[Measure],
) -> Iterator[tuple[int, dict[str, Scores]]]:
    """Yield each size with the scores of every fitter on the splits from `start` on.

    Parameters
    ----------
    series, judge
        The law, and what judges rules under it.
    fitters
        What is fitted.
    n_splits
        Number of splits at each training size, which ascend.
    """
    rngs = {
        (m, each.name): splits.generator(seed, series.name, each.name, m, start)
        for m in n_splits
        for each in fitters
    }
    parts: dict[int, dict[str, list[tuple[IntArray, Scores]]]] = {
        m: defaultdict(list) for m in n_splits
    }
    stop = start + max(n_splits.values())
    for numbers in _some(range(start, stop), _at_once(series, judge, max(n_splits))):
        sizes = [m for m, n in n_splits.items() if start + n > numbers.start]
        theirs = judge.of(seed, series.name, numbers)
        sets = fresh.draw(series.simulation, sizes, numbers, seed, series.name, stratified)
        for m, drawn in sets:
            here = numbers[: start + n_splits[m] - numbers.start]
            batch = Batch(
                drawn.x[: len(here)],
                drawn.y[: len(here)],
                series.levels,
                len(series.classes),
                series.features,
                judge.centre,
            )
            places = np.arange(len(here)) + here.start - start
            for each in fitters:
                fit = each.fitter.fit(batch, rngs[m, each.name])
                scores = theirs.score(fit, drawn.y.shape[1], measures)
                parts[m][each.name].append((places, scores))
    for m, of_fitters in parts.items():
        yield m, {name: Scores.together(each) for name, each in of_fitters.items()}


def _at_once(series: Series, judge: Judge, m: int) -> int:
    """How many splits are in memory at a time."""
    each = m * Layout.of(series.levels).n_columns + judge.n_numbers
    return max(1, AT_ONCE // each)


def _some(numbers: range, n: int) -> Iterator[range]:
    for first in range(numbers.start, numbers.stop, n):
        yield range(first, min(first + n, numbers.stop))
