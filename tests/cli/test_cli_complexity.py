"""`gdcurves complexity` in this process: what it tells, and what it refuses."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd
import pytest
from rich.console import Console

from gdcurves import complexity
from gdcurves.report import complexity as words

pytestmark = pytest.mark.slow  # whole runs

TABLES = ("curves", "comparisons", "crossings", "complexity")
FAMILY = """\
splits: 30
sizes: [4, 8, 16, 32, 64]
experiments:
  - name: wide
    simulate: {blocks: [{features: 1/2, normal: {shift: 1}}, {features: 1/2, normal: {shift: 0}}],
      n: [2, 12], test: law}
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
    assert written["experiment"].tolist() == ["wide-n2", "wide-n12", "wide"]  # not by their letters
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


@pytest.mark.parametrize("width", [60, 80])
def test_no_interval_is_cut(width):
    """Four fitters are more than a line holds."""
    folder = Path(__file__).parents[2] / "results" / "reference" / "trees"
    needed = pd.read_csv(folder / "complexity.csv")
    console = Console(width=width, file=io.StringIO())
    console.print(words.tables(needed, width), crop=False)
    shown = console.file.getvalue()
    assert all(len(line) <= width for line in shown.splitlines())
    assert len(needed) == 12
    for _, row in needed.iterrows():
        low, high = (f"{m:.0f}" if m >= 100 else f"{m:.1f}" for m in (row["m_low"], row["m_high"]))
        assert f"{row['m_needed']:.1f} ({low}-{high})" in shown


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


FEWER = """\
splits: {splits}
chunk: 5
more_splits: [{{sizes: [4, 8], splits: 4}}]
experiments:
- {{name: few, sizes: [4, 8], {law}}}
- {{name: many, sizes: [6, 12], {law}}}
fitters: [{{type: naive_bayes}}, {{type: lda}}]
"""
LAW = "simulate: {blocks: [{features: 2, normal: {shift: 2}}], test: law}"


def test_an_experiment_may_have_fewer_splits_than_another(call, tmp_path):
    """Its last chunks hold no rows, and change nothing that is told of it."""
    tables = []
    for splits in (12, 4):
        (tmp_path / "my.yaml").write_text(FEWER.format(splits=splits, law=LAW))
        ended = call("run", "--config", "my.yaml", "--jobs", "1", "--out", str(splits))
        assert ended.code == 0, ended.err
        every = [pd.read_csv(tmp_path / str(splits) / f"{name}.csv") for name in TABLES]
        tables.append([each[each["experiment"] == "few"] for each in every])
    for some, same in zip(*tables, strict=True):
        assert len(some)
        pd.testing.assert_frame_equal(some, same)


def test_a_table_that_cannot_be_made_is_told_and_made_later(call, tmp_path, monkeypatch):
    (tmp_path / "my.yaml").write_text(FEWER.format(splits=4, law=LAW))
    words = ("run", "--config", "my.yaml", "--jobs", "1", "--out", "out")
    with monkeypatch.context() as patched:
        patched.setattr(complexity, "of_run", lambda run: 1 / 0)
        ended = call(*words)
        assert ended.code == 1
        assert "complexity.csv cannot be made from the raw rows" in " ".join(ended.out.split())
        assert call("status", "out").code == 0
    assert not (tmp_path / "out" / "complexity.csv").exists()
    assert call(*words, "--resume").code == 0
    assert (tmp_path / "out" / "complexity.csv").exists()
