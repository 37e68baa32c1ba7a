"""A draft says what was read: what its config makes of the data is the same."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
import readers

from gdcurves import plan
from gdcurves.config import load_text
from gdcurves.datasets import Request
from gdcurves.errors import UserError
from gdcurves.plan import draft, loading
from gdcurves.problems.problem import Problem


def both(path: Path, target: str) -> tuple[Problem, Problem]:
    """The problem that a draft is made for, and that of its config."""
    made = draft.make(Request(str(path), target), None)
    planned = plan.make(load_text(made.text, path.with_suffix(".yaml")), (), 20)
    problems, _ = loading.load(planned, "packaged", None)
    return made.problem, problems[made.name]


def assert_same(path: Path, target: str) -> Problem:
    one, other = both(path, target)
    assert (one.levels, one.classes, one.features) == (other.levels, other.classes, other.features)
    assert np.array_equal(one.x, other.x)
    assert np.array_equal(one.y, other.y)
    return other


def test_levels_with_missing_values_among_numbers(tmp_path: Path) -> None:
    """NA among 0 and 1 is a missing value, and would be a level of a column named as discrete."""
    path = tmp_path / "my.csv"
    rows = [
        f"{i * 37 % 101 / 4},{'NA' if i in (3, 7) else i % 2},{'np'[i % 3 == 0]}" for i in range(40)
    ]
    path.write_text("\n".join(["x,b,y", *rows]) + "\n")
    problem = assert_same(path, "y")
    assert problem.levels == (0, 2)
    assert problem.provenance.rows_used == 38
    text = draft.make(Request(str(path), "y"), None).text
    assert "# discrete too: b, " in text
    named = draft.make(Request(str(path), "y", discrete=("b",)), None)
    assert named.problem.levels == (0, 3)


def test_a_class_that_may_stand_for_no_value(tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    rows = [f"{i * 37 % 101 / 4},{['n', 'p', 'NA'][i % 3]}" for i in range(40)]
    path.write_text("\n".join(["x,y", *rows]) + "\n")
    made = draft.make(Request(str(path), "y"), None)
    assert made.problem.provenance.holds_if == (
        "'NA' is a class, and no missing value (else --missing-text NA)",
    )
    path.write_text("\n".join(["x,y", *(row.replace("NA", "None") for row in rows)]) + "\n")
    assert draft.make(Request(str(path), "y"), None).problem.provenance.holds_if == ()


@pytest.mark.slow
def test_of_tables_of_all_sorts(tmp_path: Path) -> None:
    n_same = 0
    for seed in range(150):
        rng = random.Random(f"draft {seed}")
        drawn = readers.draw(rng)
        content, _ = readers.READERS["csv, the fast reader"](drawn, rng)
        path = tmp_path / f"t{seed}.csv"
        path.write_bytes(content)
        try:
            made = draft.make(Request(str(path), drawn.target), None)
        except UserError:
            continue
        if made.refusal is None:
            assert_same(path, drawn.target)
            n_same += 1
    assert n_same > 25
