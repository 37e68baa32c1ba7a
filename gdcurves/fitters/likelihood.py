"""Conditional likelihoods of scores that are linear in what is to be fitted.

A discriminative classifier has scores s_k(x) = <v, g_k(x)> for the classes k, and chooses v to
maximise the product of exp(s_y) / sum_k exp(s_k) over the training rows. The signed rows g_y - g_k,
k != y, are what `gdcurves.logistic` works on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.fitters.diagnostics import Diagnostics
from gdcurves.fitters.maps import LINEAR, FeatureMap
from gdcurves.logistic.simplex import corners, others


@dataclass(frozen=True)
class Likelihood:
    """A conditional likelihood for every training set of a batch.

    Attributes
    ----------
    rows
        Signed rows, K - 1 for each training row: shape (B, N, Q) with N = m (K - 1).
    n_others
        K - 1.
    to_rules
        Makes rules (R, B, K - 1, q) from vectors v (R, B, Q); linear.
    multiplicity
        How often each signed row counts, shape (B, N); None: once.
    feature_map
        The map that the rules are linear in.
    to_theta
        Makes the parameters that are reported, shape (B, P), from vectors v (B, Q); linear. None:
        none are.
    separating
        Makes what stands for separable problems in place of a draw, shape (C, Q), from their
        numbers (C,) and vectors that separate them (C, Q).
    diagnostics
        What the making of the likelihood says of the training sets.
    """

    rows: FloatArray
    n_others: int
    to_rules: Callable[[FloatArray], FloatArray]
    multiplicity: FloatArray | None = None
    feature_map: FeatureMap = LINEAR
    to_theta: Callable[[FloatArray], FloatArray] | None = None
    separating: Callable[[IntArray, FloatArray], FloatArray] | None = None
    diagnostics: Diagnostics = field(default_factory=Diagnostics)


def softmax(
    y: IntArray,
    design: FloatArray,
    n_classes: int,
    placed: Callable[[FloatArray], FloatArray] | None = None,
    feature_map: FeatureMap = LINEAR,
) -> Likelihood:
    """Likelihood of scores <w_k, x> with weights of their own for each class, which sum to zero.

    Parameters
    ----------
    y
        Classes, shape (B, m), all of which are present.
    design
        The vectors x, shape (B, m, p).
    n_classes
        K.
    placed
        Makes rules (R, B, K - 1, q) in the map from weights (R, B, K - 1, p) of the columns of the
        design; linear. None: the columns are those of the map.
    feature_map
        The map that the rules are linear in.
    """
    corner = corners(n_classes)
    n_others = n_classes - 1
    edges = corner[y][:, :, None] - corner[others(n_classes)[y]]
    rows = edges[:, :, :, :, None] * design[:, :, None, None, :]
    from_first = corner[1:] - corner[0]

    def to_rules(v: FloatArray) -> FloatArray:
        by_corner = v.reshape(*v.shape[:2], n_others, design.shape[2])
        rules: FloatArray = np.einsum("kc,rbcq->rbkq", from_first, by_corner)
        return rules if placed is None else placed(rules)

    n_sets, m, p = design.shape
    rows = rows.reshape(n_sets, m * n_others, n_others * p)
    return Likelihood(rows, n_others, to_rules, feature_map=feature_map)


def combination(
    y: IntArray,
    values: FloatArray,
    ratios: FloatArray,
    factors: FloatArray,
    counted: FloatArray | BoolArray | None = None,
) -> Likelihood:
    """Likelihood of scores mu_k + sum_r lambda_r ratio_kr, with lambda shared by the classes.

    Parameters
    ----------
    y
        Classes, shape (B, m).
    values
        The R ratios of each row, classes 1 ... K - 1 against class 0, shape (B, m, K - 1, R).
    ratios
        The weights that give them, shape (B, K - 1, R, q).
    factors
        Of the lambda where they are reported, shape (R,). Theta is mu of every class but the last,
        less that of the last, then lambda.
    counted
        How often each row counts, shape (B, m).
    """
    n_sets, _, n_others, _ = values.shape
    n_classes = n_others + 1
    y = y.astype(np.int64)
    other = others(n_classes)[y]
    corner = corners(n_classes)
    scores = np.concatenate([np.zeros_like(values[:, :, :1]), values], axis=2)
    own = np.take_along_axis(scores, y[:, :, None, None], axis=2)
    apart = own - np.take_along_axis(scores, other[:, :, :, None], axis=2)
    rows = np.concatenate([corner[y][:, :, None] - corner[other], apart], axis=3)
    rows = rows.reshape(n_sets, -1, rows.shape[3])
    multiplicity = None
    if counted is not None:
        multiplicity = np.repeat(counted.astype(float), n_others, axis=1)
        rows[multiplicity == 0] = 0.0

    def to_rules(v: FloatArray) -> FloatArray:
        rules: FloatArray = np.einsum("abr,bkrq->abkq", v[:, :, n_others:], ratios)
        rules[..., 0] += v[:, :, :n_others] @ (corner[1:] - corner[0]).T
        return rules

    def to_theta(v: FloatArray) -> FloatArray:
        offsets = v[:, :n_others] @ (corner[:-1] - corner[-1]).T
        return np.concatenate([offsets, v[:, n_others:] * factors], axis=1)

    return Likelihood(rows, n_others, to_rules, multiplicity, to_theta=to_theta)
