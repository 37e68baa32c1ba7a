"""Classes of rows: labels of a target, or numbers above and below a threshold."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.datasets.columns import alike, inference
from gdcurves.datasets.columns.cells import gaps, level
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.table import Table
from gdcurves.datasets.written import spelling
from gdcurves.errors import MisfitError
from gdcurves.words import MISSING_TEXT, counted, dropping, listed, suggest, without_value

Classes = Sequence[tuple[str, Sequence[str]]]

MOST_NUMBERS = 20  # that are taken for codes, a class each
FEW_ROWS = 3  # of a class; fewer are worth a note
MAX_CLASSES = np.iinfo(np.int8).max


def too_many(table: Table) -> str | None:
    """Say what to do about a target of many numbers, which are hardly a class each; None of others.

    They are what `check_codes` refuses.
    """
    if len(table.labels) <= MOST_NUMBERS or not inference.measured(table.labels):
        return None
    return (
        f"{table.source}, column {table.target!r}: the target holds {len(table.labels)} different"
        " numbers; for two classes give --threshold median or a number, and --threshold none if"
        " they are codes (in a config `threshold: median`, or none)"
    )


def check_codes(table: Table) -> None:
    """Refuse a target of many numbers, which are hardly a class each; raises MisfitError."""
    if (message := too_many(table)) is not None:
        raise MisfitError(message, "threshold")


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
                absent = "; a missing value is in no class" * (label in spelling.MISSING)
                raise MisfitError(
                    f"target {table.target!r} of {table.called} has no label {label!r};"
                    f" {suggest(label, known)}{absent}",
                    "classes",
                )
            index[label] = number
    target = table.cells(table.target)
    number_of = np.array([*(index.get(label, -1) for label in target.categories), -1])
    return tuple(class_name for class_name, _ in classes), number_of[target.codes]


def doubts(
    table: Table, names: Sequence[str], y: IntArray, every_label: bool, codes: bool = False
) -> Iterator[Remark]:
    """Say so where numbers, or what may be missing, make a class each, or a class has few rows.

    `y` (n,) are the classes of the rows used; `every_label` is whether each label is a class, and
    `codes` whether it is said that numbers are.
    """
    if every_label and not codes and inference.measured(table.labels):
        yield Remark(
            About.TARGET,
            f"{table.source}, column {table.target!r}: the target's {len(table.labels)} numbers are"
            " a class each; for two classes give `threshold`, median or a number",
        )
    if every_label and (same := alike.shown(table.labels)):
        merged = _merged(table.labels)
        yield Remark(
            About.LABELS,
            f"{table.source}, column {table.target!r}: {same} {alike.HOW}; in a config,"
            f" `classes: {merged}` merges them, and so does {shlex.join(['--classes', merged])}",
        )
    absent = np.flatnonzero(spelling.look_missing(table.labels) & every_label)
    if len(absent):
        labels = listed([repr(table.labels[i]) for i in absent])
        count = "counts as a class; name it" if len(absent) == 1 else "count as classes; name them"
        is_class = "is a class, and no missing value"
        if len(absent) > 1:
            is_class = "are classes, and no missing values"
        option = without_value(table.labels[i] for i in absent)
        unlikely = any(table.labels[i] != "None" for i in absent)
        stands = "it stands for a missing value" if len(absent) == 1 else "they stand for none"
        yield Remark(
            About.MISSING_CLASS,
            f"{table.source}, column {table.target!r}: {labels} {count} under"
            f" {MISSING_TEXT} if {stands}, or list the labels under 'classes' ({option}, or"
            " --classes)",
            holds_if=f"{labels} {is_class} (else {option})" if unlikely else "",
        )
    for name, n in zip(names, np.bincount(y, minlength=len(names)).tolist(), strict=True):
        if n < FEW_ROWS:
            yield Remark(
                About.RARE_CLASS,
                f"{table.source}: class {name!r} has {counted(n, 'row')}, too few to tell much of"
                " its errors; add some, merge it with another under `classes`, or take it out if it"
                " is a total",
                (repr(name),),
            )


def _merged(labels: Sequence[str]) -> str:
    """A value of the key `classes` with one class for labels that look the same."""
    return json.dumps({each[0]: each for each in alike.by_look(labels)})


def by_threshold(
    target: FloatArray, threshold: float | Literal["median"], complete: BoolArray
) -> tuple[tuple[str, ...], IntArray, float]:
    """Names of the two classes, each row's class (N,), and the threshold as a number.

    `target` (N,) holds a number for each row, and `complete` (N,) which rows a median is over.
    """
    cut = float(np.median(target[complete])) if threshold == "median" else threshold
    return (f"<= {level(cut)}", f"> {level(cut)}"), (target > cut).astype(np.int64), cut


def check(names: Sequence[str], table: Table, key: str) -> None:
    """Refuse too few or too many classes; raises MisfitError with this key."""
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
            f" {counted(len(table.labels), 'label')}: {', '.join(map(repr, table.labels))}"
            f"{_beside_empty(table)}",
            key,
        )


def _beside_empty(table: Table) -> str:
    """Where the one label stands beside empty cells, which may mean another: what to do."""
    n_missing = int(gaps(table.cells(table.target)).sum())
    if len(table.labels) != 1 or not n_missing:
        return ""
    rows = f"{counted(n_missing, 'row')} without one"
    return f", and {rows}; if these are a class, write its label into the cells"


def check_complete(
    names: Sequence[str],
    y: IntArray,
    left_out: BoolArray,
    table: Table,
    features: Sequence[str],
    filling: str,
    key: str,
) -> None:
    """Refuse classes all of whose rows are left out; raises MisfitError with this key.

    `y` (N,) are the classes of all rows, and `left_out` (N,) are those that are not complete in the
    `features`; `filling` is what `--missing` has to be to keep them.
    """
    empty = np.flatnonzero(np.bincount(y[~left_out & (y >= 0)], minlength=len(names)) == 0)
    if not empty.size:
        return
    name, rows = names[empty[0]], y == empty[0]
    ways = ["change `classes` or `threshold`, or how `missing` values are treated"]
    missing = {each: int(np.sum(gaps(table.cells(each))[rows])) for each in features}
    if whole := [each for each, n in missing.items() if n == rows.sum() > 0]:
        ways.append(
            f"{listed([*map(repr, whole)])} {'is' if len(whole) == 1 else 'are'} missing in all"
            f" of its rows ({dropping(whole)} keeps these, without the"
            f" {'input' if len(whole) == 1 else 'inputs'})"
        )
    elif rows.any():
        ways.append(f"all of its rows lack one input or another (--missing {filling} keeps them)")
    if name in spelling.MISSING:
        ways.append(f"if {name!r} stands for no value, {without_value([name])} says so")
    raise MisfitError(
        f"no complete row of {table.called} is of class {name!r}; {'; '.join(ways)}", key
    )
