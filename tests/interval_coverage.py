"""How often the interval for other data covers the difference that holds for them.

    python tests/interval_coverage.py

Data sets are drawn from a population again and again; each has its own splits, its own interval and
its own verdict, as a run with `interval: rows` gives them. The truth is the difference of the mean
errors over fresh training sets from the population.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
from scipy.special import stdtrit
from threadpoolctl import threadpool_limits

from gdcurves import config, plan, splits
from gdcurves.arrays import FloatArray, IntArray
from gdcurves.crossings import interval
from gdcurves.crossings.interval import Spread
from gdcurves.fitters import REGISTRY, Batch, Fitter, LinearRules
from gdcurves.fitters.features import design
from gdcurves.plan.loading import load
from gdcurves.problems.problem import Problem
from gdcurves.scoring import score
from gdcurves.scoring.judged import TIE
from gdcurves.scoring.measures import chosen
from gdcurves.scoring.pool import collect
from gdcurves.scoring.sums import UnitSums, of_classifiers, together

# Rows, and splits of them: large data sets have few.
DESIGNS = ((50, 1000), (100, 1000), (300, 1000), (1000, 1000), (2000, 50))
FEW = 50
SHARES = (0.1, 0.25, 0.5, 0.9)
LAST = SHARES[-1]
DATA_SETS, PART, FRESH = 300, 250, 20_000
BOTH = {name: REGISTRY[name]() for name in ("naive_bayes", "penalised_logistic")}
# As a run on one's own data has them, but for a strength that is the same in all sets.
THREE = {
    "naive_bayes": REGISTRY["naive_bayes"](variance="per_class"),
    "penalised_logistic": REGISTRY["penalised_logistic"](),
    "majority": REGISTRY["majority"](),
}
ERROR = chosen(["error"])
Draw = Callable[[np.random.Generator, int], tuple[FloatArray, IntArray]]


@dataclass(frozen=True)
class Population:
    """Rows x (n, d) and classes y (n,) are drawn from it; `whole` if it has no more than these.

    All pairs of its `fitters` are compared.
    """

    name: str
    levels: tuple[int, ...]
    draw: Draw
    whole: tuple[FloatArray, IntArray] | None = None
    fitters: Mapping[str, Fitter] = field(default_factory=lambda: BOTH)

    def batch(self, x: FloatArray, y: IntArray) -> Batch:
        """Training sets x (B, m, d), y (B, m)."""
        names = tuple(f"x{i}" for i in range(len(self.levels)))
        return Batch(x, y, self.levels, 2, names, np.zeros(len(names)))


def populations() -> Iterator[Population]:
    """Adult, two laws, and one in which all classifiers are equal, as inputs tell nothing."""
    document = config.load(config.find("ng_jordan.yaml"))
    planned = plan.make(document, ["adult-continuous"])
    loaded, _ = load(planned, "packaged", None, offline=True)
    adult = loaded["adult-continuous"]
    assert isinstance(adult, Problem)
    whole = adult.x, adult.y
    yield Population("adult", adult.levels, partial(_of_rows, *whole), whole)
    yield Population("correlated", (0,) * 8, _correlated)
    yield Population("bits", (2,) * 8, _bits)
    yield Population("coin flips", (0,) * 4, _noise, fitters=THREE)


def _of_rows(
    x: FloatArray, y: IntArray, rng: np.random.Generator, n: int
) -> tuple[FloatArray, IntArray]:
    rows = rng.choice(len(y), n, replace=False)
    return x[rows], y[rows]


def _correlated(rng: np.random.Generator, n: int) -> tuple[FloatArray, IntArray]:
    """Eight normal features with correlations of 0.4, in about [0, 1]."""
    y = rng.integers(2, size=n)
    means = np.array([[0.0] * 8, [1.5] + [0.3] * 7])
    common = rng.normal(size=(n, 1)) * np.sqrt(0.4)
    x = means[y] + common + rng.normal(size=(n, 8)) * np.sqrt(0.6)
    return 0.4 + x / 8, y


def _bits(rng: np.random.Generator, n: int) -> tuple[FloatArray, IntArray]:
    """Four bits that tell the class, and four that repeat the first of them five times in six."""
    y = (rng.random(n) < 0.4).astype(np.int64)
    x = (rng.random((n, 8)) < 0.3 + 0.35 * y[:, None]).astype(np.int64)
    copied = rng.random((n, 4)) < 5 / 6
    x[:, 4:] = np.where(copied, x[:, :1], x[:, 4:])
    return x, y


def _noise(rng: np.random.Generator, n: int) -> tuple[FloatArray, IntArray]:
    return 0.5 + rng.normal(size=(n, 4)) / 8, rng.integers(2, size=n)


def truth(population: Population, m: int) -> float:
    """Mean difference of the errors over fresh training sets of m rows."""
    rng = np.random.default_rng([m, 1])
    total, at_once = 0.0, 500
    for _ in range(FRESH // at_once):
        rows = [_two_classes(population, rng, m) for _ in range(at_once)]
        batch = population.batch(*(np.array(each) for each in zip(*rows, strict=True)))
        x, y = population.whole or population.draw(rng, 10_000)
        features = design(x, population.levels)
        errors = []
        for fitter in BOTH.values():
            rules = fitter.fit(batch, rng).rules
            assert isinstance(rules, LinearRules)
            predicted = features @ rules.weights[0, :, 0].T > TIE
            errors.append(np.mean(predicted != y[:, None]))
        total += (errors[0] - errors[1]) * at_once
    return total / FRESH


def _two_classes(
    population: Population, rng: np.random.Generator, m: int
) -> tuple[FloatArray, IntArray]:
    while True:
        x, y = population.draw(rng, m)
        if y.min() < y.max():
            return x, y


def intervals(
    population: Population, n: int, n_splits: int, sizes: Sequence[int], number: int
) -> pd.DataFrame:
    """One data set of n rows: by size and pair the difference, both half-widths, if it may tell."""
    with threadpool_limits(1):
        rng = np.random.default_rng([number, n])
        x, y = _two_classes(population, rng, n)
        pool = collect(x, y, population.levels, 2)
        parts: dict[tuple[int, str, str], list[tuple[FloatArray, UnitSums]]] = {}
        for first in range(0, n_splits, PART):
            numbers = range(first, min(first + PART, n_splits))
            training = splits.training_sets(y, sizes, numbers, number, population.name)
            for m, chosen_rows in training.items():
                batch = population.batch(x[chosen_rows], y[chosen_rows])
                scores = {
                    name: score(pool, fitter.fit(batch, rng), chosen_rows, ERROR, by_row=True)
                    for name, fitter in population.fitters.items()
                }
                sums = of_classifiers(scores, chosen_rows, ERROR)
                errors = {name: each.values["errors"] / (n - m) for name, each in scores.items()}
                for a, b in combinations(errors, 2):
                    part = errors[a] - errors[b], sums["error", a, b]
                    parts.setdefault((m, a, b), []).append(part)
        rows = [_interval(*key, n, each) for key, each in parts.items()]
    return pd.DataFrame(rows)


def _interval(
    m: int, a: str, b: str, n: int, parts: Sequence[tuple[FloatArray, UnitSums]]
) -> dict[str, object]:
    differences = np.concatenate([one for one, _ in parts])
    spread = Spread(len(differences), float(differences.std(ddof=1)), m, n - m)
    jackknife = interval.of_units(together([sums for _, sums in parts]), spread)
    return {
        "m": m,
        "pair": f"{a}, {b}",
        "difference": differences.mean(),
        "half_width": jackknife.half_width(spread),
        "nadeau_bengio": spread.nadeau_bengio(),
        "telling": jackknife.telling,
    }


def cells(data_sets: int = DATA_SETS) -> Iterator[dict[str, object]]:
    """Every population, number of rows and size."""
    for population in populations():
        for n, n_splits in DESIGNS:
            sizes = [round(share * n) for share in SHARES]
            one = joblib.delayed(intervals)
            work = (one(population, n, n_splits, sizes, i) for i in range(data_sets))
            found = pd.concat(joblib.Parallel(n_jobs=joblib.cpu_count())(work))
            for (m, pair), own in found.groupby(["m", "pair"]):
                true = 0.0 if population.name == "coin flips" else truth(population, m)
                names = {"population": population.name, "pair": pair, "splits": n_splits}
                yield {**names, **_cell(n, m, true, own)}


def _cell(n: int, m: int, true: float, own: pd.DataFrame) -> dict[str, object]:
    away = (own["difference"] - true).abs()
    verdict = (own["difference"].abs() > own["half_width"]) & own["telling"]
    wrong = verdict & (own["difference"] * true <= 0)
    return {
        "n": n,
        "m": m,
        "true": true,
        "covered": float((away <= own["half_width"]).mean()),
        "covered_nb": float((away <= own["nadeau_bengio"]).mean()),
        "se": float(own["half_width"].mean() / stdtrit(n - 1, 0.975)),
        "sd": float(own["difference"].std()),
        "verdicts": float(verdict.mean()),
        "wrong": float(wrong.mean()),
        "verdicts_nb": float((own["difference"].abs() > own["nadeau_bengio"]).mean()),
    }


def interval_coverage(_: Path) -> Iterator[tuple[str, str, bool]]:
    """What the intervals promise."""
    table = pd.DataFrame(cells())
    print(table.to_string(float_format="{:.4f}".format), flush=True)
    many = table[table["splits"] > FEW]
    different = many[many["population"] != "coin flips"]
    for name, own in different.groupby("population", sort=False):
        pooled, least = own["covered"].mean(), own["covered"].min()
        wide = (own["se"] / own["sd"]).max()
        yield (
            f"95 % interval for other data, {name}: coverage pooled over {len(own)} cells, least",
            f"{pooled:.3f}, {least:.3f}; Nadeau & Bengio's {own['covered_nb'].mean():.3f}",
            0.93 <= pooled <= 0.99 and least >= 0.88,
        )
        yield (
            f"its standard error over the true one, at most, {name}; verdicts pooled, and of wrong"
            " sign",
            f"{wide:.2f}; {own['verdicts'].mean():.3f} against {own['verdicts_nb'].mean():.3f} of"
            f" Nadeau & Bengio's, {own['wrong'].mean():.3f}",
            wide <= 1.5 and bool((own["verdicts"] >= own["verdicts_nb"]).all()),
        )
    equal = many[many["population"] == "coin flips"]
    for pair, own in equal.groupby("pair", sort=False):
        last = own[own["m"] == (LAST * own["n"]).round()]
        pooled, at_last = own["verdicts"].mean(), last["verdicts"].mean()
        yield (
            f"verdicts on coin flips, {pair}: pooled, and at {LAST} n",
            f"{pooled:.3f}, {at_last:.3f}",
            pooled <= 0.06,
        )
    few = table[table["splits"] <= FEW]
    for name, own in few.groupby("population", sort=False):
        pooled, least, wide = own["covered"].mean(), own["covered"].min(), own["se"] / own["sd"]
        yield (
            f"{FEW} splits of many rows, {name}: coverage pooled over {len(own)} cells, least;"
            " standard error over the true one",
            f"{pooled:.3f}, {least:.3f}; {wide.min():.2f} to {wide.max():.2f}",
            pooled >= 0.93 and least >= 0.88,
        )


if __name__ == "__main__":
    outcome = list(interval_coverage(Path()))
    for row in outcome:
        print(*row, sep=" | ")
    sys.exit(not all(good for _, _, good in outcome))
