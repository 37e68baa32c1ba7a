"""What manifest.json says of a run: of the whole, of each experiment, and of its data."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Literal

import numpy as np

import gdcurves
from gdcurves.compute import versions
from gdcurves.compute.versions import code_sha256
from gdcurves.datasets import DataUnavailable
from gdcurves.errors import UserError
from gdcurves.plan.experiment import Experiment
from gdcurves.plan.plan import Plan
from gdcurves.problems.problem import Problem
from gdcurves.problems.series import Series
from gdcurves.run.session import Session
from gdcurves.run.tally import Counts
from gdcurves.store import format

Status = Literal["running", "complete", "failed", "interrupted", "stopped"]


def of_run(name: str, plan: Plan, command: Sequence[str]) -> dict[str, Any]:
    """What a manifest says of a run whatever comes of it."""
    return {
        "schema_version": format.NUMBER,
        "name": name,
        "gdcurves": gdcurves.__version__,
        "code_sha256": code_sha256(),
        "command": list(command),
        "seed": plan.config.seed,
        "config": plan.config.model_dump(mode="json"),
        "versions": {
            **versions.of_environment(),
            **versions.of_packages(plan.packages),
        },
        "platform": {"system": platform.platform(), "machine": platform.machine()},
    }


def of_experiment(
    planned: Experiment,
    data: Mapping[str, Any] | UserError,
    counts: Counts,
    in_tables: bool,
    failure: str | None,
) -> dict[str, Any]:
    """What it says of an experiment.

    Parameters
    ----------
    planned
        The experiment.
    data
        What `of_data` says of its data, or why it has none.
    counts
        How far it is.
    in_tables
        Whether it is complete, and in the tables that are stored.
    failure
        Why chunks of it failed, by the journal, or which of its tables could not be made.
    """
    status, reason = "missing", failure
    if isinstance(data, UserError):
        skipped = isinstance(data, DataUnavailable) and planned.config.optional
        status, reason = "skipped" if skipped else "failed", str(data)
    elif counts.failed or (counts.complete and failure):
        status = "failed"
    elif in_tables:
        status = "done"
    return {
        "status": status,
        "reason": reason,
        "splits": counts.planned,
        "splits_done": counts.done,
        "splits_failed": counts.failed,
        "data": planned.config.data,
        **({} if isinstance(data, UserError) else data),
    }


def of_data(data: Problem | Series) -> dict[str, Any]:
    """What it says of an experiment's data."""
    counts = np.bincount(data.y, minlength=len(data.classes)).tolist()
    return {
        **asdict(data.provenance),
        "classes": dict(zip(data.classes, counts, strict=True)),
        "n_features": len(data.features),
    }


def outcome(experiments: Mapping[str, Mapping[str, Any]]) -> Status:
    """How a run has ended that nobody has stopped."""
    failed = any(each["status"] == "failed" for each in experiments.values())
    return "failed" if failed else "complete"


def content(
    description: Mapping[str, Any],
    status: Status,
    session: Session,
    curves_sha256: str | None,
    experiments: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """All of it.

    Parameters
    ----------
    description
        What `of_run` says.
    status
        Of the run.
    session
        The one that goes on, or ends now.
    curves_sha256
        Fingerprint of the curves; of a run that has ended.
    experiments
        What `of_experiment` says of each.
    """
    journal = session.journal
    running = status == "running"
    return {
        **description,
        "status": status,
        "started": session.run_started,
        "finished": None if running else datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": None if running else journal.seconds,
        "sessions": journal.sessions,
        "cpu_seconds": journal.processor(),
        "warnings": dict(journal.warnings),
        "curves_sha256": curves_sha256,
        "experiments": experiments,
    }
