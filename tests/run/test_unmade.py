"""Tables that cannot be made cost themselves alone, and are made when the run is gone on with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from gdcurves import curves
from gdcurves.crossings import outlook

CONFIG = """
splits: 30
interval: rows
experiments:
  - {name: a, data: sonar, sizes: [8, 20, 60]}
  - {name: b, data: boston, threshold: median, inputs: continuous, sizes: [8, 20, 60]}
fitters: [{type: naive_bayes}, {type: nearest_centroid}]
"""
TABLES = ("curves.csv", "comparisons.csv", "crossings.csv", "outlook.csv")


def content(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in TABLES if (folder / name).exists()}


@pytest.mark.slow
def test_case_s4_an_error_after_the_last_chunk(call, tmp_path, monkeypatch) -> None:
    (tmp_path / "my.yaml").write_text(CONFIG)
    ended = call("run", "--config", "my.yaml", "--jobs", "1", "--out", "sound")
    assert ended.code == 0, ended.err
    sound = content(tmp_path / "sound")
    assert len(sound) == 4

    made = outlook.table

    def breaks(experiment: str, *rest: Any) -> pd.DataFrame:
        if experiment == "b":
            raise ZeroDivisionError("division\nby zero")
        return made(experiment, *rest)

    with monkeypatch.context() as patched:
        patched.setattr(outlook, "table", breaks)
        ended = call("run", "--config", "my.yaml", "--jobs", "1", "--out", "out")
        said = (
            "outlook.csv cannot be made from the raw rows (ZeroDivisionError: division by zero);"
            " they are kept, --resume tries again"
        )
        assert ended.code == 1
        assert said in " ".join(ended.out.split())
        broken = content(tmp_path / "out")
        assert {name: broken[name] for name in TABLES[:3]} == {n: sound[n] for n in TABLES[:3]}
        assert set(pd.read_csv(tmp_path / "out" / "outlook.csv")["experiment"]) == {"a"}
        status = call("status", "out")
        assert said in " ".join(status.out.split())
        assert call("plot", "out").code == 0
        assert call("crossings", "out").code == 0
    assert call("run", "--config", "my.yaml", "--jobs", "1", "--out", "out", "--resume").code == 0
    assert content(tmp_path / "out") == sound


@pytest.mark.slow
def test_without_curves_the_other_experiments_have_theirs(call, tmp_path, monkeypatch) -> None:
    (tmp_path / "my.yaml").write_text(CONFIG)
    made = curves.of_chunks

    def breaks(experiment: str, *rest: Any) -> pd.DataFrame:
        if experiment == "a":
            raise MemoryError
        return made(experiment, *rest)

    with monkeypatch.context() as patched:
        patched.setattr(curves, "of_chunks", breaks)
        ended = call("run", "--config", "my.yaml", "--jobs", "1", "--out", "out")
        assert ended.code == 1
        assert "curves.csv cannot be made from the raw rows (MemoryError)" in " ".join(
            ended.out.split()
        )
        assert set(pd.read_csv(tmp_path / "out" / "curves.csv")["experiment"]) == {"b"}
        assert call("plot", "out").code == 0
        assert call("status", "out").code == 0
    assert call("run", "--config", "my.yaml", "--jobs", "1", "--out", "out", "--resume").code == 0
    tables = (pd.read_csv(tmp_path / "out" / name) for name in TABLES)
    assert all(set(table["experiment"]) == {"a", "b"} for table in tables)
