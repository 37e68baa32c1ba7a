"""Data sets from files and folders of them, and from the standard input."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from gdcurves.config.reading import STANDARD_INPUT
from gdcurves.datasets.formats import recognised
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.request import Request
from gdcurves.datasets.sources.folders import read_folder
from gdcurves.datasets.sources.one_file import ENDINGS, read_content, read_file, unpacked
from gdcurves.datasets.spec import DatasetSpec
from gdcurves.datasets.table import Table, build, read_table
from gdcurves.errors import UserError


def find(spec: DatasetSpec, folder: Path) -> Path | None:
    """Return the file of the folder that holds the data set, None if there is none.

    The file is named after one of the data set's stems and has one of `ENDINGS`.

    Raises
    ------
    UserError
        There is no such folder, or several of its files could be meant.
    """
    if not folder.is_dir():
        raise UserError(f"data folder {folder}: no such folder; is its name spelled as here?")
    paths = [
        path
        for stem in spec.stems
        for ending in ENDINGS
        if (path := folder / f"{stem}{ending}").is_file()
    ]
    if len(paths) > 1:
        names = ", ".join(path.name for path in paths)
        raise UserError(f"data folder {folder}: {names} all hold {spec.name!r}; keep one of them")
    return paths[0] if paths else None


def load_named(spec: DatasetSpec, path: Path, request: Request) -> Table:
    """Read the file of a data set of the catalogue; raises UserError."""
    kinds = {**spec.columns, spec.target: spec.target_kind}
    raw = read_file(path, f"file {path}", request, kinds)
    return build(spec, raw, "file", request)


def load(request: Request) -> Table:
    """Read the file that a request names.

    Raises
    ------
    UserError
        The file cannot be read or is broken, or what the request says does not fit.
    """
    if request.data == STANDARD_INPUT:
        origin, content = "standard input", _piped()
        ending = recognised(content)
        raw = read_content(content, origin, ending, request, {})
        return read_table("stdin", raw, "file", request)
    path = path_of(request.data)
    name = path.name.partition(".")[0]
    return read_table(name, read(path, f"file {path}", request), "file", request)


def read(path: Path, origin: str, request: Request) -> Raw:
    """Read the columns of a file, or of a folder of parts; raises UserError."""
    try:
        is_folder = path.is_dir()
    except OSError as error:  # of a folder that may not be entered
        raise UserError(f"{origin}: cannot be read: {error.strerror}") from error
    return (read_folder if is_folder else read_file)(path, origin, request)


def path_of(data: str) -> Path:
    """The path that names a file; raises UserError for one that can be none."""
    if "\0" in data:
        raise UserError(f"file {data!r}: a name cannot hold a zero byte; is it spelled as here?")
    try:
        return Path(data).expanduser()
    except RuntimeError as error:
        user = data.partition("/")[0]
        raise UserError(
            f"file {data}: there is no user whose folder {user} would be; is the name spelled as"
            " here?"
        ) from error


@cache
def _piped() -> bytes:
    """All of the standard input, which comes once; raises UserError where nothing is piped."""
    if sys.stdin is None or sys.stdin.isatty():
        raise UserError(
            "standard input: nothing is piped into it; write gdcurves ... --data - < FILE, or name"
            " a file"
        )
    content = sys.stdin.buffer.read()
    return unpacked(content, "standard input")
