"""A config for data of one's own: what was understood of them, and sizes that fit them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

import numpy as np

from gdcurves import datasets
from gdcurves.config.naming import LONGEST_NAME
from gdcurves.config.reading import DROP_ROWS, Missing, Threshold
from gdcurves.datasets import CATALOGUE, REMOTE, Request, Table
from gdcurves.errors import MisfitError, UserError
from gdcurves.plan import choice, cost
from gdcurves.plan.draft_text import WORDS, config_text
from gdcurves.plan.drafted import MEASURES, NOTHING_ASKED, Draft, Options
from gdcurves.plan.experiment import LEAST_UNITS, NamedFitter
from gdcurves.problems.problem import Problem, build
from gdcurves.problems.sparse import Sparse
from gdcurves.units import LEAST_TESTED
from gdcurves.words import counted

N_SIZES = 12
LEFT_OUT = "left out by `run --data`, unless named as --continuous or --discrete"


def make(
    request: Request,
    threshold: Threshold | None,
    source: str = "packaged",
    offline: bool = False,
    fitters: tuple[NamedFitter, ...] | None = None,
    options: Options = NOTHING_ASKED,
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
    return replace(made, text=config_text(made, request, threshold, missing, options))


def _without_sparse(request: Request, source: str, offline: bool, missing: Missing | None) -> Table:
    """Read data without the inputs that cost many rows and that nobody has named, and say so.

    Say too where gaps cost many rows together, unless it is said what is to become of these.
    """
    table = datasets.look(request, source, offline=offline)
    sparse = Sparse.of(table, [*table.kinds], missing or DROP_ROWS)
    scatter = () if missing else tuple(sparse.scatter())
    costly = left_out(table, sparse, request)
    if not costly:
        return replace(table, remarks=(*table.remarks, *scatter))
    fewer = replace(request, drop=(*request.drop, *costly))
    table = datasets.look(fewer, source, offline=offline)
    of = f"of {counted(sparse.rows, 'row')}"
    whys = {name: f"missing in {sparse.missing[name]:,} {of}" for name in costly}
    remarks = (*table.remarks, *sparse.remarks(LEFT_OUT), *scatter)
    return replace(table, dropped={**table.dropped, **whys}, remarks=remarks)


def left_out(table: Table, sparse: Sparse, request: Request) -> list[str]:
    """Inputs that a run of own data leaves out as they cost many rows, unless all do.

    Those that the request has named stay.
    """
    named = (*request.continuous, *request.discrete)
    costly = [name for name in sparse.missing if name not in named]
    return [] if table.catalogued or len(costly) == len(table.kinds) else costly


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
    return name.lower() in {"na", "none", "infinity", *WORDS}
