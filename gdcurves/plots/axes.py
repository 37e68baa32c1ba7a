"""Axis ranges that hold every value, and their ticks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gdcurves.arrays import FloatArray

# Positions are multiples of the step up to rounding errors of about this many steps.
_SLACK = 1e-6


@dataclass(frozen=True)
class Axis:
    """A range from `low` to `high` with a tick at every multiple of `step` in it from `least` on.

    That is 0 where values are not negative, though a band may be.
    """

    low: float
    high: float
    step: float
    least: float = 0.0
    scale: ClassVar = "linear"

    @property
    def ticks(self) -> FloatArray:
        """The tick positions, shape (n,)."""
        first = math.ceil(max(self.low, self.least) / self.step - _SLACK)
        last = math.floor(self.high / self.step + _SLACK)
        return self.step * np.arange(first, last + 1, dtype=np.float64)

    @property
    def labels(self) -> list[str]:
        """The ticks as text, with as many decimals as the step has, or as 2e-37 where shorter."""
        return _spelled(self.ticks, self.step)


@dataclass(frozen=True)
class LogAxis:
    """A logarithmic range from `low` to `high`, both positive.

    It has ticks where they are `marked`, else at 1, 2 and 5 times the powers of ten, or at the
    powers alone where those would be too many.
    """

    low: float
    high: float
    marked: tuple[float, ...] = ()
    scale: ClassVar = "log"

    @property
    def ticks(self) -> FloatArray:
        """The tick positions, shape (n,)."""
        if self.marked:
            return np.array(self.marked)
        powers = 10.0 ** np.arange(math.floor(math.log10(self.low)), math.log10(self.high))
        many = np.multiply.outer(powers, [1.0, 2.0, 5.0]).ravel()
        held, few = (each[(each >= self.low) & (each <= self.high)] for each in (many, powers))
        return few if len(held) > MOST_TICKS else held

    @property
    def labels(self) -> list[str]:
        """The ticks as text."""
        return [f"{tick:.0f}" for tick in self.ticks]


LONGEST_LABEL = 7  # letters; longer numbers are written with a power of ten
MOST_TICKS = 9  # of a logarithmic axis
LEAST_STEP = 1e-300  # a power of ten below it could be none


def fixed(values: FloatArray, low: float, high: float, intervals: int) -> Axis:
    """Take the axis from `low` to `high`, an end moved outward where a value lies beyond it.

    `values` (n,), n = 0 and NaN allowed; the axis is at most `intervals` steps long.
    """
    held = np.append(values[np.isfinite(values)], [low, high])
    least, most = float(held.min()), float(held.max())
    room = 0.02 * (most - least)
    return Axis(
        least - room if least < low else low,
        most + room if most > high else high,
        _step((most - least) / intervals),
    )


def logarithmic(values: FloatArray, marked: bool = False) -> LogAxis:
    """Take a logarithmic axis that holds `values` (n,), all positive, at least one finite.

    The values themselves have the ticks if `marked`, unless there are too many.
    """
    held = np.unique(values[np.isfinite(values)])
    ticks = tuple(held.tolist()) if marked and len(held) <= MOST_TICKS else ()
    return LogAxis(float(held.min()) / 1.1, float(held.max()) * 1.1, ticks)


def automatic(values: FloatArray, intervals: int, least: float = 0.0) -> Axis:
    """Take the shortest axis that holds `values` (n,), NaN apart, and ends on ticks.

    Those from `least` on are marked. The values span at most `intervals` steps; without values it
    is from 0 to 1.
    """
    held = values[np.isfinite(values)]
    low, high = (float(held.min()), float(held.max())) if held.size else (0.0, 1.0)
    # A single value has no span: it gets room in proportion to its size.
    span = high / intervals - low / intervals  # each by itself, as their difference may be infinite
    step = _step(span or (0.2 * abs(high) or 1.0) / intervals)
    first = math.floor(low / step + _SLACK)
    last = max(math.ceil(high / step - _SLACK), first + 1)
    largest = float(np.finfo(np.float64).max)
    return Axis(max(first * step, -largest), min(last * step, largest), step, least)


def _spelled(ticks: FloatArray, step: float) -> list[str]:
    """Texts of ticks (n,) that are multiples of a step."""
    power = math.floor(math.log10(step) + _SLACK)
    texts = [f"{tick + 0.0:.{max(0, -power)}f}" for tick in ticks]
    if _longest(texts) > LONGEST_LABEL:
        texts = min(texts, [_with_power(tick, power) for tick in ticks.tolist()], key=_longest)
    return [text.replace("-", "\N{MINUS SIGN}") for text in texts]


def _longest(texts: list[str]) -> int:
    return max(map(len, texts), default=0)


def _with_power(tick: float, last: int) -> str:
    """Write a number as 2.5e-37, its digits down to those of a power of ten."""
    if not tick:
        return "0"
    n_digits = max(0, math.floor(math.log10(abs(tick)) + _SLACK) - last)
    digits, _, power = f"{tick:.{n_digits}e}".partition("e")
    return f"{digits}e{int(power)}"


def _step(least: float) -> float:
    """Find the smallest of 1, 2 or 5 times a power of ten that is not below `least`."""
    least = max(least, LEAST_STEP)
    power = 10.0 ** math.floor(math.log10(least))
    return next(k * power for k in (1, 2, 5, 10) if k * power >= least * (1 - _SLACK))
