"""The limit of maximum likelihood: a finite maximum, a cone of directions, or both in turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdcurves.logistic import certificates, programs
from gdcurves.logistic.batched import diagonal, gram, singular_basis, solve, times, transposed
from gdcurves.logistic.certificates import Outcome
from gdcurves.logistic.newton import ascend
from gdcurves.types import BoolArray, FloatArray, IntArray

# A Cholesky pivot of the scaled Gram matrix below this calls for the singular value decomposition.
LEAST_PIVOT = 1e-8


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
    """

    outcome: IntArray
    weights: FloatArray
    direction: FloatArray
    boundary: BoolArray

    @classmethod
    def empty(cls, n_problems: int, n_rows: int, n_weights: int) -> Limit:
        """All problems undecided."""
        return cls(
            np.full(n_problems, Outcome.UNDECIDED, dtype=np.int8),
            np.zeros((n_problems, n_weights)),
            np.zeros((n_problems, n_weights)),
            np.zeros((n_problems, n_rows), dtype=bool),
        )

    def put(self, where: IntArray, other: Limit, basis: FloatArray | None = None) -> None:
        """Write the results of a part of the batch, given in coordinates of `basis` (B', q, r)."""
        self.outcome[where] = other.outcome
        self.boundary[where] = other.boundary
        for mine, theirs in ((self.weights, other.weights), (self.direction, other.direction)):
            mine[where] = theirs if basis is None else times(basis, theirs)


def decide(rows: FloatArray) -> Limit:
    """Find outcome and limit of every problem.

    Parameters
    ----------
    rows
        Signed rows, shape (B, m, q), m >= 1.
    """
    limit = Limit.empty(*rows.shape)
    everything = np.ones(rows.shape[:2], dtype=bool)
    # Most separable sets are separated by least squares already.
    w = _least_squares(rows)
    separated = certificates.separates(rows, w, everything)
    limit.outcome[separated] = Outcome.SEPARABLE
    limit.direction[separated] = w[separated]

    rest = np.flatnonzero(~separated)
    if not len(rest):
        return limit
    full = _has_full_rank(rows[rest])
    if full.any():
        limit.put(rest[full], _decide_in_coordinates(rows[rest[full]]))
    if not full.all():
        coordinates, basis = singular_basis(rows[rest[~full]])
        limit.put(rest[~full], _decide_in_coordinates(coordinates), basis)
    return limit


def separable_part(rows: FloatArray, boundary: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Span the space from which a quasi-separable set's direction is drawn.

    It is the span of all rows (B, m, q) less that of the boundary rows (B, m). Returns the other
    rows in coordinates of an orthonormal basis of it, shape (B, s, r), and the basis, shape
    (B, q, r). Problems with fewer than s such rows repeat one of them.
    """
    _, held = singular_basis(np.where(boundary[:, :, None], rows, 0.0))
    n_part = (~boundary).sum(axis=1)
    first = np.argsort(boundary, axis=1, kind="stable")[:, : n_part.max()]
    first = np.where(np.arange(n_part.max()) < n_part[:, None], first, first[:, :1])
    part = np.take_along_axis(rows, first[:, :, None], axis=1)
    return singular_basis(part - part @ held @ transposed(held))


def _decide_in_coordinates(rows: FloatArray) -> Limit:
    """As `decide`, in coordinates in which only null columns can be redundant."""
    limit = Limit.empty(*rows.shape)
    everything = np.ones(rows.shape[:2], dtype=bool)
    ascent = ascend(rows, everything)
    limit.outcome[:] = ascent.outcome
    overlap = ascent.outcome == Outcome.OVERLAP
    limit.weights[overlap] = ascent.weights[overlap]
    separable = ascent.outcome == Outcome.SEPARABLE
    limit.direction[separable] = ascent.weights[separable]

    candidates = np.flatnonzero(ascent.outcome == Outcome.QUASI)
    if len(candidates):
        limit.put(
            candidates,
            _verify_part(rows[candidates], ascent.growing[candidates], ascent.step[candidates]),
        )
    for one in np.flatnonzero(limit.outcome == Outcome.UNDECIDED):
        part, w, multipliers = programs.largest_separable_part(rows[one])
        single = np.array([one])
        if part.any():
            limit.put(single, _verify_part(rows[single], part[None], w[None]))
        elif certificates.balances(rows[single], multipliers[None], everything[single])[0]:
            limit.outcome[one] = Outcome.OVERLAP
            limit.weights[one] = ascent.weights[one]
    return limit


def _verify_part(rows: FloatArray, part: BoolArray, direction: FloatArray) -> Limit:
    """Prove that `part` (B, m) is the largest strictly separable part, and fit the other rows.

    The direction, made orthogonal to the other rows, must separate the part; the other rows must
    overlap. A problem that fails either stays undecided.
    """
    limit = Limit.empty(*rows.shape)
    boundary = ~part
    coordinates, basis = singular_basis(np.where(boundary[:, :, None], rows, 0.0))
    across = direction - times(basis, np.matmul(direction[:, None, :], basis)[:, 0, :])
    proved = certificates.separates(rows, across, part)
    ascent = ascend(coordinates, boundary)
    proved &= (ascent.outcome == Outcome.OVERLAP) | ~boundary.any(axis=1)
    limit.outcome[proved] = np.where(boundary[proved].any(axis=1), Outcome.QUASI, Outcome.SEPARABLE)
    limit.weights[proved] = times(basis, ascent.weights)[proved]
    limit.direction[proved] = across[proved]
    limit.boundary[proved] = boundary[proved]
    return limit


def _least_squares(rows: FloatArray) -> FloatArray:
    """Least-squares solutions w of <w, a_i> = 1, by the smaller of the two normal equations."""
    _, n_rows, n_weights = rows.shape
    wide = n_rows < n_weights
    normal = rows @ transposed(rows) if wide else gram(rows)
    entries = diagonal(normal)
    entries += 1e-10 * entries.mean(axis=1, keepdims=True)
    if wide:
        return times(transposed(rows), solve(normal, np.ones(rows.shape[:2])))
    return solve(normal, rows.sum(axis=1))


def _has_full_rank(rows: FloatArray) -> BoolArray:
    """Whether the columns are safely independent (a sufficient test, without decomposition)."""
    _, n_rows, n_weights = rows.shape
    if n_rows < n_weights:
        return np.zeros(len(rows), dtype=bool)
    length = np.sqrt(np.einsum("bmq,bmq->bq", rows, rows))
    scaled = gram(rows / np.where(length > 0, length, 1.0)[:, None, :])
    diagonal(scaled)[...] += 1e-12
    pivots = diagonal(np.linalg.cholesky(scaled)) ** 2
    full: BoolArray = (pivots.min(axis=1) > LEAST_PIVOT) & (length > 0).all(axis=1)
    return full
