"""Formats of files: bytes in, columns out."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from gdcurves.datasets.formats import arff_text, delimited, parquet, sheets
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.request import Request

Reader = Callable[[Any, str, Request, Collection[str]], Raw]


@dataclass(frozen=True)
class Format:
    """How files with an ending are read.

    Attributes
    ----------
    read
        From the content, what messages call it, the request, and columns whose cells count as they
        are written, to columns. Raises UserError where it is broken.
    is_text
        Whether the content is text; it may be of any encoding.
    names_columns
        Whether the format says itself what its columns are called.
    by_path
        Whether the content may be the path of a file, to be read piece by piece.
    """

    read: Reader
    is_text: bool = True
    names_columns: bool = False
    by_path: bool = False


def typed(read: Callable[[bytes, str], Raw]) -> Reader:
    """Reader of a format in which no text can be taken for a number, or for a missing one."""
    return lambda content, origin, _request, _as_text: read(content, origin)


def _delimited(separators: str) -> Format:
    return Format(
        lambda content, origin, request, as_text: delimited.read(
            content, origin, request.missing_texts, as_text, separators, not request.no_header
        ),
        by_path=True,
    )


FORMATS: dict[str, Format] = {
    ".arff": Format(
        lambda content, origin, request, as_text: arff_text.read(
            content, origin, as_text, request.missing_texts
        ),
        names_columns=True,
    ),
    ".csv": _delimited(",;\t|"),
    ".tsv": _delimited("\t,;|"),
    ".txt": _delimited("\t,;|"),
    ".parquet": Format(typed(parquet.read), is_text=False, names_columns=True),
    ".xlsx": Format(
        lambda content, origin, request, _: sheets.read(
            content, origin, request.missing_texts, request.sheet, not request.no_header
        ),
        is_text=False,
    ),
}


def recognised(content: bytes) -> str:
    """Tell the ending that files with such a content have."""
    if content.startswith(b"PAR1"):
        return ".parquet"
    if content.startswith(b"PK\3\4"):
        return ".xlsx"
    lines = (line.strip().lower() for line in content[:100_000].splitlines())
    first = next((line for line in lines if line and not line.startswith(b"%")), b"")
    return ".arff" if first.startswith((b"@relation", b"@attribute")) else ".csv"
