"""Four panels of Figure 1 for a lecture: as published, exact, and as the published ones came about.

    python scripts/lecture_figure.py EXACT AS_PUBLISHED OUT

EXACT and AS_PUBLISHED are the folders of runs of `ng_jordan.yaml` and `as_published.yaml`, or of
committed ones; the picture is written to OUT, in the format that its ending says.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib as mpl
import pandas as pd
from matplotlib.axes import Axes

mpl.use("Agg")
from matplotlib import pyplot as plt  # behind the choice of a backend without a screen

from gdcurves import published
from gdcurves.plots.styles import KNOWN
from gdcurves.run import reading

# Where Newton's iterate and thin margins matter, a quasi-separable one, and the slip in the codes.
CHOSEN = ("boston", "ionosphere", "sick", "promoters")
COLUMNS = ("published (2001)", "computed exactly", "8 Newton steps, perceptron")
GENERATIVE, LOGISTIC = "nearest_centroid", "logistic_regression"


def main() -> None:
    """Draw it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("exact", "as_published", "out"):
        parser.add_argument(name, type=Path)
    given = parser.parse_args()
    runs = [reading.read_run(each).curves for each in (given.exact, given.as_published)]
    theirs = published.values("ng_jordan")
    assert theirs is not None, "shipped with the package"
    figure, axes = plt.subplots(
        len(CHOSEN), 3, figsize=(9.6, 9.6), sharex="row", sharey="row", layout="constrained"
    )
    for row, name in zip(axes, CHOSEN, strict=True):
        points = theirs[theirs["experiment"] == name]
        for axis, curves in zip(
            row, (_published(points), *(_own(each, name) for each in runs)), strict=True
        ):
            draw(axis, curves)
        for axis in row[1:]:
            for column in ("naive_bayes_error", "logistic_regression_error"):
                axis.plot(points["m"], points[column], ".", color="0.55", markersize=3, zorder=0)
        row[0].set_ylabel(f"{name}\ntest error")
    for axis, title in zip(axes[0], COLUMNS, strict=True):
        axis.set_title(title, fontsize=10)
    for axis in axes[-1]:
        axis.set_xlabel("m")
    roomy = CHOSEN.index("sick")
    axes[roomy, 0].legend(fontsize=8, frameon=False)
    axes[roomy, 1].lines[-1].set_label("published")
    axes[roomy, 1].legend(handles=axes[roomy, 1].lines[-1:], fontsize=8, frameon=False)
    figure.savefig(given.out, dpi=150)


def _published(points: pd.DataFrame) -> dict[str, pd.Series]:
    table = points.set_index("m")
    return {
        GENERATIVE: table["naive_bayes_error"],
        LOGISTIC: table["logistic_regression_error"],
    }


def _own(curves: pd.DataFrame, name: str) -> dict[str, pd.Series]:
    """The generative curve of the paper's panel, and that of logistic regression."""
    own = curves[curves["experiment"] == name]
    fitters = {fitter: rows.set_index("m")["error_mean"] for fitter, rows in own.groupby("fitter")}
    logistic = next(each for each in fitters if str(each).startswith(LOGISTIC))
    generative = GENERATIVE if GENERATIVE in fitters else "naive_bayes"
    return {GENERATIVE: fitters[generative], LOGISTIC: fitters[logistic]}


def draw(axis: Axes, curves: dict[str, pd.Series]) -> None:
    """Draw the two curves of a panel, test error over m."""
    labels = {
        GENERATIVE: "naive Bayes\n(on numbers: nearest centroid)",
        LOGISTIC: "logistic regression",
    }
    for fitter, values in curves.items():
        _, style = KNOWN[fitter]
        dashes = (0, style.dashes) if style.dashes else "solid"
        axis.plot(
            values.index,
            values,
            color=style.colour,
            linestyle=dashes,
            linewidth=style.width,
            label=labels[fitter],
        )


if __name__ == "__main__":
    main()
