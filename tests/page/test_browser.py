"""The page in a real Chromium: widths, dark, print, accessibility, and that it asks for nothing."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from gdcurves import page
from gdcurves.page import Content
from gdcurves.store.files import Run

pytestmark = [pytest.mark.process, pytest.mark.slow]

WIDTHS = (320, 800, 1600)
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
AXE = "AXE_JS"  # names axe.min.js of the npm package axe-core, which is not a part of this one


@dataclass
class Browser:
    """A page of Chromium, and what it asked for and complained about."""

    tab: Any
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def open(self, file: Path, width: int, **media: str) -> None:
        self.tab.set_viewport_size({"width": width, "height": 900})
        self.tab.emulate_media(**{"media": "screen", "color_scheme": "light", **media})
        self.tab.goto(file.as_uri())


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("needs Chromium, which is not installed: apt-get install chromium")
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright, of the tests")
    with sync_api.sync_playwright() as running:
        context = running.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("profile"), executable_path=chromium, args=list(FLAGS)
        )
        opened = Browser(context.new_page())
        opened.tab.on("request", lambda each: opened.requests.append(each.url))
        opened.tab.on("console", lambda each: opened.complaints.append(each.text))
        opened.tab.on("pageerror", lambda each: opened.complaints.append(str(each)))
        yield opened
        context.close()


@pytest.fixture(scope="module")
def file(hostile: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of two runs."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    other = replace(hostile, folder=hostile.folder / "other")
    return page.write([Content.of(hostile, "run1"), Content.of(other, "run2")], path)


def test_it_is_as_wide_as_the_window_and_asks_for_nothing(browser: Browser, file: Path) -> None:
    browser.requests.clear()
    browser.complaints.clear()
    kept = os.environ.get("SCREENSHOTS")  # a folder, to look at them
    for width in WIDTHS:
        for scheme in ("light", "dark"):
            browser.open(file, width, color_scheme=scheme)
            assert browser.tab.title() == "Runs: learning curves"
            assert browser.tab.evaluate("document.documentElement.scrollWidth") == width
            shown = browser.tab.locator("svg:visible")
            assert shown.count() == 2
            box = shown.first.bounding_box()
            assert box["x"] >= 0
            assert 0.5 * min(width, 500) < box["width"] <= width
            if kept:
                name = f"{width}-{scheme}.png"
                browser.tab.screenshot(path=Path(kept) / name, full_page=True)
    assert set(browser.requests) == {file.as_uri()}
    assert browser.complaints == []


def test_text_in_pictures_can_be_read_on_a_telephone(browser: Browser, file: Path) -> None:
    browser.open(file, 320)
    heights = browser.tab.evaluate(
        "[...document.querySelectorAll('svg.narrow text')]"
        ".map(each => each.getBoundingClientRect()).map(box => Math.min(box.width, box.height))"
    )
    assert len(heights) > 10
    assert sorted(heights)[len(heights) // 2] >= 9  # pixels, of half of them at least


def test_tables_wrap_on_a_telephone_and_move_where_that_is_not_enough(
    browser: Browser, file: Path
) -> None:
    for width in WIDTHS:
        browser.open(file, width)
        moved = browser.tab.evaluate(
            "[...document.querySelectorAll('.moves')].map(box => { box.scrollLeft = 9999;"
            " return [box.scrollWidth - box.clientWidth, box.scrollLeft] })"
        )
        assert all(beyond == left for beyond, left in moved)
        assert min(beyond for beyond, _ in moved) == 0


def test_dark_pages_have_light_letters(browser: Browser, file: Path) -> None:
    for scheme, is_dark in (("light", False), ("dark", True)):
        browser.open(file, 800, color_scheme=scheme)
        back, text = (
            browser.tab.evaluate(f"getComputedStyle(document.body).{key}")
            for key in ("backgroundColor", "color")
        )
        assert (_light(back) < _light(text)) == is_dark


def _light(colour: str) -> int:
    return sum(int(each) for each in colour.strip("rgb()").split(","))


def test_it_is_printed_on_white_with_the_wide_picture(browser: Browser, file: Path) -> None:
    browser.open(file, 320, media="print", color_scheme="dark")
    assert browser.tab.locator("svg.wide:visible").count() == 2
    assert browser.tab.locator("svg.narrow:visible").count() == 0
    back = browser.tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert back == "rgb(255, 255, 255)"
    assert browser.tab.pdf().startswith(b"%PDF")


def test_it_is_read_in_order_and_pictures_have_words(browser: Browser, file: Path) -> None:
    browser.open(file, 800)
    titles = browser.tab.locator("h1, h2, h3, h4").all_inner_texts()
    assert titles[:4] == ["Learning curves of 2 runs", titles[1], "The curves", titles[3]]
    levels = browser.tab.evaluate(
        "[...document.querySelectorAll('h1, h2, h3, h4')].map(each => +each.tagName[1])"
    )
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    pictures = browser.tab.get_by_role("img", name=re.compile("against training rows"))
    assert pictures.count() == 2
    browser.tab.locator("nav a").last.click()
    assert browser.tab.url.endswith("#run2")


def test_axe_finds_no_violation(browser: Browser, file: Path) -> None:
    axe = os.environ.get(AXE)
    if not axe or not Path(axe).is_file():
        pytest.skip(f"needs axe.min.js of the npm package axe-core, named by {AXE}")
    source = Path(axe).read_text(encoding="utf-8")
    for width, scheme in ((320, "light"), (800, "dark")):
        browser.open(file, width, color_scheme=scheme)
        browser.tab.evaluate(source)
        found = browser.tab.evaluate("axe.run()")
        assert [(each["id"], each["nodes"][0]["target"]) for each in found["violations"]] == []
        assert len(found["passes"]) > 15
