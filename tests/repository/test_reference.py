"""The pages of docs/reference, held against the code on both sides."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

from gdcurves import curves
from gdcurves.cli.schema import schema
from gdcurves.complexity import table as complexity
from gdcurves.config import ExperimentConfig, FitterConfig, RunConfig
from gdcurves.config.meanings import meanings
from gdcurves.config.strict import StrictModel
from gdcurves.crossings import COMPARISONS, CROSSINGS, OUTLOOK
from gdcurves.fitters import REGISTRY
from gdcurves.limits.columns import TABLE as LIMITS
from gdcurves.run.tables import PUBLISHED
from gdcurves.scoring.measures import MEASURES
from gdcurves.store.contents import CONTENTS
from gdcurves.store.table import TableFormat
from gdcurves.theory import columns as theory

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "reference"
BUILT_IN = [each for each in REGISTRY.values() if each.__module__.startswith("gdcurves.")]
TABLES = (COMPARISONS, CROSSINGS, OUTLOOK, LIMITS, complexity.TABLE, theory.TABLE, PUBLISHED)
# What a table has where there is something to say: of the best linear rule, and of linear ones.
FURTHER = {LIMITS.name: {"gap", "weight0", "weight1"}}

if not (ROOT / "scripts" / "reference.py").is_file():
    pytest.skip("needs the repository", allow_module_level=True)


@pytest.fixture(scope="module")
def reference() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "scripts")
        yield importlib.import_module("reference")


def test_pages_from_the_code_are_as_it_makes_them(reference: ModuleType) -> None:
    for name, content in reference.pages().items():
        there = (PAGES / name).read_text(encoding="utf-8")
        assert there == content, f"{name} is of other code: python scripts/reference.py"


@pytest.mark.parametrize("model", [RunConfig, ExperimentConfig, FitterConfig, *BUILT_IN])
def test_every_key_and_option_has_a_meaning(model: type[StrictModel]) -> None:
    assert list(meanings(model)) == list(model.model_fields)


def test_the_json_schema_has_the_meanings() -> None:
    written = schema()
    experiment = written["$defs"]["ExperimentConfig"]["properties"]
    assert experiment["drop"]["description"] == "Columns that are left out."
    assert written["properties"]["seed"]["description"] == "What all random draws derive from."
    bayes = written["properties"]["fitters"]["items"]["oneOf"][0]["properties"]
    assert bayes["prior"]["description"].startswith("(n_y + l)")


def test_meanings_are_those_of_a_model_and_what_it_is_made_from() -> None:
    class Base(StrictModel):
        """A base.

        Attributes
        ----------
        a, b
            Two of them,
            in two lines.
        """

        a: int
        b: int

    class Derived(Base):
        """More of it.

        Attributes
        ----------
        b
            Its own.
        c
            Another.
        """

        c: int

    assert meanings(Derived) == {
        "a": "Two of them, in two lines.",
        "b": "Its own.",
        "c": "Another.",
    }
    written = Derived.model_json_schema()
    assert written["description"] == "More of it."
    assert written["properties"]["c"]["description"] == "Another."


def told(section: str) -> list[str]:
    """What the first columns of the tables in a section of the page on results name."""
    page = (PAGES / "results.md").read_text(encoding="utf-8")
    text = re.split(r"^## ", page, flags=re.MULTILINE)
    (own,) = (each for each in text if each.startswith(f"{section}\n"))
    return list(named(own))


def named(text: str) -> Iterator[str]:
    """What stands as code in the first columns of tables, and "..." after it."""
    for cell in re.findall(r"^\| (`.*?) \|", text, re.MULTILINE):
        yield from (code or dots for code, dots in re.findall(r"`([^`]+)`|(\.\.\.)", cell))


@pytest.mark.parametrize("table", TABLES, ids=lambda each: each.name)
def test_columns_of_results_are_told(table: TableFormat) -> None:
    names = {each for each in told(table.name) if each not in (*QUANTITIES, "...")}
    assert names == {*table.columns, *FURTHER.get(table.name, ())}


QUANTITIES = [
    value for name, value in vars(theory).items() if name.isupper() and isinstance(value, str)
]


def test_quantities_of_the_theory_are_told() -> None:
    assert {*QUANTITIES} <= {*told("theory.csv")}


def test_columns_of_curves_are_told() -> None:
    names = told("curves.csv")
    measures = list(MEASURES.values())
    ends = [name for each in measures for name in curves.interval_of(each)]
    there = {*curves.columns(measures), *ends}
    assert {*names} - {"...", "theta0", "theta1"} <= there
    first = [name for name, after in pairwise(names) if after == "..."]
    others = tuple(f"{name.rpartition('_')[0]}_" for name in first)  # columns of the same measure
    assert [each for each in there - {*names, *ends} if not each.startswith(others)] == []


def test_files_of_results_are_told() -> None:
    page = (PAGES / "results.md").read_text(encoding="utf-8").partition("\n## ")[0]
    shown = {item.pattern for item in CONTENTS if not item.pattern.startswith(".")}
    assert {*named(page)} == shown
