"""Tables of counts, as many that are published are."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest

from gdcurves import datasets
from gdcurves.datasets import Request
from gdcurves.datasets.remarks import About

CELLS = [*product(("1st", "2nd", "3rd"), ("male", "female"), ("no", "yes"))]


def told(
    path: Path, name: str, counts: list[str], more: tuple[tuple[str, ...], ...] = ()
) -> list[str]:
    rows = [*CELLS, *more]
    lines = [",".join((*cells, n)) for cells, n in zip(rows, counts, strict=True)]
    path.write_text("\n".join([f"class,sex,survived,{name}", *lines]) + "\n")
    table = datasets.load(Request(str(path), "survived"))
    return [each.holds_if for each in table.remarks if each.kind is About.TALLIED]


COUNTS = [str(i * i % 23) for i in range(12)]


@pytest.mark.parametrize("name", ["Freq", "n", "count", "Frequency", "cases"])
def test_a_row_for_each_combination_and_its_count(tmp_path: Path, name: str) -> None:
    (condition,) = told(tmp_path / "my.csv", name, COUNTS)
    assert condition == f"each row is one case, and {name!r} does not count them"


def test_what_is_no_such_table(tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    assert not told(path, "age", COUNTS)
    assert not told(path, "n", [f"{each}.5" for each in COUNTS])
    assert not told(path, "n", [f"-{each}" for each in COUNTS])
    assert not told(path, "n", [*COUNTS, "3"], (CELLS[0],))  # two rows of the same levels


def test_numbers_among_the_columns(tmp_path: Path) -> None:
    """Ages and their groups, crossed with levels; ages as people have them are no such table."""
    path = tmp_path / "my.csv"
    cells = [*product(("m", "f"), ("a", "b", "c"), (10, 15, 20, 25, 30, 35))]
    lines = [f"{s},{w},{age},{age // 20},{i * i % 31}" for i, (s, w, age) in enumerate(cells)]
    for some, n_told in ((lines, 1), (random.Random(0).sample(lines, 15), 0)):
        path.write_text("\n".join(["sex,way,age,group,Freq", *some]) + "\n")
        table = datasets.load(Request(str(path), "sex"))
        assert [each.kind for each in table.remarks].count(About.TALLIED) == n_told
