"""Formats of files: bytes in, columns out."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from gdcurves.datasets.formats import arff_text, delimited, parquet
from gdcurves.datasets.raw import Raw

Reader = Callable[[Any, str, Collection[str], Collection[str]], Raw]


@dataclass(frozen=True)
class Format:
    """How files with an ending are read.

    Attributes
    ----------
    read
        From the content, what messages call it, texts that stand for missing values, and columns
        whose cells count as they are written, to columns. Raises UserError where it is broken.
    is_text
        Whether the content is text; it is then read from gzipped files too.
    by_path
        Whether the content may be the path of a file, to be read piece by piece.
    """

    read: Reader
    is_text: bool = True
    by_path: bool = False


def typed(read: Callable[[bytes, str], Raw]) -> Reader:
    """Reader of a format in which no text can be taken for a number, or for a missing one."""
    return lambda content, origin, _missing, _as_text: read(content, origin)


FORMATS: dict[str, Format] = {
    ".arff": Format(lambda content, origin, _, as_text: arff_text.read(content, origin, as_text)),
    ".csv": Format(delimited.read, by_path=True),
    ".parquet": Format(typed(parquet.read), is_text=False),
}
