"""Data sets from files, those of text plain or gzipped, and from the standard input."""

from __future__ import annotations

import gzip
import re
import sys
import zlib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from gdcurves.config.reading import STANDARD_INPUT
from gdcurves.datasets.formats import FORMATS, parquet, parquet_parts, recognised
from gdcurves.datasets.formats.encoding import in_utf8
from gdcurves.datasets.formats.joined import joined, keyed
from gdcurves.datasets.formats.quotes import Content
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.request import Request
from gdcurves.datasets.spec import DatasetSpec, Kind
from gdcurves.datasets.table import Table, build, read_table
from gdcurves.errors import MisfitError, UserError
from gdcurves.words import counted, first_of, listed

ENDINGS = (
    *(ending for ending, form in FORMATS.items() if form.is_text),
    *(f"{ending}.gz" for ending, form in FORMATS.items() if form.is_text),
    *(ending for ending, form in FORMATS.items() if not form.is_text),
)

_AS = {
    ".data": ".csv",  # UCI's
    ".dat": ".txt",
    ".tab": ".tsv",
    **dict.fromkeys(parquet.ENDINGS, ".parquet"),
    ".xlsm": ".xlsx",
}
"""Other endings of files that are read like those with one of `ENDINGS`."""

FEW = 3  # files that a note names
_GZIP = b"\x1f\x8b"  # how such files begin, whatever they are called


PIPE = (
    "is a pipe or a device, and no file; write it into one, or pipe it in: COMMAND | gdcurves ... -"
)
_PIPED = "unpack it, or pipe it in:"
_NO_TEXT = {
    re.compile(beginning, re.DOTALL): what
    for beginning, what in {
        rb"PK\x03\x04": "a ZIP archive, as workbooks are, and no text; give its name the ending"
        " .xlsx if it is one of Excel, save it as .xlsx or CSV if of another program, else unpack"
        " it",
        rb"BZh[1-9]1AY&SY": f"packed by bzip2; {_PIPED} bzcat FILE | gdcurves ... -",
        rb"\xfd7zXZ\0": f"packed by xz; {_PIPED} xzcat FILE | gdcurves ... -",
        rb"\x28\xb5\x2f\xfd": f"packed by zstd; {_PIPED} zstdcat FILE | gdcurves ... -",
        rb"7z\xbc\xaf": "a 7z archive; unpack it",
        rb"PAR1[\0-\x1f]": "Parquet, and no text; give its name the ending .parquet",
        rb"\xd0\xcf\x11\xe0": "a workbook of an old Excel, or one with a password; save it as"
        " .xlsx without a password, or as CSV",
    }.items()
}
"""What files are that begin so, whatever they are called."""


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
        return read_table("stdin", _read(content, origin, ending, request, {}), "file", request)
    path = path_of(request.data)
    name = path.name.partition(".")[0]
    return read_table(name, read_file(path, f"file {path}", request), "file", request)


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


def read_file(
    path: Path, origin: str, request: Request, kinds: Mapping[str, Kind] = MappingProxyType({})
) -> Raw:
    """Read a file's columns, or a folder's; `kinds` are those that are known already.

    Raises
    ------
    UserError
        There is no such file, it cannot be read, or it is broken.
    """
    ending = _ending(path.name.lower())
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise UserError(
            f"{origin}: the name is not UTF-8 text here; rename the file, or, if it is, set"
            " PYTHONUTF8=1"
        ) from error
    content: Content
    try:
        if path.is_dir():
            return _read_folder(path, origin, request, kinds)
        if ending is None:
            if path.exists() and not path.is_file():
                raise UserError(f"{origin}: {PIPE}")
            _check_beginning(_beginning(path), origin)
            raise UserError(
                f"{origin}: cannot tell its format; its name should end in {listed(ENDINGS, 'or')};"
                " if it is in none of these formats, save it as CSV"
            )
        by_path = ending in FORMATS and FORMATS[ending].by_path and path.is_file()
        content = path if by_path and _is_text(_beginning(path)) else path.read_bytes()
        return _read(content, origin, ending, request, kinds)
    except FileNotFoundError as error:
        raise UserError(f"{origin}: no such file; is its name spelled as here?") from error
    except OSError as error:
        raise UserError(f"{origin}: cannot be read: {error.strerror}") from error


def _ending(name: str) -> str | None:
    """That of `ENDINGS` which a file of this name in small letters has, or is read like."""
    for ending in ENDINGS:
        if name.endswith(ending):
            return ending
    packed = ".gz" * name.endswith(".gz")
    known = _AS.get(Path(name.removesuffix(".gz")).suffix)
    return f"{known}{packed}" if f"{known}{packed}" in ENDINGS else None


def _beginning(path: Path) -> bytes:
    """The first bytes of a file; raises OSError where it cannot be read."""
    with path.open("rb") as file:
        return file.read(16)


def _is_text(beginning: bytes) -> bool:
    """Whether a file that begins so may be text as it is."""
    return not beginning.startswith(_GZIP) and not any(each.match(beginning) for each in _NO_TEXT)


def _check_beginning(beginning: bytes, origin: str) -> None:
    """Refuse files that begin as packed ones and workbooks do; raises UserError."""
    for each, what in _NO_TEXT.items():
        if each.match(beginning):
            raise UserError(f"{origin}: is {what}")


def _read(
    content: Content, origin: str, ending: str, request: Request, kinds: Mapping[str, Kind]
) -> Raw:
    """Read what a file of this ending holds; raises UserError, and OSError of the file itself."""
    if isinstance(content, bytes):
        content = _unpacked(content, origin)
    ending = ending.removesuffix(".gz")
    _check_options(request, origin, ending)
    form = FORMATS[ending]
    if form.is_text:
        if isinstance(content, bytes):
            _check_beginning(content, origin)
        content = in_utf8(content, origin, request.encoding)
    return form.read(content, origin, request, _as_text(request, kinds))


def _unpacked(content: bytes, origin: str) -> bytes:
    """What is packed by gzip, whatever it is called; twice where a server has packed it once more.

    Other content, as of files that a browser has unpacked, is as it is. Raises UserError.
    """
    try:
        for _ in range(2):
            if content.startswith(_GZIP):
                content = gzip.decompress(content)
        return content
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise UserError(
            f"{origin}: cannot be read: it is gzip, but only a part of it or damaged; get the file"
            " once more"
        ) from error


def _check_options(request: Request, origin: str, ending: str) -> None:
    """Refuse what is said of the reading of other formats; raises MisfitError."""
    if request.sheet is not None and ending != ".xlsx":
        raise MisfitError(f"{origin}: has no sheets; leave out the sheet", "sheet")
    if request.encoding is not None and not FORMATS[ending].is_text:
        raise MisfitError(f"{origin}: is no text; leave out the encoding", "encoding")
    if request.no_header and FORMATS[ending].names_columns:
        raise MisfitError(
            f"{origin}: says itself what its columns are called; leave out no_header", "no_header"
        )


@cache
def _piped() -> bytes:
    """All of the standard input, which comes once; raises UserError where nothing is piped."""
    if sys.stdin is None or sys.stdin.isatty():
        raise UserError(
            "standard input: nothing is piped into it; write gdcurves ... --data - < FILE, or name"
            " a file"
        )
    content = sys.stdin.buffer.read()
    return _unpacked(content, "standard input")


def _read_folder(path: Path, origin: str, request: Request, kinds: Mapping[str, Kind]) -> Raw:
    """Read a folder of parts, of Parquet or of text, as those who write large tables leave them."""
    try:
        if parquet_parts.files(path):
            _check_options(request, origin, ".parquet")
            raw = parquet_parts.read(path, origin, request.drop)
            return _with_others(raw, path, parquet.ENDINGS)
        ending, parts = _text_parts(path)
        if len(parts) < 2:
            raise UserError(f"{origin}: is a folder without Parquet files; name a file in it")
        read = {}
        for part in parts:
            name = str(part.relative_to(path))
            called = f"{origin}, {name}"
            read[name] = keyed(read_file(part, called, request, kinds), name, called)
        return _with_others(joined(read, origin, request.drop), path, (ending, f"{ending}.gz"))
    except OSError as error:
        raise UserError(f"{origin}: cannot be read: {error.strerror}") from error


def _text_parts(folder: Path) -> tuple[str, list[Path]]:
    """The first ending of texts in a folder and those below it, and these, in order."""
    shown = _shown(folder)
    for ending in (".csv", ".tsv", ".txt"):
        if parts := [
            each for each in shown if each.name.lower().endswith((ending, f"{ending}.gz"))
        ]:
            return ending, [folder / each for each in parts]
    return "", []


def _shown(folder: Path) -> list[Path]:
    """Files in a folder and those below it, in order; none that is empty, or that tools hide."""
    given = (path for path in folder.rglob("*") if path.is_file() and path.stat().st_size)
    relative = [path.relative_to(folder) for path in given]
    return sorted(path for path in relative if not any(name[0] in "._" for name in path.parts))


def _with_others(raw: Raw, folder: Path, endings: tuple[str, ...]) -> Raw:
    """A table of parts with a note on files of data that are none, as their endings are others."""
    others = [
        str(path)
        for path in _shown(folder)
        if not path.name.lower().endswith(endings) and _ending(path.name.lower()) is not None
    ]
    if not others:
        return raw
    note = (
        f"{raw.origin}: {counted(len(others), 'file')} with other endings than its parts"
        f" {'are' if len(others) > 1 else 'is'} not read: {', '.join(first_of(others, FEW))}"
    )
    return replace(raw, notes=(*raw.notes, note))


def _as_text(request: Request, kinds: Mapping[str, Kind]) -> set[str]:
    """Columns whose cells count as they are written."""
    texts = {*request.discrete, *(name for name, kind in kinds.items() if kind == "discrete")}
    if request.target is not None and not request.numeric_target:
        texts.add(request.target)
    return texts - set(request.continuous)
