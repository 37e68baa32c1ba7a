"""Keys that begin anew within another column, and columns that are both group and input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from gdcurves.datasets import Request, Table, look
from gdcurves.errors import UserError
from gdcurves.problems import grouping
from gdcurves.problems.problem import build

CENTERS, PATIENTS, VISITS = 2, 20, 4
RNG = np.random.default_rng(5)


def trial(shared: bool) -> pd.DataFrame:
    """Visits of patients in two centers, or, `shared`, of the same patients in two periods."""
    rows = [
        (center, patient, visit)
        for center in range(1, CENTERS + 1)
        for patient in range(1, PATIENTS + 1 - (center == 2 and not shared))
        for visit in range(1, VISITS + 1)
    ]
    frame = pd.DataFrame(rows, columns=["center", "id", "visit"])
    person = [frame["id"], *([] if shared else [frame["center"]])]
    n = len(frame)
    frame["age"] = RNG.integers(20, 70, n)
    frame["sex"] = RNG.choice(["F", "M"], n)
    frame["treatment"] = RNG.choice(["A", "P"], n)
    frame[["age", "sex"]] = frame.groupby(person)[["age", "sex"]].transform("first")
    frame["treatment"] = frame.groupby(["center", "id"])["treatment"].transform("first")
    frame["y"] = RNG.choice(["bad", "good"], n)
    return frame


def read(path: Path, frame: pd.DataFrame, **options: object) -> Table:
    frame.to_csv(path / "my.csv", index=False)
    return look(Request(str(path / "my.csv"), "y", **options))  # type: ignore[arg-type]


def options(table: Table) -> list[tuple[str, ...]]:
    return [each.options for each in table.remarks if each.options[:1] == ("--groups",)]


@pytest.mark.parametrize("shuffled", [False, True])
def test_ids_that_begin_anew_in_each_center(tmp_path: Path, shuffled: bool) -> None:
    """The key that is advised tells apart as many patients as pandas counts."""
    frame = trial(shared=False)
    if shuffled:
        frame = frame.sample(frac=1, random_state=1)
    table = read(tmp_path, frame)
    assert options(table) == [("--groups", "center,id")]
    n = frame.groupby(["center", "id"]).ngroups
    (note,) = [note for note in table.notes if "--groups" in note]
    assert f"its values begin anew within 'center', and the {n} pairs may stand for rows" in note
    (told,) = read(tmp_path, frame, groups=("id",)).notes[:1]
    assert f"--groups center,id tells {n} apart" in told
    keyed = read(tmp_path, frame, groups=("center", "id"))
    assert not options(keyed)
    labels = grouping.labels(keyed, np.ones(len(frame), dtype=bool))
    assert labels is not None
    assert len(np.unique(labels)) == n


def test_one_key_of_patients_in_two_periods(tmp_path: Path) -> None:
    """Their age and sex are the same in both."""
    frame = trial(shared=True)
    assert options(read(tmp_path, frame)) == [("--groups", "id")]
    assert not options(read(tmp_path, frame, groups=("id",)))


@pytest.mark.parametrize("role", ["discrete", "continuous"])
def test_a_key_that_is_an_input_too(tmp_path: Path, role: str) -> None:
    frame = trial(shared=False)
    table = read(tmp_path, frame, groups=("center", "id"), **{role: ("center",)})
    assert table.kinds["center"] == role
    assert "id" not in table.kinds
    problem = build("e", table, "all")
    assert "center" in problem.features
    without = build("e", read(tmp_path, frame, groups=("center", "id")), "all")
    assert "center" not in without.features
    sizes = sorted(frame.groupby(["center", "id"]).size())
    assert sorted(np.bincount(problem.units.of_row)) == sizes
    assert sorted(np.bincount(without.units.of_row)) == sizes
    assert problem.provenance.groups == CENTERS * PATIENTS - 1


def test_other_roles_exclude_each_other(tmp_path: Path) -> None:
    frame = trial(shared=False)
    for roles in ({"drop": ("id",)}, {"discrete": ("id",), "continuous": ("id",)}):
        with pytest.raises(UserError, match="'id' stands twice under"):
            read(tmp_path, frame, groups=("id",), **roles)


def test_what_a_column_tells_itself_is_no_sign_of_keys_within_it(tmp_path: Path) -> None:
    """Hospitals admit patients of each type; indicators of types are as types are."""
    kind = RNG.integers(1, 4, 160)
    frame = pd.DataFrame({"type": kind, "provnum": 30001 + RNG.integers(0, 25, 160)})
    frame = frame.assign(type1=kind == 1, type2=kind == 2, y=RNG.choice(["died", "lived"], 160))
    assert options(read(tmp_path, frame)) == [("--groups", "provnum")]
