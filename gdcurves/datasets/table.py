"""The one form that every source's content takes, and its fingerprint."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gdcurves.config.reading import MISSING_TEXTS
from gdcurves.datasets import columns, inference, rownumbers
from gdcurves.datasets.order import fingerprint, in_order
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.request import Request
from gdcurves.datasets.roles import roles_of, target_of
from gdcurves.datasets.spec import DatasetSpec, Kind
from gdcurves.errors import MisfitError, UserError

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
        Input columns in order, then the target, then that of the groups if any. Continuous columns
        are float64 with NaN for missing; discrete ones are categoricals of texts in sorted order.
    kinds
        Kind of each input column; none where all others are refused.
    target
        Name of the target column.
    labels
        Labels of the target in the source's order, or else in natural order; none of a number.
    origin
        What kind of source the rows come from: "packaged", "file", or a scheme of
        `gdcurves.datasets.REMOTE`.
    source
        Where that is, for people.
    sha256
        Fingerprint of the values: the same for all sources, formats and row orders.
    location
        Says where a row stands in the source, from its number.
    dropped
        Columns of the source that are no inputs, row ids for instance, each with the reason.
    refused
        Columns of which no kind can be told, each with the error that says why; no inputs.
    groups
        Name of the column whose equal values say which rows stay together; None for none.
    notes
        What is to be looked at: columns that may have been misunderstood.
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
    origin: str
    source: str
    sha256: str
    location: Callable[[int], str]
    dropped: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, UserError] = field(default_factory=dict)
    groups: str | None = None
    notes: tuple[str, ...] = ()
    declared: frozenset[str] = frozenset()
    about: Mapping[str, str] = field(default_factory=dict)

    @property
    def called(self) -> str:
        """What messages call it."""
        elsewhere = "" if self.origin == "packaged" else f" ({self.source})"
        return f"data set {self.name!r}{elsewhere}"

    @property
    def refusal(self) -> UserError | None:
        """The error for the first of the columns refused, which names the others; None for none."""
        if not self.refused:
            return None
        first, *others = self.refused
        more = f" (unclear too: {', '.join(map(repr, others))})" if others else ""
        return UserError(f"{self.refused[first]}{more}")

    def cells(self, column: str) -> Any:
        """Return a column: numbers, or a categorical."""
        series = self.frame[column]
        return series.to_numpy() if series.dtype.kind == "f" else series.array


def build(spec: DatasetSpec, raw: Raw, origin: str, request: Request | None = None) -> Table:
    """Bring a source's content into the canonical form of a data set of the catalogue.

    Raises
    ------
    UserError
        A column is missing, a cell of a continuous column is no finite number, or the request does
        not fit.
    """
    request = request or Request(spec.name)
    kinds = {**spec.columns, spec.target: spec.target_kind}
    wanted = dict.fromkeys([*kinds, *(name for name in raw.columns if name == request.groups)])
    absent = [name for name in kinds if name not in raw.columns]
    if absent:
        more = f", and {len(absent) - 1} more" if len(absent) > 1 else ""
        raise UserError(
            f"{raw.origin}: no column {absent[0]!r}{more}, which data set {spec.name!r} needs; its"
            f" columns are {', '.join(map(repr, raw.columns))}"
        )
    others = dict.fromkeys(
        (name for name in raw.columns if name not in wanted), "no column of the data set"
    )
    known = Raw(
        {name: raw.columns[name] for name in wanted},
        raw.origin,
        raw.location,
        kinds,
        target=spec.target,
        broken=raw.broken,
        about={"licence": spec.licence, "citation": spec.citation, "title": spec.title},
    )
    own = request.target in (None, spec.target)
    kind = spec.target_kind if own else _target_kind(request)
    table = _assemble(spec.name, known, origin, request, kind, others)
    if table.refusal is not None:
        raise table.refusal
    return table


def read_table(name: str, raw: Raw, origin: str, request: Request) -> Table:
    """Bring the content of any source into canonical form.

    Raises
    ------
    UserError
        No target is declared or given, a column that is named does not exist or has two roles, no
        input is left, or a cell of a continuous column is no finite number.
    """
    return _assemble(name, raw, origin, request, _target_kind(request), {})


def _target_kind(request: Request) -> Kind:
    return "continuous" if request.numeric_target else "discrete"


def _assemble(
    name: str,
    raw: Raw,
    origin: str,
    request: Request,
    target_kind: Kind,
    others: Mapping[str, str],
) -> Table:
    import pandas as pd

    target = target_of(raw, request)
    for needed in (target, request.groups or target):
        if needed in raw.broken:
            raise raw.broken[needed]
    dropped = dict(others)
    kinds: dict[str, Kind] = {}
    refused: dict[str, UserError] = {}
    notes = [*raw.notes]
    chosen = roles_of(raw, request, target)
    declared = {**raw.kinds, **chosen, target: target_kind}
    gaps = _gaps(raw, declared, request)
    missing = {column: (*request.missing_texts, *gaps.get(column, ())) for column in raw.columns}
    notes += _about_gaps(
        raw, {column: texts for column, texts in gaps.items() if column not in chosen}
    )
    for number, column in enumerate(raw.columns):
        if column in (target, request.groups):
            continue
        n_before = len(dropped) - len(others)  # of the columns left out so far
        if (role := chosen.get(column)) == "drop":
            dropped[column] = "as the experiment asks"
        elif column in raw.broken and column not in raw.dropped:
            refused[column] = _or_dropped(raw.broken[column])
        elif role is not None:
            kinds[column] = role
        elif column in raw.dropped:
            dropped[column] = raw.dropped[column]
        elif (why := _numbers_rows(raw, column, number == n_before, missing[column])) is not None:
            dropped[column] = why
        else:
            try:
                kind, why = _kind(raw, column, missing[column])
            except UserError as error:
                refused[column] = error
                continue
            if kind is None:
                dropped[column] = why
            else:
                kinds[column] = kind
            notes += _doubts(raw, column, missing[column])
    if not kinds and not refused:
        message = f"no inputs are left beside the target {target!r}"
        if notes:
            message = f"{notes[0]}; {message}"
        else:
            message = f"{raw.origin}: {message}"
            if dropped:
                column, why = next(iter(dropped.items()))
                message += f"; left out is column {column!r} ({why})"
            message += "; add columns, or name some under 'continuous' or 'discrete'"
        raise MisfitError(message, "drop") if request.drop else UserError(message)
    groups: dict[str, Kind] = {} if request.groups is None else {request.groups: "discrete"}
    canonical: dict[str, Cells] = {}
    for column, kind in {**kinds, target: target_kind, **groups}.items():
        try:
            canonical[column] = _canonical(raw, column, kind, request, missing[column])
        except MisfitError:  # the request says what kind this is
            raise
        except UserError as error:
            if column == target:
                raise
            refused[column] = _or_dropped(error)
            del kinds[column]
    goal = canonical[target]
    labels: tuple[str, ...] = ()
    if not isinstance(goal, np.ndarray):
        labels = in_order(list(goal.categories), raw.labels.get(target, ()))
    return Table(
        name=name,
        frame=pd.DataFrame(canonical, copy=False),
        kinds=kinds,
        target=target,
        labels=labels,
        origin=origin,
        source=raw.origin,
        sha256=fingerprint({**kinds, target: target_kind, **groups}, canonical),
        location=partial(_location, raw.origin, raw.location),
        dropped=dropped,
        refused=refused,
        groups=request.groups,
        notes=tuple(notes),
        declared=frozenset(name for name in kinds if name in raw.kinds or name in chosen),
        about=raw.about,
    )


def _or_dropped(error: UserError) -> UserError:
    return UserError(f"{error}; or name the column under 'drop'")


def _location(origin: str, location: Callable[[int], str], row: int) -> str:
    return f"{origin}, {location(row)}"


def _gaps(raw: Raw, declared: Mapping[str, Any], request: Request) -> dict[str, tuple[str, ...]]:
    """Texts that stand for missing values among numbers, by column; none if a request rules so."""
    if not {*MISSING_TEXTS} <= {*request.missing_texts}:
        return {}
    found = {
        column: inference.gaps_among_numbers(cells, request.missing_texts)
        for column, cells in raw.columns.items()
        if declared.get(column) not in ("discrete", "drop", "groups")
    }
    return {column: texts for column, texts in found.items() if texts}


def _about_gaps(raw: Raw, gaps: Mapping[str, tuple[str, ...]]) -> list[str]:
    if not gaps:
        return []
    texts = " or ".join(map(repr, dict.fromkeys(text for each in gaps.values() for text in each)))
    return [
        f"{raw.origin}: {texts} among numbers is taken for a missing value, in"
        f" {', '.join(map(repr, gaps))}; name a column under 'discrete' where it is a level, or the"
        " texts that are missing under 'missing_texts', as {only: [...]}"
    ]


def _kind(raw: Raw, column: str, missing: Collection[str]) -> tuple[Kind | None, str]:
    """Kind of an input, declared or inferred; None and why if it is left out. Raises UserError."""
    if column in raw.kinds:
        return raw.kinds[column], ""
    cells = raw.columns[column]
    kind = inference.infer(cells, missing, raw.where(column))
    if kind is None:
        return None, "no value in any row"
    if kind == "discrete" and inference.identifies(cells, missing):
        return None, "another text in every row"
    return kind, ""


def _numbers_rows(raw: Raw, column: str, first: bool, missing: Collection[str]) -> str | None:
    """Why a column is no input by its name, place and values; texts that all differ are told so."""
    cells = raw.columns[column]
    if column not in raw.kinds and inference.identifies(cells, missing):
        return None
    return rownumbers.reason(column, first, cells, missing)


def _doubts(raw: Raw, column: str, missing: Collection[str]) -> list[str]:
    """What is to be looked at in an input whose kind the request does not say."""
    cells = raw.columns[column]
    if column in raw.kinds and isinstance(cells, np.ndarray):
        return []
    declared = raw.labels.get(column, ())
    doubt = inference.doubt(cells, missing, raw.where(column), declared)
    return [] if doubt is None else [doubt]


def _canonical(
    raw: Raw, column: str, kind: Kind, request: Request, missing: Collection[str]
) -> Cells:
    cells = raw.columns[column]
    if kind == "discrete":
        return columns.levels(cells, missing)
    keys: tuple[str | int, ...] = ()
    if column in request.continuous:
        keys = ("continuous", request.continuous.index(column))
    elif request.numeric_target and column == request.target:
        keys = ("threshold",)
    return columns.numbers(cells, missing, raw.where(column, *keys))
