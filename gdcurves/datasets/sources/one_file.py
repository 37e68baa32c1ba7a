"""One file, plain or packed, read in the format that its name tells."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from gdcurves.datasets.formats import FORMATS, parquet
from gdcurves.datasets.formats.encoding import in_utf8
from gdcurves.datasets.formats.quotes import Content
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.request import Request
from gdcurves.datasets.spec import Kind
from gdcurves.errors import MisfitError, UserError
from gdcurves.words import listed

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


def read_file(
    path: Path, origin: str, request: Request, kinds: Mapping[str, Kind] = MappingProxyType({})
) -> Raw:
    """Read a file's columns; `kinds` are those that are known already.

    Raises
    ------
    UserError
        There is no such file, it cannot be read, or it is broken.
    """
    ending = ending_of(path.name)
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise UserError(
            f"{origin}: the name is not UTF-8 text here; rename the file, or, if it is, set"
            " PYTHONUTF8=1"
        ) from error
    content: Content
    try:
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
        return read_content(content, origin, ending, request, kinds)
    except FileNotFoundError as error:
        raise UserError(f"{origin}: no such file; is its name spelled as here?") from error
    except OSError as error:
        raise UserError(f"{origin}: cannot be read: {error.strerror}") from error


def ending_of(name: str) -> str | None:
    """That of `ENDINGS` which a file of this name has, or is read like; None for others."""
    name = name.lower()
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


def read_content(
    content: Content, origin: str, ending: str, request: Request, kinds: Mapping[str, Kind]
) -> Raw:
    """Read what a file of this ending holds; raises UserError, and OSError of the file itself."""
    if isinstance(content, bytes):
        content = unpacked(content, origin)
    ending = ending.removesuffix(".gz")
    check_options(request, origin, ending)
    form = FORMATS[ending]
    if form.is_text:
        if isinstance(content, bytes):
            _check_beginning(content, origin)
        content = in_utf8(content, origin, request.encoding)
    return form.read(content, origin, request, _as_text(request, kinds))


def unpacked(content: bytes, origin: str) -> bytes:
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


def check_options(request: Request, origin: str, ending: str) -> None:
    """Refuse what is said of the reading of other formats; raises MisfitError."""
    if request.sheet is not None and ending != ".xlsx":
        raise MisfitError(f"{origin}: has no sheets; leave out the sheet", "sheet")
    if request.encoding is not None and not FORMATS[ending].is_text:
        raise MisfitError(f"{origin}: is no text; leave out the encoding", "encoding")
    if request.no_header and FORMATS[ending].names_columns:
        raise MisfitError(
            f"{origin}: says itself what its columns are called; leave out no_header", "no_header"
        )


def _as_text(request: Request, kinds: Mapping[str, Kind]) -> set[str]:
    """Columns whose cells count as they are written."""
    texts = {*request.discrete, *(name for name, kind in kinds.items() if kind == "discrete")}
    if request.target is not None and not request.numeric_target:
        texts.add(request.target)
    return texts - set(request.continuous)
