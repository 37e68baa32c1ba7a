"""Numbers that order rows by how likely a class is there, with what counts infinitely more."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray
from gdcurves.fitters.generative import ABSENT
from gdcurves.scoring.judged import TIE, Judged


def odds(judged: Judged) -> Iterator[FloatArray]:
    """Yield for each class what orders n rows by its probability under r rules, shape (r, n).

    It is the log odds of the class against all others, in nats, which tell probabilities apart that
    are 1 but for rounding; infinite where the class is impossible, or alone possible. For rules
    that are hard it is the lead over the best other class. Where rules have a direction, it is a
    rank: by the lead in the direction, then by the log odds against the others that are best there.
    Rows do not differ by the probability of a class that was absent from the training set. For two
    classes, class 1 alone.
    """
    values = _of_all(judged.scores)
    if judged.direction is None and judged.excluded is not None:
        values[judged.excluded.transpose(0, 2, 1)] = -np.inf
    hard = None if judged.hard is None else judged.hard.T
    leading = None if judged.direction is None else _of_all(judged.direction)
    for k in range(1, 2) if len(values) == 2 else range(len(values)):
        others = np.delete(values, k, axis=0)
        if leading is None:
            yield _log_odds(values[k], others, hard)
        else:
            in_lead = np.delete(leading, k, axis=0)
            best = in_lead.max(axis=0)
            others[in_lead < best - TIE] = -np.inf
            lead = np.maximum(leading[k] - best, -ABSENT / 2)
            finite = np.where(lead > -ABSENT / 2, _log_odds(values[k], others, hard), 0.0)
            yield _ranks(lead) * values.shape[2] + _ranks(finite)


def _of_all(against_first: FloatArray) -> FloatArray:
    """Values of all classes (K, r, n) from those of 1 ... K - 1 against class 0 (K - 1, n, r)."""
    n_others, n, r = against_first.shape
    values = np.zeros((n_others + 1, r, n))
    values[1:] = against_first.transpose(0, 2, 1)
    return values


def _log_odds(score: FloatArray, others: FloatArray, hard: BoolArray | None) -> FloatArray:
    """Of a class with a score (r, n) against others (K - 1, r, n); its lead for hard rules."""
    best = others.max(axis=0)
    lead: FloatArray = score - best
    if len(others) == 1:
        return lead
    base = np.where(np.isneginf(best), 0.0, best)
    with np.errstate(divide="ignore"):  # no other class is possible
        further = np.log(np.exp(others - base).sum(axis=0)) + base
    log_odds: FloatArray = score - further
    return log_odds if hard is None else np.where(hard, lead, log_odds)


def _ranks(values: FloatArray) -> FloatArray:
    """Ranks 0, 1, ... of finite values (r, n) in each row, in which neighbours may be tied."""
    order = np.argsort(values, axis=1)
    steps = np.diff(np.take_along_axis(values, order, axis=1), axis=1) > TIE
    ranks = np.zeros(values.shape)
    np.put_along_axis(ranks, order[:, 1:], np.cumsum(steps, axis=1).astype(float), axis=1)
    return ranks
