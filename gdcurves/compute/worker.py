"""A process that works for `local`: it tells what it begins, and ends when its parent does.

Nothing heavy is imported here, so that it looks after its parent from early on.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gdcurves.compute.chunk import Result, Task

_marks: Connection | None = None


def begin(life: Connection, marks: Connection) -> None:
    """Make this process a worker.

    Parameters
    ----------
    life
        A pipe into which nothing is written; its end is that of this process.
    marks
        Where to write the number of this process and that of each task it begins.
    """
    global _marks
    _marks = marks
    os.environ.setdefault("PYTHONFAULTHANDLER", "")  # else loky has a crash print a traceback
    threading.Thread(target=_end_with, args=(life,), daemon=True).start()


def _end_with(life: Connection) -> None:
    with suppress(EOFError, OSError):
        life.recv_bytes()
    os._exit(1)


def do(number: int, task: Task, work: Callable[[Task], Result]) -> tuple[int, Result]:
    """Do a task, and return its number with the result."""
    if _marks is not None:
        _marks.send((os.getpid(), number))
    return number, work(task)
