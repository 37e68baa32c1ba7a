"""Training sets without a row of some class: fitted without that class, and never predicting it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.fitters.batch import Batch, Fit, LinearFit
from gdcurves.fitters.diagnostics import DIAGNOSTICS, Diagnostics
from gdcurves.fitters.generative import ABSENT
from gdcurves.fitters.rules import LinearRules


@dataclass(frozen=True)
class Part:
    """Training sets with the same classes present.

    Attributes
    ----------
    sets
        Their numbers in the whole batch, shape (P,).
    present
        These classes, shape (K',).
    batch
        The sets themselves; classes are numbered among those that are present.
    """

    sets: IntArray
    present: IntArray
    batch: Batch


def by_presence(batch: Batch) -> Iterator[Part]:
    """Yield the training sets of a batch, together those with the same classes present."""
    present: BoolArray = np.any(batch.membership, axis=2)
    patterns: BoolArray = np.unique(present, axis=0)
    for pattern in patterns:
        sets = np.flatnonzero(np.all(present == pattern, axis=1))
        classes = np.flatnonzero(pattern)
        some = batch
        if len(classes) < batch.n_classes or len(sets) < len(present):
            number = np.cumsum(pattern) - 1
            some = batch.some(sets)
            some = replace(some, y=number[some.y], n_classes=len(classes))
        yield Part(sets, classes, some)


def together(parts: Sequence[tuple[Part, LinearFit]], batch: Batch) -> LinearFit:
    """Join the fits of the parts of a batch; absent classes are never chosen."""
    first = parts[0][1]
    if len(parts) == 1 and len(parts[0][0].present) == batch.n_classes:
        return first
    n_sets, n_classes = len(batch.y), batch.n_classes
    n_rules, _, _, n_weights = first.rules.weights.shape
    weights = np.zeros((n_rules, n_sets, n_classes, n_weights))
    direction = np.zeros_like(weights)
    sampled = np.zeros(n_sets, dtype=bool)
    for part, fit in parts:
        at = np.ix_(np.arange(n_rules), part.sets, part.present[1:])
        weights[at] = fit.rules.weights
        if fit.rules.direction is not None:
            direction[at] = fit.rules.direction
        absent = np.setdiff1d(np.arange(n_classes), part.present)
        direction[:, part.sets[:, None], absent, 0] = -ABSENT
        if fit.sampled is not None:
            sampled[part.sets] = fit.sampled
    rules = LinearRules(
        weights[:, :, 1:] - weights[:, :, :1],
        direction[:, :, 1:] - direction[:, :, :1],
        first.rules.feature_map,
        first.rules.gives,
    )
    diagnostics = Diagnostics(**{name: _joined(name, parts, batch) for name in DIAGNOSTICS})
    return Fit(rules, diagnostics, None if first.sampled is None else sampled)


def _joined(
    name: str, parts: Sequence[tuple[Part, LinearFit]], batch: Batch
) -> NDArray[Any] | None:
    """Values of one diagnostic of all training sets, shape (B, ...); None where there are none."""
    values = [getattr(fit.diagnostics, name) for _, fit in parts]
    if any(each is None for each in values):
        return None
    if name == "theta":
        pairs = zip(values, parts, strict=True)
        values = [_completed(each, part.present, batch.n_classes) for each, (part, _) in pairs]
    joined: NDArray[Any] = np.zeros((len(batch.y), *values[0].shape[1:]), dtype=values[0].dtype)
    for each, (part, _) in zip(values, parts, strict=True):
        joined[part.sets] = each
    return joined


def _completed(theta: FloatArray, present: IntArray, n_classes: int) -> FloatArray:
    """Theta (P, .) of all K classes from that of those present (K',): offsets, then exponents."""
    n_offsets = len(present) - 1
    offsets = np.full((len(theta), n_classes), -np.inf)
    offsets[:, present[:-1]] = theta[:, :n_offsets]
    offsets[:, present[-1]] = 0.0
    with np.errstate(invalid="ignore"):  # two absent classes cannot be compared: NaN
        against_last = offsets[:, :-1] - offsets[:, -1:]
    return np.concatenate([against_last, theta[:, n_offsets:]], axis=1)
