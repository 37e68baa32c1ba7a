"""Worker processes: what they are told, and what happens when they die."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from gdcurves import datasets
from gdcurves.compute import local
from gdcurves.compute.chunk import Result, Task, compute
from gdcurves.fitters import Batch
from gdcurves.fitters.batch import Fit
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.plan.experiment import NamedFitter
from gdcurves.problems import problem
from gdcurves.store.chunk import Chunk

pytestmark = pytest.mark.process

TESTS = Path(__file__).parent


def task(number: int, folder: Path, fitter: NaiveBayes | None = None) -> Task:
    named = (NamedFitter("f", fitter or NaiveBayes()),)
    chunk = Chunk("votes", 8 * number, 8 * number + 8)
    return Task(chunk, str(folder), named, (3, 9), (80, 80), False, 0)


def answer(given: Task) -> Result:
    return Result(given.chunk, str(os.getpid()).encode())


def die_once(given: Task) -> Result:
    """Die at the second chunk, unless that has been tried."""
    tried = Path(given.folder) / "tried"
    if given.chunk.start == 8 and not tried.exists():
        tried.touch()
        os._exit(3)
    return answer(given)


def die_always(given: Task) -> Result:
    if given.chunk.start == 8:
        os.kill(os.getpid(), signal.SIGKILL)
    return answer(given)


def die_sending(given: Task) -> Result:
    """Die in the midst of sending the second chunk, as large as that a pipe does not hold it."""
    if given.chunk.start != 8:
        return answer(given)
    threading.Thread(target=die_when_sending, args=(threading.get_ident(),), daemon=True).start()
    return Result(given.chunk, b"0" * 200_000_000)


def die_when_sending(thread: int) -> None:
    while sys._current_frames()[thread].f_code.co_name != "_send":
        time.sleep(0.001)
    time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGKILL)


def sleep(given: Task) -> Result:
    if given.chunk.start:
        time.sleep(60)
    return answer(given)


class Spy(NaiveBayes):
    """A fitter that warns of the number of BLAS threads."""

    def fit(self, batch: Batch, rng: np.random.Generator) -> Fit:
        """Fit, and warn."""
        threads = max(each["num_threads"] for each in threadpool_info())
        warnings.warn(f"{threads} threads", RuntimeWarning, stacklevel=1)
        return super().fit(batch, rng)


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    problem.build("votes", datasets.load("vote"), "discrete").save(tmp_path / "votes")
    return tmp_path / "votes"


def test_every_task_is_done_once(tmp_path: Path) -> None:
    results = list(local.run([task(i, tmp_path) for i in range(9)], 2, answer))
    assert sorted(each.chunk.start for each in results) == [8 * i for i in range(9)]
    assert len({each.rows for each in results}) == 2
    assert str(os.getpid()).encode() not in {each.rows for each in results}
    assert list(local.run([], 2, answer)) == []


def test_case_10_a_chunk_whose_worker_died_is_tried_in_a_new_one(tmp_path: Path) -> None:
    results = list(local.run([task(i, tmp_path) for i in range(6)], 2, die_once))
    assert sorted(each.chunk.start for each in results) == [8 * i for i in range(6)]
    assert not [each for each in results if each.failure]
    assert len({each.rows for each in results}) <= 3


def test_case_10_a_chunk_that_kills_its_workers_is_reported_and_no_other(tmp_path: Path) -> None:
    results = list(local.run([task(i, tmp_path) for i in range(6)], 2, die_always))
    assert sorted(each.chunk.start for each in results) == [8 * i for i in range(6)]
    (failed,) = [each for each in results if each.failure]
    assert failed.chunk == Chunk("votes", 8, 16)
    assert failed.failure == (
        "splits 8 to 15 at m = 3 to 9: the worker process died 2 times (SIGKILL)"
    )


def test_case_10_a_worker_that_dies_while_it_sends_a_result_is_found(tmp_path: Path) -> None:
    """Workers that share a pipe for their results leave half of one there, and the rest waits."""
    results = list(local.run([task(i, tmp_path) for i in range(4)], 2, die_sending))
    assert sorted(each.chunk.start for each in results) == [0, 8, 16, 24]
    (failed,) = [each for each in results if each.failure]
    assert str(failed.failure).endswith(": the worker process died 2 times (SIGKILL)")


def test_closing_ends_the_workers_at_once(tmp_path: Path) -> None:
    began = time.monotonic()
    with closing(local.run([task(i, tmp_path) for i in range(4)], 2, sleep)) as results:
        pid = int(next(results).rows)
    assert time.monotonic() - began < 30
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


PARENT = """
from pathlib import Path
import sys
from gdcurves.compute import local
from test_local import sleep, task
if __name__ == "__main__":
    for each in local.run([task(i, Path()) for i in range(4)], 2, sleep):
        print(each.rows.decode(), flush=True)
"""


def test_a_script_needs_no_guard_against_being_run_by_its_workers(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from pathlib import Path\n"
        "from gdcurves.compute import local\n"
        "from test_local import answer, task\n"
        "results = local.run([task(number, Path()) for number in range(4)], 2, answer)\n"
        "print(len({each.rows for each in results}))\n"
    )
    path = os.pathsep.join([str(TESTS), *sys.path])
    ended = subprocess.run(
        [sys.executable, script],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert (ended.stdout.split(), ended.stderr) == (["2"], "")


def test_workers_do_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    """They end in the middle of their work, too."""
    (tmp_path / "parent.py").write_text(PARENT)
    command = [sys.executable, str(tmp_path / "parent.py")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        parent.kill()
    for _ in range(100):
        if not alive(worker):
            return
        time.sleep(0.05)
    pytest.fail("a worker lives on")


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended may wait to be collected by process 1."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.parametrize("jobs", [1, 2])
def test_case_9_blas_has_one_thread_and_warnings_are_counted(votes: Path, jobs: int) -> None:
    if max((each["num_threads"] for each in threadpool_info()), default=1) == 1:
        pytest.skip("BLAS has one thread here to begin with")
    results = list(local.run([task(i, votes, Spy()) for i in range(3)], jobs))
    for each in results:
        (text, count), *others = each.warnings.items()
        assert (text.split(" (")[0], count) == ("RuntimeWarning: 1 threads", 2)
        assert not others


def test_case_8_tasks_carry_numbers_and_no_arrays(votes: Path) -> None:
    """What is sent does not grow with the data; a worker maps these from a file."""
    assert len(pickle.dumps(task(0, votes))) < 1000
    assert compute(task(0, votes)).failure is None
    loaded = problem.Problem.load(votes)
    for name in ("x", "y"):
        array = getattr(loaded, name)
        assert isinstance(array, np.memmap)
        assert array.mode == "r"
        assert Path(str(array.filename)) == votes / f"{name}.npy"
