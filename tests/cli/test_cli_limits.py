"""`gdcurves limits` in this process: what it writes and shows, and what it refuses."""

from __future__ import annotations

import re

import pandas as pd
import pytest

MIXED = """\
splits: 4
sizes: [4]
experiments:
  - {name: votes, data: vote, inputs: discrete}
  - {name: mine, simulate: {bernoulli: [{a: 0, b: 0.5}, {a: 0.5, b: 0.5}], rows: 20}}
fitters:
  - type: naive_bayes
  - {type: hybrid, blocks: [[1], [2]]}
"""


@pytest.mark.slow
def test_limits_of_the_shipped_config(call, tmp_path):
    ended = call("limits", "--config", "xue_titterington.yaml")
    assert ended.code == 0
    assert ended.err == ""
    assert ended.out.splitlines()[-1] == "results/xue_titterington/limits.csv"
    limits = pd.read_csv(tmp_path / "results" / "xue_titterington" / "limits.csv")
    columns = "experiment fitter error error_se logloss logloss_se method law theta0 theta1 theta2"
    weights = "weight0 weight1 weight2 weight3 weight4 gap"
    assert limits.columns.tolist() == columns.split() + weights.split()
    assert len(limits) == 72
    assert limits["experiment"].nunique() == 12
    hybrids = limits["fitter"].str.startswith("hybrid")
    assert limits["theta0"].notna().equals(hybrids)
    best = limits[limits["fitter"] == "best_linear"]
    assert len(best) == 12
    assert set(limits.drop(best.index)["method"]) == {"integrals", "sum over cells"}
    assert (best["gap"] == 0).all()
    least = limits.drop(best.index).groupby("experiment")["error"].min()
    others = limits[limits["fitter"].isin(["logistic_regression", "naive_bayes_shared"])]
    for experiment, error in best.set_index("experiment")["error"].items():
        assert least[experiment] - 1e-12 <= error
        assert (others.loc[others["experiment"] == experiment, "error"] >= error - 1e-12).all()
    # What is shown is what is written.
    numbers = set(re.findall(r"\b0\.\d{5}\b", ended.out))
    rounded = {f"{value:.5f}" for value in [*limits["error"], *limits["logloss"].dropna()]}
    assert numbers == rounded
    for name in limits["experiment"].unique():
        assert re.search(rf"^{name} +0\.\d+", ended.out, re.MULTILINE)


def test_what_has_no_limit_is_told(call, tmp_path):
    """An experiment on data, and a hybrid where a probability is zero."""
    (tmp_path / "my.yaml").write_text(MIXED)
    ended = call("limits", "--config", "my.yaml", "--out", "there")
    assert ended.code == 0
    limits = pd.read_csv(tmp_path / "there" / "limits.csv")
    assert limits[["experiment", "fitter"]].to_numpy().tolist() == [
        ["mine", "bayes"],
        ["mine", "naive_bayes"],
        ["mine", "best_linear"],
    ]
    assert "No limit for votes: its data are no draws from a known law" in ended.out
    assert "No limit for mine, hybrid: a hybrid has no limit where a probability is" in ended.out


def test_a_law_with_too_many_cells(call, tmp_path):
    tree = ", ".join(f"x{i}: 0.5" for i in range(17))
    (tmp_path / "my.yaml").write_text(
        "sizes: [4]\nexperiments:\n"
        f"  - {{name: wide, simulate: {{bernoulli: [{{{tree}}}, {{{tree}}}], rows: 20}}}}\n"
        "fitters: [{type: naive_bayes}]\n"
    )
    ended = call("limits", "--config", "my.yaml")
    assert ended.code == 0
    assert "No limit for wide: a Bernoulli law of 17 features has too many cells" in ended.out
    assert pd.read_csv(tmp_path / "results" / "my" / "limits.csv").empty


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("  - {name: mine", "  # ", ["my.yaml: no experiment is simulated", "'simulate'"]),
        (
            "[[1], [2]]",
            "[[1], [1, 2]]",
            ["my.yaml:8: fitters[1].blocks: for mine, input 'a' ", "twice"],
        ),
        (
            "[[1], [2]]",
            "[[1]]",
            ["my.yaml:8: fitters[1].blocks: for mine, input 'b' ", "in no block"],
        ),
        ("b: 0.5}]", "b: 1.5}]", ["my.yaml:5: experiments[1].simulate.bernoulli[1].b: ", "1.5"]),
        ("simulate: {", "stratified: true, sizes: [22], simulate: {", ["my.yaml:5: ", "size 22"]),
        ("naive_bayes", "naive_bays", ["my.yaml:7: fitters[0].type: ", "'naive_bayes'?"]),
    ],
)
def test_refusals_are_one_line(call, tmp_path, old, new, words):
    assert old in MIXED
    (tmp_path / "my.yaml").write_text(MIXED.replace(old, new, 1))
    ended = call("limits", "--config", "my.yaml")
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.startswith("Error: my.yaml:")
    assert ended.err.count("\n") == 1
    assert all(word in ended.err for word in words)
    assert not (tmp_path / "results").exists()


def test_a_config_on_data_alone(call):
    ended = call("limits", "--config", "ng_jordan.yaml")
    assert ended.code == 2
    assert "no experiment is simulated, and only a known law has limits" in ended.err
    assert ended.err.count("\n") == 1


def test_a_folder_that_cannot_be_written_to(call, tmp_path):
    (tmp_path / "my.yaml").write_text(MIXED)
    (tmp_path / "there").write_text("a file")
    ended = call("limits", "--config", "my.yaml", "--out", "there/results")
    assert ended.code == 2
    assert ended.err.startswith("Error: there/results")
    assert "cannot write there" in ended.err
    assert ended.err.count("\n") == 1
    assert (tmp_path / "there").read_text() == "a file"


def test_the_folder_of_another_run(call, tmp_path):
    """Limits beside other curves would be drawn into their figure."""
    text = MIXED.replace("  - {name: votes, data: vote, inputs: discrete}\n", "")
    (tmp_path / "my.yaml").write_text(text)
    (tmp_path / "other.yaml").write_text(text)
    run = ("run", "--config", "my.yaml", "--jobs", "1", "--out", "there")
    assert call(*run).code == 0
    ended = call("limits", "--config", "other.yaml", "--out", "there")
    assert ended.code == 2
    assert ended.err == (
        "Error: there: holds the results of 'my', which nothing replaces; choose another folder"
        " with --out, or remove this one\n"
    )
    assert not (tmp_path / "there" / "limits.csv").exists()
    assert call("limits", "--config", "my.yaml", "--out", "there").code == 0
    assert (tmp_path / "there" / "limits.csv").exists()
    ended = call("limits", "--config", "my.yaml", "--out", "my.yaml")
    assert ended.code == 2
    assert ended.err == "Error: my.yaml: cannot write there; choose another folder with --out\n"
