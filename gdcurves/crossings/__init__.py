"""Which fitter is better at which training size, where that changes, and how sure it is."""

from gdcurves.crossings.table import TABLE, of_chunks

__all__ = ["TABLE", "of_chunks"]
