"""Names of columns by which a service declares what they are, as the file spells them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from urllib.parse import unquote

from gdcurves.words import DROP


def spelled(names: Iterable[str], columns: Collection[str]) -> dict[str, str]:
    """Each of some declared names that a column has, with the column's own.

    Where none has it letter by letter, the column is that which alone has it without regard to
    case, blanks, underscores, quotes and percent escapes, and no other of these names besides.
    """
    names = list(names)
    alike: dict[str, list[str]] = {}
    for column in columns:
        alike.setdefault(_bare(column), []).append(column)
    candidates = {name: [name] if name in columns else alike.get(_bare(name), []) for name in names}
    return {
        name: each[0]
        for name, each in candidates.items()
        if len(each) == 1 and (each[0] == name or each[0] not in candidates)
    }


def separate(declared: str, columns: Collection[str]) -> list[str]:
    """Take names apart that stand in one text with commas between them, which names may hold too.

    Of the stretches between commas the longest that is a name of a column is taken for one.
    """
    names = []
    parts = declared.split(",")
    longest = 1 + max((_bare(column).count(",") for column in columns), default=0)
    while parts:
        ends = range(min(longest, len(parts)), 0, -1)
        stretches = {",".join(parts[:end]).strip(): end for end in ends}
        known = spelled(stretches, columns)
        name = next((each for each in stretches if each in known), parts[0].strip())
        del parts[: stretches.get(name, 1)]
        names.append(name)
    return [name for name in dict.fromkeys(names) if name]


def unknown(
    roles: Mapping[str, Iterable[str]], known: Collection[str], origin: str, service: str
) -> Iterator[str]:
    """Say of each role's names which ones no column has, as those in `known` have."""
    for role, names in roles.items():
        if absent := [repr(name) for name in names if name not in known]:
            yield (
                f"{origin}: {service} declares {' and '.join(absent)} as {role}, but no column, or"
                f" more than one, has such a name; if it is no input, name its column under {DROP}"
            )


def _bare(name: str) -> str:
    return re.sub(r"[\s_\"'`\\]", "", unquote(name)).casefold()
