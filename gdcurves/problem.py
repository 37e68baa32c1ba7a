"""A classification problem: numbers and class indices made from a table for one experiment."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gdcurves.config.suggest import suggest
from gdcurves.datasets.spec import Kind
from gdcurves.datasets.table import Table, level
from gdcurves.errors import UserError
from gdcurves.types import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import pandas as pd

Classes = Sequence[tuple[str, Sequence[str]]]
Threshold = float | Literal["median"]

MAX_CLASSES = np.iinfo(np.int8).max


@dataclass(frozen=True)
class Provenance:
    """Where a problem's rows come from.

    Attributes
    ----------
    data, source, sha256
        Name, origin and fingerprint of the table.
    rows_read
        Rows of the table: `rows_used + rows_missing + rows_other_class`.
    rows_used
        Rows of the problem.
    rows_missing
        Rows dropped for a missing value in the target or, among the rows of the problem's
        classes, in an input used.
    rows_other_class
        Rows dropped because their label belongs to none of the problem's classes.
    columns_dropped
        Columns of the source that are not the data set's, row ids for instance.
    threshold
        Where a numeric target was cut; None where the target holds labels.
    """

    data: str
    source: str
    sha256: str
    rows_read: int
    rows_used: int
    rows_missing: int
    rows_other_class: int
    columns_dropped: tuple[str, ...]
    threshold: float | None


@dataclass(frozen=True, eq=False)
class Problem:
    """Inputs and classes, ready for splitting; the same whatever the order of the table's rows.

    Attributes
    ----------
    name
        The experiment's name.
    kind
        Kind of the inputs.
    x
        Shape (n, d). Continuous: float64, each feature rescaled to [0, 1] over these n rows, a
        constant one to 0. Discrete: int32 codes, by the sorted text of the feature's levels.
    y
        Shape (n,), int8: index into `classes`.
    levels
        Discrete: number of distinct levels of each feature in these rows. Continuous: empty.
    features, classes
        Names.
    provenance
        Where the rows come from and how many were dropped.
    """

    name: str
    kind: Kind
    x: FloatArray | IntArray
    y: IntArray
    levels: tuple[int, ...]
    features: tuple[str, ...]
    classes: tuple[str, ...]
    provenance: Provenance

    def save(self, folder: Path) -> None:
        """Write the problem into a folder, so that other processes can map it into memory."""
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / "x.npy", self.x)
        np.save(folder / "y.npy", self.y)
        rest = {
            "name": self.name,
            "kind": self.kind,
            "levels": self.levels,
            "features": self.features,
            "classes": self.classes,
            "provenance": asdict(self.provenance),
        }
        (folder / "problem.json").write_text(json.dumps(rest), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Problem:
        """Read what `save` wrote; the arrays are read-only maps of the files."""
        rest = json.loads((folder / "problem.json").read_text(encoding="utf-8"))
        provenance = rest["provenance"]
        provenance["columns_dropped"] = tuple(provenance["columns_dropped"])
        return cls(
            name=rest["name"],
            kind=rest["kind"],
            x=np.load(folder / "x.npy", mmap_mode="r"),
            y=np.load(folder / "y.npy", mmap_mode="r"),
            levels=tuple(rest["levels"]),
            features=tuple(rest["features"]),
            classes=tuple(rest["classes"]),
            provenance=Provenance(**provenance),
        )


def build(
    name: str,
    table: Table,
    inputs: Kind,
    classes: Classes | None = None,
    threshold: Threshold | None = None,
) -> Problem:
    """Make an experiment's problem from a table.

    Rows with a missing value among the inputs used or in the target are dropped, as Ng & Jordan
    (2001) did by their curves, and so are rows of classes that are not asked for. Rows are
    sorted by class, then by the features in order.

    Parameters
    ----------
    name
        The experiment's name.
    table
        The data.
    inputs
        The kind of the columns to use.
    classes
        Name of each class and the target's labels that it merges. None: one class for each
        label, in natural order.
    threshold
        For a numeric target, in place of `classes`: the first class is "not above it", the
        second "above it". "median" is the median over the rows used.

    Raises
    ------
    UserError
        There is no column of this kind, no row of a class, a label that the data do not have or
        that two classes claim, or a target of the other kind.
    """
    features = tuple(column for column, kind in table.kinds.items() if kind == inputs)
    if not features:
        raise UserError(f"experiment {name!r}: data set {table.name!r} has no {inputs} inputs")
    target = table.frame[table.target]
    numeric = target.dtype.kind == "f"
    if (threshold is not None) != numeric or (numeric and classes is not None):
        wants = "is a number: give `threshold`" if numeric else "holds labels: give `classes`"
        raise UserError(
            f"experiment {name!r}: target {table.target!r} of data set {table.name!r} {wants} alone"
        )
    incomplete = table.frame[[*features, table.target]].isna().any(axis=1).to_numpy()
    if incomplete.all():
        raise UserError(
            f"experiment {name!r}: no row of data set {table.name!r} is complete in the target"
            f" and the {inputs} inputs"
        )
    if threshold is None:
        names, y = _by_label(name, table, classes)
        cut = None
    else:
        names, y, cut = _by_threshold(target.to_numpy(), threshold, ~incomplete)
    other = (y < 0) & target.notna().to_numpy()
    used = ~incomplete & ~other
    y = y[used]
    _check_classes(name, names, y)
    x, levels = (_rescaled if inputs == "continuous" else _coded)(
        table.frame.loc[used, list(features)]
    )
    order = np.lexsort((*x.T[::-1], y))
    x, y = x[order], y[order].astype(np.int8)
    x.flags.writeable = y.flags.writeable = False
    provenance = Provenance(
        data=table.name,
        source=table.source,
        sha256=table.sha256,
        rows_read=len(used),
        rows_used=len(y),
        rows_missing=int(np.sum(incomplete & ~other)),
        rows_other_class=int(np.sum(other)),
        columns_dropped=table.dropped,
        threshold=cut,
    )
    return Problem(name, inputs, x, y, levels, features, names, provenance)


def _by_label(name: str, table: Table, classes: Classes | None) -> tuple[tuple[str, ...], IntArray]:
    """Names of the classes, and each row's class, -1 for rows of no class."""
    target = table.frame[table.target]
    known = sorted(target.dropna().unique(), key=_natural)
    if classes is None:
        classes = [(label, (label,)) for label in known]
    index: dict[str, int] = {}
    for number, (_, labels) in enumerate(classes):
        for label in map(level, labels):
            if label in index:
                raise UserError(f"experiment {name!r}: label {label!r} is given twice")
            if label not in known:
                raise UserError(
                    f"experiment {name!r}: target {table.target!r} of data set {table.name!r}"
                    f" has no label {label!r}; {suggest(label, known)}"
                )
            index[label] = number
    y = np.array([index.get(label, -1) for label in target], dtype=np.int64)
    return tuple(class_name for class_name, _ in classes), y


def _by_threshold(
    target: FloatArray, threshold: Threshold, complete: BoolArray
) -> tuple[tuple[str, ...], IntArray, float]:
    """Names of the two classes, each row's class, and the threshold as a number."""
    cut = float(np.median(target[complete])) if threshold == "median" else threshold
    return (f"<= {level(cut)}", f"> {level(cut)}"), (target > cut).astype(np.int64), cut


def _check_classes(name: str, names: Sequence[str], y: IntArray) -> None:
    if not 2 <= len(names) <= MAX_CLASSES:
        raise UserError(
            f"experiment {name!r}: {len(names)} classes; give between 2 and {MAX_CLASSES}"
        )
    empty = np.flatnonzero(np.bincount(y, minlength=len(names)) == 0)
    if empty.size:
        raise UserError(
            f"experiment {name!r}: no complete row is of class {names[empty[0]]!r};"
            " change `classes` or `threshold`"
        )


def _rescaled(frame: pd.DataFrame) -> tuple[FloatArray, tuple[int, ...]]:
    """Rescale every feature to [0, 1], a constant one to 0; there are no levels."""
    # Halves, so that no difference overflows; plus zero, so that none of them is -0.
    x = frame.to_numpy(dtype=np.float64) / 2.0 + 0.0
    low = x.min(axis=0)
    span = x.max(axis=0) - low
    return (x - low) / np.where(span > 0, span, 1.0), ()


def _coded(frame: pd.DataFrame) -> tuple[IntArray, tuple[int, ...]]:
    """Replace every feature's levels by their place in sorted order; count them."""
    import pandas as pd

    columns = [pd.factorize(frame[column], sort=True) for column in frame]
    codes = np.column_stack([code for code, _ in columns]).astype(np.int32)
    return codes, tuple(len(found) for _, found in columns)


def _natural(label: str) -> list[Any]:
    """Sort key under which "2" comes before "10"."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", label)]
