"""The columns of theory.csv and its quantities, apart from what computes them."""

from __future__ import annotations

from gdcurves.store import contents
from gdcurves.store.table import TableFormat

ALPHA = "alpha"
G = "G"
LEMMA3_BOUND = "lemma3_bound"
LEMMA3_EXACT = "lemma3_exact"
THEOREM4_BOUND = "theorem4_bound"
PROPOSITION2_BOUND = "proposition2_bound"
EFRON_CONSTANT = "efron_constant"
EFFICIENCY = "efficiency"

COLUMNS = ("experiment", "quantity", "fitter", "n", "argument", "value", "accuracy", "law")
TABLE = TableFormat(
    contents.THEORY,
    COLUMNS,
    texts=frozenset({"experiment", "quantity", "fitter", "law"}),
    needed=COLUMNS,
    advice="compute the theory again",
)
