"""How costs grow: of a fit with rows m, inputs d and classes K, of scoring with n rows.

    python scripts/costs.py OUT [--record]

Writes costs.csv and a log-log figure, costs.png, into the folder OUT, and prints a table of the
slopes at the larger sizes, against those of the operations needed. With --record it goes into
docs/reference/speed.md, too. CPU time of one process, one BLAS thread.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import matplotlib as mpl
import numpy as np
import pandas as pd
from bench_records import PAGE, plain, with_section

mpl.use("Agg")
from matplotlib import pyplot as plt  # behind the choice of a backend without a screen

from gdcurves import scoring
from gdcurves.fitters import REGISTRY, Batch
from gdcurves.scoring.pool import collect

MARKS = ("<!-- costs: begin -->", "<!-- costs: end -->")
LOGISTIC, GENERATIVE, SCORED = "logistic_regression", "naive_bayes", "scoring"
# Entries of a batch, so that its fits share what a batch costs.
BATCH_ENTRIES = 100_000
ROUNDS = 3
# A score of a row is a product with the weights; a fit sums squares of rows, K - 1 by K - 1 blocks
# of them for logistic regression.
NEEDED = {
    ("m", LOGISTIC): 1,
    ("m", GENERATIVE): 1,
    ("d", LOGISTIC): 2,
    ("d", GENERATIVE): 1,
    ("K", LOGISTIC): 2,
    ("K", GENERATIVE): 1,
    ("n", SCORED): 1,
}
RANGES = {
    "m": (10, 30, 100, 300, 1000, 3000, 10_000),
    "d": (2, 4, 8, 16, 32, 64, 128),
    "K": (2, 3, 5, 8, 12),
    "n": (10, 100, 1000, 10_000, 100_000, 1_000_000),
}
# What the others are while one of them grows.
FIXED = {"m": 1000, "d": 8, "K": 2, "n": 1000}


@dataclass(frozen=True)
class Cost:
    """Microseconds of CPU a fit, or to score a rule; `grows` is m, d, K or n, of this `size`."""

    grows: str
    what: str
    size: int
    microseconds: float


def main() -> None:
    """Measure, draw and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--record", action="store_true", help="put the table into docs/")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    costs = pd.DataFrame([astuple(each) for each in measured()], columns=[*Cost.__annotations__])
    costs.to_csv(options.out / "costs.csv", index=False, float_format="%.4g")
    draw(costs, options.out / "costs.png")
    lines = "\n".join(table(costs))
    print(lines)
    if options.record:
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(with_section(text, lines, MARKS), encoding="utf-8")


def measured() -> Iterator[Cost]:
    """All costs, the sizes of each kind ascending."""
    for grows, sizes in RANGES.items():
        for size in sizes:
            of = {**FIXED, grows: size}
            if grows == "n":
                yield Cost(grows, SCORED, size, _scoring(**of))
                continue
            for what in (LOGISTIC, GENERATIVE):
                yield Cost(grows, what, size, _fit(what, **of))


def training_sets(m: int, d: int, n_classes: int) -> Batch:
    """Draw classes that the inputs tell little of: where m is large, sets overlap."""
    rng = np.random.default_rng(0)
    n_sets = max(1, min(64, BATCH_ENTRIES // (m * d * n_classes)))
    y = np.array([rng.permutation(np.arange(m) % n_classes) for _ in range(n_sets)])
    x = rng.standard_normal((n_sets, m, d))
    x[:, :, 0] += 0.3 * y
    return Batch(x, y, (0,) * d, n_classes)


def _fit(what: str, m: int, d: int, K: int, n: int) -> float:
    fitter, batch = REGISTRY[what](), training_sets(m, d, K)
    rng = np.random.default_rng(1)
    return _least(lambda: fitter.fit(batch, rng)) / len(batch.y)


def _scoring(m: int, d: int, K: int, n: int) -> float:
    rng = np.random.default_rng(2)
    batch = training_sets(100, d, K)  # of how many rows does not matter
    fit = REGISTRY[LOGISTIC]().fit(batch, rng)
    pool = collect(rng.standard_normal((n, d)), np.arange(n) % K, (0,) * d, K)
    none = np.zeros((len(batch.y), 0), dtype=np.int64)
    return _least(lambda: scoring.score(pool, fit, none)) / len(batch.y)


def _least(work: Callable[[], object]) -> float:
    """Microseconds of CPU, of several rounds the least."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best * 1e6


def slope(sizes: np.ndarray, microseconds: np.ndarray) -> float:
    """By least squares on logarithms, from the middle size on: below it, calls cost most."""
    large = slice(len(sizes) // 2, None)
    return float(np.polyfit(np.log(sizes[large]), np.log(microseconds[large]), 1)[0])


def table(costs: pd.DataFrame) -> Iterator[str]:
    """Show slopes as a table in Markdown."""
    yield "| what | grows | from, to | microseconds | slope | of the operations |"
    yield "|---|---|---|---|---|---|"
    for (grows, what), needed in NEEDED.items():
        some = costs[(costs.grows == grows) & (costs.what == what)]
        size, cost = some["size"].to_numpy(), some.microseconds.to_numpy()
        yield (
            f"| {what} | {grows} | {size[0]:,}, {size[-1]:,} | {plain(cost[0])}, {plain(cost[-1])}"
            f" | {slope(size, cost):.2f} | {needed} |"
        )


def draw(costs: pd.DataFrame, path: Path) -> None:
    """Draw a panel for each of m, d, K and n, with a line of the slope needed through the end."""
    figure, axes = plt.subplots(2, 2, figsize=(8, 6), layout="constrained")
    for at, grows in zip(axes.flat, RANGES, strict=True):
        others = ", ".join(f"{name} = {size:,}" for name, size in FIXED.items() if name != grows)
        for (of, what), needed in NEEDED.items():
            if of == grows:
                some = costs[(costs.grows == grows) & (costs.what == what)]
                size, cost = some["size"].to_numpy(), some.microseconds.to_numpy()
                (line,) = at.loglog(size, cost, marker="o", label=what)
                through = cost[-1] * (size / size[-1]) ** needed
                at.loglog(size, through, color=line.get_color(), linestyle=":", linewidth=1)
        at.set(title=others, xlabel=grows, ylabel="microseconds of CPU")
        at.legend(fontsize="small")
    figure.suptitle("Cost of a fit, and of scoring a rule; dotted: slope of the operations needed")
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main()
