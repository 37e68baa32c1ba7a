"""OpenML's answers, made from a folder of its files."""

from __future__ import annotations

import hashlib
from pathlib import Path
from xml.sax.saxutils import escape

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
        "parquet_url": [f"{service.url}/parquet/{number}"],
        "default_target_attribute": [target] if target else [],
        "row_id_attribute": [row_id] if row_id else [],
        "ignore_attribute": list(ignored),
        "md5_checksum": [md5] if md5 else [],
    }
    inner = "\n".join(
        f"<oml:{key}>{escape(value)}</oml:{key}>"
        for key, values in parts.items()
        for value in values
    )
    service.put(
        f"{API}/data/{number}",
        f"<oml:data_set_description {_NS}>\n{inner}\n</oml:data_set_description>",
    )
    service.put(f"/file/{number}", content)
    _features(service, number, content)
    _listed(service, number, name, version)


def _features(service: Service, number: int, content: bytes) -> None:
    names = [
        line.split()[1].strip("'")
        for line in content.decode().splitlines()
        if line.lower().startswith("@attribute")
    ]
    features = "".join(
        f"<oml:feature><oml:index>{i}</oml:index><oml:name>{escape(name)}</oml:name>"
        "<oml:data_type>string</oml:data_type></oml:feature>"
        for i, name in enumerate(names)
    )
    service.put(
        f"{API}/data/features/{number}", f"<oml:data_features {_NS}>{features}</oml:data_features>"
    )
    service.put(
        f"{API}/data/qualities/{number}",
        f"<oml:data_qualities {_NS}>{_QUALITIES}</oml:data_qualities>",
    )


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
