"""Figures of one's own data: pages of another size, files of other kinds, base rate, bands."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.transforms import Bbox
from pictures import drawn_line, legend_labels, make_run, render_whole, words
from PIL import Image

from gdcurves.errors import UserError
from gdcurves.plots import draw, learning_curves, render
from gdcurves.plots.panel import BAND_ALPHA
from gdcurves.plots.paper import Paper, Wanted
from gdcurves.plots.sheet import Marks
from gdcurves.store.files import Run

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def own_settings() -> Iterator[None]:
    with render.settings():
        yield


def own(folder: Path, *, wide: float = 0.1, se: float = 0.004) -> Run:
    """A run on one's own data, with intervals for other data of `wide` to either side."""
    fitters = ("naive_bayes", "penalised_logistic", "majority")
    m = (2, 5, 10, 20, 50, 100)
    run = make_run(folder, ("mine",), fitters=fitters, m=m, se=se, figure="learning_curves")
    run.manifest["config"]["fitters"] = [{"name": name, "type": name} for name in fitters]
    run.manifest["experiments"]["mine"]["classes"] = {"no": 60, "yes": 20}
    mean = run.curves["error_mean"]
    return replace(run, curves=run.curves.assign(error_low=mean - wide, error_high=mean + wide))


@pytest.mark.slow
def test_pages_have_the_size_and_text_that_was_asked_for(tmp_path: Path) -> None:
    run = own(tmp_path)
    (sheet,) = learning_curves.sheets(run)
    for paper in (Paper(3.4, 2.6, 7.0), Paper(6.0, 2.5, 9.0), Paper(10.0, 8.0, 14.0)):
        figure = render.render(sheet, paper)
        assert figure.get_size_inches() == pytest.approx((paper.width, paper.height))
        figure.draw_without_rendering()
        page = figure.bbox
        texts = [text for text in figure.findobj(lambda each: hasattr(each, "get_fontsize"))]
        shown = [text for text in texts if text.get_text() and text.get_visible()]
        assert {round(text.get_fontsize() / paper.body, 6) for text in shown} <= {1, 0.903226}
        for text in shown:
            box = text.get_window_extent()
            assert page.x0 <= box.x0 < box.x1 <= page.x1
    (path,) = draw(run, wanted=Wanted(("png",), (3.4, 2.6)))
    with Image.open(path) as image:
        assert image.size == (1020, 780)


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="the page is too small for its panels; give more"):
        draw(own(tmp_path), wanted=Wanted(size=(1, 1)))
    with pytest.raises(UserError, match="--size 3x: give width and height in inches, from 1 to"):
        Wanted.of((), "3x", None, None)
    with pytest.raises(UserError, match="--format gif: no such format; choose from png, pdf, svg"):
        Wanted.of(("gif",), None, None, None)
    with pytest.raises(UserError, match="--font-size 100: give points from 4 to 40"):
        Wanted.of((), None, 100, None)
    assert Wanted.of(("svg", "PNG", "svg"), None, None, None).formats == ("svg", "png")


@pytest.mark.slow
def test_an_svg_has_its_text_as_text_and_a_description(tmp_path: Path) -> None:
    wanted = Wanted.of(("svg",), None, None, "Mine & <yours>")
    (path,) = draw(own(tmp_path), wanted=replace(wanted, suffix="_auc"))
    assert path.name == "figure_auc.svg"
    content = path.read_bytes()
    root = ElementTree.fromstring(content)
    assert root.findtext(f"{SVG}title") == "Mine & <yours>"
    described = root.findtext(f"{SVG}desc")
    assert "test error against training rows (log scale): naive Bayes, logistic" in described
    assert "band: 95 % interval for other data of this kind" in described
    texts = {"".join(each.itertext()) for each in root.iter(f"{SVG}text")}
    assert {"test error", "training rows (log scale)", "naive Bayes", "base rate"} <= texts
    assert draw(own(tmp_path), wanted=replace(wanted, suffix="_auc"))[0].read_bytes() == content


def test_a_lone_panel_has_no_title_unless_asked_and_the_base_rate_as_a_line(tmp_path: Path) -> None:
    run = own(tmp_path)
    (sheet,) = learning_curves.sheets(run)
    figure = render_whole(sheet)
    (axes,) = figure.axes
    assert "mine" not in words(figure)
    assert axes.get_ylabel() == "test error"
    assert axes.get_xlabel() == "training rows (log scale)"
    np.testing.assert_array_equal(drawn_line(axes, "base rate").get_ydata(), 0.25)
    # The curve of the fitter that always answers the largest class is no base rate.
    assert all(line.get_label() != "largest class" for line in axes.lines)
    config = run.manifest["config"]
    auc = replace(
        run,
        manifest={
            **run.manifest,
            "config": {**config, "measure": "auc", "measures": ["error", "auc"]},
        },
    )
    assert all(not panel.asymptotes for panel in learning_curves.sheets(auc)[0].panels)


def test_bands_are_the_interval_for_other_data(tmp_path: Path) -> None:
    (sheet,) = learning_curves.sheets(own(tmp_path, se=0.0001))
    assert sheet.band == (
        "means over 1000 random splits; band: 95 % interval for other data of this kind"
    )
    curve = sheet.panels[0].curves[0]
    np.testing.assert_allclose(curve.band, [curve.y - 0.1, curve.y + 0.1])
    assert curve.inner is None
    # Monte Carlo errors that are wider than a line are drawn in the bands.
    (sheet,) = learning_curves.sheets(own(tmp_path, se=0.01))
    assert sheet.band.endswith("this kind; darker: 2 Monte Carlo standard errors to each side")
    curve = sheet.panels[0].curves[0]
    np.testing.assert_allclose(curve.inner, [curve.y - 0.02, curve.y + 0.02])
    (axes,) = render_whole(sheet).axes
    colour = to_rgba(curve.style.colour, BAND_ALPHA)
    areas = [each for each in axes.collections if isinstance(each, PolyCollection)]
    assert [tuple(each.get_facecolor()[0].tolist()) for each in areas].count(colour) == 2
    # The more of them lie over each other, the paler they are.
    (panel,) = sheet.panels
    four = replace(sheet, panels=(replace(panel, curves=panel.curves * 2),))
    (axes,) = render_whole(four).axes
    areas = [each for each in axes.collections if isinstance(each, PolyCollection)]
    assert {each.get_facecolor()[0][3] for each in areas} == {BAND_ALPHA / 2}


@pytest.mark.slow
@pytest.mark.parametrize("wide", [0.05, 0.3])
def test_at_the_width_of_a_column_the_plot_has_most_of_the_page(
    tmp_path: Path, wide: float
) -> None:
    """Legends are short, in the plot or in two rows above it; what bands are is said below."""
    (sheet,) = learning_curves.sheets(own(tmp_path, wide=wide, se=0.01))
    (panel,) = sheet.panels
    at = (np.array([value]) for value in (10.0, panel.curves[0].y[2], 8.0, 12.0))
    marks = Marks("crossing of one and another, 95 % interval", *at, "crossing, 95 % interval")
    sheet = replace(sheet, panels=(replace(panel, marks=(marks,)),))
    figure = render.render(sheet, Paper(3.4, 2.4, 7.0))
    (axes,) = figure.axes
    assert axes.get_position().height > 0.5
    assert len(figure.legends) == 1
    assert {" ".join(label.split()) for label in legend_labels(figure)} == {
        *("naive Bayes", "logistic regression with a penalty", "base rate"),
        "crossing, 95 % interval",
    }
    assert "Means over 1000 random splits; band: 95 % interval for other data" in words(figure)
    assert marks.label in words(render.render(sheet, Paper(4.8, None, 7.75)))


def test_bands_that_overlap_have_edges_in_the_dashes_of_their_curves(tmp_path: Path) -> None:
    (sheet,) = learning_curves.sheets(own(tmp_path))
    (axes,) = render_whole(sheet).axes
    edges = [each for each in axes.lines if each.get_label() == "_edge"]
    ends = [end for curve in sheet.panels[0].curves for end in curve.band or ()]
    assert len(edges) == len(ends) == 4
    for edge, end in zip(edges, ends, strict=True):
        np.testing.assert_array_equal(edge.get_ydata(), end)
    assert [each.is_dashed() for each in edges] == [False, False, True, True]


@pytest.mark.slow
def test_the_legend_is_in_the_plot_where_nothing_is_drawn(tmp_path: Path) -> None:
    (sheet,) = learning_curves.sheets(own(tmp_path, wide=0.02, se=0.0))
    figure = render_whole(sheet)
    (legend,) = figure.legends
    (axes,) = figure.axes
    frame, box = axes.get_window_extent(), legend.get_window_extent()
    assert frame.padded(1).contains(box.x0, box.y0)
    assert frame.padded(1).contains(box.x1, box.y1)
    for line in axes.lines:
        places = axes.transData.transform(line.get_xydata())
        fine = np.interp(np.linspace(0, len(places) - 1, 999), range(len(places)), places[:, 1])
        across = np.interp(np.linspace(0, len(places) - 1, 999), range(len(places)), places[:, 0])
        assert not Bbox(box).count_contains(np.column_stack([across, fine]))
    # Without room it is above.
    (sheet,) = learning_curves.sheets(own(tmp_path, wide=0.5))
    figure = render_whole(sheet)
    (axes,) = figure.axes
    assert all(each.get_window_extent().y0 > axes.bbox.y1 for each in figure.legends)
    assert "base rate" in legend_labels(figure)


@pytest.mark.slow
def test_the_legend_lies_on_no_interval_of_a_crossing(tmp_path: Path) -> None:
    """One that goes on to the right without end, at the height of the legend without it."""
    (sheet,) = learning_curves.sheets(own(tmp_path, wide=0.02, se=0.0))
    (box,) = (each.get_window_extent() for each in render_whole(sheet).legends)
    (axes,) = render_whole(sheet).axes
    middle = axes.transData.inverted().transform([(0, (box.y0 + box.y1) / 2)])[0, 1]
    marks = Marks("crossing", *(np.array([each]) for each in (2.0, middle, 2.0, np.inf)))
    sheet = replace(sheet, panels=(replace(sheet.panels[0], marks=(marks,)),))
    figure = render_whole(sheet)
    (axes,) = figure.axes
    height = axes.transData.transform([(2.0, middle)])[0, 1]
    boxes = [each.get_window_extent() for each in figure.legends]
    assert boxes
    assert not any(each.y0 <= height <= each.y1 for each in boxes)
