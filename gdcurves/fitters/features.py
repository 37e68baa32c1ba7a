"""Feature vectors of inputs: an intercept and the inputs themselves.

Continuous inputs enter as they are, discrete ones by a full one-hot coding of every level. The maps
that rules are linear in begin with these columns, see `maps`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdcurves.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class Layout:
    """Which columns of a feature vector belong to which input.

    Attributes
    ----------
    widths
        Number of columns of each input: 1 for a continuous one, else its number of levels.
    discrete
        Which inputs are discrete, shape (d,).
    """

    widths: tuple[int, ...]
    discrete: BoolArray

    @property
    def levels(self) -> tuple[int, ...]:
        """Number of levels of each input, 0 for a continuous one."""
        return tuple(np.where(self.discrete, self.widths, 0).tolist())

    @classmethod
    def of(cls, levels: tuple[int, ...]) -> Layout:
        """Layout of inputs with these numbers of levels, 0 for continuous ones."""
        counts = np.array(levels, dtype=np.int64)
        return cls(tuple(np.maximum(counts, 1).tolist()), counts > 0)

    @cached_property
    def starts(self) -> IntArray:
        """First column of each input, shape (d,); column 0 is the intercept."""
        return 1 + np.concatenate([[0], np.cumsum(self.widths)[:-1]]).astype(np.int64)

    @cached_property
    def owner(self) -> IntArray:
        """Input of each column but the intercept, shape (q - 1,)."""
        return np.repeat(np.arange(len(self.widths)), self.widths)

    @cached_property
    def continuous(self) -> IntArray:
        """Numbers of the continuous inputs, shape (c,)."""
        return np.flatnonzero(~self.discrete)

    @property
    def n_columns(self) -> int:
        """Length q of a feature vector of the linear map."""
        return 1 + sum(self.widths)


def run_of(places: IntArray) -> slice | IntArray:
    """The places (p,); as a slice, which copies nothing, where they follow each other: (p,) too."""
    if len(places) and (np.diff(places) == 1).all():
        return slice(int(places[0]), int(places[-1]) + 1)
    return places


def design(x: NDArray[Any], levels: tuple[int, ...]) -> FloatArray:
    """Feature vectors (..., q) of inputs x (..., d): 1, then the inputs or their one-hot codes.

    `levels` holds the number of levels of each input, 0 for a continuous one.
    """
    if not any(levels):
        return np.concatenate([np.ones((*x.shape[:-1], 1)), x], axis=-1)
    layout = Layout.of(levels)
    features = np.zeros((*x.shape[:-1], layout.n_columns))
    features[..., 0] = 1.0
    codes = x[..., layout.discrete].astype(np.int64, copy=False)
    np.put_along_axis(features, codes + layout.starts[layout.discrete], 1.0, axis=-1)
    features[..., layout.starts[layout.continuous]] = x[..., layout.continuous]
    return features
