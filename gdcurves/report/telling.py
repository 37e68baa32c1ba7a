"""From runs and tables to what is printed of them as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from gdcurves.datasets.columns.cells import gaps
from gdcurves.report import answer, complexity, outlook, saying, theory
from gdcurves.report.told import (
    Answer,
    Column,
    Comparison,
    ComplexityTold,
    Crossing,
    DatasetTold,
    ExperimentStatus,
    Limit,
    LimitsTold,
    Line,
    Outlook,
    RunTold,
    TheoryTold,
    number,
)
from gdcurves.report.understood import notes
from gdcurves.scoring.measures import main

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.datasets import Table
    from gdcurves.store.files import Run
    from gdcurves.theory.table import Theory


def of_run(run: Run, files: Iterable[object] = ()) -> RunTold:
    """Tell of a run as read, and of the files that a command wrote of it."""
    manifest = run.manifest
    experiments = {name: _experiment(entry) for name, entry in manifest["experiments"].items()}
    return RunTold(
        folder=str(run.folder),
        name=manifest["name"],
        status=manifest["status"],
        splits=sum(each.splits for each in experiments.values()),
        splits_done=sum(each.splits_done for each in experiments.values()),
        seconds=manifest["seconds"],
        sessions=manifest["sessions"],
        chunks_lost=len(run.lost),
        cpu_seconds=sum(manifest["cpu_seconds"].values()),
        warnings=manifest["warnings"],
        notes=notes(run),
        experiments=experiments,
        answers=[_answer(run, each) for each in answer.answers(run)],
        files=[str(each) for each in files],
    )


def _experiment(entry: dict[str, Any]) -> ExperimentStatus:
    wanted = 0 if entry["status"] == "skipped" else entry["splits"]
    return ExperimentStatus(
        status=entry["status"],
        reason=entry["reason"],
        splits=wanted,
        splits_done=entry["splits_done"],
        splits_failed=entry["splits_failed"],
        splits_missing=wanted - entry["splits_done"] - entry["splits_failed"],
    )


def _answer(run: Run, known: answer.Answer) -> Answer:
    name = known.experiment
    ahead = _of(run.outlook, name)
    if ahead is not None:
        ahead = ahead[ahead["measure"] == main(run.manifest["config"]).name]
        ahead = outlook.shown_rows(ahead, run.manifest["config"])
        ahead = ahead.rename(columns={"m_last": "m", "value_last": "value"})
        ahead = ahead.rename(columns={"low_last": "low", "high_last": "high"})
    guessing = () if known.guessing is None else (known.guessing,)
    return Answer(
        experiment=name,
        unit="group" if known.unit == "group" else "row",
        labelled=known.n_units,
        m=known.m,
        measure=known.measure.name,
        better=known.measure.better,
        use=known.best,
        values={**known.values, **dict(guessing)},
        base_rate=known.base_rate,
        sentences=list(saying.of_one(run, known)),
        comparisons=_rows(Comparison, known.comparisons),
        crossings=_rows(Crossing, _of(run.crossings, name)),
        outlook=_rows(Outlook, ahead),
    )


def _of(table: pd.DataFrame | None, experiment: str) -> pd.DataFrame | None:
    return None if table is None else table[table["experiment"] == experiment]


def _rows(model: Any, table: pd.DataFrame | None) -> list[Any]:
    """Lines of a table as objects, without columns that these have no place for."""
    if table is None:
        return []
    columns = [*model.model_fields]
    lines = table[columns].itertuples(index=False, name=None)
    return [model(**dict(zip(columns, line, strict=True))) for line in lines]


def of_limits(table: pd.DataFrame, without: dict[str, str], files: Iterable[object]) -> LimitsTold:
    """Tell of limits, as `limits.table.table` returns them, and of the files with them."""
    return LimitsTold(
        limits=_rows(Limit, table), without=without, files=[str(each) for each in files]
    )


def of_table(table: Table, said: Iterable[str]) -> DatasetTold:
    """Tell of a table, and of what may have been misunderstood of it."""
    columns = [
        Column(
            name=name,
            kind=kind,
            missing=int(gaps(table.cells(name)).sum()),
            inferred=name not in table.declared,
        )
        for name, kind in table.kinds.items()
    ]
    classes = None
    if table.labels:
        counts = table.frame[table.target].value_counts()
        classes = {label: int(counts[label]) for label in table.labels}
    return DatasetTold(
        name=table.name,
        source=table.source,
        rows=len(table.frame),
        target=table.target,
        classes=classes,
        columns=columns,
        left_out=dict(table.dropped),
        unclear={column: str(error) for column, error in table.refused.items()},
        groups=list(table.groups),
        about={key: str(each) for key, each in table.about.items()},
        sha256=table.sha256,
        notes=list(said),
    )


def of_complexity(run: Run) -> ComplexityTold:
    """Tell how many rows a run's fitters need to come near their limits; it is known."""
    assert run.complexity is not None, "refused otherwise"
    return ComplexityTold(
        folder=str(run.folder),
        lines=_lines(run.complexity),
        sentences=list(complexity.sentences(run.complexity)),
    )


def of_theory(made: Theory, files: Iterable[object]) -> TheoryTold:
    """Tell what is proved of laws or data, and of the files with it."""
    names = dict.fromkeys(made.table["experiment"])
    return TheoryTold(
        lines=_lines(made.table),
        sentences=[each for name in names for each in theory.sentences(made, name)],
        without=dict(made.without),
        files=[str(each) for each in files],
    )


def _lines(table: pd.DataFrame) -> list[Line]:
    """Lines of a table by its columns; numbers as JSON can have them."""
    return [
        {str(key): each if isinstance(each, str) else number(each) for key, each in row.items()}
        for row in table.to_dict("records")
    ]
