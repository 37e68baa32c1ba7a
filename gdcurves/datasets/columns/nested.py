"""Keys that begin anew within another column's values, as numbers of patients do in centers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gdcurves.arrays import BoolArray, IntArray
from gdcurves.datasets.columns.cells import gaps, levels
from gdcurves.datasets.columns.texts import Column

MOST_AROUND = 50
"""Values of a column around others, such as centers."""

LARGEST = 50_000
"""Rows of tables in which they are looked for."""


def around(name: str, columns: Mapping[str, Column]) -> tuple[str, int] | None:
    """The column within whose values those of a key are other ones, and how many there are in all.

    Half of the key's values or more stand beside several of its values, in blocks of two rows or
    more; and what is the same in all rows of each block, as sex or age is, but not in all of the
    other column's value, is never the same in all rows of a key's value. None where there is no
    such column: a second period of the same patients has their age in common with the first.

    Parameters
    ----------
    name
        The key.
    columns
        All that may be inputs, the key among them, by their names.
    """
    if len(columns[name].cells) > LARGEST:
        return None
    coded = {each: _codes(column) for each, column in columns.items()}
    key = coded.pop(name)
    few = {each: n for each, codes in coded.items() if 1 < (n := codes.max() + 1) <= MOST_AROUND}
    for other in sorted(few, key=few.__getitem__):
        block = _pairs(coded[other], key)
        rest = {each: codes for each, codes in coded.items() if not _same(coded[other], codes)}
        if _splits(key, block) and _belong(rest, key, block):
            return other, int(block.max() + 1)
    return None


def _codes(column: Column) -> IntArray:
    """Numbers of a column's values, shape (n,); -1 where there is none."""
    known = levels(column.cells, column.missing)
    return np.where(gaps(known), -1, known.codes).astype(np.int64)


def _pairs(first: IntArray, second: IntArray) -> IntArray:
    """Numbers of the pairs of two columns' values, shape (n,); -1 where one has none."""
    known = (first >= 0) & (second >= 0)
    pairs = np.full(len(first), -1)
    pairs[known] = np.unique(_both(first[known], second[known]), return_inverse=True)[1]
    return pairs


def _both(first: IntArray, second: IntArray) -> IntArray:
    """A number (n,) for each pair of numbers (n,) from 0 on, in the order of the pairs."""
    both: IntArray = first * (second.max(initial=0) + 1) + second
    return both


def _splits(key: IntArray, block: IntArray) -> bool:
    """Whether most values of a key (n,) stand in several blocks (n,), each of several rows."""
    known = block >= 0
    n_blocks = int(block.max() + 1)
    if not n_blocks or known.sum() < 2 * n_blocks:
        return False
    first = np.unique(block[known], return_index=True)[1]
    counts = np.bincount(key[known][first])
    return bool(2 * np.count_nonzero(counts > 1) >= np.count_nonzero(counts))


def _belong(columns: Mapping[str, IntArray], key: IntArray, block: IntArray) -> bool:
    """Whether some of columns (n,) never differ within a block (n,), and none within a key (n,)."""
    varying = [each for each in columns.values() if each.max() > 0]
    return any(_same(block, each) for each in varying) and not any(
        _same(key, each) for each in varying
    )


def _same(group: IntArray, codes: IntArray) -> bool:
    """Whether a column (n,) never differs within a group (n,), and not for want of equal rows."""
    known: BoolArray = (group >= 0) & (codes >= 0)
    if not known.any():
        return False
    pairs = np.unique(_both(group[known], codes[known]))
    return len(pairs) == len(np.unique(group[known]))
