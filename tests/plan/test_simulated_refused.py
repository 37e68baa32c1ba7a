"""Simulated experiments that are refused before any fit: one line with file, line and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdcurves import config, plan
from gdcurves.errors import UserError
from gdcurves.plan import loading


@pytest.mark.parametrize(
    ("experiment", "sizes", "line", "message"),
    [
        (
            "{name: e, simulate: {name: ce_diag, rows: 20}, stratified: true}",
            "[4, 22]",
            "sizes[1]: size 22 means 11 training rows of each of 2 classes, and class '1' of e has"
            " 10; write a size from 2 to 19",
            None,
        ),
        (
            "{name: e, simulate: {name: be_diag, rows: [30, 5], draw: each}, stratified: true}",
            "{start: 2, stop: 12, step: 2}",
            "sizes.stop: size 12 means 6 training rows of each of 2 classes, and class '2' of e has"
            " 5; write a size from 2 to 11",
            None,
        ),
        (
            "{name: e, simulate: {bernoulli: [{a: 0.1}, {a: 0.2}, {a: 0.3}], rows: 30},"
            " stratified: true}",
            "[2, 9]",
            "sizes[0]: size 2 means 0 training rows of each of 3 classes, and class '1' of e has"
            " 10; write a size from 3 to 29",
            None,
        ),
        (
            "{name: e, simulate: {name: ce_diag, rows: 20}, stratified: true}",
            "[2, 4, 5]",
            "sizes[2]: size 5 means 2 training rows of each of 2 classes for e, as size 4 does;"
            " write multiples of 2",
            None,
        ),
        (
            "{name: e, simulate: {name: ce_diag, rows: 20}, stratified: true}",
            "{start: 4, stop: 10}",
            "sizes.step: size 5 means 2 training rows of each of 2 classes for e, as size 4 does;",
            None,
        ),
        (
            "{name: e, simulate: {name: ce_diag, rows: 20}, stratified: true}",
            "[20]",
            "sizes[0]: size 20 is too large: e has 20 rows, and",
            "at least one is for testing",
        ),
        (
            "{name: e, simulate: {name: ce_diag, rows: 20, draw: each}}",
            "[4, 20]",
            "sizes[1]: size 20 is too large",
            "write 19 or less",
        ),
    ],
)
def test_sizes_that_a_law_cannot_fill(
    tmp_path: Path, experiment: str, sizes: str, line: str, message: str | None
) -> None:
    path = tmp_path / "my.yaml"
    path.write_text(
        f"splits: 5\nsizes: {sizes}\nexperiments:\n- {experiment}\nfitters:\n- type: naive_bayes\n"
    )
    planned = plan.make(config.load(path))
    with pytest.raises(UserError) as caught:
        loading.load(planned, "packaged", None)
    said = str(caught.value)
    assert said.startswith(f"{path}:2: {line}")
    assert message is None or message in said
    assert "\n" not in said


def test_rows_that_are_too_few_for_stratified_sets(tmp_path: Path) -> None:
    path = tmp_path / "my.yaml"
    path.write_text(
        "sizes: [2]\nexperiments:\n- name: e\n  simulate: {name: be_diag, rows: 2}\n"
        "  stratified: true\nfitters:\n- type: naive_bayes\n"
    )
    with pytest.raises(UserError) as caught:
        loading.load(plan.make(config.load(path)), "packaged", None)
    assert str(caught.value).startswith(
        f"{path}:5: experiments[0].stratified: 2 rows of 2 classes are too few, with at least one"
    )


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        ("[[1, 2], [3]]", "input 'x4' is in no block; every input belongs to one"),
        ("[[x1, x2], [x2, x3, x4]]", "input 'x2' stands in blocks twice; name it once"),
        ("[[1, 2], [x2, 3, 4]]", "input 'x2' stands in blocks twice; name it once"),
        ("[[1, 2, 3, 4], [5]]", "no input 5; they have numbers 1 to 4"),
        ("[[0], [1, 2, 3, 4]]", "no input 0; they have numbers 1 to 4"),
        ("[[x1, x2, x3], [x5]]", "no input 'x5'; choose from x1, x2, x3, x4"),
    ],
)
@pytest.mark.parametrize("draw", ["once", "each"])
def test_blocks_that_are_no_partition(tmp_path: Path, blocks: str, message: str, draw: str) -> None:
    path = tmp_path / "my.yaml"
    path.write_text(
        "sizes: [8]\nexperiments:\n"
        f"- {{name: fine, simulate: {{name: ce_diag, rows: 20, draw: {draw}}}}}\n"
        f"fitters:\n- {{type: hybrid, name: parts, blocks: {blocks}}}\n"
    )
    planned = plan.make(config.load(path))
    with pytest.raises(UserError) as caught:
        loading.load(planned, "packaged", None)
    said = str(caught.value)
    assert said.startswith(f"{path}:5: fitters[0].blocks: for fine, {message}")
    assert "\n" not in said


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("[{sizes: [5], splits: 9}]", "no experiment has the size 5; write sizes that one has"),
        ("[{sizes: [4], splits: 9}, {sizes: [4], splits: 8}]", "the size 4 has its splits already"),
        ("[{sizes: [4], splits: 0}]", "found 0; write 1 or more"),
        ("[{sizes: [4]}]", "this key is missing; add it"),
    ],
)
def test_more_splits_that_make_no_sense(tmp_path: Path, more: str, message: str) -> None:
    path = tmp_path / "my.yaml"
    path.write_text(
        f"sizes: [4]\nmore_splits: {more}\nexperiments: [{{name: e, simulate: ce_diag}}]\n"
        "fitters: [{type: naive_bayes}]\n"
    )
    with pytest.raises(UserError, match=r"my\.yaml:2: more_splits") as caught:
        config.load(path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
