"""A config for data of one's own: what was understood of them, and sizes that fit them."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gdcurves import datasets
from gdcurves.config.classes import ClassConfig
from gdcurves.config.naming import LONGEST_NAME
from gdcurves.config.reading import DROP_ROWS, Missing, Rescale, Threshold
from gdcurves.datasets import CATALOGUE, REMOTE, Request, Table
from gdcurves.errors import MisfitError, UserError
from gdcurves.fitters import REGISTRY
from gdcurves.plan import choice, cost
from gdcurves.plan.cost import Effort
from gdcurves.plan.experiment import LEAST_UNITS, NamedFitter
from gdcurves.plan.plan import Plan
from gdcurves.problems.problem import Problem, build
from gdcurves.problems.sparse import Sparse
from gdcurves.units import LEAST_TESTED
from gdcurves.words import counted

N_SIZES = 12
LEFT_OUT = "left out by `run --data`, unless named as --continuous or --discrete"
MEASURES = ("error", "balanced_error", "auc", "brier", "logloss")

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_+.-]*")
_WORDS = {"true", "false", "null", "nan", "inf"}


@dataclass(frozen=True)
class Options:
    """What a user says of a run of own data, as the config keys of these names; None: nothing.

    Attributes
    ----------
    sizes
        Training sizes m, ascending.
    missing, rescale
        What becomes of missing values, and how continuous inputs are rescaled.
    stratified
        Whether training sets hold as many rows of each class.
    figure
        What is drawn.
    classes
        Labels of each class.
    """

    sizes: tuple[int, ...] | None = None
    missing: Missing | None = None
    rescale: Rescale | None = None
    stratified: bool = False
    figure: str | None = None
    classes: tuple[ClassConfig, ...] | None = None


@dataclass(frozen=True, eq=False)
class Draft:
    """What was understood, and a config that says so.

    Attributes
    ----------
    name
        Of the experiment, and of the run.
    table, problem
        What was read, and what becomes of it.
    refusal
        Why the data cannot be used without a config such as this; None where they can.
    notes
        What the user should look at.
    fitters
        What is compared.
    sizes
        Training sizes m.
    effort
        Number of splits, and how many are computed at a time.
    text
        The config, YAML.
    """

    name: str
    table: Table
    problem: Problem
    refusal: UserError | None
    notes: tuple[str, ...]
    fitters: tuple[NamedFitter, ...]
    sizes: tuple[int, ...]
    effort: Effort
    text: str

    def noted(self, planned: Plan) -> Plan:
        """A plan made of the draft, with what was noted of the data."""
        return replace(planned, notes=self.notes, holds_if=self.problem.provenance.holds_if)


def make(
    request: Request,
    threshold: Threshold | None,
    source: str = "packaged",
    offline: bool = False,
    fitters: tuple[NamedFitter, ...] | None = None,
    options: Options = Options(),
) -> Draft:
    """Read data and draft a config for them; it leaves out what is in `Table.refused`.

    `fitters` are the usual ones unless given.

    Where no row is complete, means and levels of their own stand for missing values.

    Raises
    ------
    UserError
        The data cannot be read, or make no problem of two classes and three rows or more.
    """
    missing = options.missing or DROP_ROWS
    table = _without_sparse(request, source, offline, options.missing)
    notes: tuple[str, ...] = ()
    name = _name(table)
    rescale = options.rescale or ("dataset" if request.data in CATALOGUE else "train")
    if options.classes is not None and threshold not in (None, "none"):
        raise UserError("--classes and --threshold exclude each other; give one of them")
    classes = [(each.name, each.labels) for each in options.classes or ()] or None
    try:
        problem = build(name, table, "all", classes, threshold, missing, rescale)
    except MisfitError as error:
        if error.keys != ("missing",) or options.missing is not None:
            raise
        missing = Missing(continuous="mean", discrete="level")
        notes = (
            f"{table.source}: no row is complete, so means stand for missing values in continuous"
            " inputs, and levels of their own in discrete ones; see `missing`",
        )
        problem = build(name, table, "all", classes, threshold, missing, rescale)
    notes = (*problem.provenance.notes, *notes)
    if problem.units.n < LEAST_UNITS:
        unit = "group" if table.groups else "complete row"
        filled = ", or fill gaps with --missing mean,level" * (problem.provenance.rows_missing > 0)
        raise UserError(
            f"{table.called} has {counted(problem.units.n, unit)}; add some{filled}: two are to"
            " learn from, one to test"
        )
    if options.stratified and table.groups:
        raise UserError(
            "--stratified and --groups exclude each other: the rows of a group may be of any class;"
            " give one of them"
        )
    fitters = choice.choose() if fitters is None else fitters
    chosen = _chosen(options, problem)
    shape = cost.Shape.of(problem)
    effort = cost.effort(shape, chosen, [each.fitter for each in fitters], MEASURES)
    if effort.words:
        notes = (*notes, f"{table.source}: {effort.words}")
    made = Draft(name, table, problem, table.refusal, notes, fitters, chosen, effort, "")
    return replace(made, text=_text(made, request, threshold, missing, options))


def _without_sparse(request: Request, source: str, offline: bool, missing: Missing | None) -> Table:
    """Read data without the inputs that cost many rows and that nobody has named, and say so.

    Say too where gaps cost many rows together, unless it is said what is to become of these.
    """
    table = datasets.look(request, source, offline=offline)
    free = [name for name in table.kinds if name not in (*request.continuous, *request.discrete)]
    sparse = Sparse.of(table, [*table.kinds], missing or DROP_ROWS)
    scatter = () if missing else tuple(sparse.scatter())
    left_out = [name for name in sparse.missing if name in free]
    if table.catalogued or not left_out or len(left_out) == len(table.kinds):
        return replace(table, remarks=(*table.remarks, *scatter))
    fewer = replace(request, drop=(*request.drop, *left_out))
    table = datasets.look(fewer, source, offline=offline)
    of = f"of {counted(sparse.rows, 'row')}"
    whys = {name: f"missing in {sparse.missing[name]:,} {of}" for name in left_out}
    remarks = (*table.remarks, *sparse.remarks(LEFT_OUT), *scatter)
    return replace(table, dropped={**table.dropped, **whys}, remarks=remarks)


def _chosen(options: Options, problem: Problem) -> tuple[int, ...]:
    """Return the sizes that are asked for, or such as fit the rows or their groups."""
    n_units, n_classes = problem.units.n, len(problem.classes)
    if options.sizes is None:
        if not options.stratified:
            return sizes(n_units)
        fewest = int(np.bincount(problem.y).min())
        each = sizes(min(fewest, (n_units - 1) // n_classes), 1)
        return tuple(n_classes * m for m in each)
    if options.sizes[-1] >= n_units:
        unit = "row" if problem.group is None else "group"
        raise UserError(
            f"--sizes {options.sizes[-1]}: there are {counted(n_units, unit)}, and at least one is"
            f" for testing; write {n_units - 1} or less"
        )
    return options.sizes


def sizes(n_units: int, least: int = 2) -> tuple[int, ...]:
    """Training sizes from the least on, equally spaced in logarithm.

    A tenth of the rows, or of their groups, is to test with, and `LEAST_TESTED` at least;
    there is one more than the least.
    """
    last = max(least, n_units - max(LEAST_TESTED, n_units // 10))
    return tuple(sorted({round(m) for m in np.geomspace(least, last, N_SIZES)}))


def _name(table: Table) -> str:
    stem = table.name
    if table.origin in REMOTE and stem.isdecimal():
        stem = f"{table.origin}-{stem}"
    letters = unicodedata.normalize("NFKD", stem)  # "é" in two, a letter and its accent
    stem = "".join(each for each in letters if not unicodedata.combining(each))
    plain = re.sub(r"[^A-Za-z0-9._+-]+", "-", stem).strip("-.")[: LONGEST_NAME - 5]
    return plain if re.match(r"[A-Za-z]", plain) and not _special(plain) else f"data-{plain}"


def _special(name: str) -> bool:
    return name.lower() in {"na", "none", "infinity", *_WORDS}


def _text(
    made: Draft,
    request: Request,
    threshold: Threshold | None,
    missing: Missing,
    options: Options,
) -> str:
    """Write the config of a draft."""
    table, problem = made.table, made.problem
    kinds = {
        kind: [
            column
            for column, each in table.kinds.items()
            if each == kind and column not in table.inferred_levels
        ]
        for kind in ("continuous", "discrete")
    }
    left_out = [f"    # left out: {_flat(column)}, {why}" for column, why in table.dropped.items()]
    left_out += [f"    # left out: {_flat(str(error))}" for error in table.refused.values()]
    drop = [*table.dropped, *table.refused]
    own = request.data not in CATALOGUE or any((request.continuous, request.discrete, request.drop))
    lines = [
        f"# Learning curves of classifiers on {_flat(request.data)}.",
        "# What the keys mean: gdcurves config schema",
        "",
        f"splits: {made.effort.splits} # random splits into training and test rows at every size:"
        " from 1000 down to 50, the fewer the more a split costs",
        f"chunk: {made.effort.chunk} # splits that are computed and stored at a time",
        f"measures: {_list(MEASURES)} # error compares, unless `measure` names another one",
        *([] if options.figure is None else [f"figure: {options.figure}"]),
        "interval: rows # keep sums for every row: intervals for other data of this kind",
        "experiments:",
        f"  - name: {_scalar(made.name)}",
        f"    data: {_scalar(request.data)}",
        *(
            f"    {key}: {_scalar(value)}"
            for key in ("encoding", "sheet")
            if (value := getattr(request, key)) is not None
        ),
        *(
            ["    no_header: true # the first row is one of cells, not of names"]
            * request.no_header
        ),
        f"    target: {_scalar(table.target)}",
        *(f"    {kind}: {_list(columns)}" for kind, columns in kinds.items() if own and columns),
        *(
            f"    # discrete too: {_flat(column)}, not named as its texts among numbers would then"
            " be levels, and are missing values"
            for column in sorted(table.inferred_levels)
        ),
        *(f"    # note: {_flat(note)}" for note in made.notes),
        *left_out,
        *([f"    drop: {_list(drop)}"] if own and drop else []),
        *([_groups(table.groups)] if table.groups else []),
        (
            f"    classes: {_classes(problem.classes, options.classes)}"
            if threshold in (None, "none")
            else f"    threshold: {threshold} # not above it, above it"
        ),
        f"    missing_texts: {json.dumps(request.missing_texts)} # cells without a value",
        *(
            [f"    decimal: {json.dumps(table.decimal)} # stands before decimals in this source"]
            if table.decimal is not None
            else []
        ),
        f"    missing: {{continuous: {missing.continuous}, discrete: {missing.discrete}}}"
        " # or mean for continuous, level for discrete, error",
        f"    rescale: {problem.rescale} # or dataset, train, none",
        *(["    stratified: true # m // K training rows of each class"] * options.stratified),
        f"    sizes: [{', '.join(map(str, made.sizes))}]",
        "fitters:",
        *(f"  - {_fitter(each)}" for each in made.fitters),
    ]
    return "\n".join(lines) + "\n"


def _classes(names: Sequence[str], merged: Sequence[ClassConfig] | None) -> str:
    """Return YAML of the classes: a list of labels, or a mapping where labels are merged."""
    if merged is None or all(each.labels == (each.name,) for each in merged):
        return _list(names)
    return json.dumps({each.name: each.labels for each in merged}, ensure_ascii=False)


def _groups(columns: Sequence[str]) -> str:
    named = _list(columns) if len(columns) > 1 else _scalar(columns[0])
    return f"    groups: {named} # rows of one stay together: sizes count groups"


def _fitter(named: NamedFitter) -> str:
    """Return YAML of a classifier with the options that it was given."""
    given = named.fitter.model_dump(exclude_unset=True)
    known = next(name for name, each in REGISTRY.items() if each is type(named.fitter))
    if known != named.name:
        given = {"name": named.name, **given}
    options = "".join(f", {key}: {_scalar(str(value))}" for key, value in given.items())
    return f"{{type: {known}{options}}} # {named.fitter.description}"


def _flat(text: str) -> str:
    return " ".join(text.split())


def _scalar(text: str) -> str:
    """Return YAML of a text, in quotes where it could be taken for something else."""
    plain = _PLAIN.fullmatch(text) and text.lower() not in _WORDS
    return text if plain else json.dumps(text, ensure_ascii=False)


def _list(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_scalar, texts))}]"
