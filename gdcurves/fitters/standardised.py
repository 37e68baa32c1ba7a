"""Coordinates in which a penalty is measured: columns of one scale, no more of them than rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.fitters.batch import Batch
from gdcurves.logistic.batched import transposed
from gdcurves.logistic.penalised import coordinates


@dataclass(frozen=True)
class Standardised:
    """The columns of the designs of a batch, but the intercept's, in other coordinates.

    They are less their centres, which changes nothing but the intercept, in units of their scales.

    Attributes
    ----------
    rows
        Shape (B, m, r).
    centre, scale
        Of the columns, shape (B, p).
    basis
        Shape (B, p, r): the coordinates are those of an orthonormal basis, as a squared penalty
        allows; None for those of the columns.
    """

    rows: FloatArray
    centre: FloatArray
    scale: FloatArray
    basis: FloatArray | None

    @classmethod
    def of(cls, batch: Batch, units: bool, rotated: bool) -> Standardised:
        """Coordinates of the training sets of a batch.

        The scales of continuous inputs are their standard deviations (divisor m) where `units` is
        true; others are 1. A basis is used where there are more columns than rows and `rotated` is
        true.
        """
        x = batch.design[:, :, 1:]
        centre = x.mean(axis=1)
        constant = x.max(axis=1) == x.min(axis=1)
        x = np.where(constant[:, None, :], 0.0, x - centre[:, None, :])
        scale = np.ones_like(centre)
        if units:
            columns = batch.layout.starts[batch.layout.continuous] - 1
            scale[:, columns] = np.sqrt((x[:, :, columns] ** 2).mean(axis=1))
            scale[constant] = 1.0
            x /= scale[:, None, :]
        rows, basis = coordinates(x) if rotated else (x, None)
        return cls(rows, centre, scale, basis)

    def outside(self, v: FloatArray) -> FloatArray:
        """Weights (B, G, 1 + p) of the design, intercepts first, from those of `rows`, `v`.

        v has shape (B, G, 1 + r).
        """
        slopes = v[:, :, 1:]
        if self.basis is not None:
            slopes = slopes @ transposed(self.basis)
        slopes = slopes / self.scale[:, None, :]
        weights = np.concatenate([v[:, :, :1], slopes], axis=2)
        weights[:, :, 0] -= np.einsum("bgp,bp->bg", slopes, self.centre)
        return weights

    def inside(self, weights: FloatArray) -> FloatArray:
        """Weights (B, G, 1 + r) that score `rows` as `weights` (B, G, 1 + p) score the design."""
        slopes = weights[:, :, 1:]
        intercepts = weights[:, :, 0] + np.einsum("bgp,bp->bg", slopes, self.centre)
        slopes = slopes * self.scale[:, None, :]
        if self.basis is not None:
            slopes = slopes @ self.basis
        return np.concatenate([intercepts[:, :, None], slopes], axis=2)
