"""Codings of discrete inputs: how the columns that are fitted follow from one-hot codes."""

from __future__ import annotations

from typing import Literal

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.fitters.features import Layout

Coding = Literal["one_hot", "overlapping"]


def overlapping(layout: Layout) -> FloatArray:
    """Matrix (q, p) from feature vectors to columns that neighbouring discrete inputs share.

    Each discrete input's columns start where the last level of the one before has its column, so
    that the two add up in it: levels counted from 0, and blocks set apart by the largest code in
    place of the number of levels. Continuous inputs keep columns of their own, after these.
    """
    column = np.zeros(layout.n_columns, dtype=np.int64)
    last = 0
    for i in np.flatnonzero(layout.discrete):
        codes = np.arange(layout.widths[i])
        first = max(last, 1)
        column[layout.starts[i] + codes] = first + codes
        last = first + len(codes) - 1
    column[layout.starts[layout.continuous]] = last + 1 + np.arange(len(layout.continuous))
    matrix = np.zeros((layout.n_columns, int(column.max()) + 1))
    matrix[np.arange(layout.n_columns), column] = 1.0
    return matrix
