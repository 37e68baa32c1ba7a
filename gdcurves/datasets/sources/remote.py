"""What a source of data is that is asked by name, and whose answers are kept in the cache."""

from __future__ import annotations

from typing import Protocol

from gdcurves.datasets.raw import Raw
from gdcurves.datasets.request import Request
from gdcurves.datasets.sources.cache import Entry
from gdcurves.errors import UserError


class Remote(Protocol):
    """A module for one source; register it in `gdcurves.datasets` under the scheme of its names."""

    EXAMPLES: tuple[str, ...]  # names of data sets, for messages

    def entry(self, data: str, offline: bool = False) -> Entry:
        """Return the copy of a data set, fetched if need be, see `cache.get`.

        Raises DataUnavailable where it cannot be had, and UserError where the name is none.
        """

    def raw(self, copy: Entry, request: Request) -> Raw:
        """Read the columns of a copy; raises UserError where it is broken."""


def number_or_name(data: str, examples: tuple[str, ...]) -> tuple[str, int | None]:
    """Split what follows the scheme of a remote name into id or name, and version.

    Raises
    ------
    UserError
        Nothing follows, or the version is no number; the message shows the examples.
    """
    key, at, version = data.partition(":")[2].partition("@")
    if not key or (at and not version.isdecimal()):
        *others, last = examples
        shown = f"{', '.join(others)} or {last}" if others else last
        raise UserError(f"data {data!r}: cannot be understood; write it like {shown}")
    return key, int(version) if at else None
