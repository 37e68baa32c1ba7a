"""Runs whose rules are judged by the law: tables, figures, resuming, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import quiet
from scipy.special import ndtr

from gdcurves import config, plan, plots
from gdcurves.errors import UserError
from gdcurves.run import reading

CONFIG = """\
splits: 24
chunk: 12
fitters:
  - {type: naive_bayes, prior: equal, epsilon: 0}
  - {type: lda, prior: equal, epsilon: 0}
  - {type: logistic_regression}
experiments:
  - name: wide
    simulate: {blocks: [{features: 1/2, normal: {shift: 0.9}}, {features: 1/2, normal: {total: 1}}],
      n: [4, 8], test: law}
    stratified: true
    sizes: [12, 25, 48, 200]
  - {name: bits, simulate: {name: be_diag, test: law}, sizes: [6, 30]}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "my.yaml").write_text(
        CONFIG.replace("{type: lda, ", "{type: lda, inputs: continuous, ")
    )
    planned = plan.make(config.load(tmp_path / "my.yaml"))
    assert not quiet.run(planned, tmp_path / "results", "my").failed
    return tmp_path / "results"


@pytest.mark.slow
def test_tables_and_figures(folder: Path) -> None:
    run = reading.read(folder)
    curves = run.curves
    assert np.isinf(curves["n_test"]).all()
    assert (curves["logloss_sum_median"].isna()).all()
    errors = curves.set_index(["experiment", "fitter", "m"])["error_mean"]
    bayes = {n: ndtr(-np.sqrt(n / 2 * 0.9**2 + 1) / 2) for n in (4, 8)}
    for n, best in bayes.items():
        falls = errors[f"wide-n{n}"]
        assert (falls > best).all()
        assert (falls.unstack()[200] < falls.unstack()[12]).all()
        # Efron's constants: some (n + 1) phi(D / 2) / (4 D) (1 + D^2 / 4) of the excess is left.
        assert falls["lda", 200] - best < 0.03
    assert run.limits is not None
    limits = run.limits.set_index(["experiment", "fitter"])["error"]
    assert limits["wide-n4", "bayes"] == pytest.approx(bayes[4], abs=1e-12)
    assert limits["wide-n4", "best_linear"] == pytest.approx(bayes[4], abs=1e-12)
    assert run.complexity is not None
    kinds = run.complexity.set_index(["experiment", "fitter"])["kind"]
    assert kinds["wide-n4", "naive_bayes"] in ("reached", "below_first")
    assert kinds["wide", "logistic_regression"] == "growth"
    assert run.comparisons is not None
    assert set(run.comparisons["interval"]) == {"splits"}
    assert all(path.stat().st_size > 5000 for path in plots.draw(run, "complexity"))
    written = (folder / "curves.csv").read_text()
    assert ",inf," in written.splitlines()[1]


@pytest.mark.slow
def test_each_split_is_the_same_whatever_else_is_run(folder: Path, tmp_path: Path) -> None:
    text = (tmp_path / "my.yaml").read_text()
    (tmp_path / "my.yaml").write_text(text.replace("[4, 8]", "[8]").replace("48, 200", "48"))
    planned = plan.make(config.load(tmp_path / "my.yaml"), ["wide"])
    quiet.run(planned, tmp_path / "again", "my")
    before, after = (
        pd.concat(map(pd.read_csv, sorted((each / "splits" / "wide-n8").glob("*.csv"))))
        for each in (folder, tmp_path / "again")
    )
    before = before[(before["m"] < 200) & (before["fitter"] != "logistic_regression")]
    after = after[after["fitter"] != "logistic_regression"]
    keys = ["fitter", "m", "split"]
    left, right = (each.set_index(keys)["errors"].sort_index() for each in (before, after))
    np.testing.assert_allclose(left, right, rtol=1e-12)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("{name: be_diag", "{name: be_diag, rows: 10", ""),
        ("splits: 24", "splits: 2\nmeasures: [error, auc]", "the measure 'auc' is not known"),
        (
            "{type: logistic_regression}",
            "{type: sklearn, name: stump, estimator: sklearn.tree.DecisionTreeClassifier}",
            "my.yaml:10: experiments[0].simulate.test: rules of 'stump' are not judged exactly",
        ),
        (
            "{name: be_diag",
            "{gaussian: {means: [[0], [1], [2]], covariances: [[1]]}, rows: 30",
            "my.yaml:13: experiments[1].simulate.test: errors under 3 normal classes are not known",
        ),
    ],
)
def test_what_is_refused_before_any_work(tmp_path: Path, old: str, new: str, words: str) -> None:
    text = CONFIG.replace("{type: lda, ", "{type: lda, inputs: continuous, ")
    (tmp_path / "my.yaml").write_text(text.replace(old, new).replace("24", "2"))
    planned = plan.make(config.load(tmp_path / "my.yaml"), ["bits"] if "be_diag" in old else [])
    if not words:
        assert not quiet.run(planned, tmp_path / "results", "my").failed
        return
    with pytest.raises(UserError) as caught:
        quiet.run(planned, tmp_path / "results", "my")
    assert words in str(caught.value)
    assert "leave out 'test: law'" in str(caught.value)
    assert not (tmp_path / "results" / "splits").exists()
