"""Data sets from OpenML, kept in the cache."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gdcurves.config.reading import MISSING_TEXTS
from gdcurves.datasets.formats import arff_text, parquet
from gdcurves.datasets.raw import ANOTHER_TARGET, Raw, categorical
from gdcurves.datasets.request import Request
from gdcurves.datasets.sources import cache, declared
from gdcurves.datasets.sources.remote import number_or_name
from gdcurves.datasets.spec import DatasetSpec, Kind
from gdcurves.datasets.table import DataUnavailable, Table, build
from gdcurves.errors import UserError

if TYPE_CHECKING:
    from gdcurves.datasets.raw import Cells

EXAMPLES: tuple[str, ...] = ("openml:31", "openml:credit-g", "openml:credit-g@1")

_ARFF, _PARQUET = "data.arff", "data.parquet"
_NAMES = {_ARFF: "ARFF", _PARQUET: "Parquet"}
# A string may be anything: that is for the cells to show.
_KINDS: dict[str, Kind] = {"nominal": "discrete", "numeric": "continuous"}


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
        columns = raw(entry(f"openml:{spec.openml_id}", offline), request)
    except DataUnavailable as error:
        stem = spec.stems[0]
        raise DataUnavailable(
            f"{error}; data set {spec.name!r} is also taken from a folder: give --data-dir one that"
            f" holds {stem}.arff or {stem}.csv"
        ) from error
    return build(spec, columns, "openml", request)


def entry(data: str, offline: bool = False) -> cache.Entry:
    """Return the copy of `openml:...`, fetched if need be; raises DataUnavailable."""
    key, version = number_or_name(data, EXAMPLES)

    def fetch(folder: Path) -> dict[str, Any]:
        return _fetch(key, version, data, folder)

    return cache.get("openml", data.partition(":")[2], fetch, offline=offline)


def raw(copy: cache.Entry, request: Request) -> Raw:
    """Read the columns of a copy, with the roles that OpenML gives them; see `Remote`."""
    about = copy.about
    note = about.get("note")  # there is none where a checksum of OpenML's was right
    origin = f"OpenML {about['id']}" + (f" ({note})" if note else "")
    parts = (copy.file, copy.content, about, origin)
    read = _read(*parts, _as_text(about["target"], request), request.missing_texts)
    texts = {
        "a target": about["target"] or "",
        "a row id": ",".join(about["row_id"]),
        "to be ignored": ",".join(about["ignored"]),
    }
    roles = {role: declared.separate(text, read.columns) for role, text in texts.items()}
    own = declared.spelled(chain.from_iterable(roles.values()), read.columns)
    targets, row_ids, ignored = (
        [own[name] for name in names if name in own] for names in roles.values()
    )
    target = request.target or (targets[0] if len(targets) == 1 else None)
    if request.target is None and target not in (None, texts["a target"].strip()):
        read = _read(*parts, _as_text(target, request), request.missing_texts)
    dropped = dict.fromkeys(row_ids, "row id, says OpenML")
    dropped |= dict.fromkeys(ignored, "to be ignored, says OpenML")
    dropped |= {name: f"{ANOTHER_TARGET}, says OpenML" for name in targets if name != target}
    return replace(
        read,
        target=target,
        dropped={**read.dropped, **dropped},
        notes=(*read.notes, *declared.unknown(roles, own, origin, "OpenML")),
        about={
            "title": f"{about['name']} (version {about['version']})",
            "licence": about["licence"],
            "url": about["url"],
            **({"other file": about["other_file"]} if about.get("other_file") else {}),
        },
    )


def _as_text(target: str | None, request: Request) -> set[str]:
    """Columns whose numbers count as they are written; `target` is the declared one."""
    target = request.target or (target or "").strip()
    return {*request.discrete, *([] if request.numeric_target else [target])}


def _read(
    file: str,
    content: bytes,
    about: Mapping[str, Any],
    origin: str,
    as_text: Collection[str] = (),
    missing: Collection[str] = MISSING_TEXTS,
) -> Raw:
    """Read either file; both have the kinds that OpenML declares."""
    if file == _ARFF:
        return arff_text.read(content, origin, as_text, missing)
    raw = parquet.read(content, origin)
    features = about["features"]
    columns = {name: cells for name, cells in raw.columns.items() if name not in raw.dropped}
    if odd := sorted(features.keys() ^ columns.keys()):
        raise UserError(f"{origin}: the file and OpenML's list of features differ in {odd[0]!r}")
    types = {name: each["type"] for name, each in features.items()}
    values = {name: tuple(each["values"]) for name, each in features.items()}
    return replace(
        raw,
        columns={name: _spelled(cells, values[name]) for name, cells in columns.items()},
        dropped={},
        kinds={name: _KINDS[each] for name, each in types.items() if each in _KINDS},
        labels={name: values[name] for name, each in types.items() if each == "nominal"},
    )


def _spelled(cells: Cells, values: Collection[str]) -> Cells:
    """Give truth values back their spelling; Parquet has booleans in place of TRUE and FALSE."""
    if isinstance(cells, np.ndarray) or not {*cells.categories} <= {"true", "false"}:
        return cells
    spelling = {value.lower(): value for value in values}
    return categorical(cells.codes, [spelling.get(text, text) for text in cells.categories])


def _fetch(key: str, version: int | None, label: str, folder: Path) -> dict[str, Any]:
    """Put a data set's file into a folder: the Parquet file where the ARFF file cannot be read."""
    got, about = _asked(key, version, label, folder)
    fault = _fault(got, about, label)
    if fault is not None and about["has_parquet"] and got.suffix == ".arff":
        other, about_other = _asked(key, version, label, folder, "parquet")
        if other.suffix != ".arff":
            got, about = other, {**about_other, "other_file": f"not to be used: {fault}"}
            fault = _fault(got, about, label)
    file = _ARFF if got.suffix == ".arff" else _PARQUET
    if not about["checked"]:
        about["note"] = f"{_NAMES[file]}, no checksum published"
        if fault is not None:  # without a checksum, a file that is cut off shows when it is read
            raise cache.Broken(str(fault))
    got.rename(folder / file)
    return {name: each for name, each in about.items() if name not in ("checked", "has_parquet")}


def _fault(got: Path, about: Mapping[str, Any], label: str) -> UserError | None:
    """Why a file that came cannot be read as it should; None if it can."""
    file = _ARFF if got.suffix == ".arff" else _PARQUET
    try:
        read = _read(file, got.read_bytes(), about, label)
    except UserError as error:
        return error
    return next(iter(read.broken.values()), None) if file == _ARFF else None


def _asked(
    key: str, version: int | None, label: str, folder: Path, first: str = ""
) -> tuple[Path, dict[str, Any]]:
    """Let the client work in a process of its own; its files stay in a folder beside."""
    scratch = folder.parent / "client"
    scratch.mkdir(exist_ok=True)
    arguments = [key, "" if version is None else str(version), str(cache.SILENCE), first]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "gdcurves.datasets.sources.openml_client", *arguments],
            cwd=scratch,
            capture_output=True,
            text=True,
            timeout=cache.LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise DataUnavailable(
            f"data {label!r}: no end after {cache.LONGEST:.0f} s; {_ADVICE['unanswered']}"
        ) from error
    try:
        answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError) as error:
        last = (done.stderr.strip().splitlines() or ["no word"])[-1]
        raise DataUnavailable(
            f"data {label!r}: the openml client broke off: {last}; does Python import openml?"
        ) from error
    if "broken" in answer:
        raise cache.Broken(answer["broken"])
    if "unkept" in answer:
        raise OSError(answer["unkept"])
    for kind, advice in _ADVICE.items():
        if kind in answer:
            raise DataUnavailable(f"data {label!r}: {answer[kind]}; {advice}")
    return Path(answer["file"]), answer["about"]


_ADVICE = {
    "unanswered": "try again later, or name a file in its place",
    "refused": "try again later, or name a file in its place",
    "absent": "look it up at openml.org",
}
