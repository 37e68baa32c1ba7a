"""The inputs of a problem: which rows have them, and numbers and codes made from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.config.reading import Missing, Rescale
from gdcurves.datasets.columns.cells import gaps
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.table import Table
from gdcurves.datasets.written.whole import FEW_NUMBERS
from gdcurves.errors import MisfitError
from gdcurves.problems.reach import Moved, within
from gdcurves.words import dropping

LARGEST = 1e50  # its square, summed over all rows, is a number still
GRID = 100  # bits; a double of 2^-47 and above is on it
FARTHEST = 1e4  # spans from zero; farther out, rounding hides on which side of a plane a row is


def incomplete(table: Table, features: Sequence[str], missing: Missing) -> BoolArray:
    """Tell which of the N rows of a table are left out for a missing value, shape (N,).

    Raises MisfitError where missing values are refused.
    """
    left_out = gaps(table.cells(table.target)).copy()
    for feature in features:
        rule = getattr(missing, table.kinds[feature])
        empty = gaps(table.cells(feature))
        if rule == "error" and empty.any():
            cell = table.location(int(np.argmax(empty)))
            raise MisfitError(
                f"{cell}, column {feature!r}: a value is missing, which `missing: error` refuses;"
                " fill it in, drop the column, or change `missing`",
                "missing",
            )
        if rule == "drop_rows":
            left_out |= empty
    return left_out


def coded(
    table: Table, features: Sequence[str], used: BoolArray, rescale: Rescale
) -> tuple[FloatArray | IntArray, tuple[int, ...], int, dict[str, Moved]]:
    """Inputs (n, d), their numbers of levels, how many missing values stay, and what was moved.

    `used` (N,) tells which of the N rows of the table become the n rows of the problem.
    """
    kinds = [table.kinds[each] for each in features]
    x = np.empty(
        (int(used.sum()), len(features)),
        dtype=np.int32 if set(kinds) == {"discrete"} else np.float64,
    )
    levels = []
    n_filled = 0
    moved = {}
    for column, (feature, kind) in enumerate(zip(features, kinds, strict=True)):
        cells = table.cells(feature)[used]
        n_filled += int(gaps(cells).sum())
        if kind == "discrete":
            x[:, column], n_levels = _codes(cells.codes)
            levels.append(n_levels)
        else:
            near, far = within(cells)
            if far is not None:
                moved[feature] = far
            x[:, column] = _scaled(near, rescale, f"input {feature!r} of {table.called}")
            levels.append(0)
    return x, tuple(levels), n_filled, moved


def doubts(
    table: Table, features: Sequence[str], x: FloatArray | IntArray, levels: Sequence[int]
) -> Iterator[Remark]:
    """Name the inputs that tell nothing of other rows, from the numbers and codes x (n, d).

    They are the same in all rows, missing values aside, or have levels of which most are of one
    row. `levels` (d,) has their numbers, 0 for continuous inputs. Nothing is said of data sets of
    the catalogue, which are known.
    """
    if table.catalogued:
        return
    low, high = np.fmin.reduce(x, axis=0), np.fmax.reduce(x, axis=0)
    same = [name for name, a, b in zip(features, low, high, strict=True) if not a < b]
    if same:
        every = len(same) == len(features)
        yield Remark(
            About.CONSTANT,
            f"{table.source}: {'every input is' if every else 'inputs that are'} the same in all"
            f" rows used, and {'tells' if every else 'tell'} nothing: ",
            tuple(map(repr, same)),
            "",
        )
    once = [
        (name, n)
        for i, (name, n) in enumerate(zip(features, levels, strict=True))
        if n > FEW_NUMBERS and 2 * np.count_nonzero(np.bincount(x[:, i].astype(int)) == 1) > n
    ]
    if once:
        option = dropping(name for name, _ in once)
        yield Remark(
            About.LEVELS,
            f"{table.source}: most levels are of one row alone, which tells nothing of others, in ",
            tuple(f"{name!r} ({n:,} levels of {len(x):,} rows)" for name, n in once),
            f"; write numbers as numbers, what means the same alike, or leave it out: {option}",
        )


def _codes(codes: IntArray) -> tuple[IntArray, int]:
    """Number the levels that occur, in order, a missing value last; count them."""
    present, renumbered = np.unique(codes, return_inverse=True)
    if present[0] < 0:
        renumbered = (renumbered - 1) % len(present)
    return renumbered, len(present)


def _scaled(values: FloatArray, rescale: Rescale, name: str) -> FloatArray:
    """Rescale values to [0, 1], constant ones to 0; NaN stays."""
    if rescale == "none":
        largest = np.fmax.reduce(np.abs(values), initial=0.0)
        if largest > LARGEST:
            raise MisfitError(
                f"{name} holds {largest:g}, and `rescale: none` takes numbers up to {LARGEST:g};"
                " choose another `rescale`, or change the unit",
                "rescale",
            )
        span = np.fmax.reduce(values, initial=-np.inf) - np.fmin.reduce(values, initial=np.inf)
        if 0 < span < largest / FARTHEST:
            raise MisfitError(
                f"{name} spans {span:g} and reaches {largest:g}, and `rescale: none` takes inputs"
                f" up to {FARTHEST:,.0f} spans from zero; choose another `rescale`, or measure it"
                " from a nearer zero",
                "rescale",
            )
        return values
    # By a power of two, so that no difference overflows; plus zero, so that none of them is -0.
    _, exponent = np.frexp(np.fmax.reduce(np.abs(values), initial=0.0))
    half = np.ldexp(values, -exponent - 1) + 0.0
    low = np.fmin.reduce(half, initial=np.inf)
    span = np.fmax.reduce(half, initial=-np.inf) - low
    if not np.isfinite(low):
        return values
    scaled: FloatArray = (half - low) / (span if span > 0 else 1.0)
    # On a grid: training sets are rescaled by what they span, the squares of which are numbers.
    return np.ldexp(np.rint(np.ldexp(scaled, GRID)), -GRID)
