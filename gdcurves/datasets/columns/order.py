"""What does not depend on the order of a source: labels, rows, and the fingerprint of both."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gdcurves.arrays import IntArray
from gdcurves.datasets.columns.cells import level
from gdcurves.datasets.spec import Kind
from gdcurves.datasets.written import spelling

if TYPE_CHECKING:
    from gdcurves.datasets.raw import Cells


def in_order(present: Sequence[str], declared: Sequence[str]) -> tuple[str, ...]:
    """Labels that occur: in the order declared, or else of numbers, or the natural one."""
    known = dict.fromkeys(level(label) for label in declared)
    first = [label for label in known if label in present]
    others = [label for label in present if label not in known]
    sizes = dict(zip(others, spelling.numbers(others).tolist(), strict=True))
    if any(size != size for size in sizes.values()):
        return (*first, *sorted(others, key=natural))
    return (*first, *sorted(others, key=lambda label: (sizes[label], natural(label))))


def natural(label: str) -> list[Any]:
    """Sort key of texts under which "2" comes before "10"."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", label)]


def fingerprint(kinds: Mapping[str, Kind], cells: Mapping[str, Cells]) -> str:
    """Hash columns and the values in their cells (n,), rows sorted by all columns in order."""
    digest = hashlib.sha256(json.dumps(list(kinds.items())).encode())
    keys: list[Any] = []
    for name in kinds:
        column = cells[name]
        if isinstance(column, np.ndarray):
            keys.append(column)
        else:
            digest.update(json.dumps(list(column.categories)).encode())
            keys.append(column.codes)
    order = row_order(keys)
    for key in keys:
        form = "<f8" if key.dtype.kind == "f" else "<i4"
        digest.update(np.ascontiguousarray(key[order], dtype=form).data)
    return digest.hexdigest()


def row_order(keys: Sequence[Any]) -> IntArray:
    """Row numbers (n,) sorted by the first key, then the second and so on, as `numpy.lexsort` does.

    Keys are arrays (n,) of numbers, NaN last. Only rows that are equal so far are looked at again.
    """
    order: IntArray = np.argsort(keys[0], kind="stable")
    tied = _repeats(keys[0][order])
    for key in keys[1:]:
        if not tied.any():
            break
        # Rows in groups of equal ones, and the group of each.
        within = np.flatnonzero(tied | np.append(tied[1:], False))
        group = np.cumsum(~tied[within])
        rows = order[within]
        inner = np.lexsort((key[rows], group))
        order[within] = rows[inner]
        again = _repeats(key[order[within]]) & (np.append(False, group[1:] == group[:-1]))
        tied = np.zeros_like(tied)
        tied[within] = again
    return order


def _repeats(values: Any) -> Any:
    """Tell where a sorted array repeats the value before."""
    same = values[1:] == values[:-1]
    if values.dtype.kind == "f":
        same |= np.isnan(values[1:]) & np.isnan(values[:-1])
    return np.append(False, same)
