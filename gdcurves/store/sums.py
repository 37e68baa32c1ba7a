"""Sums for every unit, or block of units, of the splits of a chunk, as a file of NumPy's arrays.

A unit is a row, or a group of rows. For each measure, size and classifier or pair of them it has an
array with a line for each of the `QUANTITIES` or `LINEAR` ones of `gdcurves.scoring.sums`, in
single precision (the deviations are from the chunk's own mean, so that no digit that counts is
lost), and the number of splits and their mean. `units` says how many units each column stands for.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from gdcurves.arrays import IntArray
from gdcurves.scoring.sums import LINEAR, QUANTITIES, UnitSums, together
from gdcurves.store import whole
from gdcurves.store.table import RESUME

MOST_BYTES = 200_000_000  # of all sums of a run
MOST_BLOCKS = 1000
LEAST_BLOCKS = 100
_NUMBER = 4  # bytes

Key = tuple[int, str, str, str]  # m, measure, classifiers a and b; "" for b if it is a alone


def encode(sums: Mapping[Key, UnitSums], units: IntArray) -> bytes:
    """Content of a file: sums by key, and the units of each column, shape (G,)."""
    arrays: dict[str, Any] = {"units": units}
    for key, each in sums.items():
        name = "/".join(map(str, key))
        arrays[f"{name}/mean"] = np.array([each.n_splits, each.mean])
        with np.errstate(over="ignore"):  # what is too large for it is of no use as a double either
            arrays[name] = each.values.astype(np.float32)
    content = io.BytesIO()
    np.savez(content, **arrays)
    return content.getvalue()


@dataclass(frozen=True)
class Sums:
    """Sums of an experiment.

    Attributes
    ----------
    units
        How many units each column stands for, shape (G,).
    parts
        By key: one for all splits where each column is a unit; else one for each chunk, from whose
        differences it is told how sure a block's sums are.
    """

    units: IntArray
    parts: Mapping[Key, Sequence[UnitSums]]

    @cached_property
    def are_of_blocks(self) -> bool:
        """Whether columns stand for blocks of several units."""
        return _are_blocks(self.units)


def read(paths: Sequence[Path]) -> Sums:
    """Read the files of an experiment, at least one; raises UserError where that cannot be."""
    units = np.zeros(0, dtype=np.int64)
    parts: dict[Key, list[UnitSums]] = {}
    for path in paths:
        try:
            with np.load(path, allow_pickle=False) as file:
                units = file["units"]
                for key, each in _read(file):
                    before = parts.get(key, [])
                    parts[key] = [*before, each]
                    if not _are_blocks(units):
                        parts[key] = [together(parts[key])]
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            known = error if isinstance(error, OSError) else ValueError(str(error))
            raise whole.unreadable(path, known, RESUME) from None
    return Sums(units, parts)


def _are_blocks(units: IntArray) -> bool:
    return bool((units > 1).any())


def _read(file: Mapping[str, Any]) -> Iterator[tuple[Key, UnitSums]]:
    for name in file:
        if name.count("/") == 3:
            m, measure, a, b = name.split("/")
            n_splits, mean = file[f"{name}/mean"].tolist()
            values = file[name].astype(np.float64)
            yield (int(m), measure, a, b), UnitSums(int(n_splits), mean, values)


def n_blocks(n_units: int, n_keys: int, n_chunks: int) -> int:
    """How many units or blocks of units there are sums for, so that they fit in `MOST_BYTES`.

    That is `n_units`, one for each, where they fit; else blocks of units, 1000 unless too many.

    Parameters
    ----------
    n_units
        Of the data set.
    n_keys, n_chunks
        Sizes times measures times classifiers and pairs of them, and files.
    """
    each = _NUMBER * max(1, n_keys) * n_chunks
    if n_units <= max(LEAST_BLOCKS, MOST_BYTES // (each * len(QUANTITIES))):
        return n_units
    fit = MOST_BYTES // (each * len(LINEAR))
    return min(n_units, max(LEAST_BLOCKS, min(MOST_BLOCKS, fit)))
