"""The hyperplane with the least cost of labels, as a mixed-integer program."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import scipy
from scipy.sparse import coo_array, eye_array, hstack

from gdcurves.arrays import FloatArray, IntArray

# How far a point must be on its side, beside weights of at most one and a spread of one: large
# enough for the solver's own tolerance of 1e-6, which counts as often as a point may be far.
MARGIN = 1e-4


@dataclass(frozen=True, eq=False)
class Hyperplane:
    """The best hyperplane that was found in time.

    Attributes
    ----------
    weights
        Intercept and weights, shape (1 + r,).
    cost
        Of the labels that it gives, 1 where it is above zero.
    proved
        Whether the solver has proved that no hyperplane costs less, of those that keep the margin.
    """

    weights: FloatArray
    cost: int
    proved: bool


@contextmanager
def _silence() -> Iterator[None]:
    """Keep what the solver's library writes to the standard output, asked or not, off it."""
    library = ctypes.CDLL(None if os.name == "posix" else "msvcrt")
    try:
        kept = os.dup(1)
    except OSError:  # there is none
        yield
        return
    with open(os.devnull, "wb") as nowhere:
        library.fflush(None)
        os.dup2(nowhere.fileno(), 1)
        try:
            yield
        finally:
            library.fflush(None)
            os.dup2(kept, 1)
            os.close(kept)


def cheapest(points: FloatArray, cost: IntArray, seconds: float) -> Hyperplane:
    """Minimise the cost of the labels that a hyperplane gives.

    Parameters
    ----------
    points
        Spread by about one in each dimension, shape (n, r).
    cost
        Of the label 0 and of the label 1 for each, shape (n, 2).
    seconds
        The solver stops after that time.
    """
    n, r = points.shape
    reach = np.abs(points).sum(axis=1)
    far = reach.max()
    homogeneous = np.concatenate([np.ones((n, 1)), points], axis=1)
    # Each point is on the side of its cheaper label, or pays for the other one.
    cheaper = np.where(cost[:, 1] < cost[:, 0], 1.0, -1.0)
    extra = np.abs(cost[:, 1] - cost[:, 0])
    slack = MARGIN + far + reach
    # In units of the slack, where the solver's tolerance is the same for points and payments.
    sides = coo_array(homogeneous * (cheaper / slack)[:, None])
    with _silence():
        result = scipy.optimize.milp(
            np.concatenate([np.zeros(1 + r), extra]),
            integrality=np.concatenate([np.zeros(1 + r), np.ones(n)]),
            bounds=scipy.optimize.Bounds(
                np.concatenate([[-far], -np.ones(r), np.zeros(n)]),
                np.concatenate([[far], np.ones(r), np.ones(n)]),
            ),
            constraints=scipy.optimize.LinearConstraint(
                hstack([sides, eye_array(n)]), lb=MARGIN / slack
            ),
            options={"time_limit": seconds},
        )
    weights = np.zeros(1 + r)
    if result.x is not None:
        weights = result.x[: 1 + r]
    else:  # not even one hyperplane in time: one label for all
        weights[0] = 1.0 if cost[:, 1].sum() < cost[:, 0].sum() else -1.0
    above = homogeneous @ weights > 0
    total = int(np.where(above, cost[:, 1], cost[:, 0]).sum())
    least = cost.min(axis=1).sum()
    proved = result.status == 0 and total == least + round(result.fun)
    return Hyperplane(weights, total, bool(proved))
