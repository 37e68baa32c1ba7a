"""The limits of a plan's curves, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gdcurves.errors import MisfitError, UserError
from gdcurves.limits.columns import COLUMNS
from gdcurves.limits.populations import Exact, populations
from gdcurves.limits.risk import Risk
from gdcurves.plan.experiment import Experiment
from gdcurves.plan.plan import Plan
from gdcurves.problems.series import Series, fingerprint

if TYPE_CHECKING:
    import pandas as pd

BAYES = "bayes"


def table(plan: Plan) -> tuple[pd.DataFrame, dict[str, str]]:
    """Limits of every simulated experiment and fitter of a plan, and of the Bayes rules.

    Columns: experiment, fitter ("bayes" for the Bayes rule), error, logloss (nats per row), their
    accuracy `_se` (numerical error of integrals and sums; standard error of quasi-Monte Carlo),
    method, law, which is the fingerprint that the manifest of a run has too, and theta0, theta1,
    ... of hybrids.

    Returns the table, and why some limits are not in it, by "experiment, fitter". Raises UserError
    for what a run of the plan would refuse.
    """
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
        for name, risks in _rules(experiment, exact, without):
            rows.append(
                {"experiment": experiment.name, "fitter": name, **risks}
                | {"method": exact[0].method, "law": law}
            )
    thetas = {name: None for row in rows for name in row if name not in COLUMNS}
    return pd.DataFrame(rows, columns=[*COLUMNS, *thetas]), without


def _rules(
    experiment: Experiment, exact: Sequence[Exact], without: dict[str, str]
) -> list[tuple[str, dict[str, object]]]:
    rules = [(BAYES, _mean([each.bayes() for each in exact]))]
    for named in experiment.fitters:
        try:
            fits = [named.fitter.population(each) for each in exact]
        except (UserError, ArithmeticError) as error:  # classes may be too far apart to compute
            without[f"{experiment.name}, {named.name}"] = str(error)
            continue
        risks = _mean([each.risk(fit) for each, fit in zip(exact, fits, strict=True)])
        if any(fit.rules.gives != "probabilities" for fit in fits):
            risks |= {"logloss": np.nan, "logloss_se": np.nan}
        thetas = [each[0] for each in (fit.diagnostics.theta for fit in fits) if each is not None]
        if len(thetas) == len(fits):
            mean = np.mean(thetas, axis=0)
            risks |= {f"theta{i}": float(value) for i, value in enumerate(mean)}
        rules.append((named.name, risks))
    return rules


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
