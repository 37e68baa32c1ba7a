"""How far a run is, and what it was warned of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gdcurves.report import telling
from gdcurves.words import counted

if TYPE_CHECKING:
    from gdcurves.store.files import Run

_MOST = 5  # warnings shown


def status(run: Run) -> dict[str, Any]:
    """How far a run is, and what it tells, for programs; see `told.RunTold`."""
    return telling.of_run(run).model_dump(mode="json")


def lost_lines(run: Run) -> Iterator[str]:
    """Say how many chunks are not what they were when they were stored, if any."""
    if run.lost:
        number = counted(len(run.lost), "chunk")
        are, them = ("is", "it") if len(run.lost) == 1 else ("are", "them")
        yield (
            f"{run.folder}: {number} that the journal has as done {are} missing or changed;"
            f" --resume computes {them} again"
        )


def warning_lines(run: Run) -> Iterator[str]:
    """Each warning of the work once, the most frequent ones with their count."""
    counts = sorted(run.manifest["warnings"].items(), key=lambda each: (-each[1], each[0]))
    for text, count in counts[:_MOST]:
        yield f"Warning, {counted(count, 'time')}: {text}"
    if len(counts) > _MOST:
        more = counted(len(counts) - _MOST, "more kind")
        yield f"Warnings of {more}; manifest.json lists them"
