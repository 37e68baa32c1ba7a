"""How many training rows it takes to come near a curve's limit, and how that grows with n."""

from gdcurves.complexity.table import TABLE, WITHIN, of_run

__all__ = ["TABLE", "WITHIN", "of_run"]
