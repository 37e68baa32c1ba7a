"""The logistic likelihood of a batch as a function of margins, for two classes and for more.

A training row of class y has a margin <w, a_k> against each of the G = K - 1 other classes k, and
the likelihood 1 / (1 + sum_k exp(-<w, a_k>)): the softmax of the scores. The signed rows a_k of one
training row follow each other, so a batch of them has shape (B, m G, q). A multiplicity says how
often each counts: the same for all that belong to one training row, or 0 where that class is out of
the question.
"""

from __future__ import annotations

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.logistic.batched import gram


def shares(margin: FloatArray, multiplicity: FloatArray, n_others: int) -> FloatArray:
    """Probabilities (B, m G) of the other classes: minus the derivatives of the log-likelihood.

    `margin` and `multiplicity` (B, m G).
    """
    if n_others == 1:
        small = np.exp(-np.abs(margin))
        share: FloatArray = np.where(margin > 0, small, 1.0) / (1.0 + small)
        return share
    odds, least = _odds(margin, multiplicity, n_others)
    total = _exp(least) + odds.sum(axis=2)
    share = (odds / total[:, :, None]).reshape(margin.shape)
    return share


def loglik(margin: FloatArray, multiplicity: FloatArray, n_others: int) -> FloatArray:
    """Log-likelihoods (B,), in nats, at `margin` and `multiplicity` (B, m G)."""
    if n_others == 1:
        terms = np.minimum(margin, 0.0) - np.log1p(np.exp(-np.abs(margin)))
    else:
        odds, least = _odds(margin, multiplicity, n_others)
        terms = np.minimum(least, 0.0) - np.log(_exp(least) + odds.sum(axis=2))
        multiplicity = of_rows(multiplicity, n_others)
    total: FloatArray = (multiplicity * terms).sum(axis=1)
    return total


def information(
    rows: FloatArray, share: FloatArray, multiplicity: FloatArray, n_others: int
) -> FloatArray:
    """Minus the second derivatives of the log-likelihoods, shape (B, q, q).

    `rows` (B, m G, q), with their `share` and `multiplicity` (B, m G); see `shares`.
    """
    if n_others == 1:
        return gram(rows, multiplicity * share * (1.0 - share))
    by_row = _by_row(share, n_others)
    mean = np.einsum("bmg,bmgq->bmq", by_row, rows.reshape(*by_row.shape, rows.shape[2]))
    return gram(rows, multiplicity * share) - gram(mean, of_rows(multiplicity, n_others))


def moved(share: FloatArray, change: FloatArray, n_others: int) -> FloatArray:
    """Each share (B, m G) after a small change (B, m G) of the margins, to first order (B, m G)."""
    if n_others == 1:
        return share * (1.0 - (1.0 - share) * change)
    mean: FloatArray = _by_row(share * change, n_others).sum(axis=2)
    after: FloatArray = share * (1.0 - change + np.repeat(mean, n_others, axis=1))
    return after


def of_rows(multiplicity: FloatArray, n_others: int) -> FloatArray:
    """How often each training row counts, shape (B, m), by the multiplicity (B, m G)."""
    often: FloatArray = _by_row(multiplicity, n_others).max(axis=2)
    return often


def _by_row(values: FloatArray, n_others: int) -> FloatArray:
    """Values (B, m G) of signed rows, those of a training row together: (B, m, G)."""
    return values.reshape(len(values), values.shape[1] // n_others, n_others)


def _odds(
    margin: FloatArray, multiplicity: FloatArray, n_others: int
) -> tuple[FloatArray, FloatArray]:
    """Odds (B, m, G) of the other classes, and the least margins (B, m).

    The odds are divided by exp(-least) where that is more than 1, so that none overflows.
    """
    counted = _by_row(np.where(multiplicity > 0, margin, np.inf), n_others)
    least = counted.min(axis=2)
    return np.exp(np.minimum(least, 0.0)[:, :, None] - counted), least


def _exp(x: FloatArray) -> FloatArray:
    """exp(min(x, 0)): what 1 becomes when odds are divided by the largest."""
    small: FloatArray = np.exp(np.minimum(x, 0.0))
    return small
