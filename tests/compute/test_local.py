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
from kills import wait_until
from threadpoolctl import threadpool_info

from gdcurves import datasets
from gdcurves.compute import local
from gdcurves.compute.chunk import Result, Task, compute
from gdcurves.fitters import Batch
from gdcurves.fitters.batch import Fit
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.plan.experiment import NamedFitter
from gdcurves.problems import problem


def task(number: int, folder: Path, fitter: NaiveBayes | None = None) -> Task:
    named = (NamedFitter("f", fitter or NaiveBayes()),)
    return Task(
        "votes", str(folder), named, (3, 9), (80, 80), False, range(8 * number, 8 * number + 8), 0
    )


def answer(given: Task) -> Result:
    return Result(given.experiment, given.splits, str(os.getpid()).encode())


def meet(given: Task) -> Result:
    """Wait until another worker is there."""
    (Path(given.folder) / str(os.getpid())).touch()
    wait_until(lambda: len(list(Path(given.folder).iterdir())) > 1)
    return answer(given)


def die_once(given: Task) -> Result:
    """Die at the second chunk, unless that has been tried."""
    tried = Path(given.folder) / "tried"
    if given.splits.start == 8 and not tried.exists():
        tried.write_text(str(os.getpid()))
        os._exit(3)
    return answer(given)


def die_always(given: Task) -> Result:
    if given.splits.start == 8:
        os.kill(os.getpid(), signal.SIGKILL)
    return answer(given)


def die_beside(given: Task) -> Result:
    """Die at the second chunk while the first one is under way; tell when each was at work."""
    log = Path(given.folder) / str(given.splits.start)
    first = not log.exists()
    with log.open("a") as file:
        file.write(f"{time.monotonic()} ")
        file.flush()
        if given.splits.start == 8:
            wait_until(log.with_name("0").exists)
            time.sleep(0 if first else 0.5)
            file.write(f"{time.monotonic()} ")
            file.flush()
            os._exit(3)
        time.sleep(60 if first and given.splits.start == 0 else 0)
    return answer(given)


def die_idle(given: Task) -> Result:
    """Die after the first chunk, while the second one is under way and nothing is left to do."""
    begun = Path(given.folder) / "begun"
    if given.splits.start == 0:
        wait_until(begun.exists)
        threading.Timer(0.2, os._exit, [3]).start()
    elif not begun.exists():
        begun.touch()
        time.sleep(60)
    return answer(given)


class Unreadable:
    """Work of which a worker dies before it knows what it is."""

    def __call__(self, given: Task) -> Result:
        """Do nothing."""
        return answer(given)

    def __reduce__(self) -> tuple[object, ...]:
        """Have whoever reads this end."""
        return os._exit, (7,)


def sleep(given: Task) -> Result:
    if given.splits.start:
        time.sleep(60)
    return answer(given)


def leave(given: Task) -> Result:
    """Leave a trace."""
    (Path(given.folder) / str(given.splits.start)).touch()
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
    results = list(local.run([task(i, tmp_path) for i in range(9)], 2, meet))
    assert sorted(each.splits.start for each in results) == [8 * i for i in range(9)]
    assert len({each.rows for each in results}) == 2
    assert str(os.getpid()).encode() not in {each.rows for each in results}
    assert list(local.run([], 2, answer)) == []
    assert not [each for each in results if alive(int(each.rows))]


def test_case_10_a_chunk_whose_worker_died_is_tried_in_a_new_one(tmp_path: Path) -> None:
    results = list(local.run([task(i, tmp_path) for i in range(6)], 2, die_once))
    assert sorted(each.splits.start for each in results) == [8 * i for i in range(6)]
    assert not [each for each in results if each.failure]
    (retried,) = [each for each in results if each.splits.start == 8]
    assert retried.rows.decode() != (tmp_path / "tried").read_text()
    assert len({each.rows for each in results}) <= 4


def test_case_10_a_chunk_that_kills_its_workers_is_reported_and_no_other(tmp_path: Path) -> None:
    results = list(local.run([task(i, tmp_path) for i in range(6)], 2, die_always))
    assert sorted(each.splits.start for each in results) == [8 * i for i in range(6)]
    (failed,) = [each for each in results if each.failure]
    assert failed.splits == range(8, 16)
    assert failed.failure == (
        "splits 8 to 15 at m = 3 to 9: the worker process died 2 times (SIGKILL)"
    )


def test_case_10_a_chunk_is_tried_again_while_nothing_else_is_done(tmp_path: Path) -> None:
    """What was under way when its worker died is done again, and has no part in its death."""
    results = list(local.run([task(i, tmp_path) for i in range(6)], 2, die_beside))
    (failed,) = [each for each in results if each.failure]
    assert failed.splits == range(8, 16)
    times = {i: list(map(float, (tmp_path / f"{8 * i}").read_text().split())) for i in range(6)}
    _, died, _, died_again = times.pop(1)
    assert len(times[0]) == 2
    assert not [each for begun in times.values() for each in begun if died < each < died_again]


def test_case_10_a_worker_that_dies_at_no_chunk_does_no_harm(tmp_path: Path) -> None:
    results = list(local.run([task(i, tmp_path) for i in range(2)], 2, die_idle))
    assert [(each.splits.start, each.failure) for each in results] == [(0, None), (8, None)]


def test_case_10_where_workers_die_of_their_start_every_chunk_is_reported(tmp_path: Path) -> None:
    results = list(local.run([task(i, tmp_path) for i in range(2)], 2, Unreadable()))
    assert sorted(each.splits.start for each in results) == [0, 8]
    for each in results:
        assert str(each.failure).endswith(": the worker process died 2 times (exit code 7)")


def test_results_that_nobody_takes_are_few(tmp_path: Path) -> None:
    results = local.run([task(i, tmp_path) for i in range(200)], 2, leave)
    with closing(results):
        next(results)
        time.sleep(1)
        assert len(list(tmp_path.iterdir())) <= 2 * local.WAITING + 1
        assert len(list(results)) == 199


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


def test_workers_do_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    """They end in the middle of their work, too, and nothing is said about it."""
    (tmp_path / "parent.py").write_text(PARENT)
    command = [sys.executable, str(tmp_path / "parent.py")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, env=environment) as parent:
        assert parent.stdout is not None
        assert parent.stderr is not None
        worker = int(parent.stdout.readline())
        parent.kill()
        wait_until(lambda: not alive(worker), 5)
        assert parent.stderr.read() == b""


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
