"""Data sets from OpenML, kept in the cache."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from gdcurves.datasets import cache
from gdcurves.datasets.formats import arff_text
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.request import Request, number_or_name
from gdcurves.datasets.spec import DatasetSpec
from gdcurves.datasets.table import DataUnavailable, Table, build
from gdcurves.datasets.table import read as read_table
from gdcurves.errors import UserError

_FILE = "data.arff"


def load_named(spec: DatasetSpec, request: Request, offline: bool) -> Table:
    """Get a data set of the catalogue by its OpenML id.

    The catalogue decides about columns, also those that OpenML marks as row ids or to be ignored
    (OpenML's id 8 ignores the column `selector`, which is the class here).

    Raises
    ------
    DataUnavailable
        The server cannot be reached or does not give the data set.
    """
    try:
        raw = _raw(entry(f"openml:{spec.openml_id}", offline))
    except DataUnavailable as error:
        stem = spec.stems[0]
        raise DataUnavailable(
            f"{error}; data set {spec.name!r} is also taken from a folder: give --data-dir one that"
            f" holds {stem}.arff or {stem}.csv"
        ) from error
    return build(spec, raw, request)


def load(request: Request, offline: bool) -> Table:
    """Get the data set that a request names by id or name, with or without a version.

    Raises
    ------
    DataUnavailable
        The server cannot be reached or does not give the data set.
    UserError
        What the request says does not fit.
    """
    return read_table(_raw(entry(request.data, offline)), request)


def entry(data: str, offline: bool = False) -> cache.Entry:
    """Return the copy of `openml:...`, fetched if need be; raises DataUnavailable."""
    key, version = number_or_name(data)

    def fetch(folder: Path) -> dict[str, Any]:
        return _fetch(key, version, data, folder)

    return cache.get("openml", data.partition(":")[2], fetch, offline=offline)


def _raw(copy: cache.Entry) -> Raw:
    about = copy.about
    origin = f"OpenML {about['id']}"
    found = arff_text.read((copy.folder / _FILE).read_bytes(), origin)
    dropped = {name: "row id, says OpenML" for name in about["row_id"]}
    dropped |= {name: "to be ignored, says OpenML" for name in about["ignored"]}
    return Raw(
        found.columns,
        origin,
        found.place,
        found.kinds,
        found.labels,
        about["target"] if about["target"] in found.columns else None,
        dropped,
        {
            "title": f"{about['name']} (version {about['version']})",
            "licence": about["licence"],
            "url": about["url"],
        },
    )


def _fetch(key: str, version: int | None, label: str, folder: Path) -> dict[str, Any]:
    """Let the client work in a process of its own; its files stay in a folder beside."""
    scratch = folder.parent / "client"
    scratch.mkdir()
    arguments = [key, "" if version is None else str(version), str(cache.SILENCE)]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "gdcurves.datasets.openml_client", *arguments],
            cwd=scratch,
            capture_output=True,
            text=True,
            timeout=cache.LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise DataUnavailable(f"data {label!r}: no end after {cache.LONGEST:.0f} s") from error
    try:
        answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError) as error:
        last = (done.stderr.strip().splitlines() or ["no word"])[-1]
        raise DataUnavailable(f"data {label!r}: the openml client broke off: {last}") from error
    if "broken" in answer:
        raise cache.Broken(answer["broken"])
    for kind, advice in _ADVICE.items():
        if kind in answer:
            raise DataUnavailable(f"data {label!r}: {answer[kind]}; {advice}")
    (Path(answer["file"])).rename(folder / _FILE)
    about: dict[str, Any] = answer["about"]
    if not about.pop("checked"):
        # Without a checksum, a file that is cut off shows when it is read.
        try:
            arff_text.read((folder / _FILE).read_bytes(), label)
        except UserError as error:
            raise cache.Broken(str(error)) from error
    return about


_ADVICE = {
    "unanswered": "try again later, or name a file in its place",
    "refused": "try again later, or name a file in its place",
    "absent": "look it up at openml.org",
}
