"""Measures of other kinds, against scikit-learn: sums by class, probabilities, rankings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from others import Neighbour
from rules import pool_of
from sklearn.metrics import balanced_accuracy_score, brier_score_loss, roc_auc_score

from gdcurves import curves, scoring, splits
from gdcurves.fitters import Batch, Diagnostics, Fit, Fitter, LinearRules
from gdcurves.fitters.features import design
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.logistic.certificates import Outcome
from gdcurves.problems.problem import Problem, Provenance
from gdcurves.scoring.measures import DEFAULT, MEASURES, chosen, compared
from gdcurves.scoring.measures.base import SumMeasure, Tally
from gdcurves.scoring.preparation import Preparation

N, M, SETS = 90, 30, 6
NOWHERE = Provenance("d", "file", "s", "0", N, N, 0, 0, (), None)
OTHERS = chosen(["brier", "balanced_error", "auc"])


def problem(discrete: bool) -> Problem:
    rng = np.random.default_rng(3)
    y = np.sort(rng.random(N) < 0.3).astype(int)
    x = rng.normal(size=(N, 3)) + y[:, None]
    if discrete:
        x = np.clip(x.round() + 2, 0, 4).astype(np.int32)
    levels = (5, 5, 5) if discrete else (0, 0, 0)
    kind = "discrete" if discrete else "continuous"
    return Problem("p", kind, x, y, levels, ("a", "b", "c"), ("r", "s"), NOWHERE)


@pytest.mark.parametrize("discrete", [False, True])
@pytest.mark.parametrize(
    "fitter", [NaiveBayes(), Neighbour()], ids=lambda each: type(each).__name__
)
def test_measures_are_those_of_scikit_learn(fitter: Fitter, discrete: bool) -> None:
    if discrete and isinstance(fitter, Neighbour):
        fitter = NaiveBayes(laplace=0.5)
    made = problem(discrete)
    training = splits.training_sets(made.y, [M], range(SETS), 0, "e")[M]
    batch = Batch(made.x[training], made.y[training], made.levels, 2)
    fit = fitter.fit(batch, np.random.default_rng(0))
    values = scoring.score(pool_of(made), fit, training, [*chosen(), *OTHERS]).values
    assert list(values) == ["errors", "logloss", "brier", "balanced_error", "auc", "errors_halfway"]
    for b, rows in enumerate(training):
        test = np.setdiff1d(np.arange(N), rows)
        y = made.y[test]
        if isinstance(fit.rules, LinearRules):
            score = design(made.x[test], made.levels) @ fit.rules.weights[0, b, 0]
        else:
            log_p = fit.rules.score(b, made.x[test])[0]
            score = log_p[:, 1] - log_p[:, 0]
        score = score.round(9)
        p = 1 / (1 + np.exp(-score))
        assert values["brier"][b] == pytest.approx(brier_score_loss(y, p), rel=1e-8)
        assert values["auc"][b] == pytest.approx(roc_auc_score(y, score), rel=1e-12)
        balanced = 1 - balanced_accuracy_score(y, score > 1e-10)
        assert values["balanced_error"][b] == pytest.approx(balanced, rel=1e-12)


def test_hard_rules_have_probabilities_of_zero_and_one() -> None:
    """Where classes are separable the Brier score of the limit is the share of errors."""
    made = problem(False)
    training = np.array([[0, 1, N - 2, N - 1]])
    batch = Batch(made.x[training], made.y[training], made.levels, 2)
    fit = LogisticRegression(draws=5).fit(batch, np.random.default_rng(0))
    assert fit.diagnostics.outcome is not None
    assert fit.diagnostics.outcome[0] == Outcome.SEPARABLE
    values = scoring.score(pool_of(made), fit, training, chosen([*DEFAULT, "brier"])).values
    assert values["brier"][0] == pytest.approx(values["errors"][0] / (N - 4), rel=1e-12)
    assert np.isinf(values["logloss"][0])


def test_what_a_rule_does_not_give_has_no_value() -> None:
    made = problem(False)
    training = splits.training_sets(made.y, [M], range(2), 0, "e")[M]
    batch = Batch(made.x[training], made.y[training], made.levels, 2)
    for gives, absent in (
        ("predictions", ["logloss", "brier", "auc"]),
        ("scores", ["logloss", "brier"]),
    ):
        fit = Neighbour(gives=gives).fit(batch, np.random.default_rng(0))
        values = scoring.score(pool_of(made), fit, training, [*chosen(), *OTHERS]).values
        assert [name for name in values if np.isnan(values[name]).all()] == [
            *absent,
            "errors_halfway",
        ]


@pytest.mark.parametrize("rescale", ["none", "train"])
def test_scores_of_linear_rules_may_mean_their_order_alone(rescale: Any) -> None:
    """Measures of probabilities have no value; the others are those of the same rules."""
    made = replace(problem(False), rescale=rescale)
    training = splits.training_sets(made.y, [M], range(SETS), 0, "e")[M]
    preparation = Preparation.of(made)
    x, prepared = preparation.prepare(made.x[training])
    fit = NaiveBayes().fit(Batch(x, made.y[training], made.levels, 2), np.random.default_rng(0))
    ordered = replace(fit, rules=replace(fit.rules, gives="scores"))
    measures = [*chosen(), *OTHERS]
    sure, order = (
        scoring.score(preparation.pool, prepared.rewrite(each), training, measures).values
        for each in (fit, ordered)
    )
    for name in ("logloss", "brier"):
        assert np.isfinite(sure[name]).all()
        assert np.isnan(order[name]).all()
    for name in ("errors", "balanced_error", "auc"):
        assert np.isfinite(sure[name]).all()
        assert np.array_equal(sure[name], order[name])


def test_whole_test_sets_in_parts_and_together(monkeypatch: pytest.MonkeyPatch) -> None:
    made = problem(False)
    training = splits.training_sets(made.y, [M], range(SETS), 0, "e")[M]
    rng = np.random.default_rng(1)
    weights = rng.normal(size=(3, SETS, 1, 4))
    fit = Fit(LinearRules(weights), Diagnostics())
    areas = []
    for at_once in (1, 700, 2**22):
        monkeypatch.setattr("gdcurves.scoring.judgements.MOST_SCORES", at_once)
        areas.append(scoring.score(pool_of(made), fit, training, chosen(["auc"])).values["auc"])
    for b, rows in enumerate(training):
        test = np.setdiff1d(np.arange(N), rows)
        scores = design(made.x[test], made.levels) @ weights[:, b, 0].T
        expected = np.mean([roc_auc_score(made.y[test], scores[:, r]) for r in range(3)])
        for each in areas:
            assert each[b] == pytest.approx(expected, rel=1e-12)


def test_where_no_row_is_left_to_test_the_mean_over_classes_is_no_number() -> None:
    """As where the only group that is tested is left out; no warning is shown."""
    errors = np.array([[1.0, 0.0], [3.0, 0.0]])[:, None, :]
    tally = Tally(errors[None], 0, np.array([[4, 0], [4, 0]]), np.zeros(2, dtype=bool))
    values = MEASURES["balanced_error"].of_tally(tally)
    assert values[0] == balanced_accuracy_score([0] * 4 + [1] * 4, [1] + [0] * 6 + [1])
    assert np.isnan(values[1])


def test_registry_and_columns_agree() -> None:
    assert DEFAULT == tuple(MEASURES)[:2] == ("error", "logloss")
    for name, measure in MEASURES.items():
        assert measure.name == name
        columns = curves.columns([measure])
        assert len(columns) == len(set(columns))
        assert set(measure.further) | set(measure.of_sums) <= set(columns)
    assert compared(chosen()) is MEASURES["error"]
    assert compared(chosen(["logloss"])) is None


def test_a_measure_without_a_best_value_is_refused() -> None:
    with pytest.raises(TypeError, match="Endless: higher is better, so say its 'largest_diff"):
        type("Endless", (SumMeasure,), {"better": "higher"})
