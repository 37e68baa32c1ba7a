"""A law that the package does not have: both kinds of features, none below zero, no limits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import quiet
from others import Waits
from scipy import stats

from gdcurves import config, plan
from gdcurves.fitters import Needs
from gdcurves.limits.table import table
from gdcurves.plan import needs
from gdcurves.plan.plan import Plan
from gdcurves.problems import series
from gdcurves.problems.problem import Problem
from gdcurves.run import reading
from gdcurves.simulators import LAWS, NAMED, SimulationConfig

SPLITS = 100


@pytest.fixture
def planned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    monkeypatch.setitem(NAMED, "waits", Waits())
    path = tmp_path / "my.yaml"
    path.write_text(
        f"splits: {SPLITS}\nsizes: [100]\nfitters: [{{type: naive_bayes}}]\nexperiments:\n"
        "- {name: once, simulate: {name: waits, rows: [300, 100]}}\n"
        "- {name: each, simulate: {name: waits, rows: [300, 100], draw: each}}\n"
    )
    return plan.make(config.load(path))


def test_keys_of_laws_stand_between_name_and_rows() -> None:
    keys = ["name", *LAWS, "rows", "classes", "n", "test", "draw"]
    assert [*SimulationConfig.model_fields] == keys


def test_problems_have_the_levels_of_the_law(planned: Plan) -> None:
    once, each = planned.experiments
    assert once.simulation is not None
    assert each.simulation is not None
    made = series.build("once", once.simulation, 0)
    assert isinstance(made, Problem)
    assert (made.kinds, made.levels, made.features) == ("all", (0, 3), ("time", "colour"))
    assert made.provenance.data == "waits"
    drawn = series.build("each", each.simulation, 0)
    assert (drawn.levels, drawn.features) == ((0, 3), ("time", "colour"))
    for problem in (made, drawn):
        needs.check("f", Needs(non_negative=True), "e", problem, (10,), False)


def test_a_run_comes_near_the_bayes_rule_from_above(planned: Plan, tmp_path: Path) -> None:
    """Naive Bayes takes the times for normal, which costs a little."""
    assert not quiet.run(planned, tmp_path / "results", "waits").failed
    law = Waits()
    time = np.linspace(0, 60, 6001)
    times = [stats.expon(scale=mean).pdf(time) for mean in law.means]
    joint = np.array([0.75, 0.25])[:, None, None] * np.einsum("kt,kc->kct", times, law.colours)
    bayes = np.trapezoid(joint.min(axis=0), time).sum()
    curves = reading.read_run(tmp_path / "results").curves.set_index("experiment")
    error, se = curves.loc["each", ["error_mean", "error_se"]]
    assert bayes - 4 * se < error < bayes + 0.02
    assert np.isfinite(curves["logloss_mean"]).all()


def test_its_limits_are_not_known(planned: Plan) -> None:
    rows, without = table(planned)
    assert rows.empty
    assert without == dict.fromkeys(("once", "each"), "limits of such a law are not known")
