"""Runs with other measures than the usual two: columns, tables, words and figures follow."""

from __future__ import annotations

import pandas as pd
import pytest

CONFIG = """
splits: 30
sizes: [6, 40]
measures: {measures}
experiments:
  - {{name: radar, data: ionosphere, inputs: continuous, classes: [b, g]}}
fitters: [{{type: naive_bayes}}, {{type: nearest_centroid}}]
"""


@pytest.fixture
def run(call, tmp_path):
    def run(names: str) -> tuple[str, pd.DataFrame, pd.DataFrame]:
        (tmp_path / "my.yaml").write_text(CONFIG.format(measures=names))
        ended = call("run", "--config", "my.yaml", "--jobs", "1", "--fresh")
        assert ended.code == 0, ended.err
        folder = tmp_path / "results" / "my"
        return ended.out, *(pd.read_csv(folder / f"{each}.csv") for each in ("curves", "crossings"))

    return run


def test_one_measure_has_the_numbers_that_it_has_beside_another(run) -> None:
    _, both, crossings = run("[error, logloss]")
    _, error, same = run("[error]")
    assert list(error) == [name for name in both if "logloss" not in name]
    pd.testing.assert_frame_equal(error, both[list(error)])
    pd.testing.assert_frame_equal(crossings, same)
    out, logloss, none = run("[logloss]")
    assert list(logloss) == [n for n in both if "error" not in n and "sampler" not in n]
    pd.testing.assert_frame_equal(logloss, both[list(logloss)])
    assert none.empty
    assert "Log loss on the test rows at the largest m" in out


def test_any_measure_reaches_tables_words_and_figure(run, call, tmp_path) -> None:
    """One that is better where it is higher, as the first of the list."""
    out, curves, crossings = run("[auc, brier]")
    assert {"auc_mean", "auc_q90", "brier_se"} <= set(curves)
    assert "AUC on the test rows at the largest m" in out
    last = curves[curves["m"] == 40].set_index("fitter")["auc_mean"]
    row = crossings.iloc[-1]
    difference = last["naive_bayes"] - last["nearest_centroid"]
    assert row["difference_last"] == pytest.approx(difference, rel=1e-12)
    ahead = "naive_bayes" if difference > 0 else "nearest_centroid"
    assert f"{ahead} has {abs(difference):.3f} more AUC" in " ".join(out.split())
    n_better = {row["fitter_a"]: row["n_a_better"], row["fitter_b"]: row["n_b_better"]}
    assert n_better[ahead] > 0
    assert call("plot", "results/my").code == 0
    assert (tmp_path / "results" / "my" / "figure.png").exists()


def test_mistakes_in_measures(call, tmp_path) -> None:
    for names, said in (
        ("[eror]", "my.yaml:4: measures[0]: no measure 'eror'; did you mean 'error'?"),
        ("[error, error]", "my.yaml:4: measures[1]: 'error' stands here already; name it once"),
        ("[]", "my.yaml:4: measures: the list is empty; write at least one item"),
        ("error", "my.yaml:4: measures: found 'error'; write a list"),
    ):
        (tmp_path / "my.yaml").write_text(CONFIG.format(measures=names))
        ended = call("run", "--config", "my.yaml")
        assert (ended.code, ended.err) == (2, f"Error: {said}\n")
