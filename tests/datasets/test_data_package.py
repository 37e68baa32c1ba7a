"""The shipped files are what `scripts/package_data.py` writes."""

from __future__ import annotations

import gzip
import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from gdcurves import datasets
from gdcurves.datasets import CATALOGUE, Table

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def script() -> Iterator[ModuleType]:
    if not (ROOT / "scripts" / "package_data.py").is_file():
        pytest.skip("needs scripts/package_data.py of the repository")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "scripts")
        yield importlib.import_module("package_data")


@pytest.fixture(scope="module")
def tables() -> list[Table]:
    return [datasets.load(name) for name, spec in CATALOGUE.items() if spec.packaged_from]


@pytest.mark.slow
def test_files_are_in_the_scripts_form(script: ModuleType, tables: list[Table]) -> None:
    # The text, not the compressed bytes: those depend on the version of zlib.
    for table in tables:
        shipped = (script.PACKAGED / f"{table.name}.csv.gz").read_bytes()
        assert gzip.decompress(shipped) == gzip.decompress(script.encode(table)), table.name
        assert shipped[4:8] == bytes(4), "the time stamp in the gzip header is not 0"


@pytest.mark.slow
def test_readme_is_the_scripts(script: ModuleType, tables: list[Table]) -> None:
    assert (script.PACKAGED / "README.md").read_text() == script.readme(tables)


def test_every_file_belongs_to_the_catalogue(script: ModuleType, tables: list[Table]) -> None:
    expected = {f"{table.name}.csv.gz" for table in tables} | {"README.md"}
    assert {path.name for path in script.PACKAGED.iterdir()} == expected
    assert set(script.MEMBERS) == {table.name for table in tables}


def test_package_stays_small(script: ModuleType) -> None:
    assert sum(path.stat().st_size for path in script.PACKAGED.iterdir()) < 700_000
