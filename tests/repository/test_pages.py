"""README, docs/ and other pages: what they say to do is done, and their links lead somewhere."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from blocks import blocks
from pages import ROOT, PageError, Reader

DOCS = sorted((ROOT / "docs").rglob("*.md"))
FOLLOWED = [ROOT / "README.md", *DOCS]
COMPUTED = [ROOT / name for name in ("README.md", "docs/tutorial.md", "docs/how-to/notebook.md")]
LINKED = [*FOLLOWED, *(ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md"))]
LINKED += [ROOT / "tests" / "README.md", *sorted((ROOT / "results").glob("*.md"))]

if not (ROOT / "scripts" / "links.py").is_file():
    pytest.skip("needs the repository", allow_module_level=True)


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.fixture(scope="module")
def links() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "scripts")
        yield importlib.import_module("links")


@pytest.mark.slow
@pytest.mark.parametrize("page", FOLLOWED, ids=named)
def test_what_a_page_says_works(page: Path, tmp_path: Path) -> None:
    Reader("less" if page in COMPUTED else "planned").follow(page, tmp_path)


def test_commands_of_the_theory_exist(tmp_path: Path) -> None:
    Reader("read").follow(ROOT / "results" / "theory.md", tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("    gdcurves run --data sonar --splitz 3\n", "No such option: --splitz"),
        ("```sh\ngdcurves status nowhere\n```", "exit code 2"),
        ("    mkae run\n", "no test knows"),
        ("    make rnu\n", "make has no rnu"),
        ("    pip install 'gdcurves[sikit]'\n", "no extra sikit"),
        ("<!-- test: parsed -->\n```sh\ngdcurves plto my\n```", "No such command 'plto'"),
        ("```python\nprint(1 / 0)\n```", "division by zero"),
        ("    gdcurves fitters\n\n```text\nno such line\n```", "not printed: no such line"),
        ("```sh\n#!/bin/bash\n# a.sbatch\ngdcurves run --dta x\n```", "No such option: --dta"),
        ("```sh\n# a.sbatch\n#!/bin/bash\n```", "no script of bash"),
        ("```yaml\n# my.yaml\nsplitz: 3\n```\n\n    gdcurves config check my.yaml\n", "splitz"),
        ("```\nno language\n```", "what is it"),
    ],
)
def test_what_does_not_work_is_found(text: str, said: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    with pytest.raises(PageError, match=re.escape(said)):
        Reader("less").follow(page, tmp_path)


def test_a_run_that_would_be_refused_is_found_before_it_is_computed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    again = "    gdcurves run --data sonar --resume\n    gdcurves run --data sonar --out more\n"
    page.write_text(f"    gdcurves run --data sonar\n{again}")
    Reader("planned").follow(page, tmp_path)
    page.write_text(f"{again}\n    gdcurves run --data sonar\n")
    with pytest.raises(PageError, match="sonar holds the run of a command above"):
        Reader("planned").follow(page, tmp_path)


def test_every_command_of_a_page_is_a_block() -> None:
    """The rules hold for what is read as a block: all that looks like one is."""
    for page in FOLLOWED:
        text = page.read_text(encoding="utf-8")
        lines = re.findall(r"^ *(?:gdcurves|make|pip) .*", text, re.MULTILINE)
        held = "\n".join(each.text for each in blocks(text)).splitlines()
        assert {line.strip() for line in lines} <= {line.strip() for line in held}, page


@pytest.mark.parametrize("page", LINKED, ids=named)
def test_links_lead_somewhere(page: Path, links: ModuleType) -> None:
    for link in links.links(page.read_text(encoding="utf-8")):
        to = Path(os.path.normpath(page.parent / link.path)) if link.path else page
        assert to.exists(), f"{named(page)}: no {link.path}"
        if link.anchor:
            there = links.anchors(to.read_text(encoding="utf-8"))
            assert link.anchor in there, f"{named(page)}: no #{link.anchor} in {link.path}"


def test_every_page_is_in_the_menu_and_reached_from_readme(links: ModuleType) -> None:
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    linked = {link.path for link in links.links(readme)}
    for page in DOCS:
        assert page.relative_to(ROOT / "docs").as_posix() in menu
        assert named(page) in linked or page.name == "index.md", page


def test_readme_leads_to_every_question() -> None:
    asked = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")
    led = (ROOT / "README.md").read_text(encoding="utf-8")
    questions = re.findall(r"^## (.*)$", asked, re.MULTILINE)
    assert len(questions) >= 10
    for question in questions:
        assert f"| {question} | [" in led


def test_readme_keeps_two_screens() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 100
