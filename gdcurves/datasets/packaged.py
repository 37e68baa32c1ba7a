"""Data sets that the package ships: `packaged/NAME.csv.gz`, made by `scripts/package_data.py`."""

from __future__ import annotations

import gzip
import io
from importlib import resources

from gdcurves.datasets.files import read_csv
from gdcurves.datasets.spec import DatasetSpec
from gdcurves.datasets.table import DataUnavailable, Table, build


def load(spec: DatasetSpec) -> Table:
    """Read the shipped copy.

    Raises
    ------
    DataUnavailable
        The package ships none.
    """
    if spec.packaged_from is None:
        raise DataUnavailable(f"data set {spec.name!r} is not packaged")
    shipped = resources.files("gdcurves.datasets") / "packaged" / f"{spec.name}.csv.gz"
    text = gzip.decompress(shipped.read_bytes()).decode()
    return build(spec, read_csv(io.StringIO(text), f"packaged ({spec.packaged_from})"))
