"""The limits of a plan's curves, as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.errors import MisfitError, UserError
from gdcurves.fitters.batch import LinearFit
from gdcurves.fitters.maps import LINEAR
from gdcurves.limits.best_linear import against_first_levels, best_linear
from gdcurves.limits.columns import COLUMNS
from gdcurves.limits.populations import Exact, populations
from gdcurves.limits.risk import Risk
from gdcurves.plan.experiment import Experiment
from gdcurves.plan.plan import Plan
from gdcurves.problems.series import Series, fingerprint

if TYPE_CHECKING:
    import pandas as pd

BAYES = "bayes"
BEST_LINEAR = "best_linear"
MOST_WEIGHTS = 2000  # of a rule, for which there are columns


def table(plan: Plan) -> tuple[pd.DataFrame, dict[str, str]]:
    """Limits of every simulated experiment and fitter of a plan, and of the Bayes rules.

    Columns: experiment, fitter ("bayes" for the Bayes rule), error, logloss (nats per row), their
    accuracy `_se` (numerical error of integrals and sums; standard error of quasi-Monte Carlo),
    method, law, which is the fingerprint that the manifest of a run has too, theta0, theta1, ... of
    hybrids, and weight0, weight1, ... of linear rules for two classes: of the score of the second
    against the first, the intercept, then a weight for each continuous input and each level of a
    discrete one but the first.

    Returns the table, and why some limits are not in it, by "experiment, fitter". Raises UserError
    for what a run of the plan would refuse.
    """
    return _table(plan, _rules)


def complete(plan: Plan) -> tuple[pd.DataFrame, dict[str, str]]:
    """As `table`, with the least error of any linear rule in rows `best_linear`.

    By how much it may be less than what was found is in the column `gap`.
    """
    return _table(plan, _rules_and_best)


Rows = list[tuple[str, dict[str, object]]]
Making = Callable[[Experiment, Sequence[Exact], dict[str, str]], Rows]


def _table(plan: Plan, made: Making) -> tuple[pd.DataFrame, dict[str, str]]:
    import pandas as pd

    rows: list[dict[str, object]] = []
    without: dict[str, str] = {}
    for experiment in plan.experiments:
        if experiment.simulation is None:
            without[experiment.name] = "its data are no draws from a known law"
            continue
        try:
            experiment.check_problem(Series(experiment.name, experiment.simulation))
        except MisfitError as error:
            raise experiment.placed(error) from None
        try:
            exact = populations(experiment.simulation, experiment.config.stratified)
        except UserError as error:
            without[experiment.name] = str(error)
            continue
        law = fingerprint(experiment.simulation)
        common = {"experiment": experiment.name, "method": exact[0].method, "law": law}
        try:
            known = made(experiment, exact, without)
        except MemoryError:
            at = experiment.document.locate(*experiment.way(("simulate",)))
            raise UserError(
                f"{at}: the law is too large for the memory there is; use fewer features"
            ) from None
        rows += [{**common, "fitter": name, **values} for name, values in known]
    further = dict.fromkeys(name for row in rows for name in row if name not in COLUMNS)
    # Those of one kind side by side, in the order of their numbers.
    ordered = sorted(further, key=lambda name: name.rstrip("0123456789") != "theta")
    return pd.DataFrame(rows, columns=[*COLUMNS, *ordered]), without


def _rules_and_best(
    experiment: Experiment, exact: Sequence[Exact], without: dict[str, str]
) -> Rows:
    rules = _rules(experiment, exact, without)
    if len(exact[0].statistics.n[0]) > 2:
        return rules
    try:
        best = best_linear(exact[0])
    except UserError as error:
        without[f"{experiment.name}, {BEST_LINEAR}"] = str(error)
        return rules
    nothing = {"logloss": np.nan, "logloss_se": np.nan}
    values = {"error": best.error, "error_se": best.gap, **nothing, "method": best.method}
    return [*rules, (BEST_LINEAR, {**values, **_weights(best.weights), "gap": best.gap})]


def _weights(weights: FloatArray) -> dict[str, object]:
    """Columns of weights (q',), unless there would be too many."""
    few = weights if len(weights) <= MOST_WEIGHTS else weights[:0]
    return {f"weight{i}": float(value) for i, value in enumerate(few)}


def _rules(experiment: Experiment, exact: Sequence[Exact], without: dict[str, str]) -> Rows:
    rules: Rows = [(BAYES, _mean([each.bayes() for each in exact]))]
    for named in experiment.fitters:
        try:
            fits = [named.fitter.population(each) for each in exact]
            risks = _mean([each.risk(fit) for each, fit in zip(exact, fits, strict=True)])
        except (UserError, ArithmeticError) as error:  # classes may be too far apart to compute
            without[f"{experiment.name}, {named.name}"] = str(error)
            continue
        if any(fit.rules.gives != "probabilities" for fit in fits):
            risks |= {"logloss": np.nan, "logloss_se": np.nan}
        thetas = [each[0] for each in (fit.diagnostics.theta for fit in fits) if each is not None]
        if len(thetas) == len(fits):
            mean = np.mean(thetas, axis=0)
            risks |= {f"theta{i}": float(value) for i, value in enumerate(mean)}
        rules.append((named.name, risks | _weights_of(fits, exact)))
    return rules


def _weights_of(fits: Sequence[LinearFit], exact: Sequence[Exact]) -> dict[str, object]:
    """Columns of the weights of a linear rule for two classes, if it is one and finite."""
    rules, layout = fits[0].rules, exact[0].statistics.layout
    known = len(fits) == 1 and rules.direction is None and rules.feature_map is LINEAR
    if not known or rules.weights.shape[2] > 1:
        return {}
    return _weights(against_first_levels(rules.weights[0, 0, 0], layout))


def _mean(risks: list[Risk]) -> dict[str, object]:
    """Mean of risks and its accuracy."""
    values = np.array([(each.error, each.logloss) for each in risks])
    if len(risks) == 1:
        accuracy = np.array([risks[0].error_accuracy, risks[0].logloss_accuracy])
    else:
        accuracy = values.std(axis=0, ddof=1) / np.sqrt(len(risks))
    error, logloss = values.mean(axis=0)
    return {
        "error": error,
        "error_se": accuracy[0],
        "logloss": logloss,
        "logloss_se": accuracy[1],
    }
