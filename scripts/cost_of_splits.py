"""What a split of own data costs: the model of gdcurves.plan.cost beside the clock.

    python scripts/cost_of_splits.py [--fitters a,b,...] [--rows N]

Made-up data of a few shapes, up to N rows; a chunk of each is computed in this process, with one
BLAS thread. Time of the processor, as other programs may run. The model is meant to be right
within a factor of about two.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from gdcurves import plan
from gdcurves.compute import chunk
from gdcurves.config import load_text
from gdcurves.datasets import Request
from gdcurves.plan import choice, cost, draft, loading
from gdcurves.plan.drafted import MEASURES
from gdcurves.store.chunk import Chunk

# Rows, inputs, classes, and levels of each input (0 for numbers).
SHAPES = (
    (40, 5, 2, 0),
    (80, 400, 2, 0),
    (200, 4, 3, 0),
    (768, 8, 2, 0),
    (1000, 30, 2, 0),
    (1797, 64, 10, 0),
    (5000, 20, 2, 5),
    (10_000, 20, 3, 0),
    (10_000, 100, 2, 0),
    (10_000, 16, 10, 0),
    (100_000, 14, 2, 0),
)
MOST_SECONDS = 10.0  # for a shape, or one split


def main() -> None:
    """Print a line for each shape."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fitters", default=",".join(choice.USUAL))
    parser.add_argument("--rows", type=int, default=100_000)
    given = parser.parse_args()
    fitters = choice.choose(given.fitters.split(","))
    print("  rows inputs classes levels   model measured  splits  chunk  CPU time of the run")
    for shape in SHAPES:
        if shape[0] <= given.rows:
            with TemporaryDirectory() as folder:
                _measure(Path(folder), shape, fitters)


def _measure(folder: Path, shape: tuple[int, ...], fitters: tuple[plan.NamedFitter, ...]) -> None:
    made_up(*shape).to_csv(folder / "m.csv", index=False)
    made = draft.make(Request(str(folder / "m.csv"), "y"), None, fitters=fitters)
    of_problem = cost.Shape.of(made.problem)
    model = cost.seconds(of_problem, made.sizes, [each.fitter for each in fitters], MEASURES)
    planned = plan.make(load_text(made.text, folder / "m.yaml"))
    problems, _ = loading.load(planned, "packaged", None)
    problems["m"].save(folder / "m")
    n = max(1, min(made.effort.chunk, int(MOST_SECONDS / model)))
    task = chunk.Task(
        Chunk("m", 0, n),
        str(folder / "m"),
        fitters,
        made.sizes,
        (n,) * len(made.sizes),
        False,
        0,
        planned.config.measures,
        planned.n_blocks(planned.experiments[0], problems["m"]),
    )
    began = time.process_time()
    result = chunk.compute(task)
    measured = (time.process_time() - began) / n
    assert result.failure is None, result.failure
    rows, inputs, classes, levels = shape
    print(
        f"{rows:6} {inputs:6} {classes:7} {levels:6} {model:7.3f} {measured:8.3f}"
        f" {made.effort.splits:7} {made.effort.chunk:6} {measured * made.effort.splits:6.0f} s",
        flush=True,
    )


def made_up(rows: int, inputs: int, classes: int, levels: int) -> pd.DataFrame:
    """Normal inputs whose means and variances depend on the class, cut into levels if there are."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, classes, rows)
    means = rng.normal(0, 0.25, (classes, inputs))
    x = rng.normal(size=(rows, inputs)) * (1 + 0.2 * y[:, None] / classes) + means[y]
    frame = pd.DataFrame(x, columns=[f"x{i}" for i in range(inputs)])
    if levels:
        frame = frame.apply(lambda each: pd.qcut(each, levels, labels=[*"abcdefgh"[:levels]]))
    return frame.assign(y=[f"c{k}" for k in y])


if __name__ == "__main__":
    main()
