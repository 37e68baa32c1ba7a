"""Runs in words: the summary, how far one is, crossings and limits; and what is read of data."""

from gdcurves.report.limits import limits
from gdcurves.report.saying import sentences
from gdcurves.report.sizes import sizes
from gdcurves.report.status import lost_lines, status, warning_lines
from gdcurves.report.summary import (
    compared,
    details,
    headline,
    measured,
    of_sizes,
    rows,
    summary,
    troubles,
)

__all__ = [
    "compared",
    "details",
    "headline",
    "limits",
    "lost_lines",
    "measured",
    "of_sizes",
    "rows",
    "sentences",
    "sizes",
    "status",
    "summary",
    "troubles",
    "warning_lines",
]
