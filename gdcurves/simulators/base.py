"""What a law is: classes with known distributions, from which data sets are drawn."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.datasets.spec import Kind


class Law(Protocol):
    """The distributions of d features in K classes."""

    def model_dump(self, *, mode: str) -> Any:
        """Return what stands for it in a file."""

    @property
    def kind(self) -> Kind:
        """Kind of the features; a discrete one has the levels 0 and 1."""

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features."""

    @property
    def n_classes(self) -> int:
        """Number of classes, K."""

    def draw(
        self, n_per_class: Sequence[int], rng: np.random.Generator, n_sets: int
    ) -> FloatArray | IntArray:
        """Draw data sets.

        Parameters
        ----------
        n_per_class
            Rows of each class in every set; n is their sum.
        rng
            The sets come from it one after the other: a set does not depend on how many follow.
        n_sets
            S.

        Returns
        -------
        Shape (S, n, d), the classes' rows in the order of the classes; float64 for continuous
        features, int32 for discrete ones.
        """

    def moments(self) -> tuple[FloatArray, FloatArray]:
        """Return the exact means, shape (K, d), and covariances, shape (K, d, d)."""


def class_rows(n_per_class: Sequence[int]) -> list[slice]:
    """Return where each class's rows stand in a set."""
    ends = list(itertools.accumulate(n_per_class))
    return [slice(end - n, end) for n, end in zip(n_per_class, ends, strict=True)]
