"""The results folder: its manifest and its raw rows, written and read; a run as read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdcurves.errors import UserError
from gdcurves.store import format, whole
from gdcurves.store.chunk import Chunk
from gdcurves.store.contents import MANIFEST, SPLITS
from gdcurves.store.journal import Entry, Journal
from gdcurves.store.rows import read_columns

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Run:
    """A results folder as read.

    Attributes
    ----------
    folder
        Where it is.
    manifest
        Content of manifest.json.
    curves
        Content of curves.csv; without rows while no experiment is complete.
    limits, crossings, comparisons, outlook, complexity, theory
        Content of limits.csv, crossings.csv, comparisons.csv, outlook.csv, complexity.csv and
        theory.csv; None where there is none.
    chunks
        Files of raw rows that are what the journal says, by experiment; `reading.read` fills it in.
    lost
        Chunks that the journal has as done and whose files are missing or changed; likewise.
    """

    folder: Path
    manifest: dict[str, Any]
    curves: pd.DataFrame
    limits: pd.DataFrame | None = None
    crossings: pd.DataFrame | None = None
    comparisons: pd.DataFrame | None = None
    outlook: pd.DataFrame | None = None
    complexity: pd.DataFrame | None = None
    theory: pd.DataFrame | None = None
    chunks: Mapping[str, Sequence[Path]] = field(default_factory=dict)
    lost: Sequence[Chunk] = ()

    def n_groups(self, experiment: str) -> int | None:
        """Groups that an experiment's rows stay together in; None where every row is on its own."""
        n: int | None = self.manifest["experiments"][experiment].get("groups")
        return n

    @property
    def units(self) -> dict[str, str]:
        """What the sizes of each experiment count: "row" or "group"."""
        names = self.manifest["experiments"]
        return {name: "row" if self.n_groups(name) is None else "group" for name in names}


def find_runs(root: Path) -> list[Path]:
    """Results folders at or below `root`, in order of their paths."""
    return sorted(path.parent for path in root.rglob(MANIFEST))


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a run.

    Raises
    ------
    UserError
        If there is none, or one that this version cannot read.
    """
    path = folder / MANIFEST
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(
            f"{folder}: no {MANIFEST} here, so this is no results folder; name that of a run, such"
            " as results/ng_jordan"
        ) from None
    except (OSError, ValueError) as error:
        raise whole.unreadable(path, error, format.FRESH) from None
    manifest = format.checked(path, content)
    kinds = {"name": str, "status": str, "config": dict, "experiments": dict}
    for key, kind in kinds.items():
        if not isinstance(manifest.get(key), kind):
            raise UserError(f"{path}: no {key!r} in it; {format.FRESH}")
    return manifest


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Replace manifest.json."""
    whole.replace(folder / MANIFEST, (json.dumps(manifest, indent=2) + "\n").encode())


def chunk_path(folder: Path, chunk: Chunk) -> Path:
    """Where the raw rows of a chunk are."""
    return folder / SPLITS / chunk.experiment / chunk.file


def sums_path(rows: Path) -> Path:
    """Where the sums of a chunk are whose raw rows have that path."""
    return rows.with_suffix(".npz")


def write_chunk(folder: Path, chunk: Chunk, content: bytes) -> str:
    """Write the encoded rows of a chunk; returns their sha256."""
    return _write(chunk_path(folder, chunk), content)


def write_sums(folder: Path, chunk: Chunk, content: bytes) -> str:
    """Write the encoded sums of a chunk; returns their sha256."""
    return _write(sums_path(chunk_path(folder, chunk)), content)


def _write(path: Path, content: bytes) -> str:
    whole.replace(path, content)
    return hashlib.sha256(content).hexdigest()


def whole_chunks(folder: Path, journal: Journal) -> dict[Chunk, Path]:
    """Chunks whose files are what the journal says, in order of experiment and split."""
    paths = {chunk: chunk_path(folder, chunk) for chunk in journal.done}
    return {
        chunk: paths[chunk]
        for chunk in sorted(paths)
        if _is_whole(paths[chunk], journal.chunks[chunk])
    }


def _is_whole(rows: Path, entry: Entry) -> bool:
    """Whether the files of a chunk are what the journal says."""
    if whole.sha256(rows) != entry.sha256:
        return False
    return entry.sums_sha256 is None or whole.sha256(sums_path(rows)) == entry.sums_sha256


def read_rows(folder: Path, experiment: str) -> pd.DataFrame:
    """All raw rows of an experiment, in the order of splits within each chunk."""
    import pandas as pd

    files = sorted((folder / SPLITS / experiment).glob("*.csv"))
    return pd.concat([read_columns(path) for path in files], ignore_index=True)
