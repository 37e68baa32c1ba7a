"""What comes back: answer, tables, pictures and the page; and what is left behind."""

from __future__ import annotations

import doctest
import gc
import importlib
import inspect
import io
import re
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import Call

import gdcurves
from gdcurves import LearningCurves, learning_curves, load
from gdcurves.errors import RunError, UserError
from gdcurves.notebook import watching
from gdcurves.notebook.arguments import FLAGS, NAMES
from gdcurves.run.progress import Progress

pytestmark = pytest.mark.slow  # whole runs

QUICK: dict[str, Any] = {"sizes": [6, 20], "splits": 20, "jobs": 1, "progress": False}


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    """Two classes that one of the inputs tells apart, mostly."""
    rng = np.random.default_rng(1)
    y = np.arange(60) % 2
    return pd.DataFrame(
        {
            "a<b": y + 0.5 * rng.normal(size=60),
            "other": rng.normal(size=60),
            "patient": np.arange(60) // 2,
        }
    ).assign(diagnosis=np.where(y, "ill", "well"))


@pytest.fixture(scope="module")
def run(frame: pd.DataFrame) -> LearningCurves:
    return learning_curves(frame, "diagnosis", drop="patient", **QUICK)


class Words(HTMLParser):
    """The words of a page, and its images."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words, self.images = "", []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag == "img":
            self.images.append(dict(attrs))
        else:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += f"{data} "


def test_it_shows_itself(run: LearningCurves) -> None:
    page = Words(run._repr_html_())
    for line in run.answer.splitlines():
        assert line in page.words
    first, second, *_ = run.answer.splitlines()
    assert first.endswith(
        "rows with the same 'patient' do not belong together (else groups=patient)."
    )
    assert second.startswith("With 20 of the 60 rows to learn from, ")
    for said in ("base rate", "a<b", "classifier", "continuous  2:", "m is the number of rows"):
        assert said in page.words
    (image,) = page.images
    assert image["src"].startswith("data:image/png;base64,iVBOR")
    assert "naive Bayes, logistic regression with a penalty" in image["alt"]
    written = repr(run)
    assert run.answer.split() == written.split()[: len(run.answer.split())]
    assert max(map(len, written.splitlines())) <= 80


def test_tables_are_there(run: LearningCurves) -> None:
    assert list(run.curves["m"]) == [6, 20] * 3
    assert {"error_mean", "auc_mean"} <= {*run.curves}
    assert len(run.crossings) == 3
    assert set(run.comparisons["measure"]) >= {"error", "auc", "brier"}
    assert set(run.outlook["fitter"]) <= {"naive_bayes", "penalised_logistic"}
    assert run.folder is None


def test_another_measure(run: LearningCurves, tmp_path: Path) -> None:
    assert "more AUC than" in run.by("auc").answer
    assert "less error than" in run.answer
    with pytest.raises(UserError, match="measure=: no measure 'acu'; did you mean 'auc'"):
        run.by("acu")
    picture = run.plot("auc", size=(4, 3), title="Mine")
    assert "test AUC against training rows" in repr(picture)
    assert picture._repr_png_()[:4] == b"\x89PNG"
    (path,) = picture.save(tmp_path / "auc.pdf")
    assert path == tmp_path / "auc.pdf"
    assert path.read_bytes().startswith(b"%PDF")
    with pytest.raises(UserError, match=r"name should end in \.png, \.pdf or \.svg"):
        picture.save(tmp_path / "auc.gif")
    with pytest.raises(UserError, match="figure=pie: no such figure"):
        run.plot(figure="pie")
    for wrong in ("4xwide", (4, "wide"), 4):
        with pytest.raises(UserError, match="size"):
            run.plot(size=wrong)
    assert run.plot(size="4x3")._repr_png_() == run.plot(size=(4, 3))._repr_png_()


def test_nothing_is_left_behind(
    frame: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    quick = {**QUICK, "splits": 2, "fitters": ["majority", "naive_bayes"]}
    run = learning_curves(frame, "diagnosis", **quick)
    (scratch,) = tmp_path.iterdir()
    other = run.by("auc")
    del run
    gc.collect()
    assert "AUC" in repr(other.plot())
    assert scratch.is_dir()
    del other
    gc.collect()
    assert [*tmp_path.iterdir()] == []
    with pytest.raises(UserError):
        learning_curves(frame, "diagnosis", groups="diagnosis", **QUICK)
    gc.collect()
    assert [*tmp_path.iterdir()] == []


def test_out_is_a_results_folder(
    call: Call, frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {
        **QUICK,
        "splits": 2,
        "fitters": ["majority", "hybrid"],
        "out": "kept",
        "name": "mine",
    }
    run = learning_curves(frame, "diagnosis", **options)
    assert run.folder == Path("kept")
    assert str(run).splitlines()[-1] == "Results: kept"
    assert load("kept").answer == run.answer
    assert Path("kept/figure.png").exists()
    status = call("status", "kept")
    assert status.out.startswith("mine: complete; 2 of 2 splits done")
    assert call("plot", "kept", "--measure", "auc", "--format", "svg").code == 0
    assert Path("kept/figure_auc.svg").exists()
    with pytest.raises(UserError, match=r"add resume=True .* fresh=True to replace it"):
        learning_curves(frame, "diagnosis", **options)
    before = Path("kept/curves.csv").read_bytes()
    monkeypatch.setattr("gdcurves.plots.draw", lambda run: [])
    learning_curves(frame, "diagnosis", **options, resume=True)
    assert Path("kept/curves.csv").read_bytes() == before
    with pytest.raises(UserError, match="is another one: splits was 2, is 3"):
        learning_curves(frame, "diagnosis", **{**options, "splits": 3}, resume=True)
    with pytest.raises(UserError, match=r"no manifest.json here, so this is no results folder"):
        load("elsewhere")


def test_nothing_that_comes_of_it_is_an_error(
    frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr("gdcurves.fitters.majority.Majority.fit", broken)
    with pytest.raises(RunError, match=r"^data: .*ZeroDivisionError: by nothing"):
        learning_curves(frame, "diagnosis", fitters="majority", **QUICK)


def test_how_far_it_is_stands_in_one_line() -> None:
    stream = io.StringIO()
    line = watching.Line(stream)
    line(Progress(0, 1, 25, 100, 50, "data"))
    shown = stream.getvalue().split("\r")
    assert shown[1].startswith("data █████░░░░░░░░░░░░░░░ 25%  0 of 1 experiment, 25 of 100 splits")
    line.clear()
    assert stream.getvalue().split("\r")[-2:] == [" " * len(shown[1]), ""]
    assert "\n" not in stream.getvalue()


def test_notes_are_shown_with_progress_alone(
    frame: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    for progress in (True, False):
        told = {**QUICK, "splits": 2, "fitters": "majority", "progress": progress}
        run = learning_curves(frame, "diagnosis", **told)
        shown = capsys.readouterr()
        assert any("groups=patient" in note for note in run.notes)
        assert ("groups=patient" in shown.out, "reading data" in shown.err) == (progress, progress)


def test_arguments_that_messages_name_are_those_of_the_function() -> None:
    taken = {*inspect.signature(learning_curves).parameters}
    assert taken >= FLAGS
    assert taken >= NAMES - {"font_size", "size"}
    assert {"font_size", "size"} <= {*inspect.signature(LearningCurves.plot).parameters}
    text = inspect.getdoc(learning_curves) or ""
    lines = re.findall(r"^(\w[\w, ]*)$", text, re.MULTILINE)
    documented = {name for line in lines for name in line.split(", ")}
    assert taken <= {*documented}


@pytest.mark.parametrize("name", ["gdcurves.notebook.asking", "gdcurves.sklearn.estimator"])
def test_examples_are_so(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert (failed, tried > 2) == (0, True)


def test_the_package_is_light() -> None:
    code = (
        "import sys, gdcurves\n"
        "assert 'learning_curves' in dir(gdcurves)\n"
        "sys.exit(', '.join({'numpy', 'pandas', 'pydantic', 'rich'} & set(sys.modules)))"
    )
    root = Path(gdcurves.__file__).parents[1]
    ended = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert ended.stderr.strip() == ""
    with pytest.raises(AttributeError, match="no attribute 'curve'"):
        _ = gdcurves.curve  # type: ignore[attr-defined]
