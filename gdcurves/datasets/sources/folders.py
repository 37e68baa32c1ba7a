"""Folders of parts, of Parquet or of text, as those who write large tables leave them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gdcurves.datasets.formats import parquet, parquet_parts
from gdcurves.datasets.formats.joined import joined, keyed
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.request import Request
from gdcurves.datasets.sources.one_file import check_options, ending_of, read_file
from gdcurves.errors import UserError
from gdcurves.words import counted, first_of

FEW = 3  # files that a note names
_TEXTS = tuple((ending, f"{ending}.gz") for ending in (".csv", ".tsv", ".txt"))


def read_folder(folder: Path, origin: str, request: Request) -> Raw:
    """Read the parts in a folder and those below it as one table.

    Raises
    ------
    UserError
        There are no parts, one cannot be read, or they differ in their columns.
    """
    try:
        shown = _shown(folder)
        endings, parts = _parts(folder, shown)
        if endings == parquet.ENDINGS:
            check_options(request, origin, ".parquet")
            raw = parquet_parts.read(folder, parts, origin, request.drop)
        elif len(parts) < 2:
            raise UserError(f"{origin}: is a folder without Parquet files; name a file in it")
        else:
            read = {}
            for part in parts:
                called = f"{origin}, {part}"
                content = read_file(folder / part, called, request)
                read[str(part)] = keyed(content, str(part), called)
            raw = joined(read, origin, request.drop)
        others = [
            str(path)
            for path in shown
            if path not in parts and ending_of(path.name) and _holds_any(folder / path)
        ]
    except OSError as error:
        raise UserError(f"{origin}: cannot be read: {error.strerror}") from error
    if not others:
        return raw
    note = (
        f"{raw.origin}: {counted(len(others), 'file')} with other endings than its parts"
        f" {'are' if len(others) > 1 else 'is'} not read: {', '.join(first_of(others, FEW))}"
    )
    return replace(raw, notes=(*raw.notes, note))


def _parts(folder: Path, shown: Sequence[Path]) -> tuple[tuple[str, ...], list[Path]]:
    """The first endings that some files have, and those files; of texts, those that hold any."""
    for endings in (parquet.ENDINGS, *_TEXTS):
        alike = [path for path in shown if path.name.lower().endswith(endings)]
        if endings != parquet.ENDINGS:
            alike = [path for path in alike if _holds_any(folder / path)]
        if alike:
            return endings, alike
    return (), []


def _shown(folder: Path) -> list[Path]:
    """Files of a folder and those below it, by their paths in it, sorted; none that tools hide."""
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in files if not any(name[0] in "._" for name in path.parts))


def _holds_any(path: Path) -> bool:
    """Whether a file is not empty."""
    return path.stat().st_size > 0
