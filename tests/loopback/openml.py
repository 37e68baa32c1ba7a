"""OpenML's answers, made from its ARFF files."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import arff
import pandas as pd

from loopback import Answer, Service

API = "/api/v1/xml"
_NS = 'xmlns:oml="http://openml.org/openml"'


def error(code: int, message: str) -> str:
    """What OpenML says where it has nothing to give."""
    return (
        f"<oml:error {_NS}><oml:code>{code}</oml:code>"
        f"<oml:message>{message}</oml:message></oml:error>"
    )


def add(
    service: Service,
    number: int,
    name: str,
    content: bytes,
    *,
    version: int = 1,
    target: str | None = "class",
    row_id: str | None = None,
    ignored: tuple[str, ...] = (),
    checksum: str | None = "right",
    parquet: bool = True,
) -> None:
    """Let a service know a data set, with all that OpenML says of one."""
    md5 = {"right": hashlib.md5(content).hexdigest(), "wrong": "0" * 32, None: None}[checksum]
    parts = {
        "id": [str(number)],
        "name": [name],
        "version": [str(version)],
        "description": ["A data set of the tests"],
        "format": ["ARFF"],
        "licence": ["Public"],
        "url": [f"{service.url}/file/{number}"],
        "parquet_url": [service.url + parquet_path(number)] if parquet else [],
        "default_target_attribute": [target] if target else [],
        "row_id_attribute": [row_id] if row_id else [],
        "ignore_attribute": list(ignored),
        "md5_checksum": [md5] if md5 else [],
    }
    service.put(
        f"{API}/data/{number}",
        f"<oml:data_set_description {_NS}>\n{_elements(parts)}\n</oml:data_set_description>",
    )
    service.put(f"/file/{number}", content)
    read = arff.loads(content.decode())
    roles = {"is_target": [target], "is_row_identifier": [row_id], "is_ignore": ignored}
    _features(service, number, read, roles)
    if parquet:
        service.put(parquet_path(number), to_parquet(read))
    _listed(service, number, name, version)


def parquet_path(number: int) -> str:
    """Where the Parquet file of a data set is: a bucket, then the object's name."""
    return f"/datasets/0000/{number:04}/dataset_{number}.pq"


def to_parquet(read: dict[str, Any]) -> bytes:
    """Make a Parquet file as OpenML does: from what its client makes of the ARFF file."""
    columns = {}
    rows = zip(*read["data"], strict=True)
    for (name, declared), cells in zip(read["attributes"], rows, strict=True):
        if not isinstance(declared, list):
            columns[name] = pd.Series(cells, dtype=None if declared == "STRING" else "float64")
            if columns[name].isin(range(256)).all():
                columns[name] = columns[name].astype("uint8")
        elif {each.lower() for each in declared} == {"true", "false"}:
            truths = [None if each is None else each.lower() == "true" for each in cells]
            columns[name] = pd.Series(pd.Categorical(truths))
        else:
            columns[name] = pd.Series(pd.Categorical(cells, categories=declared))
    return pd.DataFrame(columns).to_parquet()


def _elements(parts: Mapping[str, Sequence[str]]) -> str:
    return "\n".join(
        f"<oml:{key}>{escape(value)}</oml:{key}>"
        for key, values in parts.items()
        for value in values
    )


def _features(
    service: Service, number: int, read: dict[str, Any], roles: Mapping[str, Sequence[str | None]]
) -> None:
    features = ""
    for index, (name, declared) in enumerate(read["attributes"]):
        nominal = isinstance(declared, list)
        parts = {
            "index": [str(index)],
            "name": [name],
            "data_type": ["nominal" if nominal else _TYPES[declared]],
            "nominal_value": declared if nominal else [],
            **{role: [str(name in names).lower()] for role, names in roles.items()},
            "number_of_missing_values": [str(sum(row[index] is None for row in read["data"]))],
        }
        features += f"<oml:feature>{_elements(parts)}</oml:feature>\n"
    service.put(
        f"{API}/data/features/{number}", f"<oml:data_features {_NS}>{features}</oml:data_features>"
    )
    service.put(
        f"{API}/data/qualities/{number}",
        f"<oml:data_qualities {_NS}>{_QUALITIES}</oml:data_qualities>",
    )


_TYPES = {"NUMERIC": "numeric", "REAL": "numeric", "INTEGER": "numeric", "STRING": "string"}
_QUALITIES = "".join(
    f"<oml:quality><oml:name>{name}</oml:name><oml:value>{value}</oml:value></oml:quality>"
    for name, value in (("NumberOfInstances", 10), ("NumberOfClasses", 2))
)


def _listed(service: Service, number: int, name: str, version: int) -> None:
    """The lists by name, and by name and version, as the client asks for them."""
    entry = (
        f"<oml:dataset><oml:did>{number}</oml:did><oml:name>{name}</oml:name>"
        f"<oml:version>{version}</oml:version><oml:status>active</oml:status>"
        '<oml:quality name="NumberOfInstances">10</oml:quality>'
        '<oml:quality name="NumberOfClasses">2</oml:quality></oml:dataset>'
    )
    tail = "limit/10000/offset/0"
    for middle in (f"status/active/data_name/{name}", f"data_name/{name}/data_version/{version}"):
        path = f"{API}/data/list/{middle}/{tail}"
        known = service.answers.get(path, Answer(b"")).body.decode()
        inner = known.removeprefix(f"<oml:data {_NS}>").removesuffix("</oml:data>")
        service.put(path, f"<oml:data {_NS}>{inner}{entry}</oml:data>")


_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["sklearn.metrics", "pandas", "pyarrow.parquet", "requests", "minio"])


def run_forked(
    words: Sequence[str], *, cwd: Path, timeout: float, **_: object
) -> subprocess.CompletedProcess[str]:
    """Do what `subprocess.run` does with the client, in a fork that has its libraries already.

    Importing them takes seconds. The client itself is imported anew, as it reads the environment.
    """
    with tempfile.TemporaryDirectory() as folder:
        written = [Path(folder) / "out", Path(folder) / "err"]
        arguments = (words[3:], cwd, dict(os.environ), *written)
        process = _FORKS.Process(target=_client, args=arguments)
        process.start()
        process.join(timeout)
        if process.is_alive():
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(list(words), timeout)
        said = [path.read_text() for path in written]
        code = process.exitcode
        process.close()
    return subprocess.CompletedProcess(list(words), code or 0, *said)


def _client(
    arguments: Sequence[str], folder: Path, environment: dict[str, str], out: Path, err: Path
) -> None:
    """Be the process that was to be started."""
    for descriptor, path in ((1, out), (2, err)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), descriptor)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[1:] = arguments
    runpy.run_module("gdcurves.datasets.sources.openml_client", run_name="__main__")


# Importing the client takes seconds: all that is asked for is asked for in one process.
_ASK = """
import json, os, sys
from pathlib import Path
from gdcurves.datasets.sources.openml_client import fetch, limit_silence, limit_tries, refuse_faults
limit_silence(1.0)
refuse_faults()
limit_tries()
home = Path.cwd()
for number, (key, version) in enumerate(json.loads(sys.argv[1])):
    folder = home / str(number)
    folder.mkdir()
    os.chdir(folder)
    print("\\n" + json.dumps(fetch(key, version)))
"""


def ask(wanted: Sequence[tuple[str, int | None]], folder: Path) -> list[dict[str, Any]]:
    """Let the client fetch data sets by key and version; its answers."""
    done = subprocess.run(
        [sys.executable, "-c", _ASK, json.dumps(wanted)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def settings(folder: Path, service_url: str) -> dict[str, str]:
    """Environment in which the client asks this service, with folders of its own."""
    config = folder / "config" / "openml"
    config.mkdir(parents=True)
    (config / "config").write_text(f"server={service_url}{API}\n")
    return {
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "GDCURVES_CACHE": str(folder / "gdcurves"),
        "NO_PROXY": "127.0.0.1",
    }
