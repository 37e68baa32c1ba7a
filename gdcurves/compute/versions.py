"""What computes rows, and in which version: rows of two versions are not mixed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import version

import gdcurves

COMPUTING = ("numpy", "scipy")  # their results are rows and curves


@cache
def versions() -> Mapping[str, str]:
    """Versions of what computes rows."""
    return {"gdcurves": gdcurves.__version__, **{name: version(name) for name in COMPUTING}}
