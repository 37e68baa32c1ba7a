"""Linear algebra on batches of small matrices, where NumPy has no shorter word for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas, lapack

from gdcurves.arrays import BoolArray, FloatArray, IntArray

# Singular values below this share of the largest are rounding, also in rows that were rotated once.
RANK_TOLERANCE = 1e-12
# Of columns scaled to unit length, with this added to the diagonal of their Gram matrix: a Cholesky
# pivot below the second number means dependence, above the third independence for certain.
DEPENDENT_RIDGE, DEPENDENT, INDEPENDENT = 1e-12, 1e-8, 1e-5
SMALL = 16  # rows of a matrix up to which NumPy's inverse is as good as that of its quarters
LARGE = 64  # rows of a matrix from which on a product costs more than the call that makes it


def times(matrices: FloatArray, vectors: FloatArray) -> FloatArray:
    """Products (B, m) of matrices (B, m, q) and vectors (B, q)."""
    product: FloatArray = np.matmul(matrices, vectors[:, :, None])[:, :, 0]
    return product


def transposed(matrices: FloatArray) -> FloatArray:
    """Transposes (B, q, m) of matrices (B, m, q)."""
    return matrices.transpose(0, 2, 1)


def inner(a: FloatArray, b: FloatArray) -> FloatArray:
    """Inner products (B,) of vectors `a` and b (B, q)."""
    product: FloatArray = np.einsum("bq,bq->b", a, b)
    return product


def lengths(rows: FloatArray) -> FloatArray:
    """Lengths (B, m) of rows (B, m, q)."""
    length: FloatArray = np.sqrt(np.einsum("bmq,bmq->bm", rows, rows))
    return length


def outside(basis: FloatArray, vectors: FloatArray) -> FloatArray:
    """Parts (B, q) of vectors (B, q) outside the span of an orthonormal basis (B, q, r)."""
    return vectors - times(basis, times(transposed(basis), vectors))


def ratio(a: FloatArray, b: FloatArray) -> FloatArray:
    """Quotients (...) of what is positive in `a` (...) and b (...), and 0 where either is not."""
    quotient: FloatArray = np.where(b > 0, np.maximum(a, 0.0), 0.0) / np.where(b > 0, b, 1.0)
    return quotient


def diagonal(matrices: NDArray[np.floating[Any]]) -> FloatArray:
    """Diagonals (B, q) of matrices (B, q, q), as a view that can be written to."""
    view: FloatArray = np.einsum("bii->bi", matrices)
    return view


def gram(rows: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Sums of weight_i a_i a_i' over rows a_i (B, m, q), shape (B, q, q).

    Weights (B, m) are not negative, 1 unless given. A product with its own transpose takes half the
    operations.
    """
    half = rows if weights is None else rows * np.sqrt(weights)[:, :, None]
    product: FloatArray = np.matmul(transposed(half), half)
    return product


def solve(matrices: NDArray[np.floating[Any]], vectors: NDArray[np.floating[Any]]) -> FloatArray:
    """Solutions (B, q) of systems with symmetric matrices (B, q, q) and right-side vectors (B, q).

    They are of least norm where a matrix of the batch is singular to the last bit.
    """
    try:
        solution: FloatArray = np.linalg.solve(matrices, vectors[:, :, None])[:, :, 0]
    except np.linalg.LinAlgError:
        inverses: FloatArray = np.linalg.pinv(matrices, hermitian=True)
        solution = np.matmul(inverses, vectors[:, :, None])[:, :, 0]
    return solution


def solve_scaled(matrices: FloatArray, vectors: FloatArray, ridge: float) -> FloatArray:
    """Solutions (B, q) of positive semidefinite systems, scaled to a unit diagonal.

    As `solve`, of `matrices` (B, q, q) and `vectors` (B, q). A null row and column stay null in the
    solution; `ridge` on the scaled diagonal keeps systems with dependent columns regular.
    """
    entries = diagonal(matrices)
    scale = 1.0 / np.sqrt(np.where(entries > 0, entries, 1.0))
    scaled = matrices * (scale[:, :, None] * scale[:, None, :])
    diagonal(scaled)[...] += ridge
    solution: FloatArray = scale * solve(scaled, scale * vectors)
    return solution


@dataclass(frozen=True, eq=False)
class Inverses:
    """About the inverses of symmetric positive definite matrices (..., q, q).

    They are scaled to a unit diagonal. Small ones are held as they are; large ones as Cholesky
    factors in single precision, a sixth of the work.

    Attributes
    ----------
    scale
        One over the roots of the diagonals, shape (..., q).
    held
        Shape (..., q, q).
    """

    scale: FloatArray
    held: NDArray[np.floating[Any]]

    @classmethod
    def of(cls, matrices: FloatArray) -> Inverses:
        """Those of matrices (..., q, q); one that is singular up to rounding gets a small ridge."""
        q = matrices.shape[-1]
        scale = 1.0 / np.sqrt(np.einsum("...ii->...i", matrices))
        scaled = matrices * (scale[..., :, None] * scale[..., None, :])
        if q > LARGE:
            factors = scaled.astype(np.float32)
            for matrix in factors.reshape(-1, q, q):
                matrix[...] = _factor(matrix, lapack.spotrf)
            return cls(scale, factors)
        for matrix in scaled.reshape(-1, q, q):
            factor = _factor(matrix, lapack.dpotrf)
            matrix[...] = lapack.dpotri(factor.T, overwrite_c=1)[0].T
        return cls(scale, np.where(np.tri(q, dtype=bool), scaled, scaled.swapaxes(-1, -2)))

    def __getitem__(self, which: BoolArray) -> Inverses:
        """Pick matrices by a mask of the first axis."""
        return Inverses(self.scale[which], self.held[which])

    def __setitem__(self, which: BoolArray, others: Inverses) -> None:
        """Replace matrices by a mask of the first axis."""
        self.scale[which], self.held[which] = others.scale, others.held

    def __matmul__(self, vectors: FloatArray) -> FloatArray:
        """Products with vectors (..., q)."""
        scaled = self.scale * vectors
        q = vectors.shape[-1]
        if q <= LARGE:
            product: FloatArray = np.matmul(self.held, scaled[..., None])[..., 0]
        else:
            product = np.empty_like(scaled)
            # So long that single precision neither over- nor underflows.
            length = np.abs(scaled).max(axis=-1, keepdims=True)
            length[length == 0] = 1.0
            unit = (scaled / length).astype(np.float32)
            places = zip(self.held.reshape(-1, q, q), unit.reshape(-1, q), strict=True)
            for solution, (factor, vector) in zip(product.reshape(-1, q), places, strict=True):
                # Two solutions with a triangle each; LAPACK's routine is made for many vectors.
                solution[...] = blas.strsv(factor.T, blas.strsv(factor.T, vector, trans=1))
            product *= length
        return self.scale * product


def _factor(
    matrix: NDArray[np.floating[Any]], potrf: Callable[..., Any]
) -> NDArray[np.floating[Any]]:
    """Cholesky factor (q, q), lower, of a matrix (q, q) with a unit diagonal."""
    factor, failed = potrf(matrix.T)
    ridge = np.sqrt(np.finfo(matrix.dtype).eps)
    while failed:  # singular up to rounding
        ridge *= 10.0
        factor, failed = potrf((matrix + ridge * np.eye(len(matrix), dtype=matrix.dtype)).T)
    lower: NDArray[np.floating[Any]] = factor.T
    return lower


def inverse_of_lower(matrices: FloatArray) -> FloatArray:
    """Inverses (B, q, q) of lower triangular matrices (B, q, q), from those of their quarters."""
    q = matrices.shape[1]
    if q <= SMALL:
        return np.asarray(np.linalg.inv(matrices))
    first, last = slice(q // 2), slice(q // 2, q)
    inverse = np.zeros_like(matrices)
    inverse[:, first, first] = inverse_of_lower(matrices[:, first, first])
    inverse[:, last, last] = inverse_of_lower(matrices[:, last, last])
    below = matrices[:, last, first] @ inverse[:, first, first]
    inverse[:, last, first] = -inverse[:, last, last] @ below
    return inverse


def singular_basis(rows: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Coordinates (B, m, r) of rows (B, m, q) in an orthonormal basis (B, q, r) of their own span.

    r is the largest rank in the batch; smaller ones are filled up with null columns.
    """
    # Null columns, such as those of absent levels, take no part in the decomposition.
    columns = used_columns(rows)
    u, s, vt = np.linalg.svd(np.take_along_axis(rows, columns[:, None, :], 2), full_matrices=False)
    present = s > RANK_TOLERANCE * s[:, :1]
    rank = max(1, int(present.sum(axis=1).max()))
    s = np.where(present, s, 0.0)[:, :rank]
    vectors = np.where(present[:, :, None], vt, 0.0)[:, :rank]
    basis = np.zeros((len(rows), rank, rows.shape[2]))
    np.put_along_axis(basis, columns[:, None, :], vectors, 2)
    return u[:, :, :rank] * s[:, None, :], transposed(basis)


def span_and_rest(rows: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Orthonormal bases of the span of rows (B, m, q), (B, q, r), and of the rest, (B, q, n).

    r and n are the largest in the batch, smaller bases are filled up with null columns.

    A Cholesky factorisation of the Gram matrix tells which columns depend on those before them, and
    so which vectors are orthogonal to all rows. Problems of which it does not tell that clearly
    have a singular value decomposition, which takes several times as long.
    """
    square, n_free, clear = _by_dependence(rows)
    if not clear.all():
        square[~clear], n_free[~clear] = _by_singular_values(rows[~clear])
    free = np.arange(rows.shape[2]) < n_free[:, None]
    least, most = int(n_free.min()), int(n_free.max())
    return (
        np.where(free[:, None, least:], 0.0, square[:, :, least:]),
        np.where(free[:, None, :most], square[:, :, :most], 0.0),
    )


def used_columns(rows: FloatArray) -> IntArray:
    """Numbers (B, u) of the columns of rows (B, m, q) that are not null, then of some that are."""
    used = rows.any(axis=1)
    n_used = max(1, int(used.sum(axis=1).max()))
    columns: IntArray = np.argsort(~used, axis=1, kind="stable")[:, :n_used]
    return columns


def _by_dependence(rows: FloatArray) -> tuple[FloatArray, IntArray, BoolArray]:
    """Orthogonal matrices (B, q, q) with the vectors orthogonal to all rows (B, m, q) first.

    Also how many these are, shape (B,), and whether that is certain, shape (B,).
    """
    q = rows.shape[2]
    length = np.sqrt(np.einsum("bmq,bmq->bq", rows, rows))
    scale = 1.0 / np.where(length > 0, length, 1.0)
    scaled = gram(rows) * (scale[:, :, None] * scale[:, None, :])
    regular = scaled.copy()
    diagonal(regular)[...] += DEPENDENT_RIDGE
    pivot = diagonal(np.linalg.cholesky(regular)) ** 2
    independent = pivot > DEPENDENT
    n_free = (~independent).sum(axis=1)
    most = int(n_free.max())
    dependent = np.argsort(independent, axis=1, kind="stable")[:, None, :most]
    there = (np.arange(most) < n_free[:, None])[:, None, :]

    # A dependent column less what it is in terms of the independent ones is null.
    system = np.where(independent[:, :, None] & independent[:, None, :], scaled, np.eye(q))
    null = np.zeros((len(rows), q, most))
    np.put_along_axis(null, dependent, there.astype(float), 1)
    for _ in range(2):  # the second time for what the first has rounded
        left = scale[:, :, None] * (transposed(rows) @ (rows @ (scale[:, :, None] * null)))
        null -= np.linalg.solve(system, np.where(independent[:, :, None], left, 0.0))
    null *= scale[:, :, None]
    square, _ = np.linalg.qr(null, mode="complete")
    clear = ((pivot > INDEPENDENT) | ~independent).all(axis=1)
    clear &= np.abs(rows @ square[:, :, :most] * there).max(axis=(1, 2), initial=0.0) <= (
        RANK_TOLERANCE * length.max(axis=1)
    )
    return square, n_free, clear


def _by_singular_values(rows: FloatArray) -> tuple[FloatArray, IntArray]:
    """Orthogonal matrices (B, q, q) with the vectors orthogonal to all rows (B, m, q) first.

    Also how many these are, shape (B,).
    """
    _, s, vt = np.linalg.svd(rows, full_matrices=rows.shape[1] < rows.shape[2])
    rank = (s > RANK_TOLERANCE * s[:, :1]).sum(axis=1)
    return np.flip(transposed(vt), axis=2), rows.shape[2] - rank
