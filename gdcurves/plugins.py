"""Registries: what gdcurves has, and what other packages bring by their entry points.

A package that is installed names its parts in its metadata, under the group of a registry:

    [project.entry-points."gdcurves.fitters"]
    stump = "theirs.stump:Stump"
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from functools import cache, cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

from gdcurves.errors import UserError

OWN = __name__.partition(".")[0]
Part = TypeVar("Part")


class Registry(MutableMapping[str, Part]):
    """Parts of one kind by name: gdcurves' own, then those of other packages.

    The others are imported when one of them is first asked for, or all are, as they may import much
    of gdcurves.
    Asking raises UserError where a package takes a name that is taken, cannot be imported, or
    brings something else.
    """

    def __init__(
        self, group: str, kind: str, fits: Callable[[Any], bool], own: Mapping[str, Part]
    ) -> None:
        """Begin with the parts `own`.

        `group` is that of entry points, without "gdcurves."; `kind` and `fits` are what parts are
        called, and whether something is one.
        """
        self._group, self._kind, self._fits, self._own = f"{OWN}.{group}", kind, fits, own

    @cached_property
    def _parts(self) -> dict[str, Part]:
        parts = dict(self._own)
        for entry in _entries().select(group=self._group):
            if entry.name in parts:
                raise _unfit(entry, f"there is one of this name already: {entry.name!r}")
            try:
                part = entry.load()
            except Exception as error:  # whatever the code of others raises
                message = f"{type(error).__name__}: {' '.join(str(error).split())}"
                raise _unfit(entry, f"it cannot be imported ({message})") from error
            if not self._fits(part):
                raise _unfit(entry, f"{entry.value} is no {self._kind}")
            parts[entry.name] = part
        return parts

    def __getitem__(self, name: str) -> Part:
        known = self._own if "_parts" not in vars(self) and name in self._own else self._parts
        return known[name]

    def __setitem__(self, name: str, part: Part) -> None:
        self._parts[name] = part

    def __delitem__(self, name: str) -> None:
        del self._parts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)


def package_of(part: Any) -> str | None:
    """The package of others that a part of a registry is from; None for gdcurves' own."""
    made = part if hasattr(part, "__module__") and callable(part) else type(part)
    package = str(made.__module__).partition(".")[0]
    return None if package == OWN else package


@cache
def _entries() -> Any:
    return entry_points()


def _unfit(entry: EntryPoint, why: str) -> UserError:
    package = "a package" if entry.dist is None else f"package {entry.dist.name!r}"
    return UserError(
        f"{package} brings {entry.name!r} to the entry points {entry.group!r}, and {why}; correct"
        " or uninstall it"
    )
