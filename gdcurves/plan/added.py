"""Whether what classifiers add to variances, `epsilon`, decides what they answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.plan.experiment import NamedFitter
from gdcurves.problems.problem import Problem
from gdcurves.words import first_of

SMALL = 0.01
"""An addend to variances of at most such a part of them makes hardly a difference."""

MUCH = 0.3
"""Of how far classes are apart in an input, 1 for far, what would be missed."""

ALMOST_NONE = 1e-9
MOST_NAMED = 3


def doubts(problem: Problem, fitters: Sequence[NamedFitter]) -> Iterator[str]:
    """Say so where classifiers add to variances what is not small beside them.

    Where inputs are rescaled, so that units do not matter, of naive Bayes with variances of each
    class, and where much of what an input tells is lost.
    """
    columns = [i for i, levels in enumerate(problem.levels) if levels == 0]
    if problem.rescale == "none":
        yield from _by_units(problem, columns, fitters)
        return
    for each in fitters:
        if not isinstance(each.fitter, NaiveBayes) or each.fitter.variance != "per_class":
            continue
        hidden = {i: _hidden(problem, i, each.fitter.epsilon) for i in columns}
        most = sorted((i for i in columns if hidden[i] > MUCH), key=hidden.__getitem__)[::-1]
        if most:
            names = first_of([repr(problem.features[i]) for i in most], MOST_NAMED)
            yield (
                f"{problem.provenance.source}: {each.name} adds {each.fitter.epsilon:g} to"
                " variances (`epsilon`), which hides much of how classes differ in"
                f" {', '.join(names)}, as most values lie close together beside a few that are far;"
                " to see it, take logarithms, or a smaller `epsilon` in a config"
            )


def _by_units(
    problem: Problem, columns: Sequence[int], fitters: Sequence[NamedFitter]
) -> Iterator[str]:
    """Say so where the unit of an input decides, as it is not rescaled."""
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


def _hidden(problem: Problem, column: int, epsilon: float) -> float:
    """How much nearer classes are in an input, between 0 and 1, with so much added to variances.

    That is the mean over pairs of rows of two classes of how far these are apart, see `_apart`.
    """
    values = [each for each in _by_class(problem, column) if len(each) > 1]
    size = np.ptp(np.concatenate(values)) if len(values) > 1 else 0.0
    if not size > 0:
        return 0.0
    means = np.array([each.mean() for each in values]) / size
    variances = np.array([np.var(each / size) for each in values])
    n = np.array([len(each) for each in values], dtype=np.float64)
    weights = np.outer(n, n) * (1 - np.eye(len(n)))
    lost = _apart(means, variances + ALMOST_NONE) - _apart(means, variances + epsilon)
    return float(np.sum(weights * lost) / np.sum(weights))


def _apart(means: FloatArray, variances: FloatArray) -> FloatArray:
    """How far K classes are apart, 1 at most; shape (K, K).

    Bhattacharyya's distance of normal laws, from their means (K,) and variances (K,), see Kailath
    (1967), "The Divergence and Bhattacharyya Distance Measures in Signal Selection".
    """
    both = variances[:, None] + variances
    distance = (means[:, None] - means) ** 2 / (4 * both)
    distance += np.log(both / (2 * np.sqrt(np.outer(variances, variances)))) / 2
    return np.minimum(distance, 1.0)


def _within(problem: Problem, column: int) -> float:
    """Mean over the rows of the variance of an input in a row's class, where values are known."""
    values = [each for each in _by_class(problem, column) if len(each)]
    squares = sum(float(np.sum((each - each.mean()) ** 2)) for each in values)
    return squares / max(sum(map(len, values)), 1)


def _by_class(problem: Problem, column: int) -> list[FloatArray]:
    """Known values of an input in the rows of each class."""
    x = problem.x[:, column]
    return [x[(problem.y == label) & ~np.isnan(x)] for label in range(len(problem.classes))]


def _listed(epsilons: Mapping[str, float]) -> str:
    return ", ".join(f"epsilon {epsilon:g} of {name}" for name, epsilon in epsilons.items())
