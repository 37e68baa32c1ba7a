"""One run at a time in a folder (case 13)."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gdcurves.errors import UserError, WriteError
from gdcurves.store import lock
from gdcurves.store.contents import LOCK

HOLD = """
import sys, time
from pathlib import Path
from gdcurves.store import lock
with lock.hold(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@contextmanager
def another_process(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Hold the lock in a process of its own."""
    command = [sys.executable, "-c", HOLD, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.process
def test_case_13_the_second_run_names_the_first(tmp_path: Path) -> None:
    with another_process(tmp_path) as process:
        started = json.loads((tmp_path / LOCK).read_text())["started"]
        for refuse in (lock.check, lambda folder: lock.hold(folder).__enter__()):
            with pytest.raises(UserError) as caught:
                refuse(tmp_path)
            assert caught.value.exit_code == 2
            for word in (str(process.pid), socket.gethostname(), started):
                assert word in str(caught.value)
    assert lock.holder(tmp_path) is None


@pytest.mark.process
def test_a_lock_left_by_a_killed_process_is_taken_over(tmp_path: Path) -> None:
    with another_process(tmp_path) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert (tmp_path / LOCK).exists()
    lock.check(tmp_path)
    with lock.hold(tmp_path) as held:
        assert held.left_by is not None
        assert held.left_by.pid == process.pid
    assert not (tmp_path / LOCK).exists()


def test_a_process_number_in_use_again_is_no_holder(tmp_path: Path) -> None:
    """What counts is the lock that the system keeps, not whether the number is alive."""
    named = {"host": socket.gethostname(), "pid": os.getpid(), "started": "2001-01-01"}
    (tmp_path / LOCK).write_text(json.dumps(named))
    with lock.hold(tmp_path) as held:
        assert held.left_by is not None


def test_a_lock_of_another_host_has_to_be_removed_by_hand(tmp_path: Path) -> None:
    path = tmp_path / LOCK
    path.write_text(json.dumps({"host": "elsewhere", "pid": 1, "started": "2001-01-01"}))
    for refuse in (lock.check, lambda folder: lock.hold(folder).__enter__()):
        with pytest.raises(UserError, match=f"process 1 on elsewhere.*remove {path}"):
            refuse(tmp_path)
    assert path.exists()
    path.unlink()
    with lock.hold(tmp_path) as held:
        assert held.left_by is None


def test_without_locks_of_the_system_the_content_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "fcntl", None)
    with lock.hold(tmp_path):
        with pytest.raises(UserError, match="a run works there"):
            lock.check(tmp_path)
        with pytest.raises(UserError, match="a run works there"), lock.hold(tmp_path):
            pass
    lock.check(tmp_path)


def test_a_file_without_a_name_is_no_holder(tmp_path: Path) -> None:
    """A process that was killed before it could write its name."""
    (tmp_path / LOCK).write_text("")
    with lock.hold(tmp_path) as held:
        assert held.left_by is None


def test_a_folder_that_is_removed_is_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with lock.hold(folder) as held:
        held.check()
        (folder / LOCK).unlink()
        folder.rmdir()
        with pytest.raises(WriteError, match="removed or replaced"):
            held.check()
        folder.mkdir()
        (folder / LOCK).write_text("{}")
        with pytest.raises(WriteError, match="removed or replaced"):
            held.check()
    assert (folder / LOCK).exists()
