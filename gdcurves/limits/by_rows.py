"""Rules for bits judged by test rows, where there are too many cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gdcurves import splits
from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.fitters.features import Layout
from gdcurves.fitters.maps import FeatureMap
from gdcurves.fitters.rules import FunctionRules, Rules
from gdcurves.limits.judge import Judge
from gdcurves.scoring.judged import Judged
from gdcurves.scoring.measures import SumMeasure
from gdcurves.scoring.scores import sums_over_rows
from gdcurves.simulators import SimulationConfig


@dataclass(frozen=True, eq=False)
class ByRows(Judge):
    """Test rows of bits, new ones for each split.

    Attributes
    ----------
    simulation
        What they are drawn from.
    x
        Shape (S, n, d); none yet for a judge of no splits.
    """

    simulation: SimulationConfig
    x: IntArray

    @property
    def n_test(self) -> float:  # type: ignore[override]
        """See `Judge`."""
        return sum(self.simulation.rows_per_class)

    @property
    def shares(self) -> FloatArray:
        """See `Judge`."""
        return np.array(self.simulation.rows_per_class, dtype=float)

    @property
    def centre(self) -> FloatArray:
        """See `Judge`."""
        return np.zeros(0)

    @property
    def n_numbers(self) -> int:
        """See `Judge`."""
        return int(self.n_test) * len(self.simulation.law.features)

    def of(self, seed: int, experiment: str, numbers: Sequence[int] | range) -> ByRows:
        """See `Judge`."""
        law, rows = self.simulation.law, self.simulation.rows_per_class
        drawn = [
            law.draw(rows, splits.generator(seed, experiment, "test", split), 1)
            for split in numbers
        ]
        return replace(self, x=np.concatenate(drawn))

    def of_sets(self, which: BoolArray) -> ByRows:
        """See `Judge`."""
        return replace(self, x=self.x[: len(which)][which])

    def sums(
        self, rules: Rules, measures: Sequence[SumMeasure], hard: BoolArray | None
    ) -> Mapping[SumMeasure, FloatArray]:
        """See `Judge`."""
        rows = self.simulation.rows_per_class
        K = len(rows)
        weights = np.repeat(np.eye(K), rows, axis=0)
        normalised = any(each.needs == "probabilities" for each in measures)
        sums = {each: each.no_sums(K, rules.n_draws, rules.n_sets) for each in measures}
        for b in range(rules.n_sets):
            judged = self._judged(rules, b, normalised, hard)
            for each, total in sums.items():
                total[..., b] = sums_over_rows(each, judged, weights)
        return sums

    def _judged(self, rules: Rules, b: int, normalised: bool, hard: BoolArray | None) -> Judged:
        if isinstance(rules, FunctionRules):
            log_p = rules.score(b, self.x[b]).transpose(2, 1, 0)
            return Judged.by_log_probabilities(log_p, normalised)
        weights, direction = (
            None if each is None else self._scores(each[:, b], self.x[b], rules.feature_map)
            for each in (rules.weights, rules.direction)
        )
        assert weights is not None, "rules have weights"
        mine = None if hard is None else np.repeat(hard[b], len(rules.weights))
        return Judged.of(weights, direction, normalised, mine)

    def _scores(self, rules: FloatArray, x: IntArray, feature_map: FeatureMap) -> FloatArray:
        """Scores (K - 1, n, R) of bits x (n, d) by rules (R, K - 1, q)."""
        layout = Layout.of(self.simulation.law.levels)
        if not feature_map.n_products(layout):
            return _of_bits(rules, x.astype(np.float64))
        scores: FloatArray = rules[:, :, feature_map.ones(x, layout)].sum(axis=-1)
        return scores.transpose(1, 2, 0)


def _of_bits(rules: FloatArray, x: FloatArray) -> FloatArray:
    """Scores (K - 1, n, R) of bits x (n, d) by rules (R, K - 1, 1 + 2 d), one-hot."""
    at_zero, at_one = rules[..., 1::2], rules[..., 2::2]
    base = rules[..., 0] + at_zero.sum(axis=-1)
    scores: FloatArray = base + np.einsum("nd,rkd->nrk", x, at_one - at_zero, optimize=True)
    return scores.transpose(2, 0, 1)
