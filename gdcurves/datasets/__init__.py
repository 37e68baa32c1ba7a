"""Data sets by name, from files, the package or OpenML, in one canonical form."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from gdcurves.config.suggest import suggest
from gdcurves.datasets import catalog, files, openml, packaged
from gdcurves.datasets.catalog import CATALOGUE
from gdcurves.datasets.spec import DatasetSpec, Kind
from gdcurves.datasets.table import MISSING, DataUnavailable, Table
from gdcurves.errors import UserError

__all__ = [
    "CATALOGUE",
    "MISSING",
    "SOURCES",
    "DataUnavailable",
    "DatasetSpec",
    "Kind",
    "Table",
    "check_folder",
    "load",
]

SOURCES: dict[str, Callable[[DatasetSpec], Table]] = {
    "packaged": packaged.load,
    "openml": openml.load,
}


def check_folder(data_dir: Path, names: Iterable[str]) -> None:
    """Refuse a data folder that holds none of the data sets named; raises UserError."""
    specs = [catalog.find(name) for name in sorted(names)]
    if not any(files.find(spec, data_dir) for spec in specs):
        wanted = ", ".join(spec.name for spec in specs)
        raise UserError(
            f"--data-dir {data_dir}: holds none of the data sets {wanted}; files are named after"
            f" them, such as {specs[0].name}.arff or {specs[0].name}.csv"
        )


def load(name: str, source: str = "packaged", data_dir: Path | None = None) -> Table:
    """Load a data set of the catalogue.

    It comes from the data folder if that holds it, else from the source; what the package does
    not ship comes from OpenML under either source. `Table.source` says which it was.

    Parameters
    ----------
    name
        A name of the catalogue.
    source
        A name of `SOURCES`.
    data_dir
        Folder of ARFF and CSV files, plain or gzipped, named after data sets.

    Raises
    ------
    DataUnavailable
        The data set cannot be had.
    UserError
        The name, the source or the folder does not exist, or the content is broken.
    """
    spec = catalog.find(name)
    if source not in SOURCES:
        raise UserError(f"no data source {source!r}; {suggest(source, SOURCES)}")
    if data_dir is not None and (path := files.find(spec, data_dir)) is not None:
        return files.read(spec, path)
    if source == "packaged" and spec.packaged_from is None:
        source = "openml"
    return SOURCES[source](spec)
