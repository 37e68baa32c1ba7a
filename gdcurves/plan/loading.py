"""The data of a plan: every experiment's problem, or why it has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from gdcurves import datasets
from gdcurves.config.reading import is_name
from gdcurves.datasets import DataUnavailable, Request, Table
from gdcurves.errors import MisfitError, UserError
from gdcurves.plan import added
from gdcurves.plan.experiment import Experiment
from gdcurves.plan.plan import Plan
from gdcurves.problems import problem, series
from gdcurves.problems.problem import Problem
from gdcurves.problems.series import Series
from gdcurves.words import counted


def load(
    plan: Plan, source: str, data_dir: Path | None, offline: bool = False
) -> tuple[dict[str, Problem | Series], dict[str, UserError]]:
    """Load and build what a plan needs.

    Returns the problems by experiment, and why the other experiments have none: their data cannot
    be had, or are broken. Raises UserError where the data rule out what the config asks, or no
    experiment has any.
    """
    problems: dict[str, Problem | Series] = {}
    missing: dict[str, UserError] = {}

    @cache
    def table_of(request: Request) -> Table | UserError:
        try:
            return datasets.load(request, source, data_dir, offline=offline)
        except UserError as error:
            return error

    if data_dir is not None:
        wanted = {str(each.config.data) for each in plan.experiments if each.simulation is None}
        datasets.check_folder(data_dir, wanted)
    for each in plan.experiments:
        table = None if each.request is None else table_of(each.request)
        try:
            problems[each.name] = _problem(each, plan, table)
        except MisfitError as error:
            if not _from_elsewhere(each, table):
                raise each.placed(error) from None
            missing[each.name] = each.placed(error)
        except UserError as error:
            if offline and isinstance(error, DataUnavailable) and not each.config.optional:
                raise
            missing[each.name] = error
    failures = [error for error in missing.values() if not isinstance(error, DataUnavailable)]
    if failures and not problems:
        raise failures[0]
    if missing and not problems:
        (name, why), *rest = missing.items()
        others = f", and likewise {counted(len(rest), 'other experiment')}" if rest else ""
        raise UserError(f"nothing is left to compute; {name}: {why}{others}")
    return problems, missing


def notes(problems: Mapping[str, Problem | Series]) -> list[str]:
    """What of the data may have been misunderstood, each note once."""
    return list(dict.fromkeys(note for each in problems.values() for note in each.provenance.notes))


def _from_elsewhere(experiment: Experiment, table: Table | UserError | None) -> bool:
    """Whether data of the catalogue are not the package's own: the config fits those."""
    named = experiment.request is not None and is_name(experiment.request.data)
    return named and isinstance(table, Table) and table.origin != "packaged"


def _problem(
    experiment: Experiment, plan: Plan, table: Table | UserError | None
) -> Problem | Series:
    """Make an experiment's problem from its law or its table; raises UserError."""
    if isinstance(table, UserError):
        raise table
    config = experiment.config
    made: Problem | Series
    if table is None:
        assert experiment.simulation is not None, "data are drawn or read"
        made = series.build(experiment.name, experiment.simulation, plan.config.seed)
    else:
        assert config.inputs is not None, "checked by ExperimentConfig"
        made = problem.build(
            experiment.name,
            table,
            config.inputs,
            [(each.name, each.labels) for each in config.classes or ()] or None,
            config.threshold,
            config.missing,
            config.rescale,
        )
    experiment.check_problem(made)
    if isinstance(made, Problem):
        origin = made.provenance
        notes = (*origin.notes, *added.doubts(made, experiment.fitters))
        provenance = replace(origin, notes=notes).noting(plan.notes, plan.holds_if)
        made = replace(made, provenance=provenance)
    return made
