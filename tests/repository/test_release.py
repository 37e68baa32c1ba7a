"""What is released: versions, metadata, licences, and the files of wheel and source archive."""

from __future__ import annotations

import contextlib
import re
import subprocess
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from email.message import Message
from email.parser import Parser
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hatchling.build import build_sdist, build_wheel
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version
from ruamel.yaml import YAML
from trove_classifiers import classifiers

import gdcurves

ROOT = Path(__file__).resolve().parents[2]
MOST_BYTES = 2_000_000  # of a wheel
INFO = f"gdcurves-{gdcurves.__version__}.dist-info"
LICENCES = "gdcurves/datasets/packaged/README.md"


def text(name: str) -> str:
    path = ROOT / name
    if not path.is_file():
        pytest.skip(f"needs {name} of the repository")
    return path.read_text(encoding="utf-8")


def test_changelog_begins_with_this_version() -> None:
    versions = re.findall(r"^## (\S+)", text("CHANGELOG.md"), flags=re.MULTILINE)
    assert versions[0] == gdcurves.__version__


def test_citation_is_of_this_version() -> None:
    assert YAML(typ="safe").load(text("CITATION.cff"))["version"] == gdcurves.__version__


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    folder = tmp_path_factory.mktemp("wheel")
    with contextlib.chdir(ROOT), zipfile.ZipFile(folder / build_wheel(str(folder))) as built:
        yield built


@pytest.fixture(scope="module")
def metadata(wheel: zipfile.ZipFile) -> Message:
    return Parser().parsestr(wheel.read(f"{INFO}/METADATA").decode())


def project() -> dict[str, Any]:
    return tomllib.loads(text("pyproject.toml"))


def test_the_page_of_a_package_index_has_no_link_to_a_file_beside_it(metadata: Message) -> None:
    """Links of the README that lead to a file name it, and the file is there."""
    page, readme = metadata.get_payload(), text("README.md")
    assert isinstance(page, str)
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert page.startswith("# gdcurves\n")
    assert re.findall(r"\]\((?!https?:)", page) == []
    assert "<!--" not in page
    paths = re.findall(r"\]\((?![a-z]+:)([^)#\s]+)", readme)
    linked = {each for each in paths if not each.endswith(".png")}
    assert len(linked) > 20
    assert linked <= {*re.findall(r"`([\w./-]+)`", page)}
    assert all((ROOT / each).exists() for each in linked)


def test_wheel_is_small(wheel: zipfile.ZipFile) -> None:
    assert wheel.filename is not None
    assert Path(wheel.filename).stat().st_size <= MOST_BYTES


def test_wheel_has_its_licences_and_those_of_each_data_set(
    wheel: zipfile.ZipFile, metadata: Message
) -> None:
    files = metadata.get_all("License-File", [])
    held = {each: wheel.read(f"{INFO}/licenses/{each}").decode() for each in files}
    assert {"LICENSE", LICENCES} == {*held}
    assert held["LICENSE"].startswith("MIT License")
    rows = re.findall(r"^\| `(.+)` \|.*\| (.+) \|$", held[LICENCES], re.MULTILINE)
    data = resources.files(gdcurves) / "datasets" / "packaged"
    assert {name for name, _ in rows} == {
        each.name for each in data.iterdir() if each.name.endswith(".csv.gz")
    }
    named = {"CC BY 4.0": "CC-BY-4.0"}
    expression = metadata["License-Expression"].split(" AND ")
    assert {*expression} == {"MIT"} | {
        named[licence] for _, licence in rows if not licence.startswith("none stated")
    }


def test_classifiers_are_known_and_begin_with_the_oldest_python(metadata: Message) -> None:
    given = metadata.get_all("Classifier", [])
    assert {*given} <= classifiers
    minors = [int(each) for each in re.findall(r"Python :: 3\.(\d+)$", "\n".join(given), re.M)]
    promised = SpecifierSet(metadata["Requires-Python"])
    assert next(minor for minor in range(30) if f"3.{minor}" in promised) == min(minors)
    assert minors == [*range(min(minors), max(minors) + 1)]


@pytest.mark.slow
def test_source_archive_has_all_that_is_kept_here(tmp_path: Path) -> None:
    """So it has what pages link to, what tests read, and what the site is made of."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs the repository")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    kept = {each for each in listed.stdout.split("\0") if each and (ROOT / each).exists()}
    with contextlib.chdir(ROOT), tarfile.open(tmp_path / build_sdist(str(tmp_path))) as built:
        held = {each.partition("/")[2] for each in built.getnames()}
    assert kept - held == set()
    assert len(kept) > 500


def test_each_bound_is_a_lowest_version_and_holds_where_it_is_tested() -> None:
    """`make release` installs the lowest versions by them; tests may ask for more."""
    tables = project()
    extras = chain(*tables["project"]["optional-dependencies"].values())
    needed = [*tables["project"]["dependencies"], *extras]
    bounds: dict[str, Version] = {}
    for name, version in map(lowest, needed):
        assert bounds.setdefault(name, version) == version
    for name, version in map(lowest, chain(*tables["dependency-groups"].values())):
        assert version >= bounds.get(name, version)


def lowest(requirement: str) -> tuple[str, Version]:
    read = Requirement(requirement)
    (bound,) = read.specifier
    assert bound.operator == ">="
    return read.name, Version(bound.version)
