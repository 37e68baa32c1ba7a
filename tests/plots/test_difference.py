"""The figure of paired differences: numbers of comparisons.csv, zero, and axes with both signs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pictures import assert_legible, drawn_line, legend_labels, make_run, panel, render_whole

from gdcurves.plots import FIGURES, render
from gdcurves.plots.axes import automatic
from gdcurves.plots.sheet import Sheet
from gdcurves.store.files import Run

NAMES = ("pima", "sonar")
FITTERS = ("naive_bayes", "penalised_logistic", "majority")


def comparisons(interval: str = "jackknife") -> pd.DataFrame:
    rows = [
        (name, measure, a, b, m, 0.05 - m / 300 + i / 50, m / 500, interval)
        for name in NAMES
        for measure in ("error", "auc")
        for i, (a, b) in enumerate([FITTERS[:2], FITTERS[::2], FITTERS[1:]])
        for m in (2, 5, 23)
    ]
    columns = ["experiment", "measure", "fitter_a", "fitter_b", "m", "difference"]
    table = pd.DataFrame(rows, columns=[*columns, "half", "interval"])
    return table.assign(low=table.difference - table.half, high=table.difference + table.half)


def run_of(folder: Path) -> Run:
    run = make_run(folder, NAMES, fitters=FITTERS, figure="difference")
    run.manifest["config"] |= {"fitters": [{"name": name, "type": name} for name in FITTERS]}
    return replace(run, comparisons=comparisons())


def sheet_of(run: Run) -> Sheet:
    (sheet,) = FIGURES["difference"](run)
    return sheet


def test_curves_are_the_differences_of_classifiers_that_look_at_the_inputs(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    sheet = sheet_of(run)
    assert sheet.stem == "figure_difference"
    table = comparisons()
    wanted = table[(table.experiment == "sonar") & (table.measure == "error")][:3]
    (curve,) = sheet.panels[1].curves
    assert curve.band is not None
    for drawn, column in zip(
        (curve.m, curve.y, *curve.band), ("m", "difference", "low", "high"), strict=True
    ):
        np.testing.assert_array_equal(drawn, wanted[column])
    with render.settings():
        figure = render_whole(sheet)
        assert_legible(figure)
        label = "naive Bayes less logistic regression with a penalty"
        line = drawn_line(panel(figure, "sonar"), label)
        np.testing.assert_array_equal(line.get_ydata(), wanted["difference"])
        zero = drawn_line(panel(figure, "sonar"), "no difference")
        assert set(zero.get_ydata()) == {0.0}
        labels = legend_labels(figure)
    assert label in labels
    assert labels[-1].endswith("; band: 95 % interval for other data of this kind")


def test_where_everyone_guesses_or_nothing_is_compared(tmp_path: Path) -> None:
    table = comparisons("nadeau_bengio")
    guessed = table[table.fitter_b == "majority"]
    sheet = sheet_of(replace(run_of(tmp_path), comparisons=guessed))
    assert len(sheet.panels[0].curves) == 2
    assert sheet.band.endswith("(Nadeau & Bengio)")
    nothing = sheet_of(replace(run_of(tmp_path), comparisons=None))
    assert [each.curves for each in nothing.panels] == [(), ()]
    assert nothing.panels[0].note == "done: nothing is compared"
    assert nothing.band == ""


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([-0.07, 0.04], ["-0.08", "-0.06", "-0.04", "-0.02", "0.00", "0.02", "0.04"]),
        ([0.0, 0.3], ["0.00", "0.05", "0.10", "0.15", "0.20", "0.25", "0.30"]),
    ],
)
def test_ticks_on_both_sides_of_zero(values: list[float], labels: list[str]) -> None:
    axis = automatic(np.array(values), 6, -np.inf)
    assert axis.labels == [each.replace("-", "\N{MINUS SIGN}") for each in labels]
    assert len(axis.ticks) == len(labels)
