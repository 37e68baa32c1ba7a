"""The columns of limits.csv, apart from what computes them, which is slow to import."""

from __future__ import annotations

from gdcurves.store import contents
from gdcurves.store.table import TableFormat

COLUMNS = (
    "experiment",
    "fitter",
    "error",
    "error_se",
    "logloss",
    "logloss_se",
    "method",
    "law",
)
TABLE = TableFormat(
    contents.LIMITS,
    COLUMNS,
    texts=frozenset({"experiment", "fitter", "method", "law"}),
    needed=("experiment", "fitter", "error", "logloss", "law"),  # by figures
    advice="compute the limits again",
)
