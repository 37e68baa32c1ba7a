"""Test errors and log losses of fitted rules.

Every rule is applied once to all rows; what the training rows contribute is read off the same
scores and subtracted, so no test set is gathered and no tie is decided twice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.fitters.batch import Fit
from gdcurves.logistic.certificates import Outcome
from gdcurves.scoring.pool import Pool

# Scores that differ by less are tied, and ties go to the first of the tied classes.
TIE = 1e-10
# Scores held at a time, so that they stay in a second-level cache.
BLOCK_SCORES = 65_536


@dataclass(frozen=True)
class Scores:
    """Results of a batch of training sets on the rows outside them.

    Attributes
    ----------
    n_train, n_test
        Number of training and of test rows.
    errors
        Shape (B,): misclassified test rows, a mean over the rules of a training set.
    logloss
        Shape (B,): mean of -log p(y | x) over the test rows, in nats; infinite where a class that
        occurs has probability zero and for logistic fits without a finite maximum.
    errors_halfway
        Shape (B,): as `errors`, half-way along the chain that drew the rules; NaN where none did.
    outcome, theta, degenerate, left_out
        What the fit says of itself, see `gdcurves.fitters.Fit`.
    """

    n_train: int
    n_test: int
    errors: FloatArray
    logloss: FloatArray
    errors_halfway: FloatArray
    outcome: IntArray | None = None
    theta: FloatArray | None = None
    degenerate: BoolArray | None = None
    left_out: IntArray | None = None


def score(pool: Pool, fit: Fit, training: IntArray) -> Scores:
    """Score the rules of `fit` on all rows but the training rows (B, m) of their training set."""
    n_draws, n_sets, n_contrasts, _ = fit.weights.shape
    n_rules = n_draws * n_sets
    weights = _columns(fit.weights)
    direction = None if fit.direction is None else _columns(fit.direction)

    # Pairs of a training row and a rule that saw it, in the order of the pool's entries.
    entry = pool.entries(training).ravel()
    order = np.argsort(entry, kind="stable")
    entry = entry[order]
    label = pool.y[training].ravel()[order]
    of_set = np.repeat(np.arange(n_sets), training.shape[1])[order]
    rule = of_set[:, None] + n_sets * np.arange(n_draws)

    sums = np.zeros((3, n_rules))  # errors, loss, rows of an impossible class
    height = max(1, BLOCK_SCORES // (n_rules * n_contrasts))
    for first in range(0, pool.n_distinct, height):
        block = slice(first, first + height)
        judged = Judged.of(
            pool.scores(block, weights, fit.space),
            None if direction is None else pool.scores(block, direction, fit.space),
        )
        for k in range(n_contrasts + 1):
            for total, values in zip(sums, judged.against(k), strict=True):
                total += pool.total(block, k, values)
        start, stop = np.searchsorted(entry, [first, first + height])
        pairs = slice(start, stop)
        seen = judged.at(entry[pairs, None] - first, rule[pairs])
        for k in range(n_contrasts + 1):
            mine = label[pairs] == k
            rules = rule[pairs][mine].ravel()
            for total, values in zip(sums, seen.only(mine).against(k), strict=True):
                total -= np.bincount(rules, values.ravel(), minlength=n_rules)

    n_train = training.shape[1]
    n_test = pool.n_rows - n_train
    errors, loss, impossible = sums.reshape(3, n_draws, n_sets)
    # The difference of two sums can fall below zero by rounding.
    loss = np.maximum(loss, 0.0)
    logloss = np.where(impossible > 0.5, np.inf, loss / n_test).mean(axis=0)
    if fit.outcome is not None:
        logloss = np.where(fit.outcome == Outcome.OVERLAP, logloss, np.inf)
    halfway = np.full(n_sets, np.nan)
    if fit.halfway is not None:
        assert fit.sampled is not None
        theirs = pool.of_sets(fit.sampled)
        halfway[fit.sampled] = score(theirs, fit.halfway, training[fit.sampled]).errors
    return Scores(
        n_train,
        n_test,
        errors.mean(axis=0),
        logloss,
        halfway,
        fit.outcome,
        fit.theta,
        fit.degenerate,
        fit.left_out,
    )


def _columns(rules: FloatArray) -> FloatArray:
    """One matrix for every contrast, with one column for every rule: shape (K - 1, q, R B)."""
    _, _, n_contrasts, n_features = rules.shape
    return np.ascontiguousarray(rules.reshape(-1, n_contrasts, n_features).transpose(1, 2, 0))


@dataclass(frozen=True)
class Judged:
    """Rows judged by rules; the last axes are (rows, rules).

    Attributes
    ----------
    predicted
        The class with the highest score, the first of those that are tied.
    normaliser
        log(1 + sum_k exp(score_k)) over the classes that are not excluded.
    scores
        Shape (K - 1, ...), of the classes 1 ... K - 1 against class 0; finite.
    excluded
        Shape (K, ...): classes of probability zero, or None where there are none.
    """

    predicted: IntArray | BoolArray
    normaliser: FloatArray
    scores: FloatArray
    excluded: BoolArray | None

    @classmethod
    def of(cls, scores: FloatArray, direction: FloatArray | None) -> Judged:
        """Judge by finite scores and, if any, by directions, both (K - 1, rows, rules)."""
        if len(scores) == 1 and direction is None:
            # Two classes, the usual case, without arrays for class 0.
            score = scores[0]
            normaliser = np.maximum(score, 0.0)
            normaliser += np.log1p(np.exp(-np.abs(score)))
            return cls(score > TIE, normaliser, scores, None)
        values = np.concatenate([np.zeros_like(scores[:1]), scores])
        excluded = None
        if direction is not None:
            leading = np.concatenate([np.zeros_like(direction[:1]), direction])
            excluded = leading < leading.max(axis=0) - TIE
            values[excluded] = -np.inf
        best = values.max(axis=0)
        predicted = np.zeros(best.shape, dtype=np.int8)
        for k in range(len(scores), -1, -1):
            predicted[values[k] >= best - TIE] = k
        normaliser = best + np.log(np.exp(values - best).sum(axis=0))
        return cls(predicted, normaliser, scores, excluded)

    def at(self, rows: IntArray, rules: IntArray) -> Judged:
        """Pick pairs."""
        return self._pick((rows, rules))

    def only(self, which: BoolArray) -> Judged:
        """Keep some of the rows."""
        return self._pick((which,))

    def _pick(self, where: tuple[IntArray | BoolArray, ...]) -> Judged:
        by_class = (slice(None), *where)
        excluded = None if self.excluded is None else self.excluded[by_class]
        return Judged(
            self.predicted[where], self.normaliser[where], self.scores[by_class], excluded
        )

    def against(self, k: int) -> tuple[BoolArray, FloatArray, FloatArray]:
        """What a row of class k adds to errors, finite loss and impossible rows."""
        wrong = self.predicted != k
        loss = self.normaliser if k == 0 else self.normaliser - self.scores[k - 1]
        if self.excluded is None:
            return wrong, loss, np.zeros_like(loss)
        impossible = self.excluded[k]
        return wrong, np.where(impossible, 0.0, loss), impossible.astype(float)
