"""Verdicts at many sizes: of twenty 95 % intervals one is off."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.crossings.crossing import LEVEL

if TYPE_CHECKING:
    import pandas as pd


def no_chance(comparisons: pd.DataFrame, fitter: str, at: Sequence[int]) -> list[int]:
    """Sizes `at` which a fitter is better than all others, without those that may be chance.

    A size counts if it is better at the one before or after it too, or if its intervals at that
    size exclude zero when they are widened to hold at all sizes together (Bonferroni).

    Parameters
    ----------
    comparisons
        Rows of comparisons.csv of an experiment and a measure.
    fitter
        Its name.
    at
        Ascending sizes.
    """
    rank = {m: number for number, m in enumerate(sorted(set(comparisons["m"])))}
    there = {rank[m] for m in at}
    own = comparisons[(comparisons["fitter_a"] == fitter) | (comparisons["fitter_b"] == fitter)]
    sure = {m for m in at if _holds_for_all(own[own["m"] == m], len(rank))}
    return [m for m in at if m in sure or there & {rank[m] - 1, rank[m] + 1}]


def _holds_for_all(rows: pd.DataFrame, n_sizes: int) -> bool:
    """Whether rows of comparisons hold at 95 % for all sizes together."""
    normal = NormalDist()
    wider = normal.inv_cdf(1 - (1 - LEVEL) / 2 / n_sizes) / normal.inv_cdf((1 + LEVEL) / 2)
    # The end that is nearer to zero is not where a measure's range ends.
    near = np.where(rows["difference"] > 0, rows["low"], rows["high"])
    half_width = (rows["difference"] - near).abs()
    return bool((rows["difference"].abs() > wider * half_width).all())
