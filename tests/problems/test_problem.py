"""The rules by which problems are made, on small tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gdcurves import datasets
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.spec import DatasetSpec, Kind
from gdcurves.datasets.table import Table
from gdcurves.datasets.table import build as build_table
from gdcurves.errors import UserError
from gdcurves.problems.problem import Problem, build

TOY = DatasetSpec(
    name="toy",
    title="Toy",
    stems=("toy",),
    openml_id=0,
    columns={"size": "continuous", "colour": "discrete", "weight": "continuous"},
    target="class",
    n_rows=6,
    packaged_from=None,
    licence="none",
    citation="none",
)
ROWS: list[tuple[object, ...]] = [
    ("4", "red", "7", "b"),
    ("10", "blue", "7", "a"),
    ("2", None, "7", "c2"),
    (None, "green", "7", "a"),
    ("3", "blue", "7", "c10"),
    ("6", "violet", "7", None),
]


def toy(rows: list[tuple[object, ...]], spec: DatasetSpec = TOY) -> Table:
    return build_table(spec, Raw.of_rows([*spec.columns, spec.target], rows, "test"), "file")


NUMERIC = replace(TOY, target="price", target_kind="continuous")


def test_default_classes_are_all_labels_in_natural_order() -> None:
    problem = build("e", toy(ROWS), "continuous")
    assert problem.classes == ("a", "b", "c2", "c10")
    assert problem.y.tolist() == [0, 1, 2, 3]
    # size between 2 and 10; weight is constant
    assert problem.x.tolist() == [[1.0, 0.0], [0.25, 0.0], [0.0, 0.0], [0.125, 0.0]]
    assert problem.features == ("size", "weight")
    assert problem.provenance.rows_missing == 2


def test_merged_classes_dropped_rows_and_levels() -> None:
    problem = build("e", toy(ROWS), "discrete", [("C", ["c2", "c10"]), ("A", ["a"])])
    assert problem.classes == ("C", "A")
    # levels blue, green: violet has no class, red is of another class
    assert problem.y.tolist() == [0, 1, 1]
    assert problem.x.tolist() == [[0], [0], [1]]
    assert problem.levels == (2,)
    origin = problem.provenance
    assert (origin.rows_read, origin.rows_used) == (6, 3)
    assert (origin.rows_missing, origin.rows_other_class) == (2, 1)


def test_labels_that_look_like_missing_values() -> None:
    rows = [(str(i), "red", "1", label) for i, label in enumerate(["NA", "None", "NA", "?", ""])]
    problem = build("e", toy(rows), "continuous")
    assert problem.classes == ("NA", "None")
    assert problem.provenance.rows_missing == 2


def test_labels_that_are_numbers() -> None:
    rows = [(float(i), "red", 1, label) for i, label in enumerate([1, 2.0, "1.0", "02"])]
    problem = build("e", toy(rows), "continuous", [("one", ["1"]), ("two", ["2.0"])])
    assert np.bincount(problem.y).tolist() == [2, 1]
    assert problem.provenance.rows_other_class == 1


def test_threshold_is_over_the_rows_used() -> None:
    rows = [
        (size, "red", 1, price) for size, price in [(1, 1), (2, 2), (3, 3), (None, 9), (4, None)]
    ]
    problem = build("e", toy(rows, NUMERIC), "continuous", threshold="median")
    assert problem.provenance.threshold == 2.0
    assert problem.classes == ("<= 2", "> 2")
    assert np.bincount(problem.y).tolist() == [2, 1]
    fixed = build("e", toy(rows, NUMERIC), "continuous", threshold=1.5)
    assert fixed.classes == ("<= 1.5", "> 1.5")
    assert np.bincount(fixed.y).tolist() == [1, 2]


def test_saved_problem_comes_back_as_maps(tmp_path: Path) -> None:
    problem = build("e", toy(ROWS), "discrete", [("C", ["c2", "c10"]), ("A", ["a"])])
    problem.save(tmp_path / "deep" / "folder")
    loaded = Problem.load(tmp_path / "deep" / "folder")
    assert isinstance(loaded.x, np.memmap)
    for before, after in [(problem.x, loaded.x), (problem.y, loaded.y)]:
        assert np.array_equal(before, after)
        assert before.dtype == after.dtype
        assert not before.flags.writeable
        assert not after.flags.writeable
    for field in ("name", "kinds", "levels", "features", "classes", "provenance", "rescale"):
        assert getattr(loaded, field) == getattr(problem, field)


@pytest.mark.parametrize(
    ("spec", "inputs", "classes", "threshold", "message"),
    [
        (TOY, "continuous", [("A", ["a"]), ("C", ["c1"])], None, "has no label 'c1'; did you mean"),
        (TOY, "continuous", [("A", ["a"]), ("N", ["NA"])], None, "a missing value is in no class"),
        (TOY, "continuous", [("A", ["a", "b"]), ("B", ["b"])], None, "label 'b' is given twice"),
        (TOY, "continuous", [("A", ["a", "b"])], None, "makes 1 class; give between 2 and 127"),
        (
            TOY,
            "discrete",
            [("A", ["a"]), ("C", ["c2"])],
            None,
            "is of class 'C'; change",
        ),
        (
            TOY,
            "continuous",
            None,
            "median",
            "'class' of data set 'toy' (test) holds labels: give `classes`",
        ),
        (
            NUMERIC,
            "continuous",
            None,
            None,
            "'price' of data set 'toy' (test) is a number: give `threshold`",
        ),
        (NUMERIC, "continuous", [("A", ["1"])], 2.0, "is a number: give `threshold` alone"),
        (NUMERIC, "continuous", None, 99.0, "is of class '> 99'; give a `threshold`"),
    ],
)
def test_errors(
    spec: DatasetSpec,
    inputs: Kind,
    classes: list[tuple[str, list[str]]] | None,
    threshold: float | None,
    message: str,
) -> None:
    rows = ROWS if spec is TOY else [(*row[:3], i) for i, row in enumerate(ROWS)]
    with pytest.raises(UserError) as error:
        build("e", toy(rows, spec), inputs, classes, threshold)
    assert message in str(error.value)


def test_no_column_or_row_of_the_kind() -> None:
    with pytest.raises(UserError, match="data set 'vote' has no continuous inputs"):
        build("e", datasets.load("vote"), "continuous")
    with pytest.raises(
        UserError, match=r"no row of data set 'toy' \(test\) is complete in the target and"
    ):
        build("e", toy([(None, "red", 1, "a"), (2, "red", None, "b")]), "continuous")


row = st.tuples(
    st.one_of(st.none(), st.floats(-1e6, 1e6)),
    st.sampled_from([None, "red", "blue", "1", "10"]),
    st.integers(-3, 3),
    st.sampled_from(["a", "b", None]),
)
certain: list[tuple[object, ...]] = [(0.5, "red", 1, "a"), (-0.0, "blue", 0, "b")]


@pytest.mark.slow
@given(st.lists(row, max_size=20), st.randoms(use_true_random=False))
def test_order_of_rows_changes_nothing(rows: list[tuple[object, ...]], random: object) -> None:
    rows = [*rows, *certain]
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = toy(rows), toy(shuffled)
    assert one.sha256 == other.sha256
    for inputs in ("continuous", "discrete"):
        before, after = build("e", one, inputs), build("e", other, inputs)
        assert before.x.tobytes() == after.x.tobytes()
        assert before.y.tobytes() == after.y.tobytes()
        assert before.levels == after.levels
        keys = [(label, *cells) for label, cells in zip(before.y, before.x.tolist(), strict=True)]
        assert keys == sorted(keys)


@pytest.mark.slow
@given(st.lists(row, max_size=20))
def test_spelling_of_numbers_changes_nothing(rows: list[tuple[object, ...]]) -> None:
    rows = [*rows, *certain]
    spelled = [
        tuple(
            " ? " if cell is None else f" {cell}" for cell in (size, colour, f"{weight}.00", label)
        )
        for size, colour, weight, label in rows
    ]
    assert toy(spelled).sha256 == toy(rows).sha256
