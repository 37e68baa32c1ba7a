"""Tables in memory: data frames of the libraries that narwhals knows, and arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gdcurves.datasets.formats import parquet
from gdcurves.datasets.raw import Raw, collect
from gdcurves.errors import UserError
from gdcurves.words import counted

if TYPE_CHECKING:
    import pyarrow as pa

    from gdcurves.datasets.raw import Cells

FRAME = "data frame"
ARRAYS = "arrays"
TARGET = "target"
"""What the classes are called that come beside the inputs and have no name."""


def of_frame(frame: Any) -> Raw:
    """Take the columns of a data frame; an index is none.

    Types mean what they do in a Parquet file: floats are continuous, texts, booleans and categories
    discrete, with the order of categories; integers are open, and so are objects of several types.

    Raises
    ------
    UserError
        It is no data frame, two columns have one name, or there is no row or column.
    """
    return _raw(_columns(frame), FRAME)


def of_arrays(x: Any, y: Any) -> tuple[Raw, str]:
    """Take inputs and classes, and say what the column of the classes is called.

    Parameters
    ----------
    x
        A data frame, or what NumPy makes an array (n, d) of, whose columns are x1, x2, ...
    y
        A series, or what NumPy makes an array (n,) of.

    Raises
    ------
    UserError
        They are neither, differ in length, or are empty.
    """
    is_array = isinstance(x, np.ndarray | list | tuple)
    columns = _of_matrix(x) if is_array else _columns(x)
    name = str(getattr(y, "name", None) or TARGET)
    goal = y.to_numpy() if hasattr(y, "to_numpy") else np.asarray(y)
    if goal.ndim != 1:
        raise UserError(f"target: an array of shape {goal.shape}; give one class for each row")
    n_rows = len(columns[0][1]) if columns else 0
    if len(goal) != n_rows:
        raise UserError(
            f"target: {counted(len(goal), 'class')} for {counted(n_rows, 'row')}; give one for each"
        )
    return _raw([*columns, (name, goal)], ARRAYS if is_array else FRAME), name


def _of_matrix(x: Any) -> list[tuple[str, Any]]:
    try:
        matrix = np.asarray(x)
    except ValueError as error:  # rows of different lengths
        raise UserError(f"data: no array: {parquet.line(error)}; give rows of one length") from None
    if matrix.ndim != 2:
        raise UserError(f"data: an array of shape {matrix.shape}; give one of rows and columns")
    return [(f"x{number}", column) for number, column in enumerate(matrix.T, start=1)]


def _columns(frame: Any) -> list[tuple[str, Any]]:
    """Columns of a data frame by their names; raises UserError."""
    try:
        import narwhals
        from narwhals.exceptions import NarwhalsError
    except ImportError as error:
        raise UserError(
            f"data frames: {error}; install what they need: pip install 'gdcurves[notebook]'"
        ) from None
    try:
        known: Any = narwhals.from_native(frame)
        if isinstance(known, narwhals.LazyFrame):
            known = known.collect()
        return [(str(each.name).strip(), each) for each in known.iter_columns()]
    except TypeError:
        raise UserError(
            f"data: {type(frame).__name__} is no table; give a data frame, arrays of inputs and of"
            " classes, or the name of a file"
        ) from None
    except NarwhalsError as error:
        raise UserError(f"{FRAME}: {parquet.line(error)}") from None


def _raw(columns: Iterable[tuple[str, Any]], origin: str) -> Raw:
    import pyarrow as pa

    names: list[str] = []
    arrays: list[pa.ChunkedArray | pa.Array] = []
    mixed: dict[str, Cells] = {}
    broken: dict[str, UserError] = {}
    for name, cells in columns:
        names.append(name)
        try:
            arrays.append(_array(cells))
        except (pa.ArrowException, TypeError):
            listed = cells.to_list() if hasattr(cells, "to_list") else cells.tolist()
            if any(isinstance(cell, complex) for cell in listed):
                broken[name] = UserError(
                    f"{origin}, column {name!r}: holds complex numbers, which have no order; give"
                    " their real and imaginary parts, or size and angle, as columns of their own"
                )
            mixed[name] = collect(listed)
            arrays.append(pa.nulls(len(cells)))
    raw = parquet.raw_of(pa.table(arrays, names), origin, broken)
    return replace(raw, columns={**raw.columns, **mixed})


def _array(cells: Any) -> pa.ChunkedArray | pa.Array:
    """Cells of one column as Arrow has them; raises ArrowException where no type is theirs."""
    import pyarrow as pa

    if isinstance(cells, np.ndarray):
        return pa.array(cells.astype(object) if cells.dtype.kind in "US" else cells)
    return cells.to_arrow()
