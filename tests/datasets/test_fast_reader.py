"""The fast reader of delimited text beside the careful one."""

from __future__ import annotations

from pathlib import Path

import broken_csv
import numpy as np
import pandas as pd
import pytest

from gdcurves.datasets.formats import arrow_text, delimited

FOUND = (2835, 20028, 20042, 477, 200195, 1012415, 1026314, 1028284)
"""Files that the readers once took differently."""


@pytest.mark.slow
def test_both_readers_make_the_same_of_broken_files() -> None:
    """Also of their rows and columns: each has its place; 50,000 more are a part of `make soak`."""
    for seed in (*FOUND, *range(500)):
        few = seed < 200
        for people, ends, extra in {
            (False, False, False), (few, False, False), (False, few, False), (False, False, few),
        }:  # fmt: skip
            if (found := broken_csv.difference(seed, people, ends, extra)) is None:
                continue
            content, fast, careful = found
            pytest.fail(f"seed {seed}: {content!r}\nfast: {fast}\ncareful: {careful}")


def test_numbers_too_large_are_no_units() -> None:
    """As one reader has them as infinite numbers, the other one as texts."""
    assert broken_csv.difference(1265509322, people=True) is None


def test_columns_of_many_pieces_are_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows become shorter: there are more of them than the first pieces let expect."""
    monkeypatch.setattr(arrow_text, "_BLOCK", 1 << 12)
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(size=5_000), -(rng.integers(0, 9, 50_000) / 2), [np.nan]])
    frame = pd.DataFrame({"x": x, "y": np.where(x > 0, "a", "b")})
    path = tmp_path / "long.csv"
    frame.to_csv(path, index=False)
    raw = delimited.read(path, "f", ("",))
    assert np.array_equal(raw.columns["x"], x, equal_nan=True)
    assert not np.signbit(raw.columns["x"][x == 0]).any()
    assert raw.columns["y"].astype(object).tolist() == frame["y"].tolist()
