"""Measure how fast fits and runs are, and how much memory a run takes.

    python scripts/bench.py [--record] [--data-dir DIR]

Prints a table. With --record each measurement becomes a line of results/bench.csv, too, and the
table of docs/reference/speed.md is made anew. Fits are timed in this process, one BLAS thread, in
CPU time, each package's batches of fits in turn; the smallest of several rounds counts. Runs are
timed as a user starts them. DIR is a folder with the data of Figure 1 that the package does not
hold.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import bench_records
import numpy as np
from bench_protocol import protocol
from bench_records import Measurement
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.naive_bayes import GaussianNB

from gdcurves.fitters import REGISTRY, Batch
from gdcurves.logistic.certificates import Outcome
from gdcurves.simulators import NAMED

ROUNDS = 7
N_SETS = 256
N_THEIRS = 24
N_TEN = 4
OPERATIONS = "its floating-point operations"


def main() -> None:
    """Print what is measured as it comes, and keep it if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--record", action="store_true", help="keep it in results/bench.csv")
    parser.add_argument("--data-dir", type=Path)
    options = parser.parse_args()
    origin = bench_records.here()
    print(bench_records.table([]))
    measured = []
    for each in everything(options.data_dir):
        measured.append(each)
        print(bench_records.table([each]).splitlines()[-1], flush=True)
    if options.record:
        bench_records.keep(origin, measured)


def everything(data_dir: Path | None) -> Iterator[Measurement]:
    """All that is measured, in the order of the table."""
    rate = product_rate()
    yield Measurement("matrix product, 1000 x 1000, one thread (GFlop/s)", rate / 1e9)
    yield from logistic(8, 60, rate)
    yield from logistic(41, 150, rate)
    yield from naive_bayes(8, 60, rate)
    yield from leave_one_out(400)
    yield from ten_classes(64, 100)
    yield from protocol(data_dir)
    yield from beginning()
    yield from run("ng_jordan.yaml", "--splits", "50")
    yield from run("xue_titterington.yaml")
    yield from one_experiment("optdigits-2-3", 100, 1000)


def product_rate() -> float:
    """Floating-point operations per second in a matrix product."""
    a = np.random.default_rng(0).random((1000, 1000))
    (seconds,) = least(lambda: a @ a)
    return 2e9 / seconds


def least(*works: Callable[[], object]) -> list[float]:
    """Smallest CPU time of each piece of work, in rounds that take turns."""
    best = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        for i, work in enumerate(works):
            began = time.process_time()
            work()
            best[i] = min(best[i], time.process_time() - began)
    return best


def training_sets(d: int, m: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs in the unit cube, labels by a logistic model of moderate strength."""
    rng = np.random.default_rng(1)
    x = rng.random((N_SETS, m, d))
    score = 3.0 * (x - 0.5) @ (rng.standard_normal(d) * 1.5 / np.sqrt(d))
    y = (rng.random((N_SETS, m)) < 1.0 / (1.0 + np.exp(-score))).astype(np.int8)
    y[:, :2] = [0, 1]
    return x, y


def logistic(d: int, m: int, rate: float) -> Iterator[Measurement]:
    """Compare on overlapping sets, on which a maximum exists."""
    ours, theirs = REGISTRY["logistic_regression"](), TheirLogistic(C=np.inf)
    x, y = training_sets(d, m)
    rng = np.random.default_rng(0)
    overlap = (
        ours.fit(Batch(x, y, (0,) * x.shape[2], 2), rng).diagnostics.outcome == Outcome.OVERLAP
    )
    x, y = x[overlap], y[overlap]
    check_likelihoods(x, y, ours.fit(Batch(x, y, (0,) * x.shape[2], 2), rng).rules.weights[0, :, 0])

    def fit_theirs() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its iteration limit
            for i in range(N_THEIRS):
                theirs.fit(x[i], y[i])

    mine, other = least(lambda: ours.fit(Batch(x, y, (0,) * x.shape[2], 2), rng), fit_theirs)
    q, n_steps = d + 1, 7  # about as many Newton steps, each a Gram matrix and a solution
    flops = n_steps * (2 * m * q**2 + 2 * q**3 / 3 + 6 * m * q)
    others = {"LogisticRegression": other / N_THEIRS, OPERATIONS: flops / rate}
    yield from against(f"logistic fit, d = {d}, m = {m}", mine / len(x), others)


def check_likelihoods(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> None:
    """Raise an AssertionError if a likelihood is not that of a precise fit of theirs, to 1e-6.

    Parameters
    ----------
    x, y
        Training sets, shapes (sets, rows, columns) and (sets, rows).
    weights
        Ours, intercepts first, shape (sets, 1 + columns).
    """
    for rows, labels, ours in list(zip(x, y, weights, strict=True))[:N_THEIRS]:
        precise = TheirLogistic(C=np.inf, tol=1e-8, max_iter=10_000).fit(rows, labels)
        theirs = np.concatenate([precise.intercept_, precise.coef_[0]])
        scores = np.stack([ours, theirs]) @ np.vstack([np.ones(len(rows)), rows.T])
        mine, other = -np.logaddexp(0.0, np.where(labels == 1, -scores, scores)).sum(axis=1)
        assert abs(mine - other) < 1e-6, f"the likelihoods differ by {abs(mine - other)}"


def naive_bayes(d: int, m: int, rate: float) -> Iterator[Measurement]:
    """Compare fits of normal densities."""
    ours = REGISTRY["naive_bayes"]()
    x, y = training_sets(d, m)
    rng = np.random.default_rng(0)

    def fit_theirs() -> None:
        for i in range(N_THEIRS):
            GaussianNB().fit(x[i], y[i])

    mine, other = least(lambda: ours.fit(Batch(x, y, (0,) * x.shape[2], 2), rng), fit_theirs)
    flops = 2 * 2 * m * d * 2 + 4 * m * d  # two products with class membership, sums of squares
    others = {"GaussianNB": other / N_THEIRS, OPERATIONS: flops / rate}
    yield from against(f"naive Bayes fit, d = {d}, m = {m}", mine / N_SETS, others)


def against(fit: str, seconds: float, others: dict[str, float]) -> Iterator[Measurement]:
    """Set the time of a fit against those of others."""
    for other, theirs in others.items():
        yield Measurement(f"{fit} (us), against {other}", seconds * 1e6, theirs / seconds)


def leave_one_out(m: int) -> Iterator[Measurement]:
    """Time hybrids on the first law of Xue & Titterington, with and without each row left out."""
    rng = np.random.default_rng(0)
    law = NAMED["ce_diag"]
    x = law.draw((m // 2, m // 2), rng, N_SETS)
    y = np.repeat([0, 1], m // 2) + np.zeros((N_SETS, 1), dtype=np.int64)
    own = {"variance": "per_class", "ddof": 1, "epsilon": 0.0}
    plain, left_out = (
        REGISTRY["hybrid"].model_validate({**own, "leave_one_out": each}) for each in (False, True)
    )
    with_all, without = least(
        *(
            lambda fitter=fitter: fitter.fit(Batch(x, y, (0,) * x.shape[2], 2, law.features), rng)
            for fitter in (plain, left_out)
        )
    )
    others = {"leave_one_out": without / N_SETS}
    yield from against(f"hybrid fit, d = 4, m = {m}", with_all / N_SETS, others)


def ten_classes(d: int, m: int) -> Iterator[Measurement]:
    """Time logistic regression without penalty on more weights than rows: all sets separable."""
    fitter = REGISTRY["logistic_regression"]()
    rng = np.random.default_rng(0)
    y = np.array([rng.permutation(np.arange(m) % 10) for _ in range(N_TEN)])
    x = rng.standard_normal((N_TEN, m, d)) + rng.standard_normal((10, d))[y]
    (seconds,) = least(lambda: fitter.fit(Batch(x, y, (0,) * d, 10), rng))
    yield Measurement(f"logistic fit, 10 classes, d = {d}, m = {m} (ms)", seconds / N_TEN * 1e3)


def beginning() -> Iterator[Measurement]:
    """Time by the clock how long it takes until help is shown, and until a chunk is stored."""
    command = [sys.executable, "-m", "gdcurves"]
    seconds = []
    for _ in range(ROUNDS):
        began = time.monotonic()
        subprocess.run([*command, "--help"], check=True, capture_output=True)
        seconds.append(time.monotonic() - began)
    yield Measurement("gdcurves --help (s)", min(seconds))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        began = time.monotonic()
        words = ["run", "--config", "ng_jordan.yaml", "--offline", "--out", str(out)]
        with subprocess.Popen(
            [*command, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as running:
            while not any(out.glob("splits/*/*.csv")) and running.poll() is None:
                time.sleep(0.01)
            seconds = [time.monotonic() - began]
            running.terminate()
    yield Measurement("gdcurves run --config ng_jordan.yaml, to its first chunk (s)", seconds[0])


def run(config: str, *options: str) -> Iterator[Measurement]:
    """Time a run by the clock, and by its own count of CPU time."""
    done = finished(config, *options)
    what = " ".join([config, *options])
    yield Measurement(f"{what} (s)", done.seconds)
    yield Measurement(f"{what} (s of CPU)", sum(done.cpu.values()))


def one_experiment(name: str, n_splits: int, n_more: int) -> Iterator[Measurement]:
    """Show what a run costs beside its fits, and that its memory does not grow with its splits."""
    few, many = (
        finished("ng_jordan.yaml", "--only", name, "--splits", str(each))
        for each in (n_splits, n_more)
    )
    cpu = sum(many.cpu.values())
    yield Measurement(
        f"{name}, {n_more} splits (s of CPU), against scheduling and storing",
        cpu,
        many.cpu["scheduling_and_storing"] / cpu,
    )
    yield Measurement(
        f"{name}, {n_splits} splits, peak memory of a process (MiB), against {n_more} splits",
        few.peak / 2**20,
        many.peak / few.peak,
    )


@dataclass(frozen=True)
class Finished:
    """What a run took: seconds, its own count of CPU seconds, bytes of its largest process."""

    seconds: float
    cpu: dict[str, float]
    peak: int


def finished(config: str, *options: str) -> Finished:
    """Do a run in a process of its own, into a folder that is thrown away."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True,"
        " capture_output=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        words = ["-m", "gdcurves", "run", "--config", config, "--out", str(out), *options]
        command = [sys.executable, "-c", code, sys.executable, *words]
        began = time.monotonic()
        peak = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        seconds = time.monotonic() - began
        manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    unit = 1 if sys.platform == "darwin" else 1024
    return Finished(seconds, manifest["cpu_seconds"], int(peak) * unit)


if __name__ == "__main__":
    main()
