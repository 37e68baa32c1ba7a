"""Parts of a run, each in a process of its own that has everything imported."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Sequence
from multiprocessing.context import ForkServerContext
from multiprocessing.synchronize import Barrier
from pathlib import Path
from types import ModuleType

import pytest
import quiet

from gdcurves import config, plan
from gdcurves.store.part import Part

CONFIG = """
splits: 12
chunk: 1
interval: rows
experiments:
  - {name: votes, data: vote, inputs: discrete, sizes: [3, 40]}
  - {name: liver, data: liver-disorders, inputs: continuous, classes: [1, 2], sizes: [2, 30]}
fitters: [{type: naive_bayes}, {type: logistic_regression}]
"""


def write_config(folder: Path) -> Path:
    path = folder / "toy.yaml"
    path.write_text(CONFIG)
    return path


def run(config_file: Path, out: Path, part: Part | None = None, mode: str = "new") -> None:
    """Compute a run, or a part of it, in this process."""
    planned = plan.make(config.load(config_file))
    quiet.run(planned, out, "toy", mode="resume" if part else mode, part=part)


def work(config_file: Path, out: Path, part: Part, together: Barrier) -> None:
    """Compute a part, begun at the same moment as others."""
    together.wait(60)
    run(config_file, out, part)


def at_once(config_file: Path, out: Path, parts: Sequence[Part]) -> list[int | None]:
    """Compute parts in as many processes at once; returns their exit codes."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["parts"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        patch.setitem(sys.modules, "__main__", ModuleType("__main__"))  # not that of pytest
        return _ended(context, config_file, out, parts)


def _ended(
    context: ForkServerContext, config_file: Path, out: Path, parts: Sequence[Part]
) -> list[int | None]:
    together = context.Barrier(len(parts))
    processes = [
        context.Process(target=work, args=(config_file, out, part, together)) for part in parts
    ]
    for each in processes:
        each.start()
    for each in processes:
        each.join(120)
    return [each.exitcode for each in processes]
