"""Rescaling and filling by training rows, against doing it to every row before scoring."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gdcurves import scoring
from gdcurves.arrays import FloatArray, IntArray
from gdcurves.fitters import REGISTRY, Batch
from gdcurves.problems.problem import Problem, Provenance
from gdcurves.scoring.pool import collect
from gdcurves.scoring.preparation import Preparation

N, C = 60, 3
NOWHERE = Provenance("d", "file", "s", "0", N, N, 0, 0, (), None)

FITTERS: list[dict[str, Any]] = [
    {"type": "naive_bayes", "epsilon": 0.01},
    {"type": "naive_bayes", "epsilon": 0.01, "variance": "per_class"},
    {"type": "naive_bayes", "epsilon": 0.0, "variance": "per_class"},
    {"type": "logistic_regression", "draws": 2},
    {"type": "nearest_centroid"},
    {"type": "lda", "epsilon": 0.02},
    {"type": "hybrid", "variance": "per_class"},
]


def problem(rng: np.random.Generator, rescale: Any, gaps: bool, discrete: bool, k: int) -> Problem:
    y = np.sort(rng.integers(k, size=N))
    x = rng.normal(size=(N, C)) + y[:, None] * [0.8, -0.3, 0.0] + [0.0, 5.0, -1.0]
    x[:, 2] = x[:, 2].round()
    if gaps:
        x[rng.random((N, C)) < [0.3, 0.0, 0.2]] = np.nan
    levels: tuple[int, ...] = (0,) * C
    if discrete:
        x = np.insert(x, 1, rng.integers(4, size=N), axis=1)
        levels = (0, 4, 0, 0)
    names = tuple(f"x{i}" for i in range(x.shape[1]))
    inputs: Any = "all" if discrete else "continuous"
    return Problem("p", inputs, x, y, levels, names, tuple("abc"[:k]), NOWHERE, rescale)


def by_hand(made: Problem, rows: IntArray, options: dict[str, Any]) -> scoring.Scores:
    """Scores of one training set, every row filled and rescaled by its rows."""
    x: FloatArray = made.x.astype(float)
    for column in range(x.shape[1]):
        if made.levels[column]:
            continue
        values = x[rows, column]
        known = values[~np.isnan(values)]
        mean = known.mean() if len(known) else 0.0
        x[np.isnan(x[:, column]), column] = mean
        if made.rescale == "train" and len(known):
            span = np.ptp(known)
            x[:, column] = (x[:, column] - known.min()) / (span or 1.0)
    whole = collect(x, made.y, made.levels, len(made.classes))
    batch = Batch(
        x[None, rows],
        made.y[None, rows],
        made.levels,
        len(made.classes),
        made.features,
        whole.centre,
    )
    fit = fitter(options).fit(batch, np.random.default_rng(1))
    return scoring.score(whole, fit, rows[None])


def fitter(options: dict[str, Any]) -> Any:
    rest = {key: value for key, value in options.items() if key != "type"}
    return REGISTRY[options["type"]](**rest)


@pytest.mark.slow
@pytest.mark.parametrize("options", FITTERS, ids=lambda each: "-".join(map(str, each.values())))
@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("rescale", ["train", "none"])
def test_as_if_every_row_had_been_prepared(
    options: dict[str, Any], rescale: str, gaps: bool
) -> None:
    rng = np.random.default_rng(5)
    for discrete in (False, True):
        if discrete and "discrete" not in fitter(options).needs.kinds:
            continue
        made = problem(rng, rescale, gaps, discrete, 3 if options["type"] != "hybrid" else 2)
        preparation = Preparation.of(made)
        for m in (4, 9, 30):
            for _ in range(4):
                rows = rng.permutation(N)[:m]
                if len(np.unique(made.y[rows])) < 2:
                    continue
                x, prepared = preparation.prepare(made.x[rows[None]])
                batch = Batch(
                    x,
                    made.y[rows[None]],
                    made.levels,
                    len(made.classes),
                    made.features,
                    preparation.centre,
                )
                fit = prepared.rewrite(fitter(options).fit(batch, np.random.default_rng(1)))
                scores = scoring.score(preparation.pool, fit, rows[None])
                expected = by_hand(made, rows, options)
                assert scores.values["errors"] == expected.values["errors"]
                assert scores.values["logloss"] == pytest.approx(
                    expected.values["logloss"], rel=1e-6
                )
                assert np.array_equal(
                    scores.values["errors_halfway"],
                    expected.values["errors_halfway"],
                    equal_nan=True,
                )


def test_ranges_and_means_are_those_of_the_training_rows() -> None:
    x = np.array([[1.0], [np.nan], [5.0], [2.0], [100.0]])
    made = Problem(
        "p",
        "continuous",
        x,
        np.array([0, 0, 1, 1, 1]),
        (0,),
        ("x",),
        ("a", "b"),
        NOWHERE,
        "train",
    )
    rows = np.array([[0, 1, 2, 3]])
    ready, _ = Preparation.of(made).prepare(x[rows])
    # mean of 1, 5, 2 is 8/3; range 1 to 5
    assert ready[0, :, 0] == pytest.approx([0.0, (8 / 3 - 1) / 4, 1.0, 0.25])


@pytest.mark.parametrize("scale", [1.0, 1e4, 1e-4])
def test_case_18_unit_of_a_column_is_no_difference(scale: float) -> None:
    """Columns at scales 1, 1e4, 1e-4: the same errors, as every training set rescales."""
    rng = np.random.default_rng(3)
    made = problem(rng, "train", False, False, 2)
    other = Problem(
        "p",
        "continuous",
        made.x * [scale, 1.0, 1 / scale],
        made.y,
        made.levels,
        made.features,
        made.classes,
        NOWHERE,
        "train",
    )
    rows = np.array([[0, 20, 40, 59, 33, 12]])
    results = []
    for each in (made, other):
        preparation = Preparation.of(each)
        x, prepared = preparation.prepare(each.x[rows])
        batch = Batch(x, each.y[rows], each.levels, 2, centre=preparation.centre)
        for options in FITTERS[:6]:
            fit = prepared.rewrite(fitter(options).fit(batch, np.random.default_rng(0)))
            results.append(scoring.score(preparation.pool, fit, rows))
    half = len(results) // 2
    for one, two in zip(results[:half], results[half:], strict=True):
        assert one.values["errors"] == two.values["errors"]
        assert one.values["logloss"] == pytest.approx(two.values["logloss"], rel=1e-6)
