"""A results folder as it is now, whether its run is finished, goes on, or was stopped or killed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gdcurves import curves, journal, lock, store
from gdcurves.journal import Journal
from gdcurves.store import Run


def read(folder: Path) -> Run:
    """Read manifest and curves; what the manifest of an unfinished run lacks is in its journal.

    The status is then "running" if a process works there, else "killed". Raises UserError.
    """
    run = store.read_run(folder)
    if run.manifest["status"] != "running":
        return run
    told = journal.read(folder)
    now = {
        "status": "killed" if lock.holder(folder) is None else "running",
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
    """As `read`, with curves of the incomplete experiments from the chunks that are whole.

    Raises UserError.
    """
    import pandas as pd

    run = read(folder)
    experiments = run.manifest["experiments"]
    if all(entry["status"] in ("done", "skipped") for entry in experiments.values()):
        return run
    chunks = store.whole_chunks(folder, journal.read(folder))
    tables = []
    for name in experiments:
        paths = [path for key, path in chunks.items() if key[0] == name]
        if experiments[name]["status"] == "done":
            tables.append(run.curves[run.curves["experiment"] == name])
        elif paths:
            tables.append(curves.of_chunks(name, paths))
    return replace(run, curves=pd.concat(tables, ignore_index=True)) if tables else run
