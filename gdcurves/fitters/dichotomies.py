"""Labellings of points by the sides of hyperplanes, those of least cost among them.

Hyperplanes that have the points on their right sides, or on themselves, form a cone. On an edge of
it lies a hyperplane through as many points as fix one; the points off it have their labels, and
those on it are labelled by a hyperplane within it. So all labellings are found from all hyperplanes
through r independent points, where the points span r dimensions, and again within each of those
that hold more points than fix it (Cover, 1965, counts them).
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray

# Of the singular values of centred points; less is no dimension.
RANK_TOLERANCE = 1e-10
# Points whose independence hangs on less than this fix no hyperplane.
INDEPENDENCE = 1e-7
# Points nearer than this, beside a spread of one, are on a hyperplane.
ON = 1e-8


def coordinates(points: FloatArray) -> FloatArray:
    """Coordinates (n, r) of points (n, d) in the space that they span, spread by one in each.

    What is rounding beside the largest spread is no dimension: columns are to be of one range.
    """
    u, s, _ = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    return np.asarray(u[:, s > RANK_TOLERANCE * max(1.0, s.max(initial=0.0))] * len(points) ** 0.5)


def work(points: FloatArray) -> int:
    """How many choices of points a search goes through that span r dimensions, (n, r)."""
    return comb(*points.shape)


def cheapest(points: FloatArray, cost: IntArray) -> tuple[int, BoolArray]:
    """Find the labellings of least cost.

    Parameters
    ----------
    points
        Different ones that span r dimensions, shape (n, r).
    cost
        Of the label 0 and of the label 1 for each, shape (n, 2).

    Returns
    -------
    The cost, and all labellings that have it, shape (L, n), in lexical order.
    """
    return _Search(points, cost).best(tuple(range(len(points))))


class _Search:
    """A search that remembers what it found for the points of a hyperplane."""

    def __init__(self, points: FloatArray, cost: IntArray) -> None:
        self.points, self.cost = points, cost
        self.known: dict[tuple[int, ...], tuple[int, BoolArray]] = {}

    def best(self, which: tuple[int, ...]) -> tuple[int, BoolArray]:
        """Least cost of some of the points, and the labellings (L, n') that have it."""
        if which not in self.known:
            some = list(which)
            points, cost = coordinates(self.points[some]), self.cost[some]
            independent = len(points) == points.shape[1] + 1
            self.known[which] = _free(cost) if independent else self._spanned(some, points, cost)
        return self.known[which]

    def _spanned(
        self, which: list[int], points: FloatArray, cost: IntArray
    ) -> tuple[int, BoolArray]:
        """As `best`, for more points (n', r) than r + 1."""
        side = _sides(points)
        on = side == 0
        # Whichever of its two sides has the label 1.
        sides = np.concatenate([side > 0, side < 0])
        off = np.where(np.concatenate([on, on]), 0, np.where(sides, cost[:, 1], cost[:, 0]))
        off_cost = off.sum(axis=1)
        least_cost = off_cost + np.tile(on @ cost.min(axis=1), 2)
        least, optimal = int(cost.sum()), [np.zeros((0, len(which)), dtype=bool)]
        for plane in np.argsort(least_cost, kind="stable"):
            if least_cost[plane] > least:
                break
            held = np.flatnonzero(on[plane % len(on)])
            inside, labellings = self.best(tuple(which[i] for i in held))
            total = int(off_cost[plane]) + inside
            if total < least:
                least, optimal = total, []
            if total == least:
                whole = np.tile(sides[plane], (len(labellings), 1))
                whole[:, held] = labellings
                optimal.append(whole)
        return least, np.unique(np.concatenate(optimal), axis=0)


def _free(cost: IntArray) -> tuple[int, BoolArray]:
    """Least cost and its labellings (L, n) where every label may be chosen, from costs (n, 2)."""
    labellings = (cost[:, 1] < cost[:, 0])[None]
    for i in np.flatnonzero(cost[:, 0] == cost[:, 1]):
        other = labellings.copy()
        other[:, i] = True
        labellings = np.concatenate([labellings, other])
    return int(cost.min(axis=1).sum()), np.unique(labellings, axis=0)


def _sides(points: FloatArray) -> IntArray:
    """On which side of each hyperplane through r of the points (n, r) they lie: -1, 0, 1; (h, n).

    Every hyperplane once.
    """
    n, r = points.shape
    homogeneous = np.concatenate([np.ones((n, 1)), points], axis=1)
    chosen = np.array(list(combinations(range(n), r)))
    _, s, vt = np.linalg.svd(homogeneous[chosen])
    planes = vt[s[:, -1] > INDEPENDENCE, -1]
    planes = planes / np.linalg.norm(planes[:, 1:], axis=1, keepdims=True)
    distance = planes @ homogeneous.T
    side = np.where(np.abs(distance) > ON, np.sign(distance), 0.0).astype(np.int8)
    _, first = np.unique(side == 0, axis=0, return_index=True)
    return np.asarray(side[first])
