"""A results folder as it is now, whether its run is finished, goes on, or was stopped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdcurves import crossings, curves
from gdcurves.errors import UserError
from gdcurves.store import files, journal, lock
from gdcurves.store.chunk import Chunk
from gdcurves.store.files import Run
from gdcurves.store.journal import Journal

if TYPE_CHECKING:
    import pandas as pd


def read(folder: Path) -> Run:
    """Read manifest and curves; what the manifest of an unfinished run lacks is in its journal.

    The status is then "running" if a process works there, else "stopped": that it was killed looks
    no other than that the disk was too full to write how it ended. Splits of lost chunks are not
    done. Raises UserError.
    """
    run = files.read_run(folder)
    told = journal.read(folder)
    whole = files.whole_chunks(folder, told)
    chunks: dict[str, list[Path]] = {}
    for chunk, path in whole.items():
        chunks.setdefault(chunk.experiment, []).append(path)
    working = lock.holder(folder) is not None  # it may be at those that were lost
    lost = [] if working else [chunk for chunk in told.done if chunk not in whole]
    content = run.manifest
    if content["status"] == "running":
        content = {**content, **_so_far(content["experiments"], told)}
        content["status"] = "running" if working else "stopped"
    experiments = {
        name: {**entry, "splits_done": entry["splits_done"] - _n_splits(lost, name)}
        for name, entry in content["experiments"].items()
    }
    content = {**content, "experiments": experiments}
    return replace(run, manifest=content, chunks=chunks, lost=lost)


def _n_splits(chunks: Iterable[Chunk], experiment: str) -> int:
    return sum(each.n_splits for each in chunks if each.experiment == experiment)


def _so_far(experiments: Mapping[str, dict[str, Any]], told: Journal) -> dict[str, Any]:
    """What the journal tells of a run that has not ended."""
    return {
        "seconds": told.seconds,
        "sessions": told.sessions,
        "cpu_seconds": told.processor(),
        "warnings": dict(told.warnings),
        "experiments": {
            name: {**entry, **_experiment_so_far(name, entry, told)}
            for name, entry in experiments.items()
        },
    }


def _experiment_so_far(name: str, entry: Mapping[str, Any], told: Journal) -> dict[str, Any]:
    """What the journal tells of an experiment."""
    done, failed = told.splits(name)
    status = entry["status"]
    if status == "missing" and failed:
        status = "failed"
    return {
        "status": status,
        "reason": told.reason(name) or entry["reason"],
        "splits_done": done,
        "splits_failed": failed,
    }


def read_partial(folder: Path) -> Run:
    """As `read`, with what is known of the incomplete experiments from the chunks that are whole.

    That is their curves and crossings. Raises UserError.
    """
    import pandas as pd

    run = read(folder)
    experiments = run.manifest["experiments"]
    if all(entry["status"] in ("done", "skipped") for entry in experiments.values()):
        return run
    tables, answers = [], []
    for name in experiments:
        if experiments[name]["status"] == "done" and not run.curves.empty:
            tables.append(run.curves[run.curves["experiment"] == name])
            if run.crossings is not None:
                answers.append(run.crossings[run.crossings["experiment"] == name])
        elif name in run.chunks:
            tables.append(curves.of_chunks(name, run.chunks[name]))
            answers.append(crossings.of_chunks(name, run.chunks[name], run.manifest["config"]))
    return replace(
        run,
        curves=pd.concat(tables, ignore_index=True) if tables else run.curves,
        crossings=pd.concat(answers, ignore_index=True) if answers else run.crossings,
    )


def crossings_of(run: Run) -> pd.DataFrame:
    """Crossings of a run as `read`, from its raw rows; where there are none, from crossings.csv.

    Raises UserError.
    """
    import pandas as pd

    known = run.crossings
    tables = []
    for name in run.manifest["experiments"]:
        if name in run.chunks:
            tables.append(crossings.of_chunks(name, run.chunks[name], run.manifest["config"]))
        elif known is not None:
            tables.append(known[known["experiment"] == name])
    if not tables:
        raise UserError(
            f"{run.folder}: neither raw rows nor a {files.CROSSINGS} here; {files.RESUME}"
        )
    found = pd.concat(tables, ignore_index=True)
    if found.empty:
        raise UserError(
            f"{run.folder}: no experiment has two fitters to compare; add one to the config's"
            " 'fitters'"
        )
    return found
