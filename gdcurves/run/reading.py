"""A results folder as it is now, whether its run is finished, goes on, or was stopped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdcurves import complexity, curves
from gdcurves.crossings import COMPARISONS, CROSSINGS, OUTLOOK, Answers
from gdcurves.errors import UserError
from gdcurves.limits import columns as limits
from gdcurves.run import tables
from gdcurves.scoring.measures import DEFAULT, check_main, main
from gdcurves.store import files, format, lock, whole
from gdcurves.store.chunk import Chunk
from gdcurves.store.contents import CURVES
from gdcurves.store.files import Run
from gdcurves.store.journal import Journal
from gdcurves.store.journal import read as read_journal
from gdcurves.store.table import RESUME
from gdcurves.theory import columns as theory

if TYPE_CHECKING:
    import pandas as pd


def read_run(folder: Path) -> Run:
    """Read manifest and tables as they are stored; raises UserError where they cannot be read."""
    import pandas as pd

    manifest = files.read_manifest(folder)
    _check_content(folder / CURVES, manifest.get("curves_sha256"))
    stored = curves.TABLE.read(folder)
    return Run(
        folder,
        manifest,
        pd.DataFrame() if stored is None else stored,
        limits.TABLE.read(folder),
        _crossings(folder, manifest),
        COMPARISONS.read(folder),
        OUTLOOK.read(folder),
        complexity.TABLE.read(folder),
        theory.TABLE.read(folder),
    )


def _crossings(folder: Path, manifest: Mapping[str, Any]) -> pd.DataFrame | None:
    """Read crossings.csv; up to format 4 it counted the rows that there are as well."""
    table = CROSSINGS.read(folder)
    if table is not None and manifest["schema_version"] < format.ROWS_BEYOND:
        table["rows_for_verdict"] -= table["rows"]
    return table


def _check_content(path: Path, sha256: str | None) -> None:
    """Refuse curves that are not those which a finished run wrote; raises UserError."""
    if sha256 is not None and whole.sha256(path) != sha256:
        raise UserError(f"{path}: not what the run wrote; put the file back, or {RESUME}")


def read(folder: Path) -> Run:
    """Read manifest and curves; what the manifest of an unfinished run lacks is in its journal.

    The status is then "running" if a process works there, else "stopped": that it was killed looks
    no other than that the disk was too full to write how it ended. Splits of lost chunks are not
    done. Raises UserError.
    """
    run = read_run(folder)
    journal = read_journal(folder)
    there = files.whole_chunks(folder, journal)
    chunks: dict[str, list[Path]] = {}
    for chunk, path in there.items():
        chunks.setdefault(chunk.experiment, []).append(path)
    working = lock.holder(folder) is not None  # it may be at those that were lost
    lost = [] if working else [chunk for chunk in journal.done if chunk not in there]
    content = run.manifest
    if content["status"] == "running":
        content = {**content, **_so_far(content["experiments"], journal)}
        content["status"] = "running" if working else "stopped"
    experiments = {
        name: {**entry, "splits_done": entry["splits_done"] - _n_splits(lost, name)}
        for name, entry in content["experiments"].items()
    }
    content = {**content, "experiments": experiments}
    return replace(run, manifest=content, chunks=chunks, lost=lost)


def _n_splits(chunks: Iterable[Chunk], experiment: str) -> int:
    return sum(each.n_splits for each in chunks if each.experiment == experiment)


def _so_far(experiments: Mapping[str, dict[str, Any]], journal: Journal) -> dict[str, Any]:
    """What the journal tells of a run that has not ended."""
    return {
        "seconds": journal.seconds,
        "sessions": journal.sessions,
        "cpu_seconds": journal.processor(),
        "warnings": dict(journal.warnings),
        "experiments": {
            name: {**entry, **_experiment_so_far(name, entry, journal)}
            for name, entry in experiments.items()
        },
    }


def _experiment_so_far(name: str, entry: Mapping[str, Any], journal: Journal) -> dict[str, Any]:
    """What the journal tells of an experiment."""
    done, failed = journal.splits(name)
    status = entry["status"]
    if status == "missing" and failed:
        status = "failed"
    return {
        "status": status,
        "reason": journal.reason(name) or entry["reason"],
        "splits_done": done,
        "splits_failed": failed,
    }


def read_partial(folder: Path) -> Run:
    """As `read`, with what is known of the incomplete experiments from the chunks that are whole.

    That is their curves and crossings. Raises UserError.
    """
    run = read(folder)
    entries = run.manifest["experiments"].values()
    if all(entry["status"] in ("done", "skipped") for entry in entries):
        return run
    known = tables.so_far(run)
    return _with(replace(run, curves=known.curves), known.answers)


def _with(run: Run, answers: Answers) -> Run:
    """A run with other tables of answers than those that are stored."""
    return replace(
        run,
        comparisons=answers.comparisons,
        crossings=answers.crossings,
        outlook=answers.outlook,
    )


def by_measure(run: Run, name: str, comparing: bool) -> Run:
    """A run as `read` with another main measure than its config names, without crossings.

    Those of `answered` are by that measure. Raises UserError where it was not measured, or cannot
    be compared though it is to be.
    """
    config = run.manifest["config"]
    try:
        check_main(name, config.get("measures", DEFAULT), comparing)
    except UserError as error:
        raise UserError(f"{run.folder}: --measure: {error}") from None
    if name == main(config).name:
        return run
    manifest = {**run.manifest, "config": {**config, "measure": name}}
    return replace(run, manifest=manifest, crossings=None)


def answered(run: Run) -> Run:
    """A run as `read` with the answers of its raw rows; as they are stored where there are none."""
    return _with(run, tables.answers_so_far(run))


def answers_of(run: Run) -> Run:
    """As `answered`; raises UserError where there is neither, or nothing to compare."""
    if main(run.manifest["config"]).infinite:
        raise UserError(
            f"{run.folder}: classifiers are compared by a measure that is always finite, and none"
            " was computed; add 'error' to the config's 'measures'"
        )
    run = answered(run)
    if run.crossings is None:
        raise UserError(f"{run.folder}: neither raw rows nor a {CROSSINGS.name} here; {RESUME}")
    if run.crossings.empty:
        raise UserError(
            f"{run.folder}: no experiment has two fitters to compare; add one to the config's"
            " 'fitters'"
        )
    return run


def complexity_of(run: Run, within: float) -> Run:
    """A run as `read` with the rows needed to come near its limits, from its raw rows.

    Raises UserError where it has no limits or no raw rows.
    """
    if run.limits is None or run.limits.empty:
        nothing = f"{run.folder}: no {limits.TABLE.name} here, and so nothing to come near to"
        entries = run.manifest["experiments"].values()
        if not any(str(each.get("source")).startswith("simulated") for each in entries):
            raise UserError(
                f"{nothing}: what curves tend to is known of laws alone, not of data; for the rows"
                " that bring an error E: gdcurves run ... --target-error E --resume"
            )
        config = f"{run.manifest['name']}.yaml"
        raise UserError(
            f"{nothing}; compute it: gdcurves limits --config {config} --out {run.folder}"
        )
    if not run.chunks:
        raise UserError(f"{run.folder}: no raw rows here; {RESUME}")
    return replace(run, complexity=complexity.of_run(run, within))
