"""The summary of a run in narrow and wide terminals."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from gdcurves import report
from gdcurves.store.files import Run

NAN = float("nan")


def entry(**changes: object) -> dict[str, object]:
    return {
        "status": "done",
        "reason": None,
        "data": "adult",
        "rows_read": 32_561,
        "origin": "packaged",
        "source": "packaged (orange 2.7.8)",
        "rows_used": 30_162,
        "rows_missing": 2_399,
        "rows_other_class": 0,
        **changes,
    }


def row(experiment: str, fitter: str, m: int, error: float, se: float, separable: float = NAN):
    return {
        "experiment": experiment,
        "fitter": fitter,
        "m": m,
        "n_splits": 1 if math.isnan(se) else 1000,
        "n_test": 100.0,
        "error_mean": error,
        "error_se": se,
        "separable": separable,
        "undecided": 0.0 if fitter == "logistic_regression" else NAN,
    }


def run(*more: dict[str, object]) -> Run:
    why = "splits 0 to 99 at m = 2: ValueError: no such thing (x.py:3, in f)"
    experiments = {
        "adult-continuous": entry(),
        "lymphography": entry(
            data="lymph", rows_read=148, rows_used=142, rows_missing=0, rows_other_class=6
        ),
        "sick": entry(status="skipped", reason="sick: nobody answers"),
        "sonar": entry(status="failed", reason=why),
    }
    curves = [
        row("adult-continuous", "naive_bayes", 2, 0.5, 0.1),
        row("adult-continuous", "naive_bayes", 30, 0.2424, 0.0031),
        row("adult-continuous", "logistic_regression", 2, 0.4, 0.1, 1.0),
        row("adult-continuous", "logistic_regression", 30, 0.31, 0.0054, 0.125),
        row("adult-continuous", "nearest_centroid", 30, 0.28, 0.002),
        row("lymphography", "naive_bayes", 135, 0.16, 0.01),
        row("lymphography", "logistic_regression", 135, 0.19, 0.02, 0.0),
        *more,
    ]
    manifest = {
        "name": "ng_jordan",
        "warnings": {"RuntimeWarning: overflow (newton.py:7)": 1234, "UserWarning: no (a.py:1)": 2},
        "seconds": 125.4,
        "config": {"figure": "learning_curves", "splits": 1000},
        "experiments": experiments,
    }
    return Run(Path("results/ng_jordan"), manifest, pd.DataFrame(curves))


def lines(of: Run, width: int) -> list[str]:
    stream = io.StringIO()
    console = Console(file=stream, width=width, highlight=False)
    console.print(report.summary(of, width), crop=False)
    return [line.rstrip() for line in stream.getvalue().splitlines()]


@pytest.mark.parametrize("width", [80, 160])
def test_summary(width):
    shown = lines(run(), width)
    of_sonar = run().manifest["experiments"]["sonar"]["reason"]
    assert max(map(len, shown)) <= width
    assert shown[0] == "ng_jordan: 2 of 4 experiments done in 0:02:05; splits at every m: 1,000"
    words = [" ".join(line.split()) for line in shown]
    assert "adult-continuous 30,162 2,399 0 packaged (orange 2.7.8)" in words
    assert "lymphography 142 0 6 packaged (orange 2.7.8)" in words
    # Twice the standard error; the share of separable training sets where a fitter tells it.
    assert "adult-continuous 30 0.242 ± 0.006 0.310 ± 0.011 0.280 ± 0.004 12%" in words
    assert "lymphography 135 0.160 ± 0.020 0.190 ± 0.040 0%" in words
    text = " ".join(shown)
    assert "Note: 32,561 of the 48,842 rows of adult; for all of them: --source openml" in text
    assert "rows of lymph;" not in text
    assert "mean over 1,000 splits, plus or minus 2 Monte Carlo standard errors" in text
    assert "Skipped: sick: sick: nobody answers" in shown
    assert f"Failed: sonar: {of_sonar}" in shown
    first, second = [line for line in shown if line.startswith("Warning")]
    assert first == "Warning, 1,234 times: RuntimeWarning: overflow (newton.py:7)"
    assert second == "Warning, 2 times: UserWarning: no (a.py:1)"
    assert shown[-1].startswith("Results: results/ng_jordan (curves.csv, ")


def test_more_fitters_than_fit_side_by_side():
    more = [row("lymphography", f"classifier_number_{i}", 135, i / 10, 0.01) for i in range(4)]
    narrow, wide = lines(run(*more), 80), lines(run(*more), 160)
    assert max(map(len, narrow)) <= 80
    assert sum(line.startswith("experiment") for line in wide) == 2
    assert sum(line.startswith("experiment") for line in narrow) == 4
    for i in range(4):
        assert any(f"{i / 10:.3f} ± 0.020" in line for line in narrow)


def test_commands_stay_one_line_to_copy():
    of = run()
    folder = Path("/data") / ("a long name " * 12).strip()
    shown = lines(Run(folder, of.manifest, of.curves), 80)
    assert shown[-1].startswith(f"Results: {folder} (curves.csv, ")


def test_nothing_done():
    of = run()
    experiments = {
        name: each for name, each in of.manifest["experiments"].items() if name == "sick"
    }
    manifest = {**of.manifest, "experiments": experiments}
    shown = lines(Run(of.folder, manifest, pd.DataFrame()), 80)
    assert shown[0].startswith("ng_jordan: 0 of 1 experiment done")
    assert shown[-1] == "Skipped: sick: sick: nobody answers"


def test_case_18_undecided_training_sets_are_counted_in_one_line() -> None:
    made = run(
        row("adult-continuous", "lr", 2, 0.4, 0.1), row("adult-continuous", "lr", 30, 0.3, 0.1)
    )
    counted = made.curves.assign(
        undecided=np.where(made.curves["fitter"] == "lr", 0.25, made.curves["undecided"])
    )
    config = made.manifest["config"] | {"fitters": [{"name": "lr", "type": "logistic_regression"}]}
    known = replace(made, curves=counted, manifest=made.manifest | {"config": config})
    said = " ".join(" ".join(lines(known, 120)).split())
    assert said.count("Undecided:") == 1
    assert "Undecided: 500 of 2,000 training sets of adult-continuous, lr" in said
    assert not any("Undecided" in line for line in lines(made, 120))


@pytest.mark.parametrize(("share", "explained"), [(0.04, False), (0.05, True), (1.0, True)])
def test_what_is_fitted_to_separable_classes_is_said_where_they_are_no_rare_case(
    share: float, explained: bool
) -> None:
    some = run()
    curves = some.curves.assign(separable=share)
    said = " ".join(" ".join(lines(replace(some, curves=curves), 80)).split())
    assert ("the rule is drawn at random from all that separate" in said) is explained


def test_without_a_fitter_that_looks_for_hyperplanes_nothing_is_said_of_them() -> None:
    some = run()
    curves = some.curves.assign(separable=NAN)
    said = " ".join(lines(replace(some, curves=curves), 80))
    assert "eparable" not in said


def test_an_error_bar_that_rounds_to_nothing() -> None:
    shown = lines(run(row("lymphography", "lda", 135, 0.5, 1e-5)), 160)
    assert any("0.500 ± <.001" in line for line in shown)


def own(classes: dict[str, int], *fitters: tuple[str, str, float]) -> Run:
    """A run of one experiment with classifiers of these names, types and errors."""
    of = run()
    curves = [
        {**row("mine", name, 90, error, 0.001), "auc_mean": 1 - error, "auc_se": 0.002}
        for name, _, error in fitters
    ]
    config = {
        **of.manifest["config"],
        "measures": ["error", "auc"],
        "fitters": [{"type": each, "name": name, "inputs": None} for name, each, _ in fitters],
    }
    experiments = {"mine": entry(classes=classes)}
    manifest = {**of.manifest, "config": config, "experiments": experiments}
    return Run(of.folder, manifest, pd.DataFrame(curves))


@pytest.mark.parametrize("width", [60, 80, 150])
def test_error_auc_and_base_rate_of_every_classifier(width: int) -> None:
    fitters = [("nb", "naive_bayes", 0.31), ("lr", "logistic_regression", 0.25)]
    by_share = lines(own({"no": 70, "yes": 30}, *fitters), width)
    one_line = ("Warning", "Results:", "ng_jordan:")  # to be copied from the terminal
    assert all(len(each) <= width for each in by_share if not each.startswith(one_line))
    words = [" ".join(line.split()) for line in by_share]
    assert "nb 0.310 ± 0.002 0.690 ± 0.004" in words
    assert "lr 0.250 ± 0.002 0.750 ± 0.004" in words
    assert "base rate 0.300" in words
    text = " ".join(words)
    assert "Error and AUC on the test rows at the largest m, 90: mean over 1,000 splits" in text
    assert "Gaussian, a variance for each input, shared by the classes" in text
    assert "Base rate: the error of always answering the largest class of the data." in text
    assert "mine: nb: no less error than always answering the largest class, 0.300." in text
    # Who answers the largest class of the training rows errs more often on the rows that are left.
    guess = ("guess", "majority", 0.56)
    noise = [("nb", "naive_bayes", 0.52), ("lr", "logistic_regression", 0.51)]
    text = " ".join(" ".join(lines(own({"no": 50, "yes": 50}, *noise, guess), width)).split())
    assert "guess 0.560 ± 0.002 0.440 ± 0.004 base rate 0.500 Base rate:" in text
    assert "guess errs more often, as the class that is larger among the training rows" in text
    assert "mine: no classifier has less error than always answering the largest class: 0.500." in (
        text
    )


def test_base_rates_of_several_experiments() -> None:
    of = run()
    experiments = of.manifest["experiments"]
    experiments["adult-continuous"]["classes"] = {"low": 30, "high": 10}
    experiments["lymphography"]["classes"] = {"a": 50, "b": 30, "c": 20}
    words = [" ".join(line.split()) for line in lines(of, 160)]
    assert "adult-continuous 30 0.242 ± 0.006 0.310 ± 0.011 0.280 ± 0.004 12% 0.250" in words
    assert "lymphography 135 0.160 ± 0.020 0.190 ± 0.040 0% 0.500" in words
    said = [line for line in words if "no less error" in line]
    assert said == [
        "adult-continuous: logistic_regression, nearest_centroid: no less error than always"
        " answering the largest class, 0.250."
    ]
