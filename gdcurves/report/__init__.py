"""Runs in words: the summary, how far one is, crossings and limits; and what is read of data."""

from gdcurves.report.answer import sentences
from gdcurves.report.limits import limits
from gdcurves.report.status import lost_lines, status, warning_lines
from gdcurves.report.summary import details, headline, summary

__all__ = [
    "details",
    "headline",
    "limits",
    "lost_lines",
    "sentences",
    "status",
    "summary",
    "warning_lines",
]
