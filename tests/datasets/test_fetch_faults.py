"""Fetching where the disk, the cache or the server fails: one line, bounded time, no mess."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from loopback import Answer, Service, openml

from gdcurves import datasets
from gdcurves.datasets.sources import cache
from gdcurves.errors import UserError

pytestmark = pytest.mark.network

ARFF = b"@relation r\n@attribute a numeric\n@attribute class {n, p}\n@data\n" + b"1.5, n\n" * 100
DESCRIPTION, FILE = f"{openml.API}/data/31", "/file/31"


@pytest.fixture
def service(openml_service: Service) -> Service:
    openml.add(openml_service, 31, "r", ARFF)
    return openml_service


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Where the copy is kept."""
    return tmp_path / "gdcurves" / "openml" / "31"


def refused(data: str = "openml:31") -> str:
    with pytest.raises(UserError) as caught:
        datasets.load(data)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize("data", ["openml:31", "uci:53"])
def test_no_folder_for_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: str) -> None:
    """Refused before any request, of which there is none here that could be answered."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("GDCURVES_CACHE", str(tmp_path / "file"))
    message = refused(data)
    copy = tmp_path / "file" / data.replace(":", "/")
    assert message.startswith(f"data {data!r}: cannot be kept in {copy}: ")
    assert message.endswith("; make room there, or set GDCURVES_CACHE to another folder")


def test_full_disk_and_read_only_disk(
    service: Service, small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What does not fit is no reason to take the Parquet file, which would."""
    monkeypatch.setenv("GDCURVES_CACHE", str(small_disk))
    openml.add(service, 31, "r", ARFF + b"1.5, n\n" * 100_000)
    assert "No space left on device; make room there, or set GDCURVES_CACHE" in refused()
    assert service.requests == [DESCRIPTION, FILE]
    assert list((small_disk / "openml").iterdir()) == []
    openml.add(service, 31, "r", ARFF)
    table = datasets.load("openml:31")
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    assert datasets.load("openml:31").sha256 == table.sha256
    assert "Read-only file system" in refused("openml:44")


@pytest.mark.parametrize("path", [DESCRIPTION, FILE])
def test_cache_is_deleted_in_mid_download(service: Service, copy: Path, path: str) -> None:
    service.before = lambda asked: shutil.rmtree(copy.parent) if asked == path else None
    message = refused()
    assert message.startswith(f"data 'openml:31': cannot be kept in {copy}: ")
    assert "No such file or directory" in message
    service.before = lambda asked: None
    assert len(datasets.load("openml:31").frame) == 100


@pytest.mark.process
def test_two_processes_at_once_and_a_damaged_copy(service: Service, copy: Path) -> None:
    words = "from gdcurves import datasets; print(len(datasets.load('openml:31').frame))"
    for damaged in (False, True):
        if damaged:
            (copy / "data.arff").write_bytes(ARFF[:-20])
        started = [
            subprocess.Popen([sys.executable, "-c", words], stdout=-1, stderr=-1, text=True)
            for _ in range(2)
        ]
        assert [each.communicate() for each in started] == [("100\n", "")] * 2
        assert list(copy.parent.iterdir()) == [copy]
        assert (copy / "data.arff").read_bytes() == ARFF


def test_server_dies_between_two_requests(service: Service) -> None:
    service.answers[DESCRIPTION] = Answer(service.answers[DESCRIPTION].body, fault="dies")
    message = refused()
    assert message == (
        f"data 'openml:31': {service.url}{openml.API} does not answer (ConnectionError); try again"
        " later, or name a file in its place"
    )


@pytest.mark.parametrize(("silence", "longest"), [(0.5, 900.0), (900.0, 5.0)])
def test_silence_is_bounded(
    service: Service, monkeypatch: pytest.MonkeyPatch, silence: float, longest: float
) -> None:
    service.put(DESCRIPTION, b"", fault="silent")
    monkeypatch.setattr(cache, "SILENCE", silence)
    monkeypatch.setattr(cache, "LONGEST", longest)
    began = time.monotonic()
    message = refused()
    assert time.monotonic() - began < 60
    assert ("no end after 5 s" if longest == 5.0 else "does not answer (ReadTimeout)") in message
    assert message.endswith("; try again later, or name a file in its place")


def test_client_that_does_not_start(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))
    message = refused()
    assert message.startswith("data 'openml:31': the openml client broke off: NotADirectoryError: ")
    assert message.endswith("; does Python import openml?")
    assert service.requests == []
