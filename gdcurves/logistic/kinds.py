"""Limits of maximum likelihood: a finite maximum, a cone of directions, or both in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.logistic import cone
from gdcurves.logistic.batched import times
from gdcurves.logistic.certificates import Outcome


@dataclass(frozen=True)
class Cone:
    """Vectors that strictly separate some rows, of `C` problems of a batch.

    Attributes
    ----------
    problems
        Their numbers in the batch, shape (C,).
    rows
        Signed rows in coordinates of the basis, shape (C, s, r).
    start
        A vector that separates them, shape (C, r).
    basis
        Shape (C, q, r), orthonormal columns and null ones; None for the coordinates of the batch.
    """

    problems: IntArray
    rows: FloatArray
    start: FloatArray
    basis: FloatArray | None = None

    @classmethod
    def together(cls, cones: Sequence[Cone]) -> list[Cone]:
        """The same, those of one shape together: a large batch takes less time than small ones."""
        alike: dict[tuple[object, ...], list[Cone]] = {}
        for each in cones:
            shape = None if each.basis is None else each.basis.shape[1:]
            alike.setdefault((each.rows.shape[1:], shape), []).append(each)
        return [cls._joined(each) for each in alike.values()]

    @classmethod
    def _joined(cls, cones: Sequence[Cone]) -> Cone:
        bases = [each.basis for each in cones if each.basis is not None]
        return cls(
            np.concatenate([each.problems for each in cones]),
            np.concatenate([each.rows for each in cones]),
            np.concatenate([each.start for each in cones]),
            np.concatenate(bases) if bases else None,
        )

    def sample(self, stops: Sequence[int], rng: np.random.Generator) -> FloatArray:
        """Draw uniformly, in coordinates of the batch, shape (S, C, q); see `cone.sample`."""
        drawn = cone.sample(self.rows, self.start, stops, rng)
        if self.basis is None:
            return drawn
        return np.stack([times(self.basis, each) for each in drawn])

    def seen_from(self, where: IntArray, basis: FloatArray | None) -> Cone:
        """Refer to a batch of which the present one is the part `where` (B',).

        The present one is in coordinates of `basis` (B', q, r); None for those of the batch.
        """
        own = None if basis is None else basis[self.problems]
        if own is not None and self.basis is not None:
            own = own @ self.basis
        return Cone(where[self.problems], self.rows, self.start, self.basis if own is None else own)


@dataclass(frozen=True)
class Limit:
    """The limit of the maximum likelihood sequence of each problem of a batch.

    Attributes
    ----------
    outcome
        Shape (B,), `Outcome`.
    weights
        Shape (B, q), the finite part: the maximum of least norm over all rows (overlap) or over the
        boundary rows (quasi-separable); zero for separable sets.
    direction
        Shape (B, q): a vector that strictly separates the largest separable part and vanishes on
        the boundary rows; zero for overlapping sets.
    boundary
        Shape (B, m): the rows on every separating hyperplane of a quasi-separable set.
    cones
        The cones to which the directions belong, problems of one kind together.
    """

    outcome: IntArray
    weights: FloatArray
    direction: FloatArray
    boundary: BoolArray
    cones: list[Cone]

    @classmethod
    def empty(cls, n_problems: int, n_rows: int, n_weights: int) -> Limit:
        """All problems undecided."""
        return cls(
            np.full(n_problems, Outcome.UNDECIDED, dtype=np.int8),
            np.zeros((n_problems, n_weights)),
            np.zeros((n_problems, n_weights)),
            np.zeros((n_problems, n_rows), dtype=bool),
            [],
        )

    def times(self, scale: FloatArray) -> Limit:
        """Refer to columns that were multiplied by `scale` (B, q), powers of two.

        Directions of separable sets are then drawn uniformly before that, as always; those of
        quasi-separable ones after it.
        """
        cones = []
        for each in self.cones:
            own = scale[each.problems]
            if each.basis is None:
                walls = each.rows / own[:, None, :]
                cones.append(Cone(each.problems, walls, each.start * own))
            else:
                basis = each.basis * own[:, :, None]
                cones.append(Cone(each.problems, each.rows, each.start, basis))
        return Limit(
            self.outcome, self.weights * scale, self.direction * scale, self.boundary, cones
        )

    def put(self, where: IntArray, other: Limit, basis: FloatArray | None = None) -> None:
        """Write the results of the part `where` (B',), in coordinates of `basis` (B', q, r)."""
        self.cones.extend(each.seen_from(where, basis) for each in other.cones)
        self.outcome[where] = other.outcome
        self.boundary[where] = other.boundary
        for mine, theirs in ((self.weights, other.weights), (self.direction, other.direction)):
            mine[where] = theirs if basis is None else times(basis, theirs)
