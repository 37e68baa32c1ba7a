"""Processes on this machine that compute chunks, and what happens when one of them dies.

Each worker has a pipe of its own, so a broken pipe tells which worker died, and the order in which
it was given tasks tells at which. Workers end when this process does, however it ends.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from types import ModuleType

from gdcurves.compute.chunk import Result, Task, compute

AHEAD = 2  # tasks given to a worker, so that it need not wait for the next
ATTEMPTS = 2  # at a chunk, each in a worker of its own

Work = Callable[[Task], Result]


def run(tasks: Sequence[Task], jobs: int, work: Work = compute) -> Generator[Result]:
    """Compute tasks in worker processes; yields results as they come.

    A task whose worker died is tried once more in a new one, then its result is a failure. Close
    the iterator to end the workers at once.

    Parameters
    ----------
    tasks
        What to do, begun in this order.
    jobs
        Number of workers; 1 computes in this process, as does a single task.
    work
        What a worker does with a task; a function that can be imported.
    """
    jobs = min(jobs, len(tasks))
    if jobs < 2:
        for task in tasks:
            yield replace(work(task), by_client=True)
        return
    todo = deque(tasks)
    workers = [_Worker(work) for _ in range(jobs)]
    try:
        while True:
            for ahead in range(1, AHEAD + 1):
                for each in workers:
                    # The last tasks go to workers that are free.
                    if len(each.tasks) < ahead and len(todo) > (ahead - 1) * jobs:
                        each.give(todo.popleft())
            busy = [each for each in workers if each.tasks]
            if not busy:
                return
            ready = wait([each.pipe for each in busy])
            for each in busy:
                if each.pipe in ready:
                    yield from each.take()
    finally:
        for each in workers:
            each.end()


class _Worker:
    """A process with its tasks, of which it is at the first; a new process follows a dead one."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.tasks: deque[Task] = deque()
        self.attempt = 1
        self.start()

    def start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, self.work), daemon=True)
        with _undisturbed(), _without_main():
            self.process.start()
        theirs.close()  # so that the pipe breaks when the process ends
        for task in self.tasks:
            self.send(task)

    def give(self, task: Task) -> None:
        self.tasks.append(task)
        self.send(task)

    def send(self, task: Task) -> None:
        with suppress(OSError):  # a dead process is found when the results are read
            self.pipe.send(task)

    def take(self) -> Iterator[Result]:
        """Yield a result; or, where the process is dead, start a new one."""
        try:
            result: Result = self.pipe.recv()
        except (EOFError, OSError):
            ended = self.end(patience=1.0)
            if self.attempt == ATTEMPTS:
                task = self.tasks.popleft()
                failure = f"{task}: the worker process died {ATTEMPTS} times ({ended})"
                self.attempt = 1
                yield Result(task.chunk, failure=failure)
            else:
                self.attempt += 1
            self.start()
        else:
            self.tasks.popleft()
            self.attempt = 1
            yield result

    def end(self, patience: float = 0.0) -> str:
        """End the process after some seconds; says how it ended, if it does so by itself."""
        self.pipe.close()
        self.process.join(patience)
        self.process.kill()
        self.process.join()
        code = self.process.exitcode or 0
        return f"exit code {code}" if code >= 0 else signal.Signals(-code).name


def _serve(pipe: Connection, work: Work) -> None:
    """Do tasks until the other end is closed."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            pipe.send(work(pipe.recv()))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the script that is run, or the notebook: a new process would run the script once more.

    What it does is imported from this package.
    """
    name = "__main__"
    own = sys.modules[name]
    sys.modules[name] = ModuleType(name)
    try:
        yield
    finally:
        sys.modules[name] = own


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold back signals while a process is started, which then never gets those of a terminal.

    Ctrl-C is for this process to handle, which then ends the others.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "pthread_sigmask"):  # Windows lacks it
        yield
        return
    resource_tracker.ensure_running()  # its start would unblock them
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
