"""Runs on a Dask cluster: a real scheduler and workers, as processes on the loopback interface."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import kills
import pytest
import quiet

import gdcurves
from gdcurves import config, plan
from gdcurves.compute import cluster
from gdcurves.compute.versions import versions
from gdcurves.errors import UserError

pytestmark = [pytest.mark.process, pytest.mark.network]

ENDLESS = 20_000  # splits: minutes of work, of which tests wait for seconds

Start = Callable[..., "subprocess.Popen[str]"]
Whole = tuple[Path, dict[str, bytes]]


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


@contextmanager
def starting(folder: Path) -> Iterator[Start]:
    """Start `dask` commands in a folder, with a log of each there; they are ended afterwards."""
    processes = []

    def start(*words: str, **environment: str) -> subprocess.Popen[str]:
        log = (folder / f"dask-{len(processes)}.log").open("w")
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            stdout=log,
            stderr=log,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": "2", **environment},
            cwd=folder,
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
def start(tmp_path: Path) -> Iterator[Start]:
    """Start `dask` commands; they are ended after the test."""
    with starting(tmp_path) as started:
        yield started


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler whose workers the tests start and end."""
    with starting(tmp_path_factory.mktemp("scheduler")) as started:
        yield schedule(started)[1]


def schedule(start: Start) -> tuple[subprocess.Popen[str], str]:
    """Start a scheduler; its process and address."""
    port = free_port()
    # A task is given up when the second worker has died of it; Dask's own number takes longer.
    once = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
    options = ("--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    process = start("scheduler", *options, **once)
    kills.wait_until(lambda: answers(port))
    return process, f"tcp://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """A config, and the tables of its run on one machine."""
    folder = tmp_path_factory.mktemp("whole")
    written = kills.write_config(folder, 400)
    quiet.run(plan.make(config.load(written)), folder / "out", "toy")
    return written, kills.tables(folder / "out")


def answers(port: int) -> bool:
    with socket.socket() as trying:
        return trying.connect_ex(("127.0.0.1", port)) == 0


def worker(
    start: Start,
    scheduler: str,
    *options: str,
    n_threads: int = 1,
    **environment: str,
) -> subprocess.Popen[str]:
    """Start a worker without a nanny, so that a kill is final."""
    words = ("worker", scheduler, "--no-nanny", "--nthreads", str(n_threads), "--no-dashboard")
    return start(*words, *options, **environment)


def command(config: Path, out: Path, scheduler: str, *options: str) -> list[str]:
    words = [each for each in kills.command(config, out) if each not in ("--jobs", "2")]
    return [*words, "--backend", "dask", "--scheduler", scheduler, *options]


def test_a_worker_killed_in_mid_run_and_one_that_joins_late_change_no_byte(
    start: Start, scheduler: str, whole: Whole, tmp_path: Path
) -> None:
    (toy, tables), out = whole, tmp_path / "out"
    with kills.start(command(toy, out, scheduler)) as process:
        kills.wait_until(lambda: (out / "journal.jsonl").exists())
        # What is there to be done waits for it. Two threads change nothing.
        first = worker(start, scheduler, n_threads=2)
        kills.wait_until(lambda: kills.chunks_done(out) > 1)
        worker(start, scheduler)
        first.kill()
        _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    assert kills.tables(out) == tables
    assert kills.hidden(out) == []
    # Case 8: each of the two data sets reached each worker once.
    for number in (0, 1):
        log = (tmp_path / f"dask-{number}.log").read_text()
        assert log.count("Starting Worker plugin gdcurves-") == 2


def test_ctrl_c_resume_and_a_lost_scheduler_are_as_on_one_machine(
    start: Start, tmp_path: Path
) -> None:
    endless = kills.write_config(tmp_path, ENDLESS)
    out = tmp_path / "out"
    lost, scheduler = schedule(start)
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
        lost.kill()
        _, said = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "Traceback" not in said, said
    assert re.search("Error: .* connection to the scheduler was lost; .*", said.splitlines()[-1])


# What a worker loads, to die of one chunk.
DEADLY = """
import os
import gdcurves
from gdcurves.compute import chunk, cluster

def deadly(task):
    if (task.chunk.experiment, task.chunk.start) == ("radar", 100):
        os._exit(3)
    return chunk.compute(task)

cluster.compute = deadly
"""


def test_case_10_a_chunk_that_kills_its_workers_is_reported(
    start: Start, scheduler: str, whole: Whole, tmp_path: Path
) -> None:
    (toy, tables), out = whole, tmp_path / "out"
    (tmp_path / "deadly.py").write_text(DEADLY)
    workers = [worker(start, scheduler, "--preload", "deadly.py") for _ in range(3)]
    ended = kills.call(command(toy, out, scheduler))
    assert ended.returncode == 1, ended.stderr
    why = "radar: splits 100 to 199 at m = 8 to 32: every worker process that tried it died"
    assert f"Failed: {why}" in ended.stdout.splitlines()
    # Two have tried it and died, though a process that is ending may be seen a moment longer.
    kills.wait_until(lambda: [each.poll() for each in workers].count(None) == 1)
    worker(start, scheduler)
    for each in workers:
        each.kill()
    assert kills.call(command(toy, out, scheduler, "--resume")).returncode == 0
    assert kills.tables(out) == tables


# What stands in for the package at a worker: nothing, or another version, which cannot compute.
LACKING = "raise ModuleNotFoundError(\"No module named 'gdcurves'\")"
OTHER = f"""
__path__ = {gdcurves.__path__!r}
__version__ = "99.0"
from gdcurves.compute import chunk
chunk.compute = None
"""


def instead(folder: Path, package: str) -> dict[str, str]:
    """Environment in which another package is found in place of gdcurves."""
    (folder / "other" / "gdcurves").mkdir(parents=True)
    (folder / "other" / "gdcurves" / "__init__.py").write_text(package)
    path = [str(folder / "other"), os.environ.get("PYTHONPATH", "")]
    return {"PYTHONPATH": os.pathsep.join(path)}


def unfit(why: str) -> str:
    return (
        rf"worker tcp://127\.0\.0\.1:\d+ cannot work \({why}\); install there"
        rf" gdcurves {gdcurves.__version__}, numpy .*, scipy .*, or end it"
    )


def assert_refused(config: Path, out: Path, scheduler: str, why: str) -> None:
    ended = kills.call(command(config, out, scheduler))
    assert ended.returncode == 2
    assert re.fullmatch(f"Error: {unfit(why)}\n", ended.stderr), ended.stderr
    assert not out.exists()


def test_workers_that_cannot_work_are_named_and_compute_nothing(
    start: Start, scheduler: str, tmp_path: Path
) -> None:
    """Without gdcurves or with another version of it, beside a run and before one."""
    endless = kills.write_config(tmp_path, ENDLESS)
    out = tmp_path / "out"
    lacking, other = instead(tmp_path / "absent", LACKING), instead(tmp_path / "old", OTHER)
    worker(start, scheduler)
    with kills.start(command(endless, out, scheduler)) as process:
        kills.wait_until(lambda: kills.chunks_done(out) > 1)
        late = worker(start, scheduler, **lacking)
        assert late.wait(timeout=60) != 0
        done = kills.chunks_done(out)
        kills.wait_until(lambda: kills.chunks_done(out) > done)
        joined = worker(start, scheduler, **other)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    why = f"it has gdcurves 99.0, and the run {gdcurves.__version__}"
    assert re.match(f"Error: {unfit(why)}; resume with: ", said.splitlines()[-1]), said
    assert kills.hidden(out) == []
    assert_refused(endless, tmp_path / "none", scheduler, why)
    joined.kill()
    worker(start, scheduler, **lacking)
    kills.wait_until(lambda: "Registered to:" in (tmp_path / "dask-3.log").read_text())
    assert_refused(endless, tmp_path / "none", scheduler, ".*No module named 'gdcurves'.*")


def test_a_worker_with_other_code_of_the_same_version_computes_nothing(
    start: Start, scheduler: str, tmp_path: Path
) -> None:
    config = kills.write_config(tmp_path, 100)
    (tmp_path / "changed.py").write_text(
        "from gdcurves.compute import versions\nversions.code_sha256 = lambda: '0' * 64\n"
    )
    worker(start, scheduler, "--preload", "changed.py")
    kills.wait_until(lambda: "Registered to:" in (tmp_path / "dask-0.log").read_text())
    code = versions()["gdcurves' code"]
    why = f"it has gdcurves' code {'0' * 12}, and the run {code}"
    assert_refused(config, tmp_path / "out", scheduler, why)


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    address = f"tcp://127.0.0.1:{free_port()}"
    with pytest.raises(UserError) as caught, cluster.connected(address, print):
        pass
    assert str(caught.value).startswith(f"--scheduler {address}: no Dask scheduler answers")
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)


NO_ADDRESSES = """
garbage 127.0.0.1 tcp://127.0.0.1 tcp://[::1] ::1 host:port tcp://:8786 tcp://127.0.0.1:99999
http://127.0.0.1:8786 inproc://127.0.0.1:8786
"""


@pytest.mark.parametrize("address", ["", *NO_ADDRESSES.split()])
def test_what_is_no_address_is_refused_at_once(address: str) -> None:
    with pytest.raises(UserError) as caught, cluster.connected(address, print):
        pass
    assert str(caught.value).startswith(f"--scheduler {address}: not the address of a Dask")


@pytest.mark.parametrize("scheme", ["tcp", "tls"])
def test_where_something_else_listens_the_client_gives_up_and_is_closed(scheme: str) -> None:
    code = """
import sys
from gdcurves import cli
from gdcurves.compute import cluster
cluster.PATIENCE = 0.5
cli.main()
"""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"{scheme}://127.0.0.1:{listening.getsockname()[1]}"
        options = ["run", "--config", "ng_jordan.yaml", "--backend", "dask", "--scheduler", address]
        ended = kills.call([sys.executable, "-c", code, *options])
    assert ended.returncode == 2
    assert re.fullmatch(f"Error: --scheduler {address}: no Dask scheduler .*\n", ended.stderr)
