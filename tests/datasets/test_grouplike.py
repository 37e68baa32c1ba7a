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
        assert "they do, and the column is then no input: on both sides" in note
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
        ("school", [i % 12 for i in range(30)]),  # years of it
        ("school", list("ABCDEFGHABCDEFGABCDEAABBAADDDA")),
        ("doctor", [0] * 10 + [i // 3 for i in range(20)]),  # visits
        ("fish", [f"s{i * i % 8}" for i in range(30)]),
        ("school_size", REPEATED),
        ("patinas", REPEATED),
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


IN_FEWS = np.repeat(np.arange(40), np.tile([2, 4, 3, 3], 10))
CLASSES = np.random.default_rng(0).permutation(["a", "b"] * 20)


@pytest.mark.parametrize("text", [False, True])
def test_values_of_one_class_each(tmp_path: Path, text: bool) -> None:
    values = [f"s{i:02d}" for i in IN_FEWS] if text else IN_FEWS * 7 + 1001
    (note,) = of_classes(tmp_path, CLASSES[IN_FEWS], item=values)
    assert "column 'item': its 40 values repeat and are of one class each, and may stand" in note
    assert "with --groups item, `groups` in a config" in note


def test_a_panel_in_order_of_time(tmp_path: Path) -> None:
    y, firm = np.tile(CLASSES, 3), np.tile(np.arange(40), 3)
    frame = pd.DataFrame({"firm": firm, "x": np.random.default_rng(0).normal(size=120), "y": y})
    frame.to_csv(tmp_path / "d.csv", index=False)
    assert any(
        "column 'firm'" in each for each in look(Request(str(tmp_path / "d.csv"), "y")).notes
    )


def test_a_name_goes_before_values(tmp_path: Path) -> None:
    y = CLASSES[IN_FEWS]
    (note,) = of_classes(tmp_path, y, item=IN_FEWS, site=[f"h{i % 8}" for i in range(120)])
    assert "column 'site': its 8 values repeat, and may stand" in note
    assert "(as 'item' may)" in note


def test_values_that_are_of_one_class_for_another_reason(tmp_path: Path) -> None:
    y = CLASSES[IN_FEWS]
    mixed = y.copy()
    mixed[0] = "b" if y[0] == "a" else "a"
    assert not of_classes(tmp_path, mixed, item=IN_FEWS)
    cut = np.where(IN_FEWS < 20, "a", "b")  # a threshold on a number
    assert not of_classes(tmp_path, cut, item=IN_FEWS)
    assert of_classes(tmp_path, cut, item=[f"s{i}" for i in IN_FEWS])
    in_turn = pd.DataFrame({"day": [f"d{i % 30}" for i in range(120)], "y": list("ab") * 60})
    in_turn.assign(x=np.arange(120) ** 0.5).to_csv(tmp_path / "turns.csv", index=False)
    assert not look(Request(str(tmp_path / "turns.csv"), "y")).notes
    many = np.repeat(np.arange(8), 25)
    assert not of_classes(tmp_path, CLASSES[many], level=[f"s{i}" for i in many])
    few = np.repeat(np.arange(9), 2)  # one in 512 by chance
    assert not of_classes(tmp_path, CLASSES[few], item=[f"s{i}" for i in few])
    rare = np.where(np.arange(120) == 5, "a", "b")
    assert not of_classes(tmp_path, rare, item=[f"s{i}" for i in IN_FEWS])


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


@pytest.mark.parametrize(
    "name",
    [
        *("stratum", "commune", "village", "school", "cow", "plot", "rat", "mouse", "pair", "twin"),
        *("ward", "doctor", "device", "session", "schidkn", "provnum", "patno", "Hospid"),
    ],
)
def test_names_of_what_may_be_counted_too(tmp_path: Path, name: str) -> None:
    """Numbers of matched sets, of communes and the like, of which each has other numbers of rows.

    The sizes are those of the strata of `infert` in R, 82 of three rows and one of two, in part,
    with some of `Star` in Ecdat.
    """
    sizes = [*[3] * 12, 2, 11, 7, 6, 1, 9, 4, 10, 5, 8, 6, 12]
    values = 1000 + 7 * np.repeat(np.arange(len(sizes)), sizes)
    y = np.random.default_rng(2).choice(["a", "b"], len(values))
    (note,) = of_classes(tmp_path, y, **{name: values})
    assert f"column '{name}': its 24 values repeat, and may stand" in note


def of_design(tmp_path: Path, frame: pd.DataFrame) -> list[str]:
    rng = np.random.default_rng(4)
    y = rng.choice(["a", "b"], len(frame))
    frame.assign(x=rng.normal(size=len(frame)), y=y).to_csv(tmp_path / "d.csv", index=False)
    return [each for each in look(Request(str(tmp_path / "d.csv"), "y")).notes if WORDS in each]


def in_rows(values: object, times: int, others: object = (0,)) -> pd.DataFrame:
    """Each of some values so many times, and beside it others in turn."""
    first = np.repeat(np.asarray(values), times)
    return pd.DataFrame({"first": first, "second": np.resize(np.asarray(others), len(first))})


def test_few_animals_of_as_many_rows_each(tmp_path: Path) -> None:
    (note,) = noted(tmp_path, {"rat": REPEATED})
    assert "column 'rat': its 10 values repeat" in note


STATES = [f"{a}{b}" for a in "AKMNO" for b in "AKLRZ"]  # 25


@pytest.mark.parametrize(
    ("values", "times"),
    [(np.arange(1, 84), 3), (np.arange(1, 41), 6), (STATES, 2), (np.arange(25) ** 2 + 4601, 12)],
)
def test_values_of_as_many_rows_each(tmp_path: Path, values: object, times: int) -> None:
    """Whatever the name, in any order, and though a row is missing."""
    frame = in_rows(values, times, range(6))
    n = len(np.unique(frame["first"]))
    for one in (frame, frame[:-1], frame.sample(frac=1, random_state=0)):
        (note,) = of_design(tmp_path, one.rename(columns={"first": "fi"}))
        said = f"column 'fi': its {n} values, or nearly all, stand in {times} rows each, and may"
        assert said in note


@pytest.mark.parametrize(
    ("name", "values", "times"),
    [
        ("fi", np.arange(19), 4),  # few
        ("fi", np.arange(30), 21),  # many rows each
        ("Year", np.arange(75, 95), 14),
        ("t", np.arange(1935, 1955), 10),
        ("t", np.arange(20200101, 20200126), 4),
        ("t", [f"2020-01-{day:02d}" for day in range(1, 26)], 4),
        ("day", np.arange(1, 93), 2),
        ("julian.day", np.arange(1, 93), 2),
        ("age", np.arange(10, 90), 6),
        ("fi", np.arange(10, 260, 10), 6),  # steps of a measurement
        ("fi", np.arange(30) / 4, 6),
    ],
)
def test_times_and_measurements_of_as_many_rows_each(
    tmp_path: Path, name: str, values: object, times: int
) -> None:
    frame = in_rows(values, times, range(times))
    assert not of_design(tmp_path, frame.rename(columns={"first": name}))


def test_a_design_with_gaps(tmp_path: Path) -> None:
    frame = in_rows(range(70), 5, range(6)).rename(columns={"first": "fi"})
    frame.loc[frame["fi"] < 5, "fi"] = None  # 25 rows of 350
    (note,) = of_design(tmp_path, frame)
    assert "column 'fi': its 65 values, or nearly all, stand in 5 rows each" in note
    frame.loc[frame["fi"] < 9, "fi"] = None  # more than a tenth
    assert not of_design(tmp_path, frame)


def test_values_by_chance(tmp_path: Path) -> None:
    drawn = np.random.default_rng(8).integers(0, 60, 240)  # four rows each on average
    assert not of_design(tmp_path, pd.DataFrame({"fi": drawn}))


def test_one_side_of_a_table(tmp_path: Path) -> None:
    """Of investments of 10 firms in 20 years, rows of a firm belong together if any do."""
    firms = [f"firm {each}" for each in range(10)]
    frame = in_rows(range(20), 10, firms).rename(columns={"first": "t"})
    assert not of_design(tmp_path, frame)
    weeks = frame.rename(columns={"t": "pig", "second": "week"})  # its other side is known
    (note,) = of_design(tmp_path, weeks)
    assert "column 'pig': its 20 values" in note
    frame["prices"] = frame["t"] % 3  # of all firms in that year
    (note,) = of_design(tmp_path, frame)
    assert "column 't': its 20 values" in note


def test_names_go_before_designs(tmp_path: Path) -> None:
    frame = in_rows(range(40), 6).assign(hospital=[f"h{i % 8}" for i in range(240)])
    (note,) = of_design(tmp_path, frame)
    assert "column 'hospital': its 8 values repeat" in note
    assert "'first'" not in note


@pytest.mark.slow
def test_no_data_set_of_the_catalogue_looks_so() -> None:
    for name in ("diabetes", "adult", "breast-cancer", "sonar", "vote", "boston", "lymph"):
        assert not [each for each in look(Request(name)).notes if WORDS in each]


def test_keys_far_from_others_are_no_codes(tmp_path: Path) -> None:
    """Numbers of hospitals in one state, and of a few elsewhere."""
    numbers = np.repeat([*range(30001, 30026), 32000, 32002], np.tile([2, 5, 3], 9))
    y = np.random.default_rng(1).choice(["a", "b"], len(numbers))

    def said(name: str) -> list[str]:
        pd.DataFrame({name: numbers, "x": np.arange(90) % 13 / 4, "y": y}).to_csv(
            tmp_path / "d.csv", index=False
        )
        return [*look(Request(str(tmp_path / "d.csv"), "y")).notes]

    assert any("32000 and 32002" in each for each in said("value"))
    (note,) = said("provnum")
    assert WORDS in note
