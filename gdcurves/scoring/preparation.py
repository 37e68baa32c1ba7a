"""What depends on the training rows alone: ranges to rescale by, means for missing values.

Both act on one continuous input at a time, and every rule is linear in a feature map. So a training
set is filled and rescaled before the fit, and the rule that comes out is rewritten for the rows as
they are, exactly: <w, (x - a) / s> = <w / s, x> - <w / s, a>. A row without a value holds 0, and 1
in a column of its own; the weight of that column is what the rule makes of the mean instead of 0.
Scoring sees neither.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.fitters.batch import Fit
from gdcurves.fitters.features import Layout, Space
from gdcurves.problems.problem import Problem
from gdcurves.scoring.pool import Pool


@dataclass(frozen=True, eq=False)
class Preparation:
    """What is done to every training set of a problem.

    Attributes
    ----------
    rescales
        Whether continuous inputs are rescaled to [0, 1] over the training rows.
    layout
        Of the inputs.
    gaps
        Places, among the continuous inputs, of those without a value in some row.
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
        layout = Layout.of(levels, x.shape[1])
        empty = [np.isnan(x[:, column]) for column in layout.continuous]
        gaps = np.array([i for i, each in enumerate(empty) if each.any()], dtype=np.int64)
        if len(gaps):
            x = np.column_stack([np.where(np.isnan(x), 0.0, x), *(empty[i] for i in gaps)])
            levels = (*(levels or (0,) * len(layout.widths)), *(0 for _ in gaps))
        pool = Pool.collect(x, np.asarray(problem.y), levels, len(problem.classes))
        return cls(problem.rescale == "train", layout, gaps, pool)

    @classmethod
    def none(cls, pool: Pool) -> Preparation:
        """Leave the rows of a pool as they are."""
        return cls(False, pool.layout, np.zeros(0, dtype=np.int64), pool)

    @property
    def centre(self) -> FloatArray:
        """Where the quadratic map of the training sets measures from, shape (c,)."""
        n_continuous = len(self.layout.continuous)
        return np.full(n_continuous, 0.5) if self.rescales else self.pool.centre[:n_continuous]

    def prepare(self, x: NDArray[Any]) -> tuple[NDArray[Any], Prepared]:
        """Fill and rescale training rows (B, m, d); also returns how to rewrite their rules."""
        columns = self.layout.continuous
        n_sets, c = len(x), len(columns)
        lowest, width = np.zeros((n_sets, c)), np.ones((n_sets, c))
        fill = np.zeros((n_sets, c))
        if not (self.rescales or len(self.gaps)):
            return x, Prepared(self, lowest, width, fill)
        values = x[:, :, columns]
        given = ~np.isnan(values)
        known = given.any(axis=1)
        n_given = np.maximum(given.sum(axis=1), 1)
        if len(self.gaps):
            fill = np.where(given, values, 0.0).sum(axis=1) / n_given
            values = np.where(given, values, fill[:, None, :])
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
    """What was done to a batch of training sets; arrays have shape (B, c).

    Attributes
    ----------
    preparation
        What is done to all of them.
    lowest, width
        a and s: an input x became (x - a) / s.
    fill
        What stands for a missing value, on the scale of x.
    """

    preparation: Preparation
    lowest: FloatArray
    width: FloatArray
    fill: FloatArray

    def rewrite(self, fit: Fit) -> Fit:
        """Rules for the pool from rules for the prepared training sets."""
        if not (self.preparation.rescales or len(self.preparation.gaps)):
            return fit
        halfway = None
        if fit.halfway is not None:
            assert fit.sampled is not None, "rules half-way belong to sampled ones"
            halfway = self._of(fit.sampled).rewrite(fit.halfway)
        return replace(
            fit,
            weights=self._for_pool(fit.weights, fit.space),
            direction=None if fit.direction is None else self._for_pool(fit.direction, fit.space),
            halfway=halfway,
        )

    def _of(self, sets: BoolArray) -> Prepared:
        return Prepared(self.preparation, self.lowest[sets], self.width[sets], self.fill[sets])

    def _for_pool(self, rules: FloatArray, space: Space) -> FloatArray:
        """Rewrite rules (R, B, K - 1, q).

        With centres k of the training sets' map and C of the pool's, an input adds
        w (x - b) / s + v (x - b)^2 / s^2, where b = a + k s, and that is a polynomial in x - C.
        """
        made = self.preparation
        layout, gaps = made.layout, made.gaps
        columns, q, c = layout.starts[layout.continuous], layout.n_columns, len(layout.continuous)
        origin, aim = np.zeros(c), np.zeros(c + len(gaps))
        squares = np.zeros((*rules.shape[:3], c))
        if space == "quadratic":
            origin, aim = made.centre, made.pool.centre
            squares = rules[..., q:]
        width, fill = self.width[:, None, :], self.fill[:, None, :]
        centre = aim[:c]
        off = centre - (self.lowest[:, None, :] + origin * width)
        slope = rules[..., columns] / width
        bend = squares / width**2

        linear = rules[..., :q].copy()
        linear[..., 0] += np.sum((slope + bend * off) * off, axis=-1)
        slope = slope + 2.0 * bend * off
        linear[..., columns] = slope
        # What the rule makes of the fill, less what it makes of 0.
        instead = (slope * fill + bend * fill * (fill - 2.0 * centre))[..., gaps]
        if space == "linear":
            return np.concatenate([linear, instead], axis=-1)
        linear[..., 0] += instead @ aim[c:]
        none = np.zeros_like(instead)
        return np.concatenate([linear, instead, bend, none], axis=-1)
