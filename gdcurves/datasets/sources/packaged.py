"""Data sets that the package ships: `packaged/NAME.csv.gz`, made by `scripts/package_data.py`."""

from __future__ import annotations

import gzip
from importlib import resources

from gdcurves.datasets.formats import delimited
from gdcurves.datasets.request import Request
from gdcurves.datasets.spec import DatasetSpec
from gdcurves.datasets.table import DataUnavailable, Table, build


def load(spec: DatasetSpec, request: Request) -> Table:
    """Read the shipped copy.

    Raises
    ------
    DataUnavailable
        The package ships none.
    """
    if spec.packaged_from is None:
        raise DataUnavailable(f"data set {spec.name!r} is not packaged")
    text = _text(spec)
    as_text = {name for name, kind in spec.columns.items() if kind == "discrete"}
    if spec.target_kind == "discrete":
        as_text.add(spec.target)
    source = f"packaged ({spec.packaged_from})"
    raw = delimited.read(text, source, request.missing_texts, as_text)
    return build(spec, raw, "packaged", request)


def n_rows(spec: DatasetSpec) -> int:
    """Number of rows of the shipped copy; no cell of it holds a line break."""
    return _text(spec).count(b"\n") - 1


def _text(spec: DatasetSpec) -> bytes:
    shipped = resources.files("gdcurves.datasets") / "packaged" / f"{spec.name}.csv.gz"
    return gzip.decompress(shipped.read_bytes())
