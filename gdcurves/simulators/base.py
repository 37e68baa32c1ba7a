"""What a law is: classes with known distributions, from which data sets are drawn."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from gdcurves.arrays import FloatArray, IntArray


class Law(Protocol):
    """The distributions of d features in K classes; register it in `gdcurves.simulators.laws`.

    A law is a frozen pydantic model, a `StrictModel` for instance, whose fields are its parameters
    as a config has them.
    """

    def model_dump(self, *, mode: str) -> Any:
        """Return what stands for it in a file."""

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the d features."""

    @property
    def levels(self) -> tuple[int, ...]:
        """Number of levels of each feature, 0 for a continuous one."""

    @property
    def non_negative(self) -> bool:
        """Whether no continuous feature is ever below zero."""

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
        Shape (S, n, d), the classes' rows in the order of the classes: numbers, and codes 0, 1, ...
        of the levels of discrete features. int32 where all are discrete, else float64.
        """


@runtime_checkable
class WithShares(Protocol):
    """A law that may have the probabilities of its classes too; others leave them to its rows."""

    @property
    def shares(self) -> tuple[float, ...] | None:
        """Probabilities of the K classes, or None."""


def class_rows(n_per_class: Sequence[int]) -> list[slice]:
    """Return where each class's rows stand in a set."""
    ends = list(itertools.accumulate(n_per_class))
    return [slice(end - n, end) for n, end in zip(n_per_class, ends, strict=True)]
