"""Raw rows: one for each fitter, m and split, as CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.fitters.diagnostics import DIAGNOSTICS, Kind
from gdcurves.logistic.certificates import Outcome
from gdcurves.scoring.measures import Measure
from gdcurves.scoring.scores import Scores
from gdcurves.store.table import parse

if TYPE_CHECKING:
    import pandas as pd

LEADING = ("fitter", "m", "split", "n_train", "n_test")
TEXTS = {"fitter", *(name for name, kind in DIAGNOSTICS.items() if kind in ("outcome", "vector"))}
TOGETHER = 2**20  # bytes of raw rows that are parsed at a time, if they are of several groups
OUTCOME_NAMES = {
    Outcome.OVERLAP: "overlap",
    Outcome.SEPARABLE: "separable",
    Outcome.QUASI: "quasi_separable",
    Outcome.UNDECIDED: "undecided",
}


def columns(measures: Sequence[Measure]) -> tuple[str, ...]:
    """Columns of the raw rows of a run with these measures."""
    return (*LEADING, *(column for each in measures for column in each.columns), *DIAGNOSTICS)


def encode(
    results: Iterable[tuple[str, int, Scores]], splits: range, measures: Sequence[Measure]
) -> bytes:
    """Rows of a chunk as CSV: for each fitter and m the scores of the splits, from the first on.

    Errors are the number of misclassified test rows (a mean where a split has several draws).
    `degenerate` is 0 or 1, `theta` has blanks between its numbers; what there is none of is empty.
    """
    header = columns(measures)
    lines = [",".join(header)]
    for fitter, m, scores in results:
        n = scores.n_sets
        cells: list[Iterable[str]] = [
            repeat(fitter, n),
            repeat(str(m), n),
            map(str, splits[:n]),
            *(_counts(each, n) for each in (scores.n_train, scores.n_test)),
        ]
        for name in header[len(LEADING) :]:
            if name in DIAGNOSTICS:
                values = getattr(scores.diagnostics, name)
                spell = SPELLINGS[DIAGNOSTICS[name]]
            else:
                values, spell = scores.values[name], _number
            cells.append(repeat("", n) if values is None else map(spell, values.tolist()))
        lines += map(",".join, zip(*cells, strict=True))
    return ("\n".join(lines) + "\n").encode()


def _counts(each: int | IntArray | FloatArray, n: int) -> Iterable[str]:
    """Whole numbers or infinity, of all splits or of each of n, as texts."""
    return repeat(str(each), n) if isinstance(each, int) else map(str, each.tolist())


def _number(value: float) -> str:
    """Shortest text that reads back as the value; empty for NaN."""
    if value.is_integer() and abs(value) < LONGEST:
        return str(int(value))
    return "" if value != value else repr(value)


LONGEST = 1e16
"""From this size on, whole numbers are written as others are, "1e+16"; 64 bits hold those below."""

SPELLINGS: dict[Kind, Callable[[Any], str]] = {
    "outcome": lambda value: OUTCOME_NAMES[Outcome(value)],
    "flag": lambda value: str(int(value)),
    "number": str,
    "vector": lambda value: " ".join(map(_number, value)),
}


def read_groups(paths: Sequence[Path]) -> Iterator[pd.DataFrame]:
    """Yield the raw rows of one fitter and m at a time, from the files of an experiment's chunks.

    Their texts are categories, which take less memory.
    In a file the rows of a fitter and m follow each other, and these are its first two columns.
    Small groups are parsed together, as each parsing takes milliseconds, however little there is.
    """
    places: dict[bytes, list[_Part]] = {}
    header = b""
    for path in paths:
        header, *lines = path.read_bytes().splitlines(keepends=True)
        start = len(header)
        for group, rows in groupby(lines, lambda line: b",".join(line.split(b",", 2)[:2])):
            sizes = [*map(len, rows)]
            places.setdefault(group, []).append(_Part(path, start, sum(sizes), len(sizes)))
            start += sum(sizes)
    for groups in _batches(places.values()):
        content = [header, *(part.read() for parts in groups for part in parts)]
        table = parse(b"".join(content), TEXTS, text="category")
        start = 0
        for parts in groups:
            stop = start + sum(part.n_rows for part in parts)
            yield table.iloc[start:stop]
            start = stop


def read_columns(path: Path, columns: list[str] | None = None) -> pd.DataFrame:
    """Read columns of the raw rows of a chunk, all unless given."""
    return parse(path.read_bytes(), TEXTS, columns)


@dataclass(frozen=True)
class _Part:
    """Rows that follow each other in a file: where they start, and how many bytes and rows."""

    path: Path
    start: int
    n_bytes: int
    n_rows: int

    def read(self) -> bytes:
        with self.path.open("rb") as file:
            file.seek(self.start)
            return file.read(self.n_bytes)


def _batches(groups: Iterable[list[_Part]]) -> Iterator[list[list[_Part]]]:
    """Groups in their order, as many at a time as have `TOGETHER` bytes; one at least."""
    batch: list[list[_Part]] = []
    n_bytes = 0
    for parts in groups:
        own = sum(part.n_bytes for part in parts)
        if batch and n_bytes + own > TOGETHER:
            yield batch
            batch, n_bytes = [], 0
        batch.append(parts)
        n_bytes += own
    if batch:
        yield batch
