"""Raw rows: one for each fitter, m and split, as CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from gdcurves.logistic.certificates import Outcome
from gdcurves.scoring.scores import Scores
from gdcurves.store.table import parse

if TYPE_CHECKING:
    import pandas as pd

ROW_COLUMNS = (
    "fitter",
    "m",
    "split",
    "n_train",
    "n_test",
    "errors",
    "errors_halfway",
    "logloss",
    "outcome",
    "degenerate",
    "left_out",
    "theta",
)
TEXTS = frozenset({"fitter", "outcome", "theta"})
OUTCOME_NAMES = {
    Outcome.OVERLAP: "overlap",
    Outcome.SEPARABLE: "separable",
    Outcome.QUASI: "quasi_separable",
    Outcome.UNDECIDED: "undecided",
}


def encode(results: Iterable[tuple[str, int, Scores]], splits: range) -> bytes:
    """Rows of a chunk as CSV: for each fitter and m the scores of the splits, from the first on.

    Errors are the number of misclassified test rows (a mean where a split has several draws);
    `errors_halfway` is empty where nothing was sampled. `degenerate` is 0 or 1, `theta` has blanks
    between its numbers; columns that a fitter has nothing for are empty.
    """
    lines = [",".join(ROW_COLUMNS)]
    for fitter, m, scores in results:
        n_splits = len(scores.errors)
        columns = [
            [fitter] * n_splits,
            [str(m)] * n_splits,
            map(str, splits[:n_splits]),
            [str(scores.n_train)] * n_splits,
            [str(scores.n_test)] * n_splits,
            *(
                map(_number, each.tolist())
                for each in (scores.errors, scores.errors_halfway, scores.logloss)
            ),
            _texts(scores.outcome, n_splits, lambda each: OUTCOME_NAMES[Outcome(each)]),
            _texts(scores.degenerate, n_splits, lambda each: str(int(each))),
            _texts(scores.left_out, n_splits, str),
            _texts(scores.theta, n_splits, lambda each: " ".join(map(_number, each))),
        ]
        lines += map(",".join, zip(*columns, strict=True))
    return ("\n".join(lines) + "\n").encode()


def _texts(values: NDArray[Any] | None, n: int, spell: Callable[[Any], str]) -> Iterable[str]:
    """Spell each of n values; empty where there are none."""
    return [""] * n if values is None else map(spell, values.tolist())


def _number(value: float) -> str:
    """Shortest text that reads back as the value; empty for NaN."""
    if value.is_integer():
        return str(int(value))
    return "" if value != value else repr(value)


def read_groups(paths: Sequence[Path]) -> Iterator[pd.DataFrame]:
    """Yield the raw rows of one fitter and m at a time, from the files of an experiment's chunks.

    Their texts are categories, which take less memory.
    In a file the rows of a fitter and m follow each other, and these are its first two columns.
    """
    places: dict[bytes, list[tuple[Path, int, int]]] = {}
    header = b""
    for path in paths:
        header, *lines = path.read_bytes().splitlines(keepends=True)
        start = len(header)
        for group, rows in groupby(lines, lambda line: b",".join(line.split(b",", 2)[:2])):
            stop = start + sum(map(len, rows))
            places.setdefault(group, []).append((path, start, stop))
            start = stop
    for parts in places.values():
        yield parse(b"".join([header, *(_part(*each) for each in parts)]), TEXTS, text="category")


def read_columns(path: Path, columns: list[str] | None = None) -> pd.DataFrame:
    """Read columns of the raw rows of a chunk, all unless given."""
    return parse(path.read_bytes(), TEXTS, columns)


def _part(path: Path, start: int, stop: int) -> bytes:
    with path.open("rb") as file:
        file.seek(start)
        return file.read(stop - start)
