"""Data sets from files: ARFF, CSV and Parquet, the texts plain or gzipped."""

from __future__ import annotations

import gzip
import mmap
import zlib
from pathlib import Path

from gdcurves.datasets.formats import arff_text, delimited, parquet
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.request import Request
from gdcurves.datasets.spec import DatasetSpec, Kind
from gdcurves.datasets.table import Table, build
from gdcurves.datasets.table import read as read_table
from gdcurves.errors import UserError

ENDINGS = (".arff", ".csv", ".arff.gz", ".csv.gz", ".parquet")


def find(spec: DatasetSpec, folder: Path) -> Path | None:
    """Return the file of the folder that holds the data set, None if there is none.

    The file is named after one of the data set's stems and has one of `ENDINGS`.

    Raises
    ------
    UserError
        There is no such folder, or several of its files could be meant.
    """
    if not folder.is_dir():
        raise UserError(f"data folder {folder}: no such folder")
    found = [
        path
        for stem in spec.stems
        for ending in ENDINGS
        if (path := folder / f"{stem}{ending}").is_file()
    ]
    if len(found) > 1:
        names = ", ".join(path.name for path in found)
        raise UserError(f"data folder {folder}: {names} all hold {spec.name!r}; keep one of them")
    return found[0] if found else None


def load_named(spec: DatasetSpec, path: Path, request: Request) -> Table:
    """Read the file of a data set of the catalogue; raises UserError."""
    kinds = {**spec.columns, spec.target: spec.target_kind}
    return build(spec, read(path, f"file {path}", request, kinds), request)


def load(request: Request) -> Table:
    """Read the file that a request names.

    Raises
    ------
    UserError
        The file cannot be read or is broken, or what the request says does not fit.
    """
    path = Path(request.data).expanduser()
    return read_table(read(path, f"file {path}", request), request)


def read(path: Path, origin: str, request: Request, kinds: dict[str, Kind] | None = None) -> Raw:
    """Read a file's columns; `kinds` are those that are known already.

    Raises
    ------
    UserError
        There is no such file, it cannot be read, or it is broken.
    """
    ending = next((each for each in ENDINGS if path.name.lower().endswith(each)), None)
    if path.is_dir():
        raise UserError(f"{origin}: is a folder; name a file in it")
    if ending is None:
        raise UserError(
            f"{origin}: cannot tell its format; its name should end in {', '.join(ENDINGS)}"
        )
    try:
        content = _content(path, ending)
    except FileNotFoundError as error:
        raise UserError(f"{origin}: no such file") from error
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(f"{origin}: cannot be read: {error}") from error
    if ending == ".parquet":
        return parquet.read(bytes(content), origin)
    if ending.startswith(".arff"):
        return arff_text.read(bytes(content), origin)
    known = kinds or {}
    as_text = {*request.discrete, *(name for name, kind in known.items() if kind == "discrete")}
    target = request.target
    if target is not None and not request.numeric_target:
        as_text.add(target)
    return delimited.read(content, origin, request.missing_texts, as_text - set(request.continuous))


def _content(path: Path, ending: str) -> bytes | mmap.mmap:
    if ending.endswith(".gz"):
        return gzip.decompress(path.read_bytes())
    with path.open("rb") as stream:
        if not stream.seekable() or path.stat().st_size == 0:
            return stream.read()
        return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
