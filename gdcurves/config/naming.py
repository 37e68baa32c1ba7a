"""Names of runs' parts, which stand in CSV files, in file names and after `--only`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated

from pydantic import AfterValidator, WithJsonSchema

from gdcurves.config.strict import wrong

LONGEST_NAME = 60
NAME = r"[A-Za-z][A-Za-z0-9._+-]*"
# What pandas and spreadsheets read as something else than a name.
_NO_NAMES = {"na", "nan", "null", "none", "true", "false", "inf", "infinity"}


def _name(value: str) -> str:
    """Check a name."""
    if not re.fullmatch(NAME, value):
        raise wrong(
            f"found '{value}'; write a name that starts with a letter, of letters a-z, digits,"
            " '-', '_', '.' and '+'"
        )
    if value.lower() in _NO_NAMES:
        raise wrong(
            f"found '{value}', which pandas and spreadsheets read in CSV files as something else"
            " than a name; write another name"
        )
    if len(value) > LONGEST_NAME:
        raise wrong(f"found {len(value)} characters; write {LONGEST_NAME} or fewer")
    return value


_NAME = {"type": "string", "pattern": f"^{NAME}$", "maxLength": LONGEST_NAME}
Name = Annotated[str, AfterValidator(_name), WithJsonSchema(_NAME)]


def check_names(key: str, names: Iterable[str]) -> None:
    """Refuse names that are equal, or would be as file names where case is no difference."""
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        if (other := first.setdefault(name.casefold(), index)) != index:
            message = f"'{name}' is the name of {key}[{other}] already; give each its own name"
            raise wrong(message, key, index, "name")
