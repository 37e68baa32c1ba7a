"""Measure what the README's benchmark table states, and print it as that table.

    make bench

Fits are timed in this process, one BLAS thread, in CPU time, each package's batches of fits in
turn; the smallest of several rounds counts. Runs are timed as a user starts them. The full run's
row is read from the manifest under results/reference.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.naive_bayes import GaussianNB

from gdcurves.fitters import REGISTRY, Batch
from gdcurves.logistic.certificates import Outcome
from gdcurves.simulators import NAMED

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 7
N_SETS = 256
N_THEIRS = 24


def main() -> None:
    """Print the table."""
    rate = product_rate()
    print(f"Matrix products: {rate / 1e9:.1f} GFlop/s (1000 x 1000, one thread)\n")
    print("| what | measured |\n|---|---|")
    for d, m in ((8, 60), (41, 150)):
        print(logistic(d, m, rate))
    print(naive_bayes(8, 60, rate))
    print(leave_one_out(400))
    full_run()
    print(f"| `--splits 50` | {timed('ng_jordan.yaml', '--splits', '50'):.0f} s |")
    print(f"| `xue_titterington.yaml`, 12 x 400 splits | {timed('xue_titterington.yaml'):.0f} s |")
    for n_splits in (100, 1000):
        memory(n_splits)


def product_rate() -> float:
    """Floating-point operations per second in a matrix product."""
    a = np.random.default_rng(0).random((1000, 1000))
    return 2e9 / least(lambda: a @ a)


def least(*works: Callable[[], object]) -> float | list[float]:
    """Smallest CPU time of each piece of work, in rounds that take turns."""
    best = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        for i, work in enumerate(works):
            began = time.process_time()
            work()
            best[i] = min(best[i], time.process_time() - began)
    return best if len(best) > 1 else best[0]


def training_sets(d: int, m: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs in the unit cube, labels by a logistic model of moderate strength."""
    rng = np.random.default_rng(1)
    x = rng.random((N_SETS, m, d))
    score = 3.0 * (x - 0.5) @ (rng.standard_normal(d) * 1.5 / np.sqrt(d))
    y = (rng.random((N_SETS, m)) < 1.0 / (1.0 + np.exp(-score))).astype(np.int8)
    y[:, :2] = [0, 1]
    return x, y


def logistic(d: int, m: int, rate: float) -> str:
    """Compare on overlapping sets; the likelihoods must agree to 1e-6."""
    ours, theirs = REGISTRY["logistic_regression"](), TheirLogistic(C=np.inf)
    x, y = training_sets(d, m)
    rng = np.random.default_rng(0)
    overlap = (
        ours.fit(Batch(x, y, (0,) * x.shape[2], 2), rng).diagnostics.outcome == Outcome.OVERLAP
    )
    x, y = x[overlap], y[overlap]
    gaps = []

    def fit_theirs() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its iteration limit
            for i in range(N_THEIRS):
                theirs.fit(x[i], y[i])

    def loglik(i: int, w: np.ndarray) -> float:
        sign = np.where(y[i] == 1, 1.0, -1.0)
        return -np.logaddexp(0.0, -sign * (w[0] + x[i] @ w[1:])).sum()

    fit = ours.fit(Batch(x, y, (0,) * x.shape[2], 2), rng)
    for i in range(N_THEIRS):
        precise = TheirLogistic(C=np.inf, tol=1e-8, max_iter=10_000).fit(x[i], y[i])
        w = np.concatenate([precise.intercept_, precise.coef_[0]])
        gaps.append(abs(loglik(i, fit.rules.weights[0, i, 0]) - loglik(i, w)))
    assert max(gaps) < 1e-6, f"the likelihoods differ by {max(gaps)}"
    mine, other = least(lambda: ours.fit(Batch(x, y, (0,) * x.shape[2], 2), rng), fit_theirs)
    mine, other = mine / len(x), other / N_THEIRS
    q, n_steps = d + 1, 7  # about as many Newton steps, each a Gram matrix and a solution
    flops = n_steps * (2 * m * q**2 + 2 * q**3 / 3 + 6 * m * q)
    return row(f"logistic fit, d = {d}, m = {m}", "LogisticRegression", mine, other, flops / rate)


def naive_bayes(d: int, m: int, rate: float) -> str:
    """Compare fits of normal densities."""
    ours = REGISTRY["naive_bayes"]()
    x, y = training_sets(d, m)
    rng = np.random.default_rng(0)

    def fit_theirs() -> None:
        for i in range(N_THEIRS):
            GaussianNB().fit(x[i], y[i])

    mine, other = least(lambda: ours.fit(Batch(x, y, (0,) * x.shape[2], 2), rng), fit_theirs)
    flops = 2 * 2 * m * d * 2 + 4 * m * d  # two products with class membership, sums of squares
    label = f"naive Bayes fit, d = {d}, m = {m}"
    return row(label, "GaussianNB", mine / N_SETS, other / N_THEIRS, flops / rate)


def row(label: str, package: str, mine: float, other: float, floor: float) -> str:
    """One line of the table."""
    return (
        f"| {label} | {mine * 1e6:.1f} us; {package} {other * 1e6:.0f} us, {other / mine:.1f} times"
        f" as long; {mine / floor:.1f} times the time of its floating-point operations |"
    )


def leave_one_out(m: int) -> str:
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
    return (
        f"| hybrid fit, d = 4, m = {m} | {with_all / N_SETS * 1e6:.0f} us; with `leave_one_out`"
        f" {without / N_SETS * 1e6:.0f} us, {without / with_all:.1f} times as long |"
    )


def full_run() -> None:
    """Print the committed full run's times, from its manifest."""
    path = ROOT / "results" / "reference" / "ng_jordan" / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    cpu = manifest["cpu_seconds"]
    n_done = sum(each["status"] == "done" for each in manifest["experiments"].values())
    share = cpu["scheduling_and_storing"] / sum(cpu.values())
    print(
        f"| full run, {n_done} x {manifest['config']['splits']} splits |"
        f" {manifest['seconds']:.0f} s; CPU {sum(cpu.values()):.0f} s |"
    )
    print(f"| scheduling and storing, share of its CPU time | {share:.1%} |")


def timed(config: str, *options: str) -> float:
    """Seconds that a run into a folder that is thrown away takes."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*gdcurves(config, folder), *options], check=True, capture_output=True)
    return time.monotonic() - began


def memory(n_splits: int) -> None:
    """Print the peak memory of the largest process of a run of one experiment."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True,"
        " capture_output=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    with tempfile.TemporaryDirectory() as folder:
        command = [
            *gdcurves("ng_jordan.yaml", folder),
            "--only",
            "optdigits-2-3",
            "--splits",
            str(n_splits),
        ]
        result = subprocess.run(
            [sys.executable, "-c", code, *command], check=True, capture_output=True, text=True
        )
    unit = 1 if sys.platform == "darwin" else 1024
    print(
        f"| peak memory of a process, {n_splits} splits | {int(result.stdout) * unit >> 20} MiB |"
    )


def gdcurves(config: str, folder: str) -> list[str]:
    """Return the command of a run."""
    out = str(Path(folder) / "run")
    return [sys.executable, "-m", "gdcurves", "run", "--config", config, "--out", out]


if __name__ == "__main__":
    assert resource.getrusage  # the memory rows need it: not on Windows
    main()
