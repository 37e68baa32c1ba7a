"""Chunks computed by the workers of a Dask cluster; needs `gdcurves[dask]`.

Dask decides which worker does what, and does it again elsewhere if a worker is lost; workers may
come and go. Results are stored by this process alone.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from distributed import CancelledError, Client, KilledWorker, WorkerPlugin, as_completed, get_worker

from gdcurves.compute.backend import Backend
from gdcurves.compute.chunk import Result, Task, compute
from gdcurves.compute.versions import versions
from gdcurves.errors import RunError, UserError

PATIENCE = 10.0  # seconds for the scheduler to answer


class Data(WorkerPlugin):  # type: ignore[misc]
    """A problem's files, written by every worker where its tasks look for them.

    Dask gives a plugin once to each worker, also to those that join later.
    """

    def __init__(self, folder: Path) -> None:
        self.files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
        content = hashlib.sha256()
        for name, each in self.files.items():
            content.update(f"{name} {len(each)} ".encode() + each)
        self.name = f"gdcurves-{content.hexdigest()}"

    def setup(self, worker: Any) -> None:
        """Write the files."""
        folder = Path(worker.local_directory) / self.name
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in self.files.items():
            (folder / name).write_bytes(content)

    def teardown(self, worker: Any) -> None:
        """Remove them."""
        shutil.rmtree(Path(worker.local_directory) / self.name, ignore_errors=True)


@contextmanager
def connected(scheduler: str, say: Callable[[str], None]) -> Iterator[Backend]:
    """Connect to a scheduler; yields what computes tasks.

    Raises UserError if nobody answers or a worker cannot work, RunError if that happens later.
    """
    # Lost connections are reported here, and calls that Ctrl-C has ended.
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    _check(scheduler)
    try:
        client = _Client(scheduler, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError, ImportError) as error:
        raise UserError(
            f"--scheduler {scheduler}: no Dask scheduler answers ({error}); start one, or give"
            " its address as tcp://host:port"
        ) from None
    with closing(client):
        if unfit := _unfit(client):
            raise UserError(unfit)
        yield lambda tasks: _run(client, tasks, say)


def _check(scheduler: str) -> None:
    """Refuse what is no address; raises UserError."""
    try:
        parts = urlsplit(scheduler if "://" in scheduler else f"tcp://{scheduler}")
        good = parts.scheme in ("tcp", "tls") and parts.hostname and parts.port
    except ValueError:  # the port is no number
        good = False
    if not good:
        raise UserError(
            f"--scheduler {scheduler}: not the address of a Dask scheduler; write tcp://host:port"
        )


class _Client(Client):  # type: ignore[misc]
    """A client that gives up where something else answers, and is closed if it cannot start.

    Dask's own waits for such an answer for ever, and is closed at exit, which then fails.
    """

    def start(self, **options: Any) -> None:
        """Connect."""
        try:
            super().start(callback_timeout=2 * PATIENCE, **options)
        except BaseException:
            self.close()
            raise


def _unfit(client: Client) -> str:
    """Say which worker lacks gdcurves, or has other versions, and what to do; empty if none."""
    here = versions()
    answers = client.run(_differs, here, on_error="return")
    unfit = {worker: f"{why}" for worker, why in answers.items() if why is not None}
    if not unfit:
        return ""
    (worker, why), *others = unfit.items()
    also = f" and {len(others)} more" if others else ""
    wanted = ", ".join(f"{name} {version}" for name, version in here.items())
    return f"worker {worker}{also} cannot work ({why}); install there {wanted}, or end it"


def _differs(wanted: Mapping[str, str]) -> str | None:
    """Say on a worker which of its versions is another one; None if all are the same."""
    for name, here in versions().items():
        if here != wanted[name]:
            return f"it has {name} {here}, and the run {wanted[name]}"
    return None


def _run(client: Client, tasks: Sequence[Task], say: Callable[[str], None]) -> Generator[Result]:
    address = client.scheduler.address
    data = {folder: Data(Path(folder)) for folder in dict.fromkeys(each.folder for each in tasks)}
    futures = {}
    try:
        if not client.nthreads():
            say(f"{address}: no workers yet; the run begins when the first one joins")
        for each in data.values():
            client.register_plugin(each, name=each.name)
        session = uuid4().hex
        for number, task in enumerate(tasks):
            sent = replace(task, folder=data[task.folder].name)
            key = f"gdcurves-{session}-{number}"
            futures[client.submit(_on_worker, sent, versions(), key=key)] = task
        for future in as_completed(list(futures), loop=client.loop):
            yield _result(client, future, futures.pop(future))
    except (OSError, CancelledError) as error:
        raise RunError(f"{address}: the connection to the scheduler was lost") from error
    finally:
        with suppress(Exception):  # the scheduler may be the cause
            client.cancel(list(futures))
            for each in data.values():
                client.unregister_worker_plugin(each.name)


def _result(client: Client, future: Any, task: Task) -> Result:
    """Get the result of a task; raises RunError if a worker that has joined cannot work."""
    try:
        result: Result = future.result()
    except KilledWorker:
        failure = f"{task}: every worker process that tried it died"
    except (OSError, CancelledError):  # the scheduler was lost
        raise
    except Exception as error:
        if unfit := _unfit(client):
            raise RunError(unfit) from None
        failure = f"{task}: {error}"
    else:
        return result
    return Result(task.experiment, task.splits, failure=failure)


def _on_worker(task: Task, wanted: Mapping[str, str]) -> Result:
    """Compute a task whose folder is the name of a plugin's."""
    if why := _differs(wanted):
        raise RuntimeError(why)
    return compute(replace(task, folder=str(Path(get_worker().local_directory) / task.folder)))
