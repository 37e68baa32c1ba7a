"""The real OpenML client against a service on the loopback interface."""

from __future__ import annotations

import gzip
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from gdcurves import datasets

DESCRIPTION = """<oml:data_set_description xmlns:oml="http://openml.org/openml">
<oml:id>{id}</oml:id><oml:name>{name}</oml:name><oml:version>1</oml:version>
<oml:description>test</oml:description><oml:format>ARFF</oml:format>
<oml:url>{server}/file/{id}</oml:url>{more}
</oml:data_set_description>"""
ERROR = """<oml:error xmlns:oml="http://openml.org/openml">
<oml:code>111</oml:code><oml:message>Unknown dataset</oml:message></oml:error>"""
# OpenML's own description of id 8: the target is `drinks`, and `selector` is to be ignored.
LIVER = (
    "<oml:default_target_attribute>drinks</oml:default_target_attribute>"
    "<oml:ignore_attribute>selector</oml:ignore_attribute>"
)
SICK = "<oml:default_target_attribute>Class</oml:default_target_attribute>"

# The client leaves log handlers behind and keeps its settings in module globals.
CLIENT = """
import sys
import openml
openml.config.server = sys.argv[1]
from gdcurves import datasets
try:
    table = datasets.load(sys.argv[2], sys.argv[3])
except datasets.DataUnavailable as error:
    print("unavailable", error)
else:
    print(table.source, table.sha256, table.dropped)
"""


class Service(ThreadingHTTPServer):
    """Answers the client's requests for two data sets, and notes them."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.requests: list[str] = []
        self.answers = {
            "/api/v1/xml/data/8": self._describe(8, "liver-disorders", LIVER),
            "/api/v1/xml/data/38": self._describe(38, "sick", SICK),
            "/file/8": (folder / "liver-disorders.arff").read_bytes(),
            "/file/38": (folder / "sick.arff").read_bytes(),
        }

    def _describe(self, number: int, name: str, more: str) -> bytes:
        return DESCRIPTION.format(id=number, name=name, server=self.url, more=more).encode()


class Handler(BaseHTTPRequestHandler):
    """One request; the client expects gzipped answers."""

    server: Service

    def do_GET(self) -> None:
        """Send the prepared answer, or OpenML's error for an unknown id."""
        self.server.requests.append(self.path)
        body = self.server.answers.get(self.path)
        self.send_response(412 if body is None else 200)
        packed = gzip.compress(body or ERROR.encode())
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(packed)))
        self.end_headers()
        self.wfile.write(packed)

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""


@pytest.fixture
def service(shared: Path) -> Iterator[Service]:
    with Service(shared / "data") as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(server: str, name: str, source: str, home: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "OPENML_CACHE_DIR": str(home / "cache"),
        "NO_PROXY": "127.0.0.1",
    }
    return subprocess.run(
        [sys.executable, "-c", CLIENT, f"{server}/api/v1/xml", name, source],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )


def test_ignored_column_and_other_default_target(service: Service, tmp_path: Path) -> None:
    done = ask(service.url, "liver-disorders", "openml", tmp_path)
    packaged = datasets.load("liver-disorders")
    assert done.stdout == f"OpenML 8 {packaged.sha256} ()\n"
    assert done.stderr == ""


def test_unpackaged_data_come_from_openml_and_then_its_cache(
    service: Service, shared: Path, tmp_path: Path
) -> None:
    expected = datasets.load("sick", data_dir=shared / "data").sha256
    for _ in range(2):
        done = ask(service.url, "sick", "packaged", tmp_path)
        assert done.stdout == f"OpenML 38 {expected} ()\n"
    assert service.requests.count("/file/38") == 1


def test_server_has_no_such_data_set(service: Service, tmp_path: Path) -> None:
    done = ask(service.url, "sonar", "openml", tmp_path)
    assert done.stdout.startswith("unavailable data set 'sonar' (OpenML 40): ")
    assert "Unknown dataset" in done.stdout
    assert done.stdout.count("\n") == 1


def test_nothing_listens(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound but not listening: connections are refused
        server = f"http://127.0.0.1:{taken.getsockname()[1]}"
        start = time.monotonic()
        done = ask(server, "sick", "openml", tmp_path)
    assert done.stdout == (
        f"unavailable data set 'sick' (OpenML 38): {server}/api/v1/xml does not answer"
        " (ConnectionError); try again later, or give --data-dir a folder that holds sick.arff"
        " or sick.csv\n"
    )
    assert time.monotonic() - start < 30  # nearly all of it is the import of the client
