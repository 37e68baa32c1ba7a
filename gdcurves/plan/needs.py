"""Whether experiments have what classifiers need; the one place where that is checked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gdcurves.errors import MisfitError
from gdcurves.fitters import Needs
from gdcurves.problems.problem import Problem
from gdcurves.problems.series import Series
from gdcurves.words import counted


def takes(needs: Needs, kinds: str | None) -> bool:
    """Whether a classifier may take inputs of these kinds: "all" is told by the data alone."""
    return kinds == "all" or kinds in needs.kinds


def check(
    name: str,
    needs: Needs,
    experiment: str,
    problem: Problem | Series,
    sizes: Sequence[int],
    stratified: bool,
) -> None:
    """Refuse a problem that lacks what a classifier needs.

    Parameters
    ----------
    name, needs
        Of the classifier.
    experiment, problem
        Name of the experiment, and its data.
    sizes, stratified
        Its training sizes m, and whether training sets are stratified.

    Raises
    ------
    MisfitError
        With the keys of the config that may be changed, from the experiment.
    """
    kinds = {"discrete" if n > 0 else "continuous" for n in problem.levels}
    if not kinds <= needs.kinds:
        possible = needs.possible_kinds
        raise MisfitError(
            f"fitter '{name}' takes {possible} inputs, and {experiment} has"
            f" {' and '.join(sorted(kinds))} ones; leave out the fitter, or name the"
            f" {' and '.join(sorted(kinds - needs.kinds))} ones under 'drop', or add 'inputs:"
            f" {possible}' to the experiment or to the fitter"
        )
    _check_classes(name, needs, experiment, problem)
    if "continuous" in kinds:
        _check_scale(name, needs, experiment, problem)
    if needs.rows_of_class:
        _check_rows(name, needs, experiment, problem, sizes, stratified)


def _check_classes(name: str, needs: Needs, experiment: str, problem: Problem | Series) -> None:
    n_classes, most = len(problem.classes), needs.most_classes
    if not 0 < most < n_classes:
        return
    message = f"fitter '{name}' tells {most} classes apart, and {experiment} has {n_classes}"
    if isinstance(problem, Series):
        raise MisfitError(f"{message}; leave the fitter out of it", "simulate")
    raise MisfitError(f"{message}; name {most} of them, or leave the fitter out", "classes")


def _check_scale(name: str, needs: Needs, experiment: str, problem: Problem | Series) -> None:
    rescaled = problem.rescale != "none"
    if needs.scale == "rescaled" and not rescaled:
        raise MisfitError(
            f"fitter '{name}' takes inputs that are rescaled to [0, 1], and those of {experiment}"
            " are not; write 'rescale: train', or leave the fitter out of simulated experiments",
            "rescale",
        )
    if needs.scale == "as_is" and rescaled:
        raise MisfitError(
            f"fitter '{name}' takes inputs as they are, and those of {experiment} are rescaled;"
            " write 'rescale: none'",
            "rescale",
        )
    if needs.non_negative and not rescaled and _some_negative(problem):
        raise MisfitError(
            f"fitter '{name}' takes no inputs below zero, and {experiment} has some; leave these"
            " inputs out, or the fitter",
            "drop",
        )


def _some_negative(problem: Problem | Series) -> bool:
    """Whether a continuous input is below zero, or may be in another draw from a law."""
    if isinstance(problem, Series):
        return not problem.simulation.law.non_negative
    continuous = np.array(problem.levels) == 0
    lowest = np.fmin.reduce(np.asarray(problem.x)[:, continuous], axis=None, initial=np.inf)
    return bool(lowest < 0)


def _check_rows(
    name: str,
    needs: Needs,
    experiment: str,
    problem: Problem | Series,
    sizes: Sequence[int],
    stratified: bool,
) -> None:
    n_classes = len(problem.classes)
    rows = counted(needs.rows_of_class, "training row")
    if not stratified and isinstance(problem, Problem) and problem.group is not None:
        raise MisfitError(
            f"fitter '{name}' needs {rows} of every class, which training sets drawn by 'groups'"
            f" may lack; leave the fitter out, or in {experiment} write 'stratified: true' in place"
            " of 'groups'",
            "groups",
        )
    if not stratified:
        raise MisfitError(
            f"fitter '{name}' needs {rows} of every class, which only 'stratified: true' gives for"
            f" certain; add it to {experiment}",
            "stratified",
        )
    for number, m in enumerate(sizes):
        if m // n_classes < needs.rows_of_class:
            raise MisfitError(
                f"size {m} gives each of {n_classes} classes {counted(m // n_classes, 'row')}, and"
                f" fitter '{name}' needs {rows}; write {needs.rows_of_class * n_classes} or more",
                "sizes",
                number,
            )
