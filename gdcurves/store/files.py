"""The results folder: raw rows in chunks, the manifest, and the curves.

    manifest.json             what was run, from which data, and how far
    curves.csv                one row per experiment, fitter and m
    crossings.csv             where the curves of two fitters cross, and which is better
    limits.csv                where the curves go as m grows, if that was computed
    published.csv             the same points beside published ones, where there are any
    splits/EXPERIMENT/*.csv   one row per fitter, m and split; a file for every chunk of splits
    journal.jsonl             which chunks are done or failed, see `gdcurves.store.journal`

Every other file is written under a temporary name, flushed and renamed: whatever is there is whole.
While a run goes on there are also .lock, which says whose it is, and .data, for its workers.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdcurves.errors import UserError, unwritable
from gdcurves.store.chunk import Chunk
from gdcurves.store.journal import Journal
from gdcurves.store.rows import parse

if TYPE_CHECKING:
    import pandas as pd

SCHEMA_VERSION = 3
MANIFEST = "manifest.json"
CURVES = "curves.csv"
PUBLISHED = "published.csv"
LIMITS = "limits.csv"
CROSSINGS = "crossings.csv"
SPLITS = "splits"
FRESH = "run the experiment again, with --fresh"  # advice where nothing can be gone on with
RESUME = "run the experiment again, with --resume"  # which makes tables anew from the raw rows
LIMITS_COLUMNS = ("experiment", "fitter", "error", "logloss", "law")  # that figures need
CROSSINGS_COLUMNS = (
    "experiment",
    "fitter_a",
    "fitter_b",
    "kind",
    "m",
    "m_low",
    "m_high",
    "better_below",
    "better_above",
    "n_splits",
    "n_sizes",
    "n_a_better",
    "n_b_better",
    "m_first",
    "m_last",
    "difference_last",
    "low_last",
    "high_last",
    "better_last",
    "rows",
    "rows_for_verdict",
    "m_ahead",
    "m_ahead_low",
    "m_ahead_high",
    "published_m",
)


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
    limits, crossings
        Content of limits.csv and crossings.csv; None where there is none.
    chunks
        Files of raw rows that are what the journal says, by experiment; `results.read` fills it in.
    lost
        Chunks that the journal has as done and whose files are missing or changed; likewise.
    """

    folder: Path
    manifest: dict[str, Any]
    curves: pd.DataFrame
    limits: pd.DataFrame | None = None
    crossings: pd.DataFrame | None = None
    chunks: Mapping[str, Sequence[Path]] = field(default_factory=dict)
    lost: Sequence[Chunk] = ()


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
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(
            f"{folder}: no {MANIFEST} here, so this is no results folder; name that of a run, such"
            " as results/ng_jordan"
        ) from None
    except (OSError, ValueError) as error:
        raise _unreadable(path, error, FRESH) from None
    if not isinstance(manifest, dict) or manifest.get("schema_version") != SCHEMA_VERSION:
        raise UserError(
            f"{path}: not a manifest of schema version {SCHEMA_VERSION}, the one that this version"
            f" of gdcurves reads; {FRESH}"
        )
    kinds = {"name": str, "status": str, "config": dict, "experiments": dict}
    for key, kind in kinds.items():
        if not isinstance(manifest.get(key), kind):
            raise UserError(f"{path}: no {key!r} in it; {FRESH}")
    return manifest


def read_run(folder: Path) -> Run:
    """Read manifest and curves; raises UserError where they cannot be read."""
    import pandas as pd

    manifest = read_manifest(folder)
    curves = folder / CURVES
    _check_content(curves, manifest.get("curves_sha256"))
    try:
        frame = _read_csv(curves) if curves.exists() else pd.DataFrame()
    except (OSError, ValueError) as error:
        raise _unreadable(curves, error, RESUME) from None
    limits = _read_beside(folder / LIMITS, LIMITS_COLUMNS, "compute the limits again")
    crossings = _read_beside(folder / CROSSINGS, CROSSINGS_COLUMNS, RESUME)
    return Run(folder, manifest, frame, limits, crossings)


def _read_beside(path: Path, columns: Sequence[str], advice: str) -> pd.DataFrame | None:
    """Read a table that may be absent; raises UserError where it lacks one of these columns."""
    if not path.exists():
        return None
    try:
        table = _read_csv(path)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error, advice) from None
    if absent := [name for name in columns if name not in table]:
        raise UserError(f"{path}: no column {absent[0]!r} in it; {advice}")
    return table


def _unreadable(path: Path, error: OSError | ValueError, advice: str) -> UserError:
    """Return the error for a file of a run that the system or a parser refuses."""
    why = error.strerror if isinstance(error, OSError) else "it is damaged"
    return UserError(f"{path}: cannot be read ({why}); {advice}")


def _check_content(curves: Path, sha256: str | None) -> None:
    """Refuse curves that are not those which a finished run wrote; raises UserError."""
    if sha256 is not None and file_sha256(curves) != sha256:
        raise UserError(f"{curves}: not what the run wrote; put the file back, or {RESUME}")


def file_sha256(path: Path) -> str | None:
    """Fingerprint of a file's bytes; None if there is none that can be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Replace manifest.json."""
    _replace(folder / MANIFEST, (json.dumps(manifest, indent=2) + "\n").encode())


def write_table(folder: Path, name: str, table: pd.DataFrame) -> None:
    """Replace curves.csv or published.csv."""
    _replace(folder / name, table.to_csv(index=False, lineterminator="\n").encode())


def chunk_path(folder: Path, chunk: Chunk) -> Path:
    """Where the raw rows of a chunk are."""
    return folder / SPLITS / chunk.experiment / chunk.file


def write_chunk(folder: Path, chunk: Chunk, content: bytes) -> str:
    """Write the encoded rows of a chunk; returns their sha256."""
    _replace(chunk_path(folder, chunk), content)
    return hashlib.sha256(content).hexdigest()


def whole_chunks(folder: Path, told: Journal) -> dict[Chunk, Path]:
    """Chunks whose files are what the journal says, in order of experiment and split."""
    paths = {chunk: chunk_path(folder, chunk) for chunk in told.done}
    return {
        chunk: paths[chunk]
        for chunk in sorted(paths)
        if file_sha256(paths[chunk]) == told.chunks[chunk].sha256
    }


def _replace(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".{path.name}.part")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise unwritable(path, error) from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def read_rows(folder: Path, experiment: str) -> pd.DataFrame:
    """All raw rows of an experiment, in the order of splits within each chunk."""
    import pandas as pd

    files = sorted((folder / SPLITS / experiment).glob("*.csv"))
    return pd.concat([_read_csv(path) for path in files], ignore_index=True)


def _read_csv(path: Path) -> pd.DataFrame:
    return parse(path.read_bytes())
