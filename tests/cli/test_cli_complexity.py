"""`gdcurves complexity` in this process: what it tells, and what it refuses."""

from __future__ import annotations

import pandas as pd
import pytest

FAMILY = """\
splits: 30
sizes: [4, 8, 16, 32, 64]
experiments:
  - name: wide
    simulate: {blocks: [{features: 1/2, normal: {shift: 1}}, {features: 1/2, normal: {shift: 0}}],
      n: [2, 4], test: law}
    stratified: true
fitters: [{type: naive_bayes, prior: equal}]
"""
ROWS = """\
splits: 3
sizes: [4, 8]
experiments: [{name: mine, simulate: {name: ce_diag, rows: 40}}]
fitters: [{type: naive_bayes}]
"""


@pytest.mark.slow
def test_rows_needed_and_their_growth(call, tmp_path):
    (tmp_path / "my.yaml").write_text(FAMILY)
    assert call("run", "--config", "my.yaml", "--jobs", "1").code == 0
    written = pd.read_csv(tmp_path / "results" / "my" / "complexity.csv")
    assert written["kind"].tolist() == ["reached", "reached", "growth"]
    assert (written["within"] == 0.03).all()
    told = call("complexity", "results/my")
    assert told.code == 0
    assert "within 0.03 of the limit" in told.out
    for _, row in written.iloc[:2].iterrows():
        m, low, high = (f"{row[key]:.1f}" for key in ("m_needed", "m_low", "m_high"))
        assert f"{row['experiment']}" in told.out
        assert f"{m} ({low}-{high})" in told.out
    slope = written["slope"].iloc[2]
    assert f"wide: the rows that naive_bayes needs grow as n to the power {slope:.2f}" in told.out
    assert "0.1 of the limit" in call("complexity", "results/my", "--within", "0.1").out
    ended = call("complexity", "results/my", "--within", "2")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "Error: --within 2: write a number between 0 and 1, as 0.03\n"


def test_data_have_no_limits(call, tmp_path):
    rows = "".join(f"{i * 7 % 13},{'np'[i % 2]}\n" for i in range(20))
    (tmp_path / "my.csv").write_text(f"x,y\n{rows}")
    run = [
        "run",
        "--data",
        "my.csv",
        "--target",
        "y",
        "--splits",
        "2",
        "--sizes",
        "4",
        "--jobs",
        "1",
    ]
    assert call(*run).code == 0
    ended = call("complexity", "results/my")
    assert ended.code == 2
    assert "what curves tend to is known of laws alone, not of data" in ended.err
    assert "gdcurves run ... --target-error E --resume" in ended.err
    assert call(*run, "--target-error", "0.3", "--resume").code == 0


@pytest.mark.slow
def test_limits_come_before_or_after_the_run(call, tmp_path):
    (tmp_path / "my.yaml").write_text(ROWS)
    assert call("run", "--config", "my.yaml", "--jobs", "1").code == 0
    table = tmp_path / "results" / "my" / "complexity.csv"
    assert not table.exists()
    ended = call("complexity", "results/my")
    assert ended.code == 2
    assert "no limits.csv here" in ended.err
    assert "gdcurves limits --config my" in ended.err
    assert call("limits", "--config", "my.yaml").code == 0
    after = table.read_bytes()
    assert call("complexity", "results/my").code == 0
    assert call("run", "--config", "my.yaml", "--jobs", "1", "--fresh").code == 0
    assert table.read_bytes() == after
