"""Data sets from the UCI repository's service, by their id, kept in the cache.

A small client: the service's own package has neither time-outs nor a cache, a second attempt or a
choice of host.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from gdcurves.datasets.formats import delimited
from gdcurves.datasets.raw import Raw, title
from gdcurves.datasets.request import Request
from gdcurves.datasets.sources import cache
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
    kinds = {
        name: kind
        for name, each in variables.items()
        if (kind := _KINDS.get(str(each["type"]).lower())) is not None
    }
    targets = [name for name, each in variables.items() if each["role"] == "Target"]
    target = request.target or (targets[0] if len(targets) == 1 else None)
    as_text = {name for name, kind in kinds.items() if kind == "discrete"} | {*request.discrete}
    if target is not None and not request.numeric_target:
        as_text.add(target)
    texts = as_text - set(request.continuous)
    read = delimited.read(copy.content, origin, request.missing_texts, texts)
    roles = {"ID": "row id, says UCI", "Other": "no feature, says UCI"}
    dropped = {
        name: roles[each["role"]] for name, each in variables.items() if each["role"] in roles
    }
    dropped |= {name: "another target, says UCI" for name in targets if name != target}
    return Raw(
        read.columns,
        origin,
        read.location,
        {name: kind for name, kind in kinds.items() if name in read.columns},
        target=target,
        dropped={**read.dropped, **dropped},
        notes=read.notes,
        about={
            "title": about["name"],
            "licence": "CC BY 4.0 unless its page says otherwise",
            "url": about["url"],
        },
        texts=read.texts,
    )


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
