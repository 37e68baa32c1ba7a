"""What errors are above that of the Bayes rule, times m, beside the constants that they tend to.

    python scripts/excess_error.py results/efron

For every experiment, classifier and m of a run judged by its laws: m x (mean error - Bayes error)
with its standard error, the constant of theory.csv, and the excess error over that of logistic
regression on the same training sets, with its standard error, beside the efficiency.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd

from gdcurves.limits.columns import TABLE as LIMITS
from gdcurves.store.files import read_rows
from gdcurves.theory.columns import TABLE as THEORY

REFERENCE = "logistic_regression"


def main(folder: Path) -> None:
    """Print the table of a run."""
    limits, theory = LIMITS.read(folder), THEORY.read(folder)
    assert limits is not None, "gdcurves run writes it for such runs"
    assert theory is not None, "gdcurves theory --config CONFIG --out FOLDER writes it"
    known = theory.set_index(["experiment", "quantity", "fitter"])["value"]
    bayes = limits[limits["fitter"] == "bayes"].set_index("experiment")["error"]
    print("experiment  fitter  m  m x excess  s.e.  constant  ratio  s.e.  efficiency")
    for name in dict.fromkeys(theory["experiment"]):
        rows = read_rows(folder, name)
        for m, own in rows.groupby("m"):
            errors = own.pivot(index="split", columns="fitter", values="errors")
            show(name, int(str(m)), errors - bayes[name], known)


def show(name: str, m: int, excess: pd.DataFrame, known: pd.Series[float]) -> None:
    """Print a line for each classifier from excess errors, a row for each training set."""
    n = len(excess)
    base = excess[REFERENCE]
    for fitter in excess:
        mean = excess[fitter].mean()
        ratio = mean / base.mean()
        # By the delta method, from the same training sets.
        se = (excess[fitter] - ratio * base).std() / np.sqrt(n) / base.mean()
        constant = known.get((name, "efron_constant", fitter), np.nan)
        efficiency = known.get((name, "efficiency", fitter), np.nan)
        print(
            f"{name}  {fitter}  {m}  {m * mean:.4f}  {m * excess[fitter].std() / np.sqrt(n):.4f}"
            f"  {constant:.4f}  {ratio:.4f}  {se:.4f}  {efficiency:.4f}"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
