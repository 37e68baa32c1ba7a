"""What an experiment asks of its data: where they are, and what their columns mean."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gdcurves.config.reading import MISSING_TEXTS, Form, form
from gdcurves.datasets.catalog import CATALOGUE
from gdcurves.errors import UserError


@dataclass(frozen=True)
class Request:
    """A source and how to read it.

    Attributes
    ----------
    data
        A name of the catalogue, the path of a file, `openml:ID`, `openml:ID@VERSION`,
        `openml:NAME`, `openml:NAME@VERSION` or `uci:ID`.
    target
        The column to predict; the source's own unless given.
    continuous, discrete
        Columns of these kinds, whatever the source says or the cells look like.
    drop
        Columns that are no inputs.
    missing_texts
        Texts that stand for a missing value, after blanks around them are removed.
    numeric_target
        Whether the target is to be read as a number, for a threshold to cut.
    """

    data: str
    target: str | None = None
    continuous: tuple[str, ...] = ()
    discrete: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    missing_texts: tuple[str, ...] = MISSING_TEXTS
    numeric_target: bool = False

    @property
    def form(self) -> Form:
        """What `data` is, by its spelling alone."""
        return form(self.data)

    @property
    def at_hand(self) -> bool:
        """Whether the data are a file, or come with the package."""
        spec = CATALOGUE.get(self.data)
        return self.form == "file" or (spec is not None and spec.packaged_from is not None)

    @property
    def stem(self) -> str:
        """A short name of the data."""
        if self.form == "file":
            return Path(self.data).name.partition(".")[0]
        return self.data.partition(":")[2].partition("@")[0] or self.data


def number_or_name(data: str) -> tuple[str, int | None]:
    """Split what follows `openml:` or `uci:` into id or name, and version.

    Raises
    ------
    UserError
        Nothing follows, or the version is no number.
    """
    scheme, _, rest = data.partition(":")
    key, at, version = rest.partition("@")
    if not key or (at and not version.isdecimal()):
        examples = {"openml": "openml:31, openml:credit-g or openml:credit-g@1", "uci": "uci:53"}
        raise UserError(f"data {data!r}: cannot be understood; write it like {examples[scheme]}")
    return key, int(version) if at else None
