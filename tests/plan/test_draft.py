"""A draft says what was read: what its config makes of the data is the same."""

from __future__ import annotations

import random
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
import readers

from gdcurves import plan
from gdcurves.config import load_text
from gdcurves.datasets import Request
from gdcurves.datasets.raw import title
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


CONTROLS = ["b\x07", "b\x7f", "b\x92c", "b\x85c", "b\u2028c", "b\uffff", "\ufeffb", "b\x1b[2J"]
CONTROLS += ["\U0001f44d"]


@pytest.mark.parametrize("text", CONTROLS)
@pytest.mark.parametrize("place", ["input", "target", "label", "left out", "missing"])
def test_texts_with_what_a_config_may_not_hold(tmp_path: Path, text: str, place: str) -> None:
    """As in a text of cp1252 that is read as Latin-1."""
    path = tmp_path / "my.csv"
    header = {"input": ["a", text, "y"], "target": ["a", "k", text], "left out": [text, "k", "y"]}
    label, cell = text if place == "label" else "p", text if place == "missing" else "1.5"
    lines = [header.get(place, ["a", "k", "y"])]
    for i in range(40):
        first = "" if place == "left out" else f"{i * 37 % 101}.25"
        lines.append([first, cell if i == 7 else f"{i * i}.5", label if i // 2 % 2 else "n"])
    path.write_text("".join(",".join(line) + "\n" for line in lines), encoding="utf-8", newline="")
    target = title(text) if place == "target" else "y"
    missing = ("", "?", text) if place == "missing" else ("", "?")
    made = draft.make(Request(str(path), target, missing_texts=missing), None)
    planned = plan.make(load_text(made.text, path.with_suffix(".yaml")), (), 20)
    problems, _ = loading.load(planned, "packaged", None)
    other = problems[made.name]
    assert (other.classes, other.features) == (made.problem.classes, made.problem.features)
    assert np.array_equal(other.x, made.problem.x)
    assert other.provenance.rows_missing == (place == "missing")


@pytest.mark.parametrize("label", ["\U0001f44d", "\u65e5\u672c", "a\x92", 'a"', "a\\b"])
def test_the_mapping_of_the_note_merges(tmp_path: Path, label: str) -> None:
    path = tmp_path / "my.csv"
    labels = [label, f"{label}.", "c"]
    written = ['"' + each.replace('"', '""') + '"' for each in labels]
    lines = [f"{i * 37 % 101}.25,{written[i * 7 % 3]}" for i in range(60)]
    path.write_text("\n".join(["a,y", *lines]) + "\n", encoding="utf-8")
    made = draft.make(Request(str(path), "y"), None)
    (note,) = [each for each in made.notes if "--classes" in each]
    _, mapping = shlex.split(note[note.index("--classes") :])
    merged = re.sub(r"classes: \[.*", lambda _: f"classes: {mapping}", made.text)
    planned = plan.make(load_text(merged, path.with_suffix(".yaml")), (), 20)
    problems, _ = loading.load(planned, "packaged", None)
    (problem,) = problems.values()
    assert sorted(problem.classes) == sorted([label, "c"])
    assert problem.provenance.rows_used == 60
