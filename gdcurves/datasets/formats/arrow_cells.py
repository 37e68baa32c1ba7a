"""Columns that come from Arrow in pieces, put together in little more memory than they take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.datasets.raw import categorical

if TYPE_CHECKING:
    import pyarrow as pa

    from gdcurves.datasets.raw import Cells

_TOGETHER = 16  # pieces that are put into the columns in one go
_SPARE = 1.05  # rows that there is room for, over those expected
_UNUSED = 1 << 24  # bytes of texts that are done with, and that Arrow keeps


@dataclass(eq=False)
class _Numbers:
    """Numbers of one column.

    Attributes
    ----------
    values
        The first n of them are given, NaN where a value is missing, without -0.0.
    n
        How many rows there are so far.
    nan
        Whether a text such as "nan" is among them.
    """

    values: FloatArray = field(default_factory=lambda: np.empty(0))
    n: int = 0
    nan: bool = False

    def add(self, piece: pa.ChunkedArray, n_expected: int) -> None:
        """Add rows; `n_expected` is about how many there will be in the end."""
        given = np.asarray(piece.to_numpy(), dtype=np.float64)
        first, self.n = self.n, self.n + len(given)
        if self.n > len(self.values):
            room = np.empty(max(self.n, n_expected if first == 0 else 2 * len(self.values)))
            room[:first] = self.values[:first]
            self.values = room
        np.add(given, 0.0, out=self.values[first : self.n])
        self.nan = self.nan or np.count_nonzero(np.isnan(given)) > piece.null_count

    def cells(self) -> Cells:
        """All of them, shape (n,)."""
        return self.values[: self.n]


@dataclass(eq=False)
class _Texts:
    """Texts of one column of this type, coded within each piece."""

    type: pa.DataType
    pieces: list[Any] = field(default_factory=list)
    nan = False

    def add(self, piece: pa.ChunkedArray, n_expected: int) -> None:
        """Add rows."""
        self.pieces += piece.chunks

    def cells(self) -> Cells:
        """All of them with one code for each text, shape (n,); what they came from is let go."""
        import pyarrow as pa

        coded = pa.chunked_array(self.pieces, self.type).unify_dictionaries().combine_chunks()
        self.pieces.clear()
        codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        return categorical(codes, coded.dictionary.to_numpy(zero_copy_only=False))


def collected(
    batches: Iterable[pa.RecordBatch], schema: pa.Schema, n_batches: float
) -> tuple[dict[str, Cells], set[str]]:
    """Columns (n,) of floats and of coded texts by name; and those with texts such as "nan".

    `n_batches` is about how many batches there are. No two columns have the same name.
    """
    import pyarrow as pa

    columns = {
        each.name: _Numbers() if pa.types.is_floating(each.type) else _Texts(each.type)
        for each in schema
    }
    rest = iter(batches)
    while some := list(islice(rest, _TOGETHER)):
        table = pa.Table.from_batches(some)
        n_expected = int(_SPARE * table.num_rows * max(1, n_batches / len(some)))
        for column, piece in zip(columns.values(), table.columns, strict=True):
            column.add(piece, n_expected)
    whole: dict[str, Cells] = {}
    unused = 0
    for name, column in columns.items():
        whole[name] = cells = column.cells()
        unused += 0 if isinstance(cells, np.ndarray) else cells.nbytes
        if unused > _UNUSED:  # left to itself, Arrow keeps the memory
            pa.default_memory_pool().release_unused()
            unused = 0
    return whole, {name for name, column in columns.items() if column.nan}
