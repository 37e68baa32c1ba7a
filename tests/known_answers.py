"""How often the answer of a run is wrong, on data sets from laws whose truth is known.

    python tests/known_answers.py

Each data set is run as `run --data` would, with fewer sizes and splits, and its answer read: which
classifier it names, and whether the error of that one still falls. The truth is the mean error over
fresh training sets from the law.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import quiet
from threadpoolctl import threadpool_limits

from gdcurves import config, plan
from gdcurves.arrays import FloatArray, IntArray
from gdcurves.crossings.outlook import FALLS, MATTERS, MATTERS_PART
from gdcurves.fitters import REGISTRY, Batch, LinearRules
from gdcurves.fitters.features import design
from gdcurves.report.answer import answers
from gdcurves.run import reading
from gdcurves.scoring.judged import TIE

N, SIZES, SPLITS, DATA_SETS = 100, (10, 18, 32, 55, 90), 200, 200
FRESH, TEST = 2_000, 20_000
WORSE = 0.01  # an error that is larger by more than this is worse
FITTERS = {
    "naive_bayes": REGISTRY["naive_bayes"](variance="per_class"),
    "penalised_logistic": REGISTRY["penalised_logistic"](strength="cv"),
}
CONFIG = f"""
splits: {SPLITS}
measures: [error]
interval: rows
experiments: [{{name: own, data: own.csv, target: y, sizes: {[*SIZES]}, rescale: none}}]
fitters:
  - {{type: naive_bayes, variance: per_class}}
  - {{type: penalised_logistic, strength: cv}}
  - {{type: majority}}
"""
Draw = Callable[[np.random.Generator, int], tuple[FloatArray, IntArray]]


def correlated(rng: np.random.Generator, n: int) -> tuple[FloatArray, IntArray]:
    """Eight normal features with correlations of 0.4: naive Bayes is wrong about them."""
    y = rng.integers(2, size=n)
    means = np.array([[0.0] * 8, [1.5] + [0.3] * 7])
    common = rng.normal(size=(n, 1)) * np.sqrt(0.4)
    return means[y] + common + rng.normal(size=(n, 8)) * np.sqrt(0.6), y


def spread(rng: np.random.Generator, n: int) -> tuple[FloatArray, IntArray]:
    """Six independent normal features that differ in their variance: no straight line will do."""
    y = rng.integers(2, size=n)
    return 0.3 * y[:, None] + rng.normal(size=(n, 6)) * np.where(y, 2.0, 1.0)[:, None], y


def bits(rng: np.random.Generator, n: int) -> tuple[FloatArray, IntArray]:
    """Ten bits that are independent given the class, 30 % of the second."""
    y = (rng.random(n) < 0.3).astype(np.int64)
    return (rng.random((n, 10)) < 0.35 + 0.25 * y[:, None]).astype(np.float64), y


def noise(rng: np.random.Generator, n: int) -> tuple[FloatArray, IntArray]:
    """Inputs that tell nothing."""
    return rng.normal(size=(n, 4)), rng.integers(2, size=n)


LAWS: Mapping[str, Draw] = {
    "correlated": correlated,
    "spread": spread,
    "bits": bits,
    "noise": noise,
}


def truth(law: str, m: int) -> dict[str, float]:
    """Mean errors over fresh training sets of m rows, and that of always answering one class."""
    rng = np.random.default_rng([m, 7])
    draw = LAWS[law]
    x, y = draw(rng, TEST)
    d = x.shape[1]
    names = tuple(f"x{i}" for i in range(d))
    errors: dict[str, list[float]] = {name: [] for name in FITTERS}
    for _ in range(FRESH // 100):
        sets = [_two_classes(draw, rng, m) for _ in range(100)]
        rows, classes = (np.array(each) for each in zip(*sets, strict=True))
        # Two values of a bit are taken for levels.
        levels = (2,) * d if law == "bits" else (0,) * d
        origin = None if law == "bits" else np.zeros(d)
        batch = Batch(rows, classes, levels, 2, names, origin)
        features = design(x, levels)
        for name, fitter in FITTERS.items():
            fit = fitter.fit(batch, rng)
            errors[name].append(_error(fit.rules, features, x, y))
    means = {name: float(np.mean(each)) for name, each in errors.items()}
    return means | {"majority": float(min(y.mean(), 1 - y.mean()))}


def _error(rules: object, features: FloatArray, x: FloatArray, y: IntArray) -> float:
    """Mean error of rules that are linear in the features, or in their squares as well."""
    assert isinstance(rules, LinearRules)
    columns = features
    if rules.weights.shape[-1] > features.shape[1]:
        columns = np.column_stack([features, x**2])
    predicted = columns @ rules.weights[0, :, 0].T > TIE
    return float(np.mean(predicted != y[:, None]))


def _two_classes(draw: Draw, rng: np.random.Generator, m: int) -> tuple[FloatArray, IntArray]:
    while True:
        x, y = draw(rng, m)
        if y.min() < y.max():
            return x, y


def answered(law: str, number: int) -> dict[str, object]:
    """Run one data set; what its answer says."""
    with threadpool_limits(1), tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        x, y = _two_classes(LAWS[law], np.random.default_rng([number, 3]), N)
        frame = pd.DataFrame(x).add_prefix("x").assign(y=np.where(y == 1, "b", "a"))
        frame.to_csv(home / "own.csv", index=False)
        (home / "own.yaml").write_text(CONFIG)
        planned = plan.make(config.load(home / "own.yaml"))
        quiet.run(planned, home / "out", "own", say=lambda _: None)
        run = reading.read(home / "out")
        (answer,) = answers(run)
        named = answer.best[0] if len(answer.best) == 1 else ""
        first = (answer.best or [*answer.values])[0]
        assert run.outlook is not None
        (falls,) = set(run.outlook.loc[run.outlook["fitter"] == first, "falls"])
        return {"named": named, "first": first, "falls": falls}


def known_answers(_: Path, data_sets: int = DATA_SETS) -> Iterator[tuple[str, str, bool]]:
    """What answers promise: of each law at most one in twenty is wrong."""
    for law in LAWS:
        work = (joblib.delayed(answered)(law, number) for number in range(data_sets))
        found = pd.DataFrame(joblib.Parallel(n_jobs=joblib.cpu_count())(work))
        now, then = truth(law, SIZES[-1]), truth(law, 2 * SIZES[-1])
        worst = {name for name, error in now.items() if error > min(now.values()) + WORSE}
        false = found["named"].isin(worst).mean()
        named = {name: round(float((found["named"] == name).mean()), 3) for name in FITTERS}
        said = ", ".join(f"{name} {share:.1%}" for name, share in named.items())
        errors = ", ".join(f"{name} {error:.3f}" for name, error in now.items())
        yield (
            f"answers on {data_sets} data sets of {N} rows, {law} (true errors: {errors}): named",
            f"{said}; one truly worse by more than {WORSE} in {false:.1%}",
            bool(false <= 0.05),
        )
        fall = {name: now[name] - then[name] for name in FITTERS}
        little = {name for name in fall if fall[name] < FALLS}
        much = {name for name in fall if fall[name] > max(MATTERS, MATTERS_PART * now[name])}
        yes, no = (found["falls"] == each for each in ("yes", "no"))
        wrong = ((yes & found["first"].isin(little)) | (no & found["first"].isin(much))).mean()
        yield (
            f"the same: error still falls, or would hardly change, {law} (truly by "
            + ", ".join(f"{each:.3f}" for each in fall.values())
            + " with twice as many)",
            f"{yes.mean():.1%}, {no.mean():.1%}; wrong in {wrong:.1%}",
            bool(wrong <= 0.05),
        )


if __name__ == "__main__":
    outcome = []
    for row in known_answers(Path(), *map(int, sys.argv[1:])):
        print(*row, sep=" | ", flush=True)
        outcome.append(row)
    sys.exit(not all(good for _, _, good in outcome))
