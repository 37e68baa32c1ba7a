"""Rows that are copies of one another, exactly or nearly, which make errors look small."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.datasets.remarks import About, Remark
from gdcurves.words import counted

if TYPE_CHECKING:
    import pandas as pd

MANY = 0.1  # of the rows, from which on copies are told of
LARGEST, LARGEST_NEAR = 100_000, 20_000  # rows of tables in which they are looked for
FINE = 20  # values of a number that has few rows of each
# By how many times there are more pairs of equal rows without some input: as many without as with
# it where they are copies, many more where inputs of few values happen to be the same.
MOST_MORE = 1.5

# Near a row, the k nearest others lie within a distance that goes with k^(1 / D) in D dimensions.
# Where rows are on their own, ((nearest / 20th nearest) ^ D) is below FAR_NEARER for one in fifty.
NEAR, AROUND = 20, 100
FAR_NEARER = 1e-3
LEAST_DIMENSIONS = 2.5  # below, rows on a line or in a plane lie as near as copies
FINE_PART = 0.25  # of the rows: values of a number that is measured finely
ASKED = 200  # rows whose neighbours are looked at
LEAST_ROWS = 80  # of which it is told whether they lie by twos
SURE = 3.5  # standard errors of that; of 132 published tables it is said of none


def doubt(inputs: Mapping[str, FloatArray | pd.Categorical], origin: str) -> Remark | None:
    """Say that many rows are copies of one another; None where they are not, or chance does it.

    Of the inputs (n,) by name, and of what the source is called.
    """
    columns = [*inputs.values()]
    n = len(columns[0]) if columns else 0
    n_equal = n_copies(columns)
    condition = "rows that equal others are not copies of them"
    if n_equal:
        what = f"{counted(n_equal, 'row')} of {n:,} equal another one in all inputs"
    elif (share := near_copies(x := fine(columns))) > MANY:
        what = f"about {share:.0%} of the rows nearly equal another one in all numbers"
    elif share := paired(x):
        what = f"about {share:.0%} of the rows lie by twos, each nearest to the other"
        condition = "rows that lie by twos do not belong together, as two of one patient do"
    else:
        return None
    return Remark(
        About.COPIES,
        f"{origin}: {what}; test rows then have copies in training sets, which makes errors look"
        " small: leave copies out of the file, or give --groups, `groups` in a config, with a"
        " column that is the same in all copies of a row",
        holds_if=condition,
    )


def n_copies(columns: list[FloatArray | pd.Categorical]) -> int:
    """How many rows equal another one in all columns, d of (n,); 0 for few, or by chance."""
    import pandas as pd

    numbers = [each for each in columns if isinstance(each, np.ndarray)]
    n = len(columns[0]) if columns else 0
    if n > LARGEST or max((len(pd.unique(each)) for each in numbers), default=0) < FINE:
        return 0
    hashed = np.zeros((len(columns), n), dtype=np.uint64)
    for number, each in enumerate(columns):
        cells = each + 0.0 if isinstance(each, np.ndarray) else each.codes.astype(np.float64)
        own = np.uint64(number)  # so that equal values in two columns are not the same
        hashed[number] = pd.util.hash_array(pd.util.hash_array(cells) + own)
    whole: NDArray[np.uint64] = hashed.sum(axis=0)
    counts = _counts(whole)
    n_equal = int(counts[counts > 1].sum())
    if n_equal <= MANY * n:
        return 0
    most = max(_pairs(_counts(whole - each)) for each in hashed)
    return n_equal if most <= MOST_MORE * _pairs(counts) else 0


def _counts(values: NDArray[np.uint64]) -> IntArray:
    """How often each of the values (n,) is there, shape (k,)."""
    return np.unique(values, return_counts=True)[1]


def _pairs(counts: IntArray) -> int:
    return int((counts * (counts - 1) // 2).sum())


def fine(columns: list[FloatArray | pd.Categorical]) -> FloatArray:
    """Finely measured ones of d columns (n,), in units of their standard deviations, (n', d').

    Without rows that have gaps. Empty where there are too few, or too many rows.
    """
    import pandas as pd

    nothing = np.zeros((0, 0))
    n = len(columns[0]) if columns else 0
    if n > LARGEST_NEAR:
        return nothing
    finely = [
        each
        for each in columns
        if isinstance(each, np.ndarray) and len(pd.unique(each)) > FINE_PART * n
    ]
    if len(finely) < LEAST_DIMENSIONS:
        return nothing
    x: FloatArray = np.column_stack(finely)
    x = x[np.isfinite(x).all(axis=1)]
    if len(x) <= AROUND // 2:
        return nothing
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # numbers of any size
        x = (x - x.mean(axis=0)) / x.std(axis=0)
    return x if np.isfinite(x).all() else nothing


def _asked(x: FloatArray) -> IntArray:
    """Numbers (k,) of some rows of x (n, d), evenly spread."""
    return np.unique(np.linspace(0, len(x) - 1, ASKED).astype(int))


def paired(x: FloatArray) -> float:
    """Share of the rows of x (n, d) that are the nearest one of the row nearest to them.

    By numbers that are `fine`; 0 where chance may do it. Of rows on their own that is two in
    three in one dimension, and half in many (Pickard 1982, "Isolated nearest neighbors", Journal of
    Applied Probability 19).
    """
    if len(x) < LEAST_ROWS:
        return 0.0
    asked = _asked(x)
    share = float(np.mean(_nearest(x, _nearest(x, asked)) == asked))
    # Where one row is, so is another: the share varies as that of half as many.
    return share if share > 2 / 3 + SURE * np.sqrt(0.5 / len(asked)) else 0.0


def _nearest(x: FloatArray, rows: IntArray) -> IntArray:
    """Numbers (k,) of the rows of x (n, d) that are nearest to some `rows` (k,) of it."""
    from scipy.spatial.distance import cdist

    distance = cdist(x[rows], x)
    distance[np.arange(len(rows)), rows] = np.inf
    return np.asarray(distance.argmin(axis=1))


def near_copies(x: FloatArray) -> float:
    """Share of the rows of x (n, d) that lie far nearer to another one than rows around them do.

    By numbers that are `fine`; 0 of few rows, and where they have less than `LEAST_DIMENSIONS`.
    """
    if len(x) <= AROUND:
        return 0.0
    from scipy.spatial.distance import cdist

    asked = _asked(x)
    order = (1, NEAR, AROUND)  # the row itself is at 0
    nearest, near, around = np.partition(cdist(x[asked], x), order, axis=1)[:, order].T
    apart = near > 0
    if 2 * apart.sum() < len(asked):
        return 0.0
    rise = np.median(np.log(around[apart] / near[apart]))
    dimensions = np.log(AROUND / NEAR) / max(rise, 1e-9)
    if dimensions < LEAST_DIMENSIONS:
        return 0.0
    ratio = np.divide(nearest, near, out=np.zeros_like(near), where=apart)
    return float(np.mean(ratio**dimensions < FAR_NEARER))
