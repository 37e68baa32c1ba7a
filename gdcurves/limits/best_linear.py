"""The least error of any linear rule, whether or not a classifier tends to it.

Two normal classes: the weights are (s S_1 + t S_2)^-1 (mu_2 - mu_1) for some s and t (Anderson &
Bahadur, 1962, Annals of Mathematical Statistics 33), and the best threshold along them is in closed
form, so that one angle is left to search. Cells: a mixed-integer program. Where the Bayes rule is
linear, it is the best.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy
from scipy.linalg import eigh
from scipy.sparse import csr_array, diags_array, hstack
from scipy.special import ndtr

from gdcurves.arrays import FloatArray
from gdcurves.errors import UserError
from gdcurves.fitters.features import Layout, design
from gdcurves.limits.counts import ManyBits
from gdcurves.limits.normals import TwoNormals
from gdcurves.limits.populations import Exact
from gdcurves.limits.weighted import Weighted
from gdcurves.scoring.judged import TIE

ANGLES = 2000
SECONDS = 20.0  # of a mixed-integer program, before its gap is told
MOST_CELLS = 2**16
LINEAR = 1e-9  # what a log density ratio may be off a plane, beside its size
# Threshold functions of eight bits have whole weights below it, where a cell's margin is one.
LARGEST_WEIGHT = 50.0
SCALED = 1e5  # the sum of all costs, as the solver stops at a gap of 1e-6
PROVED = 1e-10
BAYES = "the Bayes rule is linear"


@dataclass(frozen=True)
class BestLinear:
    """The best linear rule of the second class against the first.

    Attributes
    ----------
    error
        Its error.
    gap
        By how much the least error may be lower: zero where it is proved.
    weights
        Intercept, and a weight for each column of the design but those of the levels 0, (q',).
    method
        How it was found.
    """

    error: float
    gap: float
    weights: FloatArray
    method: str


def best_linear(law: Exact) -> BestLinear:
    """Find the best linear rule for two classes; raises UserError where nobody knows it."""
    if len(law.statistics.n[0]) != 2:
        raise UserError("the best linear rule is known for two classes alone")
    if isinstance(law, TwoNormals):
        return of_normals(law)
    if isinstance(law, ManyBits):
        tested = replace(law, priors=law.shares)
        weights = tested.logistic().rules.weights[0, 0, 0]
        plane = against_first_levels(weights, law.statistics.layout)
        return BestLinear(law.bayes().error, 0.0, plane, BAYES)
    if isinstance(law, Weighted):
        return of_cells(law)
    raise UserError("the best linear rule is not known of such a law")


def of_normals(law: TwoNormals) -> BestLinear:
    """The best linear rule for two normal classes."""
    apart = law.means[1] - law.means[0]
    if law.spread.same:
        slope = law.spread.solve(apart)
        error, offset = _threshold(law, slope)
        return BestLinear(error, 0.0, np.append(offset, slope), BAYES)
    first, second = law.covariances
    ratios, vectors = eigh(second, first)  # vectors' first vectors = 1, vectors' second vectors = D
    along = vectors.T @ apart

    def rule(angle: float) -> tuple[float, float, FloatArray]:
        slope = vectors @ (along / (np.cos(angle) + np.sin(angle) * ratios))
        return (*_threshold(law, slope), slope)

    # The angles at which the combination of covariances is positive definite.
    low = -np.arctan2(1.0, ratios[-1])
    high = np.pi / 2 + np.arctan(ratios[0])
    angles = low + (high - low) * (np.arange(ANGLES) + 0.5) / ANGLES
    errors = np.array([rule(each)[0] for each in angles])
    step = (high - low) / ANGLES
    best = None
    for index in np.argsort(errors)[:3]:
        ends = (angles[index] - step, angles[index] + step)
        within = (max(ends[0], low + 1e-9 * step), min(ends[1], high - 1e-9 * step))
        minimum = scipy.optimize.minimize_scalar(
            lambda angle: rule(angle)[0], bounds=within, method="bounded", options={"xatol": 1e-12}
        )
        candidates = [rule(float(minimum.x)), rule(float(angles[index]))]
        best = min([*candidates, *([] if best is None else [best])], key=lambda each: each[0])
    assert best is not None, "there are angles"
    error, offset, slope = best
    return BestLinear(error, 0.0, np.append(offset, slope), "minimisation over one angle")


def _threshold(law: TwoNormals, slope: FloatArray) -> tuple[float, float]:
    """Least error along a slope (d,), and the intercept that has it; never one class for all rows.

    The densities along it, with their priors, are equal at two points at most.
    """
    (m1, m2), (s1, s2) = law.means @ slope, np.sqrt(law.spread.along(slope))
    p1, p2 = law.shares
    a = 1 / s1**2 - 1 / s2**2
    b = -2 * (m1 / s1**2 - m2 / s2**2)
    c = m1**2 / s1**2 - m2**2 / s2**2 - 2 * np.log(p1 * s2 / (p2 * s1))
    # a t^2 + b t + c = 0, by the stable formula; nearly equal variances have one root at hand.
    q = -0.5 * (b + np.copysign(np.sqrt(max(b * b - 4 * a * c, 0.0)), b))
    roots = [root for root in (c / q if q else np.nan, q / a if a else np.nan) if root == root]
    rules = [(float(p1 * ndtr((m1 - t) / s1) + p2 * ndtr((t - m2) / s2)), -float(t)) for t in roots]
    rules += [(float(p2), -np.inf), (float(p1), np.inf)]
    return min(rules)


def of_cells(law: Weighted) -> BestLinear:
    """The best linear rule for cells, by a mixed-integer program if the Bayes rule is none."""
    mass = law.mass * law.shares
    bayes = float(mass.min(axis=1).sum())
    features = _features(law)
    plane = _plane(law, features)
    if plane is not None:
        return BestLinear(bayes, 0.0, plane, BAYES)
    if len(features) > MOST_CELLS:
        raise UserError(f"the best linear rule is sought among up to {MOST_CELLS:,} cells")
    cost = np.abs(mass[:, 1] - mass[:, 0])
    counted = cost > 0
    sign = np.where(mass[:, 1] > mass[:, 0], 1.0, -1.0)
    weights, bound = _program(sign[counted, None] * features[counted], cost[counted])
    rules = [] if weights is None else [weights]
    likeliest = law.logistic().rules  # where the time was too short, that may be better
    if likeliest.direction is None:
        rules.append(against_first_levels(likeliest.weights[0, 0, 0], law.statistics.layout))
    # One class for all rows is a linear rule too.
    rules += [np.append(offset, np.zeros(features.shape[1] - 1)) for offset in (-1.0, 1.0)]
    errors = [float(np.where(features @ w > TIE, mass[:, 0], mass[:, 1]).sum()) for w in rules]
    best = int(np.argmin(errors))
    gap = max(errors[best] - bayes - bound, 0.0)
    left = gap if gap > PROVED else 0.0
    return BestLinear(errors[best], left, rules[best], "mixed-integer program")


def _features(law: Weighted) -> FloatArray:
    """A one, the continuous inputs, and the levels of the discrete ones but the first: (u, q')."""
    layout = law.statistics.layout
    return reduced(design(law.x, layout.levels), layout)


def reduced(columns: FloatArray, layout: Layout) -> FloatArray:
    """Columns (..., q) of the linear map without those of the levels 0, (..., q')."""
    first = layout.starts[layout.discrete]
    return np.delete(columns, first, axis=-1)


def against_first_levels(weights: FloatArray, layout: Layout) -> FloatArray:
    """Weights (q',) of `reduced` columns that say the same as weights (q,) of all."""
    base = np.zeros(len(weights))
    for start, width, discrete in zip(layout.starts, layout.widths, layout.discrete, strict=True):
        if discrete:
            base[start : start + width] = weights[start]
            base[0] -= weights[start]
    return reduced(weights - base, layout)


def _plane(law: Weighted, features: FloatArray) -> FloatArray | None:
    """Weights (q',) of the log odds, where they are linear in `features` (u, q')."""
    logs = law.log_densities() + np.log(law.shares)
    if not np.isfinite(logs).all():
        return None
    odds = logs[:, 1] - logs[:, 0]
    weights = np.asarray(np.linalg.lstsq(features, odds, rcond=None)[0])
    off = np.abs(features @ weights - odds).max()
    return weights if off <= LINEAR * (1 + np.abs(odds).max()) else None


def _program(rows: FloatArray, cost: FloatArray) -> tuple[FloatArray | None, float]:
    """Weights (q',) that leave the least cost (u,) of signed rows (u, q') below zero, and a bound.

    Weights are bounded, so that a margin of one can be asked for; None where time was too short.
    """
    n, q = rows.shape
    scale = SCALED / cost.sum()
    room = 1 + LARGEST_WEIGHT * np.abs(rows).sum(axis=1)
    constraint = scipy.optimize.LinearConstraint(
        hstack([csr_array(rows), diags_array(room)]), lb=1.0
    )
    result = scipy.optimize.milp(
        np.concatenate([np.zeros(q), scale * cost]),
        integrality=np.repeat([0, 1], [q, n]),
        bounds=scipy.optimize.Bounds(
            np.repeat([-LARGEST_WEIGHT, 0.0], [q, n]), np.repeat([LARGEST_WEIGHT, 1.0], [q, n])
        ),
        constraints=constraint,
        options={"time_limit": SECONDS, "mip_rel_gap": 0.0},
    )
    bound = 0.0 if result.mip_dual_bound is None else max(result.mip_dual_bound, 0.0) / scale
    return (None if result.x is None else result.x[:q]), bound
