"""Names in the values of options: several of them between commas."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NAME = re.compile(r'\s*(?:"(?P<quoted>(?:""|[^"])*)"\s*|(?P<bare>[^,]*)),')


def names(values: Sequence[str]) -> list[str]:
    """Split values of an option at commas; spaces around a name are no part of it.

    A name that holds a comma stands in double quotes, see `gdcurves.words.quoted`.
    """
    matches = (match for value in values for match in _NAME.finditer(f"{value},"))
    return [
        match["bare"].strip() if match["quoted"] is None else match["quoted"].replace('""', '"')
        for match in matches
    ]
