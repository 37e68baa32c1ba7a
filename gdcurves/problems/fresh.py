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
    largest = sizes[-1] // K * K if stratified else sizes[-1]
    y = np.empty((len(numbers), largest), dtype=np.int64)
    rows = []
    for i, split in enumerate(numbers):
        rng = splits.generator(seed, experiment, "rows", split)
        y[i] = np.arange(largest) % K if stratified else _classes(simulation, (largest,), rng)
        rows.append(_rows(simulation, y[i], rng))
    x = np.stack(rows)
    for m in sizes:
        n = m // K * K if stratified else m
        part = Fresh(x[:, :n], y[:, :n])
        alone = np.flatnonzero(_alike(part.y)).tolist()
        if alone:
            part = Fresh(part.x.copy(), part.y.copy())
        for i in alone:
            rng = splits.generator(seed, experiment, "rows", numbers[i], m)
            part.y[i] = _mixed(simulation, m, rng)
            part.x[i] = _rows(simulation, part.y[i], rng)
        yield m, part


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
