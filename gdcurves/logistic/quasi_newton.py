"""Fits to all rows and to all but those of each fold, which share what is costly.

The fits differ little, as the rows that are held out are few and each fit begins where one with
another strength has ended. So second derivatives, the costly part, come for all folds from one pass
over the rows, at the fit to all of them. They are kept while gradients, corrected by what steps
have shown of them (the limited memory of Nocedal, 1980, "Updating quasi-Newton matrices with
limited storage"), lead on. Where that is slow, as where the held-out rows are many to the fit, each
fit gets second derivatives of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.logistic.batched import Inverses, ratio
from gdcurves.logistic.folds import Folds
from gdcurves.logistic.penalised import Point, descended

# A fit has settled where the steps that are left will change losses by less than this share of
# their sum: the losses of rows held out, which it is for, are known that well.
TOLERANCE = 3e-4
# Second derivatives are too old where a step changes losses by more than this share of the last
# change, and where they have served for some steps: more where they cost more.
SLOW = 0.3
STEPS_BY_WEIGHTS = 32
MAX_STEPS = 500
# A step that promises less than this share of the loss is rounding.
LEAST_GAIN = 1e-15


def settled(folds: Folds, start: Point, seconds: FloatArray) -> Point:
    """Go down from a point until the fits have settled; sets that have leave the batch.

    `seconds` (B, P, Q, Q), the second derivatives, are kept up to date.
    """
    end = start.some(np.ones(len(seconds), dtype=bool))
    active = np.arange(len(seconds))
    work = _Work.begun(folds, start, seconds)
    for _ in range(MAX_STEPS):
        work = work.moved()
        done: BoolArray = np.all(work.settled, axis=1)
        if done.any():
            end.put(active[done], work.at.some(done))
            seconds[active[done]] = work.seconds[done]
            active = active[~done]
            if not len(active):
                return end
            work = work.some(~done)
        work.renew()
    raise ArithmeticError(f"a path of penalised fits has not settled in {MAX_STEPS} steps")


@dataclass
class _Pair:
    """What a step has shown of second derivatives.

    Attributes
    ----------
    step
        Shape (B, P, Q).
    turn
        What it took from the descent, shape (B, P, Q).
    factor
        One over their inner product, shape (B, P); 0: the pair says nothing.
    """

    step: FloatArray
    turn: FloatArray
    factor: FloatArray


@dataclass
class _Work:
    """Fits under way.

    Attributes
    ----------
    folds, at
        The problems, and where they stand.
    seconds
        Second derivatives of the log losses, (B, P, Q, Q), not always of this point.
    inverse
        Of them and the penalty's, for (B, P) problems.
    pairs
        What was seen since they were made.
    age, renewed
        How many steps ago that was, and how often it was done since the strength is this, (B,).
    change
        Sum of the changes of losses by the last step, shape (B, P).
    gain
        What that step promised: twice the value, shape (B, P).
    rate
        The ratio of the change to the one before, shape (B, P).
    settled
        Which problems are where they should be, shape (B, P).
    """

    folds: Folds
    at: Point
    seconds: FloatArray
    inverse: Inverses
    pairs: list[_Pair]
    age: IntArray
    renewed: IntArray
    change: FloatArray
    gain: FloatArray
    rate: FloatArray
    settled: BoolArray

    @classmethod
    def begun(cls, folds: Folds, at: Point, seconds: FloatArray) -> _Work:
        n, n_problems = at.value.shape
        return cls(
            folds,
            at,
            seconds,
            Inverses.of(folds.problems.with_ridge(seconds)),
            [],
            np.zeros(n, dtype=np.int64),
            np.zeros(n, dtype=np.int64),
            np.full((n, n_problems), np.inf),
            np.ones((n, n_problems)),
            np.ones((n, n_problems)),
            np.zeros((n, n_problems), dtype=bool),
        )

    def some(self, which: BoolArray) -> _Work:
        """Pick sets by a mask (B,)."""
        pairs = [
            _Pair(each.step[which], each.turn[which], each.factor[which]) for each in self.pairs
        ]
        return _Work(
            self.folds.some(which),
            self.at.some(which),
            self.seconds[which],
            self.inverse[which],
            pairs,
            self.age[which],
            self.renewed[which],
            self.change[which],
            self.gain[which],
            self.rate[which],
            self.settled[which],
        )

    def moved(self) -> _Work:
        """Take a step, and see how much it has changed."""
        step = np.where(self.settled[:, :, None], 0.0, self._direction())
        gain = _inner(self.at.down, step)
        there, factor = descended(self.folds.problems, self.at, step)
        step *= factor[:, :, None]
        turn = self.at.down - there.down
        curvature = _inner(step, turn)
        says = curvature > 0
        pair = _Pair(step, turn, np.where(says, 1.0 / np.where(says, curvature, 1.0), 0.0))
        moved = np.abs(there.losses - self.at.losses)
        change = np.einsum("bpm,bpm->bp", self.folds.judged, moved) / factor
        known = np.isfinite(self.change)
        # The losses of few rows may change little by chance: then the step's own length counts.
        shorter = np.sqrt(ratio(gain, self.gain))
        change = np.maximum(change, np.where(known, self.change, 0.0) * shorter)
        rate = np.where(known, ratio(change, self.change), 1.0)
        # What all further steps will change, if each is as much smaller than the one before.
        left = change * np.minimum(1.0, rate / np.maximum(1.0 - rate, 0.5))
        settled = self.settled | (left <= TOLERANCE * self.folds.losses(there))
        settled |= gain <= LEAST_GAIN * there.value
        return replace(
            self,
            at=there,
            pairs=[*self.pairs, pair],
            age=self.age + 1,
            change=change,
            gain=gain,
            rate=np.where(known, rate, 0.0),
            settled=settled,
        )

    def renew(self) -> None:
        """Compute second derivatives anew for the sets that go on slowly."""
        small = self.folds.are_small
        longest = 1 + self.at.down.shape[2] // STEPS_BY_WEIGHTS * np.where(self.renewed, 2, 1)
        slow = ((self.rate > SLOW) & ~self.settled).any(axis=1) & (self.age >= longest)
        for own in (False, True):
            these = slow & ((self.renewed > 0) | small == own)
            if not these.any():
                continue
            part = self if these.all() else self.some(these)
            folds = part.folds
            seconds = folds.problems.information(part.at) if own else folds.information(part.at)
            self.seconds[these] = seconds
            self.inverse[these] = Inverses.of(folds.problems.with_ridge(seconds))
        self.age[slow] = 0
        self.renewed[slow] += 1
        if slow.all():
            self.pairs = []
        for pair in self.pairs:
            pair.factor[slow] = 0.0

    def _direction(self) -> FloatArray:
        """What the second derivatives and the pairs make of the descent, shape (B, P, Q)."""
        direction: FloatArray = self.at.down
        shares = []
        for pair in reversed(self.pairs):
            share = pair.factor * _inner(pair.step, direction)
            direction = direction - share[:, :, None] * pair.turn
            shares.append(share)
        direction = self.inverse @ direction
        for pair, share in zip(self.pairs, reversed(shares), strict=True):
            share = share - pair.factor * _inner(pair.turn, direction)
            direction = direction + share[:, :, None] * pair.step
        return direction


def _inner(a: FloatArray, b: FloatArray) -> FloatArray:
    product: FloatArray = np.einsum("bpq,bpq->bp", a, b)
    return product
