"""Data sets from the UCI repository's service, by their id, kept in the cache.

A small client: the service's own package has neither time-outs nor a cache, a second attempt or a
choice of host.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gdcurves.datasets.formats import delimited
from gdcurves.datasets.formats.quotes import Content
from gdcurves.datasets.raw import ANOTHER_TARGET, Raw, title
from gdcurves.datasets.request import Request
from gdcurves.datasets.sources import cache, declared
from gdcurves.datasets.sources.remote import number_or_name
from gdcurves.datasets.spec import Kind
from gdcurves.datasets.table import DataUnavailable
from gdcurves.errors import UserError

EXAMPLES: tuple[str, ...] = ("uci:53",)
SERVICE = "https://archive.ics.uci.edu/api/dataset"
TRIES = 3
PAUSE = 1.0  # seconds before the second try, twice as long before the third

_FILE = "data.csv"
_PIECE = 1 << 20
# Whole numbers are measurements or codes: that is for the cells to show.
_KINDS: dict[str, Kind] = {
    "categorical": "discrete",
    "binary": "discrete",
    "continuous": "continuous",
}


def entry(data: str, offline: bool = False) -> cache.Entry:
    """Return the copy of `uci:...`, fetched if need be; raises DataUnavailable."""
    key, version = number_or_name(data, EXAMPLES)
    if not key.isdecimal() or version is not None:
        raise UserError(f"data {data!r}: UCI's data sets go by number; write one, such as uci:53")

    def fetch(folder: Path) -> dict[str, Any]:
        return _fetch(key, folder)

    return cache.get("uci", key, fetch, offline=offline)


def raw(copy: cache.Entry, request: Request) -> Raw:
    """Read the columns of a copy, with the roles that UCI gives them; see `Remote`."""
    about, origin = copy.about, f"UCI {copy.about['uci_id']}"
    variables = {title(each["name"]): each for each in about["variables"]}  # as in the header
    read = _read(copy.content, origin, request, variables)
    own = declared.spelled(variables, read.columns)
    columns = {own[name]: each for name, each in variables.items() if name in own}
    if columns.keys() - variables.keys():
        read = _read(copy.content, origin, request, columns)
    roles = {"a target": "Target", "a row id": "ID", "no feature": "Other"}
    of_role = {
        role: [name for name, each in variables.items() if each["role"] == called]
        for role, called in roles.items()
    }
    targets = _targets(columns)
    target = request.target or (targets[0] if len(targets) == 1 else None)
    dropped = {
        own[name]: f"{role.removeprefix('a ')}, says UCI"
        for role, names in of_role.items()
        for name in names
        if role != "a target" and name in own
    }
    dropped |= {name: f"{ANOTHER_TARGET}, says UCI" for name in targets if name != target}
    return Raw(
        read.columns,
        origin,
        read.location,
        _kinds(columns),
        target=target,
        dropped={**read.dropped, **dropped},
        notes=(*read.notes, *declared.unknown(of_role, own, origin, "UCI")),
        about={
            "title": about["name"],
            "licence": "CC BY 4.0 unless its page says otherwise",
            "url": about["url"],
        },
        texts=read.texts,
    )


def _read(
    content: Content, origin: str, request: Request, columns: Mapping[str, Mapping[str, str]]
) -> Raw:
    """Read the table, with what UCI says of its columns by their names."""
    as_text = {name for name, kind in _kinds(columns).items() if kind == "discrete"}
    targets = [request.target] if request.target else _targets(columns)
    if len(targets) == 1 and not request.numeric_target:
        as_text.update(targets)
    texts = (as_text | {*request.discrete}) - {*request.continuous}
    return delimited.read(content, origin, request.missing_texts, texts)


def _kinds(columns: Mapping[str, Mapping[str, str]]) -> dict[str, Kind]:
    """The kinds that UCI declares, by the columns' names."""
    kinds = {name: _KINDS.get(each["type"].lower()) for name, each in columns.items()}
    return {name: kind for name, kind in kinds.items() if kind is not None}


def _targets(columns: Mapping[str, Mapping[str, str]]) -> list[str]:
    return [name for name, each in columns.items() if each["role"] == "Target"]


def _fetch(key: str, folder: Path) -> dict[str, Any]:
    label = f"uci:{key}"
    try:
        answer = json.loads(_download(f"{SERVICE}?id={key}", label))
        data = answer["data"] if answer["status"] == 200 else None
        if data is None:
            raise DataUnavailable(
                f"data {label!r}: the service has none of this id; look it up at"
                " archive.ics.uci.edu"
            )
        url = data["data_url"]
        about = {
            "uci_id": int(data["uci_id"]),
            "name": str(data["name"]),
            "url": str(data.get("repository_url") or f"https://archive.ics.uci.edu/dataset/{key}"),
            "variables": [
                {part: str(each[part]) for part in ("name", "role", "type")}
                for each in data["variables"]
            ],
        }
    except (ValueError, LookupError, TypeError) as error:
        raise cache.Broken("the answer is no description of a data set") from error
    if not url:
        raise DataUnavailable(
            f"data {label!r}: the service does not give the rows of {about['name']!r}; get the file"
            f" from {about['url']} and name its path"
        )
    content = _download(str(url), label)
    try:
        delimited.read(content, label, ())
    except UserError as error:
        raise cache.Broken(str(error)) from error
    (folder / _FILE).write_bytes(content)
    return about


def _download(url: str, label: str) -> bytes:
    """Get what a URL names, complete, in a few tries and bounded time; raises DataUnavailable."""
    import requests

    reason = ""
    for attempt in range(TRIES):
        time.sleep(attempt * PAUSE)
        until = time.monotonic() + cache.LONGEST
        try:
            with requests.get(url, timeout=cache.SILENCE, stream=True) as response:
                if response.status_code == 404:
                    raise DataUnavailable(
                        f"data {label!r}: {url} does not exist; look the id up at"
                        " archive.ics.uci.edu"
                    )
                if response.status_code != 200:
                    raise requests.HTTPError(f"HTTP {response.status_code}")
                pieces = []
                for piece in response.iter_content(_PIECE):
                    pieces.append(piece)
                    if time.monotonic() > until:
                        raise requests.Timeout(f"no end after {cache.LONGEST:.0f} s")
                return b"".join(pieces)
        except requests.RequestException as error:
            reason = str(error) if type(error) is requests.HTTPError else type(error).__name__
    raise DataUnavailable(
        f"data {label!r}: {url} does not answer as it should ({reason}, {TRIES} tries); try again"
        " later, or name a file in its place"
    )
