"""Training sets of one size, and what is fitted to them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.fitters import features
from gdcurves.fitters.diagnostics import Diagnostics
from gdcurves.fitters.features import Layout
from gdcurves.fitters.maps import FeatureMap
from gdcurves.fitters.rules import LinearRules, Rules


@dataclass(frozen=True)
class Batch:
    """Training sets of one size.

    Attributes
    ----------
    x
        Inputs, shape (B, m, d): numbers, and codes of the levels of discrete inputs.
    y
        Classes 0 ... K - 1, shape (B, m).
    levels
        Number of levels of each of the d inputs, 0 for a continuous one.
    n_classes
        K; a class may be absent from a training set, but at least two are present.
    input_names
        Names of the inputs.
    centre
        Where maps with products measure the continuous inputs from, shape (c,); 0 unless given.
    group
        Groups that rows stay together in, shape (B, m); None where every row is on its own.
    """

    x: FloatArray | IntArray
    y: IntArray
    levels: tuple[int, ...]
    n_classes: int
    input_names: tuple[str, ...] = ()
    centre: FloatArray | None = None
    group: IntArray | None = None

    def some(self, sets: IntArray) -> Batch:
        """Pick training sets by their numbers (P,)."""
        group = None if self.group is None else self.group[sets]
        return replace(self, x=self.x[sets], y=self.y[sets], group=group)

    @cached_property
    def layout(self) -> Layout:
        """Which columns of the design belong to which input."""
        return Layout.of(self.levels)

    @cached_property
    def design(self) -> FloatArray:
        """Feature vectors of the linear map, shape (B, m, q)."""
        return features.design(self.x, self.levels)

    @cached_property
    def origin(self) -> FloatArray:
        """The centre, zero unless it was given, shape (c,)."""
        return np.zeros(len(self.layout.continuous)) if self.centre is None else self.centre

    def vectors(self, feature_map: FeatureMap) -> FloatArray:
        """Feature vectors (B, m, q + p) of a map that has p products."""
        return feature_map.vectors(self.design, self.layout, self.origin)

    @cached_property
    def membership(self) -> FloatArray:
        """1.0 where a row is of a class, shape (B, K, m)."""
        membership: FloatArray = self.y[:, None, :] == np.arange(self.n_classes)[:, None]
        return membership.astype(float)


OfRules = TypeVar("OfRules", bound=Rules, covariant=True)


@dataclass(frozen=True)
class Fit(Generic[OfRules]):
    """What came of a batch of training sets.

    Attributes
    ----------
    rules
        R rules for each of the B training sets.
    diagnostics
        What the fit says of itself.
    sampled
        Which training sets have rules that were drawn by a Markov chain, shape (B,), or None.
    halfway
        For these training sets, the rules half-way along the chain, to see whether it has arrived.
    """

    rules: OfRules
    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    sampled: BoolArray | None = None
    halfway: OfRules | None = None


LinearFit = Fit[LinearRules]
