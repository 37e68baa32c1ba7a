"""The theory of a plan's experiments, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gdcurves.errors import UserError
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.plan.experiment import Experiment
from gdcurves.plan.plan import Plan
from gdcurves.problems.problem import Problem
from gdcurves.problems.series import Series, fingerprint
from gdcurves.theory import of_data
from gdcurves.theory.asked import Asked
from gdcurves.theory.columns import COLUMNS
from gdcurves.theory.of_law import OfLaw

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Theory:
    """What is known.

    Attributes
    ----------
    table
        As in theory.csv.
    without
        Why some quantities are not in it, by experiment and what they are of.
    guessing
        Error of always answering the largest class, by experiment.
    delta
        Probability with which bounds may fail.
    """

    table: pd.DataFrame
    without: Mapping[str, str]
    guessing: Mapping[str, float]
    delta: float


def of_plan(plan: Plan, problems: Mapping[str, Problem | Series], asked: Asked) -> Theory:
    """The theory of all experiments of a plan that are drawn from a law, or have `problems`.

    Columns: experiment, quantity, fitter, n (features), argument, value, accuracy (of the value, by
    its size), and law, the fingerprint that the manifest of a run has too. The argument is the
    class of alpha (1 and 2), tau of G, epsilon1 of Lemma 3, m of Theorem 4's bound, which is empty
    where the theorem promises nothing, and epsilon0 of Proposition 2's; the others have none.
    """
    rows: list[dict[str, Any]] = []
    without: dict[str, str] = {}
    guessing: dict[str, float] = {}
    for experiment in plan.experiments:
        try:
            if experiment.simulation is not None:
                one = OfLaw.of(experiment, asked)
                own = list(one.rows(without))
                law = fingerprint(experiment.simulation)
                guessing[experiment.name] = float(one.shares.min())
            elif isinstance(problem := problems.get(experiment.name), Problem):
                own = list(_of_data(experiment, problem, asked))
                law = problem.provenance.sha256
                guessing[experiment.name] = float(np.bincount(problem.y).min() / len(problem.y))
            else:
                continue
        except UserError as error:
            without[experiment.name] = str(error)
            continue
        rows += [{**row, "law": law} for row in own]
    return _theory(rows, without, guessing, asked)


def of_problem(problem: Problem, asked: Asked) -> Theory:
    """Compute alpha and G on data, by the paper's naive Bayes; raises UserError."""
    own = of_data.rows(problem, "naive_bayes", NaiveBayes(), np.array(asked.tau))
    rows = [{**row, "law": problem.provenance.sha256} for row in own]
    guessing = float(np.bincount(problem.y).min() / len(problem.y))
    return _theory(rows, {}, {problem.name: guessing}, asked)


def _of_data(experiment: Experiment, problem: Problem, asked: Asked) -> Iterator[dict[str, Any]]:
    known = {
        each.name: each.fitter for each in experiment.fitters if isinstance(each.fitter, NaiveBayes)
    }
    for name, fitter in (known or {"naive_bayes": NaiveBayes()}).items():
        yield from of_data.rows(problem, name, fitter, np.array(asked.tau))


def _theory(
    rows: list[dict[str, Any]],
    without: Mapping[str, str],
    guessing: Mapping[str, float],
    asked: Asked,
) -> Theory:
    import pandas as pd

    table = pd.DataFrame(rows, columns=list(COLUMNS))
    # Whole numbers stay whole ones beside others.
    values = pd.Series([row["value"] for row in rows], dtype=object)
    arguments = pd.Series([row["argument"] for row in rows], dtype=object)
    return Theory(table.assign(value=values, argument=arguments), without, guessing, asked.delta)
