"""Classes of rows: labels of a target, or numbers above and below a threshold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.datasets import inference, spelling
from gdcurves.datasets.columns import level
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.table import Table
from gdcurves.errors import MisfitError
from gdcurves.words import counted, suggest

Classes = Sequence[tuple[str, Sequence[str]]]
Threshold = float | Literal["median"]

FEW_ROWS = 3  # of a class; fewer are worth a note
MAX_CLASSES = np.iinfo(np.int8).max


def by_label(table: Table, classes: Classes | None) -> tuple[tuple[str, ...], IntArray]:
    """Names of the classes, and each row's class (N,), -1 for none; raises MisfitError."""
    known = table.labels
    if classes is None:
        classes = [(label, (label,)) for label in known]
    index: dict[str, int] = {}
    for number, (_, labels) in enumerate(classes):
        for label in map(level, labels):
            if label in index:
                raise MisfitError(
                    f"label {label!r} is given twice; give it to one class", "classes"
                )
            if label not in known:
                raise MisfitError(
                    f"target {table.target!r} of {table.called} has no label {label!r};"
                    f" {suggest(label, known)}",
                    "classes",
                )
            index[label] = number
    target = table.cells(table.target)
    number_of = np.array([*(index.get(label, -1) for label in target.categories), -1])
    return tuple(class_name for class_name, _ in classes), number_of[target.codes]


def doubts(table: Table, names: Sequence[str], y: IntArray, every_label: bool) -> Iterator[Remark]:
    """Say so where numbers, or what may be missing, make a class each, or a class has few rows.

    `y` (n,) are the classes of the rows used; `every_label` is whether each label is a class.
    """
    if every_label and inference.measured(table.labels):
        yield Remark(
            About.TARGET,
            f"{table.source}, column {table.target!r}: the target's {len(table.labels)} numbers are"
            " a class each; for two classes give `threshold`, median or a number",
        )
    absent = np.flatnonzero(spelling.look_missing(table.labels) & every_label)
    if len(absent):
        labels = " and ".join(repr(table.labels[i]) for i in absent)
        yield Remark(
            About.MISSING_CLASS,
            f"{table.source}, column {table.target!r}: {labels} counts as a class; name it under"
            " 'missing_texts' if it stands for a missing value, or list the labels under 'classes'",
        )
    for name, n in zip(names, np.bincount(y, minlength=len(names)).tolist(), strict=True):
        if n < FEW_ROWS:
            yield Remark(
                About.RARE_CLASS,
                f"{table.source}: class {name!r} has {counted(n, 'row')}, too few to tell much of"
                " its errors; add some, or merge it with another under `classes`",
                (repr(name),),
            )


def by_threshold(
    target: FloatArray, threshold: Threshold, complete: BoolArray
) -> tuple[tuple[str, ...], IntArray, float]:
    """Names of the two classes, each row's class (N,), and the threshold as a number.

    `target` (N,) holds a number for each row, and `complete` (N,) which rows a median is over.
    """
    cut = float(np.median(target[complete])) if threshold == "median" else threshold
    return (f"<= {level(cut)}", f"> {level(cut)}"), (target > cut).astype(np.int64), cut


def check(names: Sequence[str], y: IntArray, table: Table, key: str) -> None:
    """Refuse too few or too many classes, and empty ones; raises MisfitError with this key.

    `y` (n,) are the classes of the rows used.
    """
    if len(names) > MAX_CLASSES:
        raise MisfitError(
            f"target {table.target!r} of {table.called} makes {len(names)} classes; give between 2"
            f" and {MAX_CLASSES} as `classes`, or where the labels are numbers `threshold: median`"
            " or a number (on the command line, --threshold median)",
            key,
        )
    if len(names) < 2:
        raise MisfitError(
            f"target {table.target!r} of {table.called} makes {counted(len(names), 'class')}; give"
            f" between 2 and {MAX_CLASSES}, or another target; this one has"
            f" {counted(len(table.labels), 'label')}: {', '.join(map(repr, table.labels))}",
            key,
        )
    empty = np.flatnonzero(np.bincount(y, minlength=len(names)) == 0)
    if empty.size:
        raise MisfitError(
            f"no complete row of {table.called} is of class {names[empty[0]]!r};"
            " change `classes` or `threshold`, or how `missing` values are treated",
            key,
        )
