"""What depends on the training rows alone: ranges to rescale by, means for missing values.

Both act on one continuous input at a time. So a training set is filled and rescaled before the fit,
and the rules that come out are rewritten for the rows as they are: linear ones exactly, by putting
x = (x - a) / s into their map, any others by preparing each row before they see it. A row without a
value holds 0, and 1 in a column of its own; the weight of that column is what the rule makes of the
mean instead of 0. Scoring sees neither.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.fitters.batch import Fit
from gdcurves.fitters.features import Layout, run_of
from gdcurves.fitters.rules import FunctionRules, Rules
from gdcurves.problems.problem import Problem
from gdcurves.scoring import substitution
from gdcurves.scoring.pool import Pool, collect
from gdcurves.scoring.substitution import Substitution


@dataclass(frozen=True, eq=False)
class Preparation:
    """What is done to every training set of a problem.

    Attributes
    ----------
    rescales
        Whether continuous inputs are rescaled to [0, 1] over the training rows.
    layout
        Which columns belong to which input, without those for gaps.
    gaps
        Places, among the continuous inputs, of those without a value in some row, shape (g,).
    pool
        The rows that rules are scored on, with a further column for each of the gaps.
    """

    rescales: bool
    layout: Layout
    gaps: IntArray
    pool: Pool

    @classmethod
    def of(cls, problem: Problem) -> Preparation:
        """See what a problem needs."""
        x, levels = np.asarray(problem.x), problem.levels
        layout = Layout.of(levels)
        empty = [np.isnan(x[:, column]) for column in layout.continuous]
        gaps = np.array([i for i, each in enumerate(empty) if each.any()], dtype=np.int64)
        if len(gaps):
            x = np.column_stack([np.where(np.isnan(x), 0.0, x), *(empty[i] for i in gaps)])
            levels = (*levels, *(0 for _ in gaps))
        pool = collect(x, np.asarray(problem.y), levels, len(problem.classes), problem.units)
        return cls(problem.rescale == "train", layout, gaps, pool)

    @classmethod
    def none(cls, pool: Pool) -> Preparation:
        """Leave the rows of a pool as they are."""
        return cls(False, pool.layout, np.zeros(0, dtype=np.int64), pool)

    @property
    def needed(self) -> bool:
        """Whether anything is done at all."""
        return len(self.layout.continuous) > 0 and (self.rescales or len(self.gaps) > 0)

    @property
    def centre(self) -> FloatArray:
        """Where maps with products measure the training sets from, shape (c,)."""
        n_continuous = len(self.layout.continuous)
        return np.full(n_continuous, 0.5) if self.rescales else self.pool.centre[:n_continuous]

    def prepare(self, x: NDArray[Any]) -> tuple[NDArray[Any], Prepared]:
        """Training rows x (B, m, d), filled and rescaled (B, m, d), and how to rewrite rules."""
        columns = self.layout.continuous
        n_sets, c = len(x), len(columns)
        lowest, width = np.zeros((n_sets, c)), np.ones((n_sets, c))
        fill = np.zeros((n_sets, c))
        if not self.needed:
            return x, Prepared(self, lowest, width, fill)
        known = np.ones((n_sets, c), dtype=bool)
        if len(self.gaps):
            values = x[:, :, columns]
            given = ~np.isnan(values)
            known = given.any(axis=1)
            n_given = np.maximum(given.sum(axis=1), 1)
            fill = np.where(given, values, 0.0).sum(axis=1) / n_given
            values = np.where(given, values, fill[:, None, :])
        else:
            values = x[:, :, run_of(columns)]
        if self.rescales:
            lowest = values.min(axis=1)
            span = values.max(axis=1) - lowest
            width = np.where(known & (span > 0), span, 1.0)
            values = (values - lowest[:, None, :]) / width[:, None, :]
        ready = np.array(x, dtype=np.float64)
        ready[:, :, columns] = values
        return ready, Prepared(self, lowest, width, fill)


@dataclass(frozen=True, eq=False)
class Prepared:
    """What was done to a batch of training sets.

    Attributes
    ----------
    preparation
        What is done to all of them.
    lowest, width
        a and s, shape (B, c): an input x became (x - a) / s.
    fill
        What stands for a missing value, on the scale of x, shape (B, c).
    """

    preparation: Preparation
    lowest: FloatArray
    width: FloatArray
    fill: FloatArray

    def rewrite(self, fit: Fit[Rules]) -> Fit[Rules]:
        """Rules for the pool from rules for the prepared training sets."""
        if not self.preparation.needed:
            return fit
        halfway = fit.halfway
        if halfway is not None:
            assert fit.sampled is not None, "rules half-way belong to sampled ones"
            halfway = self._of(fit.sampled)._for_pool(halfway)
        return replace(fit, rules=self._for_pool(fit.rules), halfway=halfway)

    def _of(self, sets: BoolArray) -> Prepared:
        return Prepared(self.preparation, self.lowest[sets], self.width[sets], self.fill[sets])

    def _for_pool(self, rules: Rules) -> Rules:
        if isinstance(rules, FunctionRules):
            score = rules.score
            return replace(rules, score=lambda b, x: score(b, self.inputs(b, x)))
        change, feature_map = self._substitution(), rules.feature_map
        weights, direction = (
            None if each is None else substitution.applied(each, feature_map, change)
            for each in (rules.weights, rules.direction)
        )
        assert weights is not None, "rules have weights"
        return replace(rules, weights=weights, direction=direction)

    def inputs(self, b: int, x: NDArray[Any]) -> NDArray[Any]:
        """Rows x (n, d + g) of the pool, prepared as those of training set b: shape (n, d)."""
        made = self.preparation
        d = len(made.layout.widths)
        columns = made.layout.continuous
        values = x[:, columns].astype(np.float64)
        values[:, made.gaps] += x[:, d:] * self.fill[b, made.gaps]
        ready = np.array(x[:, :d], dtype=np.float64)
        ready[:, columns] = (values - self.lowest[b]) / self.width[b]
        return ready

    def _substitution(self) -> Substitution:
        made = self.preparation
        return Substitution(
            made.layout,
            made.gaps,
            self.lowest,
            self.width,
            self.fill,
            made.centre,
            made.pool.centre,
        )
