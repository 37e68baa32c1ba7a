"""Parts of one table, each read on its own, as one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.datasets.formats import keys
from gdcurves.datasets.raw import Raw, categorical, valueless
from gdcurves.errors import UserError
from gdcurves.words import counted

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.datasets.raw import Cells

MOST_SHOWN = 5
"""Parts, and notes on parts, that are shown."""


def keyed(raw: Raw, name: str, part: str) -> Raw:
    """A part of this name with what the folders around it, named KEY=VALUE, say of its rows.

    Raises UserError where a column of the part, as which messages know it, says otherwise.
    """
    import pandas as pd

    columns = {**raw.columns}
    for key, value in keys.of(name):
        if key in columns:
            keys.check(key, value, pd.unique(columns[key]).tolist(), part)
        else:
            code = -1 if value is None else 0
            columns[key] = categorical(np.full(raw.n_rows, code, dtype=np.int32), [value or ""])
    return replace(raw, columns=columns)


def joined(parts: Mapping[str, Raw], origin: str, drop: Collection[str] = ()) -> Raw:
    """Put the rows of parts, by what they are called, below each other.

    A column is one of numbers where all parts have numbers; else its texts are those of the files.
    Not all parts need have those in `drop`.

    Raises
    ------
    UserError
        Two parts differ in their columns.
    """
    parts = _filled(parts, drop)
    (first, whole), *others = parts.items()
    names = [*whole.columns]
    for name, raw in others:
        if odd := sorted({*names} ^ {*raw.columns}):
            raise UserError(
                f"{origin}: {first} and {name} differ in column {odd[0]!r}, and are no parts of one"
                " table; name one of the files, or join them if the first line of one has the"
                " column names of all"
            )
    raws = [*parts.values()]
    numbers = {name for name in names if all(_may_be_numbers(raw.columns[name]) for raw in raws)}
    anew = [name for name in names if name not in numbers]
    texts = _texts(raws, anew, None)
    columns: dict[str, Cells] = {}
    for name in names:
        if name in numbers:
            columns[name] = np.concatenate([_floats(raw.columns[name]) for raw in raws])
        else:
            columns[name] = texts[name]
    ends = np.cumsum([raw.n_rows for raw in raws])
    notes = [note for raw in raws for note in raw.notes]
    more = [f"{origin}: {len(notes) - MOST_SHOWN} notes more on its parts"]
    return Raw(
        columns,
        origin,
        partial(location, [*parts], [raw.location for raw in raws], ends.tolist()),
        dropped={
            name: why
            for name, why in whole.dropped.items()
            if all(name in raw.dropped for raw in raws)
        },
        broken={name: error for raw in reversed(raws) for name, error in raw.broken.items()},
        notes=(
            about({name: raw.n_rows for name, raw in parts.items()}, origin),
            *notes[:MOST_SHOWN],
            *(more if len(notes) > MOST_SHOWN else []),
        ),
        hint=whole.hint,
        texts=partial(_texts, raws),
        pointed=any(raw.pointed for raw in raws),
    )


def about(parts: Mapping[str, int], origin: str) -> str:
    """Say that files, by what they are called with their numbers of rows, are one table."""
    shown = [f"{name} with {counted(n, 'row')}" for name, n in [*parts.items()][:MOST_SHOWN]]
    more = len(parts) - len(shown)
    return (
        f"{origin}: {len(parts)} files are read as the parts of one table:"
        f" {', '.join([*shown, *[f'{more} more'] * bool(more)])}"
    )


def _filled(parts: Mapping[str, Raw], names: Collection[str]) -> dict[str, Raw]:
    """Give parts those of some columns, `names`, that only others have, without values."""
    known = dict.fromkeys(name for raw in parts.values() for name in raw.columns if name in names)
    return {
        part: replace(
            raw,
            columns={
                **raw.columns,
                **{name: valueless(raw.n_rows) for name in known if name not in raw.columns},
            },
        )
        for part, raw in parts.items()
    }


def _may_be_numbers(cells: Cells) -> bool:
    """Whether a column holds numbers, or nothing at all."""
    return isinstance(cells, np.ndarray) or not (cells.codes >= 0).any()


def _floats(cells: Cells) -> np.ndarray:
    return cells if isinstance(cells, np.ndarray) else np.full(len(cells), np.nan)


def _texts(
    raws: Sequence[Raw], names: Collection[str], n_rows: int | None
) -> dict[str, pd.Categorical]:
    """Columns as their files have them: of all parts, or about so many first rows of one."""
    some = raws if n_rows is None else raws[:1]
    read = [_texts_of(raw, names, n_rows) for raw in some]
    return {name: _stacked([each[name] for each in read]) for name in names}


def _texts_of(raw: Raw, names: Collection[str], n_rows: int | None) -> Mapping[str, pd.Categorical]:
    anew = [name for name in names if n_rows or isinstance(raw.columns[name], np.ndarray)]
    read = raw.texts(anew, n_rows) if anew and raw.texts is not None else {}
    known = {
        name: cells for name in names if not isinstance(cells := raw.columns[name], np.ndarray)
    }
    return {**known, **read}


def _stacked(parts: Sequence[pd.Categorical]) -> pd.Categorical:
    """Texts of parts below each other, each text once."""
    known: dict[str, int] = {}
    codes = []
    for part in parts:
        own = [known.setdefault(text, len(known)) for text in part.categories]
        codes.append(np.array([*own, -1], dtype=np.int32)[part.codes])
    return categorical(np.concatenate(codes), list(known))


def location(
    names: Sequence[str], locations: Sequence[Callable[[int], str]], ends: Sequence[int], row: int
) -> str:
    """Say in which part a row stands, and where there; `ends` counts the rows up to each part's."""
    part = int(np.searchsorted(ends, row, side="right"))
    before = ends[part - 1] if part else 0
    return f"{names[part]}, {locations[part](row - before)}"
