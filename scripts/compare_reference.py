"""Hold a run of simulated data against a table of R's: means of errors, medians of log losses.

    python scripts/compare_reference.py RUN ../shared/reference/table2_fresh_datasets.csv

RUN is the folder of a run with its raw rows, of `xue_titterington_fresh.yaml` for this table.
Prints how many entries agree within 3 combined standard errors, of those where at most 1 % of R's
fits have no maximum, at m = 100, 200 and 400, where the table has most replicates, and at all m.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats.mstats import mjci

from gdcurves.store import files

# Their names for the fitters of the config.
METHODS = {
    "NB": "naive_bayes",
    "LR": "logistic_regression",
    "HYB": "hybrid",
    "LDA": "naive_bayes_shared",
    "HYBLDA": "hybrid_shared",
}
MANY = (100, 200, 400)


def main() -> None:
    """Compare, and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("run", type=Path)
    parser.add_argument("table", type=Path)
    given = parser.parse_args()
    table = pd.read_csv(given.table)
    differences = pd.concat(
        compare(files.read_rows(given.run, str(name)), of_setting).assign(setting=name)
        for name, of_setting in table.groupby("setting", sort=False)
    )
    for title, chosen in (
        (
            "m = 100, 200, 400",
            differences[differences["m"].isin(MANY) & (differences["method"] != "HYBLDA")],
        ),
        ("all m, HYBLDA included", differences),
    ):
        agree = chosen["z"].abs() <= 3
        spread = np.sqrt((chosen["z"] ** 2).mean())
        print(f"{title}: {agree.sum()} of {len(chosen)} agree, root mean square z {spread:.2f}")
    print(differences[differences["z"].abs() > 3].to_string(index=False))


def compare(rows: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """Differences in combined standard errors, where at most 1 % of R's fits have no maximum.

    Columns: method, m, what and z.
    """
    differences = []
    for (method, m), group in table.groupby(["method", "m"]):
        theirs = group.iloc[0]
        if theirs["n_no_mle"] > 0.01 * theirs["replicates"]:
            continue
        ours = rows[(rows["fitter"] == METHODS[str(method)]) & (rows["m"] == m)]
        assert (ours["n_test"] == theirs["n_test"]).all()
        error = ours["errors"] / ours["n_test"]
        # Only how many are infinite matters to the median; its standard error is Maritz-Jarrett's.
        logloss = ours["logloss"].clip(upper=ours["logloss"].replace(np.inf, np.nan).max())
        median_se = theirs["median_LL_se"] / theirs["n_test"]
        mean = (error.mean() - theirs["mean_ER"]) / np.hypot(error.sem(), theirs["mean_ER_se"])
        median = (logloss.median() - theirs["median_LL_per_obs"]) / np.hypot(
            mjci(logloss.to_numpy(), [0.5])[0], median_se
        )
        differences += [(method, m, "mean error", mean), (method, m, "median log loss", median)]
    return pd.DataFrame(differences, columns=["method", "m", "what", "z"])


if __name__ == "__main__":
    main()
