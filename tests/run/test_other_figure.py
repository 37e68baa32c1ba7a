"""What only draws may change after a run: `plot --figure NAME`, and `figure` on `--resume`."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

CONFIG = """
splits: 30
figure: ng_jordan
experiments:
  - name: lenses
    data: contact-lenses
    inputs: discrete
    classes: {lenses: [hard, soft], none: none}
    sizes: [2, 5, 20]
fitters: [{type: naive_bayes}, {type: logistic_regression}]
"""
RUN = ("run", "--config", "toy.yaml", "--jobs", "1", "--out")


def figure_in(folder: Path) -> str:
    manifest = json.loads((folder / "manifest.json").read_text())
    return str(manifest["config"]["figure"])


@pytest.mark.slow
def test_a_finished_run_is_drawn_with_another_figure(call, tmp_path: Path) -> None:
    (tmp_path / "toy.yaml").write_text(CONFIG)
    assert call(*RUN, "out").code == 0
    (tmp_path / "toy.yaml").write_text(CONFIG.replace("ng_jordan", "learning_curves"))
    assert call(*RUN, "other").code == 0
    ended = call("plot", "out", "--figure", "learning_curves")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.split() == ["out/figure.png", "out/figure.pdf"]
    assert not list((tmp_path / "out").glob("figure1.*"))
    assert figure_in(tmp_path / "out") == "ng_jordan"
    # It is the figure of a run that had this one in its config.
    assert call("plot", "other").out.split() == ["other/figure.png", "other/figure.pdf"]
    for name in ("figure.png", "figure.pdf"):
        drawn, wanted = ((tmp_path / each / name).read_bytes() for each in ("out", "other"))
        assert drawn == wanted
    assert call("plot", "out").out.split() == ["out/figure1.png", "out/figure1.pdf"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("ng_jordn", "no such figure; did you mean 'ng_jordan'?"),
        (
            "42",
            "no such figure; choose from learning_curves, difference, complexity, theory,"
            " ng_jordan, xue_titterington",
        ),
    ],
)
def test_a_figure_that_there_is_not_is_refused_before_anything(call, name: str, says: str) -> None:
    ended = call("plot", "nowhere", "--figure", name)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == f"Error: --figure {name}: {says}\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after"), [("ng_jordan", "learning_curves"), ("learning_curves", "ng_jordan")]
)
def test_resume_goes_on_with_another_figure(call, tmp_path: Path, before: str, after: str) -> None:
    (tmp_path / "toy.yaml").write_text(CONFIG.replace("ng_jordan", before))
    assert call(*RUN, "out").code == 0
    rows = (tmp_path / "out" / "splits" / "lenses" / "000000-000029.csv").stat()
    (tmp_path / "toy.yaml").write_text(CONFIG.replace("ng_jordan", after))
    ended = call(*RUN, "out", "--resume")
    assert ended.code == 0, ended.err
    assert figure_in(tmp_path / "out") == after
    again = (tmp_path / "out" / "splits" / "lenses" / "000000-000029.csv").stat()
    assert again.st_mtime_ns == rows.st_mtime_ns  # nothing was computed again
    # The tables are those of a run that had this figure from its beginning.
    assert call(*RUN, "other").code == 0
    tables = {path.name for path in (tmp_path / "other").glob("*.csv")}
    assert ("published.csv" in tables) == (after == "ng_jordan")
    assert {path.name for path in (tmp_path / "out").glob("*.csv")} == tables
    for name in tables:
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()
    crossed = pd.read_csv(tmp_path / "out" / "crossings.csv", keep_default_na=False)["published_m"]
    assert (crossed != "").any() == (after == "ng_jordan")


@pytest.mark.slow
def test_another_config_is_still_refused(call, tmp_path: Path) -> None:
    (tmp_path / "toy.yaml").write_text(CONFIG)
    assert call(*RUN, "out").code == 0
    other = CONFIG.replace("ng_jordan", "learning_curves").replace("splits: 30", "splits: 31")
    (tmp_path / "toy.yaml").write_text(other)
    ended = call(*RUN, "out", "--resume")
    assert ended.code == 2
    assert "is another one: splits was 30, is 31; take back" in ended.err
