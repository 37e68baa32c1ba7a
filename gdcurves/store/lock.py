"""One run at a time in a results folder.

The lock file is held with `flock`, which the system gives up when the process ends, however it
ends; what is in it tells others who the holder is. Where `flock` does not reach (another host, a
file system without locks) the content alone decides, and a person has to remove the file.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from gdcurves.errors import UserError, WriteError, unwritable
from gdcurves.store.contents import LOCK

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

ATTEMPTS = 10


@dataclass(frozen=True)
class Holder:
    """The process that a lock file names."""

    host: str
    pid: int
    started: str

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}, started {self.started}"


@dataclass(frozen=True)
class Lock:
    """A lock that is held.

    Attributes
    ----------
    path, descriptor
        The lock file, open.
    left_by
        A process of this host that ended without giving the lock back, or None.
    """

    path: Path
    descriptor: int
    left_by: Holder | None

    def check(self) -> None:
        """Raise WriteError if the folder is no longer the one that was locked."""
        if not _is(self.descriptor, self.path):
            raise WriteError(f"{self.path.parent}: was removed or replaced while the run went on")


def holder(folder: Path) -> Holder | None:
    """Who works in a folder now; None where nobody does, as far as this host can tell."""
    try:
        descriptor = os.open(folder / LOCK, os.O_RDWR)
    except OSError:
        return None
    try:
        named = _read(descriptor)
        return None if named is None or _ended(named, _taken(descriptor)) else named
    finally:
        os.close(descriptor)


def check(folder: Path) -> None:
    """Refuse a folder that a run works in; raises UserError."""
    named = holder(folder)
    if named is not None:
        raise _held(folder, named)


@contextmanager
def hold(folder: Path) -> Iterator[Lock]:
    """Hold the lock of a folder, which is made if need be.

    Raises UserError if a run works there, WriteError if nothing can be written there.
    """
    path = folder / LOCK
    descriptor, taken = _open(folder)
    try:
        named = _read(descriptor)
        if named is not None and not _ended(named, taken):
            raise _held(folder, named)
        if taken is False:
            raise UserError(f"{folder}: another run is about to begin there; wait for it")
        try:
            _write(descriptor, folder)
            yield Lock(path, descriptor, named)
        finally:
            if _is(descriptor, path):
                path.unlink()
    finally:
        os.close(descriptor)


def _open(folder: Path) -> tuple[int, bool | None]:
    """Open the lock file and try to take the lock; those who only look hold it for a moment."""
    path = folder / LOCK
    for attempt in count(1):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise unwritable(folder, error) from None
        taken = _taken(descriptor)
        if (taken is not False and _is(descriptor, path)) or attempt == ATTEMPTS:
            return descriptor, taken
        os.close(descriptor)
        time.sleep(0.02)
    raise AssertionError("unreachable")


def _taken(descriptor: int) -> bool | None:
    """Take the lock: whether that went well; None where the system cannot tell."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _ended(named: Holder, taken: bool | None) -> bool:
    """Whether the holder that a file names has ended, for all that is known."""
    return taken is True and named.host == socket.gethostname()


def _is(descriptor: int, path: Path) -> bool:
    """Whether an open file is still the one at a path."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except OSError:
        return False


def _read(descriptor: int) -> Holder | None:
    try:
        return Holder(**json.loads(os.pread(descriptor, 10_000, 0)))
    except (ValueError, TypeError):
        return None


def _write(descriptor: int, folder: Path) -> None:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    mine = Holder(socket.gethostname(), os.getpid(), now)
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps(asdict(mine)).encode(), 0)
    except OSError as error:
        raise unwritable(folder, error) from None


def _held(folder: Path, by: Holder) -> UserError:
    return UserError(
        f"{folder}: a run works there, {by}; wait for it, or choose another folder with --out; if"
        f" that process has ended, remove {folder / LOCK}"
    )
