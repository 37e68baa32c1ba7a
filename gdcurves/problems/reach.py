"""Numbers that are too far from the others of their column for these to be told apart beside them.

Brought to [0, 1] with one of 1e155, numbers of usual size are all the same, and from far away their
squares are nothing but rounding. So a number that is more than `REACH` times as far from the median
as half of those that differ from it are at most counts as being just so far: it stays the farthest,
and the others keep their digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.datasets.columns.cells import level
from gdcurves.datasets.remarks import About, Remark
from gdcurves.words import counted

REACH = 1e6
"""Scores of normal densities keep four digits beside numbers so far away, and classes all."""


@dataclass(frozen=True)
class Moved:
    """Which numbers of an input count as being nearer than they are.

    Attributes
    ----------
    n
        How many.
    farthest
        The one that is farthest from zero.
    """

    n: int
    farthest: float


def within(values: FloatArray) -> tuple[FloatArray, Moved | None]:
    """Move those of some `values` (n,) that are out of reach to where it ends; NaN stays.

    They may be of any size. Returns the same array (n,), and None, where nothing is moved.
    """
    given = ~np.isnan(values)
    if not given.any():
        return values, None
    # A power of two, so that differences are numbers, and exact.
    _, exponent = np.frexp(np.abs(values[given]).max())
    scaled = np.ldexp(values, -exponent - 1)
    middle = np.median(scaled[given])
    far = np.abs(scaled - middle)
    off = far[given & (far > 0)]
    reach = REACH * np.median(off) if len(off) else 0.0
    beyond = far > reach
    if not len(off) or not beyond.any():
        return values, None
    near = values.copy()
    ends = middle + np.sign(scaled[beyond] - middle) * reach
    near[beyond] = np.ldexp(ends, exponent + 1)
    moved = values[beyond]
    return near, Moved(len(moved), float(moved[np.argmax(np.abs(moved))]))


def doubts(source: str, moved: Mapping[str, Moved]) -> Iterator[Remark]:
    """Name the inputs with such numbers, by their names."""
    if moved:
        yield Remark(
            About.FAR,
            f"{source}: numbers more than {REACH:,.0f} times as far from the median as half of"
            " their column count as being just so far: ",
            tuple(
                f"{name!r} ({counted(each.n, 'number')}, as {level(each.farthest)})"
                for name, each in moved.items()
            ),
            "; correct mistakes, name what stands for missing values (--missing-text), or write"
            " logarithms",
        )
