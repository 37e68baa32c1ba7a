"""Crossings by a measure that some splits have no value of, or that is better where higher."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from answers import table

from gdcurves.crossings import bootstrap, paired
from gdcurves.scoring.measures import MEASURES

M = np.array([4, 8, 12])
J = 40


def areas() -> np.ndarray:
    """Values of two fitters (2, 3, J); at m = 12 the second is the better one."""
    rng = np.random.default_rng(0)
    mean = np.array([[0.7, 0.75, 0.8], [0.6, 0.7, 0.9]])
    return mean[:, :, None] + 0.01 * rng.normal(size=(2, 3, J))


def chunk(values: np.ndarray, path: Path) -> Path:
    """Write raw rows of fitters a, b, ... as far as crossings need them."""
    index = pd.MultiIndex.from_product([list("abc")[: len(values)], M, range(J)])
    rows = pd.DataFrame({"auc": values.ravel()}, index.rename(["fitter", "m", "split"]))
    rows = rows.reset_index()
    rows["n_train"], rows["n_test"] = rows["m"], 100 - rows["m"]
    rows.to_csv(path, index=False)
    return path


def test_a_split_without_a_value_counts_for_no_fitter(tmp_path: Path) -> None:
    values = areas()
    values[0, 0, [0, 5]] = np.nan
    values[1, 0, [5, 7]] = np.nan
    values[1, 2, 3] = np.nan
    read = paired.of_chunks([chunk(values, tmp_path / "0.csv")], ["a", "b"], MEASURES["auc"])
    assert read.n_splits.tolist() == [J - 3, J, J - 1]
    mean, deviation = read.difference(0, 1)
    for size, out in enumerate(([0, 5, 7], [], [3])):
        kept = np.delete(values[:, size], out, axis=1)
        assert mean[size] == pytest.approx(np.mean(kept[0] - kept[1]), rel=1e-12)
        assert deviation[size] == pytest.approx(np.std(kept[0] - kept[1], ddof=1), rel=1e-12)
    means = bootstrap.resampled(read.values, np.random.default_rng(0))
    assert means.mean(axis=0) == pytest.approx(np.nanmean(read.values, axis=2), abs=1e-3)
    # Splits with the same sizes are drawn among themselves, so one alone is always drawn.
    spread = np.nanstd(np.delete(read.values, 3, axis=2), axis=2) / np.sqrt(read.n_splits)
    assert means.std(axis=0) == pytest.approx(spread, rel=0.06)


def test_the_higher_area_is_better(tmp_path: Path) -> None:
    read = paired.of_chunks([chunk(areas(), tmp_path / "0.csv")], ["a", "b"], MEASURES["auc"])
    (row,) = table("e", read, 0).itertuples()
    assert (row.kind, row.better_below, row.better_above) == ("crosses", "a", "b")
    assert 8 < row.m < 12
    assert (row.n_a_better, row.n_b_better, row.better_last) == (2, 1, "b")


def test_sizes_and_fitters_without_any_value_are_left_out(tmp_path: Path) -> None:
    values = np.concatenate([areas(), np.full((1, 3, J), np.nan)])
    values[1, 1] = np.nan
    read = paired.of_chunks([chunk(values, tmp_path / "0.csv")], list("abc"), MEASURES["auc"])
    assert read.fitters == ("a", "b")
    assert read.m.tolist() == [4, 12]
    (row,) = table("e", read, 0).itertuples()
    assert (row.kind, row.n_sizes, row.n_splits) == ("crosses", 2, J)
    nothing = np.full((2, 3, J), np.nan)
    read = paired.of_chunks([chunk(nothing, tmp_path / "1.csv")], list("ab"), MEASURES["auc"])
    assert table("e", read, 0).empty
