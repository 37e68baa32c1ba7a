"""Linear rules for prepared inputs, rewritten for the inputs as they are.

A prepared input is x' = (x + fill g - a) / s, where g is 1 where the value is missing, and x is 0
there. Measured from the centre k of the training sets' map and the centre C of the pool's, that is

    z = x' - k = alpha u + beta g + gamma,    u = x - C,
    alpha = 1 / s,    beta = fill / s,    gamma = (C - a - k s) / s

and a rule that is linear in z and in products of two z is linear in u, g and products of two of
these. As x g = 0 and g g = g, the square of an input needs no further products.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.fitters.features import Layout
from gdcurves.fitters.maps import FeatureMap


@dataclass(frozen=True, eq=False)
class Substitution:
    """How prepared inputs of B training sets follow from those of the pool.

    Attributes
    ----------
    layout
        Of the prepared inputs.
    gaps
        Which of the c continuous inputs have missing values, shape (g,).
    lowest, width, fill
        a, s and what stands for a missing value, shape (B, c).
    origin
        Centre k of the prepared inputs in maps with products, shape (c,).
    centre
        Centre of the pool's continuous inputs in such maps, the gaps last, shape (c + g,).
    """

    layout: Layout
    gaps: IntArray
    lowest: FloatArray
    width: FloatArray
    fill: FloatArray
    origin: FloatArray
    centre: FloatArray


def applied(rules: FloatArray, feature_map: FeatureMap, change: Substitution) -> FloatArray:
    """Rules (R, B, K - 1, q') for the pool from rules (R, B, K - 1, q) for prepared inputs.

    The pool has one more continuous input for each of the gaps, behind the others.
    """
    layout, gaps = change.layout, change.gaps
    q, c = layout.n_columns, len(layout.continuous)
    n = c + len(gaps)
    columns = layout.starts[layout.continuous]
    i, j = feature_map.pairs(c)
    # A map without products measures from 0.
    origin, centre = (
        each if len(i) else np.zeros_like(each) for each in (change.origin, change.centre)
    )
    alpha = 1.0 / change.width[:, None, :]
    beta = change.fill[:, None, :] * alpha
    gamma = (centre[:c] - (change.lowest[:, None, :] + origin * change.width[:, None, :])) * alpha

    linear, products = rules[..., :q].copy(), rules[..., q:]
    constant = np.sum(linear[..., columns] * gamma, axis=-1)
    constant += np.sum(products * gamma[..., i] * gamma[..., j], axis=-1)
    slope = linear[..., columns]
    _add(slope, i, products * gamma[..., j])
    _add(slope, j, products * gamma[..., i])
    of_input = np.zeros((*rules.shape[:-1], n))  # by number in the pool, gaps last
    of_input[..., :c] = slope * alpha
    of_input[..., c:] = (slope * beta)[..., gaps]
    of_pair = np.zeros((*rules.shape[:-1], len(feature_map.pairs(n)[0])))

    gap = np.full(c, -1)
    gap[gaps] = np.arange(c, n)
    for first, before in ((i, alpha), (gap[i], beta)):
        for second, behind in ((j, alpha), (gap[j], beta)):
            value = products * before[..., i] * behind[..., j]
            there = (first >= 0) & (second >= 0)
            alone = there & (i == j) & (np.maximum(first, second) >= c)  # x g or g g
            instead = np.where(np.minimum(first, second) >= c, 1.0, -centre[i])
            _add(of_input, gap[i[alone]], (value * instead)[..., alone])
            two = there & ~alone
            _add(of_pair, feature_map.position(first[two], second[two], n), value[..., two])

    # The pool measures g from a centre too: g = h + G.
    shift = np.concatenate([np.zeros(c), centre[c:]])
    i, j = feature_map.pairs(n)
    constant += of_input @ shift + np.sum(of_pair * shift[i] * shift[j], axis=-1)
    _add(of_input, i, of_pair * shift[j])
    _add(of_input, j, of_pair * shift[i])
    linear[..., 0] += constant
    linear[..., columns] = of_input[..., :c]
    return np.concatenate([linear, of_input[..., c:], of_pair], axis=-1)


def _add(total: FloatArray, index: IntArray, values: FloatArray) -> None:
    """Add values (..., p) at their places along the last axis; an index (p,) may repeat."""
    at: Any = (..., index)
    np.add.at(total, at, values)
