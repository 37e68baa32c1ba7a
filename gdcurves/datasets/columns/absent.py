"""Texts such as NA that stand for missing values among numbers, or beside true and false."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from gdcurves.arrays import BoolArray
from gdcurves.config.reading import MISSING_TEXTS
from gdcurves.datasets.columns.texts import Column, Texts
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.request import Request
from gdcurves.datasets.spec import Kind
from gdcurves.words import DISCRETE, MISSING_TEXT

_LOGICAL = ("true", "false", "t", "f")


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

    An input of nothing else has no value. Among numbers that are classes, too, or true and false,
    as R writes them, unless it is said that such a text is one, by the request or the source, or
    fewer than two classes would be left.
    """
    if not usual(request):
        return {}
    levels = {name for name, kind in declared.items() if kind in ("discrete", "drop", "groups")}
    gaps = {
        name: _among_numbers(column, 0)
        for name, column in columns.items()
        if name not in levels and name != target
    }
    if target not in levels and (target_kind != "discrete" or not request.labels):
        least = 2 if target_kind == "discrete" else 1
        gaps[target] = _among_numbers(columns[target], least, logical=least == 2)
    return {name: gaps[name] for name in columns if gaps.get(name)}


def _among_numbers(column: Column, least: int, logical: bool = False) -> tuple[str, ...]:
    """Texts that may stand for missing values where all other cells are numbers, `least` of them.

    Or, if `logical`, all are true or false.
    """
    if isinstance(column.cells, np.ndarray):
        return ()
    texts = column.texts
    known = texts.plain
    if logical and not known.any():
        known = _are_logical(texts)
    if not texts.absent.any() or known.sum() < least or not (known | texts.absent).all():
        return ()
    return tuple(texts.stripped(texts.absent))


def _are_logical(texts: Texts) -> BoolArray:
    """Which texts are true or false, shape (k,)."""
    return np.array([text.strip().lower() in _LOGICAL for text in texts.written], dtype=bool)


def doubts(gaps: Mapping[str, tuple[str, ...]], target: str, raw: Raw) -> Iterator[Remark]:
    """Say which texts those of `by_column` are, and how they are a level or a class instead."""
    columns = {name: Column(raw.columns[name], ()) for name in gaps}
    inputs = {
        name: texts
        for name, texts in gaps.items()
        if name != target and columns[name].texts.plain.any()
    }
    goal = {name: texts for name, texts in gaps.items() if name == target}
    level = f"name a column under {DISCRETE} where it is a level"
    label = "list the labels under 'classes' (--classes) where it is a class"
    for about, some, otherwise in (
        (About.MISSING_CLASS, goal, label),
        (About.GAPS, inputs, level),
    ):
        if some:
            logical = some is goal and _are_logical(columns[target].texts).any()
            among = "true and false" if logical else "numbers"
            texts = dict.fromkeys(text for each in some.values() for text in each)
            yield Remark(
                about,
                f"{raw.origin}: {' or '.join(map(repr, texts))} among {among} is taken for a"
                " missing value, in ",
                tuple(map(repr, some)),
                f"; {otherwise}, or the texts that are missing under {MISSING_TEXT}, as"
                " {only: [...]}",
            )
