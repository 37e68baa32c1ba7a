"""Uniform draws from the hyperplanes that separate a training set.

The vectors w with <w, a_i> > 0 for all rows i form a cone C. A normal vector conditioned on C has
a direction that is uniform on the part of the unit sphere in C. Conditioned normals are sampled by
exact Hamiltonian dynamics (Pakman & Paninski, 2014, "Exact Hamiltonian Monte Carlo for truncated
multivariate Gaussians"): the position moves on w cos t + v sin t, with velocity v drawn from the
same normal law, and is mirrored at each wall <w, a_i> = 0. All walls pass through the origin, so
the margin of row i is k_i cos t + s_i sin t, which vanishes at t = pi/2 + arctan(s_i / k_i): within
a quarter period if s_i < 0, and first for the row with the least ratio s_i / k_i. A mirror is
linear, so what follows is the trajectory from the mirrored w with the mirrored v, at the same time
t: nothing but these two changes. After a quarter period a trajectory is at its v, which no wall is
in the way of any more; one that hits no wall ends at an independent draw.

In a narrow cone a trajectory of the standard normal is mirrored thousands of times. So the normal
law is given the covariance 1/P, with P = 1 + (tau^2 / m) sum_i a_i a_i' / <c, a_i>^2 at the
analytic centre c of the cone: it is flat where the cone is flat, and on its scale the cone is at
least about tau wide in every direction. The direction of w then has the density (w'Pw / w'w)^(-q/2)
up to a constant, which accepting the trajectories' ends with the inverse ratio makes uniform.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.logistic.batched import (
    diagonal,
    gram,
    inner,
    inverse_of_lower,
    lengths,
    solve,
    times,
    transposed,
)

QUARTER_PERIOD = np.pi / 2
# tau = WIDTH / sqrt(q). A larger one means fewer walls hit, a smaller one more ends accepted; the
# acceptance depends on q tau^2, and about 19 of 20 ends are accepted at this one.
WIDTH = 0.8
# A margin that rounding made zero or negative counts as a wall that is being touched.
LEAST_MARGIN = 1e-200
# Cones are opened as if they were at least this wide, or the precision would lose its own 1.
NARROWEST = 1e-7
# The centre is near where the Newton decrement is below this; more steps are not worth their time.
CENTRED = 0.5
CENTRE_STEPS = 30
LINE_STEPS = 2
# A step may use up this share of the way to the nearest wall.
INSIDE = 0.95
# Trajectories that hit more walls than this times their number end where they began.
MAX_HITS_PER_WALL = 100
# Inner products of rows are held for a slice of the batch at a time, about 32 MB.
SLICE_ENTRIES = 4_000_000


def sample(
    rows: FloatArray, start: FloatArray, stops: Sequence[int], rng: np.random.Generator
) -> FloatArray:
    """Draw separating directions for every problem of a batch.

    Parameters
    ----------
    rows
        Signed rows, shape (B, m, q).
    start
        A vector that strictly separates the rows of each problem, shape (B, q).
    stops
        After how many trajectories (quarter periods of the dynamics) from the cone's centre each
        draw is taken, S increasing numbers.
    rng
        The only source of randomness.

    Returns
    -------
    Unit vectors, shape (S, B, q). Directions that no row constrains are drawn exactly.
    """
    _, n_rows, n_weights = rows.shape
    if n_rows >= n_weights:
        return _sample_sliced(rows, start, stops, rng)
    # Any orthonormal basis of a space that holds the rows will do; the rest of space is free.
    basis, triangle = np.linalg.qr(transposed(rows))
    inside = _sample_sliced(transposed(triangle), times(transposed(basis), start), stops, rng)
    # The length of a normal vector makes the parts inside and outside the rows' span fit together.
    inside *= np.sqrt(rng.chisquare(inside.shape[-1], (*inside.shape[:-1], 1)))
    free = rng.standard_normal((*inside.shape[:-1], n_weights))
    return np.stack(
        [
            _unit(times(basis, held) + loose - times(basis, times(transposed(basis), loose)))
            for held, loose in zip(inside, free, strict=True)
        ]
    )


def _sample_sliced(
    rows: FloatArray, start: FloatArray, stops: Sequence[int], rng: np.random.Generator
) -> FloatArray:
    _, n_rows, n_weights = rows.shape
    drawn = np.empty((len(stops), *start.shape))
    width = max(1, SLICE_ENTRIES // (n_rows * max(n_rows, n_weights)))
    for first in range(0, len(rows), width):
        part = slice(first, first + width)
        centre = _analytic_centre(rows[part], _unit(start[part]))
        dynamics, position = _Dynamics.around(rows[part], centre)
        for draw, (begin, end) in enumerate(pairwise([0, *stops])):
            for _ in range(begin, end):
                position = dynamics.move(position, rng)
            drawn[draw, part] = _unit(dynamics.weights(position))
    return drawn


@dataclass(frozen=True)
class _Dynamics:
    """Hamiltonian dynamics of the normal law with precision P inside the cones of a batch.

    Positions z are those in which the law is standard: w = root' z.

    Attributes
    ----------
    root
        Shape (B, q, q), with root' root = 1/P.
    walls
        The a_i in these coordinates, as unit vectors, shape (B, m, q).
    products
        The walls' inner products, shape (B m, m).
    """

    root: FloatArray
    walls: FloatArray
    products: FloatArray

    @classmethod
    def around(cls, rows: FloatArray, centre: FloatArray) -> tuple[_Dynamics, FloatArray]:
        """Dynamics that are flat where the cone is flat, and the position (B, q) they see it from.

        `rows` (B, m, q) are the cones', `centre` (B, q) are points in them.
        """
        _, n_rows, n_weights = rows.shape
        scale = WIDTH**2 / (n_weights * n_rows)
        margin = np.maximum(times(rows, centre), NARROWEST * lengths(rows))
        precision = gram(rows, scale / _positive(margin) ** 2)
        diagonal(precision)[...] += 1.0
        root = inverse_of_lower(np.asarray(np.linalg.cholesky(precision)))
        walls = rows @ transposed(root)
        walls /= lengths(walls)[:, :, None]
        products = (walls @ transposed(walls)).reshape(-1, n_rows)
        position = times(root, times(precision, centre)) * np.sqrt(n_weights)
        return cls(root, walls, products), position

    def weights(self, position: FloatArray) -> FloatArray:
        """Vectors w (B, q) at positions (B, q)."""
        return times(transposed(self.root), position)

    def move(self, position: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Return where one trajectory ends, or begins if its end is not accepted, (B, q)."""
        end = self._trajectory(position, rng.standard_normal(position.shape))
        n_weights = position.shape[1]
        log_ratio = 0.5 * n_weights * (self._log_density(position) - self._log_density(end))
        accepted = -rng.standard_exponential(len(position)) < log_ratio
        return np.where(accepted[:, None], end, position)

    def _log_density(self, position: FloatArray) -> FloatArray:
        """2/q times the logarithm of the density that the direction of w would have; negative."""
        w = self.weights(position)
        return np.log(inner(w, w)) - np.log(inner(position, position))

    def _trajectory(self, position: FloatArray, velocity: FloatArray) -> FloatArray:
        """Where the mirrored motion is after a quarter period, from a position (B, q): (B, q)."""
        n_problems, n_rows, _ = self.walls.shape
        # Margins are computed for each trajectory, so that rounding errors do not build up.
        margin, speed = times(self.walls, position), times(self.walls, velocity)
        kicks = np.zeros(n_problems * n_rows)
        first = here = n_rows * np.arange(n_problems)
        for _ in range(MAX_HITS_PER_WALL * n_rows):
            wall = (speed / np.maximum(margin, LEAST_MARGIN)).argmin(axis=1)
            turn = np.minimum(speed.ravel().take(here + wall), 0.0)
            hits = turn < 0
            n_hits = np.count_nonzero(hits)
            if 2 * n_hits <= len(turn):  # problems that end leave the batch, half of it at a time
                first, wall, turn = first[hits], wall[hits], turn[hits]
                margin, speed, here = margin[hits], speed[hits], here[:n_hits]
                if not n_hits:
                    break
            kicks[first + wall] += 2.0 * turn
            products = self.products.take(first + wall, axis=0)
            margin -= (2.0 * margin.ravel().take(here + wall))[:, None] * products
            speed -= (2.0 * turn)[:, None] * products
        end = velocity - times(transposed(self.walls), kicks.reshape(n_problems, n_rows))
        endless = first[turn < 0] // n_rows
        end[endless] = position[endless]
        return end


def _analytic_centre(rows: FloatArray, start: FloatArray) -> FloatArray:
    """Minimise m |w|^2 / 2 - sum_i log <w, a_i> by Newton's method from a point of the cone.

    The minimum has unit length. Any point of the cone would do for exactness; near the centre,
    trajectories are short.
    """
    _, n_rows, _ = rows.shape
    w = start.copy()
    active = np.arange(len(rows))
    for _ in range(CENTRE_STEPS):
        margin = _positive(times(rows, w[active]))
        gradient = times(transposed(rows), 1.0 / margin) - n_rows * w[active]
        hessian = gram(rows, 1.0 / margin**2)
        diagonal(hessian)[...] += n_rows
        step = solve(hessian, gradient)
        decrement = np.sqrt(np.maximum(inner(step, gradient), 0.0))
        growth = times(rows, step) / margin
        along = n_rows * inner(w[active], step)
        w[active] += _line_search(growth, along, n_rows * inner(step, step))[:, None] * step
        far = decrement > CENTRED
        active, rows = active[far], rows[far]
        if not len(active):
            break
    return w


def _line_search(growth: FloatArray, along: FloatArray, across: FloatArray) -> FloatArray:
    """Minimise along t + across t^2 / 2 - sum_i log(1 + growth_i t) over t > 0, roughly."""
    furthest = INSIDE / np.maximum(-growth.min(axis=1), LEAST_MARGIN)
    t = np.minimum(1.0, furthest)
    for _ in range(LINE_STEPS):
        rate = growth / (1.0 + t[:, None] * growth)
        slope = along + across * t - rate.sum(axis=1)
        bend = np.maximum(across + inner(rate, rate), LEAST_MARGIN)
        t = np.clip(t - slope / bend, 0.5 * t, furthest)
    length: FloatArray = t
    return length


def _positive(margin: FloatArray) -> FloatArray:
    floored: FloatArray = np.maximum(margin, LEAST_MARGIN)
    return floored


def _unit(vectors: FloatArray) -> FloatArray:
    return vectors / np.sqrt(inner(vectors, vectors))[:, None]
