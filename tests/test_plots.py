"""Figures: what is drawn equals the run's numbers, and the words say what it is."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text
from pictures import assert_legible, drawn_line, legend_labels, panel, render_whole, words
from PIL import Image

from gdcurves import published
from gdcurves.errors import UserError
from gdcurves.plots import FIGURES, draw, ng_jordan, render
from gdcurves.plots.styles import KNOWN, styles
from gdcurves.store import Run

# The paper's panels, from left to right and from top to bottom, with the last m of each.
PAPER = {
    "pima": ("pima (continuous)", 60),
    "adult-continuous": ("adult (continuous)", 30),
    "boston": ("boston (predict if > median price, continuous)", 60),
    "optdigits-0-1": ("optdigits (0's and 1's, continuous)", 200),
    "optdigits-2-3": ("optdigits (2's and 3's, continuous)", 200),
    "ionosphere": ("ionosphere (continuous)", 100),
    "liver-disorders": ("liver disorders (continuous)", 60),
    "sonar": ("sonar (continuous)", 150),
    "adult-discrete": ("adult (discrete)", 400),
    "promoters": ("promoters (discrete)", 100),
    "lymphography": ("lymphography (discrete)", 150),
    "breast-cancer": ("breast cancer (discrete)", 300),
    "lenses": ("lenses (predict hard vs. soft, discrete)", 25),
    "sick": ("sick (discrete)", 150),
    "voting-records": ("voting records (discrete)", 80),
}
CONTINUOUS = tuple(PAPER)[:8]
BAND = "band: ± 2 Monte Carlo standard errors of the mean"


def make_run(
    folder: Path,
    names: Sequence[str] = tuple(PAPER),
    *,
    absent: Mapping[str, tuple[str, str | None]] = {},
    fitters: Sequence[str] = ("naive_bayes", "logistic_regression", "nearest_centroid"),
    figure: str = "ng_jordan",
    status: str = "complete",
    splits: int = 1000,
    m: Sequence[int] = tuple(range(2, 24, 3)),
    se: float = 0.004,
) -> Run:
    """A run with smooth curves; `absent` gives status and reason of experiments without rows."""
    rows = [
        (name, fitter, size, splits, 0.2 + 0.02 * i + (0.3 - 0.04 * i) / size, se)
        for name in names
        if name not in absent
        for i, fitter in enumerate(fitters)
        if fitter != "nearest_centroid" or name in CONTINUOUS
        for size in m
    ]
    columns = ["experiment", "fitter", "m", "n_splits", "error_mean", "error_se"]
    entries = {}
    for name in names:
        state, reason = absent.get(name, ("done", None))
        done = 1000 if state == "done" else 0
        entries[name] = {"status": state, "reason": reason, "splits": 1000, "splits_done": done}
    manifest = {
        "name": "a_run",
        "status": status,
        "config": {"figure": figure, "splits": 1000},
        "experiments": entries,
    }
    return Run(folder, manifest, pd.DataFrame(rows, columns=columns))


@pytest.fixture(autouse=True)
def own_settings() -> Iterator[None]:
    with render.settings():
        yield


def picture(run: Run) -> Figure:
    (sheet,) = FIGURES[run.manifest["config"]["figure"]](run)
    return render_whole(sheet)


# Files


@pytest.mark.parametrize(
    ("figure", "stem"), [("ng_jordan", "figure1"), ("learning_curves", "figure")]
)
def test_files_are_valid_and_do_not_depend_on_time_or_the_users_settings(
    tmp_path: Path, figure: str, stem: str
) -> None:
    folders = [tmp_path / "first", tmp_path / "second"]
    for folder in folders:
        folder.mkdir()
    names = ("pima", "lenses")
    paths = draw(make_run(folders[0], names, figure=figure))
    with matplotlib.rc_context({"font.size": 30, "lines.linewidth": 9, "savefig.dpi": 20}):
        before = dict(matplotlib.rcParams)
        again = draw(make_run(folders[1], names, figure=figure))
        assert dict(matplotlib.rcParams) == before

    assert paths == [folders[0] / f"{stem}.png", folders[0] / f"{stem}.pdf"]
    assert [path.read_bytes() for path in paths] == [path.read_bytes() for path in again]
    with Image.open(paths[0]) as image:
        image.load()
        assert image.width == 2100
    pdf = paths[1].read_bytes()
    assert pdf.startswith(b"%PDF-")
    assert pdf.rstrip().endswith(b"%%EOF")
    assert b"CreationDate" not in pdf


def test_names_of_figures_are_known_without_matplotlib_and_pyplot_is_never_used(
    tmp_path: Path,
) -> None:
    code = (
        "import sys; import gdcurves.plots as p; assert set(p.FIGURES);"
        "assert 'matplotlib' not in sys.modules; import gdcurves.plots.render;"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, cwd=tmp_path)


def test_what_cannot_be_drawn_is_a_users_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"figure 'pie' is unknown; .*ng_jordan"):
        draw(make_run(tmp_path, figure="pie"))
    with pytest.raises(UserError, match="no experiments"):
        draw(make_run(tmp_path, ()))
    with pytest.raises(UserError, match=r"figure1\.png: cannot be written \(No such file"):
        draw(make_run(tmp_path / "gone", ("pima",)))


# Numbers


@pytest.mark.parametrize("figure", ["ng_jordan", "learning_curves"])
def test_lines_and_bands_are_the_runs_numbers(tmp_path: Path, figure: str) -> None:
    run = make_run(tmp_path, figure=figure)
    # Rows out of order are drawn in the order of m.
    shuffled = replace(run, curves=run.curves.sample(frac=1, random_state=0))
    drawn = picture(shuffled)
    for (name, fitter), rows in run.curves.groupby(["experiment", "fitter"]):
        axes = panel(drawn, PAPER[name][0] if figure == "ng_jordan" else name)
        label, style = KNOWN[fitter]
        line = drawn_line(axes, label)
        np.testing.assert_array_equal(line.get_xdata(), rows["m"])
        np.testing.assert_array_equal(line.get_ydata(), rows["error_mean"])
        assert line.get_linestyle() == ("--" if fitter == "logistic_regression" else "-")
        (band,) = [
            area
            for area in axes.collections
            if isinstance(area, PolyCollection)
            and tuple(area.get_facecolor()[0][:3]) == to_rgb(style.colour)
        ]
        corners = pd.DataFrame(band.get_paths()[0].vertices, columns=["m", "error"])
        ends = corners.groupby("m")["error"].agg(["min", "max"])
        np.testing.assert_allclose(ends["min"], rows["error_mean"] - 2 * rows["error_se"])
        np.testing.assert_allclose(ends["max"], rows["error_mean"] + 2 * rows["error_se"])


def test_markers_are_the_published_values(tmp_path: Path, shared: Path) -> None:
    with (shared / "reference" / "ng_jordan_2001_figure1.csv").open(encoding="utf-8") as file:
        reference = list(csv.DictReader(file))
    drawn = picture(make_run(tmp_path))
    shapes = set()
    for name, (title, _) in PAPER.items():
        axes = panel(drawn, title)
        rows = [row for row in reference if row["experiment"] == name]
        markers = [line for line in axes.lines if line.get_label().startswith("published")]
        assert len(markers) == (2 if rows else 0)
        for line in markers:
            fitter = line.get_label().removeprefix("published ").replace(" ", "_").lower()
            np.testing.assert_array_equal(line.get_xdata(), [float(row["m"]) for row in rows])
            np.testing.assert_array_equal(
                line.get_ydata(), [float(row[f"{fitter}_error"]) for row in rows]
            )
            assert line.get_linestyle() == "None"
            shapes.add((fitter, line.get_marker()))
    assert len(shapes) == len({shape for _, shape in shapes}) == 2
    assert len({row["experiment"] for row in reference}) == 10


def test_panels_are_the_papers_and_stand_in_its_order(tmp_path: Path) -> None:
    # Bands as narrow as those of a full run leave most ranges as they are in the paper.
    drawn = picture(make_run(tmp_path, tuple(reversed(PAPER)), se=0.0))
    assert [axes.get_title(loc="left") for axes in drawn.axes] == [t for t, _ in PAPER.values()]
    corners = [axes.get_position().get_points()[0].round(6) for axes in drawn.axes]
    assert len({x for x, _ in corners}) == 3
    assert len({y for _, y in corners}) == 5
    assert corners == sorted(corners, key=lambda corner: (-corner[1], corner[0]))
    for axes, (_, end) in zip(drawn.axes, PAPER.values(), strict=True):
        assert axes.get_xlim() == (0, end)
        assert axes.get_xlabel() == "m"
    assert [bool(axes.get_ylabel()) for axes in drawn.axes] == [True, False, False] * 5


def test_published_values_lie_within_the_papers_ranges(tmp_path: Path) -> None:
    for name, rows in published.values("ng_jordan").groupby("experiment"):
        _, (first, last), (low, high) = ng_jordan.PANELS[name]
        errors = rows[["naive_bayes_error", "logistic_regression_error"]]
        assert first <= rows["m"].min()
        assert rows["m"].max() <= last
        # One value of ionosphere is 0.1989: its range begins at 0.2 and widens.
        assert low - 0.002 <= errors.min().min()
        assert errors.max().max() <= high


@pytest.mark.parametrize("figure", ["ng_jordan", "learning_curves"])
@pytest.mark.parametrize(("m", "se"), [((2, 40), 0.004), ((2, 500), 0.3)])
def test_ranges_widen_to_hold_lines_bands_and_markers(
    tmp_path: Path, figure: str, m: tuple[int, ...], se: float
) -> None:
    for axes in picture(make_run(tmp_path, m=m, se=se, figure=figure)).axes:
        lines = [line.get_xydata() for line in axes.lines]
        areas = [
            area.get_paths()[0].vertices
            for area in axes.collections
            if isinstance(area, PolyCollection)
        ]
        values = np.concatenate([*lines, *areas])
        (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
        assert left <= values[:, 0].min()
        assert values[:, 0].max() <= right
        assert bottom <= values[:, 1].min()
        assert values[:, 1].max() <= top
        assert all(not line.get_clip_on() for line in axes.lines)
        assert 2 <= len(axes.get_yticks()) <= 9
        assert 2 <= len(axes.get_xticks()) <= 7
        assert axes.get_yticks()[0] >= 0


def test_a_single_size_is_a_marker_and_a_gap_stays_a_gap(tmp_path: Path) -> None:
    axes = picture(make_run(tmp_path, ("pima",), m=(20,), figure="learning_curves")).axes[0]
    line = drawn_line(axes, "naive Bayes")
    assert line.get_marker() == "s"
    assert line.get_markevery() == [0]
    bars = [bar for bar in axes.collections if isinstance(bar, LineCollection)]
    (segment,) = bars[0].get_segments()
    np.testing.assert_allclose(segment, [[20, 0.215 - 0.008], [20, 0.215 + 0.008]])

    run = make_run(tmp_path, ("pima",), m=(2, 5, 8, 11, 14), fitters=("naive_bayes",))
    run.curves.loc[[2, 4], ["error_mean", "error_se"]] = np.nan
    line = drawn_line(picture(run).axes[0], "naive Bayes")
    np.testing.assert_array_equal(np.isnan(line.get_ydata()), [False, False, True, False, True])
    assert line.get_markevery() == [3]


def test_without_standard_errors_there_is_a_line_and_no_band(tmp_path: Path) -> None:
    run = make_run(tmp_path, ("pima",), splits=1, se=np.nan)
    axes = picture(run).axes[0]
    assert np.isfinite(drawn_line(axes, "naive Bayes").get_ydata()).all()
    assert all(not area.get_paths() for area in axes.collections)


# Words


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
    assert legend_labels(picture(make_run(tmp_path, ("sick",)))) == [
        "naive Bayes",
        "logistic regression",
        BAND,
    ]


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
    assert "partial: 12000 of 14000 splits (some experiments failed); 12 of 15 exp" in said
    for name in absent:
        assert not panel(drawn, PAPER[name][0]).lines


@pytest.mark.parametrize(
    ("status", "text"),
    [("running", "(not finished)"), ("interrupted", "(interrupted)"), ("killed", "(killed)")],
)
def test_a_partial_run_says_so(tmp_path: Path, status: str, text: str) -> None:
    run = make_run(tmp_path, ("pima", "boston"), status=status)
    run.curves.loc[run.curves["experiment"] == "boston", "n_splits"] = 312
    said = words(picture(run))
    assert f"partial: 2000 of 2000 splits {text}" in said
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
    run = make_run(tmp_path, ("a_$x$_b",), fitters=("nb_$eps$",), figure="learning_curves")
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


def test_curves_differ_without_colour() -> None:
    def lightness(colour: str) -> float:
        return float(np.dot(to_rgb(colour), (0.2126, 0.7152, 0.0722)))

    looks = [style for _, style in KNOWN.values()]
    for i, one in enumerate(looks):
        for other in looks[i + 1 :]:
            assert one.dashes != other.dashes or (
                abs(lightness(one.colour) - lightness(other.colour)) > 0.3
            )


def test_twenty_unknown_fitters_have_twenty_styles() -> None:
    names = [f"fitter {i}" for i in range(20)]
    looks = styles(["naive_bayes", *names, "logistic_regression"])
    assert list(looks) == ["naive_bayes", *names, "logistic_regression"]
    assert len({style for _, style in looks.values()}) == 22
    assert [label for label, _ in looks.values()][1:-1] == names
