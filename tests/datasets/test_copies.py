"""Rows that are copies of one another bring one note; rows that are alike by chance bring none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from gdcurves.datasets import Request, look
from gdcurves.datasets.columns.copies import fine, n_copies, near_copies, paired

WORDS = "test rows then have copies in training sets"


def noted(tmp_path: Path, frame: pd.DataFrame, groups: tuple[str, ...] = ()) -> list[str]:
    frame.sample(frac=1, random_state=0).to_csv(tmp_path / "d.csv", index=False)
    table = look(Request(str(tmp_path / "d.csv"), "y", groups=groups))
    return [each for each in table.notes if WORDS in each]


def rows(n: int, seed: int, d: int = 4) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n, d)).round(2), columns=[f"x{i}" for i in range(d)])
    return frame.assign(sex=rng.choice(["f", "m"], n), y=rng.choice(["a", "b"], n))


@pytest.mark.parametrize("n_twice", [6, 20, 100])
def test_equal_rows_are_counted(tmp_path: Path, n_twice: int) -> None:
    once = rows(100, 0)
    twice = pd.concat([once, once[:n_twice]]).assign(who=[*range(100), *range(n_twice)])
    n = 100 + n_twice
    said = f"{2 * n_twice} rows of {n} equal another one in all inputs; {WORDS}"
    found = noted(tmp_path, twice.drop(columns="who"))
    assert len(found) == (2 * n_twice > 0.1 * n)
    assert all(said in each for each in found)
    assert not noted(tmp_path, twice, groups=("who",))


def test_the_target_need_not_be_equal(tmp_path: Path) -> None:
    once = rows(100, 0)
    assert noted(tmp_path, pd.concat([once, once[:20].assign(y="a")]))


def test_rows_of_few_values_are_equal_by_chance(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {"age": rng.integers(20, 60, 600), "visits": rng.poisson(0.5, 600), "y": ["a", "b"] * 300}
    )
    inputs = frame[["age", "visits"]]
    assert inputs.duplicated(keep=False).mean() > 0.9
    assert not noted(tmp_path, frame)
    assert not noted(tmp_path, pd.DataFrame({"x": inputs["age"], "y": frame["y"]}))
    levels = pd.DataFrame({f"q{i}": rng.integers(0, 4, 600) for i in range(4)}).assign(y=frame["y"])
    assert not noted(tmp_path, levels)


@pytest.mark.parametrize("jitter", [0.02, 0.05])
def test_nearly_equal_rows_are_told_from_others(tmp_path: Path, jitter: float) -> None:
    """150 groups of four rows; and as many rows that are each on their own."""
    rng = np.random.default_rng(2)
    centre = np.repeat(rng.normal(size=(150, 8)), 4, axis=0)
    frame = pd.DataFrame(centre + jitter * rng.normal(size=centre.shape)).add_prefix("x")
    (note,) = noted(tmp_path, frame.assign(y=np.repeat(rng.permutation(["a", "b"] * 75), 4)))
    assert "about 100% of the rows nearly equal another one in all numbers; " in note


@pytest.mark.parametrize(("n", "apart"), [(50, 0.1), (100, 0.2), (500, 0.1)])
def test_two_rows_of_each_patient_lie_by_twos(tmp_path: Path, n: int, apart: float) -> None:
    """As visits a year apart do, which are no copies; and as many rows on their own."""
    rng = np.random.default_rng(n)
    centre = np.repeat(rng.normal(size=(n, 5)), 2, axis=0)
    frame = pd.DataFrame(centre + apart * rng.normal(size=centre.shape)).add_prefix("x")
    y = np.repeat(rng.choice(["a", "b"], n), 2)
    (said,) = noted(tmp_path, frame.assign(y=y))
    assert "lie by twos, each nearest to the other" in said or "nearly equal another" in said
    assert not noted(tmp_path, rows(2 * n, n, 5).assign(y=y))


def test_chance_brings_no_twos() -> None:
    """Of small tables of rows on their own, 300 of them."""
    rng = np.random.default_rng(4)
    assert not any(paired(fine([*rng.normal(size=(3, 100))])) for _ in range(300))


@pytest.mark.slow
@pytest.mark.parametrize("d", [3, 5, 10, 30])
def test_rows_on_their_own_are_no_near_copies(d: int) -> None:
    """Normal ones, correlated ones, those of heavy tails, in clusters, or on a surface."""
    rng = np.random.default_rng(d)
    normal = rng.normal(size=(1500, d))
    mixed = normal @ rng.normal(size=(d, d))
    heavy = rng.standard_t(2, size=(1500, d))
    clusters = rng.normal(size=(10, d))[rng.integers(0, 10, 1500)] + 0.05 * normal
    surface = np.sin(normal[:, :2] @ rng.normal(size=(2, d)))
    for x in (normal, mixed, heavy, clusters, surface, normal.round(1)):
        assert near_copies(fine([*x.T])) < 0.06
        assert not paired(fine([*x.T]))
        assert n_copies([*x.T]) == 0


@pytest.mark.slow
def test_copies_are_seen_in_any_table_of_measurements() -> None:
    """Fisher's irises in millimetres, of which two are equal, and with a fifth of them twice."""
    from sklearn.datasets import load_iris, load_wine

    for x in (load_iris().data, load_wine().data):
        n = len(x)
        assert n_copies([*x.T]) == 0
        more = np.concatenate([x, x[:: n // (n // 5)]])
        frame = pd.DataFrame(more)
        assert n_copies([*more.T]) == frame.duplicated(keep=False).sum() > 0.2 * n
