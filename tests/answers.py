"""Crossings of values that tests have made up."""

from __future__ import annotations

import pandas as pd

from gdcurves.crossings.comparisons import of_pairs
from gdcurves.crossings.evidence import NadeauBengio, Splits
from gdcurves.crossings.paired import Paired
from gdcurves.crossings.table import table as crossings
from gdcurves.scoring.measures import MEASURES


def table(experiment: str, read: Paired, seed: int, independent: bool = False) -> pd.DataFrame:
    """Crossings of errors, or of areas where higher is better."""
    measure = MEASURES["error" if read.lower_is_better else "auc"]
    evidence = Splits() if independent else NadeauBengio()
    compared = of_pairs({measure.name: read}, evidence)
    return crossings(experiment, measure, read, compared, seed)
