"""What was understood of data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from gdcurves.words import counted, first_of

if TYPE_CHECKING:
    from gdcurves.datasets import Table
    from gdcurves.plan.drafted import Draft
    from gdcurves.problems.problem import Problem

_MOST_LABELS = 30  # that the line of a target names


def data(made: Draft) -> Iterator[str]:
    """Lines about the data of a draft: the table, and the problem made of it."""
    yield from table(made.table)
    yield from problem(made.problem, made.table)


def table(data: Table) -> Iterator[str]:
    """Lines about a table: rows, target, columns by kind, what is left out, source, terms."""
    from gdcurves.datasets.columns.cells import gaps
    from gdcurves.problems import targets

    n_rows = len(data.frame)
    yield f"{data.source}: {counted(n_rows, 'row')}"
    goal = data.cells(data.target)
    n_missing = int(gaps(goal).sum())
    missing = f"; {n_missing:,} missing" if n_missing else ""
    if targets.too_many(data) is not None:
        some = f"{data.labels[0]} and {data.labels[-1]}"
        yield f"  target      {data.target}: {len(data.labels)} numbers, such as {some}{missing}"
    elif data.labels:
        counts = data.frame[data.target].value_counts()
        named = [f"{label} {counts[label]:,}" for label in data.labels]
        yield f"  target      {data.target}: {', '.join(first_of(named, _MOST_LABELS))}{missing}"
    else:
        yield f"  target      {data.target}: a number{missing}"
    for kind in ("continuous", "discrete"):
        columns = [column for column, each in data.kinds.items() if each == kind]
        if columns:
            described = ", ".join(_column(data, column) for column in columns)
            yield f"  {kind:<11} {len(columns)}: {described}"
    yield from _groups(data)
    inferred = [column for column in data.kinds if column not in data.declared]
    if inferred:
        which = "all" if len(inferred) == len(data.kinds) else ", ".join(inferred)
        yield f"  inferred    the kinds of {which}"
    for column, why in data.dropped.items():
        yield f"  left out    {column}: {why}"
    for error in data.refused.values():
        yield f"  unclear     {error}"
    for key in ("title", "licence", "citation", "url", "other file"):
        if key in data.about:
            yield f"  {key:<11} {data.about[key]}"
    yield f"  sha256      {data.sha256}"


def _groups(data: Table) -> Iterator[str]:
    """A line about how many groups there are, if there are some, and how many rows they have."""
    import numpy as np

    from gdcurves.problems import grouping

    if not data.groups:
        return
    alone = grouping.without_group(data)
    labels = grouping.labels(data, ~alone)
    sizes = [] if labels is None else np.unique_counts(labels).counts.tolist()
    said = []
    if sizes:
        least, most = min(sizes), max(sizes)
        rows = counted(most, "row") if least == most else f"{least:,} to {counted(most, 'row')}"
        said.append(f"{counted(len(sizes), 'group')} of {rows}")
    if alone.any():
        said.append(f"{counted(int(alone.sum()), 'row')} without a value, a group each")
    yield f"  groups      {', '.join(data.groups)}: {'; '.join(said)}"


def problem(made: Problem, data: Table) -> Iterator[str]:
    """Lines about a problem made from a table: its classes and rows."""
    import numpy as np

    from gdcurves.datasets.columns.cells import gaps

    counts = np.bincount(made.y, minlength=len(made.classes)).tolist()
    classes = ", ".join(f"{name} {n:,}" for name, n in zip(made.classes, counts, strict=True))
    yield f"  classes     {classes}"
    origin = made.provenance
    groups = "" if origin.groups is None else f" in {counted(origin.groups, 'group')}"
    rows = [f"{origin.rows_used:,} used{groups}"]
    if origin.rows_missing:
        columns = (*data.kinds, data.target)
        n_gaps = {column: int(gaps(data.cells(column)).sum()) for column in columns}
        worst = max(n_gaps, key=n_gaps.__getitem__)
        rows.append(
            f"{origin.rows_missing:,} left out because incomplete"
            f" (most gaps: {worst}, {n_gaps[worst]:,})"
        )
    if origin.rows_other_class:
        rows.append(f"{origin.rows_other_class:,} of other classes")
    if origin.cells_filled:
        rows.append(f"{origin.cells_filled:,} missing values kept or filled in")
    yield f"  rows        {'; '.join(rows)}"


def work(made: Draft, splits: int) -> Iterator[str]:
    """Lines about what a draft will have computed: classifiers, sizes, splits."""
    first = "classifiers"
    for each in made.fitters:
        yield f"  {first:<11} {each.name}: {each.fitter.description}"
        first = ""
    groups = " training groups" if made.table.groups else ""
    yield f"  sizes       {', '.join(map(str, made.sizes))}{groups}"
    yield f"  splits      {splits:,} at every size"


def notes(doubts: Iterable[str]) -> Iterator[str]:
    """Lines about what may have been misunderstood."""
    for doubt in doubts:
        yield f"  note        {doubt}"


def reminder(doubts: Sequence[str]) -> Iterator[str]:
    """Say below an answer what it hangs on, the most harmful first; nothing without doubts."""
    if doubts:
        first, *others = doubts
        more = f" ({counted(len(others), 'more note')} above)" if others else ""
        yield f"The answer is for the data as they were read{more}. Note: {first}"


def _column(data: Table, column: str) -> str:
    from gdcurves.datasets.columns.cells import gaps

    cells = data.cells(column)
    notes = []
    if data.kinds[column] == "discrete":
        notes.append(counted(len(cells.categories), "level"))
    n_missing = int(gaps(cells).sum())
    if n_missing:
        notes.append(f"{n_missing:,} missing")
    return f"{column} ({', '.join(notes)})" if notes else column
