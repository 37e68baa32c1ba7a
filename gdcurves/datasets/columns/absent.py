"""Texts such as NA that stand for missing values among numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from gdcurves.config.reading import MISSING_TEXTS
from gdcurves.datasets.columns.texts import Column
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.request import Request
from gdcurves.datasets.spec import Kind
from gdcurves.words import DISCRETE, MISSING_TEXT


def usual(request: Request) -> bool:
    """Whether the usual texts for missing values are in force."""
    return {*MISSING_TEXTS} <= {*request.missing_texts}


def by_column(
    columns: Mapping[str, Column],
    declared: Mapping[str, Any],
    target: str,
    target_kind: Kind,
    request: Request,
) -> dict[str, tuple[str, ...]]:
    """Texts that stand for missing values among numbers, by column; none if a request rules so.

    Among numbers that are classes, too, unless it is said that such a text is one, by the request
    or the source, or fewer than two classes would be left.
    """
    if not usual(request):
        return {}
    levels = {name for name, kind in declared.items() if kind in ("discrete", "drop", "groups")}
    if target_kind == "discrete" and (request.labels or _n_numbers(columns[target]) < 2):
        levels.add(target)
    gaps = {name: _among_numbers(column) for name, column in columns.items() if name not in levels}
    return {column: texts for column, texts in gaps.items() if texts}


def _among_numbers(column: Column) -> tuple[str, ...]:
    """Texts that may stand for missing values where all other cells are numbers."""
    if isinstance(column.cells, np.ndarray):
        return ()
    texts = column.texts
    if not texts.absent.any() or not texts.plain.any() or not (texts.plain | texts.absent).all():
        return ()
    return tuple(texts.stripped(texts.absent))


def _n_numbers(column: Column) -> int:
    return 0 if isinstance(column.cells, np.ndarray) else int(column.texts.plain.sum())


def doubts(gaps: Mapping[str, tuple[str, ...]], target: str, raw: Raw) -> Iterator[Remark]:
    """Say which texts those of `by_column` are, and how they are a level or a class instead."""
    inputs = {name: texts for name, texts in gaps.items() if name != target}
    goal = {name: texts for name, texts in gaps.items() if name == target}
    level = f"name a column under {DISCRETE} where it is a level"
    label = "list the labels under 'classes' (--classes) where it is a class"
    for about, some, otherwise in (
        (About.MISSING_CLASS, goal, label),
        (About.GAPS, inputs, level),
    ):
        if some:
            texts = dict.fromkeys(text for each in some.values() for text in each)
            yield Remark(
                about,
                f"{raw.origin}: {' or '.join(map(repr, texts))} among numbers is taken for a"
                " missing value, in ",
                tuple(map(repr, some)),
                f"; {otherwise}, or the texts that are missing under {MISSING_TEXT}, as"
                " {only: [...]}",
            )
