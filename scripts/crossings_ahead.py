"""How well a crossing is foreseen from the sizes before it.

    python scripts/crossings_ahead.py RUN [RUN ...]

RUN is the folder of a run, or of a committed one. The curves of every pair that crosses are cut at
each size from a third of the crossing on, where the mean errors are more than two standard errors
apart; from there both are drawn out as gdcurves does it (`crossings.ahead`). Raw rows are not kept
in git, so the standard errors at different sizes count as independent.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from gdcurves.crossings.ahead import zero_ahead
from gdcurves.report.crossings import FAR
from gdcurves.run import reading
from gdcurves.trends import Trend

LEAST = 8  # training rows


def main() -> None:
    """Print how the crossings lie to where they were foreseen."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=Path, nargs="+")
    cuts = np.array([each for run in parser.parse_args().run for each in foreseen(run)])
    near = cuts[cuts[:, 0] <= FAR, 1]
    low, middle, high = np.quantile(near, [0.05, 0.5, 0.95])
    print(
        f"{len(cuts)} curves cut at m: in {len(near)} the crossing is foreseen before {FAR} m. It"
        f" is then at {middle:.2f} times that size in the median, {low:.2f} to {high:.2f}"
        f" times in 90 %. In the other {len(cuts) - len(near)} the curves cross sooner than told."
        f" The interval holds the crossing in {int(cuts[:, 2].sum())}, and has an end in"
        f" {int(cuts[:, 3].sum())}."
    )


def foreseen(folder: Path) -> Iterator[tuple[float, float, bool, bool]]:
    """Zero over m, crossing over zero, whether the interval holds it and has an end, by cut."""
    run = reading.read_run(folder)
    assert run.crossings is not None
    for _, row in run.crossings[run.crossings["kind"] == "crosses"].iterrows():
        own = run.curves[run.curves["experiment"] == row["experiment"]]
        columns = ["error_mean", "error_se"]
        curves = own.pivot_table(index="m", columns="fitter", values=columns)[columns]
        a, b = (curves.xs(row[name], axis=1, level=1) for name in ("fitter_a", "fitter_b"))
        a, b = a.dropna(), b.dropna()
        difference = a["error_mean"] - b["error_mean"]
        se = np.hypot(a["error_se"], b["error_se"])
        sign = 1 if row["better_below"] == row["fitter_b"] else -1
        for m in difference.index[difference.index < row["m_low"]]:
            if m >= max(LEAST, row["m"] / FAR) and sign * difference[m] > 2 * se[m]:
                trends = [_trend(each.loc[:m]) for each in (a, b)]
                if all(each is not None and each.fits for each in trends):
                    zero = zero_ahead(difference[m], se[m], *trends)
                    held = zero.low <= row["m"] <= zero.high
                    yield zero.m / m, row["m"] / zero.m, held, np.isfinite(zero.high)


def _trend(curve: pd.DataFrame) -> Trend | None:
    covariance = np.diag(curve["error_se"].to_numpy() ** 2)
    return Trend.of(curve.index.to_numpy(), curve["error_mean"].to_numpy(), covariance)


if __name__ == "__main__":
    main()
