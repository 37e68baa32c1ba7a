"""What the terminal shows: a run's summary, how far it is, crossings and limits."""

from gdcurves.report.limits import limits
from gdcurves.report.status import lost_lines, status, warning_lines
from gdcurves.report.summary import summary

__all__ = ["limits", "lost_lines", "status", "summary", "warning_lines"]
