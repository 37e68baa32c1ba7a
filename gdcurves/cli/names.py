"""Names in the values of options: several of them between commas."""

from __future__ import annotations

import re
from collections.abc import Sequence
from os.path import isdir

_NAME = re.compile(r'\s*(?:"(?P<quoted>(?:""|[^"])*)"\s*|(?P<bare>[^,]*)),')


def names(values: Sequence[str]) -> list[str]:
    """Split values of an option at commas; spaces around a name are no part of it.

    A name that holds a comma stands in double quotes, see `gdcurves.words.quoted`.
    """
    found = (match for value in values for match in _NAME.finditer(f"{value},"))
    return [
        match["bare"].strip() if match["quoted"] is None else match["quoted"].replace('""', '"')
        for match in found
    ]


def source(data: str) -> str:
    """Data as they are meant: with a slash if they are a folder here, and none of the catalogue."""
    from gdcurves.config.reading import is_name
    from gdcurves.datasets import CATALOGUE

    is_folder = is_name(data) and data not in CATALOGUE and isdir(data)
    return f"{data}/" if is_folder else data
