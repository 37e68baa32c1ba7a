"""Runs on a Dask cluster: a real scheduler and workers, as processes on the loopback interface."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import kills
import pytest

from gdcurves import cluster
from gdcurves.errors import UserError

TESTS = Path(__file__).parent
Start = Callable[[], "subprocess.Popen[str]"]


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start `dask` commands; they are ended after the test."""
    processes = []
    environment = {**os.environ, "PYTHONPATH": str(TESTS), "OMP_NUM_THREADS": "2"}

    def start(*words: str) -> subprocess.Popen[str]:
        log = (tmp_path / f"dask-{len(processes)}.log").open("w")
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            stdout=log,
            stderr=log,
            text=True,
            env=environment,
            cwd=tmp_path,
            start_new_session=True,
        )
        log.close()
        processes.append(process)
        return process

    yield start
    for each in processes:
        try:
            os.killpg(each.pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
        each.wait()


@pytest.fixture
def scheduler(start: Callable[..., subprocess.Popen[str]]) -> str:
    port = free_port()
    start("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    kills.wait_until(lambda: answers(port))
    return f"tcp://127.0.0.1:{port}"


def answers(port: int) -> bool:
    with socket.socket() as trying:
        return trying.connect_ex(("127.0.0.1", port)) == 0


def worker(start: Callable[..., subprocess.Popen[str]], scheduler: str) -> subprocess.Popen[str]:
    """Start a worker without a nanny, so that a kill is final."""
    return start("worker", scheduler, "--no-nanny", "--nthreads", "2", "--no-dashboard")


def command(config: Path, out: Path, scheduler: str, *options: str) -> list[str]:
    words = [each for each in kills.command(config, out) if each not in ("--jobs", "2")]
    return [*words, "--backend", "dask", "--scheduler", scheduler, *options]


def test_a_worker_killed_in_mid_run_and_one_that_joins_late_change_no_byte(
    start: Callable[..., subprocess.Popen[str]], scheduler: str, tmp_path: Path
) -> None:
    config = kills.write_config(tmp_path, 400)
    out, local = tmp_path / "out", tmp_path / "local"
    with kills.start(command(config, out, scheduler)) as process:
        kills.wait_until(lambda: (out / "journal.jsonl").exists())
        first = worker(start, scheduler)  # what is there to be done waits for it
        kills.wait_until(lambda: kills.chunks_done(out) > 1)
        worker(start, scheduler)
        first.kill()
        _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    assert kills.call(kills.command(config, local)).returncode == 0
    assert kills.tables(out) == kills.tables(local)
    assert kills.hidden(out) == []
    # Case 8: each of the two data sets reached each worker once.
    for number in (1, 2):
        log = (tmp_path / f"dask-{number}.log").read_text()
        assert log.count("Starting Worker plugin gdcurves-") == 2


def test_ctrl_c_resume_and_a_lost_scheduler_are_as_on_one_machine(
    start: Callable[..., subprocess.Popen[str]], scheduler: str, tmp_path: Path
) -> None:
    endless = kills.write_config(tmp_path, 200_000)
    out = tmp_path / "out"
    worker(start, scheduler)
    with kills.start(command(endless, out, scheduler)) as process:
        kills.wait_until(lambda: kills.chunks_done(out) > 1)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in said, said
    assert said.splitlines()[-1].endswith("--resume")
    assert kills.hidden(out) == []
    done = kills.chunks_done(out)
    with kills.start(command(endless, out, scheduler, "--resume")) as process:
        kills.wait_until(lambda: kills.chunks_done(out) > done)
        port = scheduler.rpartition(":")[2]
        found = subprocess.run(["pgrep", "-f", f"scheduler .*--port {port}"], capture_output=True)
        os.kill(int(found.stdout.split()[0]), signal.SIGKILL)
        _, said = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "Traceback" not in said, said
    assert re.search("Error: .* connection to the scheduler was lost; .*", said.splitlines()[-1])


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    address = f"tcp://127.0.0.1:{free_port()}"
    with pytest.raises(UserError) as caught, cluster.connected(address, print):
        pass
    assert str(caught.value).startswith(f"--scheduler {address}: no Dask scheduler answers")
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)
