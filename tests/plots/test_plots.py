"""Figures: what is drawn equals the run's numbers."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgb
from pictures import PAPER, drawn_line, make_run, panel, picture
from PIL import Image

from gdcurves import published
from gdcurves.errors import UserError
from gdcurves.plots import draw, ng_jordan, render
from gdcurves.plots.styles import KNOWN


@pytest.fixture(autouse=True)
def own_settings() -> Iterator[None]:
    with render.settings():
        yield


# Files


@pytest.mark.slow
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


@pytest.mark.process
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
    with pytest.raises(UserError, match=r"no figure 'pie'; choose from .*ng_jordan"):
        draw(make_run(tmp_path, figure="pie"))
    with pytest.raises(UserError, match="no experiments"):
        draw(make_run(tmp_path, ()))
    with pytest.raises(UserError, match=r"figure1\.png: cannot be written \(No such file"):
        draw(make_run(tmp_path / "gone", ("pima",)))


# Numbers


@pytest.mark.slow
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


@pytest.mark.slow
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
    assert len({row["experiment"] for row in reference}) == 15


@pytest.mark.slow
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
        beyond = ((errors < low) | (errors > high)).to_numpy().sum()
        assert beyond == (2 if name in ng_jordan.WIDENED else 0)


@pytest.mark.slow
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
