"""Published curves, and how a run compares with them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

READING_ERROR = 2e-4  # of the values, which were read from a drawing
N_SPLITS = 1000  # of the published means
# The published curve that a fitter is held against, by how its name begins. The continuous ones
# drawn as naive Bayes are those of the nearest class mean, so both of our fitters are compared.
COUNTERPARTS = {
    "naive_bayes": "naive_bayes_error",
    "nearest_centroid": "naive_bayes_error",
    "logistic_regression": "logistic_regression_error",
}
COLUMNS = ("experiment", "fitter", "m", "error_mean", "published", "difference", "se", "agrees")
_FILES = {"ng_jordan": "ng_jordan_2001_figure1.csv"}


def values(figure: str) -> pd.DataFrame | None:
    """Published values behind a figure, None where there are none.

    Columns: experiment, m, naive_bayes_error, logistic_regression_error.
    """
    import pandas as pd

    if figure not in _FILES:
        return None
    with (files("gdcurves.published") / _FILES[figure]).open(encoding="utf-8") as file:
        return pd.read_csv(file)


def compare(curves: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Hold curves against published ones, where both have a point.

    Columns: experiment, fitter, m, error_mean, published, difference (ours less theirs), se and
    agrees. `se` is the combined Monte Carlo standard error of a mean over our splits and of one
    over the published 1000: error_se * sqrt(1 + n_splits / 1000). A point agrees if the difference
    is at most 3 se + 2e-4, the reading error.
    """
    if "error_mean" not in curves:  # not measured
        return curves.reindex(columns=list(COLUMNS)).iloc[:0]
    columns = list(COUNTERPARTS.values())
    theirs = published.melt(["experiment", "m"], columns, "curve", "published")
    ours = curves.assign(curve=curves["fitter"].map(_counterpart))
    both = ours.merge(theirs, on=["experiment", "m", "curve"], how="inner")
    both["difference"] = both["error_mean"] - both["published"]
    both["se"] = both["error_se"] * np.sqrt(1 + both["n_splits"] / N_SPLITS)
    both = both[both["se"].notna()].copy()  # one split has no standard error
    both["agrees"] = both["difference"].abs() <= 3 * both["se"] + READING_ERROR
    return both[list(COLUMNS)]


def same_classifiers(
    figure: str, experiment: str, inputs: str | None, fitters: Sequence[str]
) -> pd.DataFrame:
    """Published curves of an experiment by our name of the same classifier; the index is m.

    On continuous inputs the curve drawn as naive Bayes is that of nearest_centroid alone.
    """
    import pandas as pd

    theirs = values(figure)
    if theirs is None:
        return pd.DataFrame()
    own = theirs[theirs["experiment"] == experiment].set_index("m")
    curves = {
        fitter: own[curve]
        for fitter in fitters
        if (curve := _counterpart(fitter)) is not None
        and not (inputs == "continuous" and fitter.startswith("naive_bayes"))
    }
    return pd.DataFrame(curves, index=own.index)


def _counterpart(fitter: str) -> str | None:
    return next((curve for name, curve in COUNTERPARTS.items() if fitter.startswith(name)), None)


def summarise(comparison: pd.DataFrame) -> pd.DataFrame:
    """Count agreeing points for each experiment and fitter, and find the largest deviation.

    Columns: experiment, fitter, n_points, n_agree, largest (the difference of largest size) and
    at_m.
    """
    import pandas as pd

    rows = []
    for (experiment, fitter), points in comparison.groupby(["experiment", "fitter"], sort=False):
        worst = points.iloc[int(points["difference"].abs().argmax())]
        rows.append(
            {
                "experiment": experiment,
                "fitter": fitter,
                "n_points": len(points),
                "n_agree": int(points["agrees"].sum()),
                "largest": worst["difference"],
                "at_m": int(worst["m"]),
            }
        )
    return pd.DataFrame(rows)
