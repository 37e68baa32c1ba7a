"""Figures: their words say what is drawn and what is not, and all is legible."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from matplotlib.text import Text
from pictures import BAND, PAPER, assert_legible, legend_labels, make_run, panel, picture, words

from gdcurves.plots import learning_curves, render
from gdcurves.plots.sheet import Asymptote
from gdcurves.plots.styles import BASE_RATE, KNOWN, styles


@pytest.fixture(autouse=True)
def own_settings() -> Iterator[None]:
    with render.settings():
        yield


@pytest.mark.slow
def test_case_29_the_legend_names_lines_markers_and_what_the_band_is(tmp_path: Path) -> None:
    assert sorted(legend_labels(picture(make_run(tmp_path)))) == sorted(
        [
            "naive Bayes",
            "logistic regression",
            "nearest centroid",
            "published naive Bayes",
            "published logistic regression",
            BAND,
        ]
    )
    # Without continuous panels there is no nearest centroid, without published values no marker.
    assert sorted(legend_labels(picture(make_run(tmp_path, ("sick",))))) == sorted(
        [
            "naive Bayes",
            "logistic regression",
            "published naive Bayes",
            "published logistic regression",
            BAND,
        ]
    )
    assert legend_labels(picture(make_run(tmp_path, ("mine",)))) == [
        "naive Bayes",
        "logistic regression",
        BAND,
    ]


@pytest.mark.slow
def test_experiments_without_curves_keep_their_place_and_are_named(tmp_path: Path) -> None:
    absent = {
        "sick": ("skipped", "no data set 'sick' in the package"),
        "sonar": ("failed", "column V7 has no numbers"),
        "lenses": ("missing", None),
    }
    drawn = picture(make_run(tmp_path, absent=absent, status="failed"))
    assert len(drawn.axes) == 15
    said = words(drawn)
    assert "skipped: no data set 'sick' in the package" in said
    assert "failed: column V7 has no numbers" in said
    assert "not computed yet" in said
    assert "Not drawn: sonar (failed), lenses (missing), sick (skipped)." in said
    assert "partial: 12,000 of 14,000 splits (some experiments failed); 12 of 15 exp" in said
    for name in absent:
        assert not panel(drawn, PAPER[name][0]).lines


@pytest.mark.slow
@pytest.mark.parametrize(
    ("status", "text"),
    [
        ("running", "(not finished)"),
        ("interrupted", "(interrupted)"),
        ("stopped", "(stopped before its end)"),
    ],
)
def test_a_partial_run_says_so(tmp_path: Path, status: str, text: str) -> None:
    run = make_run(tmp_path, ("pima", "boston"), status=status)
    run.curves.loc[run.curves["experiment"] == "boston", "n_splits"] = 312
    said = words(picture(run))
    assert f"partial: 2,000 of 2,000 splits {text}" in said
    assert "means over 312 to 1000 random splits" in said
    assert "Fewer splits so far than the 1000 asked for: boston (312)." in said
    assert "partial" not in words(picture(make_run(tmp_path, ("pima",))))


def test_a_run_without_any_curve_is_drawn_with_its_reasons(tmp_path: Path) -> None:
    absent = {"pima": ("failed", "disk full"), "boston": ("missing", None)}
    run = make_run(tmp_path, tuple(absent), absent=absent, status="interrupted")
    drawn = picture(run)
    assert not drawn.legends
    assert "failed: disk full" in words(drawn)
    just_begun = replace(run, curves=pd.DataFrame())
    assert "not computed yet" in words(picture(just_begun))
    empty = make_run(tmp_path, ("pima",))
    empty.curves["error_mean"] = np.nan
    assert "no values" in words(picture(empty))


@pytest.mark.slow
def test_only_some_experiments_make_a_smaller_grid_in_the_same_order(tmp_path: Path) -> None:
    drawn = picture(make_run(tmp_path, ("voting-records", "mine", "pima", "sonar")))
    assert [axes.get_title(loc="left") for axes in drawn.axes] == [
        "pima (continuous)",
        "sonar (continuous)",
        "voting records (discrete)",
        "mine",
    ]
    full = picture(make_run(tmp_path)).axes[0].get_window_extent()
    assert drawn.axes[0].get_window_extent().width > full.width


def test_names_with_dollars_and_underscores_are_shown_as_they_are(tmp_path: Path) -> None:
    run = make_run(tmp_path, ("a_$x$_b", "b"), fitters=("nb_$eps$",), figure="learning_curves")
    drawn = picture(run)
    assert "a_$x$_b" in words(drawn)
    assert "nb_$eps$" in legend_labels(drawn)
    assert all(not text.get_parse_math() for text in drawn.findobj(Text))


# Looks

LONG = "an experiment with an extremely long name and_one_word_that_has_nowhere_to_break_at_all"
PAPERS: dict[str, Any] = {
    "full": {},
    "partial": {
        "absent": {"sick": ("skipped", "no data " * 60), "pima": ("failed", "no disk")},
        "status": "interrupted",
        "splits": 20,
        "se": 0.05,
    },
    "one": {"names": ("boston",)},
    "two": {"names": ("boston", "lenses")},
    "four": {"names": ("pima", "boston", "lenses", "sonar")},
    "five": {"names": ("pima", "boston", "lenses", "sonar", "sick"), "m": (2, 12345)},
}
GENERIC: dict[str, Any] = {
    "full": {},
    "long": {
        "names": ("pima", LONG, "boston"),
        "fitters": ["naive_bayes", *(f"a fitter with a rather long name {i}" for i in range(7))],
    },
    "small": {"names": ("pima", "boston", "sonar"), "m": (2, 3), "se": 1e-6},
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("figure", "layout"),
    [
        *(pytest.param("ng_jordan", each, id=name) for name, each in PAPERS.items()),
        *(
            pytest.param("learning_curves", each, id=f"own-{name}")
            for name, each in GENERIC.items()
        ),
    ],
)
def test_no_text_is_cut_off_or_overlaps_and_all_is_legible(
    tmp_path: Path, figure: str, layout: dict[str, Any]
) -> None:
    assert_legible(picture(make_run(tmp_path, figure=figure, **layout)))


def test_a_legend_has_rows_of_one_length_and_bands_a_row_of_their_own(tmp_path: Path) -> None:
    run = make_run(tmp_path, ("sick", "pima"), figure="learning_curves")
    (sheet,) = learning_curves.sheets(run)
    curve = sheet.panels[0].curves[0]
    labels = [
        "a curve with a name",
        "one more curve with a name",
        "a bound whose name is long",
        "another bound whose name is long",
    ]
    curves = tuple(replace(curve, label=each) for each in labels)
    limits = [Asymptote(each, BASE_RATE, curve.m, curve.y) for each in ("Bayes rule", "limit")]
    panel = replace(sheet.panels[0], curves=curves, asymptotes=tuple(limits))
    sheet = replace(sheet, panels=(panel,), band=" ".join(["words on bands"] * 8), inside=False)
    figure = render.render(sheet)
    figure.draw_without_rendering()
    texts = [[text.get_text() for text in each.get_texts()] for each in figure.legends]
    rows = [
        dict.fromkeys(round(t.get_window_extent().y0) for t in each.get_texts())
        for each in figure.legends
    ]
    assert texts[0] == [labels[0], labels[2], labels[1], labels[3]]  # column by column
    assert texts[1:] == [["Bayes rule", "limit"], [sheet.band]]
    assert [*map(len, rows)] == [2, 1, 1]


def test_curves_differ_without_colour() -> None:
    def lightness(colour: str) -> float:
        return float(np.dot(to_rgb(colour), (0.2126, 0.7152, 0.0722)))

    looks = [style for _, style in KNOWN.values()]
    for i, one in enumerate(looks):
        for other in looks[i + 1 :]:
            assert one.dashes != other.dashes or (
                abs(lightness(one.colour) - lightness(other.colour)) > 0.3
            )


def test_what_is_compared_on_own_data_differs_in_colour_and_in_grey() -> None:
    """By CIE's L*a*b* of sRGB, whose unit is about what an eye can tell, and its L* alone."""
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]

    def lab(colour: str) -> np.ndarray:
        rgb = np.array(to_rgb(colour))
        linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        x, y, z = np.cbrt(to_xyz @ linear / [0.9505, 1.0, 1.089])
        return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])

    assert lab("#ffffff") == pytest.approx([100, 0, 0], abs=0.1)
    colours = [
        KNOWN[name][1].colour for name in ("naive_bayes", "penalised_logistic", "lda", "qda")
    ]
    for one, other in combinations(map(lab, colours), 2):
        assert np.linalg.norm(one - other) > 40
        assert abs(one[0] - other[0]) > 8


def test_twenty_unknown_fitters_have_twenty_styles() -> None:
    names = [f"fitter {i}" for i in range(20)]
    looks = styles(["naive_bayes", *names, "logistic_regression"])
    assert list(looks) == ["naive_bayes", *names, "logistic_regression"]
    assert len({style for _, style in looks.values()}) == 22
    assert [label for label, _ in looks.values()][1:-1] == names
