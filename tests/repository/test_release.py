"""What names the version names the same one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

import gdcurves

ROOT = Path(__file__).resolve().parents[2]


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
