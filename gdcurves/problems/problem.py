"""A classification problem: numbers and class indices made from a table for one experiment."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.config.reading import DROP_ROWS, Inputs, Missing, Rescale, Threshold
from gdcurves.datasets.columns.order import row_order
from gdcurves.datasets.remarks import lines
from gdcurves.datasets.table import Table
from gdcurves.errors import MisfitError
from gdcurves.problems import grouping, leaks, reach, targets
from gdcurves.problems.inputs import coded, incomplete
from gdcurves.problems.inputs import doubts as of_inputs
from gdcurves.problems.sparse import Sparse
from gdcurves.problems.targets import Classes
from gdcurves.units import Units
from gdcurves.words import DROP

_GROUP = "group.npy"
WITHOUT = f"name columns under {DROP} to keep the rows, or see `missing` for other ways"


@dataclass(frozen=True)
class Provenance:
    """Where a problem's rows come from.

    Attributes
    ----------
    data, sha256
        Name and fingerprint of the table.
    origin, source
        What kind of source its rows come from, "simulated" or as of a table; and which, for people.
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
        Columns of the source that are no inputs, row ids for instance.
    threshold
        Where a numeric target was cut; None where the target holds labels.
    cells_filled
        Missing values of the rows used that became a level of their own or take a mean.
    groups
        Number of groups that rows stay together in; None where they do not.
    notes
        What of the table may have been misunderstood.
    holds_if
        What has to be so for errors not to look smaller than they are, where notes doubt it.
    """

    data: str
    origin: str
    source: str
    sha256: str
    rows_read: int
    rows_used: int
    rows_missing: int
    rows_other_class: int
    columns_dropped: tuple[str, ...]
    threshold: float | None
    cells_filled: int = 0
    groups: int | None = None
    notes: tuple[str, ...] = ()
    holds_if: tuple[str, ...] = ()

    def noting(self, notes: Iterable[str], holds_if: Iterable[str]) -> Provenance:
        """The same with more of the last two before them, each of these once."""
        return replace(
            self,
            notes=tuple(dict.fromkeys([*notes, *self.notes])),
            holds_if=tuple(dict.fromkeys([*holds_if, *self.holds_if])),
        )


@dataclass(frozen=True, eq=False)
class Problem:
    """Inputs and classes, ready for splitting; the same whatever the order of the table's rows.

    Attributes
    ----------
    name
        The experiment's name.
    kinds
        Kinds of the inputs: "all" where there are both.
    x
        Shape (n, d). Continuous features are rescaled to [0, 1] over these n rows, a constant one
        to 0, unless `rescale` is "none"; NaN where a training set's mean is to stand. Discrete
        ones are codes, by the sorted text of the feature's levels. int32 where all are discrete,
        else float64.
    y
        Shape (n,), int8: index into `classes`.
    levels
        Number of distinct levels of each feature in these rows, 0 for a continuous one.
    rescale
        "train": every training set rescales the continuous features once more, over its own rows.
    features, classes
        Names of the inputs and of the classes.
    provenance
        Where the rows come from and how many were dropped.
    group
        Number of the group of each row, shape (n,), in the order of their first rows; None where
        every row is on its own.
    """

    name: str
    kinds: Inputs
    x: FloatArray | IntArray
    y: IntArray
    levels: tuple[int, ...]
    features: tuple[str, ...]
    classes: tuple[str, ...]
    provenance: Provenance
    rescale: Rescale = "dataset"
    group: IntArray | None = None

    @cached_property
    def units(self) -> Units:
        """What training sets are drawn of."""
        return Units.rows(len(self.y)) if self.group is None else Units(self.group)

    def save(self, folder: Path) -> None:
        """Write the problem into a folder, so that other processes can map it into memory."""
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / "x.npy", self.x)
        np.save(folder / "y.npy", self.y)
        if self.group is not None:
            np.save(folder / _GROUP, self.group)
        rest = {
            "name": self.name,
            "kinds": self.kinds,
            "rescale": self.rescale,
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
        for key in ("columns_dropped", "notes", "holds_if"):
            provenance[key] = tuple(provenance[key])
        return cls(
            name=rest["name"],
            kinds=rest["kinds"],
            rescale=rest["rescale"],
            x=np.load(folder / "x.npy", mmap_mode="r"),
            y=np.load(folder / "y.npy", mmap_mode="r"),
            levels=tuple(rest["levels"]),
            features=tuple(rest["features"]),
            classes=tuple(rest["classes"]),
            provenance=Provenance(**provenance),
            group=np.load(folder / _GROUP) if (folder / _GROUP).exists() else None,
        )


def build(
    name: str,
    table: Table,
    inputs: Inputs,
    classes: Classes | None = None,
    threshold: Threshold | None = None,
    missing: Missing = DROP_ROWS,
    rescale: Rescale = "dataset",
) -> Problem:
    """Make an experiment's problem from a table.

    Rows without a target are dropped; so are, unless `missing` says otherwise, rows with a missing
    value among the inputs used, as Ng & Jordan (2001) did by their curves, and rows of classes
    that are not asked for. Rows are sorted by class, then by the features in order, then by group.

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
        label, in the table's order.
    threshold
        For a numeric target, in place of `classes`: the first class is "not above it", the
        second "above it". "median" is the median over the rows used; "none" makes a class of each
        number of a target that holds labels.
    missing
        What becomes of missing values.
    rescale
        Over which rows continuous features are rescaled.

    Raises
    ------
    MisfitError
        There is no column of this kind, no row of a class, a label that the data do not have or
        that two classes claim, a missing value that is refused, or a target of the other kind.
    UserError
        All inputs are refused.
    """
    features = tuple(each for each, kind in table.kinds.items() if inputs in (kind, "all"))
    if not table.kinds and table.refusal is not None:
        raise table.refusal
    if not features:
        others = next(iter(table.kinds.values()))
        raise MisfitError(
            f"{table.called} has no {inputs} inputs; all are {others}; write 'inputs: {others}', or"
            f" name columns under '{inputs}'",
            "inputs",
        )
    target = table.frame[table.target]
    numeric = target.dtype.kind == "f"
    every_number, threshold = threshold == "none", None if threshold == "none" else threshold
    if (threshold is not None) != numeric or (numeric and classes is not None):
        wants = "is a number: give `threshold`" if numeric else "holds labels: give `classes`"
        raise MisfitError(
            f"target {table.target!r} of {table.called} {wants} alone",
            "classes" if threshold is None else "threshold",
        )
    sparse = Sparse.of(table, features, missing)
    left_out = incomplete(table, features, missing)
    if target.isna().all():
        raise MisfitError(
            f"no row of {table.called} has a value of the target {table.target!r}; name another"
            " target, or add rows that have one",
            "target",
        )
    if left_out.all():
        kinds = "" if inputs == "all" else f"{inputs} "
        costly = f" ({sparse.words})" if sparse.missing else ""
        raise MisfitError(
            f"no row of {table.called} is complete in the target and the {kinds}inputs{costly}; see"
            f" `missing` for other ways with missing values, or name columns under {DROP}",
            "missing",
        )
    if threshold is None:
        if classes is None and not every_number:
            targets.check_codes(table)
        names, y = targets.by_label(table, classes)
        cut = None
    else:
        names, y, cut = targets.by_threshold(target.to_numpy(), threshold, ~left_out)
    other = (y < 0) & target.notna().to_numpy()
    used = ~left_out & ~other
    key = "classes" if threshold is None else "threshold"
    targets.check(names, table, key)
    targets.check_complete(names, y, left_out, table, features, sparse.filling, key)
    y = y[used]
    remarks = [
        *leaks.doubts(table, features, y, used, names),
        *targets.doubts(table, names, y, classes is None and cut is None, every_number),
    ]
    x, levels, n_filled, moved = coded(table, features, used, rescale)
    labels = grouping.labels(table, used)
    order = row_order([y, *x.T, *([] if labels is None else [labels])])
    x, y = x[order], y[order].astype(np.int8)
    group = None if labels is None else Units.groups(labels[order]).of_row
    x.flags.writeable = y.flags.writeable = False
    provenance = Provenance(
        data=table.name,
        origin=table.origin,
        source=table.source,
        sha256=table.sha256,
        rows_read=len(used),
        rows_used=len(y),
        rows_missing=int(np.sum(left_out & ~other)),
        rows_other_class=int(np.sum(other)),
        cells_filled=n_filled,
        groups=None if group is None else int(group.max()) + 1,
        notes=(
            *lines(
                [
                    *table.remarks,
                    *remarks,
                    *of_inputs(table, features, x, levels),
                    *reach.doubts(table.source, moved),
                    *sparse.remarks(WITHOUT),
                ]
            ),
            *grouping.doubts(table, names, y, group, used),
        ),
        holds_if=tuple(each.holds_if for each in (*remarks, *table.remarks) if each.holds_if),
        columns_dropped=tuple(table.dropped),
        threshold=cut,
    )
    kinds_used = {table.kinds[each] for each in features}
    kind: Inputs = kinds_used.pop() if len(kinds_used) == 1 else "all"
    return Problem(name, kind, x, y, levels, features, names, provenance, rescale, group)
