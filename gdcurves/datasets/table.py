"""The one form that every source's content takes, and its fingerprint."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gdcurves.datasets.spec import DatasetSpec, Kind
from gdcurves.errors import UserError
from gdcurves.types import FloatArray

if TYPE_CHECKING:
    import pandas as pd

MISSING = ("", "?")
"""Cells that mean "missing", after blanks around them are removed. No other text does."""

_WHOLE_NUMBER = re.compile(r"([+-]?\d+)\.0*")


class DataUnavailable(UserError):  # noqa: N818 - it states a situation: a run goes on without
    """A data set cannot be had from where it was to come from."""


@dataclass(frozen=True)
class Raw:
    """What a source holds, as the source spells it.

    Attributes
    ----------
    columns
        Names, in the source's order.
    rows
        Cells of each row, in the order of `columns`: text, numbers, None or NaN.
    origin
        Where the rows come from, for people: "file diabetes.arff", "OpenML 37".
    lines
        Line of each row in a text file; None where rows have no lines.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    origin: str
    lines: Sequence[int] | None = None

    def place(self, row: int) -> str:
        """Say where a row stands."""
        where = f"data row {row + 1}" if self.lines is None else f"line {self.lines[row]}"
        return f"{self.origin}, {where}"


@dataclass(frozen=True, eq=False)
class Table:
    """A data set in canonical form, rows in the source's order.

    Attributes
    ----------
    name
        The catalogue's name.
    frame
        Input columns in the catalogue's order, then the target. Continuous columns are float64
        with NaN for missing; discrete ones are objects, str or None for missing.
    kinds
        Kind of each input column.
    target
        Name of the target column.
    source
        Where the rows come from, for people.
    sha256
        Fingerprint of the values: the same for all sources, formats and row orders.
    dropped
        Columns of the source that are none of the catalogue's, row ids for instance.
    """

    name: str
    frame: pd.DataFrame
    kinds: dict[str, Kind]
    target: str
    source: str
    sha256: str
    dropped: tuple[str, ...] = ()


def is_missing(cell: object) -> bool:
    """Tell whether a cell holds no value: None, NaN, or a text of `MISSING`."""
    return cell is None or cell != cell or (isinstance(cell, str) and cell.strip() in MISSING)


def level(cell: object) -> str:
    """Return the canonical text of a discrete value: 1, 1.0, " 1" and "1.0" are all "1"."""
    text = str(cell).strip()
    whole = _WHOLE_NUMBER.fullmatch(text)
    return whole[1] if whole else text


def build(spec: DatasetSpec, raw: Raw) -> Table:
    """Bring a source's content into canonical form.

    Raises
    ------
    UserError
        A column is missing or named twice, there is no row, or a cell of a continuous column
        is no finite number.
    """
    import pandas as pd

    kinds = {**spec.columns, spec.target: spec.target_kind}
    _check_columns(spec, raw, kinds)
    cells = dict(zip(raw.columns, zip(*raw.rows, strict=True), strict=True))
    columns: dict[str, Any] = {
        name: _numbers(cells[name], name, raw) if kind == "continuous" else _levels(cells[name])
        for name, kind in kinds.items()
    }
    return Table(
        name=spec.name,
        frame=pd.DataFrame(
            # with its own dtype: pandas would turn text objects into its string type
            {name: pd.Series(values, dtype=values.dtype) for name, values in columns.items()}
        ),
        kinds=dict(spec.columns),
        target=spec.target,
        source=raw.origin,
        sha256=_fingerprint(kinds, columns),
        dropped=tuple(name for name in raw.columns if name not in kinds),
    )


def _check_columns(spec: DatasetSpec, raw: Raw, wanted: Iterable[str]) -> None:
    absent = [name for name in wanted if name not in raw.columns]
    if absent:
        raise UserError(
            f"{raw.origin}: no column {', '.join(map(repr, absent))}, which data set"
            f" {spec.name!r} needs; its columns are {', '.join(map(repr, raw.columns))}"
        )
    twice = [name for name in wanted if list(raw.columns).count(name) > 1]
    if twice:
        raise UserError(f"{raw.origin}: column {twice[0]!r} appears twice; rename one of them")
    if not raw.rows:
        raise UserError(f"{raw.origin}: holds no data rows")


def _numbers(cells: Sequence[object], name: str, raw: Raw) -> FloatArray:
    values = np.empty(len(cells))
    for row, cell in enumerate(cells):
        if is_missing(cell):
            values[row] = math.nan
            continue
        try:
            number = float(str(cell))
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise UserError(
                f"{raw.place(row)}, column {name!r}: {cell!r} is no finite number;"
                " leave the cell empty or write ? where the value is missing"
            )
        values[row] = number + 0.0  # -0.0 becomes 0.0: equal values have equal bytes
    return values


def _levels(cells: Sequence[object]) -> np.ndarray[Any, np.dtype[np.object_]]:
    spelled = {cell: None if is_missing(cell) else level(cell) for cell in set(cells)}
    values = np.empty(len(cells), dtype=object)
    values[:] = [spelled[cell] for cell in cells]
    return values


def _fingerprint(kinds: dict[str, Kind], columns: dict[str, Any]) -> str:
    """Hash columns and values, rows sorted by all columns in order."""
    import pandas as pd

    digest = hashlib.sha256(json.dumps(list(kinds.items())).encode())
    keys = []
    for name, kind in kinds.items():
        if kind == "discrete":
            codes, levels = pd.factorize(columns[name], sort=True)
            digest.update(json.dumps(list(levels)).encode())
            keys.append(codes.astype("<i4"))
        else:
            keys.append(columns[name].astype("<f8"))
    order = np.lexsort(keys[::-1])
    for key in keys:
        digest.update(key[order].tobytes())
    return digest.hexdigest()
