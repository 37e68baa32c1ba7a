"""Training sets of one size, and the rules fitted to them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.fitters import features
from gdcurves.fitters.features import Layout, Space


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
        Number of levels of each input, 0 for a continuous one; may be empty where all are.
    n_classes
        K; a class may be absent from a training set, but at least two are present.
    inputs
        Names of the inputs.
    centre
        Where the quadratic map measures the continuous inputs from, shape (c,); 0 unless given.
    """

    x: FloatArray | IntArray
    y: IntArray
    levels: tuple[int, ...]
    n_classes: int
    inputs: tuple[str, ...] = ()
    centre: FloatArray | None = None

    @cached_property
    def layout(self) -> Layout:
        """Which columns of the design belong to which input."""
        return Layout.of(self.levels, self.x.shape[2])

    @cached_property
    def design(self) -> FloatArray:
        """Feature vectors of the linear map, shape (B, m, q)."""
        return features.design(self.x, self.levels)

    @cached_property
    def origin(self) -> FloatArray:
        """The centre, zero unless it was given, shape (c,)."""
        return np.zeros(len(self.layout.continuous)) if self.centre is None else self.centre

    def vectors(self, space: Space) -> FloatArray:
        """Feature vectors of a map, shape (B, m, its length)."""
        if space == "linear":
            return self.design
        return features.quadratic(self.design, self.layout, self.origin)

    @cached_property
    def membership(self) -> FloatArray:
        """1.0 where a row is of a class, shape (B, K, m)."""
        membership: FloatArray = self.y[:, None, :] == np.arange(self.n_classes)[:, None]
        return membership.astype(float)


@dataclass(frozen=True)
class Fit:
    """Fitted rules: discriminants of the classes 1 ... K - 1 against class 0.

    A row with features f has the scores <direction, f> and <weights, f>. The direction counts
    infinitely more: the weights decide only between classes that it leaves level. So the limits
    that some classifiers tend to are held exactly. Ties of both go to the first class.

    Attributes
    ----------
    weights
        Shape (R, B, K - 1, q): R rules for each training set; its error is their mean.
    direction
        Same shape, or None where no rule has an infinite part.
    outcome
        `gdcurves.logistic.certificates.Outcome` of each training set, shape (B,), or None.
    sampled
        Which training sets have rules that were drawn by a Markov chain, shape (B,), or None.
    halfway
        For these training sets, the rules half-way along the chain, to see whether it has arrived.
    space
        The map that makes the features.
    degenerate
        Which training sets needed the fitter's rule for degenerate ones, shape (B,), or None.
    theta
        Parameters of a hybrid, infinite where they have no finite value, shape (B, P), or None.
    left_out
        Rows that were left out of the fit of theta, shape (B,), or None.
    """

    weights: FloatArray
    direction: FloatArray | None = None
    outcome: IntArray | None = None
    sampled: BoolArray | None = None
    halfway: Fit | None = None
    space: Space = "linear"
    degenerate: BoolArray | None = None
    theta: FloatArray | None = None
    left_out: IntArray | None = None
