"""Chunks computed by the workers of a Dask cluster; needs `gdcurves[dask]`.

Dask decides which worker does what, and does it again elsewhere if a worker is lost; workers may
come and go. Results are stored by this process alone.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from distributed import CancelledError, Client, KilledWorker, WorkerPlugin, as_completed, get_worker

import gdcurves
from gdcurves.chunk import Result, Task, compute
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
def connected(
    scheduler: str, say: Callable[[str], None]
) -> Iterator[Callable[[Sequence[Task]], Generator[Result]]]:
    """Connect to a scheduler; yields the function that computes tasks, see `workers.run`.

    Raises UserError if nobody answers, RunError if the scheduler is lost later.
    """
    for name in ("distributed", "distributed.client"):  # lost connections are reported here
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(scheduler, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UserError(
            f"--scheduler {scheduler}: no Dask scheduler answers ({error}); start one, or give"
            " its address as tcp://host:port"
        ) from None
    with closing(client):
        yield lambda tasks: _run(client, tasks, say)


def _run(client: Client, tasks: Sequence[Task], say: Callable[[str], None]) -> Generator[Result]:
    address = client.scheduler.address
    data = {folder: Data(Path(folder)) for folder in dict.fromkeys(each.folder for each in tasks)}
    futures = {}
    try:
        if not client.nthreads():
            say(f"{address}: no workers yet; the run begins when the first one joins")
        for each in data.values():
            _send(client, each)
        session = uuid4().hex
        for number, task in enumerate(tasks):
            sent = replace(task, folder=data[task.folder].name)
            key = f"gdcurves-{session}-{number}"
            futures[client.submit(_on_worker, sent, gdcurves.__version__, key=key)] = task
        for future in as_completed(list(futures), loop=client.loop):
            yield _result(future, futures.pop(future))
    except (OSError, CancelledError) as error:
        raise RunError(f"{address}: the connection to the scheduler was lost") from error
    finally:
        with suppress(Exception):  # the scheduler may be the cause
            client.cancel(list(futures))
            for each in data.values():
                client.unregister_worker_plugin(each.name)


def _send(client: Client, data: Data) -> None:
    try:
        client.register_plugin(data, name=data.name)
    except ImportError as error:
        raise RunError(
            f"{client.scheduler.address}: a worker cannot work ({error}); install gdcurves"
            f" {gdcurves.__version__} there"
        ) from None


def _result(future: Any, task: Task) -> Result:
    try:
        result: Result = future.result()
    except KilledWorker:
        failure = f"{task}: every worker process that tried it died"
    except RuntimeError as error:
        failure = f"{task}: {error}"
    else:
        return result
    return Result(task.experiment, task.splits, failure=failure)


def _on_worker(task: Task, version: str) -> Result:
    """Compute a task whose folder is the name of a plugin's."""
    if gdcurves.__version__ != version:
        raise RuntimeError(
            f"the worker has gdcurves {gdcurves.__version__}, and the run is of {version}"
        )
    return compute(replace(task, folder=str(Path(get_worker().local_directory) / task.folder)))
