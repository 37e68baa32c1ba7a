"""A plan run in this process without a word, for several test modules."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from gdcurves.compute import local
from gdcurves.plan.plan import Plan
from gdcurves.run import runner
from gdcurves.run.runner import Summary


def run(planned: Plan, folder: Path, name: str, **options: Any) -> Summary:
    """Run a plan into a new folder; `options` replace those of `runner.run`."""
    defaults: dict[str, Any] = {
        "mode": "new",
        "source": "packaged",
        "data_dir": None,
        "compute": partial(local.run, jobs=options.pop("jobs", 1)),
        "progress": lambda _: None,
        "say": print,
    }
    return runner.run(planned, folder, name=name, **(defaults | options))
