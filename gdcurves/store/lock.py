"""One run at a time in a results folder, or parts of one.

The lock file is held with `flock`, which the system gives up when the process ends, however it
ends; what is in it tells others who the holder is. Where `flock` does not reach (another host, a
file system without locks) the content alone decides, and a person has to remove the file.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from gdcurves.errors import UserError, WriteError, unwritable
from gdcurves.store.part import Part, lock_file, rival_locks

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
    paths = (lock_file(folder, None), *rival_locks(folder, None))
    return next(filter(None, map(_holder, paths)), None)


def _holder(path: Path) -> Holder | None:
    """Who holds the lock that is in a file."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except OSError:
        return None
    try:
        named = _read(descriptor)
        return None if named is None or _ended(named, _taken(descriptor)) else named
    finally:
        os.close(descriptor)


def check(folder: Path, part: Part | None = None) -> None:
    """Refuse a folder that a run works in, or the same part of one; raises UserError.

    Parts of one run may work at the same time, but not beside the whole, nor beside parts of
    another number of parts.
    """
    _check((lock_file(folder, part), *rival_locks(folder, part)))


def _check(paths: Iterable[Path]) -> None:
    for path in paths:
        named = _holder(path)
        if named is not None:
            raise _held(path, named)


@contextmanager
def hold(folder: Path, part: Part | None = None) -> Iterator[Lock]:
    """Hold the lock of a folder, or of a part of its run; the folder is made if need be.

    Raises UserError if a run works there, see `check`, WriteError if nothing can be written there.
    """
    path = lock_file(folder, part)
    descriptor, taken = _open(path)
    try:
        named = _read(descriptor)
        if named is not None and not _ended(named, taken):
            raise _held(path, named)
        if taken is False:
            raise UserError(f"{folder}: another run is about to begin there; wait for it")
        try:
            _write(descriptor, folder)
            _check(rival_locks(folder, part))  # now, as each of two sees what the other has taken
            yield Lock(path, descriptor, named)
        finally:
            if _is(descriptor, path):
                path.unlink()
    finally:
        os.close(descriptor)


def _open(path: Path) -> tuple[int, bool | None]:
    """Open a lock file and try to take the lock; those who only look hold it for a moment."""
    folder = path.parent
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


def _held(path: Path, by: Holder) -> UserError:
    return UserError(
        f"{path.parent}: a run works there, {by}; wait for it, or choose another folder with --out;"
        f" if that process has ended, remove {path}"
    )
