"""Rules judged by sums over all cells of a law."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.fitters.rules import LinearRules, Rules
from gdcurves.limits.judge import Judge
from gdcurves.scoring import linear
from gdcurves.scoring.judged import Judged
from gdcurves.scoring.measures import SumMeasure
from gdcurves.scoring.pool import Pool, collect
from gdcurves.scoring.scores import sums_over_rows


@dataclass(frozen=True, eq=False)
class ByCells(Judge):
    """Sums over cells with their probabilities.

    Attributes
    ----------
    pool
        The cells as distinct inputs, with P(x, class) for counts.
    """

    pool: Pool

    @classmethod
    def of_table(
        cls, x: NDArray[Any], mass: FloatArray, levels: tuple[int, ...], shares: FloatArray
    ) -> ByCells:
        """From cells x (u, d), their `mass` in each class (u, K), and `shares` of classes (K,)."""
        pool = collect(x, np.zeros(len(x), dtype=np.int8), levels, len(shares))
        counts = np.zeros((pool.n_distinct, len(shares)))
        np.add.at(counts, pool.entry, mass * shares)
        nothing = np.zeros(0, dtype=np.int64)
        continuous = pool.layout.continuous
        centre = counts.sum(axis=1) @ pool.x[:, continuous]
        return cls(replace(pool, counts=counts, entry=nothing, y=nothing, centre=centre))

    @cached_property
    def shares(self) -> FloatArray:
        """See `Judge`."""
        return np.asarray(self.pool.counts.sum(axis=0))

    @property
    def centre(self) -> FloatArray:
        """See `Judge`."""
        return self.pool.centre

    def sums(
        self, rules: Rules, measures: Sequence[SumMeasure], hard: BoolArray | None
    ) -> Mapping[SumMeasure, FloatArray]:
        """See `Judge`."""
        if isinstance(rules, LinearRules):
            nothing = np.zeros((rules.n_sets, 0), dtype=np.int64)
            bounded = np.zeros(rules.n_sets, dtype=bool)
            return linear.sums(measures, self.pool, rules, nothing, bounded, hard)
        shape = (self.pool.n_classes, rules.n_draws, rules.n_sets)
        sums = {each: each.no_sums(*shape) for each in measures}
        normalised = any(each.needs == "probabilities" for each in measures)
        for b in range(rules.n_sets):
            log_p = rules.score(b, np.asarray(self.pool.x)).transpose(2, 1, 0)
            judged = Judged.by_log_probabilities(log_p, normalised)
            for each, total in sums.items():
                total[..., b] = sums_over_rows(each, judged, self.pool.counts)
        return sums
