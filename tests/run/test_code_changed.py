"""`--resume` after gdcurves' own code has changed: refused where rows could be others."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import gdcurves

PACKAGE = Path(gdcurves.__file__).parent
CONFIG = """
splits: 5
experiments: [{name: lenses, data: contact-lenses, sizes: [2, 5]}]
fitters: [{type: naive_bayes}]
"""

Call = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def copied(tmp_path: Path) -> Call:
    """Call a copy of the package, which may be changed, with a config of one experiment."""
    shutil.copytree(PACKAGE, tmp_path / "site" / "gdcurves")
    (tmp_path / "toy.yaml").write_text(CONFIG)

    def call(*options: str) -> subprocess.CompletedProcess[str]:
        words = ["run", "--config", "toy.yaml", "--jobs", "1", "--out", "out", *options]
        return subprocess.run(
            [sys.executable, "-m", "gdcurves", *words],
            env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )

    return call


def change(path: Path) -> None:
    path.write_text(path.read_text() + "\nCHANGED = True\n")


@pytest.mark.slow
def test_resume_refuses_where_the_code_that_computes_has_changed(
    copied: Call, tmp_path: Path
) -> None:
    assert copied().returncode == 0
    before = (tmp_path / "out" / "manifest.json").read_bytes()
    package = tmp_path / "site" / "gdcurves"
    change(package / "fitters" / "naive_bayes.py")
    ended = copied("--resume")
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1] == (
        "Error: --resume: the run of 'toy' is another one: gdcurves' own code has changed since;"
        " take back the changes, use --fresh to begin anew, or choose another folder with --out"
    )
    assert (tmp_path / "out" / "manifest.json").read_bytes() == before
    assert copied("--fresh").returncode == 0
    after = (tmp_path / "out" / "manifest.json").read_bytes()
    assert json.loads(after)["code_sha256"] != json.loads(before)["code_sha256"]


@pytest.mark.slow
def test_resume_goes_on_where_only_what_shows_results_has_changed(
    copied: Call, tmp_path: Path
) -> None:
    assert copied().returncode == 0
    for part in ("report/summary.py", "plots/panel.py", "cli/run.py"):
        change(tmp_path / "site" / "gdcurves" / part)
    ended = copied("--resume")
    assert ended.returncode == 0, ended.stderr
