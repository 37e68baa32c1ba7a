"""Data sets of the catalogue, of one's own, of OpenML and of UCI, in one canonical form.

A source's bytes become a table in these steps:

    sources          where data come from: a file, the package, a service and its cache
    formats          bytes of a format -> a raw source: columns of cells
    understanding    what each column is: input and its kind, target, groups, left out, in doubt
    columns          what can be told of one column
    table            what is understood -> the canonical form

Beside them are the request (what is asked of a source), the catalogue's specifications, remarks
(what is to be looked at), and how numbers are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from gdcurves.config.reading import IN_MEMORY, STANDARD_INPUT, is_name
from gdcurves.datasets import catalog
from gdcurves.datasets.catalog import CATALOGUE
from gdcurves.datasets.request import Request
from gdcurves.datasets.sources import files, openml, packaged, uci
from gdcurves.datasets.sources.remote import Remote
from gdcurves.datasets.spec import DatasetSpec, Kind
from gdcurves.datasets.table import DataUnavailable, Table, read_table
from gdcurves.errors import MisfitError, UserError
from gdcurves.words import suggest

__all__ = [
    "CATALOGUE",
    "REMOTE",
    "SOURCES",
    "DataUnavailable",
    "DatasetSpec",
    "Kind",
    "Request",
    "Table",
    "at_hand",
    "check_folder",
    "fetch",
    "load",
    "look",
    "scheme",
]

SOURCES: dict[str, Callable[[DatasetSpec, Request, bool], Table]] = {
    "packaged": lambda spec, request, _offline: packaged.load(spec, request),
    "openml": openml.load_named,
}

# By what stands before the colon in their names.
REMOTE: dict[str, Remote] = {
    "openml": openml,
    "uci": uci,
}


_ADDRESS = re.compile("(https?|ftp|file|s3)://.")
_PAGES = {  # of data sets, by the scheme under which they are had
    "openml": re.compile(r"openml\.org/.*?\b(?:d/|id=)(\d+)"),
    "uci": re.compile(r"archive\.ics\.uci\.edu/dataset/(\d+)"),
}


def scheme(data: str) -> str | None:
    """The source of `REMOTE` that a name is for; None for a file or a name of the catalogue.

    Raises UserError for an address of the web.
    """
    if _ADDRESS.match(data):
        pages = ((name, page.search(data)) for name, page in _PAGES.items())
        known = next((f"{name}:{match[1]}" for name, match in pages if match), None)
        advice = f"write {known}" if known else "save the file here, and give its name"
        raise UserError(f"data {data!r}: addresses are not fetched; {advice}")
    before, colon, _ = data.partition(":")
    return before if colon and before in REMOTE else None


def at_hand(data: str) -> bool:
    """Whether data are a file, or come with the package."""
    if is_name(data):
        return data in CATALOGUE and CATALOGUE[data].packaged_from is not None
    return scheme(data) is None and data != STANDARD_INPUT


def check_folder(data_dir: Path, names: Iterable[str]) -> None:
    """Refuse a data folder that holds none of the data sets named; raises UserError.

    Names that are none of the catalogue's are paths and the like, which no folder has to hold.
    """
    specs = [CATALOGUE[name] for name in sorted(names) if name in CATALOGUE]
    if specs and not any(files.find(spec, data_dir) for spec in specs):
        wanted = ", ".join(spec.name for spec in specs)
        raise UserError(
            f"--data-dir {data_dir}: holds none of the data sets {wanted}; files are named after"
            f" them, such as {specs[0].name}.arff or {specs[0].name}.csv"
        )


def load(
    wanted: str | Request,
    source: str = "packaged",
    data_dir: Path | None = None,
    *,
    offline: bool = False,
) -> Table:
    """Load what a request names, see `look`; columns of which no kind can be told are refused."""
    table = look(wanted, source, data_dir, offline=offline)
    if (refusal := table.refusal) is not None:
        raise refusal
    return table


def look(
    wanted: str | Request,
    source: str = "packaged",
    data_dir: Path | None = None,
    *,
    offline: bool = False,
) -> Table:
    """Load what a request names, without the columns of which no kind can be told.

    A data set of the catalogue comes from the data folder if that holds it, else from the source;
    what the package does not ship comes from OpenML under either source. `Table.source` says which
    it was.

    Parameters
    ----------
    wanted
        A request, or its `data` alone.
    source
        A name of `SOURCES`.
    data_dir
        Folder of files named after data sets of the catalogue.
    offline
        Forbid requests to servers; what the cache holds is used.

    Raises
    ------
    DataUnavailable
        The data set cannot be had.
    UserError
        The name, the source or the folder does not exist, or the content is broken.
    """
    request = Request(wanted) if isinstance(wanted, str) else wanted
    if request.held is not None:
        _check_options(request)
        return read_table(request.data.removeprefix(IN_MEMORY), request.held, "memory", request)
    if (remote := scheme(request.data)) is not None:
        _check_options(request)
        name = request.data.partition(":")[2].partition("@")[0]
        copy = REMOTE[remote].entry(request.data, offline)
        return read_table(name, REMOTE[remote].raw(copy, request), remote, request)
    if not is_name(request.data):
        return files.load(request)
    spec = catalog.find(request.data)
    if source not in SOURCES:
        raise UserError(f"no data source {source!r}; {suggest(source, SOURCES)}")
    if data_dir is not None and (path := files.find(spec, data_dir)) is not None:
        return files.load_named(spec, path, request)
    _check_options(request)
    if source == "packaged" and spec.packaged_from is None:
        source = "openml"
    return SOURCES[source](spec, request, offline)


def _check_options(request: Request) -> None:
    """Refuse what is said of the reading of files; raises MisfitError."""
    for key in ("encoding", "sheet", "no_header"):
        if getattr(request, key) not in (None, False):
            raise MisfitError(f"data {request.data!r}: is no file; leave out the {key}", key)


def fetch(data: str) -> Path:
    """Bring a remote data set, or one of the catalogue, from OpenML, into the cache.

    Returns the folder of the copy. Raises DataUnavailable where it cannot be had, and UserError for
    a file or an unknown name.
    """
    if (remote := scheme(data)) is not None:
        return REMOTE[remote].entry(data).folder
    if not is_name(data):
        raise UserError(f"data {data!r}: this is a file, and needs no copy; use it as it is")
    return openml.entry(f"openml:{catalog.find(data).openml_id}").folder
