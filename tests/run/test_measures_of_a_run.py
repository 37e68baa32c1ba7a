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


@pytest.mark.slow
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


@pytest.mark.slow
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


MEASURED = CONFIG.format(measures="[error, auc, logloss]")


def ran(call, tmp_path, config: str, *options: str) -> str:
    (tmp_path / "my.yaml").write_text(config)
    ended = call("run", "--config", "my.yaml", "--jobs", "1", *options)
    assert ended.code == 0, ended.err
    return (tmp_path / "results" / "my" / "crossings.csv").read_text()


@pytest.mark.slow
def test_the_main_measure_by_key_by_option_and_afterwards(call, tmp_path) -> None:
    """Crossings, words and picture are those of a run that measured nothing else."""
    alone = ran(call, tmp_path, CONFIG.format(measures="[auc]"))
    words = call("crossings", "results/my").out
    assert "AUC" in words
    assert call("plot", "results/my").code == 0
    picture = tmp_path / "results" / "my" / "figure.png"
    drawn = picture.read_bytes()
    assert ran(call, tmp_path, MEASURED + "measure: auc\n", "--fresh") == alone
    by_error = ran(call, tmp_path, MEASURED, "--fresh")
    assert by_error != alone
    assert call("plot", "results/my").code == 0
    own = picture.read_bytes()
    assert own != drawn
    # The run as it is, by another measure.
    assert call("crossings", "results/my", "--measure", "auc").out == words
    assert call("plot", "results/my", "--measure", "auc").code == 0
    assert picture.with_name("figure_auc.png").read_bytes() == drawn
    assert picture.read_bytes() == own
    assert (picture.parent / "crossings.csv").read_text() == by_error
    # Nothing is computed again to make the tables of another one, and back.
    rows = picture.parent / "splits" / "radar" / "000000-000029.csv"
    stored = rows.stat().st_mtime_ns
    assert ran(call, tmp_path, MEASURED, "--resume", "--measure", "auc") == alone
    assert call("crossings", "results/my").out == words
    assert ran(call, tmp_path, MEASURED + "measure: error\n", "--resume") == by_error
    assert rows.stat().st_mtime_ns == stored


@pytest.mark.slow
def test_what_cannot_be_the_main_measure(call, tmp_path) -> None:
    infinite = (
        "'logloss' may be infinite, so that no mean difference tells which classifier is"
        " better; name another one"
    )
    absent = "'brier' is not among the 'measures' (error, auc, logloss); add it there"
    for name, said in (
        ("logloss", infinite),
        ("brier", absent),
        ("acu", "no measure 'acu'; did you mean 'auc'?"),
    ):
        (tmp_path / "my.yaml").write_text(f"{MEASURED}measure: {name}\n")
        ended = call("run", "--config", "my.yaml")
        assert (ended.code, ended.err) == (2, f"Error: my.yaml:8: measure: {said}\n")
        (tmp_path / "my.yaml").write_text(MEASURED)
        ended = call("run", "--config", "my.yaml", "--measure", name)
        assert (ended.code, ended.err) == (2, f"Error: --measure: {said}\n")
    ran(call, tmp_path, MEASURED)
    for command, name, said in (
        ("crossings", "logloss", infinite),
        ("crossings", "brier", absent),
        ("plot", "brier", absent),
    ):
        ended = call(command, "results/my", "--measure", name)
        assert (ended.code, ended.err) == (2, f"Error: results/my: --measure: {said}\n")
    assert call("plot", "results/my", "--measure", "logloss").code == 0  # nothing is compared there
