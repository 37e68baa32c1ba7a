"""Which fitter is better at which training size, where that changes, and what more rows bring."""

from gdcurves.crossings.answers import Answers, why_unmade
from gdcurves.crossings.comparisons import TABLE as COMPARISONS
from gdcurves.crossings.outlook import TABLE as OUTLOOK
from gdcurves.crossings.table import TABLE as CROSSINGS

__all__ = ["COMPARISONS", "CROSSINGS", "OUTLOOK", "Answers", "why_unmade"]
