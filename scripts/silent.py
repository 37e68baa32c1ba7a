"""A plan run in this process without a word, for several scripts."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from gdcurves.compute import local
from gdcurves.plan.plan import Plan
from gdcurves.run import runner


def run(planned: Plan, folder: Path, name: str) -> None:
    """Run a plan into a new folder."""
    runner.run(
        planned,
        folder,
        name=name,
        mode="new",
        source="packaged",
        data_dir=None,
        compute=partial(local.run, jobs=1),
        progress=lambda _: None,
        say=lambda _: None,
    )
