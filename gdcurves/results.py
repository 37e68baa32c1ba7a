"""A results folder as it is now, whether its run is finished, goes on, or was stopped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdcurves import crossings, curves, journal, lock, store
from gdcurves.errors import UserError
from gdcurves.journal import Journal
from gdcurves.store import Run

if TYPE_CHECKING:
    import pandas as pd


def read(folder: Path) -> Run:
    """Read manifest and curves; what the manifest of an unfinished run lacks is in its journal.

    The status is then "running" if a process works there, else "stopped": that it was killed looks
    no other than that the disk was too full to write how it ended. Raises UserError.
    """
    run = store.read_run(folder)
    if run.manifest["status"] != "running":
        return run
    told = journal.read(folder)
    now = {
        "status": "stopped" if lock.holder(folder) is None else "running",
        "seconds": told.seconds,
        "sessions": told.sessions,
        "cpu_seconds": told.processor(),
        "warnings": dict(told.warnings),
        "experiments": {
            name: {**entry, **_so_far(name, entry, told)}
            for name, entry in run.manifest["experiments"].items()
        },
    }
    return replace(run, manifest={**run.manifest, **now})


def _so_far(name: str, entry: Mapping[str, Any], told: Journal) -> dict[str, Any]:
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
    chunks = _chunks(folder)
    tables, answers = [], []
    for name in experiments:
        if experiments[name]["status"] == "done":
            tables.append(run.curves[run.curves["experiment"] == name])
            if run.crossings is not None:
                answers.append(run.crossings[run.crossings["experiment"] == name])
        elif name in chunks:
            tables.append(curves.of_chunks(name, chunks[name]))
            answers.append(crossings.of_chunks(name, chunks[name], run.manifest["config"]))
    return replace(
        run,
        curves=pd.concat(tables, ignore_index=True) if tables else run.curves,
        crossings=pd.concat(answers, ignore_index=True) if answers else run.crossings,
    )


def read_crossings(folder: Path) -> pd.DataFrame:
    """Crossings of a run from its raw rows; where there are none, from crossings.csv.

    Raises UserError.
    """
    import pandas as pd

    run = read(folder)
    chunks = _chunks(folder)
    known = run.crossings
    tables = []
    for name in run.manifest["experiments"]:
        if name in chunks:
            tables.append(crossings.of_chunks(name, chunks[name], run.manifest["config"]))
        elif known is not None:
            tables.append(known[known["experiment"] == name])
    if not tables:
        raise UserError(f"{folder}: neither raw rows nor a {store.CROSSINGS} here; {store.RESUME}")
    found = pd.concat(tables, ignore_index=True)
    if found.empty:
        raise UserError(
            f"{folder}: no experiment has two fitters to compare; add one to the config's 'fitters'"
        )
    return found


def _chunks(folder: Path) -> dict[str, list[Path]]:
    """Files of raw rows that are whole, by experiment."""
    paths: dict[str, list[Path]] = {}
    for (name, _, _), path in store.whole_chunks(folder, journal.read(folder)).items():
        paths.setdefault(name, []).append(path)
    return paths
