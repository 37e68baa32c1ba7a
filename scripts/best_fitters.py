"""Which of naive Bayes, logistic regression and hybrid has the least median error and log loss.

    python scripts/best_fitters.py RUN [RUN ...]

RUN is the folder of a run of one of Xue & Titterington's configs, or of a committed one. Prints a
table with a letter for every m, from the least to the largest: N, L or H; = where two or more are
level.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from gdcurves.run import reading

LETTERS = {"naive_bayes": "N", "logistic_regression": "L", "hybrid": "H"}
MEASURES = {"error_median": "ER", "logloss_median": "LL"}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=Path, nargs="+")
    runs = {folder.name: reading.read_run(folder).curves for folder in parser.parse_args().run}
    titles = [f"{measure}, {name}" for measure in MEASURES.values() for name in runs]
    print(f"| experiment | {' | '.join(titles)} |")
    print("|---" * (1 + len(titles)) + "|")
    for experiment in next(iter(runs.values()))["experiment"].unique():
        cells = [
            letters(curves[curves["experiment"] == experiment], column)
            for column in MEASURES
            for curves in runs.values()
        ]
        print(f"| {experiment} | {' | '.join(cells)} |")


def letters(curves: pd.DataFrame, column: str) -> str:
    """The best fitter at each m."""
    values = curves.pivot_table(index="m", columns="fitter", values=column)[list(LETTERS)]
    level = values.eq(values.min(axis=1), axis=0).sum(axis=1) > 1
    best = values.idxmin(axis=1).map(LETTERS)
    return "".join(best.where(~level, "="))


if __name__ == "__main__":
    main()
