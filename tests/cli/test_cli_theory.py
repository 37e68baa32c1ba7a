"""`gdcurves theory` in this process: what it writes and says, what is drawn of it, and refusals."""

from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd
import pytest

from gdcurves.plots import theory
from gdcurves.run import reading

BITS = """\
splits: 3
sizes: [4, 40]
measures: [error]
experiments:
  - name: bits
    simulate: {blocks: [{features: 10, p: [.3, .7]}], test: law}
fitters: [{type: naive_bayes}, {type: logistic_regression}]
"""
COLUMNS = "experiment quantity fitter n argument value accuracy law"


def read(folder: Path) -> pd.DataFrame:
    return pd.read_csv(folder / "theory.csv")


@pytest.mark.slow
def test_theory_of_a_config_and_its_figure(call, tmp_path, shared):
    (tmp_path / "bits.yaml").write_text(BITS)
    assert call("run", "--config", "bits.yaml", "--jobs", "1").code == 0
    refused = call("plot", "results/bits", "--figure", "theory")
    assert refused.code == 2
    assert "gdcurves theory --config bits.yaml" in refused.err

    ended = call("theory", "--config", "bits.yaml", "--m", "10,3000,10000,100000")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[-1] == "results/bits/theory.csv"
    folder = tmp_path / "results" / "bits"
    found = read(folder)
    assert found.columns.tolist() == COLUMNS.split()
    quantities = "alpha G lemma3_bound lemma3_exact theorem4_bound proposition2_bound"
    assert found["quantity"].unique().tolist() == quantities.split()
    # Counts are whole numbers in the file too.
    rows = list(csv.DictReader((folder / "theory.csv").open(encoding="utf-8")))
    counts = [row["value"] for row in rows if row["quantity"].startswith("lemma3")]
    assert all(each.isdecimal() for each in counts)
    assert f"from m = {int(counts[0]):,} on" in ended.out
    # Of four sizes the first has no bound, and the second one that says nothing.
    bounds = found.loc[found["quantity"] == "theorem4_bound", "value"]
    assert bounds.isna().tolist() == [True, False, False, False]
    assert bounds.iloc[1] > 0.5 > bounds.iloc[2]
    assert "Theorem 4 is vacuous below m = 10,000" in ended.out

    assert call("plot", "results/bits", "--figure", "theory").code == 0
    assert (folder / "figure_theory.png").exists()
    (sheet,) = theory.sheets(reading.read(folder))
    errors, g = sheet.panels
    labels = [curve.label for curve in errors.curves]
    assert labels == ["naive Bayes", "logistic regression", *(b for b, _ in theory.BOUNDS.values())]
    of_theorem, of_proposition = errors.curves[2:]
    assert of_theorem.m.tolist() == [10_000, 100_000]
    assert of_theorem.y == pytest.approx(bounds.iloc[2:].to_numpy())
    with (shared / "reference" / "theory" / "proposition2.csv").open() as file:
        (known,) = (
            float(row["m_sufficient_vc_n_plus_1"])
            for row in csv.DictReader(file)
            if (row["n"], row["eps0"]) == ("10", "0.1")
        )
    error = errors.asymptotes[0].y[0]
    at = of_proposition.m.tolist().index(pytest.approx(known, rel=1e-9))
    assert of_proposition.y[at] == pytest.approx(error + 0.1)
    assert g.curves[0].y == pytest.approx(found.loc[found["quantity"] == "G", "value"].to_numpy())

    # What is of another law is not drawn beside the run.
    (tmp_path / "bits.yaml").write_text(BITS.replace("[.3, .7]", "[.4, .7]"))
    assert call("theory", "--config", "bits.yaml", "--m", "10").code == 0
    assert call("plot", "results/bits", "--figure", "theory").code == 2


def test_alpha_and_g_of_data(call, tmp_path, shared):
    with (shared / "reference" / "theory" / "g_data.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for data in ("diabetes", "vote"):
        own = [row for row in rows if row["file"] == f"{data}.arff"]
        ended = call("theory", "--data", data, "--tau", ",".join(row["tau"] for row in own))
        assert ended.code == 0
        found = read(tmp_path / "results" / data)
        assert set(found["quantity"]) == {"alpha", "G"}
        values = found.set_index(["quantity", "argument"])["value"]
        alphas = [values["alpha", k] for k in (2, 1)]
        assert alphas == pytest.approx([float(own[0][f"alpha_{k}"]) for k in "TF"], abs=1e-9)
        for row in own:
            count = round(float(row["G"]) * int(row["rows"]))
            assert values["G", float(row["tau"])] == count / int(row["rows"])


def test_data_with_missing_values_and_in_a_config(call, tmp_path):
    (tmp_path / "my.csv").write_text("a,b,c\n1,x,u\n2,,v\n,x,u\n5,y,v\n3,y,u\n4,x,v\n")
    told = ("--target", "c", "--missing", "mean,level", "--tau", "0,1000")
    ended = call("theory", "--data", "my.csv", *told)
    assert ended.code == 0
    values = read(tmp_path / "results" / "my").set_index(["quantity", "argument"])["value"]
    # Without an end G is the share of what is right: one row of six is on the wrong side.
    assert values["G", 1000.0] in {count / 6 for count in range(7)}
    config = "sizes: [2]\nexperiments: [{name: vote, inputs: discrete}]\nfitters: [{type: lda}]\n"
    config = config.replace("lda", "logistic_regression")
    (tmp_path / "votes.yaml").write_text(config)
    assert call("theory", "--config", "votes.yaml", "--tau", "0.05").code == 0
    found = read(tmp_path / "results" / "votes")
    assert found.loc[found["quantity"] == "G", "value"].tolist() == [2 / 232]


@pytest.mark.slow
def test_what_a_terminal_does_not_hold_is_said_in_a_pager(call, monkeypatch):
    whole = call("theory", "--config", "lemma3.yaml", "--m", "1000", "--tau", "0.1").out
    headings = [line for line in whole.splitlines() if line.startswith("bits-n") and "," in line]
    assert len(headings) == 8
    assert "naive_bayes and naive_bayes_unsmoothed: alpha" in whole
    monkeypatch.setenv("FORCE_COLOR", "1")  # as a terminal is
    monkeypatch.setenv("COLUMNS", "80")
    for lines, fewest, most in ((10, 1, 1), (60, 2, 7), (500, 8, 8)):
        monkeypatch.setenv("LINES", str(lines))
        out = call("theory", "--config", "lemma3.yaml", "--m", "1000", "--tau", "0.1").out
        shown = sum(heading in out for heading in headings)
        assert fewest <= shown <= most
        assert (f"{8 - shown} more experiments: " in out) == (shown < 8)
        assert len(out.splitlines()) <= lines or shown == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "either --config FILE or --data DATA"),
        (("--config", "lemma3.yaml", "--target", "a"), "--target goes with --data"),
        (("--config", "lemma3.yaml", "--delta", "1"), "--delta 1: write a number between"),
        (("--config", "lemma3.yaml", "--tau", "x"), "--tau x: write numbers a,b,..."),
        (("--config", "lemma3.yaml", "--m", "1.5"), "--m 1.5: write whole numbers"),
        (("--data", "lymph"), "two classes, and there are 4"),
    ],
)
def test_refusals(call, arguments, words):
    ended = call("theory", *arguments)
    assert ended.code == 2
    assert words in ended.err
    assert ended.err.count("\n") == 1
