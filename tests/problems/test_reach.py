"""Numbers of any size: the others of a column keep their digits beside one of 1e155."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import quiet
from scipy.stats import norm

from gdcurves import config, datasets, plan
from gdcurves.datasets import Request
from gdcurves.fitters import Batch
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.problems.problem import Problem, build
from gdcurves.problems.reach import REACH, within
from gdcurves.scoring.preparation import Preparation

RNG = np.random.default_rng(14)
Y = np.repeat(["no", "yes"], 30)
NEAR = np.round(RNG.normal(size=60) + (Y == "yes"), 4)


def table(path: Path, column: np.ndarray) -> Path:
    pd.DataFrame({"a": column, "b": NEAR[::-1], "y": Y}).to_csv(path, index=False)
    return path


def problem(path: Path) -> Problem:
    return build("e", datasets.load(Request(str(path), "y")), "all", rescale="train")


@pytest.mark.parametrize("far", [1e9, -1e9, 1e155, -1e155, 1.7e308, -1.7e308])
def test_one_number_far_away_counts_as_nearer_and_is_told(far: float, tmp_path: Path) -> None:
    column = NEAR.copy()
    column[7] = far
    made = problem(table(tmp_path / "d.csv", column))
    (note,) = [note for note in made.provenance.notes if "count as being just so far" in note]
    assert "'a' (1 number, as " in note
    # The others are as far from each other as they were, beside the span that is left.
    x = np.sort(made.x[:, 0])
    ordered = np.sort(np.delete(column, 7))
    x = x[:-1] if far > 0 else x[1:]
    step = (x[-1] - x[0]) / (ordered[-1] - ordered[0])
    np.testing.assert_allclose(x - x[0], (ordered - ordered[0]) * step, rtol=1e-8, atol=1e-16)
    assert 1e-7 < (x[-1] - x[0]) < 1e-5


@pytest.mark.parametrize("far", [1e8, 1e155, -1e300])
def test_scores_are_those_of_normal_densities(far: float, tmp_path: Path) -> None:
    """The training set has no such number: what rules say of usual rows is what scipy says."""
    column = NEAR.copy()
    column[7] = far
    made = problem(table(tmp_path / "d.csv", column))
    usual = np.delete(np.arange(60), np.argmax(np.abs(made.x[:, 0] - np.median(made.x[:, 0]))))
    rows = usual[::2]
    preparation = Preparation.of(made)
    ready, prepared = preparation.prepare(np.asarray(made.x)[rows][None])
    batch = Batch(ready, made.y[rows][None], (0, 0), 2, made.features, preparation.centre)
    fitter = NaiveBayes(variance="per_class", epsilon=0.0, prior="equal")
    fit = prepared.rewrite(fitter.fit(batch, RNG))
    weights = fit.rules.weights[0].transpose(1, 2, 0)
    ours = preparation.pool.scores(slice(None), weights, fit.rules.feature_map)[0, usual, 0]
    x = np.asarray(made.x)[usual]
    own = {k: np.asarray(made.x)[rows[made.y[rows] == k]] for k in (0, 1)}
    log_p = [
        sum(norm.logpdf(x[:, i], own[k][:, i].mean(), own[k][:, i].std()) for i in (0, 1))
        for k in (0, 1)
    ]
    np.testing.assert_allclose(ours, log_p[1] - log_p[0], rtol=1e-3, atol=1e-3)


def test_ordinary_columns_stay_as_they_are() -> None:
    rng = np.random.default_rng(0)
    for column in (
        rng.normal(size=500),
        rng.lognormal(sigma=2.5, size=500),
        rng.standard_cauchy(500),
        rng.poisson(0.02, 500) * 1e9,
        np.array([0.3, 0.1 + 0.2, *[0.5] * 20, *[0.3] * 40]),
        np.zeros(5),
        np.full(4, np.nan),
        10.0 ** np.arange(-300, 300, 10),
    ):
        same, moved = within(column)
        if moved is not None:  # decades: what is beyond the reach is told
            assert moved.n == np.count_nonzero(same != column)
            assert len(column) == 60
        else:
            assert same is column


def test_reach_is_from_the_median_in_both_directions() -> None:
    moved, told = within(np.array([-1.7e308, -2.0, -1.0, 0.0, 1.0, 2.0, 1.7e308, np.nan]))
    assert moved[:-1].tolist() == [-2 * REACH, -2.0, -1.0, 0.0, 1.0, 2.0, 2 * REACH]
    assert np.isnan(moved[-1])
    assert told is not None
    assert told.n == 2


CONFIG = """\
splits: 20
sizes: [4, 20, 50]
measures: [error, logloss, brier, auc]
interval: rows
fitters: [{{type: naive_bayes, variance: per_class}}, {{type: lda}}, {{type: majority}}]
experiments: [{{name: e, data: {path}, target: y, rescale: {rescale}, inputs: continuous}}]
"""


@pytest.mark.parametrize("rescale", ["train", "dataset"])
@pytest.mark.parametrize("scale", [1.0, 1e155, 5e-324 * 2**20])
def test_a_run_is_finite_without_a_warning(scale: float, rescale: str, tmp_path: Path) -> None:
    column = NEAR * scale
    column[7] = 1e307 if scale < 2 else 1.0
    path = table(tmp_path / "d.csv", column)
    (tmp_path / "my.yaml").write_text(CONFIG.format(path=path, rescale=rescale))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        quiet.run(plan.make(config.load(tmp_path / "my.yaml")), tmp_path / "out", "my")
    curves = pd.read_csv(tmp_path / "out" / "curves.csv")
    means = curves[[f"{name}_mean" for name in ("error", "logloss", "brier", "auc")]]
    assert np.isfinite(means.to_numpy()).all()
