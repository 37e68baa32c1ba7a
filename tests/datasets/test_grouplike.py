"""Columns that look like groups of rows bring one note, and others none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from gdcurves.datasets import Request, look

WORDS = "may stand for rows that belong together"
REPEATED = [f"s{i // 3}" for i in range(30)]


def noted(tmp_path: Path, columns: dict[str, list[object]], **options: object) -> list[str]:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(columns).assign(x=rng.normal(size=30), y=["a", "b"] * 15)
    frame.to_csv(tmp_path / "d.csv", index=False)
    table = look(Request(str(tmp_path / "d.csv"), "y", **options))  # type: ignore[arg-type]
    return [each for each in table.notes if WORDS in each]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["patient", "Patient ID", "patientId", "subject_no", "SUBJID", "id", "Study.Site", "pid"],
)
def test_names_of_what_has_several_rows(tmp_path: Path, name: str) -> None:
    for values in (REPEATED, [int(each[1:]) for each in REPEATED]):
        (note,) = noted(tmp_path, {name: values})
        quoted = f"'{name}'" if " " in name else name
        assert f"column '{name}': its 10 values repeat" in note
        assert f"with --groups {quoted}, `groups` in a config" in note


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("patient", list(range(30))),  # a row each
        ("site", ["one", "two", "three"] * 10),  # levels of an input
        ("colour", REPEATED),
        ("acid", [i // 3 for i in range(30)]),
        ("family_size", [i // 3 for i in range(30)]),
        ("patient_age", [20 + i // 3 for i in range(30)]),
        ("center", [0.5 * (i // 3) for i in range(30)]),  # measurements
    ],
)
def test_no_false_alarm(tmp_path: Path, name: str, values: list[object]) -> None:
    assert not noted(tmp_path, {name: values})


def of_classes(tmp_path: Path, y: object, **columns: object) -> list[str]:
    """Notes on rows whose classes are y."""
    x = np.random.default_rng(0).normal(size=len(y))  # type: ignore[arg-type]
    frame = pd.DataFrame({**columns, "x": x, "y": y})
    frame.sample(frac=1, random_state=1).to_csv(tmp_path / "d.csv", index=False)
    return [each for each in look(Request(str(tmp_path / "d.csv"), "y")).notes if WORDS in each]


IN_THREES = np.repeat(np.arange(40), 3)
CLASSES = np.random.default_rng(0).permutation(["a", "b"] * 20)


@pytest.mark.parametrize("text", [False, True])
def test_values_of_one_class_each(tmp_path: Path, text: bool) -> None:
    values = [f"s{i:02d}" for i in IN_THREES] if text else IN_THREES * 7 + 1001
    (note,) = of_classes(tmp_path, CLASSES[IN_THREES], tree=values)
    assert "column 'tree': its 40 values repeat and are of one class each, and may stand" in note
    assert "with --groups tree, `groups` in a config" in note


def test_a_panel_in_order_of_time(tmp_path: Path) -> None:
    y, firm = np.tile(CLASSES, 3), np.tile(np.arange(40), 3)
    frame = pd.DataFrame({"firm": firm, "x": np.random.default_rng(0).normal(size=120), "y": y})
    frame.to_csv(tmp_path / "d.csv", index=False)
    assert any(
        "column 'firm'" in each for each in look(Request(str(tmp_path / "d.csv"), "y")).notes
    )


def test_a_name_goes_before_values(tmp_path: Path) -> None:
    y = CLASSES[IN_THREES]
    (note,) = of_classes(tmp_path, y, tree=IN_THREES, site=[f"h{i % 8}" for i in range(120)])
    assert "column 'site': its 8 values repeat, and may stand" in note
    assert "(as 'tree' may)" in note


def test_values_that_are_of_one_class_for_another_reason(tmp_path: Path) -> None:
    y = CLASSES[IN_THREES]
    mixed = y.copy()
    mixed[0] = "b" if y[0] == "a" else "a"
    assert not of_classes(tmp_path, mixed, tree=IN_THREES)
    cut = np.where(IN_THREES < 20, "a", "b")  # a threshold on a number
    assert not of_classes(tmp_path, cut, tree=IN_THREES)
    assert of_classes(tmp_path, cut, tree=[f"s{i}" for i in IN_THREES])
    in_turn = pd.DataFrame({"day": [f"d{i % 30}" for i in range(120)], "y": list("ab") * 60})
    in_turn.assign(x=np.arange(120) ** 0.5).to_csv(tmp_path / "turns.csv", index=False)
    assert not look(Request(str(tmp_path / "turns.csv"), "y")).notes
    many = np.repeat(np.arange(8), 25)
    assert not of_classes(tmp_path, CLASSES[many], level=[f"s{i}" for i in many])
    few = np.repeat(np.arange(9), 2)  # one in 512 by chance
    assert not of_classes(tmp_path, CLASSES[few], tree=[f"s{i}" for i in few])
    rare = np.where(np.arange(120) == 5, "a", "b")[IN_THREES * 0 + np.arange(120)]
    assert not of_classes(tmp_path, rare, tree=[f"s{i}" for i in np.arange(120) // 2 + 1])


def test_one_note_for_several_columns_and_none_once_it_is_said_what_they_are(
    tmp_path: Path,
) -> None:
    columns = {"site": [f"h{i % 7}" for i in range(30)], "id": REPEATED}
    (note,) = noted(tmp_path, columns)
    assert "column 'id'" in note
    assert "(as 'site' may)" in note
    assert len(noted(tmp_path, columns, drop=("id",))) == 1  # that leaves rows alike on both sides
    assert not noted(tmp_path, columns, groups=("id",))
    assert not noted(tmp_path, columns, discrete=("id", "site"))


def test_ids_in_order_are_no_row_numbers_without_a_word(tmp_path: Path) -> None:
    """They are left out as such, and the note says what else they may be."""
    assert len(noted(tmp_path, {"id": [i // 3 for i in range(30)]})) == 1


@pytest.mark.parametrize("name", ["patient id", "remark"])
def test_texts_of_too_many_values_are_refused_with_every_way_out(tmp_path: Path, name: str) -> None:
    path, n = tmp_path / "d.csv", 1100
    texts = [f"s{i // 2}" for i in range(2 * n)]
    x = np.random.default_rng(0).normal(size=2 * n)
    pd.DataFrame({name: texts, "x": x, "y": ["a", "b"] * n}).to_csv(path, index=False)
    (error,) = look(Request(str(path), "y")).refused.values()
    assert "holds 1,100 different texts such as 's0'; " in str(error)
    ways = "name it under 'drop' (--drop), or under 'discrete' (--discrete) if it is to be used all"
    assert ways in str(error)
    alike = "if its equal values are rows that belong together, give --groups 'patient id'"
    assert (alike in str(error)) is (name == "patient id")
    assert list(look(Request(str(path), "y", groups=(name,))).kinds) == ["x"]
    assert list(look(Request(str(path), "y", drop=(name,))).kinds) == ["x"]
    assert list(look(Request(str(path), "y", discrete=(name,))).kinds) == [name, "x"]


@pytest.mark.slow
def test_no_data_set_of_the_catalogue_looks_so() -> None:
    for name in ("diabetes", "adult", "breast-cancer", "sonar", "vote", "boston", "lymph"):
        assert not [each for each in look(Request(name)).notes if WORDS in each]
