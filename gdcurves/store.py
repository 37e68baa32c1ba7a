"""The results folder: raw rows in chunks, the manifest, and the curves.

    manifest.json             what was run, from which data, and how far
    curves.csv                one row per experiment, fitter and m
    published.csv             the same points beside published ones, where there are any
    splits/EXPERIMENT/*.csv   one row per fitter, m and split; a file for every chunk of splits

Every file is written under a temporary name, flushed and renamed: whatever is there is whole.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from gdcurves.errors import UserError, WriteError
from gdcurves.logistic.certificates import Outcome
from gdcurves.scoring import Scores

if TYPE_CHECKING:
    import pandas as pd

SCHEMA_VERSION = 1
MANIFEST = "manifest.json"
CURVES = "curves.csv"
PUBLISHED = "published.csv"
LIMITS = "limits.csv"
SPLITS = "splits"
ROW_COLUMNS = (
    "fitter",
    "m",
    "split",
    "n_train",
    "n_test",
    "errors",
    "errors_halfway",
    "logloss",
    "outcome",
    "degenerate",
    "left_out",
    "theta",
)
OUTCOME_NAMES = {
    Outcome.OVERLAP: "overlap",
    Outcome.SEPARABLE: "separable",
    Outcome.QUASI: "quasi_separable",
    Outcome.UNDECIDED: "undecided",
}


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
    """

    folder: Path
    manifest: dict[str, Any]
    curves: pd.DataFrame


def find_runs(root: Path) -> list[Path]:
    """Results folders at or below `root`, in order of their paths."""
    return sorted(path.parent for path in root.rglob(MANIFEST))


def read_run(folder: Path) -> Run:
    """Read manifest and curves.

    Raises
    ------
    UserError
        If there is no manifest, or one that this version cannot read.
    """
    import pandas as pd

    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(
            f"{folder}: no {MANIFEST} here, so this is no results folder; name one, or a folder"
            " above some"
        ) from None
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be read ({error}); run the experiment again") from None
    if not isinstance(manifest, dict) or manifest.get("schema_version") != SCHEMA_VERSION:
        raise UserError(
            f"{path}: not a manifest of schema version {SCHEMA_VERSION}, the one that this version"
            " of gdcurves reads; run the experiment again"
        )
    absent = [key for key in ("name", "status", "config", "experiments") if key not in manifest]
    if absent:
        raise UserError(f"{path}: no {absent[0]!r} in it; run the experiment again")
    curves = folder / CURVES
    _check_content(curves, manifest.get("curves_sha256"))
    try:
        frame = _read_csv(curves) if curves.exists() else pd.DataFrame()
    except (OSError, ValueError) as error:
        raise UserError(f"{curves}: cannot be read ({error}); run the experiment again") from None
    return Run(folder, manifest, frame)


def _check_content(curves: Path, sha256: str | None) -> None:
    """Refuse curves that are not those which a finished run wrote; raises UserError."""
    if sha256 is not None and file_sha256(curves) != sha256:
        raise UserError(
            f"{curves}: not what the run wrote; put the file back, or run the experiment again"
        )


def file_sha256(path: Path) -> str | None:
    """Fingerprint of a file's bytes; None if there is none."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else None


def check_folder(folder: Path, name: str) -> None:
    """Refuse a folder that a run cannot be written into; changes nothing.

    Raises
    ------
    UserError
        If the folder holds anything but an earlier run of the same name, or cannot be made or
        written to.
    """
    there = folder
    while not there.exists():
        there = there.parent
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        raise UserError(f"{folder}: cannot write there; choose another folder with --out")
    others = [path.name for path in folder.iterdir()] if folder.exists() else []
    if MANIFEST in others:
        earlier = _name(folder / MANIFEST)
        if earlier != name:
            raise UserError(
                f"{folder}: holds {'the results of ' + repr(earlier) if earlier else 'a manifest'};"
                " choose another folder with --out"
            )
    elif others:
        raise UserError(
            f"{folder}: is not empty and holds no results of gdcurves; choose another folder"
            " with --out"
        )


def _name(manifest: Path) -> str | None:
    """Name of the run that a manifest is of; None if it is none of ours."""
    try:
        return str(json.loads(manifest.read_text(encoding="utf-8"))["name"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def open_folder(folder: Path) -> None:
    """Make the results folder; the earlier run in it, if any, is removed.

    Its manifest goes last: until then the folder is known as one of results. Raises UserError.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / SPLITS).exists():
            shutil.rmtree(folder / SPLITS)
        figures = folder.glob("figure*.p[nd][gf]")
        for path in (folder / CURVES, folder / PUBLISHED, *figures, folder / MANIFEST):
            path.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from None


def _unwritable(path: Path, error: OSError) -> WriteError:
    return WriteError(f"{path}: cannot write there ({error.strerror}); make room or use --out")


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Replace manifest.json."""
    _replace(folder / MANIFEST, (json.dumps(manifest, indent=2) + "\n").encode())


def write_table(folder: Path, name: str, table: pd.DataFrame) -> None:
    """Replace curves.csv or published.csv."""
    _replace(folder / name, table.to_csv(index=False, lineterminator="\n").encode())


def write_chunk(folder: Path, experiment: str, splits: range, rows: bytes) -> None:
    """Write the encoded rows of a chunk."""
    path = folder / SPLITS / experiment / f"{splits.start:06d}-{splits.stop - 1:06d}.csv"
    _replace(path, rows)


def _replace(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise _unwritable(path, error) from None
    finally:
        temporary.unlink(missing_ok=True)


def encode(results: Iterable[tuple[str, int, Scores]], splits: range) -> bytes:
    """Rows of a chunk as CSV: for each fitter and m the scores of the splits, from the first on.

    Errors are the number of misclassified test rows (a mean where a split has several draws);
    `errors_halfway` is empty where nothing was sampled. `degenerate` is 0 or 1, `theta` has blanks
    between its numbers; columns that a fitter has nothing for are empty.
    """
    lines = [",".join(ROW_COLUMNS)]
    for fitter, m, scores in results:
        n_splits = len(scores.errors)
        columns = [
            [fitter] * n_splits,
            [str(m)] * n_splits,
            map(str, splits[:n_splits]),
            [str(scores.n_train)] * n_splits,
            [str(scores.n_test)] * n_splits,
            *(
                map(_number, each.tolist())
                for each in (scores.errors, scores.errors_halfway, scores.logloss)
            ),
            _texts(scores.outcome, n_splits, lambda each: OUTCOME_NAMES[Outcome(each)]),
            _texts(scores.degenerate, n_splits, lambda each: str(int(each))),
            _texts(scores.left_out, n_splits, str),
            _texts(scores.theta, n_splits, lambda each: " ".join(map(_number, each))),
        ]
        lines += map(",".join, zip(*columns, strict=True))
    return ("\n".join(lines) + "\n").encode()


def _texts(values: NDArray[Any] | None, n: int, spell: Callable[[Any], str]) -> Iterable[str]:
    """Spell each of n values; empty where there are none."""
    return [""] * n if values is None else map(spell, values.tolist())


def _number(value: float) -> str:
    """Shortest text that reads back as the value; empty for NaN."""
    if value.is_integer():
        return str(int(value))
    return "" if value != value else repr(value)


def read_rows(folder: Path, experiment: str) -> pd.DataFrame:
    """All raw rows of an experiment, in the order of splits within each chunk."""
    import pandas as pd

    files = sorted((folder / SPLITS / experiment).glob("*.csv"))
    return pd.concat([_read_csv(path) for path in files], ignore_index=True)


def _read_csv(path: Path) -> pd.DataFrame:
    """Read a table; names are text, whatever they look like, and an empty number is NaN."""
    import pandas as pd

    header = pd.read_csv(path, nrows=0).columns
    names = {"experiment", "fitter", "outcome", "theta"}
    return pd.read_csv(
        path,
        dtype={column: str for column in header if column in names},
        keep_default_na=False,
        na_values={column: [""] for column in header if column not in names},
    )
