"""Whether what a classifier answers depends on the units of inputs that are not rescaled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gdcurves.plan.experiment import NamedFitter
from gdcurves.problems.problem import Problem

SMALL = 0.01
"""An addend to variances of at most such a part of them makes hardly a difference."""


def doubts(problem: Problem, fitters: Sequence[NamedFitter]) -> Iterator[str]:
    """Say so where classifiers add to variances what is not small beside them."""
    if problem.rescale != "none":
        return
    columns = [i for i, levels in enumerate(problem.levels) if levels == 0]
    spread = {i: variance for i in columns if (variance := _within(problem, i)) > 0}
    if not spread:
        return
    least = min(spread, key=spread.__getitem__)
    added = {each.name: float(getattr(each.fitter, "epsilon", 0.0)) for each in fitters}
    large = {name: epsilon for name, epsilon in added.items() if epsilon > SMALL * spread[least]}
    if large:
        yield (
            f"{problem.provenance.source}: the variance of {problem.features[least]!r} within"
            f" classes is {spread[least]:.2g}, and what is added to it ({_listed(large)}) is not"
            " small beside it, so that the unit decides about the answer; choose another `rescale`"
            " than none, or a smaller `epsilon`"
        )


def _within(problem: Problem, column: int) -> float:
    """Mean over the rows of the variance of an input in a row's class, where values are known."""
    x = problem.x[:, column]
    squares, n = 0.0, 0
    for label in range(len(problem.classes)):
        values = x[(problem.y == label) & ~np.isnan(x)]
        squares += float(np.sum((values - values.mean()) ** 2)) if len(values) else 0.0
        n += len(values)
    return squares / n if n else 0.0


def _listed(epsilons: dict[str, float]) -> str:
    return ", ".join(f"epsilon {epsilon:g} of {name}" for name, epsilon in epsilons.items())
