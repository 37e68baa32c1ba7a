"""Data sets from files, those of text plain or gzipped."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from gdcurves.datasets.formats import FORMATS, parquet_parts
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.request import Request
from gdcurves.datasets.spec import DatasetSpec, Kind
from gdcurves.datasets.table import Table, build, read_table
from gdcurves.errors import UserError

ENDINGS = (
    *(ending for ending, form in FORMATS.items() if form.is_text),
    *(f"{ending}.gz" for ending, form in FORMATS.items() if form.is_text),
    *(ending for ending, form in FORMATS.items() if not form.is_text),
)


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
    path = Path(request.data).expanduser()
    name = path.name.partition(".")[0]
    return read_table(name, read_file(path, f"file {path}", request), "file", request)


def read_file(
    path: Path, origin: str, request: Request, kinds: Mapping[str, Kind] = MappingProxyType({})
) -> Raw:
    """Read a file's columns; `kinds` are those that are known already.

    Raises
    ------
    UserError
        There is no such file, it cannot be read, or it is broken.
    """
    ending = next((each for each in ENDINGS if path.name.lower().endswith(each)), None)
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise UserError(
            f"{origin}: the name is not UTF-8 text here; rename the file, or, if it is, set"
            " PYTHONUTF8=1"
        ) from error
    if path.is_dir():
        return _read_folder(path, origin)
    if ending is None:
        raise UserError(
            f"{origin}: cannot tell its format; its name should end in {', '.join(ENDINGS)}"
        )
    form = FORMATS[ending.removesuffix(".gz")]
    how = (origin, request.missing_texts, _as_text(request, kinds))
    try:
        if form.by_path and ending in FORMATS and path.is_file():
            path.open("rb").close()  # whether it can be read
            return form.read(path, *how)
        content = path.read_bytes()
        if ending.endswith(".gz"):
            content = gzip.decompress(content)
    except FileNotFoundError as error:
        raise UserError(f"{origin}: no such file") from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise UserError(
            f"{origin}: cannot be read: not gzip, or only a part of it; get the file once more"
        ) from error
    except OSError as error:
        raise UserError(f"{origin}: cannot be read: {error.strerror}") from error
    return form.read(content, *how)


def _read_folder(path: Path, origin: str) -> Raw:
    """Read a folder of Parquet parts, as those who write large tables leave them."""
    if not parquet_parts.files(path):
        raise UserError(f"{origin}: is a folder without Parquet files; name a file in it")
    try:
        return parquet_parts.read(path, origin)
    except OSError as error:
        raise UserError(f"{origin}: cannot be read: {error.strerror}") from error


def _as_text(request: Request, kinds: Mapping[str, Kind]) -> set[str]:
    """Columns whose cells count as they are written."""
    texts = {*request.discrete, *(name for name, kind in kinds.items() if kind == "discrete")}
    if request.target is not None and not request.numeric_target:
        texts.add(request.target)
    return texts - set(request.continuous)
