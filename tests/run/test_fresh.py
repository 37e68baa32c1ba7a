"""`--fresh`: of the run that was in the folder nothing is left that any command reads."""

from __future__ import annotations

import shutil
from collections.abc import Generator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
import quiet

from gdcurves import config, plan, plots
from gdcurves.compute.chunk import Result, Task
from gdcurves.limits.columns import TABLE
from gdcurves.limits.table import table
from gdcurves.plots.sheet import Panel
from gdcurves.run import reading
from gdcurves.store import folder
from gdcurves.store.contents import CONTENTS

LENSES = """
splits: 30
seed: 0
figure: learning_curves
experiments:
  - {name: lenses, data: contact-lenses, sizes: [4, 12], classes: [none, soft]}
fitters: [{type: naive_bayes}, {type: logistic_regression}]
"""
LAW = """
splits: 5
sizes: [4, 8]
experiments:
  - name: law
    simulate: {gaussian: {means: [[0, 0], [2, 1]], covariances: [[1, 0], [0, 1]]}, rows: 40}
fitters: [{type: naive_bayes}]
"""


def run(out: Path, text: str, **options: Any) -> None:
    path = out.parent / "toy.yaml"
    path.write_text(text)
    quiet.run(plan.make(config.load(path)), out, "toy", **options)


def killed_before_its_first_chunk(out: Path, text: str, copy: Path) -> Path:
    """Replace a run by one that is killed; returns the folder as the kill leaves it."""

    def compute(_: Sequence[Task]) -> Generator[Result]:
        shutil.copytree(out, copy)
        raise KeyboardInterrupt
        yield

    with pytest.raises(KeyboardInterrupt):
        run(out, text, mode="fresh", compute=compute)
    return copy


def names(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir()}


@pytest.mark.slow
def test_a_replacement_killed_before_its_first_chunk_tells_nothing_of_the_old_run(
    tmp_path: Path, call
) -> None:
    out = tmp_path / "out"
    run(out, LENSES)
    assert call("plot", str(out)).code == 0
    assert "lenses, naive_bayes and logistic_regression: " in call("crossings", str(out)).out
    other = LENSES.replace("[none, soft]", "{lenses: [soft, hard], none: none}")
    killed = killed_before_its_first_chunk(out, other, tmp_path / "killed")

    assert names(killed) == {".lock", ".data", "splits", "journal.jsonl", "manifest.json"}
    assert not list(killed.glob("splits/*/*"))
    ended = call("crossings", str(killed))
    assert (ended.code, ended.out) == (2, "")
    assert "neither raw rows nor a crossings.csv here" in ended.err
    ended = call("status", str(killed))
    assert ended.out.startswith("toy: stopped; 0 of 30 splits done; ")
    partial = reading.read_partial(killed)
    assert partial.curves.empty
    assert partial.crossings is None
    (sheet,) = plots.FIGURES["learning_curves"](partial)
    assert sheet.warning.startswith("partial: 0 of 30 splits (stopped before its end)")
    assert [panel.curves for panel in sheet.panels] == [()]
    assert call("plot", str(killed)).code == 0
    # And it can be gone on with, to the outcome of a run that was never killed.
    for directory in (killed, tmp_path / "whole"):
        run(directory, other, mode="resume")
    for name in ("curves.csv", "crossings.csv"):
        assert (killed / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.slow
def test_limits_of_the_old_runs_laws_are_not_drawn(tmp_path: Path) -> None:
    """The file stays, as those of the new run may be in it; a law is known by its fingerprint."""
    out = tmp_path / "out"
    run(out, LAW)
    planned = plan.make(config.load(tmp_path / "toy.yaml"))
    TABLE.write(out, table(planned)[0])
    assert panel(out).asymptotes
    other = LAW.replace("[2, 1]", "[3, 1]")
    run(out, other, mode="fresh")
    assert (out / TABLE.name).exists()
    assert panel(out).curves
    assert panel(out).asymptotes == ()
    run(out, LAW, mode="fresh")
    assert panel(out).asymptotes


def panel(out: Path) -> Panel:
    (sheet,) = plots.FIGURES["learning_curves"](reading.read_partial(out))
    return sheet.panels[0]


@pytest.mark.slow
def test_all_that_is_written_into_a_folder_is_listed(tmp_path: Path) -> None:
    """What is not in the list is neither cleared nor known as gdcurves' own."""
    out = tmp_path / "out"
    run(out, LENSES.replace("learning_curves", "ng_jordan"))
    for figure in {*plots.FIGURES} - {"complexity", "theory"}:  # which are of laws
        plots.draw(reading.read_run(out), figure)
    assert names(out) >= {"published.csv", "crossings.csv", "figure1.png", "figure_more.pdf"}
    killed = killed_before_its_first_chunk(out, LENSES, tmp_path / "killed")
    TABLE.write(killed, table(plan.make(config.load(tmp_path / "toy.yaml")))[0])
    patterns = [item.pattern for item in CONTENTS]
    for directory in (out, killed):
        for name in names(directory):
            assert any(fnmatchcase(name, pattern) for pattern in patterns), name
    folder.clear(killed)
    assert names(killed) == {".lock", "limits.csv"}
    folder.check(killed, "toy", "new")
