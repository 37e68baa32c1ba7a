"""What proves that a logistic likelihood has a maximum, or that it has none.

Rows a_i are signed. A vector w with <w, a_i> > 0 for all i proves a **separable** set. Multipliers
r_i > 0 with sum_i r_i a_i = 0 prove **overlap**: by Stiemke's lemma they exist exactly when no w
has all <w, a_i> >= 0 but those with all <w, a_i> = 0, which is when the maximum is finite (Albert &
Anderson, 1984). Anything else is **quasi-separable**: a part of the rows is strictly separated by
a hyperplane that holds the rest, and the rest overlaps.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.logistic.batched import gram, inner, solve_scaled, times, transposed

# A margin below this share of |w| |a_i| could be rounding.
MARGIN_TOLERANCE = 1e-10
# Rows are held by a hyperplane if their margins are below this share.
HOLD_TOLERANCE = 1e-9
# The projection may move a multiplier by at most this share of the least one, or of itself.
BALANCE_TOLERANCE = 0.5
# Multipliers below these shares of the largest are raised to them before a weighted projection: the
# imbalance that this makes has to be small, and so does rounding, about 1e-16 over the share.
FLOORS = (1e-4, 1e-8, 1e-12)


class Outcome(IntEnum):
    """What a training set is to logistic regression; 0 is kept for fitters without outcomes."""

    OVERLAP = 1
    SEPARABLE = 2
    QUASI = 3
    UNDECIDED = 4


def separates(
    margin: FloatArray, length: FloatArray, w: FloatArray, counted: BoolArray
) -> BoolArray:
    """Whether each w (B, q) has all counted rows strictly on their own class's side, shape (B,).

    `margin` and `length` (B, m) are the <w, a_i> and the |a_i|, `counted` (B, m) says which count.
    """
    bound = MARGIN_TOLERANCE * length * np.sqrt(inner(w, w))[:, None]
    proved: BoolArray = np.all((margin > bound) | ~counted, axis=1)
    return proved


def holds(margin: FloatArray, length: FloatArray, w: FloatArray, boundary: BoolArray) -> BoolArray:
    """Whether each hyperplane w (B, q) holds all boundary rows, up to rounding, shape (B,).

    `margin` and `length` (B, m) as in `separates`, `boundary` (B, m) says which are meant. A
    direction that is nothing but the rounding of a projection fails here.
    """
    bound = HOLD_TOLERANCE * length * np.sqrt(inner(w, w))[:, None]
    proved: BoolArray = np.all((np.abs(margin) <= bound) | ~boundary, axis=1)
    return proved


def balances(rows: FloatArray, multipliers: FloatArray, counted: BoolArray) -> BoolArray:
    """Whether multipliers near the given ones are positive and balance the rows, shape (B,).

    The given `multipliers` (B, m) of the `rows` (B, m, q), as far as these are `counted` (B, m),
    are projected onto the solutions of sum_i r_i a_i = 0; if the correction is smaller than the
    least multiplier, the projection is a certificate of overlap. At a maximum far out, some
    multipliers are smaller than the rounding of others. Such problems are projected again with the
    multipliers as weights, so that each is corrected in proportion to itself.
    """
    if not counted.all():
        rows = np.where(counted[:, :, None], rows, 0.0)
    imbalance = times(transposed(rows), multipliers)
    ridge = np.finfo(float).eps * rows.shape[2]
    correction = np.abs(times(rows, solve_scaled(gram(rows), imbalance, ridge))).max(axis=1)
    least = np.where(counted, multipliers, np.inf).min(axis=1)
    proved: BoolArray = (least > 0) & (correction < BALANCE_TOLERANCE * least)
    for floor in FLOORS:
        left = np.flatnonzero(~proved)
        if not len(left):
            break
        proved[left] = _balances_weighted(rows[left], multipliers[left], counted[left], floor)
    return proved


def _balances_weighted(
    rows: FloatArray, multipliers: FloatArray, counted: BoolArray, floor: float
) -> BoolArray:
    """Whether raised multipliers r_i (1 - <z, a_i>) are positive, for the z that balances them."""
    largest = np.where(counted, multipliers, 0.0).max(axis=1, keepdims=True)
    raised = np.where(counted, np.maximum(multipliers, floor * largest), 0.0)
    imbalance = times(transposed(rows), raised)
    ridge = np.finfo(float).eps * rows.shape[2]
    z = solve_scaled(gram(rows, raised), imbalance, ridge)
    small: BoolArray = np.abs(times(rows, z)).max(axis=1) < BALANCE_TOLERANCE
    small &= largest[:, 0] > 0
    return small
