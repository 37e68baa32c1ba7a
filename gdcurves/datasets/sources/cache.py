"""Copies of what was fetched: verified when used, replaced when damaged.

An entry is a folder with the fetched file and `entry.json`, which holds its checksum and what the
source said of itself. It is made under another name and renamed when complete, so no interruption
leaves half an entry.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from gdcurves.datasets.table import DataUnavailable
from gdcurves.errors import UserError

ATTEMPTS = 2
SILENCE = 30.0
"""Seconds after which a silent server is given up."""
LONGEST = 900.0
"""Seconds after which a fetch is given up, however busy the server."""

_ENTRY = "entry.json"

Fetch = Callable[[Path], dict[str, Any]]
"""Puts a file into an empty folder and returns what is to be remembered of it.

Raises `Broken` where what came is not what it should be, and DataUnavailable where nothing came.
"""


class Broken(Exception):  # noqa: N818 - it states a situation: another attempt may help
    """What was fetched is damaged; the message says how."""


@dataclass(frozen=True)
class Entry:
    """A complete and verified entry.

    Attributes
    ----------
    folder
        Where it is; another process may replace it there.
    about
        What its source said.
    file, content
        Name of the file, and the bytes that were verified.
    """

    folder: Path
    about: dict[str, Any]
    file: str
    content: bytes


def folder() -> Path:
    """Where copies are kept: `$GDCURVES_CACHE`, or the user's folder for such things."""
    import platformdirs

    chosen = os.environ.get("GDCURVES_CACHE")
    return Path(chosen) if chosen else platformdirs.user_cache_path("gdcurves")


def get(source: str, key: str, fetch: Fetch, *, offline: bool) -> Entry:
    """Return an entry, fetching it where there is none that is whole.

    Parameters
    ----------
    source, key
        What the entry is called: "openml", "31@1".
    fetch
        Gets it from its source.
    offline
        Forbid to fetch.

    Raises
    ------
    DataUnavailable
        There is no entry, and none can be fetched.
    UserError
        What was fetched cannot be written.
    """
    path = folder() / source / quote(key, safe="@ ")
    label = f"{source}:{key}"
    damaged = os.path.exists(path)  # False where it cannot be told
    entry = _verified(path)
    if entry is not None:
        return entry
    if offline:
        state = f"the copy in {path} is damaged" if damaged else f"not in the cache {path.parent}"
        raise DataUnavailable(
            f"data {label!r}: {state}, and --offline forbids fetching it; run gdcurves datasets"
            f" fetch {label} with a network"
        )
    if damaged:
        shutil.rmtree(path, ignore_errors=True)
    faults = []
    for _ in range(ATTEMPTS):
        try:
            return _fetched(path, fetch)
        except Broken as fault:
            faults.append(str(fault))
        except DataUnavailable as error:
            if damaged:
                raise DataUnavailable(
                    f"{error}; the copy in {path} was damaged, and is removed"
                ) from error
            raise
        except OSError as error:
            raise UserError(
                f"data {label!r}: cannot be kept in {path}: {error.strerror or error}; make room"
                " there, or set GDCURVES_CACHE to another folder"
            ) from error
    raise DataUnavailable(
        f"data {label!r}: fetched {ATTEMPTS} times for {path}, and damaged each time:"
        f" {faults[-1]}; try again later, or get the file yourself and name its path"
    )


def entries() -> list[tuple[str, Path]]:
    """Names and folders of the copies there are, whole or not."""
    paths = sorted(folder().glob(f"*/*/{_ENTRY}"))
    return [(f"{path.parts[-3]}:{unquote(path.parts[-2])}", path.parent) for path in paths]


def _verified(path: Path) -> Entry | None:
    """Return the entry if there is one and its file is as it was when fetched."""
    try:
        record = json.loads((path / _ENTRY).read_text(encoding="utf-8"))
        ((name, known),) = record["sha256"].items()
        content = (path / name).read_bytes()
        if _sha256(content) == known:
            return Entry(path, record["about"], name, content)
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        pass
    return None


def _fetched(path: Path, fetch: Fetch) -> Entry:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=path.parent) as scratch:
        new = Path(scratch) / "entry"
        new.mkdir()
        about = fetch(new)
        (file,) = new.iterdir()
        content = file.read_bytes()
        record = {"about": about, "sha256": {file.name: _sha256(content)}}
        (new / _ENTRY).write_text(json.dumps(record, indent=1), encoding="utf-8")
        try:
            new.rename(path)
        except OSError:
            other = _verified(path)  # another process may have been first
            if other is None:
                raise
            return other
    return Entry(path, about, file.name, content)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
