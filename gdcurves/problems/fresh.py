"""Training rows that are drawn from a law for each split, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdcurves import splits
from gdcurves.arrays import BoolArray, IntArray
from gdcurves.simulators import SimulationConfig

FIRST_PART = 64  # rows of a split that are drawn together
AT_ONCE = 256  # training sets of which the first with two classes is taken


@dataclass(frozen=True, eq=False)
class Fresh:
    """Training sets of S splits at one size.

    Attributes
    ----------
    x
        Inputs, shape (S, m, d).
    y
        Classes, shape (S, m).
    """

    x: NDArray[Any]
    y: IntArray


def draw(
    simulation: SimulationConfig,
    sizes: Sequence[int],
    numbers: Sequence[int] | range,
    seed: int,
    experiment: str,
    stratified: bool = False,
) -> Iterator[tuple[int, Fresh]]:
    """Yield each size with its training sets; those of a split grow by rows being added.

    Classes are drawn with their probabilities; where a training set would hold a single one, it is
    drawn anew for that split and size. Stratified ones hold m // K rows of each of the K classes.

    Parameters
    ----------
    simulation
        The law.
    sizes
        Training sizes m, increasing.
    numbers
        Of the splits.
    """
    K = simulation.law.n_classes
    drawn = [
        _of_split(simulation, sizes[-1], (seed, experiment, "rows", split), stratified)
        for split in numbers
    ]
    x, y = (np.stack(each) for each in zip(*drawn, strict=True))
    for m in sizes:
        n = m // K * K if stratified else m
        part = Fresh(x[:, :n], y[:, :n])
        alone = np.flatnonzero(_alike(part.y)).tolist()
        if alone:
            part = Fresh(part.x.copy(), part.y.copy())
        for i in alone:
            rng = splits.generator(seed, experiment, "mixed", numbers[i], m)
            part.y[i] = _mixed(simulation, m, rng)
            part.x[i] = _rows(simulation, part.y[i], rng)
        yield m, part


def _of_split(
    simulation: SimulationConfig, m: int, key: tuple[int, str, str, int], stratified: bool
) -> tuple[NDArray[Any], IntArray]:
    """Inputs (m, d) and classes (m,) of a split's first m rows, which are the same for all m.

    Rows are drawn in parts, each as long as all before it, from random numbers of its own.
    """
    K = simulation.law.n_classes
    parts = []
    start, stop = 0, FIRST_PART
    while start < m:
        rng = splits.generator(*key, start)
        n = stop - start
        y = np.arange(start, stop) % K if stratified else _classes(simulation, (n,), rng)
        parts.append((_rows(simulation, y, rng), y))
        start, stop = stop, 2 * stop
    x, y = (np.concatenate(each)[:m] for each in zip(*parts, strict=True))
    return x, y


def _classes(
    simulation: SimulationConfig, shape: tuple[int, ...], rng: np.random.Generator
) -> IntArray:
    """Classes drawn with their probabilities, of this shape (...)."""
    upto = np.cumsum(simulation.shares)[:-1]
    return np.searchsorted(upto, rng.random(shape), "right")


def _mixed(simulation: SimulationConfig, m: int, rng: np.random.Generator) -> IntArray:
    """Classes (m,) of a training set that holds at least two."""
    while True:
        drawn = _classes(simulation, (AT_ONCE, m), rng)
        mixed = np.flatnonzero(~_alike(drawn))
        if len(mixed):
            first: IntArray = drawn[mixed[0]]
            return first


def _alike(y: IntArray) -> BoolArray:
    """Which of B training sets (B, m) hold a single class, shape (B,)."""
    alike: BoolArray = (y == y[:, :1]).all(axis=1)
    return alike


def _rows(simulation: SimulationConfig, y: IntArray, rng: np.random.Generator) -> NDArray[Any]:
    """Inputs (m, d) of rows of these classes (m,)."""
    law = simulation.law
    counts = np.bincount(y, minlength=law.n_classes).tolist()
    (drawn,) = law.draw(counts, rng, 1)
    x: NDArray[Any] = np.empty_like(drawn)
    x[np.argsort(y, kind="stable")] = drawn
    return x
