"""A results folder before a run: what may be written there, and what goes or stays."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Container, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from gdcurves.errors import UserError, unwritable
from gdcurves.store import files, journal
from gdcurves.store.contents import CONTENTS, DATA, JOURNAL, MANIFEST, PARTS, SPLITS, may_precede

Mode = Literal["new", "resume", "fresh"]


def writable(folder: Path) -> None:
    """Refuse a folder that cannot be made or written to; raises UserError, and changes nothing."""
    there = folder
    while not there.exists():
        there = there.parent
    refusal = f"{folder}: cannot write there{{}}; choose another folder with --out"
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        raise UserError(refusal.format(""))
    try:
        TemporaryDirectory(prefix=".", suffix=".part", dir=there).cleanup()  # rights do not say all
    except OSError as error:
        raise UserError(refusal.format(f" ({error.strerror})")) from None


def check(
    folder: Path,
    name: str,
    mode: Mode,
    goes_on: Callable[[Mapping[str, Any]], bool] = lambda earlier: True,
) -> None:
    """Refuse a folder that a run cannot be written into; changes nothing.

    Parameters
    ----------
    folder, name
        Of the run.
    mode
        What to do with an earlier run of the same name: go on with it, replace it, or refuse.
    goes_on
        Whether this run may go on with an earlier one, from the manifest of that.

    Raises
    ------
    UserError
        If the folder holds anything else than such a run, or cannot be made or written to. A run
        with a damaged manifest is known by its journal, and can be replaced only.
    """
    writable(folder)
    others = {path.name for path in folder.iterdir()} if folder.exists() else set()
    path = folder / MANIFEST
    if path.exists():  # now: parts of a run may begin at the same time, and each writes it first
        earlier = _name(path)
        if earlier is None and not journal.read(folder).lines:
            raise UserError(
                f"{path}: is no manifest of gdcurves, or damaged, and no {JOURNAL} tells of a"
                f" run; remove {folder} if nothing in it is needed, or choose another folder with"
                " --out"
            )
        if earlier not in (None, name):
            raise UserError(
                f"{folder}: holds the results of {earlier!r}, which nothing replaces; choose"
                " another folder with --out, or remove this one"
            )
        manifest = files.read_manifest(folder) if mode != "fresh" else None
        if mode == "new" and manifest is not None:
            other = ", of other settings; add"
            same = "; add --resume to do what is missing in it,"
            raise UserError(
                f"{folder}: holds a run of {name!r} already{same if goes_on(manifest) else other}"
                " --fresh to replace it, or choose another folder with --out DIR"
            )
    elif not all(map(may_precede, others)):
        raise UserError(
            f"{folder}: is not empty and holds no results of gdcurves; choose another folder"
            " with --out"
        )


def _name(manifest: Path) -> str | None:
    """Name of the run that a manifest is of; None if it is none of ours."""
    try:
        return str(json.loads(manifest.read_text(encoding="utf-8"))["name"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def clear(folder: Path) -> None:
    """Remove the earlier run in a results folder, if any; raises WriteError."""
    try:
        there = [path for item in CONTENTS if item.of_run for path in folder.glob(item.pattern)]
        for path in there:
            _remove(path)
    except OSError as error:
        raise unwritable(folder, error) from None


def tidy(folder: Path, keep: Container[Path]) -> None:
    """Remove what a killed process has left behind; chunks stay if they are in `keep`.

    Raises WriteError.
    """
    try:
        for path in (*folder.glob(PARTS), *folder.glob(f"{SPLITS}/*/*"), folder / DATA):
            if path not in keep:
                _remove(path)
    except OSError as error:
        raise unwritable(folder, error) from None


def prepare(folder: Path, experiments: Iterable[str]) -> None:
    """Make the folders of experiments; raises WriteError."""
    try:
        for name in experiments:
            (folder / SPLITS / name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from None


def _remove(path: Path) -> None:
    """Remove a file, or a folder with all that is in it."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
