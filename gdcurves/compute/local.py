"""Processes on this machine that compute chunks, and what happens when one of them dies.

The work goes through joblib over loky. When a worker dies, loky ends all of them and does not say
at what it was; hence each tells through a pipe what it begins. Another pipe is open as long as this
process lives, and the workers end with it, however it ends.
"""

from __future__ import annotations

import os
import signal
import threading
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing, contextmanager
from multiprocessing import Pipe, resource_tracker
from typing import Any

from joblib import Parallel, cpu_count, delayed
from joblib.externals.loky.backend import resource_tracker as loky_tracker
from joblib.parallel import LokyBackend

from gdcurves.compute import worker
from gdcurves.compute.chunk import Result, Task, compute

AHEAD = 2  # tasks given out for each worker, so that it need not wait for the next
WAITING = 16  # results for each worker that may wait to be taken

Work = Callable[[Task], Result]


def run(tasks: Sequence[Task], jobs: int | None = None, work: Work = compute) -> Generator[Result]:
    """Compute tasks in worker processes; yields results as they come.

    A task whose worker died is tried once more while nothing else is done, so that it is certain
    at what a worker dies; then its result is a failure. Close the iterator to end the workers at
    once.

    Parameters
    ----------
    tasks
        What to do, begun in this order.
    jobs
        Number of workers, one per usable CPU unless given; 1 computes in this process, as does a
        single task.
    work
        What a worker does with a task; a function that can be imported.
    """
    jobs = min(jobs or cpu_count(), len(tasks))
    if jobs < 2:
        yield from map(work, tasks)
        return
    todo = dict(enumerate(tasks))
    with closing(_Workers(jobs, work)) as workers:
        while todo:
            suspects = yield from workers.compute(todo, list(todo))
            for number in suspects:
                died = yield from workers.compute(todo, [number])
                if died:
                    task = todo.pop(number)
                    failure = f"{task}: the worker process died 2 times ({died[number]})"
                    yield Result(task.experiment, task.splits, failure=failure)


class _Workers:
    """Worker processes, started when there is work, and anew when they have been ended."""

    def __init__(self, jobs: int, work: Work) -> None:
        warnings.filterwarnings("ignore", module="joblib")  # not for those who run gdcurves
        theirs, self.life = Pipe(duplex=False)
        self.marks, marks = Pipe(duplex=False)
        self.loky = _Loky(initializer=worker.begin, initargs=(theirs, marks))
        self.jobs = jobs
        self.work = work
        self.begun: dict[int, int] = {}  # process number -> task it has begun last

    def close(self) -> None:
        """End them at once."""
        self.life.close()
        self.loky.abort_everything(ensure_ready=False)
        self.marks.close()

    def compute(
        self, todo: dict[int, Task], numbers: Sequence[int]
    ) -> Generator[Result, None, dict[int, str]]:
        """Compute some of the tasks to do, and take from there what is done.

        Returns at which tasks workers have died, and how. Some may be left even where none has.
        """
        parallel = Parallel(
            self.jobs,
            backend=self.loky,
            return_as="generator_unordered",
            batch_size=1,
            pre_dispatch=AHEAD * self.jobs,
            max_nbytes=None,
        )
        try:
            with ExitStack() as stack:
                with _undisturbed():
                    results = stack.enter_context(closing(parallel(self._give(todo, numbers))))
                for number, result in results:
                    self._note()
                    del todo[number]
                    yield result
        except BrokenProcessPool:
            left = [number for number in numbers if number in todo]
            return self._died(left)
        return {}

    def _give(self, todo: dict[int, Task], numbers: Sequence[int]) -> Iterator[Any]:
        """Yield what joblib is to do, until too many results wait.

        It asks for more whenever something is done, also where nobody takes the results.
        """
        before = len(todo)
        for given, number in enumerate(numbers):
            if given - (before - len(todo)) == WAITING * self.jobs:
                return
            yield delayed(worker.do)(number, todo[number], self.work)

    def _note(self) -> None:
        """Read what workers have told to begin."""
        while self.marks.poll():
            process, number = self.marks.recv()
            self.begun[process] = number

    def _died(self, left: Sequence[int]) -> dict[int, str]:
        """Return at which of the tasks left workers have died and how; the first if at none.

        A worker may die of its start, and so may those that follow it: something must be tried.
        """
        self._note()
        codes, self.loky.exit_codes = self.loky.exit_codes, {}
        begun, self.begun = self.begun, {}
        died = {
            number: _how(codes[process])
            for process, number in begun.items()
            if number in left and process in codes
        }
        return died or {left[0]: " and ".join(map(_how, sorted(set(codes.values())))) or "unseen"}


class _Loky(LokyBackend):  # type: ignore[misc]
    """Joblib's backend, which keeps workers between calls and sees which of them died."""

    def __init__(self, **options: Any) -> None:
        super().__init__(nesting_level=0, inner_max_num_threads=1, **options)
        self._workers: Any = None
        self.exit_codes: dict[int, int] = {}  # of workers that died, by process number

    def retrieve_result_callback(self, future: Any) -> Any:
        """Return a result; called by loky's thread, and before it ends the other workers."""
        try:
            return super().retrieve_result_callback(future)
        except BrokenProcessPool:
            codes = {number: each.exitcode for number, each in self._workers._processes.items()}
            self.exit_codes = {number: each for number, each in codes.items() if each is not None}
            raise

    def terminate(self) -> None:
        """Let the workers wait for the next call."""

    def abort_everything(self, ensure_ready: bool = True) -> None:
        """End the workers, if any; others are started when there is work again."""
        if self._workers is not None:
            with self.parallel._lock:  # held where a task is given out
                self._workers._work_ids.queue.clear()  # else loky's thread may fail over them
            super().abort_everything(ensure_ready=False)


def _how(code: int) -> str:
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold back signals while processes are started, which then never get those of a terminal.

    Ctrl-C is for this process to handle, which then ends the others.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "pthread_sigmask"):  # Windows lacks it
        yield
        return
    _start_trackers()
    terminal = (signal.SIGINT, signal.SIGHUP)
    pending: list[int] = []
    # Blocking is inherited, but another thread may still take a signal: hence the handlers.
    handlers = {
        each: signal.signal(each, lambda number, _: pending.append(number))
        for each in (*terminal, signal.SIGTERM)
    }
    before = signal.pthread_sigmask(signal.SIG_BLOCK, terminal)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for each, handler in handlers.items():
            signal.signal(each, handler)
        for number in pending:
            signal.raise_signal(number)


def _start_trackers() -> None:
    """Start what cleans up behind a killed run; later it would unblock signals, and tell of it."""
    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = "ignore"
    try:
        for each in (resource_tracker, loky_tracker):
            each.ensure_running()
    finally:
        del os.environ["PYTHONWARNINGS"]
        if before is not None:
            os.environ["PYTHONWARNINGS"] = before
