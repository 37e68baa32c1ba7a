"""HTTP services on the loopback interface, with the faults that real ones have."""

from __future__ import annotations

import gzip
import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal

Fault = Literal["silent", "truncated", "dies"]


@dataclass(frozen=True)
class Answer:
    """What is sent for a path: a body, and a fault if any."""

    body: bytes
    status: int = 200
    fault: Fault | None = None


@dataclass
class Service:
    """Answers by path, those of `once` before others; a path not known gets `unknown`.

    `before` is called with each path before the answer.
    """

    url: str
    answers: dict[str, Answer] = field(default_factory=dict)
    unknown: Answer = field(default_factory=lambda: Answer(b"not here", 404))
    once: dict[str, Answer] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    before: Callable[[str], None] = lambda path: None
    over: threading.Event = field(default_factory=threading.Event)

    def put(
        self, path: str, body: bytes | str, status: int = 200, fault: Fault | None = None
    ) -> None:
        """Answer a path with a body."""
        data = body.encode() if isinstance(body, str) else body
        self.answers[path] = Answer(data, status, fault)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    service: Service

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep quiet about clients that hang up."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_HEAD(self) -> None:
        """Send the head of the prepared answer, which is there for the request that follows."""
        self.do_GET()

    def do_GET(self) -> None:
        """Send the prepared answer, gzipped where the client takes that, as OpenML does."""
        service = self.server.service
        if service.over.is_set():  # died after an earlier request
            self.close_connection = True
            return
        head = self.command == "HEAD"
        path = self.path.removeprefix(service.url)  # the whole URL is sent to a proxy
        service.requests.append(f"HEAD {path}" if head else path)
        service.before(path)
        answer = service.once.get(path) or service.answers.get(path, service.unknown)
        if not head:
            service.once.pop(path, None)
        if answer.fault == "silent":
            deadline = time.monotonic() + 30
            while time.monotonic() < deadline and not service.over.wait(0.05):
                pass
            return
        self.send_response(answer.status)
        body = answer.body
        if "gzip" in self.headers.get("Accept-Encoding", ""):
            body = gzip.compress(body)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Last-Modified", self.date_time_string(0))
        self.send_header("ETag", f'"{hashlib.md5(body).hexdigest()}"')
        self.end_headers()
        if head:
            return
        self.wfile.write(body[: len(body) // 2] if answer.fault == "truncated" else body)
        if answer.fault == "dies":
            service.over.set()

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""


@contextmanager
def serve() -> Iterator[Service]:
    """Start a service on a free port, and stop it in the end."""
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.service = Service(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield server.service
        finally:
            server.service.over.set()
            server.shutdown()
            thread.join()
