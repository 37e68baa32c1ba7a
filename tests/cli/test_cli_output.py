"""Output that cannot be written or shown: a full disk, a reader that leaves, odd file names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest
from conftest import ROOT

pytestmark = pytest.mark.process

CONFIG = """\
splits: 2
sizes: [4]
experiments: [{name: lenses, data: contact-lenses}]
fitters: [{type: naive_bayes}]
"""
FULL = Path("/dev/full")


def start(
    folder: Path, *words: str | bytes, out: int | IO[str] = subprocess.PIPE, **environment: str
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "gdcurves", *words],
        stdout=out,
        stderr=subprocess.PIPE,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("words", ["datasets list", "--help", "run --config c.yaml --jobs 1"])
def test_full_disk(tmp_path: Path, words: str) -> None:
    (tmp_path / "c.yaml").write_text(CONFIG)
    with FULL.open("w") as out:
        process = start(tmp_path, *words.split(), out=out)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 1
    last = err.decode().splitlines()[-1]
    assert last == "Error: cannot write the output (No space left on device)"
    assert b"Traceback" not in err
    assert b"Exception" not in err
    # The work of a run was done before its summary.
    assert (tmp_path / "results" / "c" / "curves.csv").exists() == words.startswith("run")


def test_a_reader_that_leaves(tmp_path: Path) -> None:
    process = start(tmp_path, "datasets", "list")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    assert process.wait(timeout=120) == 1
    process.stderr.close()


TABLE = "größe,b,y\n" + "".join(f"{i % 9}.5,{'äß'[i % 2]},{'jn'[i % 2]}ö\n" for i in range(20))


def test_names_beyond_ascii_in_the_locale_c(tmp_path: Path) -> None:
    (tmp_path / "größe.csv").write_text(TABLE, encoding="utf-8")
    words = ("run", "--data", "größe.csv", "--target", "y", "--splits", "2", "--jobs", "1")
    process = start(tmp_path, *words, LC_ALL="C")
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "target      y: jö 10, nö 10" in out.decode()
    assert (tmp_path / "results" / "gro-e" / "figure.png").exists()


def test_names_that_are_no_text(tmp_path: Path) -> None:
    """Bytes that the file system takes and UTF-8 does not, and UTF-8 where ASCII is spoken."""
    for name, more in [(b"\xff.csv", {}), ("größe.csv".encode(), {"PYTHONUTF8": "0"})]:
        (tmp_path / os.fsdecode(name)).write_text(TABLE, encoding="utf-8")
        words = ("datasets", "show", name, "--target", "y")
        process = start(tmp_path, *words, LC_ALL="C", PYTHONCOERCECLOCALE="0", **more)
        out, err = process.communicate(timeout=120)
        assert (process.returncode, out) == (2, b"")
        assert err.startswith(b"Error: file ")
        assert b"the name is not UTF-8 text here; rename the file" in err
        assert err.count(b"\n") == 1
