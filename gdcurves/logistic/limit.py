"""Which limit maximum likelihood has: a maximum, a cone of directions, or both in turn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.logistic import certificates, newton, programs
from gdcurves.logistic.batched import (
    diagonal,
    gram,
    lengths,
    outside,
    singular_basis,
    solve,
    span_and_rest,
    times,
    transposed,
    used_columns,
)
from gdcurves.logistic.certificates import Outcome
from gdcurves.logistic.kinds import Cone, Limit
from gdcurves.logistic.newton import ascend, growth, maximise

# Problems are decided in slices whose rows stay in the processor's cache.
SLICE_ENTRIES = 200_000
LEAST_SLICE = 25
# Columns whose lengths are farther apart than this are brought to one scale.
MOST_UNEQUAL = 2.0**20
# A Cholesky pivot of the scaled Gram matrix below this is no safe proof of independence.
LEAST_PIVOT = 1e-8


def decide(rows: FloatArray, multiplicity: FloatArray | None = None, n_others: int = 1) -> Limit:
    """Find outcome and limit of every problem.

    Parameters
    ----------
    rows
        Signed rows, shape (B, m, q), m >= 1; `n_others` of them for each training row. Rows that
        do not count are null.
    multiplicity
        How often each row counts, shape (B, m); at least one row of each problem does. None: once.
    n_others
        Classes but one, see `gdcurves.logistic.margins`.
    """
    n_problems, n_rows, n_weights = rows.shape
    limit = Limit.empty(n_problems, n_rows, n_weights)
    if multiplicity is None:
        multiplicity = np.ones((n_problems, n_rows))
    width = max(LEAST_SLICE, SLICE_ENTRIES // (n_rows * n_weights))
    for first in range(0, n_problems, width):
        part = slice(first, min(first + width, n_problems))
        scale = _scales(rows[part])
        if scale is None:
            decided = _decide_slice(rows[part], multiplicity[part], n_others)
        else:
            level = rows[part] * scale[:, None, :]
            decided = _decide_slice(level, multiplicity[part], n_others).times(scale)
        limit.put(np.arange(part.start, part.stop), decided)
    return replace(limit, cones=Cone.together(limit.cones))


def _scales(rows: FloatArray) -> FloatArray | None:
    """Factors (B, q) that bring columns of very unequal sizes to one; None where none needs any.

    A sum over columns keeps nothing of those that are 1e16 times smaller than another. Powers of
    two round nothing.
    """
    with np.errstate(over="ignore"):  # columns that long are unequal to any
        length = np.sqrt(np.einsum("bmq,bmq->bq", rows, rows))
    there = length > 0
    least = np.where(there, length, np.inf).min(axis=1)
    unequal = length.max(axis=1) > MOST_UNEQUAL * least
    if not unequal.any():
        return None
    _, exponent = np.frexp(np.abs(rows).max(axis=1))
    return np.ldexp(1.0, np.where(there & unequal[:, None], -exponent, 0))


def newton_direction(
    rows: FloatArray, boundary: BoolArray, multiplicity: FloatArray, n_others: int
) -> FloatArray:
    """Direction (B, q) in which Newton's method goes to infinity on quasi-separable sets.

    `boundary` (B, m) are those of the `rows` (B, m, q) that are on every separating hyperplane; the
    direction is made exactly orthogonal to them. `multiplicity` (B, m) and `n_others` are those of
    `decide`.
    """
    coordinates, basis = singular_basis(rows)
    direction = times(basis, growth(coordinates, multiplicity, n_others))
    _, held = singular_basis(np.where(boundary[:, :, None], rows, 0.0))
    return outside(held, direction)


def undamped(rows: FloatArray, n_others: int, n_steps: int) -> FloatArray:
    """Iterate (B, q) of least norm after so many whole Newton steps from 0, see `newton.undamped`.

    `rows` (B, m, q) and `n_others` are those of `decide`.
    """
    weights = np.zeros((len(rows), rows.shape[2]))
    if not len(rows):
        return weights
    _, full = _least_squares(rows)
    weights[full] = newton.undamped(rows[full], n_others, n_steps)
    if not full.all():
        coordinates, basis = singular_basis(rows[~full])
        weights[~full] = times(basis, newton.undamped(coordinates, n_others, n_steps))
    return weights


def _decide_slice(rows: FloatArray, multiplicity: FloatArray, n_others: int) -> Limit:
    limit = Limit.empty(*rows.shape)
    counted = multiplicity > 0
    # The first Newton step from 0 is twice the least-squares solution of <w, a_i> = 1: it separates
    # most separable sets already.
    w, full = _least_squares(rows)
    w *= 2.0
    separated = certificates.separates(times(rows, w), lengths(rows), w, counted)
    limit.outcome[separated] = Outcome.SEPARABLE
    limit.direction[separated] = w[separated]

    plain = np.flatnonzero(~separated & full)
    if len(plain) == len(rows):  # the usual case of overlapping sets, without a copy
        limit.put(plain, _climbed(rows, multiplicity, w, n_others))
    elif len(plain):
        limit.put(plain, _climbed(rows[plain], multiplicity[plain], w[plain], n_others))
    deficient = np.flatnonzero(~separated & ~full)
    if len(deficient):
        # Null columns, such as those of absent levels, are left out.
        columns = used_columns(rows[deficient])
        own = np.take_along_axis(rows[deficient], columns[:, None, :], 2)
        start = np.take_along_axis(w[deficient], columns, 1)
        span, _ = span_and_rest(own)
        inside = _climbed(own, multiplicity[deficient], start, n_others, span)
        places = np.zeros((*w[deficient].shape, columns.shape[1]))
        np.put_along_axis(places, columns[:, None, :], 1.0, 1)
        limit.put(deficient, inside, places)
    separable = np.flatnonzero(limit.outcome == Outcome.SEPARABLE)
    if len(separable):
        walls = rows[separable]
        if not counted.all():
            walls = np.take_along_axis(walls, _repeated(counted[separable])[:, :, None], axis=1)
        limit.cones.append(Cone(separable, walls, limit.direction[separable]))
    return limit


def _climbed(
    rows: FloatArray,
    multiplicity: FloatArray,
    start: FloatArray,
    n_others: int,
    span: FloatArray | None = None,
) -> Limit:
    """As `decide`, by climbing the likelihood from `start` (B, q).

    That is done in coordinates of `span` (B, q, r), orthonormal columns and null ones; None where
    only null columns can be redundant.
    """
    limit = Limit.empty(*rows.shape)
    if span is None:
        ascent = ascend(rows, multiplicity, start, n_others)
        weights, step = ascent.weights, ascent.step
    else:
        inside = times(transposed(span), start)
        ascent = ascend(rows @ span, multiplicity, inside, n_others)
        weights, step = times(span, ascent.weights), times(span, ascent.step)
    limit.outcome[:] = ascent.outcome
    overlap = ascent.outcome == Outcome.OVERLAP
    limit.weights[overlap] = weights[overlap]
    separable = ascent.outcome == Outcome.SEPARABLE
    limit.direction[separable] = weights[separable]

    candidates = np.flatnonzero(ascent.outcome == Outcome.QUASI)
    if len(candidates):
        limit.put(
            candidates,
            _verify_part(
                rows[candidates],
                multiplicity[candidates],
                ascent.growing[candidates],
                step[candidates],
                n_others,
            ),
        )
    for one in np.flatnonzero(limit.outcome == Outcome.UNDECIDED):
        part, w, multipliers = programs.largest_separable_part(rows[one])
        single = np.array([one])
        mine, how_often = rows[single], multiplicity[single]
        if part.any():
            limit.put(single, _verify_part(mine, how_often, part[None], w[None], n_others))
        elif certificates.balances(mine, multipliers[None], how_often > 0)[0]:
            own = np.eye(rows.shape[2])[None] if span is None else span[single]
            maximum, reached = maximise(mine @ own, how_often, ascent.weights[single], n_others)
            if reached[0]:
                limit.outcome[one] = Outcome.OVERLAP
                limit.weights[one] = times(own, maximum)[0]
    return limit


def _verify_part(
    rows: FloatArray,
    multiplicity: FloatArray,
    part: BoolArray,
    direction: FloatArray,
    n_others: int,
) -> Limit:
    """Prove that `part` (B, m) is the largest strictly separable part, and fit the other rows.

    The direction, made orthogonal to the other rows, must separate the part; the other rows must
    overlap. A problem that fails either stays undecided.
    """
    limit = Limit.empty(*rows.shape)
    boundary: BoolArray = (multiplicity > 0) & ~part
    held = np.where(boundary[:, :, None], rows, 0.0)
    span, free = span_and_rest(held)
    across = times(free, times(transposed(free), direction))
    margin, length = times(rows, across), lengths(rows)
    proved = certificates.separates(margin, length, across, part)
    proved &= certificates.holds(margin, length, across, boundary)
    nothing_left = ~np.any(boundary, axis=1)
    rest = _climbed(held, multiplicity * boundary, np.zeros_like(across), n_others, span)
    proved &= (rest.outcome == Outcome.OVERLAP) | nothing_left
    limit.outcome[proved] = np.where(nothing_left[proved], Outcome.SEPARABLE, Outcome.QUASI)
    limit.weights[proved] = rest.weights[proved]
    limit.direction[proved] = across[proved]
    limit.boundary[proved] = boundary[proved]
    quasi = np.flatnonzero(limit.outcome == Outcome.QUASI)
    if len(quasi):
        limit.cones.append(_cone_across(quasi, rows, part, free, across))
    return limit


def _cone_across(
    problems: IntArray,
    rows: FloatArray,
    part: BoolArray,
    free: FloatArray,
    direction: FloatArray,
) -> Cone:
    """Of the vectors in the space of a basis `free` (B, q, n), those that the `part` (B, m) sees.

    Problems with fewer such rows than others repeat one of them.
    """
    free = free[problems]
    chosen = _repeated(part[problems])
    across = np.take_along_axis(rows[problems], chosen[:, :, None], axis=1) @ free
    coordinates, inside = singular_basis(across)
    basis = free @ inside
    return Cone(problems, coordinates, times(transposed(basis), direction[problems]), basis)


def _repeated(chosen: BoolArray) -> IntArray:
    """Numbers of the rows chosen (B, m), the first one repeated where a problem has fewer."""
    n_chosen = chosen.sum(axis=1)
    first = np.argsort(~chosen, axis=1, kind="stable")[:, : n_chosen.max()]
    return np.where(np.arange(n_chosen.max()) < n_chosen[:, None], first, first[:, :1])


def _least_squares(rows: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Least-squares solutions w (B, q) of <w, a_i> = 1, by the smaller normal equations.

    Also tells where the columns are safely independent, which needs no decomposition more.
    """
    _, n_rows, n_weights = rows.shape
    if n_rows < n_weights:
        normal = rows @ transposed(rows)
        _regularise(normal)
        w = times(transposed(rows), solve(normal, np.ones(rows.shape[:2])))
        return w, np.zeros(len(rows), dtype=bool)
    normal = gram(rows)
    length = np.sqrt(diagonal(normal))
    scale = 1.0 / np.where(length > 0, length, 1.0)
    scaled = normal * (scale[:, :, None] * scale[:, None, :])
    diagonal(scaled)[...] += 1e-12
    pivots = diagonal(np.linalg.cholesky(scaled)) ** 2
    full: BoolArray = (pivots.min(axis=1) > LEAST_PIVOT) & (length > 0).all(axis=1)
    _regularise(normal)
    return solve(normal, rows.sum(axis=1)), full


def _regularise(normal: FloatArray) -> None:
    entries = diagonal(normal)
    entries += 1e-10 * entries.mean(axis=1, keepdims=True)
