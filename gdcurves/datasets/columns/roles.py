"""Which columns a request names, and as what."""

from __future__ import annotations

from collections import Counter
from typing import Any

from gdcurves.datasets.raw import Raw, no_header
from gdcurves.datasets.request import Request
from gdcurves.errors import MisfitError
from gdcurves.words import suggest

SEPARATED = "in a text, cells stand between commas, semicolons, tabs, bars or blanks in all lines"


def target_of(raw: Raw, request: Request) -> str:
    """The column to predict; raises MisfitError where none is named, or one that there is not."""
    target = request.target or raw.target
    hint = raw.hint or no_header(raw.columns)
    if len(raw.columns) == 1 and not hint:
        hint = f"; it is the one column; {SEPARATED}"
    if target is None:
        raise MisfitError(
            f"{raw.origin}: which column is to be predicted? Name it as target; there are"
            f" {', '.join(raw.columns)}{hint}",
            "target",
        )
    if target not in raw.columns:
        raise MisfitError(
            f"{raw.origin}: no column {target!r} for the target; {suggest(target, raw.columns)}"
            f"{hint}",
            "target",
        )
    return target


def roles_of(raw: Raw, request: Request, target: str) -> dict[str, Any]:
    """Roles that the request gives to columns; raises MisfitError for names that do not fit.

    A column that groups rows is an input too, and has that role, if it is said of which kind.
    """
    roles = {
        "groups": request.groups,
        "continuous": request.continuous,
        "discrete": request.discrete,
        "drop": request.drop,
    }
    counts = Counter(name for names in roles.values() for name in names)
    counts.subtract({*request.groups} & {*request.continuous, *request.discrete})
    for role, names in roles.items():
        for number, name in enumerate(names):
            wrong = None
            if name not in raw.columns:
                wrong = f"no column {name!r}, named under {role!r}; {suggest(name, raw.columns)}"
            elif name == target:
                wrong = f"column {name!r} is the target and stands under {role!r} too; take it out"
            elif counts[name] > 1:
                wrong = (
                    f"column {name!r} stands twice under 'continuous', 'discrete', 'drop' and"
                    " 'groups'; name it once"
                )
            if wrong is not None:
                raise MisfitError(f"{raw.origin}: {wrong}", role, number)
    return {name: role for role, names in roles.items() for name in names}
