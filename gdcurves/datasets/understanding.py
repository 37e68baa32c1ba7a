"""What the columns of a source are: inputs with their kinds, columns left out, and doubts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gdcurves.datasets.columns import (
    absent,
    alike,
    grouplike,
    inference,
    merging,
    points,
    rownumbers,
)
from gdcurves.datasets.columns.respelling import Respelt, respell
from gdcurves.datasets.columns.roles import roles_of, target_of
from gdcurves.datasets.columns.texts import Column
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.remarks import About, Remark
from gdcurves.datasets.request import Request
from gdcurves.datasets.spec import Kind
from gdcurves.datasets.written import spelling
from gdcurves.errors import MisfitError, UserError
from gdcurves.words import CONTINUOUS, DISCRETE, DROP, counted


@dataclass(frozen=True, eq=False)
class Understood:
    """A source, and what its columns are.

    Attributes
    ----------
    raw
        The source, its numbers written plainly.
    target
        The column to predict.
    columns
        Its columns, with the texts that stand for a missing value in each.
    chosen
        Roles that the request gives to columns.
    decimal
        What stands before decimals, where the request says so or the columns show it.
    gaps
        Texts that stand for missing values among numbers, by column.
    kinds, dropped, refused, remarks
        See `gdcurves.datasets.table.Table`.
    """

    raw: Raw
    target: str
    columns: Mapping[str, Column]
    chosen: Mapping[str, Any]
    decimal: str | None
    gaps: Mapping[str, tuple[str, ...]]
    kinds: dict[str, Kind] = field(default_factory=dict)
    dropped: dict[str, str] = field(default_factory=dict)
    refused: dict[str, UserError] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)

    @property
    def inferred(self) -> frozenset[str]:
        """Levels that would be others if that were said: no missing values among numbers then."""
        return frozenset(
            name
            for name, kind in self.kinds.items()
            if kind == "discrete" and name not in self.chosen and name in self.gaps
        )


def understand(raw: Raw, request: Request, target_kind: Kind) -> Understood:
    """Tell what the columns of a source are.

    Raises
    ------
    UserError
        No target is declared or given, a column that is named does not exist or has two roles, or
        is to be numbers that can be read in two ways; or no input is left.
    """
    target = target_of(raw, request)
    for needed in (target, *request.groups):
        if needed in raw.broken:
            raise raw.broken[needed]
    chosen = roles_of(raw, request, target)
    respelt = _respelt(raw, request, {**raw.kinds, **chosen, target: target_kind})
    written, raw = raw, respelt.raw
    for column, error in respelt.unclear.items():
        if keys := keys_of(column, request):
            raise MisfitError(_or_otherwise(error, column == target), *keys)
    columns = {name: Column(cells, request.missing_texts) for name, cells in raw.columns.items()}
    gaps = absent.by_column(columns, {**raw.kinds, **chosen}, target, target_kind, request)
    for name, texts in gaps.items():
        columns[name] = replace(columns[name], missing=(*request.missing_texts, *texts))
    made = Understood(
        raw,
        target,
        columns,
        chosen,
        respelt.mark,
        gaps,
        remarks=[
            *(Remark(About.SOURCE, note) for note in raw.notes),
            *absent.doubts({name: gaps[name] for name in gaps if name not in chosen}, target, raw),
        ],
    )
    for number, column in enumerate(raw.columns):
        if column != target and chosen.get(column) != "groups":
            _judge(made, column, number == len(made.dropped), respelt.unclear)
    levels = [name for name, kind in made.kinds.items() if kind == "discrete"]
    made.remarks.extend(_about_writing(respelt, {*chosen, *levels}, request))
    made.remarks.extend(_about_scores(made))
    made.remarks.extend(_about_points(made, written, respelt.mark))
    if len(request.groups) <= 1:
        made.remarks.extend(_about_groups(made, *request.groups))
    if not made.kinds and not made.refused:
        raise _no_inputs(made, request)
    raw = _with_texts_of(levels, raw, written)
    others = [*request.groups, *[target] * (target_kind == "discrete")]
    discrete = {name: columns[name] for name in (*levels, *others)}
    one = merging.doubt(discrete, raw.columns, raw.origin)
    trimmed = merging.trimmed(discrete, raw.columns, raw.origin)
    made.remarks.extend(each for each in (one, trimmed) if each is not None)
    made.remarks.extend(alike.doubt({name: columns[name] for name in levels}, raw.origin))
    return replace(made, raw=raw)


def keys_of(column: str, request: Request) -> tuple[str | int, ...]:
    """Which keys of an experiment ask for a column to be numbers, if any do."""
    if column in request.continuous:
        return ("continuous", request.continuous.index(column))
    if request.numeric_target and column == request.target:
        return ("threshold",)
    return ()


def _judge(made: Understood, column: str, first: bool, unclear: Mapping[str, UserError]) -> None:
    """Add a column to those of its sort; `first` is whether all before it were left out."""
    raw = made.raw
    if (role := made.chosen.get(column)) == "drop":
        made.dropped[column] = "as the experiment asks"
    elif column in raw.broken and column not in raw.dropped:
        made.refused[column] = or_dropped(raw.broken[column])
    elif role is not None:
        made.kinds[column] = role
        if role == "discrete":
            empty = inference.empty_level(made.columns[column], raw.where(column))
            made.remarks.extend([] if empty is None else [empty])
    elif column in raw.dropped:
        made.dropped[column] = raw.dropped[column]
    elif (why := _numbers_rows(made, column, first)) is not None:
        made.dropped[column] = why
    elif column in unclear:
        made.refused[column] = UserError(_or_otherwise(unclear[column]))
    else:
        try:
            kind, why = _kind(made, column)
        except UserError as error:
            made.refused[column] = error
            return
        if kind is None:
            made.dropped[column] = why
        else:
            made.kinds[column] = kind
        made.remarks.extend(_doubts(made, column))
        if kind == "continuous":
            codes = _codes(made, column)
            made.remarks.extend([] if codes is None else [codes])


def _codes(made: Understood, column: str) -> Remark | None:
    """What is said of codes such as 999 in a column of numbers; nothing of keys of groups."""
    own = made.columns[column]
    if grouplike.group_sizes(column, own.cells, own.missing) is not None:
        return None
    return inference.outliers(own, made.raw.where(column), made.columns[made.target])


def _or_otherwise(error: UserError, of_target: bool = False) -> str:
    """Return what is said of numbers that may be two, with one more way out."""
    if of_target:
        return f"{error}, or leave out the threshold if the target holds labels"
    return f"{error}, or name the column under {DROP} or {DISCRETE}"


def or_dropped(error: UserError) -> UserError:
    """Return an error about an input with one more way out."""
    return UserError(f"{error}; or name the column under {DROP}")


def _no_inputs(made: Understood, request: Request) -> UserError:
    message = f"no inputs are left beside the target {made.target!r}"
    if made.remarks:
        message = f"{made.remarks[0].text}; {message}"
    else:
        message = f"{made.raw.origin}: {message}"
        if made.dropped:
            column, why = next(iter(made.dropped.items()))
            message += f"; left out is column {column!r} ({why})"
        message += f"; add columns, or name some under {CONTINUOUS} or {DISCRETE}"
    return MisfitError(message, "drop") if request.drop else UserError(message)


def _respelt(raw: Raw, request: Request, declared: Mapping[str, Any]) -> Respelt:
    """Write numbers plainly in all columns that may be used as such."""
    missing = request.missing_texts
    if absent.usual(request):
        missing = (*missing, *spelling.MISSING)
    names = [
        column
        for column in raw.columns
        if declared.get(column, "continuous") == "continuous"
        and (column not in raw.dropped or column in request.continuous)
    ]
    return respell(raw, names, missing, request.decimal)


def _with_texts_of(levels: Collection[str], raw: Raw, written: Raw) -> Raw:
    """A source with levels as they are written in the file, though they may be numbers."""
    return replace(raw, columns={**raw.columns, **{name: written.columns[name] for name in levels}})


def _about_writing(respelt: Respelt, known: Collection[str], request: Request) -> Iterator[Remark]:
    """Tell which columns were written otherwise, but those that are known."""
    changed = [
        f"{column!r} ({before!r} as {after})"
        for column, (before, after) in respelt.changed.items()
        if column not in known and (column != request.target or request.decimal is None)
    ]
    if changed:
        advice = f"; if texts are meant, name the column under {DISCRETE} or {DROP}"
        yield Remark(
            About.WRITING, f"{respelt.raw.origin}: read as numbers: ", tuple(changed), advice
        )


def _about_points(made: Understood, written: Raw, mark: str | None) -> Iterator[Remark]:
    """Tell which columns may have points between thousands, where nothing has settled that."""
    numbers = [name for name, kind in made.kinds.items() if kind == "continuous"]
    missing = {text for name in numbers for text in made.columns[name].missing}
    doubt = None if mark else points.doubt(written, numbers, made.chosen, missing)
    yield from [] if doubt is None else [doubt]


def _about_scores(made: Understood) -> Iterator[Remark]:
    """Tell which columns that may hold scores or codes are numbers, where nobody has said so."""
    inferred = [
        name
        for name, kind in made.kinds.items()
        if kind == "continuous" and name not in made.chosen and name not in made.raw.kinds
    ]
    spans = {
        name: ends
        for name in inferred
        if (ends := inference.scores(made.columns[name])) is not None
    }
    if spans:
        least, largest = (
            min(low for low, _ in spans.values()),
            max(high for _, high in spans.values()),
        )
        yield _about_numbers(made, [*spans], f"from {least:g} to {largest:g}", "few")
    coded = [
        name
        for name in inferred
        if name not in spans and inference.may_be_codes(made.columns[name], name)
    ]
    if coded:
        which = "under a name that speaks of codes"
        yield _about_numbers(made, coded, which, "by name", f", or under {DROP} if it is no input")


def _about_numbers(
    made: Understood, names: Sequence[str], which: str, case: str, besides: str = ""
) -> Remark:
    """Say that some columns of whole numbers, and which these are, are read as numbers."""
    verb, codes = ("is", "it holds") if len(names) == 1 else ("are", "they hold")
    return Remark(
        About.SCORES,
        f"{made.raw.origin}: {counted(len(names), 'column')} of whole numbers {which} {verb}"
        " read as numbers: ",
        tuple(names),
        f"; if {codes} codes, say so under {DISCRETE}{besides}",
        case=case,
    )


def _about_groups(made: Understood, key: str | None = None) -> Iterator[Remark]:
    """Tell which columns look like groups of rows, where at most one is named, the key."""
    left = {
        name: column
        for name, column in made.columns.items()
        if name != made.target and (key or made.chosen.get(name, "drop") == "drop")
    }
    if key is None:
        doubt = grouplike.doubt(left, made.columns[made.target], made.raw.origin)
    else:
        doubt = grouplike.doubt_of_key(key, left, made.raw.origin)
    yield from [] if doubt is None else [doubt]


def _kind(made: Understood, name: str) -> tuple[Kind | None, str]:
    """Kind of an input, declared or inferred; None and why if it is left out. Raises UserError."""
    if name in made.raw.kinds:
        return made.raw.kinds[name], ""
    column = made.columns[name]
    kind = inference.infer(column, made.raw.where(name))
    if kind is None:
        return None, "no value in any row"
    if kind == "discrete" and inference.identifies(column):
        return None, "another text in every row"
    return kind, ""


def _numbers_rows(made: Understood, name: str, first: bool) -> str | None:
    """Why a column is no input by its name, place and values; texts that all differ are told so."""
    column = made.columns[name]
    if name not in made.raw.kinds and inference.identifies(column):
        return None
    return rownumbers.reason(name, first, column.cells, column.missing)


def _doubts(made: Understood, name: str) -> Iterator[Remark]:
    """What is to be looked at in an input whose kind the request does not say."""
    raw, column = made.raw, made.columns[name]
    if name in raw.kinds and isinstance(column.cells, np.ndarray):
        return
    declared = raw.labels.get(name, ())
    by_source = raw.kinds.get(name) == "discrete"
    doubt = inference.doubt(column, raw.where(name), declared, by_source=by_source)
    if doubt is not None:
        yield doubt
    elif made.kinds.get(name) == "continuous":
        counts = rownumbers.doubt(column.cells, column.missing, raw.where(name))
        yield from [] if counts is None else [counts]
