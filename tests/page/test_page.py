"""The page of runs: what it says, and that nothing from data becomes markup."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from conftest import ROOT, Call
from hostile import COLUMNS, LABELS, SCRIPT
from hypothesis import given
from hypothesis import strategies as st

from gdcurves import plots, report
from gdcurves.page import Content, layout, picture
from gdcurves.plots import render
from gdcurves.run import reading
from gdcurves.store.files import Run

REFERENCE = ROOT / "results" / "reference"


class Read(HTMLParser):
    """The elements and texts of a page; refuses what is closed in another order than opened."""

    VOID = frozenset({"meta", "link", "br", "img", "input", "hr"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.opened: list[str] = []
        self.feed(page)
        self.close()
        assert self.opened == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.opened.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


@pytest.fixture(scope="module")
def content(hostile: Run) -> Content:
    return Content.of(hostile, "run1")


@pytest.mark.slow
def test_nothing_from_data_becomes_markup(content: Content) -> None:
    page = Read(layout.html([content]))
    tags = Counter(tag for tag, _ in page.elements)
    assert not {"script", "img", "iframe", "object", "b", "i"} & tags.keys()
    assert tags["style"] == 1
    for _, attributes in page.elements:
        assert not [key for key in attributes if key.startswith("on")]
        for key in ("src", "href"):
            address = attributes.get(key) or "#"
            assert address.startswith(("#", "data:,"))
    # They are there as they are written.
    said = page.text
    for name in (*COLUMNS, *LABELS, "<b>target</b>", "<i>x&y<i>.csv"):
        assert name in said
    assert SCRIPT in said


@pytest.mark.slow
def test_the_words_are_those_of_the_terminal_the_answer_first(
    hostile: Run, content: Content
) -> None:
    said = Read(layout.html([content])).text
    answer = list(report.sentences(hostile))
    assert answer
    at = [said.index(" ".join(each.split())) for each in answer]
    at += [said.index("The curves"), said.index("base rate"), said.index("Comparisons")]
    at += [said.index("With more rows"), said.index("The data as they were understood")]
    at += [said.index("Rows used and left out"), said.index("To repeat it")]
    assert at == sorted(at)
    for version in hostile.manifest["versions"].values():
        assert version in said


@pytest.mark.slow
def test_names_of_parts_are_unique_and_every_reference_has_its_part(
    hostile: Run, content: Content
) -> None:
    several = [content, Content.of(hostile, "run2")]
    page = Read(layout.html(several))
    names = Counter(each["id"] for _, each in page.elements if "id" in each)
    assert set(names.values()) == {1}
    references = {
        value.removeprefix("url(#").rstrip(")") if value.startswith("url") else value[1:]
        for _, attributes in page.elements
        for key, value in attributes.items()
        if value and key in ("href", "clip-path", "aria-labelledby") and value[:4] != "data"
    }
    assert {each for each in references if not each.startswith("un")} <= names.keys()
    links = [each["href"] for tag, each in page.elements if tag == "a"]
    assert links == ["#run1", "#run2"]


@given(st.text(max_size=30))
def test_a_picture_with_any_text_is_whole(text: str) -> None:
    svg = f"<svg xmlns='http://www.w3.org/2000/svg'><text id='t'>{_escaped(text)}</text></svg>"
    inlined = Read(str(picture.inline(svg, "run1-wide", text)))
    assert [tag for tag, _ in inlined.elements] == ["svg", "text"]
    assert inlined.elements[0][1]["aria-label"] == picture.fit(text).replace("\r\n", "\n").replace(
        "\r", "\n"
    ) or set(text) & set("\r\n\t")


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@pytest.mark.slow
def test_a_report_of_a_run_is_small() -> None:
    run = reading.read_partial(REFERENCE / "quasi_separable")
    assert len(layout.html([Content.of(run, "run1")]).encode()) <= 1_000_000


@pytest.mark.slow
def test_a_figure_that_is_too_large_is_named(hostile: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gdcurves.page.content.MOST", 1_000)
    page = Read(layout.html([Content.of(hostile, "run1")]))
    assert "svg" not in dict(page.elements)
    assert "gdcurves plot" in page.text


@pytest.mark.slow
def test_coordinates_stay_within_half_a_hundredth_of_a_point(hostile: Run) -> None:
    (sheet,) = plots.sheets(hostile)
    with render.settings():
        svg = render.svg(render.render(sheet), sheet)
    exact = [value for _, each in Read(svg).elements for key, value in each.items() if key == "d"]
    kept = [
        value
        for _, each in Read(str(picture.inline(svg, "a-wide", ""))).elements
        for key, value in each.items()
        if key == "d"
    ]
    assert len(exact) == len(kept) > 10
    for before, after in zip(exact, kept, strict=True):
        assert [
            each if each.isalpha() else pytest.approx(float(each), abs=0.0051)
            for each in str(before).split()
        ] == [each if each.isalpha() else float(each) for each in str(after).split()]


@pytest.mark.slow
def test_several_runs_make_one_report_and_a_refused_one_stops_none(
    call: Call, hostile: Run, tmp_path: Path
) -> None:
    for name in ("a", "b"):
        (tmp_path / "runs" / name).mkdir(parents=True)
        for file in hostile.folder.glob("*.*"):
            (tmp_path / "runs" / name / file.name).write_bytes(file.read_bytes())
    ended = call("report", "runs")
    assert (ended.code, ended.out) == (0, "Report: runs/report.html\n")
    whole = Read((tmp_path / "runs" / "report.html").read_text(encoding="utf-8"))
    assert "Learning curves of 2 runs" in whole.text
    (tmp_path / "runs" / "b" / "manifest.json").write_text("{}")
    ended = call("report", "runs", "--out", "one.html", "--quiet")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("Error: runs/b/manifest.json: ")
    assert "The answer" in Read((tmp_path / "one.html").read_text(encoding="utf-8")).text
    refused = call("report", "runs/b")
    assert (refused.code, refused.out) == (2, "")
    assert not (tmp_path / "runs" / "b" / "report.html").exists()


@pytest.mark.slow
def test_a_run_that_is_not_whole_says_so(hostile: Run) -> None:
    entries = {
        name: {**each, "status": "failed", "reason": "<u>why</u>"}
        for name, each in hostile.manifest["experiments"].items()
    }
    broken = replace(hostile, manifest={**hostile.manifest, "experiments": entries})
    page = Read(layout.html([Content.of(broken, "run1")]))
    assert "Failed: x-y: <u>why</u>" in page.text or "<u>why</u>" in page.text
    assert "u" not in dict(page.elements)
