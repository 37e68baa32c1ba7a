"""Runs in processes of their own that are killed, for the tests and for `make soak`."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

PROGRAM = (sys.executable, "-m", "gdcurves")
CONFIG = """
splits: {splits}
experiments:
  - {{name: radar, data: ionosphere, inputs: continuous, classes: [b, g], sizes: [8, 32]}}
  - {{name: votes, data: vote, inputs: discrete, sizes: [2, 9]}}
fitters: [{{type: naive_bayes}}, {{type: logistic_regression}}]
"""


def write_config(folder: Path, splits: int) -> Path:
    path = folder / "toy.yaml"
    path.write_text(CONFIG.format(splits=splits))
    return path


def command(config: Path | str, out: Path, *options: str) -> list[str]:
    words = [*PROGRAM, "run", "--config", str(config), "--out", str(out)]
    return [*words, "--jobs", "2", *options]


def start(words: list[str]) -> subprocess.Popen[str]:
    """Start a run as a terminal would, in a group of processes of its own."""
    return subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A shell that runs things in the background has them ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler) and None,
    )


def call(words: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)


def tables(folder: Path) -> dict[str, bytes]:
    """Curves and raw rows."""
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.csv"))
    }


def hidden(folder: Path) -> list[str]:
    """What only a run that goes on may have: lock, data, temporary files."""
    return sorted(path.name for path in folder.rglob(".*"))


def chunks_done(folder: Path) -> int:
    """How many lines the journal has of chunks that are done."""
    try:
        lines = (folder / "journal.jsonl").read_text().splitlines()
    except FileNotFoundError:
        return 0
    return sum('"failure":null' in line for line in lines)


def wait_until(true: Callable[[], bool], seconds: float = 120.0) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def kill_at_random(words: list[str], rng: random.Random, longest: float) -> str:
    """Start a run and kill it, its first worker or both within so many seconds.

    Returns what was killed and when; "ended" if the run was faster.
    """
    process = start(words)
    delay = rng.uniform(0.0, longest)
    try:
        process.communicate(timeout=delay)
    except subprocess.TimeoutExpired:
        pass
    else:
        return "ended"
    victim = rng.choice(["parent", "worker", "both"])
    workers = children(process.pid)
    if victim != "parent" and workers:
        kill(workers[0])
    if victim != "worker" or not workers:
        process.kill()
    process.communicate(timeout=600)
    return f"{victim} after {delay:.2f} s"


def children(pid: int) -> list[int]:
    """Workers of a run."""
    found = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    lines = [line.split(maxsplit=1) for line in found.stdout.splitlines()]
    return [int(number) for number, words in lines if "spawn_main" in words]


def kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def state(folder: Path) -> str:
    """Status in the manifest."""
    return str(json.loads((folder / "manifest.json").read_text())["status"])
