"""What the terminal shows: a run's summary, how far it is, crossings and limits."""

from gdcurves.report.limits import limits
from gdcurves.report.status import status, warning_lines
from gdcurves.report.summary import summary

__all__ = ["limits", "status", "summary", "warning_lines"]
