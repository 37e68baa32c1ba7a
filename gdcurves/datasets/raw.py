"""What a source holds, column by column, before anything is decided about it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.spec import Kind
from gdcurves.datasets.written import spelling
from gdcurves.datasets.written.whole import EXACT
from gdcurves.errors import MisfitError, UserError

if TYPE_CHECKING:
    import pandas as pd

    Cells = FloatArray | pd.Categorical

_UNSEEN = re.compile(
    "[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
)
_BLANK = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")


ANOTHER_TARGET = "another target"  # why a column is no input that a source declares as one


@dataclass(frozen=True)
class Where:
    """A column, for messages.

    Attributes
    ----------
    origin, column
        The source and the column's name.
    location
        Says where in the source a row stands.
    keys
        What of the experiment is to blame, should the cells be wrong; nothing if they are.
    """

    origin: str
    column: str
    location: Callable[[int], str]
    keys: tuple[str | int, ...] = ()

    def error(self, row: int | None, message: str) -> UserError:
        """Return the error for a row, None for the whole column."""
        text = self._text(row, message)
        return MisfitError(text, *self.keys) if self.keys else UserError(text)

    def remark(self, about: About, row: int | None, message: str, case: str = "") -> Remark:
        """Return the remark about a row, None for the whole column."""
        return Remark(about, self._text(row, message), (repr(self.column),), case=case)

    def _text(self, row: int | None, message: str) -> str:
        location = self.origin if row is None else f"{self.origin}, {self.location(row)}"
        return f"{location}, column {self.column!r}: {message}"


@dataclass(frozen=True, eq=False)
class Raw:
    """A source's content, as the source spells it.

    Attributes
    ----------
    columns
        Cells (n,) by the column's name, in the source's order. Numbers are float64 with NaN for
        missing and without -0.0, so that equal values have equal bytes; everything else is a
        categorical of texts, those for missing values among them or as code -1.
    origin
        Where the cells come from, for people: "file diabetes.arff", "OpenML 37".
    location
        Says where in the source a row stands, from its number: "line 7".
    kinds
        Kinds that the source declares.
    labels
        Order of a column's texts, where the source declares one.
    target
        The column that the source declares as the one to predict.
    dropped
        Columns that are no inputs by the source's own word, or have no name, each with the reason.
    broken
        Columns that cannot be used as they are, each with the error that says why; they are
        rescued by those who leave them out.
    notes
        What the user should look at in the source itself.
    about
        What else the source says of itself: "name", "licence", "url".
    hint
        What messages about names that there are not end with.
    texts
        Reads some of the columns anew, as they are written: all rows, or about so many first ones;
        None where numbers have one writing.
    pointed
        Whether points may stand between thousands, as where commas do not separate cells.
    """

    columns: Mapping[str, Cells]
    origin: str
    location: Callable[[int], str]
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    target: str | None = None
    dropped: Mapping[str, str] = field(default_factory=dict)
    broken: Mapping[str, UserError] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    about: Mapping[str, str] = field(default_factory=dict)
    hint: str = ""
    texts: Callable[[Collection[str], int | None], Mapping[str, pd.Categorical]] | None = None
    pointed: bool = False

    @classmethod
    def of_rows(
        cls,
        names: Sequence[str],
        rows: Sequence[Sequence[object]],
        origin: str,
    ) -> Raw:
        """Collect rows of cells: texts, numbers, None or NaN.

        Raises
        ------
        UserError
            A name is empty or stands twice, or there is no row.
        """
        check_names(names, origin)
        check_rows(len(rows), origin)
        cells = (collect(column) for column in zip(*rows, strict=True))
        return cls(dict(zip(names, cells, strict=True)), origin, by_number)

    def where(self, column: str, *keys: str | int) -> Where:
        """Return what makes messages about a column; see `Where` for `keys`."""
        return Where(self.origin, column, self.location, keys)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self.columns.values())))


def by_number(row: int) -> str:
    """Say where a row stands in a source that has no lines."""
    return f"data row {row + 1}"


def collect(cells: Sequence[object]) -> Cells:
    """Turn the n cells of one column into numbers, if all are, or texts; shape (n,).

    Whole numbers of which floats are not exact become texts.
    """
    kinds = {type(cell) for cell in cells}
    large = (isinstance(cell, int) and abs(cell) >= EXACT for cell in cells)
    if kinds <= {int, float, type(None)} and not (int in kinds and any(large)):
        values = [np.nan if cell is None else cell for cell in cells]
        return np.array(values, dtype=np.float64) + 0.0
    known: dict[str, int] = {}
    codes = [
        -1 if cell is None or cell != cell else known.setdefault(_text(cell), len(known))
        for cell in cells
    ]
    return categorical(np.array(codes, dtype=np.int32), list(known))


def _text(cell: object) -> str:
    if isinstance(cell, str):
        return cell
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def categorical(codes: Any, texts: Any) -> pd.Categorical:
    """Texts by their codes, which may be -1, with the texts as plain objects."""
    import pandas as pd

    return pd.Categorical.from_codes(codes, pd.Index(texts, dtype=object))


def valueless(n_rows: int) -> pd.Categorical:
    """A column of so many rows without a value in any."""
    return categorical(np.full(n_rows, -1, dtype=np.int32), [])


def title(text: str) -> str:
    """A name in a header as options may give it: in one line, without blanks around it.

    Nor with marks that cannot be seen, such as that of UTF-8 where files were joined, and with one
    form of each letter and blank.
    """
    if not text.isascii():
        text = _BLANK.sub(" ", unicodedata.normalize("NFC", _UNSEEN.sub("", text)))
    return " ".join(line.strip() for line in text.splitlines()).strip()


def named(titles: Sequence[str], origin: str) -> list[str]:
    """Names of columns, "column 1" and so on where a header has none, or one that stood before.

    Raises UserError where a column has such a name already.
    """
    first = {title: number for number, title in reversed([*enumerate(titles)])}
    names = [
        title if title and first[title] == number else f"column {number + 1}"
        for number, title in enumerate(titles)
    ]
    check_names(names, origin)
    return names


def nameless(number: int, n_columns: int) -> str:
    """Say that a column has no name, and what to do."""
    return (
        f"column {number} of {n_columns} has no name; write one into the header, or take out what"
        " stands above the column names"
    )


NO_HEADER = "--no-header (`no_header: true`), which calls the columns c1, c2 and so on"
"""What to give where the first row is none of names."""


def no_header(names: Collection[str], headless: bool = False) -> str:
    """Advise to write a header where most names of columns are numbers; say nothing elsewhere.

    `headless` is whether the names look like a row anyhow.
    """
    n_numbers = sum(spelling.number(name) == spelling.number(name) for name in names)
    if 2 * n_numbers <= len(names) and not headless:
        return ""
    return f", or if they are a row, write a line of column names above it, or give {NO_HEADER}"


def unnamed(n_columns: int) -> tuple[str, ...]:
    """Names for so many columns of which the source has none."""
    return tuple(f"c{number}" for number in range(1, n_columns + 1))


def check_names(names: Sequence[str], origin: str) -> None:
    """Refuse columns without a name of their own; raises UserError."""
    seen: dict[str, int] = {}
    for number, name in enumerate(names, start=1):
        if not name:
            raise UserError(f"{origin}: {nameless(number, len(names))}")
        if (other := seen.setdefault(name, number)) != number:
            raise UserError(f"{origin}: {twice(name, other, number)}{no_header(names)}")


def twice(name: str, first: int, second: int) -> str:
    """Say that two columns, the first one being 1, have one name, and what to do."""
    return f"column {name!r} appears twice, as columns {first} and {second}; rename one of them"


def check_rows(n_rows: int, origin: str) -> None:
    """Refuse a source without rows; raises UserError."""
    if n_rows == 0:
        raise UserError(f"{origin}: holds no data rows, only column names; add rows")
