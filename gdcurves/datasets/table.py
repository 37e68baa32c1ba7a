"""The one form that every source's content takes, and its fingerprint."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gdcurves.config.suggest import suggest
from gdcurves.datasets import columns
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.request import Request
from gdcurves.datasets.spec import DatasetSpec, Kind
from gdcurves.errors import MisfitError, UserError
from gdcurves.types import IntArray

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.datasets.raw import Cells


class DataUnavailable(UserError):  # noqa: N818 - it states a situation: a run goes on without
    """A data set cannot be had from where it was to come from."""


@dataclass(frozen=True, eq=False)
class Table:
    """A data set in canonical form, rows in the source's order.

    Attributes
    ----------
    name
        The catalogue's name, or a short one of the source.
    frame
        Input columns in order, then the target. Continuous columns are float64 with NaN for
        missing; discrete ones are categoricals of texts in sorted order.
    kinds
        Kind of each input column.
    target
        Name of the target column.
    labels
        Labels of the target in the source's order, or else in natural order; none of a number.
    source
        Where the rows come from, for people.
    sha256
        Fingerprint of the values: the same for all sources, formats and row orders.
    place
        Says where a row stands in the source, from its number.
    dropped
        Columns of the source that are no inputs, row ids for instance, each with the reason.
    declared
        Input columns whose kind the source or the request states; that of the others is inferred.
    about
        What else the source says of itself.
    """

    name: str
    frame: pd.DataFrame
    kinds: dict[str, Kind]
    target: str
    labels: tuple[str, ...]
    source: str
    sha256: str
    place: Callable[[int], str]
    dropped: Mapping[str, str] = field(default_factory=dict)
    declared: frozenset[str] = frozenset()
    about: Mapping[str, str] = field(default_factory=dict)

    @property
    def called(self) -> str:
        """What messages call it."""
        elsewhere = "" if self.source.startswith("packaged") else f" ({self.source})"
        return f"data set {self.name!r}{elsewhere}"

    def cells(self, column: str) -> Any:
        """Return a column: numbers, or a categorical."""
        found = self.frame[column]
        return found.to_numpy() if found.dtype.kind == "f" else found.array


def build(spec: DatasetSpec, raw: Raw, request: Request | None = None) -> Table:
    """Bring a source's content into the canonical form of a data set of the catalogue.

    Raises
    ------
    UserError
        A column is missing, a cell of a continuous column is no finite number, or the request does
        not fit.
    """
    request = request or Request(spec.name)
    kinds = {**spec.columns, spec.target: spec.target_kind}
    absent = [name for name in kinds if name not in raw.columns]
    if absent:
        raise UserError(
            f"{raw.origin}: no column {', '.join(map(repr, absent))}, which data set"
            f" {spec.name!r} needs; its columns are {', '.join(map(repr, raw.columns))}"
        )
    others = dict.fromkeys(
        (name for name in raw.columns if name not in kinds), "no column of the data set"
    )
    known = Raw(
        {name: raw.columns[name] for name in kinds},
        raw.origin,
        raw.place,
        kinds,
        target=spec.target,
        about={"licence": spec.licence, "citation": spec.citation, "title": spec.title},
    )
    own = request.target in (None, spec.target)
    kind = spec.target_kind if own else _target_kind(request)
    return _assemble(spec.name, known, request, kind, others)


def read(raw: Raw, request: Request) -> Table:
    """Bring the content of any source into canonical form.

    Raises
    ------
    UserError
        No target is declared or given, a column that is named does not exist or has two roles, a
        kind cannot be inferred, or a cell of a continuous column is no finite number.
    """
    return _assemble(request.stem, raw, request, _target_kind(request), {})


def _target_kind(request: Request) -> Kind:
    return "continuous" if request.numeric_target else "discrete"


def _assemble(
    name: str, raw: Raw, request: Request, target_kind: Kind, others: Mapping[str, str]
) -> Table:
    import pandas as pd

    target = _target(raw, request)
    dropped = dict(others)
    kinds: dict[str, Kind] = {}
    chosen = _roles(raw, request, target)
    for column, cells in raw.columns.items():
        if column == target:
            continue
        role = chosen.get(column)
        if role is None and column in raw.dropped:
            dropped[column] = raw.dropped[column]
        elif role == "drop":
            dropped[column] = "as the experiment asks"
        else:
            kind = role or raw.kinds.get(column)
            if kind is None:
                fail = _failing(raw, column)
                kind = columns.infer(cells, request.missing_texts, fail)
                if kind is None:
                    dropped[column] = "no value in any row"
                    continue
                if columns.identifies(cells):
                    dropped[column] = "another text in every row"
                    continue
            kinds[column] = kind
    if not kinds:
        raise _wrong(
            f"{raw.origin}: no inputs are left beside the target {target!r}",
            *["drop"] * bool(request.drop),
        )
    canonical = {
        column: _canonical(raw, column, kind, request)
        for column, kind in {**kinds, target: target_kind}.items()
    }
    goal = canonical[target]
    labels: tuple[str, ...] = ()
    if not isinstance(goal, np.ndarray):
        labels = _in_order(list(goal.categories), raw.labels.get(target, ()))
    return Table(
        name=name,
        frame=pd.DataFrame(canonical, copy=False),
        kinds=kinds,
        target=target,
        labels=labels,
        source=raw.origin,
        sha256=_fingerprint({**kinds, target: target_kind}, canonical),
        place=raw.place,
        dropped=dropped,
        declared=frozenset(name for name in kinds if name in raw.kinds or name in chosen),
        about=raw.about,
    )


def _target(raw: Raw, request: Request) -> str:
    target = request.target or raw.target
    if target is None:
        raise MisfitError(
            f"{raw.origin}: which column is to be predicted? Name it as target; there are"
            f" {', '.join(raw.columns)}",
            "target",
        )
    if target not in raw.columns:
        raise MisfitError(
            f"{raw.origin}: no column {target!r} for the target; {suggest(target, raw.columns)}",
            "target",
        )
    return target


def _roles(raw: Raw, request: Request, target: str) -> dict[str, Any]:
    """Roles that the request gives to columns; raises MisfitError for names that do not fit."""
    roles = {
        "continuous": request.continuous,
        "discrete": request.discrete,
        "drop": request.drop,
    }
    found = Counter(name for names in roles.values() for name in names)
    for role, names in roles.items():
        for number, name in enumerate(names):
            wrong = None
            if name not in raw.columns:
                wrong = f"no column {name!r}, named under {role!r}; {suggest(name, raw.columns)}"
            elif name == target:
                wrong = f"column {name!r} is the target and stands under {role!r} too; take it out"
            elif found[name] > 1:
                wrong = (
                    f"column {name!r} stands twice under 'continuous', 'discrete' and 'drop';"
                    " name it once"
                )
            if wrong is not None:
                raise MisfitError(f"{raw.origin}: {wrong}", role, number)
    return {name: role for role, names in roles.items() for name in names}


def _wrong(message: str, *keys: str | int) -> UserError:
    """Return the error for data, or, where keys of the experiment are the cause, for these."""
    return MisfitError(message, *keys) if keys else UserError(message)


def _failing(raw: Raw, column: str, *keys: str | int) -> columns.Fail:
    def fail(row: int | None, message: str) -> UserError:
        place = raw.origin if row is None else raw.place(row)
        return _wrong(f"{place}, column {column!r}: {message}", *keys)

    return fail


def _canonical(raw: Raw, column: str, kind: Kind, request: Request) -> Cells:
    cells = raw.columns[column]
    if kind == "discrete":
        return columns.levels(cells, request.missing_texts)
    keys: tuple[str | int, ...] = ()
    if column in request.continuous:
        keys = ("continuous", request.continuous.index(column))
    elif request.numeric_target and column == request.target:
        keys = ("threshold",)
    return columns.numbers(cells, request.missing_texts, _failing(raw, column, *keys))


def _in_order(present: Sequence[str], declared: Sequence[str]) -> tuple[str, ...]:
    """Labels that occur: in the order declared, or else in the natural one."""
    known = dict.fromkeys(columns.level(label) for label in declared)
    first = [label for label in known if label in present]
    return (*first, *sorted((label for label in present if label not in known), key=natural))


def natural(label: str) -> list[Any]:
    """Sort key under which "2" comes before "10"."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", label)]


def _fingerprint(kinds: Mapping[str, Kind], cells: Mapping[str, Cells]) -> str:
    """Hash columns and values, rows sorted by all columns in order."""
    digest = hashlib.sha256(json.dumps(list(kinds.items())).encode())
    keys: list[Any] = []
    for name in kinds:
        column = cells[name]
        if isinstance(column, np.ndarray):
            keys.append(column)
        else:
            digest.update(json.dumps(list(column.categories)).encode())
            keys.append(column.codes)
    order = row_order(keys)
    for key in keys:
        form = "<f8" if key.dtype.kind == "f" else "<i4"
        digest.update(np.ascontiguousarray(key[order], dtype=form).tobytes())
    return digest.hexdigest()


def row_order(keys: Sequence[Any]) -> IntArray:
    """Row numbers sorted by the first key, then the second and so on, as `numpy.lexsort` does.

    Keys are arrays of n numbers, NaN last. Only rows that are equal so far are looked at again.
    """
    order: IntArray = np.argsort(keys[0], kind="stable")
    tied = _repeats(keys[0][order])
    for key in keys[1:]:
        if not tied.any():
            break
        # Rows in groups of equal ones, and the group of each.
        within = np.flatnonzero(tied | np.append(tied[1:], False))
        group = np.cumsum(~tied[within])
        rows = order[within]
        inner = np.lexsort((key[rows], group))
        order[within] = rows[inner]
        again = _repeats(key[order[within]]) & (np.append(False, group[1:] == group[:-1]))
        tied = np.zeros_like(tied)
        tied[within] = again
    return order


def _repeats(values: Any) -> Any:
    """Tell where a sorted array repeats the value before."""
    same = values[1:] == values[:-1]
    if values.dtype.kind == "f":
        same |= np.isnan(values[1:]) & np.isnan(values[:-1])
    return np.append(False, same)
