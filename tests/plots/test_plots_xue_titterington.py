"""Figures 1 to 4 of Xue & Titterington: R's numbers drawn with their limits."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pictures import assert_legible, drawn_line, legend_labels, panel, render_whole, words

from gdcurves.plots import FIGURES, draw, render
from gdcurves.plots.sheet import Panel, Sheet
from gdcurves.plots.styles import KNOWN
from gdcurves.store.files import Run

SIZES = range(100, 401, 25)
FITTERS = {
    "NB": "naive_bayes",
    "LR": "logistic_regression",
    "HYB": "hybrid",
    "LDA": "naive_bayes_shared",
    "HYBLDA": "hybrid_shared",
}
TWELVE = [f"{law}_{kind}" for law in ("ce", "cu", "be", "bu") for kind in ("diag", "block", "full")]
ONCE = {"draw": "once", "rows": 1000}


def make_run(
    folder: Path,
    curves: pd.DataFrame,
    limits: pd.DataFrame | None = None,
    *,
    names: Sequence[str] = (),
    simulate: object = ONCE,
    figure: str = "xue_titterington",
) -> Run:
    """A complete run of the experiments in `curves`, or of these names."""
    names = names or list(curves["experiment"].unique())
    manifest = {
        "name": "a_run",
        "status": "complete",
        "config": {
            "figure": figure,
            "splits": 400,
            "experiments": [{"name": name, "simulate": simulate} for name in names],
        },
        "experiments": {
            name: {
                "status": "done",
                "reason": None,
                "sha256": f"law of {name}",
                "splits": 400,
                "splits_done": 400,
            }
            for name in names
        },
    }
    return Run(folder, manifest, curves, limits)


def made_up(names: Sequence[str] = TWELVE) -> pd.DataFrame:
    """Smooth curves; naive Bayes and hybrid with shared variances on continuous inputs only."""
    rows = [
        {
            "experiment": name,
            "fitter": fitter,
            "m": m,
            "n_train": m // 2 * 2,
            "n_splits": 400,
            "n_test": 1000 - m // 2 * 2,
            "error_mean": 0.06 + 0.01 * i + 1 / m,
            "error_se": 0.0004,
            "error_median": 0.06 + 0.01 * i + 1 / m,
            "logloss_sum_median": (0.15 + 0.02 * i + 3 / m) * (1000 - m // 2 * 2),
        }
        for name in names
        for i, fitter in enumerate(FITTERS.values())
        if not (name.startswith("b") and fitter.endswith("shared"))
        for m in SIZES
    ]
    return pd.DataFrame(rows)


def limits_of(values: Mapping[tuple[str, str], tuple[float, float]]) -> pd.DataFrame:
    """limits.csv from error and log loss of experiments and fitters."""
    rows = [(*key, *value, f"law of {key[0]}") for key, value in values.items()]
    return pd.DataFrame(rows, columns=["experiment", "fitter", "error", "logloss", "law"])


def sheets(run: Run) -> dict[str, Sheet]:
    return {sheet.stem: sheet for sheet in FIGURES[run.manifest["config"]["figure"]](run)}


def shown(sheet: Sheet, experiment: str) -> tuple[Panel, Panel]:
    error, loss = [each for each in sheet.panels if each.experiment == experiment]
    return error, loss


@pytest.fixture(autouse=True)
def own_settings() -> Iterator[None]:
    with render.settings():
        yield


@pytest.fixture(scope="module")
def from_r(shared: Path) -> tuple[pd.DataFrame, dict[tuple[str, str], tuple[float, float]]]:
    """R's medians on one data set of each law, and R's population values."""
    table = pd.read_csv(shared / "reference" / "table1_one_dataset.csv")
    columns = {
        "setting": "experiment",
        "replicates": "n_splits",
        "median_ER": "error_median",
        "median_LL": "logloss_sum_median",
        "mean_ER": "error_mean",
        "mean_ER_se": "error_se",
    }
    curves = table.rename(columns=columns).assign(fitter=table["method"].map(FITTERS))
    with (shared / "reference" / "population.csv").open(encoding="utf-8") as file:
        values = {
            (row["setting"], {**FITTERS, "BAYES": "bayes"}[row["method"]]): (
                float(row["ER"]),
                float(row["LL_per_obs"]),
            )
            for row in csv.DictReader(file)
        }
    return curves, values


@pytest.mark.slow
def test_lines_are_the_medians_and_limits_the_population_values(
    tmp_path: Path, from_r: tuple[pd.DataFrame, dict[tuple[str, str], tuple[float, float]]]
) -> None:
    curves, values = from_r
    pages = sheets(make_run(tmp_path, curves, limits_of(values)))
    assert list(pages) == ["figure1", "figure2", "figure3", "figure4"]
    seen = 0
    for page in pages.values():
        drawn = render_whole(page)
        for experiment in {each.experiment for each in page.panels}:
            own = curves[curves["experiment"] == experiment]
            error, loss = (panel(drawn, each.title) for each in shown(page, experiment))
            assert (error.get_ylabel(), loss.get_ylabel()) == ("median ER", "median LL")
            for fitter, rows in own.groupby("fitter"):
                for axes, column in ((error, "error_median"), (loss, "logloss_sum_median")):
                    line = drawn_line(axes, KNOWN[fitter][0])
                    np.testing.assert_array_equal(line.get_xdata(), SIZES)
                    np.testing.assert_array_equal(line.get_ydata(), rows[column])
                colour = KNOWN[fitter][1].colour
                if (experiment, fitter) not in values:  # the hybrid with shared variances
                    assert not [each for each in limit_lines(error) if each.get_color() == colour]
                    continue
                er, ll = values[experiment, fitter]
                for axes, expected in (
                    (error, np.full(len(SIZES), er)),
                    (loss, [ll * (1000 - 2 * (m // 2)) for m in SIZES]),
                ):
                    (line,) = [each for each in limit_lines(axes) if each.get_color() == colour]
                    np.testing.assert_array_equal(line.get_xdata(), SIZES)
                    np.testing.assert_allclose(line.get_ydata(), expected, rtol=1e-12)
                    assert axes.get_ylim()[0] < min(expected)
                    seen += 1
            bayes = drawn_line(error, "Bayes rule")
            np.testing.assert_array_equal(bayes.get_ydata(), values[experiment, "bayes"][0])
            assert error.get_xlim() == loss.get_xlim() == (100, 400)
    assert seen == 2 * (4 * 4 + 4 * 3)


def limit_lines(axes: Any) -> list[Any]:
    return [line for line in axes.lines if line.get_label().startswith("limit for m")]


@pytest.mark.slow
def test_pages_are_the_papers_with_three_rows_of_two_panels(tmp_path: Path) -> None:
    pages = sheets(make_run(tmp_path, made_up(TWELVE[::-1])))
    assert list(pages) == ["figure1", "figure2", "figure3", "figure4"]
    laws = ("normally distributed data with equal", "unequal", "Bernoulli data with equal", "un")
    for i, (page, words_of_it) in enumerate(zip(pages.values(), laws, strict=True)):
        assert [each.experiment for each in page.panels[::2]] == TWELVE[3 * i : 3 * i + 3]
        assert [each.experiment for each in page.panels[1::2]] == TWELVE[3 * i : 3 * i + 3]
        assert words_of_it in page.subtitle
    drawn = render_whole(pages["figure4"])
    corners = [axes.get_position().get_points()[0].round(6) for axes in drawn.axes]
    assert len({x for x, _ in corners}) == 2
    assert len({y for _, y in corners}) == 3
    assert corners == sorted(corners, key=lambda corner: (-corner[1], corner[0]))


@pytest.mark.slow
def test_only_figures_with_an_experiment_and_one_more_for_the_others(tmp_path: Path) -> None:
    run = make_run(tmp_path, made_up(["mine", "bu_full", "yours"]))
    pages = sheets(run)
    assert list(pages) == ["figure4", "figure_more"]
    assert [p.experiment for p in pages["figure4"].panels] == ["bu_full"] * 2
    assert [p.experiment for p in pages["figure_more"].panels] == ["mine"] * 2 + ["yours"] * 2
    paths = [tmp_path / f"{stem}.{kind}" for stem in pages for kind in ("png", "pdf")]
    assert draw(run) == paths
    assert set(tmp_path.iterdir()) == set(paths)


@pytest.mark.slow
def test_limits_of_another_law_or_of_no_known_law_are_left_out(tmp_path: Path) -> None:
    values = {
        (name, fitter): (0.05, 0.1)
        for name in ("ce_diag", "ce_full")
        for fitter in ("bayes", "naive_bayes")
    }
    limits = limits_of(values)
    limits.loc[limits["experiment"] == "ce_full", "law"] = "an earlier law"
    run = make_run(tmp_path, made_up(["ce_diag", "ce_full"]), limits)
    page = sheets(run)["figure1"]
    assert [len(each.asymptotes) for each in page.panels] == [2, 2, 0, 0]
    assert "limits.csv" in words(render_whole(page))
    del run.manifest["experiments"]["ce_diag"]["sha256"]
    page = sheets(run)["figure1"]
    assert not any(each.asymptotes for each in page.panels)
    assert "limits.csv" not in words(render_whole(page))


@pytest.mark.slow
def test_limits_are_those_of_the_fitters_in_the_panel(tmp_path: Path) -> None:
    limits = limits_of({("ce_diag", fitter): (0.05, 0.1) for fitter in [*KNOWN, "bayes"]})
    curves = made_up(["ce_diag"])
    curves = curves[curves["fitter"] != "hybrid"]
    page = sheets(make_run(tmp_path, curves, limits))["figure1"]
    assert [len(each.asymptotes) for each in page.panels] == [5, 5]
    assert legend_labels(render_whole(page))[-2:] == [
        "Bayes rule",
        "limit for m → ∞, in its curve's colour",
    ]
    unfinished = made_up(["ce_diag"])[:0]
    page = sheets(make_run(tmp_path, unfinished, limits, names=["ce_diag"]))["figure1"]
    assert not any(each.asymptotes for each in page.panels)


@pytest.mark.slow
def test_learning_curves_show_the_limits_of_the_error(tmp_path: Path) -> None:
    limits = limits_of({("be_diag", "bayes"): (0.05, 0.4), ("be_diag", "hybrid"): (0.055, 0.41)})
    run = make_run(tmp_path, made_up(["be_diag"]), limits, figure="learning_curves")
    (axes,) = render_whole(sheets(run)["figure"]).axes
    np.testing.assert_array_equal(drawn_line(axes, "Bayes rule").get_ydata(), 0.05)
    (line,) = limit_lines(axes)
    np.testing.assert_array_equal(line.get_ydata(), 0.055)
    assert axes.get_ylabel() == "test error"


@pytest.mark.slow
def test_an_infinite_median_is_a_gap_and_is_named(tmp_path: Path) -> None:
    curves = made_up(["cu_diag", "cu_full"])
    infinite = (curves["fitter"] == "logistic_regression") & (curves["m"] <= 125)
    infinite &= curves["experiment"] == "cu_full"
    curves.loc[infinite, "logloss_sum_median"] = np.inf
    page = sheets(make_run(tmp_path, curves))["figure2"]
    _, loss = shown(page, "cu_full")
    (curve,) = [each for each in loss.curves if each.label == "logistic regression"]
    np.testing.assert_array_equal(np.isnan(curve.y), np.array(SIZES) <= 125)
    drawn = render_whole(page)
    assert all(np.isfinite(axes.get_ylim()).all() for axes in drawn.axes)
    assert "logistic regression in cu_full, m = 100, 125." in words(drawn)
    assert "cu_diag, m" not in words(drawn)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("simulate", "text"),
    [
        (ONCE, "medians over 400 random splits of one data set of 1000 rows."),
        ({"draw": "each", "rows": [300, 700]}, "medians over 400 data sets of 1000 rows, each"),
        ({"draw": "once"}, "medians over 400 random splits of one data set."),
        (None, "medians over 400 random splits."),
        ("ce_diag", "medians over 400 random splits."),
    ],
)
def test_the_page_says_what_the_medians_are_over(
    tmp_path: Path, simulate: object, text: str
) -> None:
    run = make_run(tmp_path, made_up(["ce_diag"]), simulate=simulate)
    said = words(render_whole(sheets(run)["figure1"]))
    assert text in said
    assert "No bands" in said
    assert "m less one where m is odd" in said
    run.curves.loc[run.curves["m"] == 200, "n_splits"] = 2000
    run.curves["n_train"] = run.curves["m"]
    said = words(render_whole(sheets(run)["figure1"]))
    assert "medians over 400 to 2000" in said
    assert "m less one" not in said


LONG = "a_law_that_somebody_has_given_the_longest_name_that_is_allowed"


@pytest.mark.slow
@pytest.mark.parametrize("case", ["all", "failed", "long", "one size"])
def test_no_text_is_cut_off_or_overlaps_and_all_is_legible(tmp_path: Path, case: str) -> None:
    names = ["cu_diag", "cu_block", "cu_full"] if case != "long" else [LONG, "x"]
    curves = made_up(names)
    curves.loc[curves["m"] == 100, "logloss_sum_median"] = np.inf
    limits = limits_of({(n, f): (0.07, 0.2) for n in names for f in [*KNOWN, "bayes"]})
    if case == "one size":
        curves = curves[curves["m"] == 200]
    run = make_run(tmp_path, curves, limits)
    if case == "failed":
        run.manifest["status"] = "failed"
        run.manifest["experiments"]["cu_block"].update(status="failed", reason="no disk " * 40)
        run = replace(run, curves=curves[curves["experiment"] != "cu_block"])
    (page,) = sheets(run).values()
    drawn = render_whole(page)
    assert_legible(drawn)
    if case == "failed":
        assert "Not drawn: cu_block (failed)." in words(drawn)
