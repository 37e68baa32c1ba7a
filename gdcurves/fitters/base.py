"""What a classifier is here: options, and a function from training sets to linear rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from gdcurves import features
from gdcurves.config import StrictModel
from gdcurves.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class Batch:
    """Training sets of one size.

    Attributes
    ----------
    x
        Inputs, shape (B, m, d): numbers, or level codes where `levels` is not empty.
    y
        Classes 0 ... K - 1, shape (B, m).
    levels
        Number of levels of each discrete input; empty for continuous inputs.
    n_classes
        K; a class may be absent from a training set, but at least two are present.
    """

    x: FloatArray | IntArray
    y: IntArray
    levels: tuple[int, ...]
    n_classes: int

    @cached_property
    def design(self) -> FloatArray:
        """Feature vectors, shape (B, m, q)."""
        return features.design(self.x, self.levels)

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
    """

    weights: FloatArray
    direction: FloatArray | None = None
    outcome: IntArray | None = None
    sampled: BoolArray | None = None
    halfway: Fit | None = None


class Fitter(StrictModel, ABC):
    """A classifier with its options as fields. Register it in `gdcurves.fitters`."""

    summary: ClassVar[str]
    inputs: ClassVar[frozenset[str]]
    two_classes_only: ClassVar[bool] = False

    @abstractmethod
    def fit(self, batch: Batch, rng: np.random.Generator) -> Fit:
        """Fit every training set of the batch; the generator is for fitters that draw."""
