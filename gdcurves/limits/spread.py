"""Covariances of two normal classes: as matrices, or by blocks of features that are alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.errors import UserError
from gdcurves.simulators import Blocks

MOST_DENSE = 5000  # features of a covariance as a matrix


class Spread(ABC):
    """Covariances of both classes."""

    @abstractmethod
    def along(self, w: FloatArray) -> FloatArray:
        """Variances of <w, x> in both classes for weights w (..., d), shape (2, ...)."""

    @property
    @abstractmethod
    def matrices(self) -> FloatArray:
        """The covariances, shape (2, d, d)."""

    @property
    @abstractmethod
    def same(self) -> bool:
        """Whether the classes have one covariance."""

    @property
    @abstractmethod
    def independent(self) -> bool:
        """Whether the features are independent within both classes."""

    @abstractmethod
    def solve(self, v: FloatArray) -> FloatArray:
        """The inverse of the first covariance times v (d,), shape (d,)."""

    @property
    @abstractmethod
    def variances(self) -> FloatArray:
        """Of the features, shape (2, d)."""


@dataclass(frozen=True, eq=False)
class Matrices(Spread):
    """Covariances as matrices.

    Attributes
    ----------
    of_classes
        Shape (2, d, d).
    """

    of_classes: FloatArray

    @property
    def matrices(self) -> FloatArray:
        """See `Spread`."""
        return self.of_classes

    def along(self, w: FloatArray) -> FloatArray:
        """See `Spread`."""
        rows = w.reshape(-1, w.shape[-1])
        each = [np.einsum("nd,nd->n", rows @ matrix, rows) for matrix in self.matrices]
        return np.stack(each).reshape(2, *w.shape[:-1])

    @cached_property
    def same(self) -> bool:
        """See `Spread`."""
        return np.array_equal(*self.of_classes)

    @property
    def independent(self) -> bool:
        """See `Spread`."""
        matrices = self.of_classes
        return all(np.array_equal(each, np.diag(np.diag(each))) for each in matrices)

    def solve(self, v: FloatArray) -> FloatArray:
        """See `Spread`."""
        return np.asarray(cho_solve(cho_factor(self.of_classes[0]), v))

    @property
    def variances(self) -> FloatArray:
        """See `Spread`."""
        return np.diagonal(self.matrices, axis1=1, axis2=2)


@dataclass(frozen=True, eq=False)
class InBlocks(Spread):
    """Features of variance one that are equally correlated in each block, alike in both classes.

    Attributes
    ----------
    law
        Blocks of normal features.
    """

    law: Blocks
    same = True

    @property
    def independent(self) -> bool:
        """See `Spread`."""
        blocks = zip(self.law.correlations, self.law.sizes, strict=True)
        return all(r == 0 or n == 1 for r, n in blocks)

    def solve(self, v: FloatArray) -> FloatArray:
        """See `Spread`."""
        r, n = np.array(self.law.correlations), np.array(self.law.sizes)
        sums = np.add.reduceat(v, list(self.law.starts))
        common = r * sums / (1 + (n - 1) * r)
        return np.asarray((v - np.repeat(common, n)) / np.repeat(1 - r, n))

    def along(self, w: FloatArray) -> FloatArray:
        """See `Spread`."""
        starts, r = list(self.law.starts), np.array(self.law.correlations)
        squares = np.add.reduceat(w**2, starts, axis=-1)
        sums = np.add.reduceat(w, starts, axis=-1)
        variance = squares @ (1 - r) + sums**2 @ r
        return np.stack([variance, variance])

    @cached_property
    def matrices(self) -> FloatArray:
        """See `Spread`; one matrix for both."""
        if len(self.law.features) > MOST_DENSE:
            raise UserError(
                f"a covariance of {len(self.law.features):,} features is too large; use"
                f" {MOST_DENSE:,} or fewer"
            )
        block = np.repeat(np.arange(len(self.law.sizes)), self.law.sizes)
        together: BoolArray = block[:, None] == block
        matrix = np.where(together, np.array(self.law.correlations)[block], 0.0)
        np.fill_diagonal(matrix, 1.0)
        return np.broadcast_to(matrix, (2, *matrix.shape))

    @property
    def variances(self) -> FloatArray:
        """See `Spread`."""
        return np.ones((2, len(self.law.features)))
