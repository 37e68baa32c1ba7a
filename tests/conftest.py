"""Fixtures that several test modules use."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import settings
from loopback import Answer, Service, openml, serve
from threadpoolctl import threadpool_limits

from gdcurves import cli
from gdcurves.store.files import Run

# A machine that is busy is no fault. The same examples in every run of CI; new ones elsewhere.
settings.register_profile("ours", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("ours")

# pytest-xdist gives its processes the width of the terminal; lines are to be as in a file.
os.environ.pop("COLUMNS", None)

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with reference values and data beside the checkout; skips where it is absent."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("needs the reference folder ../shared, which this checkout does not have")
    return folder


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


Call = Callable[..., Ended]


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run whose columns, labels and file name try to be markup."""
    import hostile

    return hostile.run(tmp_path_factory.mktemp("hostile"))


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Linear algebra in one thread, as runs do it: two that wait for each other take many times."""
    with threadpool_limits(1, user_api="blas"):
        yield


@pytest.fixture
def call(tmp_path, monkeypatch, capsys) -> Iterator[Call]:
    """Call the command line in an empty folder."""
    monkeypatch.chdir(tmp_path)
    handlers = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}

    def call(*arguments: str) -> Ended:
        monkeypatch.setattr(sys, "argv", ["gdcurves", *arguments])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        captured = capsys.readouterr()
        return Ended(int(caught.value.code or 0), captured.out, captured.err)

    yield call
    for each, handler in handlers.items():
        signal.signal(each, handler)


@pytest.fixture
def openml_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """An OpenML service without data sets; the client asks it, with folders of its own."""
    forked = SimpleNamespace(run=openml.run_forked, TimeoutExpired=subprocess.TimeoutExpired)
    monkeypatch.setattr("gdcurves.datasets.sources.openml.subprocess", forked)
    with serve() as running:
        running.unknown = Answer(openml.error(111, "Unknown dataset").encode(), 412)
        for name, value in openml.settings(tmp_path, running.url).items():
            monkeypatch.setenv(name, value)
        monkeypatch.delenv("OPENML_CACHE_DIR", raising=False)
        yield running


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 300 KiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small file system can be mounted by root alone")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)
