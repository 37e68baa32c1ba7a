"""The one form that every source's content takes, and its fingerprint."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gdcurves.datasets.columns import copies, tallied
from gdcurves.datasets.columns.cells import levels, numbers
from gdcurves.datasets.columns.order import fingerprint, in_order
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.remarks import About, Remark, lines
from gdcurves.datasets.request import Request
from gdcurves.datasets.spec import DatasetSpec, Kind
from gdcurves.datasets.understanding import Understood, keys_of, or_dropped, understand
from gdcurves.errors import MisfitError, UserError

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.datasets.raw import Cells


_KNOWN = (About.CODES, About.BOUNDS, About.SEVERAL, About.TRIMMED)
"""What remarks on data sets of the catalogue need not be about."""


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
        Labels of the target in the source's order, or else in that of numbers or the natural one;
        none of a number.
    origin
        What kind of source the rows come from: "packaged", "file", "memory", or a scheme of
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
    remarks
        What is to be looked at: columns that may have been misunderstood.
    declared
        Input columns whose kind the source or the request states; that of the others is inferred.
    inferred_levels
        Those of the others that would be read otherwise if they were stated to be discrete: texts
        that stand for missing values among numbers would be levels.
    decimal
        What stands before decimals in the source, where the request says so or columns show it.
    catalogued
        Whether it is a data set of the catalogue, of which all is known.
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
    groups: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    declared: frozenset[str] = frozenset()
    inferred_levels: frozenset[str] = frozenset()
    decimal: str | None = None
    catalogued: bool = False
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

    @property
    def notes(self) -> tuple[str, ...]:
        """The remarks in words, a line of each kind."""
        return lines(self.remarks)

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
    wanted = dict.fromkeys([*kinds, *(name for name in raw.columns if name in request.groups)])
    absent = [name for name in kinds if name not in raw.columns]
    if absent:
        more = f", and {len(absent) - 1} more" if len(absent) > 1 else ""
        raise UserError(
            f"{raw.origin}: no column {absent[0]!r}{more}, which data set {spec.name!r} needs; its"
            f" columns are {', '.join(map(repr, raw.columns))}; rename the column that is meant, or"
            " give the file's own name as data"
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
    remarks = tuple(each for each in table.remarks if each.kind not in _KNOWN)
    return replace(table, catalogued=True, remarks=remarks)


def read_table(name: str, raw: Raw, origin: str, request: Request) -> Table:
    """Bring the content of any source into canonical form.

    Raises
    ------
    UserError
        No target is declared or given, a column that is named does not exist or has two roles, no
        input is left, or a cell of a continuous column is no finite number.
    """
    table = _assemble(name, raw, origin, request, _target_kind(request), {})
    if request.groups:
        return table
    inputs = {column: table.cells(column) for column in table.kinds}
    doubts = (
        copies.doubt(inputs, table.source),
        tallied.doubt(inputs, table.cells(table.target), table.source),
    )
    return replace(table, remarks=(*table.remarks, *(each for each in doubts if each is not None)))


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

    made = understand(raw, request, target_kind)
    raw, target = made.raw, made.target
    groups: dict[str, Kind] = {name: made.kinds.get(name, "discrete") for name in request.groups}
    canonical = _canonical_columns(made, {target: target_kind, **groups}, request)
    goal = canonical[target]
    labels: tuple[str, ...] = ()
    if not isinstance(goal, np.ndarray):
        labels = in_order(list(goal.categories), raw.labels.get(target, ()))
    return Table(
        name=name,
        frame=pd.DataFrame(canonical, copy=False),
        kinds=made.kinds,
        target=target,
        labels=labels,
        origin=origin,
        source=raw.origin,
        sha256=fingerprint({**made.kinds, target: target_kind, **groups}, canonical),
        location=partial(_location, raw.origin, raw.location),
        dropped={**others, **made.dropped},
        refused=made.refused,
        groups=request.groups,
        remarks=tuple(made.remarks),
        declared=frozenset(name for name in made.kinds if name in {**raw.kinds, **made.chosen}),
        inferred_levels=made.inferred,
        decimal=made.decimal,
        about=raw.about,
    )


def _location(origin: str, location: Callable[[int], str], row: int) -> str:
    return f"{origin}, {location(row)}"


def _canonical_columns(
    made: Understood, others: Mapping[str, Kind], request: Request
) -> dict[str, Cells]:
    """Bring inputs and others into canonical form; inputs that cannot be are refused."""
    canonical: dict[str, Cells] = {}
    for column, kind in {**made.kinds, **others}.items():
        try:
            canonical[column] = _canonical(
                made.raw, column, kind, request, made.columns[column].missing
            )
        except MisfitError:  # the request says what kind this is
            raise
        except UserError as error:
            if column in others:
                raise
            made.refused[column] = or_dropped(error)
            del made.kinds[column]
    return canonical


def _canonical(
    raw: Raw, column: str, kind: Kind, request: Request, missing: Collection[str]
) -> Cells:
    cells = raw.columns[column]
    if kind == "discrete":
        return levels(cells, missing)
    if isinstance(cells, np.ndarray) and raw.texts is not None and np.isinf(cells).any():
        cells = raw.texts([column], None).get(column, cells)  # what is said of 1e400 has its text
    return numbers(cells, missing, raw.where(column, *keys_of(column, request)))
