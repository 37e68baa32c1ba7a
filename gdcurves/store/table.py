"""The tables of a run as CSV. Whoever makes one says in its format what its columns are."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gdcurves.errors import UserError, unwritable
from gdcurves.store import whole

if TYPE_CHECKING:
    import pandas as pd

RESUME = "run the experiment again, with --resume"  # which makes tables anew from the raw rows


@dataclass(frozen=True)
class TableFormat:
    """A table of a results folder.

    Attributes
    ----------
    name
        Of its file.
    columns
        In order; others may follow where their number is not known beforehand.
    texts
        Columns of names, which are texts whatever they look like. All others are numbers.
    needed
        Columns without which the table is refused.
    advice
        What to do where it cannot be read.
    """

    name: str
    columns: tuple[str, ...]
    texts: frozenset[str]
    needed: tuple[str, ...] = ()
    advice: str = RESUME

    def read(self, folder: Path) -> pd.DataFrame | None:
        """Read it from a results folder; None where there is none.

        Raises
        ------
        UserError
            If it is damaged, or lacks a column that is needed.
        """
        path = folder / self.name
        if not path.exists():
            return None
        try:
            content = path.read_bytes()
            absent = [name for name in self.needed if name not in _header(content)]
            if absent:
                raise UserError(f"{path}: no column {absent[0]!r} in it; {self.advice}")
            return parse(content, self.texts)
        except (OSError, ValueError) as error:
            raise whole.unreadable(path, error, self.advice) from None

    def write(self, folder: Path, table: pd.DataFrame) -> None:
        """Replace it in a results folder; raises WriteError."""
        content = table.to_csv(index=False, lineterminator="\n").encode()
        whole.replace(folder / self.name, content)

    def remove(self, folder: Path) -> None:
        """Remove it from a results folder, if it is there; raises WriteError."""
        try:
            (folder / self.name).unlink(missing_ok=True)
        except OSError as error:
            raise unwritable(folder / self.name, error) from None


def parse(
    content: bytes,
    texts: Collection[str],
    columns: list[str] | None = None,
    text: Literal["str", "category"] = "str",
) -> pd.DataFrame:
    """Read a table; an empty number is NaN, an empty text is empty.

    Numbers of any size are what was written. Raises ValueError where one is none.

    Parameters
    ----------
    content
        Of the file.
    texts
        Columns of names.
    columns
        Those to read; all unless given.
    text
        The type that names get; categories take less memory.
    """
    import pandas as pd

    header = _header(content)
    table = pd.read_csv(
        io.BytesIO(content),
        usecols=columns,
        dtype={column: text for column in header if column in texts},
        keep_default_na=False,
        na_values={column: [""] for column in header if column not in texts},
    )
    # Whole numbers beyond 64 bits come as objects or texts, and some below as ones without a sign.
    wide = [str(name) for name in table if name not in texts and table[name].dtype.kind in "Ou"]
    numbers = {
        name: [float(cell) if cell != "" else math.nan for cell in table[name]] for name in wide
    }
    return table.assign(**numbers)


def _header(content: bytes) -> list[str]:
    """Names of its columns, which hold no line ends; raises ValueError if there are none."""
    first, _, _ = content.partition(b"\n")
    names = next(csv.reader([first.decode("utf-8-sig").rstrip("\r")]))
    if not names:
        raise ValueError("no columns in it")
    return names
