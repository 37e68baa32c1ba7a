"""Random training sets, and the keys from which every random number of a run is drawn.

A split is a permutation of the units, which are rows, or groups of rows that stay together; its
training set of size m is the first m of them, so the training sets of one split grow by units being
added. Where the first m units hold a single class, that (split, m) alone is drawn anew until it
holds two. At every m the law of the training set is then exactly the uniform one over the subsets
of m units with at least two classes.

Stratified training sets hold as many rows of each class, from a permutation for each class.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from gdcurves.arrays import IntArray
from gdcurves.units import MIXED


def generator(seed: int, *key: str | int) -> np.random.Generator:
    """Random numbers that depend on the seed and the key alone, on every platform."""
    words: list[int] = []
    for part in key:
        digest = hashlib.sha256(f"{type(part).__name__}:{part}".encode()).digest()
        words.extend(int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4))
    return np.random.default_rng(np.random.SeedSequence(entropy=seed, spawn_key=tuple(words)))


def training_sets(
    kinds: IntArray,
    sizes: Sequence[int],
    splits: range,
    seed: int,
    experiment: str,
    stratified: bool = False,
) -> dict[int, IntArray]:
    """Training units of every split at every size.

    Parameters
    ----------
    kinds
        Class of every unit, shape (n,), or `MIXED`; at least two classes among all of them.
    sizes
        Training sizes m, each from 2 to n - 1.
    splits
        Numbers of the splits.
    stratified
        Whether a training set holds m // K rows of each of the K classes, drawn uniformly; K times
        m // K rows then. Units are rows.

    Returns
    -------
    For each m the numbers of the units, shape (S, m) for S splits.
    """
    if stratified:
        return _stratified(kinds, sizes, splits, seed, experiment)
    largest = max(sizes)
    first: dict[int, IntArray] = {m: np.empty((len(splits), m), dtype=np.int32) for m in sizes}
    for i, split in enumerate(splits):
        units = generator(seed, experiment, split).permutation(len(kinds))[:largest]
        n_alike = _leading_alike(kinds[units])
        for m in sizes:
            first[m][i] = units[:m] if m > n_alike else _redraw(kinds, m, seed, experiment, split)
    return first


def _stratified(
    y: IntArray, sizes: Sequence[int], splits: range, seed: int, experiment: str
) -> dict[int, IntArray]:
    """Training sets with as many rows of each class: the first of each class's permutation."""
    classes = [np.flatnonzero(y == k) for k in np.unique(y)]
    largest = max(sizes) // len(classes)
    drawn = np.empty((len(splits), len(classes), largest), dtype=np.int32)
    for i, split in enumerate(splits):
        rng = generator(seed, experiment, split)
        for k, rows in enumerate(classes):
            drawn[i, k] = rng.permutation(rows)[:largest]
    return {m: drawn[:, :, : m // len(classes)].reshape(len(splits), -1) for m in sizes}


def _leading_alike(kinds: IntArray) -> int:
    """How many units at the beginning hold one class together."""
    others = (kinds != kinds[0]) | (kinds == MIXED)
    return int(np.argmax(others)) if others.any() else len(kinds)


def _redraw(kinds: IntArray, m: int, seed: int, experiment: str, split: int) -> IntArray:
    """Draw m units uniformly from the sets with two classes: how many of each kind, then which.

    Where one class is rare, drawing units until two classes are there would take very long.
    """
    rng = generator(seed, experiment, split, m)
    present = np.unique(kinds)
    of_kind = [np.flatnonzero(kinds == kind) for kind in present]
    while True:
        counts = rng.multivariate_hypergeometric([len(units) for units in of_kind], m, size=256)
        two = (counts > 0).sum(axis=1) > 1
        admissible = counts[two | (counts[:, present == MIXED] > 0).any(axis=1)]
        if len(admissible):
            drawn = [
                rng.choice(units, n, replace=False)
                for units, n in zip(of_kind, admissible[0], strict=True)
            ]
            return rng.permutation(np.concatenate(drawn))
